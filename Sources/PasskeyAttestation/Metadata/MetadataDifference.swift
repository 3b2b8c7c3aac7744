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

        /// The reports that were not there before, in order.
        public var newReports: [StatusReport] {
            let known = Set(before.statusReports)
            return after.statusReports.filter { !known.contains($0) }
        }

        /// The names of the statement's members that were added, removed or changed, in order.
        public var statementMembers: [String] {
            MetadataDifference.names(before.statement?.json.object, after.statement?.json.object)
        }

        /// The names of the entry's members that were added, removed or changed, in order.
        public var members: [String] { MetadataDifference.names(before.json.object, after.json.object) }

        /// Whether the newer entry tells of an update, and its statement still is about the version before it.
        ///
        /// "The Relying party MUST reject the Metadata Statement if the authenticatorVersion has not increased"
        /// (§3.1.4.3): keep what you knew.
        public var lacksNewVersion: Bool {
            guard newReports.contains(where: { $0.status == .updateAvailable }) else { return false }
            return (after.statement?.authenticatorVersion ?? 0) <= (before.statement?.authenticatorVersion ?? 0)
        }
    }

    /// Models that the older BLOB did not know.
    public let added: [MetadataEntry]

    /// Models that the newer BLOB does not know any more.
    public let removed: [MetadataEntry]

    /// Models whose entry differs.
    public let changed: [Change]

    /// The places of the newer BLOB's entries that cannot be read, or are of no model, and so are not compared.
    public let unreadable: [Int]

    /// Whether the entries are the same, in whatever order.
    public var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

    /// The names of the members that differ: first in the order of the newer object, then those that are gone.
    fileprivate static func names(_ before: JSONObject?, _ after: JSONObject?) -> [String] {
        let (before, after) = (before ?? [:], after ?? [:])
        return after.filter { before[$0.name] != $0.value }.map(\.name)
            + before.filter { after[$0.name] == nil }.map(\.name)
    }
}

extension Metadata {
    /// What changed since another BLOB.
    ///
    /// Entries are compared by their JSON, member by member and in any order; of several with one key the first alone.
    ///
    /// - Parameter older: The BLOB before this one.
    /// - Returns: The entries that were added, removed and changed.
    public func difference(from older: Metadata) -> MetadataDifference {
        var added: [MetadataEntry] = []
        var changed: [MetadataDifference.Change] = []
        var unreadable: [Int] = []
        for place in 0..<count {
            guard let after = try? entry(at: place), let first = self.place(of: after) else {
                unreadable.append(place)
                continue
            }
            guard first == place else { continue }
            guard let place = older.place(of: after), let before = try? older.entry(at: place) else {
                added.append(after)
                continue
            }
            if before.json != after.json { changed.append(.init(before: before, after: after)) }
        }
        let removed = (0..<older.count).compactMap { place -> MetadataEntry? in
            guard let before = try? older.entry(at: place), older.place(of: before) == place else { return nil }
            return self.place(of: before) == nil ? before : nil
        }
        return MetadataDifference(added: added, removed: removed, changed: changed, unreadable: unreadable)
    }

    /// Where the entry of the same model is.
    private func place(of other: MetadataEntry) -> Int? {
        if let aaguid = other.aaguid { return index.byAAGUID[aaguid] }
        if let aaid = other.aaid { return index.byAAID[Array(aaid.utf8)] }
        return other.attestationCertificateKeyIdentifiers.lazy.compactMap { index.byKeyIdentifier[$0] }.first
    }
}
