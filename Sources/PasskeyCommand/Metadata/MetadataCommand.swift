import PasskeyAttestation
import PasskeyCases
import PasskeyModel
import PasskeyWire

/// The command `passkey metadata`: what FIDO's Metadata Service says.
enum MetadataCommand: Command {
    static let syntax = CommandSyntax(
        name: "metadata",
        operands: "verify|show|diff FILE…",
        operandCount: 2...64,
        summary: "verify a BLOB of FIDO's Metadata Service, show its entries, or compare two",
        discussion: """
            FILE is a BLOB as it was downloaded, or '-' for standard input. Nothing is read of a BLOB that does not
            verify: its signature and the path of its certificates to a root are checked first.

              verify FILE…   prints number, date of the next BLOB, entries, signer and revocation status
              show FILE      lists the entries, or prints the one that an option names
              diff OLD NEW   prints the entries that were added, removed and changed

            The roots that FIDO's own BLOB leads to sign for others, too: name its signer with --signer. A BLOB whose
            next update is over is reported as stale. The exit status is 0 if every BLOB verifies, 1 if one is refused;
            for 'show' also 1 if there is no such entry.
            """,
        options: [
            .init(
                name: "root",
                argument: .words("FILE…"),
                help: "certificates that the signer must lead to, PEM or DER"
            ),
            .init(
                name: "signer",
                argument: .one("HOST"),
                help: "the host that the signing certificate must be for, such as mds.fidoalliance.org"
            ),
            .init(
                name: "at",
                argument: .one("TIME"),
                help: "the moment to judge at, as 2026-12-01 or 2026-12-01T00:00:00Z; now if not said"
            ),
            .init(
                name: "after",
                argument: .one("NUMBER"),
                help: "the last number that was seen: an older BLOB is refused"
            ),
            .init(name: "crl", argument: .words("FILE…"), help: "revocation lists in DER"),
            .init(name: "refuse-stale", help: "refuse a BLOB whose next update is over"),
            .init(name: "aaguid", argument: .one("AAGUID"), help: "show this FIDO2 model"),
            .init(name: "aaid", argument: .one("AAID"), help: "show this UAF model"),
            .init(name: "key", argument: .one("HEX"), help: "show the U2F model with this certificate key identifier"),
            .init(name: "json", help: "print one JSON object"),
        ],
        examples: [
            "passkey metadata verify blob.jwt --root globalsign-r46.pem --signer mds.fidoalliance.org",
            "passkey metadata show blob.jwt --aaguid ee882879-721c-4913-9775-3dfcce97072a --root globalsign-r46.pem",
            "passkey metadata diff blob-278.jwt blob-279.jwt --root globalsign-r46.pem",
        ]
    )

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandError) -> Int32 {
        let files = Array(arguments.operands.dropFirst())
        let request = try MetadataRequest(arguments)
        switch (arguments.operands[0], files.count) {
        case ("verify", _): return try verify(files, request, console, json: arguments.has("json"))
        case ("show", 1): return try show(files[0], request, arguments, console)
        case ("diff", 2): return try diff(files[0], files[1], request, console, json: arguments.has("json"))
        case ("show", _): throw .usage("passkey metadata show: expected one FILE")
        case ("diff", _): throw .usage("passkey metadata diff: expected OLD NEW")
        case (let other, _):
            throw .usage("passkey metadata: expected verify, show or diff, not \(visible(other))")
        }
    }

    // MARK: verify

    private static func verify(
        _ files: [String],
        _ request: MetadataRequest,
        _ console: Console,
        json: Bool
    ) throws(CommandError) -> Int32 {
        var refused = 0
        var results: [JSONValue] = []
        for file in files {
            let blob = try Input.bytes(file, for: "metadata")
            do throws(MetadataError) {
                let metadata = try request.verify(blob)
                results.append(MetadataText.json(metadata, file, at: request.time))
                if !json { MetadataText.write(metadata, file, at: request.time, console) }
            } catch {
                refused += 1
                results.append(["file": .string(file), "verdict": "refused", "error": MetadataText.json(error)])
                if !json {
                    console.line("\(visible(file)): \(console.styled("refused", .bad)): \(visible("\(error)"))")
                }
            }
        }
        if json { MetadataText.print(["blobs": .array(results)], console) }
        return refused == 0 ? 0 : 1
    }

    // MARK: show

    private static func show(
        _ file: String,
        _ request: MetadataRequest,
        _ arguments: ParsedArguments,
        _ console: Console
    ) throws(CommandError) -> Int32 {
        let metadata = try request.read(file)
        do throws(MetadataError) {
            guard let (name, entry) = try named(metadata, arguments) else {
                list(metadata, at: request.time, console, json: arguments.has("json"))
                return 0
            }
            guard let entry else { throw MetadataError(.malformed, "there is no entry for \(name)") }
            if arguments.has("json") {
                MetadataText.print(entry.json, console)
            } else {
                MetadataText.write(entry, at: request.time, console)
            }
            return 0
        } catch {
            throw .failure("passkey metadata: \(visible(file)): \(visible(error.detail))")
        }
    }

    /// Every entry in a line; one that cannot be read does not keep the others back.
    private static func list(_ metadata: Metadata, at time: Timestamp, _ console: Console, json: Bool) {
        var entries: [JSONValue] = []
        for place in 0..<metadata.count {
            do throws(MetadataError) {
                let entry = try metadata.entry(at: place)
                if json {
                    entries.append(MetadataText.json(entry, at: time))
                } else {
                    console.line(MetadataText.line(entry, at: time))
                }
            } catch {
                if json {
                    entries.append(["error": MetadataText.json(error)])
                } else {
                    console.line("\(console.styled("cannot be read", .bad)): \(visible(error.detail))")
                }
            }
        }
        if json { MetadataText.print(["number": JSONValue(metadata.number), "entries": .array(entries)], console) }
    }

    /// The entry that an option names; `nil` if no option does.
    private static func named(
        _ metadata: Metadata,
        _ arguments: ParsedArguments
    ) throws(MetadataError) -> (name: String, entry: MetadataEntry?)? {
        if let text = arguments.value("aaguid") {
            return (
                visible(text),
                try AAGUID(text).flatMap { (aaguid) throws(MetadataError) in
                    try metadata.entry(for: aaguid)
                }
            )
        }
        if let text = arguments.value("aaid") { return (visible(text), try metadata.entry(forAAID: text)) }
        if let text = arguments.value("key") {
            let entry = try metadata.entry(forCertificateKeyIdentifier: Hex.decode(text) ?? [])
            return (visible(text), entry)
        }
        return nil
    }

    // MARK: diff

    private static func diff(
        _ old: String,
        _ new: String,
        _ request: MetadataRequest,
        _ console: Console,
        json: Bool
    ) throws(CommandError) -> Int32 {
        let (older, newer) = (try request.read(old), try request.read(new))
        let difference = newer.difference(from: older)
        if json {
            MetadataText.print(MetadataText.json(difference, from: older, to: newer), console)
            return 0
        }
        console.line("from number \(older.number) to number \(newer.number)")
        for entry in difference.added { console.line("added   \(MetadataText.line(entry, at: request.time))") }
        for entry in difference.removed { console.line("removed \(MetadataText.line(entry, at: request.time))") }
        for change in difference.changed {
            console.line("changed \(MetadataText.line(change.after, at: request.time))")
            for line in MetadataText.lines(change) { console.line("        \(line)") }
        }
        for place in difference.unreadable { console.line("entry \(place) of the newer BLOB cannot be read") }
        if difference.isEmpty { console.line("the entries are the same") }
        return 0
    }
}
