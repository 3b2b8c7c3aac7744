public import PasskeyModel
public import PasskeyWire

/// What metadata says of one authenticator model (FIDO Metadata Service §3.1.1, MetadataBLOBPayloadEntry).
public struct MetadataEntry: Hashable, Sendable {
    /// The model of a FIDO2 authenticator.
    public let aaguid: AAGUID?

    /// The model of a UAF authenticator, such as `1234#5678`.
    public let aaid: String?

    /// The models of U2F authenticators: SHA-1 of the attestation certificates' public keys, 20 bytes each.
    public let attestationCertificateKeyIdentifiers: [[UInt8]]

    /// What its maker says of it.
    public let statement: MetadataStatement?

    /// What became of it, in the BLOB's order.
    public let statusReports: [StatusReport]

    /// When the reports changed.
    public let timeOfLastStatusChange: CalendarDate?

    /// Where the list of authenticators that are not to be trusted one by one is, if there is such a list.
    public let rogueListURL: String?

    /// The hash of that list.
    public let rogueListHash: [UInt8]?

    /// The entry with all its members, those that have no property here among them.
    public let json: JSONValue

    /// Reads an entry.
    ///
    /// What it is found by, certificates, attestation types and status reports must be readable; of the rest, what has
    /// another type than it should is read as absent.
    ///
    /// - Parameter json: The object.
    /// - Throws: ``MetadataError`` with ``MetadataError/Code/malformed``.
    public init(_ json: JSONValue) throws(MetadataError) {
        self.json = json
        let members = try MetadataMembers(json, "entry")
        let keys = try MetadataKeys(members)
        aaguid = keys.aaguid
        aaid = keys.aaid
        attestationCertificateKeyIdentifiers = keys.certificateKeyIdentifiers
        statement = try members["metadataStatement"].map(MetadataStatement.init)
        var reports: [StatusReport] = []
        for report in try members.optional("statusReports", \.array) ?? [] {
            reports.append(try StatusReport(report))
        }
        statusReports = reports
        timeOfLastStatusChange = members.date("timeOfLastStatusChange")
        rogueListURL = members.string("rogueListURL")
        rogueListHash = try members.optional("rogueListHash", \.string).map { (text) throws(MetadataError) in
            do throws(WireError) {
                // base64url by the specification, and padded in some BLOBs.
                return try Base64URL.decodeLeniently(text)
            } catch {
                throw members.fault("rogueListHash: \(error)")
            }
        }
    }
}

/// By what an entry is found.
struct MetadataKeys {
    let aaguid: AAGUID?
    let aaid: String?
    let certificateKeyIdentifiers: [[UInt8]]

    var isEmpty: Bool { aaguid == nil && aaid == nil && certificateKeyIdentifiers.isEmpty }

    /// The members that are looked at.
    static let names = ["aaguid", "aaid", "attestationCertificateKeyIdentifiers"]

    init(_ members: MetadataMembers) throws(MetadataError) {
        let text = try members.optional("aaguid", \.string)
        aaguid = text.flatMap { AAGUID($0) }
        if let text, aaguid == nil { throw members.fault("aaguid \(excerpt(text)) is no AAGUID") }
        aaid = try members.optional("aaid", \.string)
        var identifiers: [[UInt8]] = []
        for text in try members.strings("attestationCertificateKeyIdentifiers") ?? [] {
            guard let bytes = Hex.decode(text), bytes.count == 20 else {
                throw members.fault("attestationCertificateKeyIdentifiers: \(excerpt(text)) is no SHA-1 in hexadecimal")
            }
            identifiers.append(bytes)
        }
        certificateKeyIdentifiers = identifiers
    }
}
