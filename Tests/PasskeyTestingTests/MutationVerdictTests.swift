import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyWire
import Testing

/// The circumstances of one run of a mutation against this package's relying party.
struct MutationRun: CustomTestStringConvertible, Sendable {
    let mutation: Mutation
    let algorithm: COSEAlgorithmIdentifier

    /// Whether the authenticator attests and the relying party asks for it.
    let attests: Bool

    /// Whether the user is known before a sign-in.
    let isKnown: Bool

    var testDescription: String {
        "\(mutation.id) \(algorithm)\(attests ? " packed" : "")\(isKnown ? "" : " discoverable")"
    }

    /// Every mutation in each circumstance that its needs leave open.
    static let all: [MutationRun] = Mutation.catalogue.flatMap { mutation -> [MutationRun] in
        let isAboutSignature = mutation.id.hasPrefix("get.signature.")
        let algorithms: [COSEAlgorithmIdentifier] =
            isAboutSignature && !mutation.needs.contains(.ecdsa)
            ? [.es256, .edDSA, .rs256]
            : isAboutSignature ? [.es256, .es384, .es512, .es256K] : [.es256]
        let knowledge =
            mutation.ceremony == .create || mutation.needs.contains(.discoverable)
            ? [false] : mutation.needs.isDisjoint(with: [.knownUser, .allowedCredentials]) ? [true, false] : [true]
        return algorithms.flatMap { algorithm in
            // Making RSA keys takes time.
            (algorithm == .rs256 ? [true] : knowledge).flatMap { isKnown in
                (mutation.ceremony == .create ? [true, false] : [false]).map { attests in
                    MutationRun(mutation: mutation, algorithm: algorithm, attests: attests, isKnown: isKnown)
                }
            }
        }
    }
}

/// A server with a store, a client and an authenticator, as a mutation needs them.
private struct Scene {
    let run: MutationRun
    let relyingParty: RelyingParty
    let needs: Set<Mutation.Need>
    var client: VirtualClient
    var records: [[UInt8]: CredentialRecord] = [:]

    /// A credential that is registered and not allowed.
    var notAllowed: [UInt8]?

    init(_ run: MutationRun, needs: Set<Mutation.Need>? = nil) throws {
        self.run = run
        let needs = needs ?? run.mutation.needs
        self.needs = needs
        let isVerified = needs.contains(.attestationVerified) || run.attests
        relyingParty = try RelyingParty(
            id: RelyingPartyIdentifier(World.rpID),
            name: "Example",
            origins: OriginPolicy(
                [Origin(World.origin)],
                framing: needs.contains(.crossOriginAllowed)
                    ? .allowed(topOrigins: [Origin("https://top.example")]) : .refused
            ),
            attestation: isVerified ? .verified : .optional
        )
        var options = VirtualAuthenticatorOptions.platform
        options.attestation = run.attests ? .packed : .none
        if needs.contains(.signatureCounter) { options.counterMode = .perCredential }
        if needs.contains(.notBackupEligible) { options.defaultBackupEligibility = false }
        client = VirtualClient(origin: World.origin, authenticators: [VirtualAuthenticator(options)])
    }

    mutating func register(
        user byte: UInt8,
        by adversary: Adversary?,
        residentKey: ResidentKeyRequirement = .required
    ) throws -> Result<Registration, RegistrationError> {
        var options = RegistrationOptions()
        options.authenticatorSelection.residentKey = residentKey
        if needs.isEmpty { options.authenticatorSelection.userVerification = .preferred }
        options.algorithms = [.es256, .edDSA, .rs256].filter { $0 != run.algorithm }
        options.algorithms?.insert(run.algorithm, at: 0)
        options.backup = BackupPolicy(
            eligibility: needs.contains(.backupEligibilityRequired) ? .required : .any,
            state: needs.contains(.backupRequired) ? .required : .any
        )
        if needs.contains(.unsolicitedExtensionsRefused) { options.unsolicitedExtensions = .refuse }
        let (creation, ceremony) = try relyingParty.beginRegistration(
            for: World.user(byte),
            excluding: [],
            options
        )
        client.adversary = adversary
        let response = try client.create(creation)
        client.adversary = nil
        let owner = records[response.id]?.userHandle
        let result = Result { () throws(RegistrationError) in
            try relyingParty.finishRegistration(response, ceremony, owner: owner)
        }
        if case .success(let registration) = result { records[registration.credential.id] = registration.credential }
        try check(result.failure?.step.rawValue, relyingParty.verificationReport(response, ceremony, owner: owner))
        return result
    }

