import Foundation
import PasskeyTesting
import PasskeyVectors
import PasskeyWire
import Testing

@Suite("passkey metadata")
struct MetadataCommandTests {
    private static let models = (1...4).compactMap { AAGUID("00000000-0000-0000-0000-00000000000\($0)") }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func entry(
        _ place: Int,
        _ reports: [MetadataBLOB.Entry.Report] = [.init("FIDO_CERTIFIED_L1", since: "2024-01-01")]
    )
        -> MetadataBLOB.Entry
    {
        MetadataBLOB.Entry(
            Self.models[place],
            description: "Key \(place)",
            attestationRootCertificates: [],
            statusReports: reports
        )
    }

    private func blob(_ number: Int, _ entries: MetadataBLOB.Entry...) -> MetadataBLOB {
        var blob = MetadataBLOB(entries)
        blob.number = number
        blob.nextUpdate = "2027-02-01"
        return blob
    }

    /// Writes a file and gives its path.
    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = folder.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func root(_ blob: MetadataBLOB) throws -> String { try file("root.der", blob.rootCertificate()) }

    private func metadata(_ arguments: String...) throws -> Executable.Result {
        try Executable.run(["metadata"] + arguments)
    }

    // MARK: verify

    @Test("it says what a BLOB is, and who signed it")
    func verify() throws {
        var blob = blob(7, entry(0), entry(1))
        blob.legalHeader = "Read \u{1b}[31mthis."
        let path = try file("blob.jwt", blob.text())
        let der = try root(blob)
        let pem = try file("root.pem", Array("text\n\(blob.authority.rootPEM())".utf8))
        for root in [der, pem] {
            let result = try metadata("verify", path, "--root", root, "--at", "2027-01-01")
            #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
            #expect(
                result.lines == [
                    "\(path): verified", "  number: 7", "  next update: 2027-02-01", "  entries: 2",
                    "  signed by: CN=Example Metadata Signer,OU=Metadata,O=Example Vendor,C=CH",
                    "  under: CN=Example Metadata Attestation CA 1,OU=Intermediate,O=Example Vendor,C=CH",
                    "  under: CN=Example Metadata Attestation Root,OU=Root,O=Example Vendor,C=CH",
                    "  revocation status: not-given", #"  legal header: Read \u{1b}[31mthis."#, "",
                ]
            )
        }
        let stale = try metadata("verify", path, "--root", der, "--at", "2027-02-02T00:00:00Z")
        #expect(stale.status == 0 && stale.lines.contains("  next update: 2027-02-01 (stale)"))
        let same = try metadata("verify", path, "--root", der, "--after", "7", "--at", "2027-01-01")
        #expect(same.status == 0 && same.lines.contains("  number: 7 (nothing new)"))
        let json = try #require(try metadata("verify", path, "--root", der, "--at", "2027-02-02", "--json").json)
        let found = try #require(json["blobs"]?.array?.first)
        #expect(found["verdict"] == "verified" && found["stale"] == true && found["number"] == 7)
        #expect(found["signerPath"]?.array?.count == 3 && found["unreadableEntries"] == [])
    }

    @Test("a refusal is a line with its code, and the status is 1; the other BLOBs are looked at all the same")
    func refusals() throws {
        let blob = blob(7, entry(0))
        let good = try file("good.jwt", blob.text())
        let root = try root(blob)
        var text = try blob.text()
        let place = try #require(text.firstIndex(of: 0x2e)) + 9
        text[place] = text[place] == 0x41 ? 0x42 : 0x41
        let changed = try file("changed.jwt", text)
        let result = try metadata("verify", changed, good, "--root", root, "--at", "2027-01-01")
        #expect(result.status == 1 && result.output.contains("\(changed): refused: signature: "))
        #expect(result.output.contains("\(good): verified"))
        let other = try file("other.der", AttestationAuthority(name: "Other").rootCertificate())
        let crl = try file("list.crl", blob.authority.revocationList(revoking: [blob.rootCertificate()]))
        let cases: [([String], String, Int32)] = [
            (["--root", other, "--at", "2027-01-01"], "refused: untrusted: ", 1),
            (["--root", root, "--at", "2060-01-01"], "refused: expired-certificate: ", 1),
            (["--root", root, "--at", "2027-01-01", "--signer", "mds.example"], "refused: other-signer: ", 1),
            (["--root", root, "--at", "2027-01-01", "--signer", "Example Metadata Signer"], "verified", 0),
            (["--root", root, "--at", "2027-01-01", "--after", "8"], "refused: older: ", 1),
            (["--root", root, "--at", "2027-03-01", "--refuse-stale"], "refused: stale: ", 1),
            (["--root", root, "--at", "2027-01-01", "--crl", good], "refused: malformed: ", 1),
            (["--root", root, "--at", "2027-01-01", "--crl", crl], "revocation status: not-given", 0),
            (["--root", root, other, "--at", "2027-01-01", "--refuse-stale", "--after", "6"], "verified", 0),
        ]
        for (arguments, expected, status) in cases {
            let result = try Executable.run(["metadata", "verify", good] + arguments)
            #expect(result.status == status && result.output.contains(expected), "\(arguments): \(result)")
        }
        let json = try metadata("verify", changed, "--root", root, "--json").json
        #expect(json?["blobs"]?.array?.first?["error"]?["code"] == "signature")
        #expect(try metadata("verify", changed, "--root", root, "--json").status == 1)
    }

    @Test("a BLOB may come from standard input, and a signer may be revoked")
    func input() throws {
        var blob = blob(7, entry(0))
        blob.intermediateCount = 0
        let root = try root(blob)
        let text = try blob.text()
        let arguments = ["metadata", "verify", "-", "--at", "2027-01-01", "--root", root]
        #expect(try Executable.run(arguments, input: text).status == 0)
        let header = try JSONValue(json: Base64URL.decode(Array(text.prefix { $0 != 0x2e })))
        let signer = try Base64.decode(try #require(header["x5c"]?.array?.first?.string))
        let none = try file("none.crl", blob.authority.revocationList(revoking: []))
        let good = try Executable.run(arguments + ["--crl", none], input: text)
        #expect(good.status == 0 && good.output.contains("revocation status: good"))
        let list = try file("list.crl", blob.authority.revocationList(revoking: [signer]))
        let result = try Executable.run(arguments + ["--crl", list], input: text)
        #expect(result.status == 1 && result.output.contains("refused: revoked: "))
    }

    // MARK: show

    @Test("it lists the entries, and shows the one that is asked for")
    func show() throws {
        var u2f = entry(2)
        u2f.aaguid = nil
        u2f.attestationCertificateKeyIdentifiers = [[UInt8](repeating: 0xab, count: 20)]
        let revoked = entry(1, [.init("FIDO_CERTIFIED", since: "2024-01-01"), .init("REVOKED", since: "2026-01-01")])
        let blob = blob(7, entry(0), revoked, u2f)
        let path = try file("blob.jwt", blob.text())
        let options = ["--root", try root(blob), "--at", "2027-01-01"]
        func show(_ more: String...) throws -> Executable.Result {
            try Executable.run(["metadata", "show", path] + options + more)
        }
        #expect(
            try show().lines == [
                "\(Self.models[0]) Key 0: FIDO_CERTIFIED_L1", "\(Self.models[1]) Key 1: REVOKED (not acceptable)",
                "\(String(repeating: "ab", count: 20)) Key 2: FIDO_CERTIFIED_L1", "",
            ]
        )
        let entries = try #require(try show("--json").json?["entries"]?.array)
        #expect(entries.map { $0["fault"] } == [.null, "REVOKED since 2026-01-01", .null])
        let one = try show("--aaguid", "\(Self.models[1])".uppercased())
        #expect(one.status == 0)
        #expect(
            one.lines == [
                "\(Self.models[1])", "  name: Key 1", "  attestation: basic_full", "  trust anchors: 0", "  icon: none",
                "  status: FIDO_CERTIFIED since 2024-01-01", "  status: REVOKED since 2026-01-01",
                "  not acceptable: REVOKED since 2026-01-01", "",
            ]
        )
        #expect(try show("--aaguid", "\(Self.models[0])").output.hasSuffix("  acceptable under the default policy\n"))
        #expect(
            try show("--aaguid", "\(Self.models[0])", "--json").json?["metadataStatement"]?["description"] == "Key 0"
        )
        #expect(try show("--key", String(repeating: "AB", count: 20)).output.contains("name: Key 2"))
        for missing in [
            ["--aaguid", "\(Self.models[3])"], ["--aaguid", "x"], ["--aaid", "1234#5678"], ["--key", "ab"],
            ["--key", "zz"],
        ] {
            let result = try Executable.run(["metadata", "show", path] + options + missing)
            #expect(
                result.status == 1 && result.output.isEmpty && result.errors.contains("there is no entry"),
                "\(missing)"
            )
        }
        let late = try Executable.run(["metadata", "show", path, "--root", options[1], "--at", "2060-01-01"])
        #expect(late.status == 1 && late.errors.contains("refused: expired-certificate"))
    }

    // MARK: diff

    @Test("it tells what changed from one BLOB to the next")
    func diff() throws {
        let old = blob(7, entry(0), entry(1), entry(2))
        var changed = entry(1, entry(1).statusReports + [.init("USER_KEY_REMOTE_COMPROMISE", since: "2026-06-01")])
        changed.description = "Key \u{7}"
        let new = blob(8, changed, entry(2), entry(3))
        let paths = [try file("old.jwt", old.text()), try file("new.jwt", new.text())]
        let options = ["--root", try root(old), "--at", "2027-01-01"]
        let result = try Executable.run(["metadata", "diff"] + paths + options)
        #expect(result.status == 0)
        #expect(
            result.lines == [
                "from number 7 to number 8", "added   \(Self.models[3]) Key 3: FIDO_CERTIFIED_L1",
                "removed \(Self.models[0]) Key 0: FIDO_CERTIFIED_L1",
                #"changed \#(Self.models[1]) Key \u{7}: USER_KEY_REMOTE_COMPROMISE (not acceptable)"#,
                "        new status: USER_KEY_REMOTE_COMPROMISE since 2026-06-01", "        statement: description",
                "        other members: timeOfLastStatusChange", "",
            ]
        )
        let json = try #require(try Executable.run(["metadata", "diff", "--json"] + paths + options).json)
        #expect(json["added"] == [.string("\(Self.models[3])")] && json["removed"] == [.string("\(Self.models[0])")])
        #expect(json["changed"]?.array?.first?["newStatuses"] == ["USER_KEY_REMOTE_COMPROMISE"])
        let same = try Executable.run(["metadata", "diff", paths[0], paths[0]] + options)
        #expect(same.status == 0 && same.lines == ["from number 7 to number 7", "the entries are the same", ""])
        let refused = try Executable.run(["metadata", "diff"] + paths + ["--root", options[1], "--at", "2060-01-01"])
        #expect(refused.status == 1 && refused.output.isEmpty)
    }

    // MARK: Usage

    @Test(
        "wrong usage is one line, and status 2",
        arguments: [
            [], ["verify"], ["frobnicate", "x"], ["verify", "x"], ["show", "a", "b", "--root", "/proc/version"],
            ["diff", "a", "--root", "/proc/version"], ["verify", "no-such-file", "--root", "no-such-root"],
            ["verify", "x", "--root"], ["verify", "x", "--root", "/proc/version"],
            ["verify", "x", "--after", "soon", "--root", "ROOT"], ["verify", "x", "--after", "-1", "--root", "ROOT"],
            ["verify", "x", "--at", "yesterday", "--root", "ROOT"],
            ["verify", "x", "--at", "2026-02-30", "--root", "ROOT"],
            ["verify", "no-such-file", "--root", "ROOT"], ["verify", "x", "--crl", "no-such-list", "--root", "ROOT"],
        ]
    )
    func wrongUsage(_ arguments: [String]) throws {
        let root = try root(blob(1))
        let result = try Executable.run(["metadata"] + arguments.map { $0 == "ROOT" ? root : $0 })
        #expect(result.status == 2 && result.output.isEmpty, "\(result)")
        #expect(result.errors.hasPrefix("passkey metadata") && result.errors.split(separator: "\n").count == 1)
    }
}

