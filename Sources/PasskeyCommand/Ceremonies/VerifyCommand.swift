import PasskeyCases
import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// The command `passkey verify`: whether a response is valid.
enum VerifyCommand: Command {
    static let syntax = CommandSyntax(
        name: "verify",
        operands: "registration|authentication RESPONSE",
        operandCount: 2...2,
        summary: "verify a registration or an authentication response, and print every step",
        discussion: """
            RESPONSE is a file, or '-' for standard input, with the JSON that PublicKeyCredential.toJSON() gives. FILE
            is one JSON object with "expected" and, for an authentication, "record", as Vectors/README.md describes:

              {"expected": {"rpId": "example.com", "origins": ["https://example.com"], "challenge": "…",
                            "userVerification": "required", "now": "2026-02-02T00:00:00Z"},
               "record": {"id": "…", "publicKey": "…", "signCount": 0, "userHandle": "…"}}

            Absent members mean: userVerification preferred, user known, attestation verify, no frames, now the
            system's clock. A member that is not known is refused. "record" is what CredentialRecord.jsonBytes()
            gives, or as much of it as was stored.

            Prints what came of each step of the specification's procedure and then the verdict. The exit status is 0
            if the response is valid, 1 if it is refused.
            """,
        options: [
            .init(name: "expect", argument: .one("FILE"), help: "what the response is verified against"),
            .init(name: "json", help: "print one JSON object: verdict, step, rule, detail, attestation, checks"),
        ],
        examples: [
            "passkey verify registration --expect expect.json response.json",
            "passkey verify authentication --expect expect.json - < response.json",
        ]
    )

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandError) -> Int32 {
        let ceremony = arguments.operands[0]
        guard ceremony == "registration" || ceremony == "authentication" else {
            throw .usage("passkey verify: expected registration or authentication, not \(visible(ceremony))")
        }
        guard let path = arguments.value("expect") else {
            throw .usage("passkey verify: expected --expect FILE; see 'passkey verify --help'")
        }
        let expectation = try readExpectation(path)
        let response = try Input.bytes(arguments.operands[1], for: "verify")
        let outcome: CeremonyOutcome
        do throws(MalformedCase) {
            outcome =
                ceremony == "registration"
                ? try CeremonyOutcome(registration: expectation, response)
                : try CeremonyOutcome(authentication: expectation, response)
        } catch {
            throw .usage("passkey verify: \(visible(path)): \(visible(error.reason))")
        }
        if arguments.has("json") {
            console.line(String(decoding: outcome.json(ceremony).serialized(pretty: true), as: UTF8.self))
        } else {
            outcome.write(ceremony, console)
        }
        return outcome.refusal == nil ? 0 : 1
    }

    private static func readExpectation(_ path: String) throws(CommandError) -> JSONValue {
        let bytes = try Input.bytes(path, for: "verify")
        do throws(WireError) {
            return try JSONValue(json: bytes)
        } catch {
            throw .usage("passkey verify: \(visible(path)): not JSON: \(error)")
        }
    }
}

/// A verdict and the report behind it.
struct CeremonyOutcome {
    /// The step that refused.
    struct Refusal {
        var step: String
        var number: Int
        var detail: String
        var rule: String?
    }

    var refusal: Refusal?
    var report: VerificationReport?

    /// What was found of a registration's attestation.
    var attestation: AttestationVerifier.Verdict?

    init(registration expectation: JSONValue, _ response: [UInt8]) throws(MalformedCase) {
        guard let expected = expectation["expected"] else { throw MalformedCase("no expected") }
        try refuseUnknownMembers(ofExpected: expected)
        let check = try RegistrationCheck(expected: expected, response: response)
        do throws(RegistrationError) {
            report = try check.report()
            attestation = try check.run().attestation
        } catch {
            refusal = Refusal(
                step: "\(error.step)",
                number: error.step.rawValue,
                detail: error.detail,
                rule: error.rule
            )
        }
    }

    init(authentication expectation: JSONValue, _ response: [UInt8]) throws(MalformedCase) {
        guard let expected = expectation["expected"] else { throw MalformedCase("no expected") }
        guard let record = expectation["record"] else { throw MalformedCase("no record") }
        try refuseUnknownMembers(ofExpected: expected)
        let check = try AuthenticationCheck(expected: expected, record: record, response: response)
        do throws(AuthenticationError) {
            report = try check.report()
            _ = try check.run()
        } catch {
            refusal = Refusal(step: "\(error.step)", number: error.step.rawValue, detail: error.detail)
        }
    }

    func write(_ ceremony: String, _ console: Console) {
        if let report { console.write(ReportText.text(report, console)) }
        guard let refusal else {
            if let attestation {
                let type = attestation.type.rawValue + (attestation.isTypeCertain ? "" : " (or another)")
                console.line("attestation: \(type): \(visible(attestation.decision))")
                for subject in attestation.trustPath { console.line("  \(visible(subject))") }
            }
            console.line(console.styled("\(ceremony): verified", .good))
            return
        }
        let verdict = console.styled("\(ceremony): refused at step \(refusal.step)", .bad)
        console.line("\(verdict) (\(refusal.number)): \(visible(refusal.detail))")
    }

    func json(_ ceremony: String) -> JSONValue {
        var object: JSONObject = [
            "ceremony": .string(ceremony),
            "verdict": .string(refusal == nil ? "verified" : "refused"),
        ]
        if let refusal {
            object["step"] = .string(refusal.step)
            object["number"] = .number(JSONNumber(refusal.number))
            object["detail"] = .string(refusal.detail)
            if let rule = refusal.rule { object["rule"] = .string(rule) }
        }
        if let attestation {
            object["attestation"] = [
                "type": .string(attestation.type.rawValue), "isTypeCertain": .bool(attestation.isTypeCertain),
                "isTrusted": .bool(attestation.isTrusted), "decision": .string(attestation.decision),
                "trustPath": .array(attestation.trustPath.map { .string($0) }),
            ]
        }
        object["checks"] = .array((report?.checks ?? []).map(ReportText.json))
        return .object(object)
    }
}

/// A verification report, for people and for programs.
enum ReportText {
    static func text(_ report: VerificationReport, _ console: Console) -> String {
        report.checks.map { check in
            let number = check.step < 10 ? " \(check.step)" : "\(check.step)"
            return switch check.verdict {
            case .passed: "  \(console.styled("pass", .good)) \(number) \(check.name)\n"
            case .failed(let detail):
                "  \(console.styled("FAIL", .bad)) \(number) \(check.name): \(visible(detail))\n"
            case .skipped(let reason):
                console.styled("  skip \(number) \(check.name): \(visible(reason))", .dim) + "\n"
            }
        }.joined()
    }

    static func json(_ check: VerificationReport.Check) -> JSONValue {
        var object: JSONObject = [
            "step": .number(JSONNumber(check.step)),
            "name": .string(check.name),
        ]
        switch check.verdict {
        case .passed: object["verdict"] = "passed"
        case .failed(let detail):
            object["verdict"] = "failed"
            object["detail"] = .string(detail)
        case .skipped(let reason):
            object["verdict"] = "skipped"
            object["detail"] = .string(reason)
        }
        return .object(object)
    }
}
