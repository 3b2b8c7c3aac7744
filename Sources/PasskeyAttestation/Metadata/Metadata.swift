public import PasskeyModel
import PasskeyWire

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

    /// The places of entries that are found by nothing: what they should be found by is missing or cannot be read.
    ///
    /// One maker's mistake does not take the whole BLOB away. Look at it all the same: a model that is not found is not
    /// known to be revoked either.
    public let unreadableEntries: [Int]

    private let payload: [UInt8]
    private let entryRanges: [Range<Int>]
    let index: MetadataIndex

    /// Verifies a BLOB (FIDO Metadata Service §3.2).
    ///
    /// The whole payload must be JSON, and no object in it may have one name twice; what an entry says is looked at when
    /// it is asked for. Of two entries with one key the first is found.
    ///
    /// FIDO's own BLOB is signed under a root of the web, which has signed much else: see
    /// ``MetadataOptions/signerHost``.
    ///
    /// A BLOB that was kept, and whose signing certificate has expired since, can be verified at the moment when it was
    /// fetched.
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
        payload = signed.payload
        signerPath = signed.signerPath
        revocation = signed.revocation
        // The payload's members, the entries, and the members of each.
        let root = try Metadata.reading { [payload] () throws(WireError) in
            try JSONOutline(payload[...], levels: 3).root
        }
        func member(_ name: String) throws(MetadataError) -> JSONValue? {
            guard let member = root[name] else { return nil }
            return try Metadata.reading { () throws(WireError) in try member.value() }
        }
        guard let number = try member("no")?.int, number >= 0 else {
            throw MetadataError(.malformed, "no is missing or no number")
        }
        guard let nextUpdate = (try member("nextUpdate")?.string).flatMap({ CalendarDate(leading: $0) }) else {
            throw MetadataError(.malformed, "nextUpdate is missing or no date")
        }
        guard let entries = root["entries"]?.elements else {
            throw MetadataError(.malformed, "entries is missing or no array")
        }
        self.number = number
        self.nextUpdate = nextUpdate
        legalHeader = try member("legalHeader")?.string
        entryRanges = entries.map(\.range)
        (index, unreadableEntries) = try MetadataIndex.make(of: entries)
        hasNothingNew = number == previous
        if let previous, number < previous {
            throw MetadataError(.older, "number \(number), and number \(previous) was seen before")
        }
        guard !options.refusesStale || !isStale(at: time) else {
            throw MetadataError(.stale, "the next one was due on \(nextUpdate)")
        }
    }

    static func reading<Value>(
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
        do throws(MetadataError) {
            return try MetadataEntry(json)
        } catch {
            throw MetadataError(error.code, "entry \(place): \(error.detail)", offset: range.lowerBound)
        }
    }

    /// The entry of a FIDO2 model.
    ///
    /// - Parameter aaguid: The model.
    /// - Returns: The entry, or `nil` if there is none.
    /// - Throws: ``MetadataError`` if it is malformed.
    public func entry(for aaguid: AAGUID) throws(MetadataError) -> MetadataEntry? {
        try index.byAAGUID[aaguid].map(entry(at:))
    }

    /// The entry of a UAF model.
    ///
    /// - Parameter aaid: The model, such as `1234#5678`.
    /// - Returns: The entry, or `nil` if there is none.
    /// - Throws: ``MetadataError`` if it is malformed.
    public func entry(forAAID aaid: String) throws(MetadataError) -> MetadataEntry? {
        try index.byAAID[Array(aaid.utf8)].map(entry(at:))
    }

    /// The entry of a U2F model.
    ///
    /// - Parameter identifier: SHA-1 of the public key's bits in an attestation certificate: 20 bytes.
    /// - Returns: The entry, or `nil` if there is none.
    /// - Throws: ``MetadataError`` if it is malformed.
    public func entry(forCertificateKeyIdentifier identifier: [UInt8]) throws(MetadataError) -> MetadataEntry? {
        try index.byKeyIdentifier[identifier].map(entry(at:))
    }
}

/// Where the entries are.
struct MetadataIndex: Sendable {
    private(set) var byAAGUID: [AAGUID: Int] = [:]
    private(set) var byAAID: [[UInt8]: Int] = [:]
    private(set) var byKeyIdentifier: [[UInt8]: Int] = [:]

    /// Reads what the entries are found by, and nothing else of them.
    static func make(
        of entries: [JSONOutline.Node]
    ) throws(MetadataError) -> (index: MetadataIndex, unreadable: [Int]) {
        var index = MetadataIndex()
        var unreadable: [Int] = []
        for (place, entry) in entries.enumerated() {
            var members: JSONObject = [:]
            for name in MetadataKeys.names {
                members[name] = try Metadata.reading { () throws(WireError) in try entry[name]?.value() }
            }
            do throws(MetadataError) {
                guard entry.isObject else { throw MetadataError(.malformed, "not an object") }
                let keys = try MetadataKeys(MetadataMembers(.object(members), "entry"))
                if keys.isEmpty { unreadable.append(place) }
                index.add(keys, place)
            } catch {
                unreadable.append(place)
            }
        }
        return (index, unreadable)
    }

    private mutating func add(_ keys: MetadataKeys, _ place: Int) {
        if let aaguid = keys.aaguid, byAAGUID[aaguid] == nil { byAAGUID[aaguid] = place }
        if let aaid = keys.aaid.map({ Array($0.utf8) }), byAAID[aaid] == nil { byAAID[aaid] = place }
        for identifier in keys.certificateKeyIdentifiers where byKeyIdentifier[identifier] == nil {
            byKeyIdentifier[identifier] = place
        }
    }
}
