public import PasskeyModel
public import PasskeyWire

/// What metadata says of one authenticator model (FIDO Metadata Service §3.1.1, MetadataBLOBPayloadEntry).
public struct MetadataEntry: Hashable, Sendable {
    /// The model of a FIDO2 authenticator.
    public let aaguid: AAGUID?

    /// The model of a UAF authenticator.
    public let aaid: String?

    /// The models of U2F authenticators: SHA-1 of the attestation certificates' public keys, 20 bytes each.
    public let attestationCertificateKeyIdentifiers: [[UInt8]]

    /// What its maker says of it.
    public let statement: MetadataStatement?

    /// What became of it, in order.
    public let statusReports: [StatusReport]

    /// When the reports changed.
    public let timeOfLastStatusChange: CalendarDate?

    /// SHA-256 of the list of rogue authenticators, if there is one.
    public let rogueListHash: [UInt8]?

    /// The entry with all its members.
    public let json: JSONValue

    /// Reads an entry.
    ///
    /// - Parameter json: The object.
    /// - Throws: ``MetadataError`` with ``MetadataError/Code/malformed``.
    public init(_ json: JSONValue) throws(MetadataError) {
        self.json = json
        let members = MetadataMembers(json, "entry")
        let keys = try MetadataKeys(members)
        aaguid = keys.aaguid
        aaid = keys.aaid
        attestationCertificateKeyIdentifiers = keys.certificateKeyIdentifiers
        statement = try members.optional("metadataStatement", { $0 }).map(MetadataStatement.init)
        var reports: [StatusReport] = []
        for report in try members.optional("statusReports", \.array) ?? [] {
            reports.append(try StatusReport(report))
        }
        statusReports = reports
        timeOfLastStatusChange = try members.optional("timeOfLastStatusChange", \.string).flatMap { CalendarDate($0) }
        rogueListHash = try members.optional("rogueListHash", \.string).map { (text) throws(MetadataError) in
            try MetadataEntry.hash(text)
        }
    }

    /// Reads a hash, which some BLOBs pad.
    ///
    /// - Parameter text: base64url or base64, with padding or without.
    /// - Returns: The hash.
    /// - Throws: ``MetadataError`` with ``MetadataError/Code/malformed``.
    package static func hash(_ text: String) throws(MetadataError) -> [UInt8] {
        do throws(WireError) {
            return try Base64URL.decodeLeniently(text)
        } catch {
            throw MetadataError(.malformed, "rogueListHash: \(error)")
        }
    }
}

/// By what an entry is found.
struct MetadataKeys {
    let aaguid: AAGUID?
    let aaid: String?
    let certificateKeyIdentifiers: [[UInt8]]

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

/// What an authenticator's maker says of it (FIDO Metadata Statement §4).
///
/// Typed is what a relying party needs; ``json`` has the rest.
public struct MetadataStatement: Hashable, Sendable {
    /// The name of the model, in English.
    public let description: String

    /// The name in other languages, by language tag such as `fr-FR`.
    public let alternativeDescriptions: JSONObject

    /// A data URL of the model's icon.
    public let icon: String?

    /// `fido2`, `u2f` or `uaf`.
    public let protocolFamily: String?

    /// The earliest version of the authenticator that the statement is about.
    public let authenticatorVersion: UInt64?

    /// How it attests: `basic_full`, `basic_surrogate`, `attca`, `anonca`, `ecdaa`, `none`.
    public let attestationTypes: [String]

    /// The certificates, in DER, that its attestation leads to; one may be the attestation certificate itself.
    ///
    /// Some BLOBs put white space around them, which is dropped.
    public let attestationRootCertificates: [[UInt8]]

    /// The statement with all its members.
    public let json: JSONValue

    /// Reads a statement.
    ///
    /// - Parameter json: The object.
    /// - Throws: ``MetadataError`` with ``MetadataError/Code/malformed``.
    public init(_ json: JSONValue) throws(MetadataError) {
        self.json = json
        let members = MetadataMembers(json, "metadataStatement")
        description = try members.optional("description", \.string) ?? ""
        alternativeDescriptions = try members.optional("alternativeDescriptions", \.object) ?? [:]
        icon = try members.optional("icon", \.string)
        protocolFamily = try members.optional("protocolFamily", \.string)
        authenticatorVersion = try members.optional("authenticatorVersion", \.int).flatMap { UInt64(exactly: $0) }
        attestationTypes = try members.strings("attestationTypes") ?? []
        attestationRootCertificates = try members.certificates("attestationRootCertificates") ?? []
    }
}
