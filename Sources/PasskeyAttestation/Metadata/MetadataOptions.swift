/// How a BLOB of metadata is verified.
public struct MetadataOptions: Sendable {
    /// The greatest length of a BLOB in bytes.
    public var maximumByteCount = 33_554_432

    /// Whether a BLOB whose `nextUpdate` is over is refused, and not just reported.
    public var refusesStale = false

    /// Where the BLOB came from: an `x5u` in its header must be of the same origin.
    public var location: String?

    /// Fetches the certificates at an `x5u`: PEM, the signing certificate first.
    ///
    /// The library has no network of its own.
    public var fetch: (@Sendable (_ location: String) throws -> String)?

    /// Revocation lists in DER.
    public var revocationLists: [[UInt8]] = []

    /// Whether a BLOB is refused if no list tells the status of one of its certificates.
    public var requiresRevocationStatus = false

    /// Makes options: nothing is fetched, a stale BLOB is reported.
    public init() {}
}
