import PasskeyWire
import Testing

@testable import PasskeyCommand

@Suite("passkey inspect")
struct InspectTests {
    private func inspect(_ text: String, _ options: String...) throws -> Executable.Result {
        try Executable.run(["inspect"] + options, input: [UInt8](text.utf8))
    }

    private static let attestationObject = """
        attestation object, 194 bytes (base64url)
              5  fmt: none
             18  attStmt: empty
             30  authData: 164 bytes
             30    rpIdHash: a379a6f6eeafb9a55e378c118034e2751e682fab9f2d30ab13d2125586ce1947
             62    flags: 0x45 = UP, UV, AT
             63    signCount: 0
             67    aaguid: 00000000-0000-0000-0000-000000000000
             85    credentialId: 32 bytes, base64url 1iYdrlJBZru5x2p2uBfLWD6yvd2O8uv0Wu2mx7y5hII
            117    credentialPublicKey: 77 bytes
            119      kty: 2 (EC2)
            121      alg: -7 (ES256)
            123      crv: 1 (P-256)
            125      x: ecc359d70b12dfe6ac3ef93ffecb1c12658ec6bcbe1021e815a63532824c7c72
            160      y: 2e704e57ea6df769720a4bdd01f90fc31b24d7ba0ab259a9f573809432ba9b22

        """

    @Test("the certificates of a statement are named")
    func certificates() throws {
        let object = try VectorCases.bytes("response", "response", "attestationObject", in: VectorCases.attestation())
        let result = try Executable.run("inspect", input: object)
        #expect(result.status == 0)
        let lines = result.lines.map { $0.drop { $0 == " " || $0.isNumber } }
        #expect(lines.contains { $0.hasPrefix("x5c: 2 certificates") }, "\(result.output)")
        for name in ["subject: ", "issuer: ", "valid: ", "extensions: 2.5.29.19 (critical)"] {
            #expect(lines.filter { $0.hasPrefix(name) }.count >= 1, "\(name) in \(result.output)")
        }
    }

    @Test("an attestation object, line for line")
    func attestationObject() throws {
        let response = try VectorCases.registration()
        let text = try #require(response["response"]?["response"]?["attestationObject"]?.string)
        let result = try inspect(text)
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        #expect(result.output == InspectTests.attestationObject)
    }

    @Test("the same bytes in every form that they are passed around in")
    func encodings() throws {
        let input = try VectorCases.registration()
        let bytes = try VectorCases.bytes("response", "response", "attestationObject", in: input)
        let hex = Hex.encode(bytes)
        let wanted = InspectTests.attestationObject.split(separator: "\n").dropFirst()
        let forms: [(String, [UInt8])] = [
            ("hex", [UInt8](hex.utf8)), ("hex", [UInt8]("0x\(hex.uppercased())\n".utf8)),
            (
                "hex",
                [UInt8](hex.enumerated().map { $0.offset % 2 == 1 ? "\($0.element):" : "\($0.element)" }.joined().utf8)
            ),
            ("base64", [UInt8](Base64.encode(bytes).utf8)),
            ("base64url", [UInt8]("\"\(Base64URL.encode(bytes))\"".utf8)),
            ("raw", bytes),
        ]
        for (name, form) in forms {
            let result = try Executable.run("inspect", "-", input: form)
            #expect(result.output.split(separator: "\n").dropFirst() == wanted, "\(name)")
            let title = try #require(result.lines.first)
            #expect(title == "attestation object, 194 bytes (\(name))")
            #expect(try Executable.run("inspect", "--as", name, input: form).output == result.output)
        }
        // The same digits, read as base64 because that was asked for, are something else.
        #expect(try inspect("8101", "--as", "base64").output != inspect("8101").output)
    }

