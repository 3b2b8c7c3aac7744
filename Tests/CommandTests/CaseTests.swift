import PasskeyWire
import Testing

@testable import PasskeyCases

@Suite("Cases: verdicts")
struct CaseVerdictTests {
    private func testCase(_ json: JSONObject) throws -> Case {
        var object: JSONObject = [
            "id": "x", "operation": "cbor.decode", "input": [:], "expect": "accept", "reason": "r",
        ]
        for member in json.members { object[member.name] = member.value }
        return try Case(.object(object))
    }

    @Test("an outcome is right or wrong by what the case expects")
    func expectations() throws {
        let accept = try testCase([:])
        let reject = try testCase(["expect": "reject"])
        let accepted = CaseOutcome.accepted(value: [:])
        let rejected = CaseOutcome.rejected(error: "e", step: "origin")
        #expect(accept.judge(accepted).status == .passed)
        #expect(accept.judge(rejected).status == .failed)
        #expect(accept.judge(rejected).step == "origin")
        #expect(reject.judge(accepted).status == .failed)
        #expect(reject.judge(rejected).status == .passed)
        for testCase in [accept, reject] {
            #expect(testCase.judge(.skipped(reason: "s")).status == .skipped)
            #expect(testCase.judge(.broken(reason: "b")).status == .failed)
        }
    }

    @Test("a value that is another, or does not come out, is a failure; error is a hint")
    func values() throws {
        let wanting = try testCase(["value": ["a": 1, "error": "hint"]])
        #expect(wanting.judge(.accepted(value: ["a": 1, "b": 2])).status == .passed)
        #expect(wanting.judge(.accepted(value: ["a": 2])).status == .failed)
        #expect(wanting.judge(.accepted(value: [:])).status == .failed)
        let unknown = try testCase(["operation": "cose.key", "input": ["hex": "00"], "value": ["nonsense": true]])
        #expect(unknown.wantedValues == ["nonsense"])
    }

    @Test("limits are judged by what the operation cost")
    func limits() throws {
        let limited = try testCase(["limits": ["maxSeconds": 0.05, "maxMemoryMiB": 16]])
        let outcome = CaseOutcome.accepted(value: [:])
        #expect(limited.judge(outcome, cost: CaseCost(seconds: 0.05, memoryMiB: 16)).status == .passed)
        #expect(limited.judge(outcome, cost: CaseCost(seconds: 0.051, memoryMiB: nil)).status == .failed)
        #expect(limited.judge(outcome, cost: CaseCost(seconds: 0, memoryMiB: 16.1)).status == .failed)
        #expect(try testCase([:]).judge(outcome, cost: CaseCost(seconds: 9, memoryMiB: 900)).status == .passed)
        #expect(
            limited.judge(outcome, cost: CaseCost(seconds: 1.5, memoryMiB: 0)).reason == "took 1.500 s, limit 0.050 s"
        )
    }

    @Test("outcomes survive the way between processes")
    func transport() throws {
        let outcomes: [CaseOutcome] = [
            .accepted(value: ["a": [1, "x"]]), .rejected(error: "e", step: nil), .rejected(error: "e", step: "type"),
            .skipped(reason: "s"), .broken(reason: "b"),
        ]
        for outcome in outcomes {
            #expect(try CaseOutcome(JSONValue(json: outcome.json.serialized())) == outcome)
        }
        #expect(CaseOutcome(["outcome": "else"]) == nil)
        #expect(CaseOutcome([:]) == nil)
    }

    @Test("decimals")
    func decimals() {
        #expect(decimal(0.0125, places: 3) == "0.013")
        #expect(decimal(12, places: 0) == "12")
        #expect(decimal(-0.5, places: 1) == "-0.5")
        #expect(decimal(0.04, places: 1) == "0.0")
        #expect(decimal(99.96, places: 1) == "100.0")
        #expect(decimal(1e300, places: 1) == "1e+300")
    }
}

@Suite("Cases: operations")
struct CaseOperationTests {
    private func run(_ operation: String, _ input: JSONValue, value: JSONValue = [:]) throws -> CaseOutcome {
        try Case([
            "id": "x", "operation": .string(operation), "input": input, "expect": "accept", "value": value,
        ]).run()
    }

    private func isRejected(_ outcome: CaseOutcome) -> Bool {
        if case .rejected = outcome { true } else { false }
    }

    private func isAccepted(_ outcome: CaseOutcome) -> Bool {
        if case .accepted = outcome { true } else { false }
    }

    private func isSkipped(_ outcome: CaseOutcome) -> Bool {
        if case .skipped = outcome { true } else { false }
    }

    @Test("a one-byte COSE key is an error and no trap")
    func shortKey() throws {
        for hex in ["04", "", "a0", "00", "ff"] {
            #expect(isRejected(try run("cose.key", ["hex": .string(hex)])), "\(hex)")
        }
    }

