import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("The adversary's catalogue")
struct MutationCatalogueTests {
    @Test("Names are unique, and found by")
    func names() {
        let ids = Mutation.catalogue.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { Mutation(id: $0)?.id == $0 })
        #expect(Mutation(id: "create.nothing") == nil)
        for mutation in Mutation.catalogue {
            #expect(mutation.id.hasPrefix(mutation.ceremony.rawValue + "."))
            #expect(!mutation.summary.isEmpty)
            #expect(!mutation.changes.isEmpty)
            // Names go into URLs, file names and reports as they are.
            #expect(
                mutation.id.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                }
            )
            // A rule is of the statement's step, and of the format that the ceremony has.
            if let rule = mutation.rule {
                #expect(mutation.step == .registration(.attestationStatement))
                let format = mutation.attestation?.format
                #expect(format.map { rule.hasPrefix("\($0.rawValue).") } == true)
                #expect(AttestationFault(rule) != nil)
            }
            switch mutation.verdict {
            case .reject: #expect(mutation.isRefusedByDefault)
            case .accept: #expect(!mutation.isRefusedByDefault)
            case .policy: break
            }
        }
    }

    @Test("Every named attack is in the catalogue", arguments: Adversary.Attack.allCases)
    func attacks(_ attack: Adversary.Attack) {
        let adversary = Adversary(attack)
        #expect(!adversary.mutations.isEmpty)
        #expect(adversary.mutations.allSatisfy { $0.id.hasSuffix(attack.rawValue) && $0.verdict != .accept })
        #expect(Set(adversary.mutations.map(\.ceremony)).count == adversary.mutations.count)
    }

    /// Steps that no change to a response reaches: they need another policy, or are the ceremony's own.
    @Test("Every step that a response can be refused at has a mutation that must be refused there")
    func coverage() {
        let refused = Set(Mutation.catalogue.filter(\.isRefusedByDefault).map(\.step))
        let registration = RegistrationError.Step.allCases.filter { !refused.contains(.registration($0)) }
        // The ceremony's expiry is not in the response, and its JSON shape is not the authenticator's.
        #expect(registration == [.ceremony, .response])
        let authentication = AuthenticationError.Step.allCases.filter { !refused.contains(.authentication($0)) }
        #expect(authentication == [.ceremony, .response])
    }

    @Test("Every step with a mutation that must be refused is crossed by one that must be accepted, or is a twin's")
    func twins() {
        // What must be accepted is as much a part of the catalogue: a relying party that refuses all passes no test.
        for ceremony in Mutation.Ceremony.allCases {
            let accepted = Mutation.catalogue.filter { $0.ceremony == ceremony && $0.verdict == .accept }
            #expect(accepted.count >= 5)
        }
    }
}
