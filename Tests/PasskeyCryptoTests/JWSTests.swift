import Foundation
import PasskeyVectors
import PasskeyWire
import Testing

@testable import PasskeyCrypto

/// The code of the error that something throws, or `nil`.
private func code<Value>(_ body: () throws(JWSError) -> Value) -> JWSError.Code? {
    do throws(JWSError) {
        _ = try body()
        return nil
    } catch {
        return error.code
    }
}

/// A text of three parts, signed by nobody.
private func unsigned(header: String, payload: String = "{}", signature: [UInt8] = []) -> [UInt8] {
    [header, payload].flatMap { Base64URL.encodedBytes(Array($0.utf8)) + [0x2e] } + Base64URL.encodedBytes(signature)
}

extension JWSAlgorithm {
    /// A text that a key of the test signed.
    fileprivate func signed(_ payload: [UInt8] = [1, 2, 3], header: JSONObject = [:]) throws -> [UInt8] {
        let key = try Keys.of(coseAlgorithm)
        return try JWS.sign(payload, header: header, self) { (message) throws(CryptoError) in try key.sign(message) }
    }

    fileprivate var key: PublicKey {
        get throws { try PublicKey(Keys.of(coseAlgorithm).publicKey) }
    }
}

@Suite("Signed texts, RFC 7515")
struct JWSTests {
    static let everyAlgorithm = Set(JWSAlgorithm.allCases)

    // MARK: Signatures

    @Test("what was signed verifies, and no bit of it may change", arguments: JWSAlgorithm.allCases)
    func roundTrip(_ algorithm: JWSAlgorithm) throws {
        let text = try algorithm.signed(Array("payload".utf8), header: ["kid": "k"])
        let padding: [UInt8] = [0x2e, 0x2e]
        let slice = (padding + text + padding)[2..<2 + text.count]
        for text in [text[...], slice] {
            let jws = try JWS(text, allowing: [algorithm])
            try jws.verify(with: algorithm.key)
            #expect(try jws.payload() == Array("payload".utf8))
            #expect(try jws.keyIdentifier() == "k" && jws.certificateLocation() == nil && jws.x5c() == nil)
            #expect(jws.header["alg"]?.string == algorithm.rawValue && jws.algorithm == algorithm)
        }
        var random = SeededGenerator(7)
        let key = try algorithm.key
        for bit in text.sampledBits(64, &random) {
            let changed = text.flipping(bit: bit)
            let refusal = code { () throws(JWSError) in
                try JWS(changed[...], allowing: [algorithm]).verify(with: key)
            }
            #expect(refusal != nil, "bit \(bit)")
        }
        let other = try PublicKey(PrivateKey.generate(algorithm.coseAlgorithm).publicKey)
        let refusal = code { () throws(JWSError) in try JWS(text[...], allowing: [algorithm]).verify(with: other) }
        #expect(refusal == .signature)
    }

    @Test("a key of another algorithm is no key, though it could verify")
    func keyOfAnotherAlgorithm() throws {
        let text = try JWSAlgorithm.rs256.signed()
        let jws = try JWS(text[...], allowing: Self.everyAlgorithm)
        for algorithm in JWSAlgorithm.allCases where algorithm != .rs256 {
            let key = try algorithm.key
            #expect(code { () throws(JWSError) in try jws.verify(with: key) } == .key, "\(algorithm)")
        }
        guard case .rsa(let n, let e) = try Keys.of(.rs256).publicKey.parameters else { return }
        let sameNumbers = try PublicKey(COSEKey(algorithm: .ps256, .rsa(n: n, e: e)))
        #expect(code { () throws(JWSError) in try jws.verify(with: sameNumbers) } == .key)
    }

    @Test(
        "ECDSA signatures are two numbers as long as the curve says",
        arguments: [JWSAlgorithm.es256, .es384, .es512]
    )
    func rawSignatures(_ algorithm: JWSAlgorithm) throws {
        let text = try algorithm.signed()
        let dot = try #require(text.lastIndex(of: 0x2e))
        let raw = try Base64URL.decode(text[(dot + 1)...])
        let half = raw.count / 2
        #expect(raw.count == 2 * Int(try #require(algorithm.halfCount)))
        func refusal(_ signature: [UInt8]) throws -> JWSError.Code? {
            let changed = text[...dot] + Base64URL.encodedBytes(signature)
            let jws = try JWS(changed, allowing: [algorithm])
            let key = try algorithm.key
            return code { () throws(JWSError) in try jws.verify(with: key) }
        }
        #expect(try refusal(raw) == nil)
        let der = ECDSASignature(r: Array(raw[..<half]), s: Array(raw[half...])).der
        let zeros = [UInt8](repeating: 0, count: half)
        for signature in [
            der, [], Array(raw.dropLast()), raw + [0], [0] + raw, raw[..<half] + [0] + raw[half...], zeros + zeros,
            zeros + raw[half...], raw[..<half] + zeros, Array(raw[half...] + raw[..<half]),
        ] as [[UInt8]] {
            #expect(try refusal(signature) == .signature)
        }
    }

