import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyWire
import Testing

@testable import PasskeyTesting

@Suite("android-key: what keystores write, and what they may not")
struct AndroidKeyAttestationTests {
    @Test("every version of the schema is read, whoever enforces it", arguments: AndroidKeyShape.Version.allCases)
    func versions(_ version: AndroidKeyShape.Version) throws {
        for algorithm in [COSEAlgorithmIdentifier.es256, .rs256] {
            var bench = try StatementBench(algorithm)
            for enforcement in AndroidKeyShape.Enforcement.allCases {
                var profile = AttestationProfile(.androidKey)
                profile.androidKey.version = version
                profile.androidKey.enforcement = enforcement
                bench.options.androidKeys = .any
                #expect(try bench.verdict(bench.statement(profile), .androidKey).get().type == .basic)
                bench.options.androidKeys = .hardwareOnly
                let isHardware = [.trustedEnvironment, .strongBox].contains(enforcement)
                #expect(try bench.refusal(profile)?.rule == (isHardware ? nil : "android-key.origin"))
            }
        }
    }

    // MARK: Certificates of a test's own

    private static let origin = DER.tagged(702, DER.integer(0))
    private static let purpose = DER.tagged(1, DER.set([DER.integer(2)]))
    private static let oid = "1.3.6.1.4.1.11129.2.1.17"

    private static func description(
        software: [[UInt8]] = [],
        hardware: [[UInt8]] = [purpose, origin],
        levels: (Int, Int) = (1, 1)
    ) -> [UInt8] {
        DER.sequence([
            DER.integer(300), DER.enumerated(levels.0), DER.integer(300), DER.enumerated(levels.1),
            DER.octetString(StatementBench.hash), DER.octetString([]), DER.sequence(software), DER.sequence(hardware),
        ])
    }

    /// A certificate of the credential's key with descriptions of it.
    private static func leaf(
        _ bench: StatementBench,
        _ descriptions: [[UInt8]] = [description()],
        by issuer: CertificateIssuer? = nil
    ) throws -> [UInt8] {
        let subject = DraftName([("2.5.4.3", DER.utf8String("Android Keystore Key"))])
        var draft = try CertificateDraft(subject: subject, key: bench.key.publicKey, serial: "leaf")
        for description in descriptions { draft.add(oid, description) }
        return try draft.signed(by: issuer ?? AttestationStage.authority.root().issuer)
    }

    private func refusal(_ bench: StatementBench, _ certificates: [[UInt8]]) throws -> RegistrationError? {
        let statement = try bench.statement(AttestationProfile(.androidKey))
        return try bench.refusal(statement.setting("x5c", .array(certificates.map { .bytes($0) })), .androidKey)
    }

    @Test("the description is the keystore's only if no certificate above has one")
    func extendedChain() throws {
        var bench = try StatementBench()
        bench.requiresTrust = true
        // Whoever owns this key can sign a certificate with it that says anything of any other key.
        let name = DraftName([("2.5.4.3", DER.utf8String("Android Keystore Key"))])
        let owned = CertificateIssuer(name: name, key: try PrivateKey.generate(.es256))
        let leaf = try Self.leaf(bench, by: owned)
        for (descriptions, rule) in [
            ([], nil), ([Self.description()], "android-key.keyDescription"), ([[0]], "android-key.keyDescription"),
        ] as [([[UInt8]], String?)] {
            var draft = try CertificateDraft(subject: name, key: owned.key.publicKey, serial: "owned")
            draft.addBasicConstraints(isCA: true)
            draft.addKeyUsage(0x04, unused: 2)
            for description in descriptions { draft.add(Self.oid, description) }
            let above = try draft.signed(by: AttestationStage.authority.root().issuer)
            #expect(try refusal(bench, [leaf, above])?.rule == rule)
            #expect(try refusal(bench, [leaf, above, AttestationStage.authority.rootCertificate()])?.rule == rule)
        }
        let alone = try Self.leaf(bench)
        #expect(try refusal(bench, [alone]) == nil && refusal(bench, [alone, alone]) == nil)
        // A description that stands there twice is nobody's.
        let twice = try Self.leaf(bench, [Self.description(), Self.description()])
        #expect(try refusal(bench, [twice])?.rule == "android-key.keyDescription")
        #expect(try refusal(bench, [Self.leaf(bench, [])])?.rule == "android-key.keyDescription")
    }

    @Test("hardware alone: its list counts if hardware attests and hardware holds the key")
    func levels() throws {
        var bench = try StatementBench()
        for (levels, isHardware) in [
            ((1, 1), true), ((2, 2), true), ((1, 2), true), ((0, 0), false), ((0, 1), false), ((1, 0), false),
            ((3, 3), false), ((-1, 1), false),
        ] as [((Int, Int), Bool)] {
            let certificate = try Self.leaf(bench, [Self.description(levels: levels)])
            bench.options.androidKeys = .any
            #expect(try refusal(bench, [certificate]) == nil, "\(levels)")
            bench.options.androidKeys = .hardwareOnly
            #expect(try refusal(bench, [certificate])?.rule == (isHardware ? nil : "android-key.origin"), "\(levels)")
        }
    }

    @Test("purposes and origins, over both lists")
    func lists() throws {
        let bench = try StatementBench()
        let imported = DER.tagged(702, DER.integer(2))
        let verify = DER.tagged(1, DER.set([DER.integer(3)]))
        let all = DER.tagged(600, DER.null)
        let (origin, purpose) = (Self.origin, Self.purpose)
        for (software, hardware, rule) in [
            ([], [purpose, origin], nil), ([purpose, origin], [], nil), ([purpose], [origin], nil),
            ([verify], [purpose, origin], nil), ([origin], [purpose, origin], nil),
            ([imported], [purpose, origin], "origin"), ([origin], [purpose, imported], "origin"),
            ([], [purpose, origin, imported], "origin"), ([], [purpose], "origin"), ([], [], "origin"),
            ([], [origin], "purpose"), ([verify], [verify, origin], "purpose"),
            ([], [DER.tagged(1, DER.set([])), origin], "purpose"),
            ([all], [purpose, origin], "allApplications"), ([], [purpose, all, origin], "allApplications"),
        ] as [([[UInt8]], [[UInt8]], String?)] {
            let certificate = try Self.leaf(bench, [Self.description(software: software, hardware: hardware)])
            #expect(try refusal(bench, [certificate])?.rule == rule.map { "android-key." + $0 })
        }
    }
}