    @Test("authenticator data and its flags by name")
    func authenticatorData() throws {
        let bytes = try VectorCases.bytes("response", "response", "authenticatorData", in: VectorCases.authentication())
        let result = try inspect(Hex.encode(bytes))
        #expect(
            result.output == """
                authenticator data, 37 bytes (hex)
                      0  rpIdHash: a379a6f6eeafb9a55e378c118034e2751e682fab9f2d30ab13d2125586ce1947
                     32  flags: 0x05 = UP, UV
                     33  signCount: 0

                """
        )
        var other = bytes
        other[32] = 0x3A
        #expect(try inspect(Hex.encode(other)).output.contains("flags: 0x3a = reserved bit 1, BE, BS, reserved bit 5"))
        other[32] = 0
        #expect(try inspect(Hex.encode(other)).output.contains("flags: 0x00, none set"))
        let extended = bytes[..<32] + [0x81] + bytes[33...] + [0xA1, 0x6B] + "credProtect".utf8 + [0x02]
        let lines = try inspect(Hex.encode(extended)).lines
        #expect(lines.suffix(3) == ["     37  extensions: 1 member", "     50    credProtect: 2", ""])
    }

    @Test("a COSE key, sound and unsound")
    func key() throws {
        let key = try VectorCases.bytes("record", "publicKey", in: VectorCases.authentication())
        let sound = try inspect(Hex.encode(key))
        #expect(sound.status == 0)
        #expect(sound.lines.first == "COSE key, 77 bytes (hex)")
        #expect(sound.lines.contains("      4  alg: -7 (ES256)"))
        #expect(!sound.output.contains("fault"))
        var broken = key
        broken[broken.count - 1] ^= 1
        let unsound = try inspect(Hex.encode(broken))
        #expect(unsound.status == 1)
        #expect(unsound.lines[1].contains("fault: not a sound WebAuthn public key"))
        #expect(unsound.lines.contains("      4  alg: -7 (ES256)"))
    }

    @Test("client data, with the hash that is signed and whatever it may hold shown harmlessly")
    func clientData() throws {
        let text = #"{"type":"webauthn.get","challenge":"AAAA","origin":"https://a\u001b[2J","new":{"b":1}}"#
        let result = try inspect(text)
        #expect(result.status == 0)
        let expected = [
            "client data, 86 bytes (raw)",
            "         type: webauthn.get",
            "         challenge: AAAA, 3 bytes",
            #"         origin: https://a\u{1b}[2J"#,
            #"         new: {"b":1}"#,
        ]
        #expect(Array(result.lines.prefix(5)) == expected)
        #expect(result.lines[5].hasSuffix(", SHA-256 of the whole"))
        #expect(try inspect(text + "\n").output == result.output, "the shell's line end is not part of it")
    }

    @Test("whole responses")
    func responses() throws {
        let registration = try inspect(#require(VectorCases.registration()["response"]).text)
        #expect(registration.status == 0)
        #expect(registration.lines.first?.hasPrefix("registration response, ") == true)
        #expect(registration.output.contains("origin: https://example.com"))
        #expect(registration.output.contains("    119          kty: 2 (EC2)"))
        let authentication = try inspect(#require(VectorCases.authentication()["response"]).text)
        #expect(authentication.status == 0)
        #expect(authentication.lines.first?.hasPrefix("authentication response, ") == true)
        #expect(authentication.output.contains("flags: 0x05 = UP, UV"))

        let other = try #require(VectorCases.registration()["response"]).setting("rawId", to: "AAAA")
        let refused = try inspect(other.text)
        #expect(refused.status == 1)
        #expect(refused.output.contains("fault: registration refused at step 3 (response): rawId"))
    }

    @Test("plain CBOR: notation, offsets, and how strict it is")
    func plainCBOR() throws {
        #expect(
            try inspect("a2616101616282f53863").output == """
                CBOR, 10 bytes (hex)
                         diagnostic: {"a": 1, "b": [true, -100]}
                         form: well-formed, valid, deterministic, CTAP2
                      0  item: map of 2
                      3    "a": 1
                      6    "b": array of 2
                      7      0: true
                      8      1: -100

                """
        )
        let loose = try inspect("bf616101ff").output
        #expect(loose.contains(#"{_ "a": 1}"#))
        #expect(loose.contains("valid, not deterministic (indefinite-length at byte 0), not CTAP2"))
        let twice = try inspect("a20101 0102").output
        #expect(twice.contains("well-formed, not valid (duplicate-key at byte"))
    }

    @Test("--json holds the same, with bytes in base64url and offsets")
    func json() throws {
        let input = try VectorCases.registration()
        let text = try #require(input["response"]?["response"]?["attestationObject"]?.string)
        let json = try #require(inspect(text, "--json").json)
        #expect(json["kind"] == "attestation object")
        #expect(json["encoding"] == "base64url")
        #expect(json["bytes"] == 194)
        #expect(json["fmt"] == "none")
        #expect(json["attStmt"] == [:])
        #expect(json["offsets"] == ["fmt": 5, "attStmt": 18, "authData": 30])
        let data = try #require(json["authData"])
        #expect(data["flags"] == ["value": 69, "names": ["UP", "UV", "AT"]])
        #expect(data["credentialId"] == "1iYdrlJBZru5x2p2uBfLWD6yvd2O8uv0Wu2mx7y5hII")
        #expect(data["credentialPublicKey"]?["alg"] == ["value": -7, "name": "ES256"])
        #expect(data["credentialPublicKey"]?["x"] == "7MNZ1wsS3-asPvk__sscEmWOxry-ECHoFaY1MoJMfHI")
        let plain = try #require(inspect("bf616101ff", "--json").json)
        #expect(plain["diagnostic"] == #"{_ "a": 1}"#)
        #expect(plain["form"]?["valid"] == true)
        #expect(plain["form"]?["ctap2"] == "indefinite-length at byte 0")
    }

    @Test("what is damaged is shown as far as it goes, with the place of the fault")
    func damaged() throws {
        let input = try VectorCases.registration()
        var bytes = try VectorCases.bytes("response", "response", "attestationObject", in: input)
        bytes[62] = 0x85
        let result = try inspect(Hex.encode(bytes))
        #expect(result.status == 1)
        #expect(result.lines[1].contains("fault: ") && result.lines[1].contains("authData"))
        #expect(result.output.contains("fmt: none"))
    }

    @Test(
        "what is nothing is one line with the reason",
        arguments: [
            ("9f", "1 byte (hex) of nothing that is known; as CBOR: truncated at byte 1"),
            ("{\"a\":1}", "a JSON object that is neither a response nor client data"),
            ("{\"a\":1", "not JSON: truncated"), ("", "the input is empty"), (" \n", "the input is empty"),
        ]
    )
    func nothing(_ input: String, _ reason: String) throws {
        let result = try inspect(input)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("passkey inspect: \(reason)"))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test("depth and size do not matter: no recursion without an end, no quadratic time")
    func hostile() throws {
        let deep = try inspect(String(repeating: "81", count: 100_000) + "00")
        #expect(deep.status == 1)
        #expect(deep.errors.contains("too-deep"))
        let start = ContinuousClock.now
        let wide = try inspect("9a00004e20" + String(repeating: "00", count: 20_000))
        #expect(wide.status == 0)
        #expect(wide.lines.count > 20_000)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("a reader that goes away ends the command quietly")
    func brokenPipe() throws {
        // `sh` closes its end after one line; the rest of the output has nowhere to go.
        let folder = try TemporaryFolder()
        let file = try folder.write("wide.hex", "9a00004e20" + String(repeating: "00", count: 20_000))
        let errors = folder.path + "/errors"
        let result = try Shell.run(#""$1" inspect "$2" 2>"$3" | head -n 1"#, Executable.path, file, errors)
        #expect(result == "CBOR, 20005 bytes (hex)\n")
        #expect(try Shell.run(#"cat "$1""#, errors).isEmpty)
    }
}