@Suite(
    "passkey metadata: BLOBs of others",
    .enabled(if: Vectors.shared != nil || Vectors.requires("shared"), "the folder shared is absent")
)
struct SharedMetadataCommandTests {
    private func path(_ name: String) throws -> String { "\(try #require(Vectors.shared))/mds/\(name)" }

    @Test(
        "one entry of a large BLOB takes less than three times the BLOB's size in memory",
        .disabled(if: Executable.isSanitized, "a sanitizer takes memory of its own")
    )
    func memory() throws {
        let large = try path("mds3-conformance-good.jwt")
        let root = try path("fido-conformance-fake-root.pem")
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: large)[.size] as? Int,
            "the BLOB has no size"
        )
        let found = try peak([
            "metadata", "show", large, "--aaguid", "dbc6ff39-6e05-415c-b268-021a871b660b", "--root", root,
        ])
        // The same work on little: what the process, its libraries and the cryptography take is not the BLOB's.
        let small = try peak([
            "metadata", "show", path("mds3-spec-example.jwt"), "--aaguid", "0132d110-bf4e-4208-a403-ab4f5f12efe5",
            "--root", path("mds3-spec-example-root.pem"),
        ])
        #expect(found.status == 0 && small.status == 0)
        print(
            "metadata show: peak \(found.kibibytes) KiB, \(small.kibibytes) KiB for a small BLOB, file \(size >> 10) KiB"
        )
        #expect((found.kibibytes - small.kibibytes) << 10 < 3 * size)
    }

    /// The exit status of a run of the command, and the most memory that it had.
    ///
    /// What `wait4` says counts the parent's memory, too; so the kernel is asked while the child cannot go on, because
    /// nobody reads what it writes.
    private func peak(_ arguments: [String]) throws -> (status: Int32, kibibytes: Int) {
        let pipe = Pipe()
        let end = pipe.fileHandleForWriting.fileDescriptor
        let flags = fcntl(end, F_GETFL)
        #expect(fcntl(end, F_SETFL, flags | O_NONBLOCK) == 0)
        var filler = 0
        while unsafe write(end, "x", 1) == 1 { filler += 1 }
        #expect(fcntl(end, F_SETFL, flags) == 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Executable.path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 }
        process.standardOutput = pipe
        try process.run()
        try pipe.fileHandleForWriting.close()
        var kibibytes = 0
        var last = ""
        var quiet = 0
        // It is done when it sleeps and its processor time stands still.
        while quiet < 10, process.isRunning {
            usleep(50_000)
            let folder = "/proc/\(process.processIdentifier)"
            let status = (try? String(contentsOfFile: "\(folder)/status", encoding: .utf8)) ?? ""
            let times = (try? String(contentsOfFile: "\(folder)/schedstat", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            kibibytes = max(kibibytes, line.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
            quiet = status.contains("State:\tS") && times == last ? quiet + 1 : 0
            last = times
        }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(filler > 0 && output.count > filler && kibibytes > 0)
        return (process.terminationStatus, kibibytes)
    }
}