    @Test("repeated units and parts are laid out, and a slice is a slice")
    func recipes() throws {
        let wanted: JSONValue = ["diagnostic": ""]
        let repeated = try run(
            "cbor.decode",
            ["repeat": ["prefix": "83", "unit": "01", "count": 3, "suffix": ""], "mode": "valid"],
            value: wanted
        )
        #expect(repeated == .accepted(value: ["diagnostic": "[1, 1, 1]"]))
        let parts = try run(
            "cbor.decode",
            ["parts": [["hex": "82"], ["hex": "6161", "times": 2]], "mode": "ctap2"],
            value: wanted
        )
        #expect(parts == .accepted(value: ["diagnostic": #"["a", "a"]"#]))
        let slice: JSONValue = ["hex": "ff8101ff", "sliceFrom": 1, "sliceTo": 3, "mode": "valid"]
        #expect(try run("cbor.decode", slice, value: wanted) == .accepted(value: ["diagnostic": "[1]"]))
        #expect(isRejected(try run("cbor.decode", ["hex": "ff8101ff", "sliceFrom": 1, "mode": "valid"])))
        let huge: JSONValue = ["repeat": ["prefix": "", "unit": "00", "count": 1_000_000_000_000, "suffix": ""]]
        #expect(isSkipped(try run("cbor.decode", huge)), "a recipe for a terabyte is not followed")
    }

