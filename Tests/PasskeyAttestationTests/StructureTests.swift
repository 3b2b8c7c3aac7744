import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyVectors
import PasskeyWire
import Testing

@testable import PasskeyAttestation

/// What devices sign and certify, in their own binary forms.
@Suite("Structures of TPM and Android")
struct StructureTests {
    /// A statement of a profile, about a key.
    private func statement(_ format: AttestationStatementFormat, _ key: PrivateKey) throws -> CBOR {
        let data = try AuthenticatorData(
            rpIDHash: [UInt8](repeating: 1, count: 32),
            flags: [.userPresent],
            signCount: 0,
            attestedCredentialData: AttestedCredentialData(
                aaguid: .zero,
                credentialID: [1],
                credentialPublicKey: key.publicKey.encoded
            )
        )
        return try AttestationProfile(format).statement(
            authenticatorData: data,
            clientDataHash: [UInt8](repeating: 2, count: 32),
            privateKey: key.pkcs8(),
            algorithm: key.algorithm
        )
    }

    private func bytes(_ name: String, _ statement: CBOR) throws -> [UInt8] {
        guard case .bytes(let bytes)? = statement[.text(name)] else { throw CancellationError() }
        return bytes
    }

    @Test(
        "pubArea and certInfo: the whole is read, and no part of it and nothing more",
        arguments: [
            COSEAlgorithmIdentifier.es256, .es384, .es512, .rs256,
        ]
    )
    func truncations(_ algorithm: COSEAlgorithmIdentifier) throws {
        let key = try PrivateKey.generate(algorithm)
        let statement = try statement(.tpm, key)
        let area = try bytes("pubArea", statement)
        #expect(try TPMPublicArea(area).isKey(of: key.publicKey.parameters))
        #expect(try !TPMPublicArea(area).isKey(of: PrivateKey.generate(algorithm).publicKey.parameters))
        let info = try bytes("certInfo", statement)
        #expect(try TPMAttest(info).magic == TPMAttest.generatedValue)
        for count in area.indices { #expect(throws: WireError.self) { try TPMPublicArea(Array(area[..<count])) } }
        for count in info.indices { #expect(throws: WireError.self) { try TPMAttest(Array(info[..<count])) } }
        #expect(throws: WireError.self) { try TPMPublicArea(area + [0]) }
        #expect(throws: WireError.self) { try TPMAttest(info + [0]) }
    }

    @Test("pubArea of other TPMs: symmetric, scheme and KDF details, the default exponent, short coordinates")
    func variants() throws {
        let attributes: [UInt8] = [0, 4, 0, 0x72]
        let none: [UInt8] = [0, 0x10]
        let modulus = [UInt8](repeating: 0xab, count: 256)
        func rsa(_ symmetric: [UInt8], _ scheme: [UInt8], _ exponent: [UInt8]) throws -> TPMPublicArea {
            try TPMPublicArea(
                [0, 1, 0, 0x0b] + attributes + [0, 2, 9, 9] + symmetric + scheme + [8, 0] + exponent + [1, 0] + modulus
            )
        }
        for (symmetric, scheme): ([UInt8], [UInt8]) in [
            (none, none), (none, [0, 0x15]), ([0, 6, 0, 0x80, 0, 0x43], none), (none, [0, 0x14, 0, 0x0b]),
            (none, [0, 0x16, 0, 0x0b]), (none, [0, 0x1a, 0, 0x0b, 0, 1]),
        ] {
            let area = try rsa(symmetric, scheme, [0, 0, 0, 0])
            #expect(area.isKey(of: .rsa(n: modulus, e: [1, 0, 1])) && area.authPolicy == [9, 9])
        }
        #expect(try rsa(none, none, [0, 0, 0, 3]).isKey(of: .rsa(n: modulus, e: [3])))
        #expect(try !rsa(none, none, [0, 0, 0, 3]).isKey(of: .rsa(n: modulus, e: [1, 0, 1])))
        #expect(throws: WireError.self) { try rsa([0, 9, 0, 0], none, [0, 0, 0, 0]) }
        #expect(throws: WireError.self) { try rsa(none, [0, 9, 0, 0], [0, 0, 0, 0]) }
        func ecc(_ curve: UInt8, _ kdf: [UInt8], _ x: [UInt8]) throws -> TPMPublicArea {
            let y = [UInt8](repeating: 7, count: 32)
            return try TPMPublicArea(
                [0, 0x23, 0, 4] + attributes + [0, 0] + none + none + [0, curve] + kdf + [0, UInt8(x.count)] + x
                    + [0, 32] + y
            )
        }
        let short = [UInt8](repeating: 5, count: 31)
        let y = [UInt8](repeating: 7, count: 32)
        // A coordinate whose first byte is zero may come without it.
        #expect(try ecc(3, none, short).isKey(of: .ec2(.p256, x: [0] + short, y: y)))
        #expect(try ecc(3, [0, 0x20, 0, 0x0b], [0] + short).isKey(of: .ec2(.p256, x: [0] + short, y: y)))
        #expect(try !ecc(4, none, short).isKey(of: .ec2(.p256, x: [0] + short, y: y)))
        #expect(try !ecc(0x10, none, short).isKey(of: .ec2(.p256, x: [0] + short, y: y)))
        #expect(try !ecc(3, none, short).isKey(of: .rsa(n: modulus, e: [3])))
        #expect(throws: WireError.self) { try ecc(3, [0, 9, 0, 0], short) }
        #expect(throws: WireError.self) { try TPMPublicArea([0, 0x25, 0, 0x0b] + attributes + [0, 0]) }
    }

    @Test("hash functions of names")
    func hashes() {
        #expect([4, 11, 12, 13].map { TPMHash.function($0) } == [.sha1, .sha256, .sha384, .sha512])
        #expect(TPMHash.function(0) == nil && TPMHash.function(0x12) == nil)
    }

    // MARK: Android

    private func description(
        software: [[UInt8]] = [],
        hardware: [[UInt8]] = [],
        level: [UInt8] = DER.enumerated(1),
        tail: [UInt8] = []
    ) -> [UInt8] {
        DER.sequence([
            DER.integer(200), level, DER.integer(200), level, DER.octetString([1, 2]), DER.octetString([]),
            DER.sequence(software), DER.sequence(hardware), tail,
        ])
    }

    private let origin = DER.tagged(702, DER.integer(0))
    private let purpose = DER.tagged(1, DER.set([DER.integer(2), DER.integer(3)]))

    @Test("a key description: what is asked for is found in both lists, and the rest is let be")
    func keyDescription() throws {
        let unknown = DER.tagged(999, DER.octetString([1]))
        let both = try AndroidKeyDescription(
            description(software: [unknown, origin], hardware: [purpose, DER.tagged(600, DER.null), unknown])
        )
        #expect(both.attestationVersion == 200 && both.attestationChallenge == [1, 2])
        #expect(both.softwareEnforced.origins == [0] && both.softwareEnforced.purposes.isEmpty)
        #expect(both.hardwareEnforced.purposes == [2, 3] && both.hardwareEnforced.allowsAllApplications)
        #expect(!both.softwareEnforced.allowsAllApplications && both.hardwareEnforced.origins.isEmpty)
    }

    @Test("a key description that is none")
    func badKeyDescriptions() {
        let good = description(hardware: [purpose, origin])
        for count in good.indices {
            #expect(throws: WireError.self) { try AndroidKeyDescription(Array(good[..<count])) }
        }
        for bad in [
            good + [0], description(level: DER.integer(1)), description(tail: DER.null),
            description(hardware: [DER.tagged(702, DER.octetString([0]))]),
            description(hardware: [DER.tagged(702, DER.integer(0), DER.integer(0))]),
            description(hardware: [DER.tagged(600, DER.integer(0))]),
            description(hardware: [DER.tagged(1, DER.integer(2))]),
            DER.sequence([]), DER.octetString(good),
        ] {
            #expect(throws: WireError.self) { try AndroidKeyDescription(bad) }
        }
    }

    @Test(
        "hardware alone: what software says does not count, where an option says so",
        arguments: [
            ("akey-auth-list-118-01", nil), ("akey-auth-list-118-02", "android-key.origin"),
        ] as [(String, String?)]
    )
    func hardwareOnly(_ id: String, _ rule: String?) throws {
        let file = try JSONValue(json: Vectors.bytes(Vectors.cases + "/reports-ceremonies.json"), maximumDepth: 64)
        let response = try #require(
            file["cases"]?.array?.first { $0["id"]?.string == id }?["input"]?["response"]?["response"]
        )
        let object = try Base64URL.decode(try #require(response["attestationObject"]?.string))
        let clientData = try Base64URL.decode(try #require(response["clientDataJSON"]?.string))
        for policy in [AttestationOptions.AndroidKeyPolicy.any, .hardwareOnly] {
            let verifier = AttestationVerifier(.verify, AttestationOptions(androidKeys: policy))
            let result = Result { () throws in
                try verifier.verify(
                    attestationObject: object,
                    clientDataHash: sha256(clientData),
                    at: AttestationStage.now
                )
            }
            switch result {
            case .success(let verdict): #expect(verdict.type == .basic && (rule == nil || policy == .any))
            case .failure(let error): #expect((error as? RegistrationError)?.rule == rule && policy == .hardwareOnly)
            }
        }
    }
}

@Suite("Statements: what is read of every format")
struct StatementPartsTests {
    private func verify(_ statement: CBOR, _ format: AttestationStatementFormat) throws -> RegistrationError? {
        let key = try PrivateKey.generate(.es256)
        let data = try AuthenticatorData(
            rpIDHash: [UInt8](repeating: 1, count: 32),
            flags: [.userPresent],
            signCount: 0,
            attestedCredentialData: AttestedCredentialData(
                aaguid: .zero,
                credentialID: [1],
                credentialPublicKey: key.publicKey.encoded
            )
        )
        let object = try AttestationObject.encode(
            format: format,
            statement: statement,
            authenticatorData: data.bytes
        )
        let hash = [UInt8](repeating: 2, count: 32)
        do throws(RegistrationError) {
            _ = try AttestationVerifier(.verify, AttestationOptions(allowsAndroidSafetyNet: true)).verify(
                attestationObject: object,
                clientDataHash: hash,
                at: AttestationStage.now
            )
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "members that are missing or of another type, in every format that has them",
        arguments: [
            .packed, .tpm, .androidKey, .fidoU2F, .apple, .androidSafetyNet,
        ] as [AttestationStatementFormat]
    )
    func syntax(_ format: AttestationStatementFormat) throws {
        let certificate: CBOR = .array([.bytes([0x30, 0])])
        let good: [(String, CBOR)] = [
            ("alg", CBOR(-7)), ("sig", .bytes([1])), ("x5c", certificate), ("ver", .text("2.0")),
            ("certInfo", .bytes([1])), ("pubArea", .bytes([1])), ("response", .bytes([1])),
        ]
        let needed: [AttestationStatementFormat: [String]] = [
            .packed: ["alg", "sig", "x5c"], .tpm: ["alg", "sig", "x5c", "ver", "certInfo", "pubArea"],
            .androidKey: ["alg", "sig", "x5c"], .fidoU2F: ["sig", "x5c"], .apple: ["x5c"],
            .androidSafetyNet: ["ver", "response"],
        ]
        func map(_ members: [(String, CBOR)]) -> CBOR { .map(members.map { CBOR.Entry(.text($0.0), $0.1) }) }
        // What follows the syntax is no certificate, or no signed text.
        #expect(try verify(map(good), format)?.rule != "\(format).syntax")
        for name in try #require(needed[format]) {
            for wrong: CBOR? in [nil, .bool(true), .array([]), .array([.text("x")])] {
                if wrong == nil, name == "x5c", format == .packed { continue }
                var members = good.filter { $0.0 != name }
                if let wrong { members.append((name, wrong)) }
                let rule = try verify(map(members), format)?.rule
                #expect(rule == "\(format).syntax", "\(name) \(String(describing: wrong)): \(rule ?? "accepted")")
            }
        }
        let flood = CBOR.array([CBOR](repeating: .bytes([0x30, 0]), count: 17))
        if needed[format]?.contains("x5c") == true {
            #expect(
                try verify(map(good.filter { $0.0 != "x5c" } + [("x5c", flood)]), format)?.rule == "\(format).syntax"
            )
        }
        for other: CBOR in [.array([]), .bytes([]), .text("x"), CBOR(1)] {
            #expect(try verify(other, format)?.rule == "\(format).syntax")
        }
    }

    @Test("compound: what is no list of statements")
    func compound() throws {
        let none = CBOR.map([.init(.text("fmt"), .text("none")), .init(.text("attStmt"), .map([]))])
        #expect(try verify(.array([none, none]), .compound) == nil)
        for bad: CBOR in [
            .array([none, .text("none")]), .array([none, .map([.init(.text("fmt"), .text("none"))])]),
            .array([none, .map([.init(.text("attStmt"), .map([]))])]),
            .array([none, .map([.init(.text("fmt"), CBOR(1)), .init(.text("attStmt"), .map([]))])]), .text("x"),
        ] {
            #expect(try verify(bad, .compound)?.rule == "compound.syntax")
        }
        #expect(try verify(.array([CBOR](repeating: none, count: 17)), .compound)?.rule == "compound.count")
        let vendor = CBOR.map([.init(.text("fmt"), .text("vendor-x")), .init(.text("attStmt"), .map([]))])
        #expect(try verify(.array([none, vendor]), .compound)?.step == .attestationFormat)
    }
}

@Suite("Status reports")
struct StatusPolicyTests {
    private static let now = AttestationStage.now

    private func report(_ status: String, _ date: String? = nil, _ more: JSONObject = [:]) throws -> StatusReport {
        var object: JSONObject = ["status": .string(status)]
        if let date { object["effectiveDate"] = .string(date) }
        for member in more.members { object[member.name] = member.value }
        return try StatusReport(.object(object))
    }

    @Test("in force are the latest that is not in the future, and all without a date")
    func inForce() throws {
        let reports = [
            try report("A", "2026-01-01"), try report("B"), try report("C", "2027-01-15"),
            try report("D", "2027-01-15"),
            try report("E", "2027-01-16"), try report("F", "2020-01-01"),
        ]
        let found = StatusPolicy.default.inForce(reports, at: Self.now).map(\.status.rawValue)
        #expect(found == ["B", "D"])
        #expect(StatusPolicy.default.inForce([], at: Self.now).isEmpty)
    }

    @Test(
        "what the default refuses",
        arguments: [
            "REVOKED", "ATTESTATION_KEY_COMPROMISE", "USER_VERIFICATION_BYPASS", "USER_KEY_REMOTE_COMPROMISE",
            "USER_KEY_PHYSICAL_COMPROMISE",
        ]
    )
    func refused(_ status: String) throws {
        let reports = [try report("FIDO_CERTIFIED", "2026-01-01"), try report(status, "2026-02-01")]
        #expect(StatusPolicy.default.fault(of: reports, at: Self.now) == "\(status) since 2026-02-01")
        #expect(StatusPolicy.default.fault(of: reports.reversed(), at: Self.now) != nil)
        #expect(StatusPolicy(refused: []).fault(of: reports, at: Self.now) == nil)
        let later = reports + [try report("UPDATE_AVAILABLE", "2026-03-01")]
        #expect(StatusPolicy.default.fault(of: later, at: Self.now) == nil)
    }

    @Test("a compromised key of one batch is that batch's alone")
    func batch() throws {
        let named = try AttestationAuthority(name: "Named").rootCertificate()
        let other = try AttestationAuthority(name: "Other").rootCertificate()
        let policy = StatusPolicy.default
        for name in ["certificate", "batchCertificate"] {
            let member: JSONObject = [name: .string(Base64.encode(named))]
            let reports = [try report("ATTESTATION_KEY_COMPROMISE", nil, member)]
            #expect(policy.fault(of: reports, at: Self.now) != nil)
            #expect(policy.fault(of: reports, at: Self.now, certificates: [other, named]) != nil)
            #expect(policy.fault(of: reports, at: Self.now, certificates: [other]) == nil)
            let revoked = [try report("REVOKED", nil, member)]
            #expect(policy.fault(of: revoked, at: Self.now, certificates: [other]) != nil)
        }
        #expect(throws: MetadataError.self) { try report("REVOKED", nil, ["certificate": "!"]) }
    }

    @Test("levels of certification")
    func levels() throws {
        let levels: [(String, Double?)] = [
            ("FIDO_CERTIFIED", 1), ("FIDO_CERTIFIED_L1", 1), ("FIDO_CERTIFIED_L1plus", 1.5), ("FIDO_CERTIFIED_L2", 2),
            ("FIDO_CERTIFIED_L2plus", 2.5), ("FIDO_CERTIFIED_L3", 3), ("FIDO_CERTIFIED_L3plus", 3.5),
            ("NOT_FIDO_CERTIFIED", nil),
        ]
        let policy = StatusPolicy(leastCertificationLevel: 2)
        for (status, level) in levels {
            #expect(AuthenticatorStatus(rawValue: status).certificationLevel == level)
            let fault = policy.fault(of: [try report(status, "2026-01-01")], at: Self.now)
            #expect((fault == nil) == ((level ?? 0) >= 2), "\(status)")
        }
        #expect(policy.fault(of: [], at: Self.now) != nil)
        #expect(policy.fault(of: [try report("REVOKED"), try report("FIDO_CERTIFIED_L3")], at: Self.now) != nil)
    }
}
