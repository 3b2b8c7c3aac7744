public import PasskeyModel
public import PasskeyWire

/// A BLOB of FIDO's Metadata Service, version 3, that was verified.
///
/// Its entries are read one by one, when they are asked for: the whole of some megabytes stays text. Keep the last
/// ``number`` that you saw, and give it to the next one's initialiser, so that nobody can hand you an older BLOB, from
/// before a model was revoked.
public struct Metadata: Sendable {
    /// `no`: it grows with each BLOB.
    public let number: Int

    /// The day by which the next BLOB is published.
    public let nextUpdate: CalendarDate

    /// What its publisher wants its readers to know.
    public let legalHeader: String?

    /// Whether ``number`` is that of the BLOB which was seen before.
    public let hasNothingNew: Bool

    /// The subjects of the certificates from the signing one to the root, in RFC 4514's text.
    public let signerPath: [String]

    /// What revocation lists say of the signer's certificates.
    public let revocation: RevocationStatus

    private let payload: [UInt8]
    private let entryRanges: [Range<Int>]
    private let byAAGUID: [AAGUID: Int]
    private let byAAID: [[UInt8]: Int]
    private let byKeyIdentifier: [[UInt8]: Int]

    /// Verifies a BLOB.
    ///
    /// Every entry must be JSON and have keys that can be read; what else it says is looked at when it is asked for. Of
    /// two entries with one key the first is found.
    ///
    /// - Parameters:
    ///   - blob: The text, as it was downloaded.
    ///   - roots: The certificates in DER that its signer must lead to.
    ///   - time: The moment to judge at.
    ///   - previous: The number of the last BLOB that was seen.
    ///   - options: How it is verified.
    /// - Throws: ``MetadataError``.
    public init(
        blob: [UInt8],
        roots: [[UInt8]],
        at time: Timestamp,
        after previous: Int? = nil,
        options: MetadataOptions = MetadataOptions()
    ) throws(MetadataError) {
        guard blob.count <= options.maximumByteCount else {
            throw MetadataError(.tooLarge, "\(blob.count) bytes, and at most \(options.maximumByteCount)")
        }
        let signed = try MetadataSignature.verify(blob, roots, at: time, options)
        let payload = signed.payload
        self.payload = payload
        signerPath = signed.signerPath
        revocation = signed.revocation
        let members = try Metadata.reading { () throws(WireError) in try JSONPieces.members(of: payload[...]) }
        func member(_ name: String) throws(MetadataError) -> JSONValue? {
            guard let range = members.first(where: { $0.name.hasSameBytes(as: name) })?.value else { return nil }
            return try Metadata.reading(at: range.lowerBound) { () throws(WireError) in
                try JSONValue(json: payload[range])
            }
        }
        guard let number = try member("no")?.int, number >= 0 else {
            throw MetadataError(.malformed, "no is missing or no number")
        }
        guard let text = try member("nextUpdate")?.string, let nextUpdate = CalendarDate(text) else {
            throw MetadataError(.malformed, "nextUpdate is missing or no date")
        }
        self.number = number
        self.nextUpdate = nextUpdate
        legalHeader = try member("legalHeader")?.string
        guard let entries = members.first(where: { $0.name.hasSameBytes(as: "entries") })?.value else {
            throw MetadataError(.malformed, "entries is missing")
        }
        entryRanges = try Metadata.reading(at: entries.lowerBound) { () throws(WireError) in
            try JSONPieces.elements(of: payload[entries])
        }
        var index = Index()
        for (place, range) in entryRanges.enumerated() {
            let entry = try Metadata.reading(at: range.lowerBound) { () throws(WireError) in
                try JSONValue(json: payload[range])
            }
            index.add(try MetadataKeys(MetadataMembers(entry, "entry \(place)")), place)
        }
        byAAGUID = index.byAAGUID
        byAAID = index.byAAID
        byKeyIdentifier = index.byKeyIdentifier
        hasNothingNew = number == previous
        if let previous, number < previous {
            throw MetadataError(.older, "number \(number), and number \(previous) was seen before")
        }
        guard !options.refusesStale || !isStale(at: time) else {
            throw MetadataError(.stale, "the next one was due on \(nextUpdate)")
        }
    }

    private struct Index {
        var byAAGUID: [AAGUID: Int] = [:]
        var byAAID: [[UInt8]: Int] = [:]
        var byKeyIdentifier: [[UInt8]: Int] = [:]

        mutating func add(_ keys: MetadataKeys, _ place: Int) {
            if let aaguid = keys.aaguid, byAAGUID[aaguid] == nil { byAAGUID[aaguid] = place }
            if let aaid = keys.aaid.map({ Array($0.utf8) }), byAAID[aaid] == nil { byAAID[aaid] = place }
            for identifier in keys.certificateKeyIdentifiers where byKeyIdentifier[identifier] == nil {
                byKeyIdentifier[identifier] = place
            }
        }
    }

    private static func reading<Value>(
        at offset: Int = 0,
        _ body: () throws(WireError) -> Value
    ) throws(MetadataError) -> Value {
        do throws(WireError) {
            return try body()
        } catch {
            throw MetadataError(.malformed, error.reason, offset: offset + error.offset)
        }
    }

    /// Whether the next BLOB should have come already.
    ///
    /// - Parameter time: The moment to judge at.
    /// - Returns: Whether ``nextUpdate`` is over.
    public func isStale(at time: Timestamp) -> Bool { nextUpdate < CalendarDate(time) }

    // MARK: Entries

    /// The number of entries.
    public var count: Int { entryRanges.count }

    /// Reads an entry.
    ///
    /// - Parameter place: Its place in the BLOB, from 0 to ``count`` - 1.
    /// - Returns: The entry.
    /// - Throws: ``MetadataError`` if there is none, or if it is malformed.
    public func entry(at place: Int) throws(MetadataError) -> MetadataEntry {
        guard entryRanges.indices.contains(place) else {
            throw MetadataError(.malformed, "there are \(count) entries, and none at \(place)")
        }
        let range = entryRanges[place]
        let json = try Metadata.reading(at: range.lowerBound) { () throws(WireError) in
            try JSONValue(json: payload[range])
        }
        return try MetadataEntry(json)
    }

    /// The entry of a FIDO2 model.
    ///
    /// - Parameter aaguid: The model.
    /// - Returns: The entry, or `nil` if there is none.
    /// - Throws: ``MetadataError`` if it is malformed.
    public func entry(for aaguid: AAGUID) throws(MetadataError) -> MetadataEntry? {
        guard let place = byAAGUID[aaguid] else { return nil }
        return try entry(at: place)
    }

    /// The entry of a UAF model.
    ///
    /// - Parameter aaid: The model, such as `1234#5678`.
    /// - Returns: The entry, or `nil` if there is none.
    /// - Throws: ``MetadataError`` if it is malformed.
    public func entry(forAAID aaid: String) throws(MetadataError) -> MetadataEntry? {
        guard let place = byAAID[Array(aaid.utf8)] else { return nil }
        return try entry(at: place)
    }

    /// The entry of a U2F model.
    ///
    /// - Parameter identifier: SHA-1 of the public key's bits in an attestation certificate: 20 bytes.
    /// - Returns: The entry, or `nil` if there is none.
    /// - Throws: ``MetadataError`` if it is malformed.
    public func entry(forCertificateKeyIdentifier identifier: [UInt8]) throws(MetadataError) -> MetadataEntry? {
        guard let place = byKeyIdentifier[identifier] else { return nil }
        return try entry(at: place)
    }
}
