public import PasskeyModel
import PasskeyWire

/// What changed from one BLOB to another.
public struct MetadataDifference: Hashable, Sendable {
    /// A model that both know.
    public struct Change: Hashable, Sendable {
        /// Its entry in the older BLOB.
        public let before: MetadataEntry

        /// Its entry in the newer BLOB.
        public let after: MetadataEntry

        /// Whether its status reports differ.
        public var changesStatus: Bool { before.statusReports != after.statusReports }

        /// Whether what its maker says of it differs.
        public var changesStatement: Bool { before.statement != after.statement }
    }

    /// Models that the older BLOB did not know.
    public let added: [MetadataEntry]

    /// Models that the newer BLOB does not know any more.
    public let removed: [MetadataEntry]

    /// Models whose entry differs.
    public let changed: [Change]

    /// Whether the entries are the same, in whatever order.
    public var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }
}

extension Metadata {
    /// What changed since another BLOB.
    ///
    /// - Parameter older: The BLOB before this one.
    /// - Returns: The entries that were added, removed and changed.
    /// - Throws: ``MetadataError`` for an entry that is malformed.
    public func difference(from older: Metadata) throws(MetadataError) -> MetadataDifference {
        var added: [MetadataEntry] = []
        var changed: [MetadataDifference.Change] = []
        for place in 0..<count {
            let entry = try entry(at: place)
            guard let before = try older.entry(like: entry) else {
                added.append(entry)
                continue
            }
            if before.json != entry.json { changed.append(.init(before: before, after: entry)) }
        }
        var removed: [MetadataEntry] = []
        for place in 0..<older.count {
            let entry = try older.entry(at: place)
            if try self.entry(like: entry) == nil { removed.append(entry) }
        }
        return MetadataDifference(added: added, removed: removed, changed: changed)
    }

    /// The entry of the same model.
    private func entry(like other: MetadataEntry) throws(MetadataError) -> MetadataEntry? {
        if let aaguid = other.aaguid { return try entry(for: aaguid) }
        if let aaid = other.aaid { return try entry(forAAID: aaid) }
        for identifier in other.attestationCertificateKeyIdentifiers {
            if let entry = try entry(forCertificateKeyIdentifier: identifier) { return entry }
        }
        return nil
    }
}
