import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("Faults of attestation statements")
struct AttestationFaultTests {
    static let counts: [(AttestationStatementFormat, Int)] = [
        (.none, 1), (.packed, 19), (.tpm, 23), (.androidKey, 10), (.androidSafetyNet, 8), (.fidoU2F, 6), (.apple, 5),
        (.compound, 4),
    ]

    static let formats = counts.map(\.0)

    @Test("there is one for each rule of each format, and it is found by its name", arguments: counts)
    func catalogue(_ format: AttestationStatementFormat, _ count: Int) {
        let faults = AttestationFault.all(of: format)
        #expect(faults.count == count && Set(faults.map(\.identifier)).count == count)
        for fault in faults {
            #expect(fault.identifier == "\(format.rawValue).\(fault.rule)" && fault.description == fault.identifier)
            #expect(AttestationFault(fault.identifier) == fault)
        }
    }

    @Test("what no format has is no fault")
    func unknown() {
        for name in ["", "tpm", "tpm.", "packed.magic", "TPM.magic", "tpm.magic/1", "vendor.syntax"] {
            #expect(AttestationFault(name) == nil, "\(name)")
        }
        #expect(AttestationFault.all(of: "vendor").isEmpty)
        #expect(AttestationFault.all.count == Self.counts.map(\.1).reduce(0, +))
    }

    @Test("variants are ways of breaking one rule, the usual one first")
    func variants() throws {
        for fault in AttestationFault.all {
            let variants = fault.variants
            #expect(variants.first == fault && variants.map(\.variant) == Array(variants.indices))
            #expect(variants.allSatisfy { $0.identifier == fault.identifier } && Set(variants).count == variants.count)
            // A variant knows its siblings.
            #expect(variants.allSatisfy { $0.variants == variants })
        }
        #expect(
            try #require(AttestationFault("tpm.subjectAltName")).variants.map(\.description).last
                == "tpm.subjectAltName/3"
        )
    }

    @Test("a fault asks for another credential where it must")
    func credentialAlgorithms() throws {
        let named = AttestationFault.all.filter { $0.credentialAlgorithms != nil }
        #expect(named.map(\.identifier) == ["fido-u2f.credentialKey"])
        let needed = try #require(named[0].credentialAlgorithms)
        #expect(
            !needed.isEmpty && needed.allSatisfy { !AttestationProfile(.fidoU2F).credentialAlgorithms.contains($0) }
        )
        #expect(AttestationProfile(.fidoU2F, fault: named[0]).credentialAlgorithms == needed)
        // It is the fault of another format.
        #expect(
            AttestationProfile(.tpm, fault: named[0]).credentialAlgorithms
                == AttestationProfile(.tpm).credentialAlgorithms
        )
    }

    @Test(
        "each fault, in each way, makes other bytes than the valid twin and than every other fault",
        arguments: formats
    )
    func differs(_ format: AttestationStatementFormat) throws {
        let faults = AttestationFault.all(of: format).flatMap(\.variants)
        var seen: [[UInt8]: String] = [:]
        for fault in faults {
            let algorithm = fault.credentialAlgorithms?.first ?? .es256
            let credential = try AttestedCredential(algorithm)
            var profile = AttestationProfile(format)
            let twin = try credential.statement(profile).encoded()
            profile.fault = fault
            let broken = try credential.statement(profile).encoded()
            // Another kind of credential is the whole of this fault: the statement about it is as right as can be.
            if fault.credentialAlgorithms == nil { #expect(broken != twin, "\(fault)") }
            #expect(seen.updateValue(fault.description, forKey: broken) == nil, "\(fault)")
        }
        #expect(seen.count == faults.count)
    }

    @Test("another format's fault of the same name changes nothing", arguments: formats)
    func foreign(_ format: AttestationStatementFormat) throws {
        let credential = try AttestedCredential()
        let twin = try credential.statement(AttestationProfile(format)).encoded()
        let own = Set(AttestationFault.all(of: format).map(\.rule))
        for fault in AttestationFault.all where fault.format != format && own.contains(fault.rule) {
            #expect(try credential.statement(AttestationProfile(format, fault: fault)).encoded() == twin, "\(fault)")
        }
    }

    @Test("the same seed and moment give the same bytes, another authority others", arguments: formats)
    func determinism(_ format: AttestationStatementFormat) throws {
        let credential = try AttestedCredential()
        func make(_ name: String, _ fault: AttestationFault? = nil) throws -> [UInt8] {
            var profile = AttestationProfile(format, authority: AttestationAuthority(name: name), fault: fault)
            profile.intermediateCount = 2
            return try credential.statement(profile).encoded()
        }
        #expect(try make("Example") == make("Example"))
        #expect(try (make("Example") == make("Another")) == (format == .none))
        for fault in AttestationFault.all(of: format).flatMap(\.variants) {
            #expect(try make("Example", fault) == make("Example", fault), "\(fault)")
        }
    }

    @Test("every algorithm of an attestation key is reproducible")
    func determinismOfAlgorithms() throws {
        let credential = try AttestedCredential()
        for format in Self.formats {
            for algorithm in AttestationProfile.algorithms(of: format) {
                let profile = AttestationProfile(format, algorithm: algorithm)
                let (first, second) = try (credential.statement(profile), credential.statement(profile))
                #expect(try first.encoded() == second.encoded(), "\(format) \(algorithm)")
            }
        }
    }
}
