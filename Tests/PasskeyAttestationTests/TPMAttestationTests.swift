import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyWire
import Testing

@testable import PasskeyTesting

@Suite("tpm: what vendors write, and what they may not")
struct TPMAttestationTests {
    @Test("every shape is accepted, with every hash function of names", arguments: TPMShape.SubjectAltName.allCases)
    func shapes(_ shape: TPMShape.SubjectAltName) throws {
        for algorithm in [COSEAlgorithmIdentifier.es256, .rs256, .ps256] {
            let bench = try StatementBench(algorithm)
            for name in TPMShape.NameAlgorithm.allCases {
                for statesScheme in [false, true] {
                    var profile = AttestationProfile(.tpm)
                    profile.tpm.subjectAltName = shape
                    profile.tpm.nameAlgorithm = name
                    profile.tpm.statesScheme = statesScheme
                    let verdict = try bench.verdict(bench.statement(profile), .tpm).get()
                    #expect(verdict.type == .attestationCA && verdict.isTypeCertain, "\(algorithm) \(name)")
                }
            }
            for fault in try #require(AttestationFault("tpm.subjectAltName")).variants {
                var profile = AttestationProfile(.tpm, fault: fault)
                profile.tpm.subjectAltName = shape
                #expect(try bench.refusal(profile)?.rule == "tpm.subjectAltName", "\(fault)")
            }
        }
    }

    // MARK: The certificate

    private typealias Attribute = (oid: String, value: [UInt8])

    private static let manufacturer = "2.23.133.2.1"
    private static let usual: [Attribute] = [
        (manufacturer, DER.utf8String("id:494E5443")), ("2.23.133.2.2", DER.utf8String("Model")),
        ("2.23.133.2.3", DER.utf8String("id:00020000")),
    ]

    private static func directoryName(_ attributes: [Attribute]) -> [UInt8] {
        DER.tagged(4, DraftName(attributes).der)
    }

    /// A statement whose certificate is a test's own; what it lacks is as it must be.
    private func statement(
        _ bench: StatementBench,
        subject: DraftName = DraftName([]),
        names: [UInt8]? = DER.sequence([directoryName(usual)]),
        purposes: [UInt8]? = DER.sequence([DER.objectIdentifier("2.23.133.8.3")]),
        change: (inout CertificateDraft) -> Void = { _ in }
    ) throws -> CBOR {
        let key = try StatementBench.attestationKey(.rs256)
        var draft = try CertificateDraft(subject: subject, key: key.publicKey, serial: "aik")
        if let names { draft.add("2.5.29.17", isCritical: true, names) }
        if let purposes { draft.add("2.5.29.37", purposes) }
        draft.addBasicConstraints(isCA: false)
        change(&draft)
        let certificate = try draft.signed(by: AttestationStage.authority.root().issuer)
        return try bench.statement(AttestationProfile(.tpm)).setting("x5c", .array([.bytes(certificate)]))
    }

    @Test("Subject Alternative Name: all three attributes with something in them, wherever they stand")
    func subjectAltName() throws {
        let bench = try StatementBench()
        func rule(_ names: [UInt8]?) throws -> String? {
            try bench.refusal(statement(bench, names: names), .tpm)?.rule
        }
        let host = DER.element(.contextSpecific(2, constructed: false), Array("tpm.example".utf8))
        #expect(try rule(DER.sequence([Self.directoryName(Self.usual)])) == nil)
        #expect(try rule(DER.sequence([host, Self.directoryName(Self.usual.reversed())])) == nil)
        #expect(try rule(DER.sequence(Self.usual.map { Self.directoryName([$0]) })) == nil)
        for index in Self.usual.indices {
            var empty = Self.usual
            empty[index].value = DER.utf8String("")
            var missing = Self.usual
            missing.remove(at: index)
            for names in [empty, missing] {
                #expect(try rule(DER.sequence([Self.directoryName(names)])) == "tpm.subjectAltName")
            }
        }
        // The attributes' names beside the extension, in another kind of name, or in what is no list of names.
        for names: [UInt8]? in [nil, DER.sequence([]), DER.sequence([host]), DraftName(Self.usual).der, [0x30]] {
            #expect(try rule(names) == "tpm.subjectAltName")
        }
        let twice = try statement(bench) { draft in draft.add("2.5.29.17", DER.sequence([host])) }
        #expect(try bench.refusal(twice, .tpm)?.rule == "tpm.subjectAltName")
    }

    @Test("the manufacturer: each that the certificate tells must be listed, byte by byte")
    func manufacturers() throws {
        var bench = try StatementBench()
        let other: Attribute = (Self.manufacturer, DER.utf8String("id:0BADF00D"))
        let both = try statement(bench, names: DER.sequence([Self.directoryName(Self.usual + [other])]))
        let one = try statement(bench)
        #expect(try bench.refusal(one, .tpm) == nil && bench.refusal(both, .tpm) == nil)
        let lists: [(Set<String>, one: Bool, both: Bool)] = [
            (["id:494E5443"], true, false), (["id:0BADF00D"], false, false), ([], false, false),
            (["id:494E5443", "id:0BADF00D"], true, true), (["id:494e5443", "494E5443", "id:494E5443 "], false, false),
        ]
        for (list, acceptsOne, acceptsBoth) in lists {
            bench.options.tpmManufacturers = .only(list)
            #expect(try bench.refusal(one, .tpm)?.rule == (acceptsOne ? nil : "tpm.manufacturer"), "\(list)")
            #expect(try bench.refusal(both, .tpm)?.rule == (acceptsBoth ? nil : "tpm.manufacturer"), "\(list)")
        }
    }

    @Test("Extended Key Usage: tcg-kp-AIKCertificate, among others or alone")
    func purposes() throws {
        let bench = try StatementBench()
        func rule(_ purposes: [String]?) throws -> String? {
            let value = purposes.map { DER.sequence($0.map { DER.objectIdentifier($0) }) }
            return try bench.refusal(statement(bench, purposes: value), .tpm)?.rule
        }
        #expect(try rule(["2.23.133.8.3"]) == nil && rule(["1.3.6.1.4.1.311.21.36", "2.23.133.8.3"]) == nil)
        // Those of an endorsement key and of a platform certificate, any purpose, and one that begins alike.
        for purposes in [nil, ["2.23.133.8.1"], ["2.23.133.8.2"], ["2.5.29.37.0"], ["2.23.133.8.3.1"]] {
            #expect(try rule(purposes) == "tpm.extendedKeyUsage", "\(purposes ?? [])")
        }
        let twice = try statement(bench) { draft in
            draft.add("2.5.29.37", DER.sequence([DER.objectIdentifier("2.23.133.8.3")]))
        }
        #expect(try bench.refusal(twice, .tpm)?.rule == "tpm.extendedKeyUsage")
    }

    // MARK: The structures

    /// A statement about an area, and what else is signed, of a test's own.
    private func statement(
        _ bench: StatementBench,
        area: (inout [UInt8]) -> Void,
        info: (inout [UInt8]) -> Void = { _ in }
    ) throws -> CBOR {
        let statement = try bench.statement(AttestationProfile(.tpm))
        guard case .bytes(let made)? = statement[.text("pubArea")],
            case .bytes(var certInfo)? = statement[.text("certInfo")]
        else { throw CancellationError() }
        var publicArea = made
        area(&publicArea)
        // The changed area's name takes the place of the other one's.
        let name = try sha256(made)
        let start = try #require(certInfo.indices.first { certInfo[$0...].starts(with: name) })
        certInfo.replaceSubrange(start..<start + name.count, with: try sha256(publicArea))
        info(&certInfo)
        let signature = try StatementBench.attestationKey(.rs256).sign(certInfo)
        return statement.setting("pubArea", .bytes(publicArea)).setting("certInfo", .bytes(certInfo))
            .setting("sig", .bytes(signature))
    }

    @Test("RSA: the length that the area tells is that of its modulus, and zero stands for the usual exponent")
    func rsaParameters() throws {
        let bench = try StatementBench(.rs256)
        func rule(_ change: (inout [UInt8]) -> Void) throws -> String? {
            try bench.refusal(statement(bench, area: change), .tpm)?.rule
        }
        // type, nameAlg, attributes, an empty policy; symmetric, scheme; keyBits at 14, and the exponent at 16.
        #expect(try rule { _ in } == nil)
        #expect(try rule { $0.replaceSubrange(16..<20, with: [0, 1, 0, 1]) } == nil)
        for exponent: [UInt8] in [[0, 0, 0, 3], [0, 1, 0, 0], [1, 0, 1, 0]] {
            #expect(try rule { $0.replaceSubrange(16..<20, with: exponent) } == "tpm.publicKey")
        }
        for bits: [UInt8] in [[0, 0], [4, 0], [7, 0xff], [0x10, 0]] {
            #expect(try rule { $0.replaceSubrange(14..<16, with: bits) } == "tpm.publicKey")
        }
    }

    @Test("what certifies no key, or is of no TPM, is refused for that, however it goes on")
    func otherStructures() throws {
        let bench = try StatementBench()
        func rule(_ change: (inout [UInt8]) -> Void) throws -> String? {
            try bench.refusal(statement(bench, area: { _ in }, info: change), .tpm)?.rule
        }
        #expect(try rule { _ in } == nil)
        // TPM_ST_ATTEST_NV, _COMMAND_AUDIT, _SESSION_AUDIT, _QUOTE, _TIME, _CREATION, _NV_DIGEST.
        for type: UInt8 in [0x14, 0x15, 0x16, 0x18, 0x19, 0x1a, 0x1c] {
            #expect(try rule { $0[5] = type } == "tpm.attestType")
            let shorter = try rule { info in
                info[5] = type
                info.removeLast(70)
            }
            #expect(shorter == "tpm.attestType")
        }
        #expect(try rule { $0[3] = 0 } == "tpm.magic")
        // clockInfo.safe, a byte before firmwareVersion's eight and the names, may have any value, and so may those.
        let names = 2 * 36
        #expect(try rule { $0[$0.count - names - 9] = 0x33 } == nil)
        #expect(try rule { $0[$0.count - names - 1] ^= 0xff } == nil)
    }

    @Test("a key that is named by a hash function that nobody knows")
    func nameAlgorithm() throws {
        let bench = try StatementBench()
        #expect(try bench.refusal(statement(bench) { $0[3] = 0x0b }, .tpm) == nil)
        for algorithm: UInt8 in [0, 0x04, 0x0c, 0x12, 0x27] {
            #expect(try bench.refusal(statement(bench) { $0[3] = algorithm }, .tpm)?.rule == "tpm.attestedName")
        }
    }
}
