import PasskeyAttestation
import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyWire
import Testing

/// Mutations that run under the same circumstances.
struct AdversaryRun: CustomTestStringConvertible, Sendable {
    let circumstances: Circumstances
    let mutations: [Mutation]

    var testDescription: String { "\(circumstances.testDescription) (\(mutations.count))" }

    static func all(isBrief: Bool = false) -> [AdversaryRun] {
        var order: [Circumstances] = []
        var groups: [Circumstances: [Mutation]] = [:]
        for (index, mutation) in Mutation.catalogue.enumerated() {
            for circumstances in Circumstances.all(for: mutation, at: index, isBrief: isBrief) {
                if groups[circumstances] == nil { order.append(circumstances) }
                groups[circumstances, default: []].append(mutation)
            }
        }
        return order.map { AdversaryRun(circumstances: $0, mutations: groups[$0] ?? []) }
    }

    /// Whether each mutation needs a scene of its own: a counter that was moved stays moved.
    var isStateful: Bool {
        !circumstances.needs.isDisjoint(with: [.signatureCounter, .signatureCounterAtEnd, .sameCeremony])
    }
}

@Suite("Every mutation meets its verdict at its step and rule, and its happy twin is accepted")
struct AdversaryTests {
    /// A replay of what was accepted has an ID that is registered already, beside the wrong challenge.
    private static let furtherSteps: [String: Set<Int>] = ["create.replay": [26]]

    @Test(arguments: AdversaryRun.all())
    func verdicts(_ run: AdversaryRun) throws {
        var scene = try AdversaryScene(run.circumstances)
        // A counter at its end has no honest sequel: there the scene has had the twin before it.
        let hasTwin = !run.circumstances.needs.contains(.signatureCounterAtEnd)
        if hasTwin { #expect(try scene.twin().refusal == nil, "the happy twin") }
        for mutation in run.mutations {
            if run.isStateful {
                scene = try AdversaryScene(run.circumstances)
            }
            let exchange = try scene.attack(mutation)
            #expect(exchange.refusal == (mutation.isRefusedByDefault ? mutation.step : nil), "\(mutation)")
            #expect(exchange.rule == (mutation.isRefusedByDefault ? mutation.rule : nil), "\(mutation)")
            // The step that refused is the only one that finds fault: nothing behind it would have caught the mutation.
            let expected = mutation.isRefusedByDefault ? [mutation.step.number] : []
            let further = Self.furtherSteps[mutation.id] ?? []
            #expect(exchange.failed == further.union(expected), "\(mutation)")
        }
        if !run.isStateful { #expect(try scene.twin().refusal == nil, "the happy twin, afterwards") }
    }

    @Test("all of the catalogue runs, registrations under every attestation that they leave open")
    func coverage() {
        let runs = AdversaryRun.all()
        #expect(Set(runs.flatMap(\.mutations)) == Set(Mutation.catalogue))
        let free = Mutation.catalogue.filter {
            $0.ceremony == .create && $0.attestation == nil && ($0.step.number > 20 || !$0.isRefusedByDefault)
        }
        #expect(free.count > 25)
        for profile in Circumstances.profiles {
            let met = runs.filter { $0.circumstances.profile == profile && $0.circumstances.ceremony == .create }
            #expect(Set(met.flatMap(\.mutations)).isSuperset(of: free))
        }
        print("adversary: \(Mutation.catalogue.count) mutations in \(runs.map(\.mutations.count).reduce(0, +)) runs")
    }

    @Test("every rule and every chain fault that can be made is in the catalogue")
    func attestation() {
        let rules = Set(Mutation.catalogue.compactMap(\.rule))
        #expect(rules == Set(AttestationFault.all.map(\.identifier)))
        let chains: [AttestationChainFault: String] = [
            .expiredLeaf: "expired", .notYetValidLeaf: "not-yet-valid", .expiredIntermediate: "intermediate-expired",
            .otherRoot: "x5c-not-CA-chain", .intermediateIsNoAuthority: "intermediate-no-CA",
            .pathLength: "path-length", .nameConstraint: "name-constraint",
            .missingIntermediate: "intermediate-missing",
        ]
        #expect(Set(chains.keys) == Set(AttestationChainFault.allCases))
        for name in chains.values {
            #expect(Mutation(id: "create.att.packed.\(name)")?.step == .registration(.attestationTrust), "\(name)")
        }
    }

    @Test(
        "where a need is not met, the change is accepted: it is the policy that refuses it",
        arguments: [
            "create.ext.unsolicited-where-refused", "create.flags.be0bs0", "create.flags.be1bs0",
            "create.ext.prf-result-without-request-where-refused", "create.att.android-key.softwareEnforced-only",
            "create.att.tpm.vendor-unknown", "create.att.packed.expired", "create.att.stripped",
        ]
    )
    func needs(_ id: String) throws {
        let mutation = try #require(Mutation(id: id))
        let profile = mutation.attestation ?? AttestationProfile(.none)
        var scene = try AdversaryScene(Circumstances(ceremony: .create, needs: [], profile: profile))
        #expect(try scene.attack(mutation).refusal == nil)
    }

    @Test("where every algorithm is offered, the one that none should offer is still refused")
    func everyAlgorithm() throws {
        let relyingParty = try RelyingParty(id: "example.com", name: "Example", origins: ["https://example.com"])
        let user = PublicKeyCredentialUserEntity(id: .random(), name: "ada@example.com", displayName: "Ada")
        let (options, ceremony) = try relyingParty.beginRegistration(for: user, excluding: [])
        var client = VirtualClient(origin: "https://example.com")
        client.adversary = .init(.algorithmNotOffered)
        let response = try client.create(options)
        let error = try #require(throws: RegistrationError.self) {
            try relyingParty.finishRegistration(response, ceremony, owner: nil)
        }
        #expect(error.step == .algorithm)
    }

    @Test("a mutation whose circumstances are missing changes nothing quietly, but says so")
    func inapplicable() throws {
        let relyingParty = try RelyingParty(id: "example.com", name: "Example", origins: ["https://example.com"])
        let user = PublicKeyCredentialUserEntity(id: .random(), name: "ada@example.com", displayName: "Ada")
        let (options, _) = try relyingParty.beginRegistration(for: user, excluding: [])
        for id in [
            "create.replay", "create.challenge.stale", "create.credId.duplicate", "create.credId.known-to-other-user",
            "create.att.tpm.magic", "create.att.apple.wrong-root", "create.att.packed.sig-bad",
        ] {
            var client = VirtualClient(origin: "https://example.com")
            client.adversary = Adversary(try #require(Mutation(id: id)))
            let error = #expect(throws: ClientError.self, "\(id)") { try client.create(options) }
            #expect(error?.reason == .mutationNotApplicable, "\(id)")
        }
    }
}