    @Test("the deterministic verdict is told apart from the mode's own")
    func deterministic() throws {
        let wanted: JSONValue = ["deterministic": true]
        #expect(
            try run("cbor.decode", ["hex": "1801", "mode": "valid"], value: wanted)
                == .accepted(value: ["deterministic": false])
        )
        #expect(
            try run("cbor.decode", ["hex": "01", "mode": "valid"], value: wanted)
                == .accepted(value: ["deterministic": true])
        )
    }

    @Test("text that is not UTF-8 is well-formed, and no more")
    func illFormedText() throws {
        #expect(isAccepted(try run("cbor.decode", ["hex": "61ff", "mode": "wellFormed"])))
        #expect(isRejected(try run("cbor.decode", ["hex": "61ff", "mode": "valid"])))
    }

    @Test("client data: each member that the case names")
    func clientData() throws {
        let text = #"{"type":"webauthn.get","challenge":"AAAA","origin":"https://example.com"}"#
        let bytes = JSONValue.string(Base64URL.encode(text.utf8))
        func outcome(_ expected: JSONValue) throws -> CaseOutcome {
            try run("clientData", ["base64url": bytes, "expected": expected])
        }
        #expect(
            isAccepted(
                try outcome(["type": "webauthn.get", "challenge": "AAAA", "origins": ["https://example.com/"]])
            )
        )
        #expect(isAccepted(try outcome([:])))
        #expect(isRejected(try outcome(["type": "webauthn.create"])))
        #expect(isRejected(try outcome(["challenge": "AAAB"])))
        #expect(isRejected(try outcome(["origin": "https://example.org"])))
        #expect(isRejected(try run("clientData", ["base64url": "AAAA"])))
    }

    @Test("RP IDs")
    func relyingPartyIDs() throws {
        #expect(try run("relyingParty.id", ["rpId": "example.com"]) == .accepted(value: ["value": "example.com"]))
        #expect(isRejected(try run("relyingParty.id", ["rpId": "https://example.com"])))
        #expect(
            try run("relyingParty.defaultId", ["origin": "https://a.example:8443"])
                == .accepted(value: ["value": "a.example"])
        )
        #expect(isRejected(try run("relyingParty.defaultId", ["origin": "https://127.0.0.1"])))
    }

    @Test("options: paths, lengths, patterns, and no null")
    func options() throws {
        let wanted: JSONValue = [
            "user.id length": 22, "no null": true, "challenge matches": "[A-Za-z0-9_-]{43}",
            "pubKeyCredParams.0.alg": -7, "rp.id": "example.com",
        ]
        let outcome = try run(
            "options",
            ["creation": ["userId": .string(String(repeating: "ab", count: 16))]],
            value: wanted
        )
        #expect(outcome == .accepted(value: try #require(wanted.object)))
        let short = try run("options", ["creation": ["challenge": "0102"]], value: ["challenge matches": ".{43}"])
        #expect(short == .accepted(value: ["challenge matches": "AQI"]))
        #expect(isSkipped(try run("options", ["creation": ["colour": "red"]])))
        #expect(isRejected(try run("options", ["creation": ["userId": ""]])))
    }

    @Test(
        "a case that cannot be run is skipped, never passed",
        arguments: ["jws.verify", "idToken.verify", "virtual", "session", "nonsense"]
    )
    func notBuilt(_ operation: String) throws {
        #expect(
            try run(operation, [:]) == .skipped(reason: "the operation \(operation) is not built")
        )
    }

    @Test("a statement must verify in its format, an unknown format is a refusal, and what is ignored may be anything")
    func formats() throws {
        func outcome(_ format: String, _ statement: CBOR, _ attestation: String) throws -> CaseOutcome {
            var input = try VectorCases.registration()
            let bytes = try VectorCases.bytes("response", "response", "attestationObject", in: input)
            let data = try #require(CBOR(bytes)["authData"])
            let object: CBOR = ["fmt": .text(format), "attStmt": statement, "authData": data]
            let changed = try object.encoded(.ctap2)
            input = input.setting("response", "response", "attestationObject", to: Base64URL.encode(changed))
            return try run("registration.verify", input.setting("expected", "attestation", to: attestation))
        }
        #expect(isAccepted(try outcome("none", .map([]), "verify")))
        for (format, statement): (String, CBOR) in [("tpm", .map([])), ("packed", ["x5c": []])] {
            guard case .rejected(_, "attestationStatement") = try outcome(format, statement, "verify") else {
                Issue.record("the statement of the format \(format) is none")
                continue
            }
        }
        #expect(isAccepted(try outcome("tpm", .map([]), "ignore")))
        for format in ["vendor-x", "Packed", "NONE", ""] {
            guard case .rejected(_, "attestationFormat") = try outcome(format, .map([]), "verify") else {
                Issue.record("\(format) is unknown, and must be refused")
                continue
            }
        }
        guard case .rejected(_, "attestationTrust") = try outcome("none", .map([]), "trusted") else {
            Issue.record("none leads to no trust anchor")
            return
        }
    }

    @Test("leniencies that are known by name are off until they are named; others are not guessed at")
    func leniencies() throws {
        let input = try VectorCases.registration()
        func outcome(_ allow: JSONValue) throws -> CaseOutcome {
            guard case .object(var object) = input, case .object(var expected)? = input["expected"] else {
                return .skipped(reason: "no input")
            }
            expected["allow"] = allow
            object["expected"] = .object(expected)
            return try run("registration.verify", .object(object))
        }
        #expect(isAccepted(try outcome(["rs1", "android-safetynet"])))
        #expect(isSkipped(try outcome(["everything"])))
    }

    @Test("metadata: what is read, and what the default policy says of reports")
    func metadata() throws {
        #expect(isAccepted(try run("mds.parse", ["rogueListHash": "AAAA", "attestationRootCertificates": []])))
        #expect(isRejected(try run("mds.parse", ["attestationRootCertificates": ["AAAA"]])))
        #expect(isRejected(try run("mds.parse", ["attestationCertificateKeyIdentifiers": ["12"]])))
        #expect(isSkipped(try run("mds.parse", [:])))
        func status(_ reports: JSONValue) throws -> CaseOutcome {
            try run("mds.status", ["statusReports": reports, "now": "2026-02-02T00:00:00Z"])
        }
        #expect(isAccepted(try status([])))
        let certified: JSONValue = ["status": "FIDO_CERTIFIED", "effectiveDate": "2020-01-01"]
        let revoked: JSONValue = ["status": "REVOKED", "effectiveDate": "2026-02-02"]
        #expect(isRejected(try status([certified, revoked])))
        #expect(isAccepted(try status([revoked, ["status": "FIDO_CERTIFIED", "effectiveDate": "2026-02-02"]])))
        #expect(isAccepted(try status([certified, ["status": "REVOKED", "effectiveDate": "2026-02-03"]])))
        #expect(isRejected(try status([certified, ["status": "REVOKED"]])))
        #expect(isAccepted(try status([["status": "SOMETHING_NEW", "effectiveDate": "2026-01-01"]])))
        #expect(isSkipped(try run("mds.status", ["reports": "none"])))
    }

    @Test("moments in UTC")
    func moments() {
        #expect(UTC.millisecondsSince1970("1970-01-01T00:00:00Z") == 0)
        #expect(UTC.millisecondsSince1970("2026-02-02T00:00:00Z") == 1_769_990_400_000)
        #expect(UTC.millisecondsSince1970("2024-02-29T23:59:59.5Z") == 1_709_251_199_500)
        #expect(UTC.millisecondsSince1970("1969-12-31T23:59:59Z") == -1000)
        #expect(UTC.millisecondsSince1970("2124-01-01T04:48:00Z") == 4_859_758_080_000)
        for text in ["", "2026-02-02", "2026-13-02T00:00:00Z", "2026-02-02T24:00:00Z", "2026-02-02 00:00:00Z"] {
            #expect(UTC.millisecondsSince1970(text) == nil, "\(text)")
        }
    }
}
