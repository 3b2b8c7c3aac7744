import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyWire
import Testing

/// A product as its profile has it, with one of its algorithms.
struct Product: Sendable, CustomTestStringConvertible {
    let profile: AuthenticatorProfile
    let algorithm: COSEAlgorithmIdentifier

    var testDescription: String { "\(profile.name) \(algorithm)" }

    /// What it sends to whoever asks for attestation.
    var format: AttestationStatementFormat { profile.options.attestationProfile?.format ?? profile.options.attestation }

    static let all = AuthenticatorProfile.all.flatMap { profile in
        profile.options.algorithms.map { Product(profile: profile, algorithm: $0) }
    }

    /// Metadata of the product for those that attest; managed devices attest for enterprises alone.
    func trust() throws -> AttestationVerifier {
        let options = profile.options
        let conveyance: AttestationConveyancePreference = options.attestsForEnterpriseAlone ? .enterprise : .direct
        guard let attestation = options.attestationProfile else {
            return AttestationVerifier(.verify, AttestationOptions(conveyance: conveyance))
        }
        let blob = MetadataBLOB([try MetadataBLOB.Entry(of: attestation, options.aaguid, description: profile.name)])
        var store = try TrustStore()
        store.metadata = try Metadata(blob: blob.text(), roots: [blob.rootCertificate()], at: .now())
        store.requiresMetadata = true
        return .require(store, AttestationOptions(conveyance: conveyance))
    }

    /// Registers through the client.
    ///
    /// - Parameters:
    ///   - verifier: What the relying party makes of attestation.
    ///   - adversary: Who spoils the response.
    /// - Returns: The registration, not yet verified.
    /// - Throws: What the client throws.
    func register(
        with verifier: AttestationVerifier,
        by adversary: Adversary? = nil
    ) throws -> AttestationWorkshop.Registration {
        let party = try RelyingParty(
            id: RelyingPartyIdentifier(AttestationWorkshop.rpID),
            name: "Example",
            origins: OriginPolicy([Origin(AttestationWorkshop.origin)]),
            attestation: verifier
        )
        let user = PublicKeyCredentialUserEntity(id: .random(), name: "ada@example.com", displayName: "Ada")
        let (options, ceremony) = try party.beginRegistration(
            for: user,
            excluding: [],
            RegistrationOptions(
                authenticatorSelection: .init(residentKey: .preferred, userVerification: .preferred),
                algorithms: [algorithm]
            )
        )
        var client = VirtualClient(
            origin: AttestationWorkshop.origin,
            authenticators: [VirtualAuthenticator.profile(profile)]
        )
        client.adversary = adversary
        return AttestationWorkshop.Registration(
            response: try client.create(options),
            ceremony: ceremony,
            challenge: options.challenge,
            party: party,
            client: client
        )
    }
}

@Suite("Products before our relying party, and in the hands of an adversary")
struct ProductTests {
    @Test("it trusts products, and takes those for what they are that attest to nobody", arguments: Product.all)
    func trust(_ product: Product) throws {
        let made = try product.register(with: product.trust())
        let verdict = try made.verdict.get()
        #expect(verdict.attestation.isTrusted == (product.profile.options.attestationProfile != nil))
        _ = try signIn(made, verdict.credential, by: nil).get()
    }

    private func signIn(
        _ made: AttestationWorkshop.Registration,
        _ record: CredentialRecord,
        by adversary: Adversary?
    ) throws -> Result<Authentication, AuthenticationError> {
        let (request, ceremony) = try made.party.beginAuthentication(
            of: record.userHandle,
            allowing: [record],
            AuthenticationOptions(userVerification: .preferred)
        )
        var client = try #require(made.client)
        client.adversary = adversary
        let json = try client.get(request).jsonBytes()
        return Result { () throws(AuthenticationError) in
            try made.party.finishAuthentication(AuthenticationResponse(json: json), ceremony, record)
        }
    }

    /// Making RSA keys takes time, and the product is the same.
    private static let tried = Product.all.filter { $0.algorithm != .rs256 }

    /// What needs nothing of relying party and authenticator does what it does with any of them; each product has its
    /// share.
    @Test("a mutation without needs meets its verdict whatever product it is", arguments: Self.tried.indices)
    func mutations(_ index: Int) throws {
        let product = Self.tried[index]
        let free = Mutation.catalogue.filter(\.needs.isEmpty)
        #expect(free.count > 120)
        let share = free.indices.filter { $0 % Self.tried.count == index || ($0 + 1) % Self.tried.count == index }
        let verifier = try product.trust()
        let honest = try product.register(with: verifier)
        let record = try honest.verdict.get().credential
        for mutation in share.map({ free[$0] }) {
            let expected = mutation.isRefusedByDefault ? mutation.step : nil
            do throws(ClientError) {
                let refusal = try refusal(of: mutation, product, verifier, honest, record)
                #expect(refusal == expected, "\(product.testDescription): \(mutation)")
            } catch {
                // Where there is no user handle, none can be cut short.
                #expect(error.reason == .mutationNotApplicable, "\(product.testDescription): \(mutation)")
                #expect(mutation.id == "get.userHandle.truncated", "\(product.testDescription): \(error)")
            }
        }
    }

    private func refusal(
        of mutation: Mutation,
        _ product: Product,
        _ verifier: AttestationVerifier,
        _ honest: AttestationWorkshop.Registration,
        _ record: CredentialRecord
    ) throws(ClientError) -> Mutation.Step? {
        do {
            switch mutation.ceremony {
            case .create:
                let made = try product.register(with: verifier, by: Adversary(mutation))
                if case .failure(let error) = made.verdict { return .registration(error.step) }
            case .get:
                let result = try signIn(honest, record, by: Adversary(mutation))
                if case .failure(let error) = result { return .authentication(error.step) }
            }
        } catch let error as ClientError {
            throw error
        } catch {
            Issue.record(error)
        }
        return nil
    }

    @Test("what an enterprise may know is told in a statement that is made anew, and nobody else is told")
    func enterprise() throws {
        var profile = AuthenticatorProfile.yubiKey5
        profile.options.attestationProfile?.isEnterprise = true
        let product = Product(profile: profile, algorithm: .es256)
        let mutation = try #require(Mutation(id: "create.credId.1023-bytes"))
        for conveyance in [AttestationConveyancePreference.enterprise, .direct] {
            let verifier = AttestationVerifier(.verify, AttestationOptions(conveyance: conveyance))
            for adversary in [nil, Adversary(mutation)] {
                let made = try product.register(with: verifier, by: adversary)
                let object = try AttestationObject(made.verdict.get().credential.attestationObject ?? [])
                let leaf = try #require(object.statement.value["x5c"]?.elements?.first?.byteArray)
                // id-fido-gen-ce-sernum.
                let isTold = leaf.contains(serialNumberIdentifier)
                #expect(isTold == (conveyance == .enterprise))
            }
        }
    }

    /// 1.3.6.1.4.1.45724.1.1.2 as DER has it.
    private let serialNumberIdentifier: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0xE5, 0x1C, 0x01, 0x01, 0x02]
}
