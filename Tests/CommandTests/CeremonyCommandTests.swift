import PasskeyWire
import Testing

@Suite("passkey verify")
struct VerifyTests {
    private func verify(_ ceremony: String, _ input: JSONValue, _ options: String...) throws -> Executable.Result {
        let folder = try TemporaryFolder()
        let expected = try folder.write("expected.json", input.text)
        let response = try folder.write("response.json", #require(input["response"]).text)
        return try Executable.run(["verify", ceremony, "--expect", expected, response] + options)
    }

    @Test("a registration is verified, and refused at the step that is at fault")
    func registration() throws {
        let input = try VectorCases.registration()
        let good = try verify("registration", input)
        #expect(good.status == 0)
        #expect(good.lastLine == "registration: verified")
        #expect(good.lines.contains("  pass  8 challenge"))
        let bad = try verify("registration", input.setting("expected", "challenge", to: "AAAAAAAAAAAAAAAAAAAAAA"))
        #expect(bad.status == 1)
        #expect(bad.lastLine.hasPrefix("registration: refused at step challenge (8): "))
        #expect(bad.lines.contains { $0.hasPrefix("  FAIL  8 challenge: ") })
        #expect(bad.lines.contains("  pass 14 rpIDHash"), "the report goes on behind the fault")
    }

    @Test("an attestation is told: its type, whom it leads to, and the rule that it breaks")
    func attestation() throws {
        let input = try VectorCases.attestation()
        let good = try verify("registration", input)
        #expect(good.status == 0)
        let line = try #require(good.lines.firstIndex { $0.hasPrefix("attestation: basic (or another): trusted: ") })
        #expect(good.lines[(line + 1)...].prefix { $0.hasPrefix("  ") }.count == 3)
        #expect(good.lines.contains("  pass 22 packed.basicConstraints"))
        let json = try #require(verify("registration", input, "--json").json)
        #expect(json["attestation"]?["isTrusted"] == true && json["attestation"]?["trustPath"]?.array?.count == 3)
        var object = try CBOR(VectorCases.bytes("response", "response", "attestationObject", in: input))
        guard case .map(var members) = object, let place = members.firstIndex(where: { $0.key == .text("attStmt") }),
            case .map(var statement) = members[place].value
        else { throw CancellationError() }
        statement.append(CBOR.Entry(.text("ecdaaKeyId"), .bytes([1])))
        members[place].value = .map(statement)
        object = .map(members)
        let spoiled = input.setting(
            "response",
            "response",
            "attestationObject",
            to: Base64URL.encode(try object.encoded(.ctap2))
        )
        let bad = try verify("registration", spoiled)
        #expect(bad.lastLine.hasPrefix("registration: refused at step attestationStatement (22): packed.ecdaa: "))
        #expect(try verify("registration", spoiled, "--json").json?["rule"] == "packed.ecdaa")
    }

    @Test("so is an authentication")
    func authentication() throws {
        let input = try VectorCases.authentication()
        let good = try verify("authentication", input)
        #expect(good.status == 0)
        #expect(good.lastLine == "authentication: verified")
        let signature = try #require(input["response"]?["response"]?["signature"]?.string)
        var bytes = try Base64URL.decode(signature)
        bytes[bytes.count - 1] ^= 1
        let bad = try verify(
            "authentication",
            input.setting("response", "response", "signature", to: Base64URL.encode(bytes))
        )
        #expect(bad.status == 1)
        #expect(bad.lastLine.hasPrefix("authentication: refused at step signature (21): "))
        let broken = try verify("authentication", input.setting("record", "publicKey", to: "oQEC"))
        #expect(broken.status == 1)
        #expect(broken.lastLine.hasPrefix("authentication: refused at step credential (6): "))
    }

    @Test("a response that cannot be read is refused, with no report")
    func unreadable() throws {
        let input = try VectorCases.authentication()
        let result = try verify("authentication", input.setting("response", "type", to: "password"))
        #expect(result.status == 1)
        #expect(result.output.split(separator: "\n").count == 1)
        #expect(result.lastLine.hasPrefix("authentication: refused at step response (3): "))
    }

    @Test("--json has the verdict, the step and every check")
    func json() throws {
        let input = try VectorCases.registration()
        let good = try #require(verify("registration", input, "--json").json)
        #expect(good["verdict"] == "verified")
        #expect(good["step"] == nil)
        #expect(good["checks"]?.array?.contains(["step": 8, "name": "challenge", "verdict": "passed"]) == true)
        let refused = try verify("registration", input.setting("expected", "rpId", to: "example.org"), "--json")
        #expect(refused.status == 1)
        let bad = try #require(refused.json)
        #expect(bad["verdict"] == "refused")
        #expect(bad["step"] == "rpIDHash")
        #expect(bad["number"] == 14)
        #expect(bad["detail"]?.string?.isEmpty == false)
    }

    @Test("the response may come from standard input")
    func standardInput() throws {
        let input = try VectorCases.registration()
        let folder = try TemporaryFolder()
        let expected = try folder.write("expected.json", input.text)
        let response = try #require(input["response"]).serialized()
        #expect(try Executable.run("verify", "registration", "--expect", expected, "-", input: response).status == 0)
    }

    @Test(
        "a demand that is not known is wrong usage, and never an absent one",
        arguments: ["registration", "authentication"]
    )
    func misspelt(_ ceremony: String) throws {
        let input = try ceremony == "registration" ? VectorCases.registration() : VectorCases.authentication()
        let result = try verify(ceremony, input.setting("expected", "userVerificaton", to: "required"))
        #expect(result.status == 2)
        #expect(result.errors.contains("unknown member userVerificaton"))
        #expect(try verify(ceremony, input.setting("expected", "userVerification", to: "preferred")).status == 0)
    }

    @Test("an expectation that says too little is wrong usage", arguments: ["expected", "record"])
    func incomplete(_ name: String) throws {
        guard case .object(var object) = try VectorCases.authentication() else { return }
        object[name] = nil
        let result = try verify("authentication", .object(object))
        #expect(result.status == 2)
        #expect(result.errors.contains("no \(name)"))
    }
}

@Suite("passkey demo")
struct DemoTests {
    @Test("registers, signs in, refuses a flipped bit, and shows every message")
    func demo() throws {
        let result = try Executable.run("demo")
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        let verdicts = [
            "registration: verified", "authentication: verified",
            "one bit of the signature flipped: refused at step signature",
        ]
        #expect(result.lines.filter(verdicts.contains) == verdicts)
        for shown in [
            #""challenge": ""#, "type: webauthn.create", "type: webauthn.get", "flags: 0x", "aaguid: ",
            #"{"fmt": "none", "attStmt": {}, "authData": h'"#, "kty: 2 (EC2)", "pass 21 signature",
        ] {
            #expect(result.output.contains(shown), "\(shown)")
        }
    }

    @Test("every run has its own key and challenges")
    func random() throws {
        #expect(try Executable.run("demo").output != Executable.run("demo").output)
    }
}
