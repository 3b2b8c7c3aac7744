import PasskeyAttestation
import PasskeyModel
import PasskeyWire

/// Metadata for people and for programs.
enum MetadataText {
    static func write(_ metadata: Metadata, _ file: String, at time: Timestamp, _ console: Console) {
        let stale = metadata.isStale(at: time)
        let due = metadata.nextUpdate.description + (stale ? " (\(console.styled("stale", .bad)))" : "")
        console.line("\(visible(file)): \(console.styled("verified", .good))")
        console.line("  number: \(metadata.number)\(metadata.hasNothingNew ? " (nothing new)" : "")")
        console.line("  next update: \(due)")
        let unreadable = metadata.unreadableEntries.count
        let note = unreadable == 0 ? "" : ", \(unreadable) of no model that can be read"
        console.line("  entries: \(metadata.count)\(note)")
        for (place, subject) in metadata.signerPath.enumerated() {
            console.line("  \(place == 0 ? "signed by" : "under"): \(visible(subject))")
        }
        console.line("  revocation status: \(metadata.revocation.rawValue)")
        if let header = metadata.legalHeader { console.line("  legal header: \(visible(header))") }
    }

    static func json(_ metadata: Metadata, _ file: String, at time: Timestamp) -> JSONValue {
        [
            "file": .string(file),
            "verdict": "verified",
            "number": .number(JSONNumber(metadata.number)),
            "nextUpdate": .string(metadata.nextUpdate.description),
            "stale": .bool(metadata.isStale(at: time)),
            "entries": .number(JSONNumber(metadata.count)),
            "unreadableEntries": .array(metadata.unreadableEntries.map { JSONValue($0) }),
            "signerPath": .array(metadata.signerPath.map { .string($0) }),
            "revocation": .string(metadata.revocation.rawValue),
            "legalHeader": metadata.legalHeader.map { .string($0) } ?? .null,
        ]
    }

    static func json(_ error: MetadataError) -> JSONValue {
        ["code": .string(error.code.rawValue), "detail": .string(error.detail)]
    }

    /// An entry in one line: by what it is found, its name, and the statuses in force.
    static func line(_ entry: MetadataEntry, at time: Timestamp) -> String {
        let policy = StatusPolicy.default
        let statuses = policy.inForce(entry.statusReports, at: time).map { visible($0.status.rawValue) }
        return "\(key(entry)) \(visible(entry.statement?.description ?? "")): \(statuses.joined(separator: ", "))"
            + (policy.fault(of: entry.statusReports, at: time) == nil ? "" : " (not acceptable)")
    }

    /// The same for programs.
    static func json(_ entry: MetadataEntry, at time: Timestamp) -> JSONValue {
        let policy = StatusPolicy.default
        return [
            "entry": .string(key(entry)),
            "name": .string(entry.statement?.description ?? ""),
            "statuses": .array(policy.inForce(entry.statusReports, at: time).map { .string($0.status.rawValue) }),
            "fault": policy.fault(of: entry.statusReports, at: time).map { .string($0) } ?? .null,
        ]
    }

    /// What changed of a model, in lines.
    static func lines(_ change: MetadataDifference.Change) -> [String] {
        var lines = change.newReports.map { "new status: \(text($0))" }
        if change.changesStatus, lines.isEmpty { lines.append("status reports: removed or in another order") }
        if change.changesStatement { lines.append("statement: \(list(change.statementMembers))") }
        let others = change.members.filter { $0 != "metadataStatement" && $0 != "statusReports" }
        if !others.isEmpty { lines.append("other members: \(list(others))") }
        if change.lacksNewVersion { lines.append("an update is there, and the statement is not about it") }
        return lines
    }

    private static func list(_ names: [String]) -> String { names.map(visible).joined(separator: ", ") }

    private static func text(_ report: StatusReport) -> String {
        visible(report.status.rawValue) + (report.effectiveDate.map { " since \($0)" } ?? "")
            + (report.certificateNumber.map { ", certificate \(visible($0))" } ?? "")
    }

    static func write(_ entry: MetadataEntry, at time: Timestamp, _ console: Console) {
        console.line(key(entry))
        if let statement = entry.statement {
            console.line("  name: \(visible(statement.description))")
            for name in statement.alternativeDescriptions {
                console.line("  name (\(visible(name.name))): \(visible(name.value.string ?? ""))")
            }
            console.line("  attestation: \(statement.attestationTypes.map(visible).joined(separator: ", "))")
            console.line("  trust anchors: \(statement.attestationRootCertificates.count)")
            console.line("  icon: \(statement.icon.map { "\($0.utf8.count) bytes" } ?? "none")")
        }
        for report in entry.statusReports { console.line("  status: \(text(report))") }
        if let fault = StatusPolicy.default.fault(of: entry.statusReports, at: time) {
            console.line("  \(console.styled("not acceptable", .bad)): \(visible(fault))")
        } else {
            console.line("  \(console.styled("acceptable", .good)) under the default policy")
        }
    }

    static func json(_ difference: MetadataDifference, from older: Metadata, to newer: Metadata) -> JSONValue {
        [
            "from": .number(JSONNumber(older.number)),
            "to": .number(JSONNumber(newer.number)),
            "added": .array(difference.added.map { .string(key($0)) }),
            "removed": .array(difference.removed.map { .string(key($0)) }),
            "changed": .array(
                difference.changed.map {
                    [
                        "entry": .string(key($0.after)), "status": .bool($0.changesStatus),
                        "statement": .bool($0.changesStatement),
                        "newStatuses": .array($0.newReports.map { .string($0.status.rawValue) }),
                        "statementMembers": .array($0.statementMembers.map { .string($0) }),
                    ]
                }
            ),
        ]
    }

    static func print(_ json: JSONValue, _ console: Console) {
        console.line(String(decoding: json.serialized(pretty: true), as: UTF8.self))
    }

    private static func key(_ entry: MetadataEntry) -> String {
        if let aaguid = entry.aaguid { return "\(aaguid)" }
        if let aaid = entry.aaid { return visible(aaid) }
        return entry.attestationCertificateKeyIdentifiers.first.map(Hex.encode) ?? "without a key"
    }
}
