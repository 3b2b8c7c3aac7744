import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("What each mutation changes")
struct MutationChangeTests {
    /// An honest ceremony and the same with a mutation, from one seed, so that what differs is the mutation's.
    ///
    /// Ed25519's signatures and those of RFC 6979 follow from key and message alone; the keys are drawn in the same
    /// order. A mutation that changes nothing fails here.
    @Test("The parts that it names, and no other", arguments: Mutation.catalogue)
    func changes(_ mutation: Mutation) throws {
        let honest = try Run(isChanged: false, mutation)
        let changed = try Run(isChanged: true, mutation)
        switch mutation.ceremony {
        case .create: try compare(honest.registration, changed.registration, mutation)
        case .get: try compare(honest.authentication, changed.authentication, mutation)
        }
        // The authenticator knows nothing of it: what it stores is the same.
        #expect(honest.client.authenticators[0].credentials == changed.client.authenticators[0].credentials)
    }

    private func compare(
        _ honest: RegistrationResponse,
        _ changed: RegistrationResponse,
        _ mutation: Mutation
    ) throws {
        #expect((honest.clientDataJSON != changed.clientDataJSON) == mutation.changes.contains(.clientData))
        #expect((honest.id != changed.id) == mutation.changes.contains(.credentialID))
        #expect(honest.transports == changed.transports)
        #expect(honest.authenticatorAttachment == changed.authenticatorAttachment)
        let results = honest.clientExtensionResults != changed.clientExtensionResults
        #expect(results == mutation.changes.contains(.clientExtensionResults))
        // Replays keep their own copies; all other changes take them away, or give wrong ones.
        if !Self.isReplay(mutation) {
            #expect((changed.claims != RegistrationResponse.Claims()) == mutation.changes.contains(.claims))
            #expect(honest.claims != changed.claims)
        }
        let before = try Envelope(honest.attestationObject)
        let isEnvelope = mutation.changes.contains(.attestationObject)
        guard let after = try? Envelope(changed.attestationObject) else {
            // It cannot be taken apart at all: that is a change to the object.
            #expect(isEnvelope)
            return
        }
        let isData = mutation.changes.contains(.authenticatorData)
        #expect((before.authData != after.authData) == isData || (isEnvelope && after.authData == nil))
        if isEnvelope {
            #expect(honest.attestationObject != changed.attestationObject)
            // Beside authenticator data, more than a signature over it is another.
            if isData { #expect(before.format != after.format || before.statement != after.statement) }
        } else {
            // Format and members stay; a statement's signature follows what it signs.
            #expect(after.format == before.format)
            #expect(after.others == before.others)
            if !mutation.isResigned, !Self.isReplay(mutation) { #expect(after.statement == before.statement) }
        }
    }

    private func compare(
        _ honest: AuthenticationResponse,
        _ changed: AuthenticationResponse,
        _ mutation: Mutation
    ) throws {
        #expect((honest.clientDataJSON != changed.clientDataJSON) == mutation.changes.contains(.clientData))
        #expect((honest.id != changed.id) == mutation.changes.contains(.credentialID))
        #expect(
            (honest.authenticatorData != changed.authenticatorData) == mutation.changes.contains(.authenticatorData)
        )
        let handles = [honest, changed].map { $0.json["response"]?["userHandle"] }
        #expect((handles[0] != handles[1]) == mutation.changes.contains(.userHandle))
        #expect(honest.authenticatorAttachment == changed.authenticatorAttachment)
        let results = honest.clientExtensionResults != changed.clientExtensionResults
        #expect(results == mutation.changes.contains(.clientExtensionResults))
        let isSignature = mutation.changes.contains(.signature) || mutation.isResigned
        // A signature whose s is high already is what "high-s" asks for.
        if mutation.id != "get.signature.high-s" {
            #expect((honest.signature != changed.signature) == isSignature)
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
            try Run(isChanged: false, mutation, seed: "\(seed)").authentication.signature
                != Run(isChanged: true, mutation, seed: "\(seed)").authentication.signature
        }
        #expect(!changed.isEmpty && changed.count < 16)
    }

    /// Registrations of two accounts and, before a sign-in is spoilt, one honest sign-in.
    private struct Run {
        let client: VirtualClient
        let registration: RegistrationResponse
        let authentication: AuthenticationResponse

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
