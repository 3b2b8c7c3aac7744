import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyWire
import Testing

@testable import PasskeyTesting

@Suite("android-safetynet: what the service answered, and what it did not")
struct SafetyNetAttestationTests {
    private let bench: StatementBench

    init() throws { bench = try StatementBench() }

    private static let host = "attest.android.com"

    private func payload(_ changes: [(String, JSONValue?)] = []) throws -> JSONObject {
        var payload: JSONObject = [
            "nonce": .string(Base64.encode(try sha256(bench.attestedBytes))),
            "timestampMs": .number(JSONNumber(1_530_000_000_000)), "ctsProfileMatch": true, "basicIntegrity": true,
        ]
        for (name, value) in changes { payload[name] = value }
        return payload
    }

    private func certificate(
        _ algorithm: COSEAlgorithmIdentifier = .rs256,
        commonName: String = host,
        hosts: [String]? = [host]
    ) throws -> [UInt8] {
        var draft = try CertificateDraft(
            subject: DraftName([("2.5.4.3", DER.utf8String(commonName))]),
            key: StatementBench.attestationKey(algorithm).publicKey,
            serial: "safetynet"
        )
        if let hosts {
            let tag = DERTag.contextSpecific(2, constructed: false)
            draft.add("2.5.29.17", DER.sequence(hosts.map { DER.element(tag, Array($0.utf8)) }))
        }
        return try draft.signed(by: AttestationStage.authority.root().issuer)
    }

    private func response(
        _ payload: [UInt8],
        header: JSONObject? = nil,
        _ algorithm: JWSAlgorithm = .rs256
    ) throws -> [UInt8] {
        let key = try StatementBench.attestationKey(algorithm.coseAlgorithm)
        let x5c = JSONValue.array([.string(Base64.encode(try certificate(algorithm.coseAlgorithm)))])
        return try JWS.sign(payload, header: header ?? ["x5c": x5c], algorithm) { (message) throws(CryptoError) in
            try key.sign(message)
        }
    }

    private func refusal(_ response: [UInt8]) throws -> String? {
        let statement = CBOR.map([.init(.text("ver"), .text("1")), .init(.text("response"), .bytes(response))])
        return try bench.refusal(statement, .androidSafetyNet)?.rule?.dropping("android-safetynet.")
    }

    private func refusal(_ payload: JSONObject) throws -> String? {
        try refusal(response(JSONValue.object(payload).serialized()))
    }

    @Test("what the payload says")
    func payloads() throws {
        #expect(try refusal(payload()) == nil)
        let bytes = try sha256(bench.attestedBytes)
        for nonce: JSONValue? in [
            nil, .null, .string(""), .string(Base64URL.encode(bytes)), .string(Base64.encode(bytes) + "\n"),
            .string(Base64.encode(bench.attestedBytes)), .array([.string(Base64.encode(bytes))]),
        ] {
            #expect(try refusal(payload([("nonce", nonce)])) == "nonce")
        }
        for match: JSONValue? in [nil, .null, false, "true", .number(JSONNumber(1))] {
            #expect(try refusal(payload([("ctsProfileMatch", match)])) == "ctsProfileMatch")
        }
        // A device's clock says nothing, and a stored statement is as old as it is.
        for time: JSONValue? in [nil, .number(JSONNumber(0)), .number(JSONNumber(4_000_000_000_000))] {
            #expect(try refusal(payload([("timestampMs", time)])) == nil)
        }
        let text = JSONValue.object(try payload()).serialized()
        let twice = text.dropLast() + Array(",\"ctsProfileMatch\":true}".utf8)
        for payload in [[], Array("[]".utf8), text + [0x7d], Array(text.dropLast()), Array(twice)] {
            #expect(try refusal(response(payload)) == "response")
        }
    }

    @Test("who signed it")
    func signers() throws {
        let payload = JSONValue.object(try payload()).serialized()
        #expect(try refusal(response(payload, .es256)) == nil)
        for algorithm in [JWSAlgorithm.ps256, .rs384, .es384] {
            #expect(try refusal(response(payload, algorithm)) == "response")
        }
        // An attacker's algorithms: none, and a public key as a secret.
        let good = String(decoding: try response(payload), as: UTF8.self)
        let parts = good.split(separator: ".")
        for algorithm in ["none", "HS256", "rs256"] {
            let header = Base64URL.encode(Array("{\"alg\":\"\(algorithm)\"}".utf8))
            for signature in [parts[2], ""] {
                #expect(try refusal(Array("\(header).\(parts[1]).\(signature)".utf8)) == "response")
            }
        }
        for text in ["", ".", "..", "a.b.c.d", good + ".", good + "\n", " " + good] {
            #expect(try refusal(Array(text.utf8)) == "response", "\(text.prefix(9))")
        }
        let certificate = JSONValue.string(Base64.encode(try certificate()))
        #expect(try refusal(response(payload, header: ["x5c": .array([certificate, certificate])])) == nil)
        for x5c: JSONValue in [
            .array([]), certificate, .array([.null]), .array([.string("!")]), .array([.string("MAA=")]),
            .array([certificate, .string("MAA=")]), .array([JSONValue](repeating: certificate, count: 17)),
        ] {
            #expect(try refusal(response(payload, header: ["x5c": x5c])) == "certificate")
        }
        #expect(try refusal(response(payload, header: [:])) == "certificate")
        let critical: JSONObject = ["x5c": .array([certificate]), "crit": .array(["x"])]
        #expect(try refusal(response(payload, header: critical)) == "response")
        let other = JSONValue.string(Base64.encode(try self.certificate(.es256)))
        #expect(try refusal(response(payload, header: ["x5c": .array([other, certificate])])) == "signature")
    }

    @Test("whom the certificate is for: its alternatives, and its common name where it has none")
    func hosts() throws {
        let payload = JSONValue.object(try payload()).serialized()
        for (commonName, hosts, isRight) in [
            (Self.host, [Self.host], true), ("Other", [Self.host], true), ("Other", ["a.example", Self.host], true),
            (Self.host, nil, true), (Self.host, [], true), ("Other", nil, false), (Self.host, ["a.example"], false),
            ("Other", ["x" + Self.host], false), ("Other", [Self.host + ".example"], false),
            ("Other", ["*.android.com"], false), ("Other", [Self.host + "\0.example"], false),
        ] as [(String, [String]?, Bool)] {
            let der = try certificate(commonName: commonName, hosts: hosts)
            let header: JSONObject = ["x5c": .array([.string(Base64.encode(der))])]
            #expect(try refusal(response(payload, header: header)) == (isRight ? nil : "hostname"), "\(hosts ?? [])")
        }
    }

    @Test("its certificates are the statement's, and lead to an anchor")
    func trust() throws {
        var bench = bench
        bench.requiresTrust = true
        var profile = AttestationProfile(.androidSafetyNet)
        profile.intermediateCount = 2
        let verdict = try bench.verdict(bench.statement(profile), .androidSafetyNet).get()
        #expect(verdict.isTrusted && verdict.type == .basic && verdict.trustPath.count == 4)
        profile.chainFault = .otherRoot
        #expect(try bench.refusal(profile)?.step == .attestationTrust)
        bench.options.allowsAndroidSafetyNet = false
        #expect(try bench.refusal(profile)?.step == .attestationFormat)
    }
}

extension String {
    /// The rest after a beginning; the whole if it does not begin so.
    fileprivate func dropping(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
