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
        // The ceremony's expiry is not in the response, its JSON shape is not the authenticator's, and trust is asked
        // for where there are trust anchors.
        #expect(registration == [.ceremony, .response, .attestationTrust])
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

@Suite("What each mutation changes")
struct MutationChangeTests {
    /// An honest ceremony and the same with a mutation, from one seed, so that what differs is the mutation's.
    ///
    /// Ed25519 signatures follow from key and message alone; the keys are drawn in the same order.
    @Test("The parts that it names, and no other", arguments: Mutation.catalogue)
    func changes(_ mutation: Mutation) throws {
        let honest = try Run(adversary: nil, mutation)
        let changed = try Run(adversary: Adversary(mutation), mutation)
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
        #expect(honest.clientExtensionResults == changed.clientExtensionResults)
        let before = try Envelope(honest.attestationObject)
        let isEnvelope = mutation.changes.contains(.attestationObject)
        guard let after = try? Envelope(changed.attestationObject) else {
            // It cannot be taken apart at all: that is a change to the object.
            #expect(isEnvelope)
            return
        }
        #expect((before.authData != after.authData) == mutation.changes.contains(.authenticatorData) || isEnvelope)
        if isEnvelope {
            #expect(honest.attestationObject != changed.attestationObject)
            #expect(after.authData == before.authData || after.authData == nil)
        } else {
            // Format and members stay; a statement's signature follows what it signs.
            #expect(after.format == before.format)
            #expect(after.others == before.others)
            if !mutation.isResigned { #expect(after.statement == before.statement) }
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
        #expect((honest.userHandle != changed.userHandle) == mutation.changes.contains(.userHandle))
        #expect(honest.authenticatorAttachment == changed.authenticatorAttachment)
        #expect(honest.clientExtensionResults == changed.clientExtensionResults)
        let isSignature = mutation.changes.contains(.signature) || mutation.isResigned
        // A signature whose s is high already is what "high-s" asks for.
        if mutation.id != "get.signature.high-s" {
            #expect((honest.signature != changed.signature) == isSignature)
        }
    }

    /// One registration and, before a sign-in is spoilt, one honest sign-in.
    private struct Run {
        let client: VirtualClient
        let registration: RegistrationResponse
        let authentication: AuthenticationResponse

        init(adversary: Adversary?, _ mutation: Mutation) throws {
            var options = VirtualAuthenticatorOptions.platform
            options.attestation = mutation.id == "create.att.packed.self" ? .none : .packed
            if mutation.needs.contains(.signatureCounter) { options.counterMode = .perCredential }
            var client = VirtualClient(origin: World.origin, authenticators: [VirtualAuthenticator(options)])
            client.random = SeededRandom.source(seed: "changes")
            client.clock = TickingClock().now
            _ = try client.create(World.creationOptions(user: 2))
            client.adversary = adversary
            let algorithm: COSEAlgorithmIdentifier = mutation.needs.contains(.ecdsa) ? .es256 : .edDSA
            registration = try client.create(
                World.creationOptions {
                    $0.pubKeyCredParams = [.init(alg: algorithm), .init(alg: .es256)]
                    $0.attestation = .direct
                }
            )
            client.adversary = nil
            let allowed = client.authenticators[0].credentials.prefix(1).map { $0.descriptor() }
            _ = try client.create(
                World.creationOptions {
                    $0.pubKeyCredParams = [.init(alg: algorithm)]
                    $0.authenticatorSelection?.residentKey = .discouraged
                }
            )
            _ = try client.get(World.requestOptions { $0.allowCredentials = allowed })
            client.adversary = adversary
            authentication = try client.get(World.requestOptions { $0.allowCredentials = allowed })
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