    // MARK: The header

    @Test("an algorithm must be allowed, and is asked for before anything else")
    func algorithms() {
        for name in [
            "none", "None", "NONE", "nOnE", "HS256", "HS384", "HS512", "es256", "ES256K", "RSA1_5", "", " ES256",
            "ES256 ",
            "RS1",
        ] {
            let text = unsigned(header: #"{"alg":"\#(name)"}"#)
            #expect(code { () throws(JWSError) in try JWS(text[...], allowing: Self.everyAlgorithm) } == .algorithm)
        }
        for header in [#"{"alg":["ES256"]}"#, "{}", #"{"alg":null}"#, #"{"alg":256}"#, #"{"Alg":"ES256"}"#] {
            let text = unsigned(header: header)
            #expect(code { () throws(JWSError) in try JWS(text[...], allowing: Self.everyAlgorithm) } == .algorithm)
        }
        // The header names certificates that are none, and critical members: nobody gets that far.
        let text = unsigned(header: #"{"alg":"ES384","x5c":["?"],"crit":["x"]}"#)
        #expect(code { () throws(JWSError) in try JWS(text[...], allowing: [.es256, .rs256]) } == .algorithm)
        #expect(code { () throws(JWSError) in try JWS(text[...], allowing: []) } == .algorithm)
        #expect(code { () throws(JWSError) in try JWS(text[...], allowing: [.es384]) } == .critical)
        let good = unsigned(header: #"{"alg":"ES384","x5c":["?"]}"#)
        #expect(code { () throws(JWSError) in try JWS(good[...], allowing: [.es384]) } == nil)
    }

    @Test("a critical member is refused, whatever it names", arguments: ["[\"exp\"]", "[]", "null", "\"exp\"", "{}"])
    func critical(_ value: String) throws {
        let members = try #require(try JSONValue(json: #"{"crit":\#(value),"exp":1}"#).object)
        let text = try JWSAlgorithm.es256.signed(header: members)
        #expect(code { () throws(JWSError) in try JWS(text[...], allowing: [.es256]) } == .critical)
    }

    @Test("what is not three parts of strict base64url and strict JSON is malformed")
    func malformed() throws {
        let text = String(decoding: try JWSAlgorithm.es256.signed([1, 2]), as: UTF8.self)
        let parts = text.split(separator: ".").map(String.init)
        let key = try JWSAlgorithm.es256.key
        func refusal(_ text: String) -> JWSError.Code? {
            code { () throws(JWSError) in
                let jws = try JWS(Array(text.utf8)[...], allowing: [.es256])
                _ = try jws.payload()
                try jws.verify(with: key)
            }
        }
        #expect(refusal(text) == nil)
        for bad in [
            "", ".", "..", "...", parts[0], "\(parts[0]).\(parts[1])", "\(text).", "\(text).\(parts[2])", ".\(text)",
            "\(text)\n", " \(text)", "\(parts[0])=.\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1])=.\(parts[2])",
            "\(parts[0]).\(parts[1]).\(parts[2])==", "\(parts[0]) .\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1].dropLast())B.\(parts[2])", "\(parts[0]).\(parts[1]).\(parts[2].dropLast())B",
            "\(parts[0]).\(parts[1])\u{e9}.\(parts[2])",
        ] {
            #expect(refusal(bad) == .malformed, "\(bad)")
        }
        for header in [
            "", "[]", "null", "\"alg\"", "alg=ES256", "\u{feff}{\"alg\":\"ES256\"}", "{\"alg\":\"ES256\"}{}",
            "{\"alg\":\"ES256\",\"alg\":\"none\"}", "{\"alg\":\"ES256\",\"a\\u006cg\":\"none\"}", "{alg:\"ES256\"}",
            "{\"alg\":\"ES256\",\"x\":\(String(repeating: "[", count: 8))\(String(repeating: "]", count: 8))}",
        ] {
            #expect(refusal(String(decoding: unsigned(header: header), as: UTF8.self)) == .malformed, "\(header)")
        }
        let invalid = Base64URL.encodedBytes(Array("{\"alg\":\"ES256\",\"x\":\"".utf8) + [0xff, 0x22, 0x7d])
        #expect(refusal(String(decoding: invalid, as: UTF8.self) + "..") == .malformed)
    }

    @Test("header and signature have bounds, the payload has none")
    func sizes() throws {
        let payload = [UInt8](repeating: 0x61, count: 3_000_000)
        let text = try JWSAlgorithm.es256.signed(payload)
        let jws = try JWS(text[...], allowing: [.es256])
        try jws.verify(with: JWSAlgorithm.es256.key)
        #expect(try jws.payload() == payload)
        let filler = String(repeating: "a", count: JWS.greatestHeaderCount * 3 / 4 - 30)
        func refusal(_ text: [UInt8]) -> JWSError.Code? {
            code { () throws(JWSError) in try JWS(text[...], allowing: [.es256]) }
        }
        #expect(refusal(unsigned(header: #"{"alg":"ES256","x":"\#(filler)"}"#)) == nil)
        #expect(refusal(unsigned(header: #"{"alg":"ES256","x":"\#(filler)aaaaaaaaaaaa"}"#)) == .malformed)
        let header = #"{"alg":"ES256"}"#
        #expect(refusal(unsigned(header: header, signature: [UInt8](repeating: 0, count: 8192))) == nil)
        #expect(refusal(unsigned(header: header, signature: [UInt8](repeating: 0, count: 8300))) == .malformed)
    }

    @Test("kid and x5u are text, or there is none")
    func hints() throws {
        let good = try JWS(
            unsigned(header: #"{"alg":"ES256","kid":"7","x5u":"https://example.com/c"}"#)[...],
            allowing: [.es256]
        )
        #expect(try good.keyIdentifier() == "7" && good.certificateLocation() == "https://example.com/c")
        let bad = try JWS(unsigned(header: #"{"alg":"ES256","kid":7,"x5u":null}"#)[...], allowing: [.es256])
        #expect(code { () throws(JWSError) in try bad.keyIdentifier() } == .malformed)
        #expect(code { () throws(JWSError) in try bad.certificateLocation() } == .malformed)
    }

    // MARK: Certificates

    private func x5c(_ value: String) -> Result<[[UInt8]]?, JWSError> {
        let text = unsigned(header: #"{"alg":"ES256","x5c":\#(value)}"#)
        return Result { () throws(JWSError) in try JWS(text[...], allowing: [.es256]).x5c() }
    }

    @Test("x5c is standard base64, padded or not, with white space around it")
    func certificates() throws {
        let good: [(String, [[UInt8]])] = [
            (#"["AAAA"]"#, [[0, 0, 0]]), (#"["AAA="]"#, [[0, 0]]), (#"["AA=="]"#, [[0]]), (#"["AAA"]"#, [[0, 0]]),
            (#"["AA"]"#, [[0]]), (#"["\n\tAAAA\r\n ","+/+/"]"#, [[0, 0, 0], [0xfb, 0xff, 0xbf]]),
        ]
        for (value, expected) in good { #expect(try x5c(value).get() == expected, "\(value)") }
        let many = "[\(String(repeating: "\"AAAA\",", count: CertificateChain.greatestIntermediateCount))\"AAAA\"]"
        for value in [
            "[]", "null", #""AAAA""#, "[1]", #"[["AAAA"]]"#, #"["AAA=="]"#, #"["AA="]"#, #"["A==="]"#, #"["A"]"#,
            #"["AA=A"]"#, #"["-_-_"]"#, #"["AA AA"]"#, #"["!AAAA"]"#, #"["AAB="]"#, #"["\u00a0AAAA"]"#,
            #"["\u0000AAAA"]"#, #"["=="]"#, many,
        ] {
            #expect(throws: JWSError.self, "\(value)") { try x5c(value).get() }
        }
    }

    @Test("a certificate's key verifies under the algorithm of the header", arguments: [JWSAlgorithm.es256, .rs256])
    func certificateKeys(_ algorithm: JWSAlgorithm) throws {
        let key = try Keys.of(algorithm.coseAlgorithm)
        let certificate = try Certificate(der: CertificateDraft(key).signed(by: key))
        let text = try algorithm.signed(header: ["x5c": [.string(Base64.encode(certificate.der))]])
        let jws = try JWS(text[...], allowing: Self.everyAlgorithm)
        #expect(try jws.x5c() == [certificate.der])
        try jws.verify(with: certificate)
        let others = JWSAlgorithm.allCases.filter { $0 != algorithm }
        for other in others {
            let jws = try JWS(other.signed()[...], allowing: Self.everyAlgorithm)
            let refusal = code { () throws(JWSError) in try jws.verify(with: certificate) }
            // An RSA key fits other algorithms, too, and then it is another key's signature.
            #expect(refusal == .key || refusal == .signature, "\(other)")
        }
    }
}

@Suite("Signed texts of others", .needsShared)
struct SharedJWSTests {
    /// A key in JSON (RFC 7517, RFC 7518 §6) for an algorithm; of no kind that signs with a shared secret.
    struct JWK {
        let json: JSONValue

        func bytes(_ name: String) throws -> [UInt8] { try Base64URL.decode(#require(json[name]?.string)) }

        func number(_ name: String) throws -> [UInt8] { Array(try bytes(name).drop { $0 == 0 }) }

        func key(_ algorithm: JWSAlgorithm) throws -> PublicKey {
            let curves: [String: COSEKey.Curve] = ["P-256": .p256, "P-384": .p384, "P-521": .p521, "Ed25519": .ed25519]
            let curve = json["crv"]?.string.flatMap { curves[$0] }
            let parameters: COSEKey.Parameters =
                switch json["kty"]?.string {
                case "RSA": .rsa(n: try number("n"), e: try number("e"))
                case "EC": .ec2(try #require(curve), x: try bytes("x"), y: try bytes("y"))
                default: .okp(try #require(curve), x: try bytes("x"))
                }
            return try PublicKey(COSEKey(algorithm: algorithm.coseAlgorithm, parameters))
        }
    }

    private func isAccepted(_ text: String, _ jwk: JWK, _ algorithms: Set<JWSAlgorithm>) -> Bool {
        do {
            let jws = try JWS(Array(text.utf8)[...], allowing: algorithms)
            try jws.verify(with: jwk.key(jws.algorithm))
            _ = try jws.payload()
            return true
        } catch {
            return false
        }
    }

    private func json(_ name: String) throws -> JSONValue {
        try JSONValue(json: Vectors.bytes("\(#require(Vectors.shared))/\(name)"), maximumDepth: 64)
    }

    @Test("the RFCs' examples, and what is wrong with copies of them")
    func cases() throws {
        var accepted = 0
        let cases = try #require(try json("jws.json")["cases"]?.array)
        for vector in cases {
            let input = try #require(vector["input"])
            let names = try #require(input["algorithms"]?.array).compactMap(\.string)
            let isAccepted = isAccepted(
                try #require(input["compact"]?.string),
                JWK(json: try #require(input["jwk"])),
                Set(names.compactMap(JWSAlgorithm.init))
            )
            #expect(isAccepted == (vector["expect"] == "accept"), "\(vector["id"] ?? .null)")
            if isAccepted { accepted += 1 }
        }
        #expect(cases.count >= 32 && accepted >= 6 && accepted < cases.count)
    }

    /// Verdicts of the file that a strict verifier does not share: characters that are not base64url, algorithms that
    /// are not the key's, names that nobody registered.
    private static let exceptions: Set = [346, 347, 350, 351, 367, 370, 372, 373]

    @Test("Wycheproof")
    func wycheproof() throws {
        var counts = (accepted: 0, refused: 0, skipped: 0)
        let groups = try #require(try json("wycheproof/json_web_signature_test.json")["testGroups"]?.array)
        for group in groups {
            let tests = try #require(group["tests"]?.array)
            // Shared secrets have no public half, and are not for this verifier; what a key is good for is a question
            // to whoever reads key sets.
            guard let jwk = group["public"], let algorithm = jwk["alg"]?.string else {
                counts.skipped += tests.count
                continue
            }
            let algorithms = Set([JWSAlgorithm(rawValue: algorithm)].compactMap(\.self))
            for test in tests {
                let id = try #require(test["tcId"]?.int)
                guard !Self.exceptions.contains(id) else {
                    counts.skipped += 1
                    continue
                }
                let isAccepted = isAccepted(try #require(test["jws"]?.string), JWK(json: jwk), algorithms)
                #expect(isAccepted == (test["result"] == "valid"), "\(id): \(test["comment"]?.string ?? "")")
                if isAccepted { counts.accepted += 1 } else { counts.refused += 1 }
            }
        }
        print("Wycheproof json_web_signature: \(counts)")
        #expect(counts.accepted > 20 && counts.refused > 200)
        #expect(counts.accepted + counts.refused + counts.skipped == 401)
    }
}
