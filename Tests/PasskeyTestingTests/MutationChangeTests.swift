import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("What each mutation changes")
struct MutationChangeTests {
    /// Mutations with the same needs, which one honest run is the twin of.
    struct Group: CustomTestStringConvertible, Sendable {
        let mutations: [Mutation]

        var testDescription: String { "\(mutations[0].id) and \(mutations.count - 1) more" }

        static let all = Dictionary(grouping: Mutation.catalogue) {
            [$0.needs.map(\.rawValue).sorted(), [$0.ceremony.rawValue]]
        }
        .values.map(Group.init)
    }

    /// An honest ceremony and the same with a mutation, from one seed, so that what differs is the mutation's.
    ///
    /// Ed25519's signatures and those of RFC 6979 follow from key and message alone; the keys are drawn in the same
    /// order. A mutation that changes nothing fails here.
    @Test("The parts that it names, and no other", arguments: Group.all)
    func changes(_ group: Group) throws {
        let honest = try Run(isChanged: false, group.mutations[0])
        for mutation in group.mutations {
            let changed = try Run(isChanged: true, mutation)
            switch mutation.ceremony {
            case .create: try compare(honest.registration, changed.registration, mutation)
            case .get:
                try compare(#require(honest.authentication), #require(changed.authentication), mutation)
            }
            // The authenticator knows nothing of it: what it stores is the same.
            let stored = honest.client.authenticators[0].credentials
            #expect(stored == changed.client.authenticators[0].credentials, "\(mutation)")
        }
    }

    private func compare(
        _ honest: RegistrationResponse,
        _ changed: RegistrationResponse,
        _ mutation: Mutation
    ) throws {
        #expect(
            (honest.clientDataJSON != changed.clientDataJSON) == mutation.changes.contains(.clientData),
            "\(mutation)"
        )
        #expect((honest.id != changed.id) == mutation.changes.contains(.credentialID), "\(mutation)")
        #expect(honest.transports == changed.transports, "\(mutation)")
        #expect(honest.authenticatorAttachment == changed.authenticatorAttachment, "\(mutation)")
        let results = honest.clientExtensionResults != changed.clientExtensionResults
        #expect(results == mutation.changes.contains(.clientExtensionResults), "\(mutation)")
        // Replays keep their own copies; all other changes take them away, or give wrong ones.
        if !Self.isReplay(mutation) {
            #expect(
                (changed.claims != RegistrationResponse.Claims()) == mutation.changes.contains(.claims),
                "\(mutation)"
            )
            #expect(honest.claims != changed.claims, "\(mutation)")
        }
        let before = try Envelope(honest.attestationObject)
        let isEnvelope = mutation.changes.contains(.attestationObject)
        guard let after = try? Envelope(changed.attestationObject) else {
            // It cannot be taken apart at all: that is a change to the object.
            #expect(isEnvelope, "\(mutation)")
            return
        }
        let isData = mutation.changes.contains(.authenticatorData)
        #expect((before.authData != after.authData) == isData || (isEnvelope && after.authData == nil), "\(mutation)")
        if isEnvelope {
            #expect(honest.attestationObject != changed.attestationObject, "\(mutation)")
            // Beside authenticator data, more than a signature over it is another.
            if isData { #expect(before.format != after.format || before.statement != after.statement) }
        } else {
            // Format and members stay; a statement's signature follows what it signs.
            #expect(after.format == before.format, "\(mutation)")
            #expect(after.others == before.others, "\(mutation)")
            if !mutation.isResigned, !Self.isReplay(mutation) { #expect(after.statement == before.statement) }
        }
    }

    private func compare(
        _ honest: AuthenticationResponse,
        _ changed: AuthenticationResponse,
        _ mutation: Mutation
    ) throws {
        #expect(
            (honest.clientDataJSON != changed.clientDataJSON) == mutation.changes.contains(.clientData),
            "\(mutation)"
        )
        #expect((honest.id != changed.id) == mutation.changes.contains(.credentialID), "\(mutation)")
        #expect(
            (honest.authenticatorData != changed.authenticatorData) == mutation.changes.contains(.authenticatorData)
        )
        let handles = [honest, changed].map { $0.json["response"]?["userHandle"] }
        #expect((handles[0] != handles[1]) == mutation.changes.contains(.userHandle), "\(mutation)")
        #expect(honest.authenticatorAttachment == changed.authenticatorAttachment, "\(mutation)")
        let results = honest.clientExtensionResults != changed.clientExtensionResults
        #expect(results == mutation.changes.contains(.clientExtensionResults), "\(mutation)")
        let isSignature = mutation.changes.contains(.signature) || mutation.isResigned
        // A signature whose s is high already is what "high-s" asks for.
        if mutation.id != "get.signature.high-s" {
            #expect((honest.signature != changed.signature) == isSignature, "\(mutation)")
        }
    }

    private static func isReplay(_ mutation: Mutation) -> Bool {
        let needs: Set<Mutation.Need> = [
            .finishedCeremony, .openCeremony, .openCeremonyOfAnotherAccount, .sameCeremony,
        ]
        return !mutation.needs.isDisjoint(with: needs)
    }

    @Test("A high s is another signature, unless it was high before")
    func highS() throws {
        let mutation = try #require(Mutation(id: "get.signature.high-s"))
        let changed = try (0..<16).filter { seed in
            try Run(isChanged: false, mutation, seed: "\(seed)").authentication?.signature
                != Run(isChanged: true, mutation, seed: "\(seed)").authentication?.signature
        }
        #expect(!changed.isEmpty && changed.count < 16)
    }

    /// Registrations of two accounts and, before a sign-in is spoilt, one honest sign-in.
    private struct Run {
        let client: VirtualClient
        let registration: RegistrationResponse
        let authentication: AuthenticationResponse?

        init(isChanged: Bool, _ mutation: Mutation, seed: String = "changes") throws {
            var options = VirtualAuthenticatorOptions.platform
            options.attestation = .packed
            options = options.meetingNeeds(of: mutation)
            let needsCurve = mutation.needs.contains(.ecdsa) || mutation.attestation != nil
            let algorithm: COSEAlgorithmIdentifier = needsCurve ? .es256 : .edDSA
            func creation(
                user byte: UInt8 = 1,
                challenge: UInt8 = 7,
                isDiscoverable: Bool = true
            ) throws -> PublicKeyCredentialCreationOptions {
                try World.creationOptions(user: byte) { options in
                    options.challenge = (try? World.challenge(challenge)) ?? options.challenge
                    options.pubKeyCredParams = [.init(alg: algorithm), .init(alg: .es256), .init(alg: .rs256)]
                    options.attestation = .direct
                    if !isDiscoverable { options.authenticatorSelection?.residentKey = .discouraged }
                    guard mutation.needs.contains(.credentialProtectionRequired) else { return }
                    options.extensions.credentialProtectionPolicy = .userVerificationRequired
                }
            }
            var client = VirtualClient(origin: World.origin, authenticators: [VirtualAuthenticator(options)])
            client.random = SeededRandom.source(seed: seed)
            client.clock = TickingClock().now
            _ = try client.create(creation(user: 2))
            _ = try client.create(creation(isDiscoverable: false))
            var adversary = Adversary(mutation)
            adversary.recording.registration = try client.create(
                creation(
                    user: mutation.needs.contains(.openCeremonyOfAnotherAccount) ? 3 : 1,
                    challenge: mutation.needs.contains(.sameCeremony) ? 7 : 9
                )
            )
            client.adversary = isChanged ? adversary : nil
            registration = try client.create(creation())
            guard mutation.ceremony == .get else {
                (self.client, authentication) = (client, nil)
                return
            }
            client.adversary = nil
            let own = client.authenticators[0].credentials.first { credential in
                credential.isDiscoverable && credential.userHandle?.bytes.first == 1
            }
            let allowed = [try #require(own).descriptor()]
            func request(challenge: UInt8 = 7) throws -> PublicKeyCredentialRequestOptions {
                let challenge = try World.challenge(challenge)
                return try World.requestOptions { options in
                    options.challenge = challenge
                    options.allowCredentials = allowed
                }
            }
            adversary.recording.authentication = try client.get(
                request(challenge: mutation.needs.contains(.sameCeremony) ? 7 : 9)
            )
            client.adversary = isChanged ? adversary : nil
            authentication = try client.get(request())
            client.adversary = nil
            self.client = client
        }
    }

    /// An attestation object taken apart without understanding it.
    private struct Envelope {
        let format: CBOR?
        let statement: CBOR?
        let authData: [UInt8]?
        let others: Int

        init(_ bytes: [UInt8]) throws {
            let object = try CBOR(bytes, maximumDepth: 2000)
            format = object["fmt"]
            statement = object["attStmt"]
            authData = object["authData"]?.byteArray
            others = (object.entries ?? []).count
        }
    }
}