    mutating func signIn(
        user byte: UInt8,
        by adversary: Adversary?
    ) throws -> Result<Authentication, AuthenticationError> {
        let user = try World.handle(byte)
        var options = AuthenticationOptions()
        if needs.contains(.unsolicitedExtensionsRefused) { options.unsolicitedExtensions = .refuse }
        let (request, ceremony) =
            run.isKnown
            ? try relyingParty.beginAuthentication(
                of: user,
                allowing: records.values.filter { $0.userHandle == user && $0.id != notAllowed },
                options
            )
            : try relyingParty.beginDiscoverableAuthentication(options)
        client.adversary = adversary
        let response = try client.get(request)
        client.adversary = nil
        let record = records[response.id]
        let result = Result { () throws(AuthenticationError) in
            try relyingParty.finishAuthentication(response, ceremony, record)
        }
        if case .success(let authentication) = result {
            records[authentication.credential.id] = authentication.credential
        }
        try check(result.failure?.step.rawValue, relyingParty.verificationReport(response, ceremony, record))
        return result
    }

    /// The step that refused is the only one that finds fault: nothing behind it would have caught the mutation.
    private func check(_ refused: Int?, _ report: VerificationReport) throws {
        let failed = report.checks.filter { if case .failed = $0.verdict { true } else { false } }
        #expect(Set(failed.map(\.step)) == Set([refused].compactMap { $0 }), "\(report)")
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

@Suite("Each mutation meets its verdict at its step, and at no other")
struct MutationVerdictTests {
    @Test(arguments: MutationRun.all)
    func verdict(_ run: MutationRun) throws {
        var scene = try Scene(run)
        let mutation = run.mutation
        let adversary = Adversary(mutation)
        // Another account's credential, on the same authenticator; it is the older one.
        scene.client.clock = TickingClock().now
        #expect(try scene.register(user: 2, by: nil).failure == nil)

        let refused: Mutation.Step?
        switch mutation.ceremony {
        case .create:
            refused = (try scene.register(user: 1, by: adversary).failure?.step).map { .registration($0) }
            // The happy twin, under the same policy.
            #expect(try scene.register(user: 1, by: nil).failure == nil)
        case .get:
            if mutation.needs.contains(.anotherCredentialOfAccount) {
                scene.notAllowed = try scene.register(user: 1, by: nil, residentKey: .discouraged).get().credential.id
            }
            #expect(try scene.register(user: 1, by: nil).failure == nil)
            #expect(try scene.signIn(user: 1, by: nil).failure == nil)
            refused = (try scene.signIn(user: 1, by: adversary).failure?.step).map { .authentication($0) }
            if mutation.id != "get.signCount.max" {
                #expect(try scene.signIn(user: 1, by: nil).failure == nil)
            }
        }
        #expect(refused == (mutation.isRefusedByDefault ? mutation.step : nil))
    }

    @Test(
        "Where a need is not met, the change is accepted: it is the policy that refuses it",
        arguments: [
            "create.ext.unsolicited-where-refused", "create.flags.uv0", "create.flags.be0bs0", "create.flags.be1bs0",
            "create.fmt.unknown", "create.fmt.empty",
        ]
    )
    func needs(_ id: String) throws {
        let mutation = try #require(Mutation(id: id))
        let run = MutationRun(mutation: mutation, algorithm: .es256, attests: false, isKnown: true)
        var scene = try Scene(run, needs: [])
        #expect(try scene.register(user: 1, by: Adversary(mutation)).failure == nil)
    }

    @Test("Where every algorithm is offered, the one that none should offer is still refused")
    func everyAlgorithm() throws {
        let relyingParty = try RelyingParty(id: World.rpID, name: "Example", origins: [World.origin])
        let (options, ceremony) = try relyingParty.beginRegistration(for: World.user(), excluding: [])
        var client = VirtualClient(origin: World.origin)
        client.adversary = .init(.algorithmNotOffered)
        let response = try client.create(options)
        let error = try #require(throws: RegistrationError.self) {
            try relyingParty.finishRegistration(response, ceremony, owner: nil)
        }
        #expect(error.step == .algorithm)
    }
}
