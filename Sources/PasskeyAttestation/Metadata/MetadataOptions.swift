/// How a BLOB of metadata is verified.
public struct MetadataOptions: Sendable {
    /// The greatest length of a BLOB in bytes.
    public var maximumByteCount = 33_554_432

    /// Whether a BLOB whose `nextUpdate` is over is refused, and not just reported.
    public var refusesStale = false

    /// The host that the signing certificate must be for, such as `mds.fidoalliance.org`; `nil` for any.
    ///
    /// Name it wherever a root signs for others, too. The roots that FIDO's own BLOB leads to are such roots of the web:
    /// without a host, whoever has some certificate under one of them could sign a BLOB.
    public var signerHost: String?

    /// The address that the BLOB came from, such as `https://mds3.fidoalliance.org/`.
    ///
    /// An `x5u` in its header must be of the same origin; without an address, every `x5u` is refused.
    public var location: String?

    /// Fetches what is at an `x5u`: certificates in PEM, the signing one first.
    ///
    /// The library has no network of its own. It is called with an address of ``location``'s origin and no other; do not
    /// follow a redirection to another one.
    public var fetch: (@Sendable (_ location: String) throws -> [UInt8])?

    /// Revocation lists in DER.
    public var revocationLists: [[UInt8]] = []

    /// Whether a BLOB is refused if no list tells the status of one of its certificates.
    public var requiresRevocationStatus = false

    /// Makes options: nothing is fetched, a stale BLOB is reported.
    public init() {}
}
