import Foundation
import PasskeyVectors
import PasskeyWire
import Testing

@Suite("passkey check")
struct CheckTests {
    @Test("the package's own case files: none fails")
    func ownCases() throws {
        // Two files are about limits, which a debug build does not judge; under a sanitizer they would take minutes.
        let names = [
            "base64url", "cbor-canonical", "cbor-rfc8949", "chromium", "firefox", "own-ceremonies",
            "reports-ceremonies", "reports-metadata",
        ]
        let files = names.map { "\(Vectors.cases)/\($0).json" }
        let result = try Executable.run(["check"] + files + ["--allow-skip", "ml-dsa"])
        #expect(result.status == 0, "\(result.output)")
        #expect(try #require(result.lastLine.wholeMatch(of: #/(\d+) passed, 0 failed, \d+ skipped/#)).1 != "0")
    }

    @Test("a failure is named with id, operation, expected, got and why, and the rest still runs")
    func failure() throws {
        let folder = try TemporaryFolder()
        let file = try folder.writeCases([
            decoding("Zg", id: "good"),
            decoding("Zg", id: "planted-failure", expect: "reject"),
            decoding("Zg==", id: "planted-too"),
            decoding("Zm8", id: "good-too", ["value": ["hex": "666f"]]),
            decoding("Zm8", id: "planted-value", ["value": ["hex": "666e"]]),
        ])
        let result = try Executable.run("check", file)
        #expect(result.status == 1)
        #expect(result.lastLine == "2 passed, 3 failed, 0 skipped")
        let failures = result.lines.filter { $0.hasPrefix("FAILED ") }
        #expect(failures.count == 3)
        #expect(
            failures.first
                == "FAILED planted-failure (base64url.decode): expected reject, got accept: nothing was refused "
                + "(the case: planted)"
        )
        #expect(failures.contains { $0.contains("planted-too") && $0.contains("expected accept, got reject") })
        #expect(failures.contains { $0.contains("planted-value") && $0.contains("666e") && $0.contains("666f") })
        let good = try folder.writeCases([decoding("Zg", id: "good")], named: "good.json")
        #expect(try Executable.run("check", good).status == 0)
    }

    @Test("a crash is a failure and not the end")
    func crash() throws {
        let folder = try TemporaryFolder()
        let file = try folder.writeCases(["a", "b", "c"].map { decoding("Zg", id: $0) })
        let result = try Executable.run("check", file, environment: ["PASSKEY_WORKER_FAULT": "trap=b"])
        #expect(result.status == 1)
        #expect(result.lastLine == "2 passed, 1 failed, 0 skipped")
        let line = try #require(result.lines.first { $0.hasPrefix("FAILED b ") })
        #expect(line.contains("got crash"))
        #expect(line.contains("planted"), "the worker's last words are told: \(line)")
        #expect(try Executable.run("check", file).lastLine == "3 passed, 0 failed, 0 skipped")
    }

    @Test("so is a case that does not end")
    func hang() throws {
        let folder = try TemporaryFolder()
        let file = try folder.writeCases(["a", "b", "c"].map { decoding("Zg", id: $0) })
        let start = ContinuousClock.now
        let result = try Executable.run(
            "check",
            file,
            "--timeout",
            "3",
            environment: ["PASSKEY_WORKER_FAULT": "hang=b"]
        )
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(result.status == 1)
        #expect(result.lastLine == "2 passed, 1 failed, 0 skipped")
        #expect(result.lines.contains { $0.hasPrefix("FAILED b ") && $0.contains("got time-out") })
    }

    @Test("memory and time beyond a case's limits are failures where limits are judged")
    func limits() throws {
        let folder = try TemporaryFolder()
        let file = try folder.writeCases([
            decoding("Zg", id: "a", ["limits": ["maxMemoryMiB": 16, "maxSeconds": 60]]),
            decoding("Zg", id: "b", ["limits": ["maxMemoryMiB": 16]]),
            decoding("Zg", id: "c", ["limits": ["maxSeconds": 0]]),
        ])
        let fault = ["PASSKEY_WORKER_FAULT": "memory=b"]
        let judged = try Executable.run("check", file, "--limits", "yes", environment: fault)
        #expect(judged.status == 1)
        #expect(judged.lastLine == "1 passed, 2 failed, 0 skipped", "\(judged.output)")
        #expect(judged.lines.contains { $0.hasPrefix("FAILED b ") && $0.contains("MiB, limit 16.0 MiB") })
        #expect(judged.lines.contains { $0.hasPrefix("FAILED c ") && $0.contains(" s, limit 0.000 s") })
        let ignored = try Executable.run("check", file, "--limits", "no", environment: fault)
        #expect(ignored.status == 0)
        #expect(ignored.lines.contains("limits of time and memory were not judged"))
    }

    @Test("a skip has its reason, and is a failure where no word of it is allowed")
    func skips() throws {
        let folder = try TemporaryFolder()
        let file = try folder.writeCases([
            ["id": "later", "operation": "jws.verify", "input": [:], "expect": "accept", "reason": ""],
            decoding("Zg", id: "strange", ["requires": "quantum-entanglement"]),
            ["id": "unreadable", "operation": "cose.key", "input": ["hex": "0"], "expect": "reject", "reason": ""],
            decoding("Zg", id: "good"),
        ])
        let plain = try Executable.run("check", file, "--verbose")
        #expect(plain.status == 0)
        #expect(plain.lastLine == "1 passed, 0 failed, 3 skipped")
        #expect(plain.lines.contains { $0 == "skipped later (jws.verify): the operation jws.verify is not built" })
        let all = ["jws", "entanglement", "cannot be read"]
        #expect(try Executable.run(["check", file, "--allow-skip"] + all).status == 0)
        let some = try Executable.run("check", file, "--allow-skip", "jws", "entanglement")
        #expect(some.status == 1)
        #expect(some.lastLine == "1 passed, 1 failed, 2 skipped")
        #expect(some.lines.contains { $0.hasPrefix("FAILED unreadable ") && $0.contains("not allowed") })
        #expect(try Executable.run("check", file, "--allow-skip").lastLine == "1 passed, 3 failed, 0 skipped")
        #expect(try Executable.run("check", "--allow-skip", "jws", "--", file).status == 1)
    }

    @Test("--json has counts and cases, and nothing else is printed")
    func json() throws {
        let folder = try TemporaryFolder()
        let file = try folder.writeCases([
            decoding("Zg", id: "good"),
            decoding("Zg", id: "bad", expect: "reject"),
            ["id": "later", "operation": "session", "input": [:], "expect": "accept", "reason": ""],
        ])
        let result = try Executable.run("check", file, "--json")
        #expect(result.status == 1)
        let json = try #require(result.json)
        #expect(json.object?.members.map(\.name) == ["passed", "failed", "skipped", "cases"])
        #expect(["passed", "failed", "skipped"].map { json[$0]?.int } == [1, 1, 1])
        let cases = try #require(json["cases"]?.array)
        #expect(
            cases.first
                == [
                    "file": .string(file), "id": "good", "operation": "base64url.decode", "expect": "accept",
                    "got": "accept", "status": "passed", "reason": "planted",
                ]
        )
        #expect(cases.map { $0["status"]?.string } == ["passed", "failed", "skipped"])
        #expect(cases.map { $0["got"]?.string } == ["accept", "accept", "skip"])
    }

    @Test("a refused ceremony names its step in --json")
    func steps() throws {
        let result = try Executable.run("check", Vectors.cases + "/reports-ceremonies.json", "--json")
        let cases = try #require(result.json?["cases"]?.array)
        let steps = Dictionary(
            uniqueKeysWithValues: cases.compactMap { element -> (String, String)? in
                guard let id = element["id"]?.string, let step = element["step"]?.string else { return nil }
                return (id, step)
            }
        )
        #expect(steps["origin-suffix-070-01"] == "origin")
        #expect(steps["be-bs-098-01"] == "backupState")
        #expect(steps["sig-raw-131-02"] == "signature")
        #expect(cases.contains { $0["got"]?.string == "reject" && $0["operation"]?.string == "registration.verify" })
        for element in cases where element["operation"]?.string?.hasSuffix(".verify") == true {
            #expect((element["step"] != nil) == (element["got"]?.string == "reject"))
        }
    }

    @Test("a folder means its case files, below it too; other JSON is passed over, broken case files are not")
    func folders() throws {
        let folder = try TemporaryFolder()
        try folder.writeCases([decoding("Zg", id: "b")], named: "b.json")
        try folder.writeCases([decoding("Zg", id: "a")], named: "deep/a.json")
        try folder.write("other.json", #"{"format": "something else"}"#)
        try folder.write("no.json", "not JSON")
        try folder.write("notes.txt", #"{"format": "passkey-cases/1", "cases": []}"#)
        let result = try Executable.run("check", folder.path)
        #expect(result.status == 0)
        #expect(result.lastLine == "2 passed, 0 failed, 0 skipped")
        #expect(try Executable.run("check", folder.path + "/other.json").status == 2)

        try folder.write("broken.json", #"{"format": "passkey-cases/1", "cases": ["#)
        #expect(try Executable.run("check", folder.path).status == 2)
        let empty = try TemporaryFolder()
        #expect(try Executable.run("check", empty.path).status == 2, "nothing to check is no success")
    }

    @Test(
        "a file that has no cases to tell apart is refused",
        arguments: [
            #"{"format": "passkey-cases/1"}"#,
            #"{"format": "passkey-cases/2", "cases": []}"#,
            #"{"format": "passkey-cases/1", "cases": [{"id": "a"}]}"#,
            #"{"format": "passkey-cases/1", "cases": [{"id": "a", "operation": "x", "input": {}, "expect": "maybe"}]}"#,
            #"{"format": "passkey-cases/1", "cases": [{"id": "a", "operation": "x", "input": {}, "expect": "accept"},"#
                + #"{"id": "a", "operation": "x", "input": {}, "expect": "accept"}]}"#,
        ]
    )
    func unreadable(_ text: String) throws {
        let folder = try TemporaryFolder()
        let result = try Executable.run("check", folder.write("x.json", text))
        #expect(result.status == 2)
        #expect(result.errors.split(separator: "\n").count == 1)
    }
}

@Suite(
    "passkey check on the read-only case files",
    .enabled(if: Vectors.shared != nil || Vectors.requires("shared"), "the folder shared is absent")
)
struct SharedCheckTests {
    @Test(
        "none fails, and only what needs ML-DSA is skipped",
        arguments: ["cose-keys", "webauthn-l3", "devices"]
    )
    func files(_ name: String) throws {
        // The other files there are copies of this package's own.
        let folder = try #require(Vectors.shared)
        let result = try Executable.run(["check", "\(folder)/\(name).json", "--allow-skip", "ml-dsa"])
        #expect(result.status == 0, "\(result.output)")
    }
}
