import PasskeyAttestation
import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyWire
import Testing

/// Under which circumstances mutations run against relying parties; those that agree in them share one scene.
struct Circumstances: Hashable, Sendable, CustomTestStringConvertible {
    let ceremony: Mutation.Ceremony
    let needs: Set<Mutation.Need>

    /// The credential's algorithm.
    var algorithm = COSEAlgorithmIdentifier.es256

    /// How the credential is attested.
    var profile = AttestationProfile(.none)

    /// Whether the user is known before a sign-in.
    var isKnown = false

    var testDescription: String {
        let attestation = ceremony == .create ? " \(profile.format)\(profile.isSelf ? " (self)" : "")" : ""
        let needs = needs.map(\.rawValue).sorted().joined(separator: ", ")
        return "\(ceremony) \(algorithm)\(attestation)\(isKnown ? " known user" : ""): \(needs)"
    }

    /// How a credential can be attested: as the catalogue needs it.
    static let profiles: [AttestationProfile] = {
        var profiles: [AttestationProfile] = []
        for profile in Mutation.catalogue.compactMap(\.attestation) where !profiles.contains(profile) {
            profiles.append(profile)
        }
        return [AttestationProfile(.none)] + profiles.filter { $0.format != .none }
    }()

    /// The circumstances that a mutation's needs leave open.
    ///
    /// - Parameters:
    ///   - mutation: The mutation.
    ///   - index: Where it stands in the catalogue.
    ///   - isBrief: Whether one way is enough.
    /// - Returns: The circumstances, at least one.
    static func all(for mutation: Mutation, at index: Int, isBrief: Bool = false) -> [Circumstances] {
        let needs = mutation.needs
        if mutation.ceremony == .create {
            // What is refused before attestation is looked at, and for nothing else, meets each format in turn.
            let isEarly = mutation.isRefusedByDefault && mutation.step.number < 21
            let few = [profiles[0], profiles[1 + index % (profiles.count - 1)]]
            let own = mutation.attestation.map { [$0] }
            let open = isBrief ? Array(profiles.prefix(1)) : isEarly ? few : profiles
            return Set(own ?? open).map { Circumstances(ceremony: .create, needs: needs, profile: $0) }
        }
        let isAboutSignature = mutation.step == .authentication(.signature)
        // Making RSA keys takes time: once is enough.
        let algorithms: [COSEAlgorithmIdentifier] =
            !isAboutSignature || isBrief
            ? [.es256] : needs.contains(.ecdsa) ? [.es256, .es384, .es512, .es256K] : [.es256, .edDSA, .rs256]
        let knowsUser: Set<Mutation.Need> = [.knownUser, .knownUserAlone, .allowedCredentials]
        let knowledge =
            needs.contains(.discoverable)
            ? [false] : needs.isDisjoint(with: knowsUser) && !isBrief ? [true, false] : [true]
        return algorithms.flatMap { algorithm in
            knowledge.map { Circumstances(ceremony: .get, needs: needs, algorithm: algorithm, isKnown: $0) }
        }
    }
}

/// One ceremony as a relying party saw it.
struct Exchange {
    let operation: String
    let response: JSONValue
    let challenge: Challenge
    let format: AttestationStatementFormat

    /// What was asked for.
    let algorithms: [COSEAlgorithmIdentifier]

    /// The record of the credential before a sign-in, if the relying party has one of that ID.
    let record: CredentialRecord?

    /// The records of the credentials that may sign in.
    var candidates: [CredentialRecord] = []

    /// The step that refused, or `nil`.
    var refusal: Mutation.Step?

    /// The rule of an attestation statement format that refused, or `nil`.
    var rule: String?

    /// The steps at which a check failed, all told.
    var failed: Set<Int> = []
}

/// A relying party with a store, and a client with an authenticator, as a mutation needs them.
struct AdversaryScene {
    static let origin = "https://example.com"
    static let aaguid = AAGUID("8c1f2a55-7a3e-4c7e-9a54-2f0c64d3b0aa") ?? .zero

    let circumstances: Circumstances
    let relyingParty: RelyingParty
    private var client: VirtualClient
    private var records: [[UInt8]: CredentialRecord] = [:]

    /// A credential that is registered and not allowed.
    private var notAllowed: [UInt8]?

    private var needs: Set<Mutation.Need> { circumstances.needs }

    init(_ circumstances: Circumstances) throws {
        self.circumstances = circumstances
        let needs = circumstances.needs
        let profile = circumstances.profile
        var attestation = AttestationOptions(
            androidKeys: needs.contains(.androidHardwareRequired) ? .hardwareOnly : .any,
            allowsAndroidSafetyNet: profile.format == .androidSafetyNet
        )
        if needs.contains(.tpmManufacturersListed) { attestation.tpmManufacturers = .only(["id:494E5443"]) }
        let anchors = try TrustStore(anchors: [profile.authority.rootCertificate()])
        relyingParty = try RelyingParty(
            id: RelyingPartyIdentifier("example.com"),
            name: "Example",
            origins: OriginPolicy(
                [Origin(Self.origin)],
                framing: needs.contains(.crossOriginAllowed)
                    ? .allowed(topOrigins: [Origin("https://top.example")]) : .refused
            ),
            attestation: AttestationVerifier(
                needs.contains(.attestationTrusted)
                    ? .require(anchors) : needs.contains(.attestationNotAsked) ? .verifyIfPresent : .verify,
                attestation
            )
        )
        var options = VirtualAuthenticatorOptions.platform
        options.attestationProfile = profile
        options.honorsAttestationFormats = false
        if profile.format != .none, profile.format != .fidoU2F { options.aaguid = Self.aaguid }
        for mutation in Mutation.catalogue where mutation.needs == needs {
            options = options.meetingNeeds(of: mutation)
        }
        client = VirtualClient(origin: Self.origin, authenticators: [VirtualAuthenticator(options)])
        let clock = Counter()
        let now = Timestamp.now().millisecondsSince1970
        client.clock = { Timestamp(millisecondsSince1970: now + clock.next()) }
        try prepare()
    }

    /// Makes what a mutation needs to find: other credentials, and a credential to sign in with.
    private mutating func prepare() throws {
        if needs.contains(.anotherCredential) || circumstances.ceremony == .get { try accept(register(user: 2)) }
        if needs.contains(.anotherCredentialOfAccount) {
            let other = try accept(register(user: 1, residentKey: .discouraged))
            notAllowed = try RegistrationResponse(json: other.response.serialized()).id
        }
        guard circumstances.ceremony == .get else { return }
        try accept(register(user: 1))
        try accept(signIn())
        if needs.contains(.signatureCounterAtEnd) {
            try accept(signIn(by: Adversary(#require(Mutation(id: "get.signCount.max")))))
        }
    }

    /// An honest ceremony: the happy twin of every mutation under these circumstances.
    mutating func twin() throws -> Exchange {
        switch circumstances.ceremony {
        case .create: try register(user: 1)
        case .get: try signIn()
        }
    }

    /// The ceremony with a mutation.
    mutating func attack(_ mutation: Mutation) throws -> Exchange {
        var adversary = Adversary(mutation)
        let options = try begin()
        if needs.contains(.finishedCeremony) { adversary.recording = recording(try twin()) }
        if needs.contains(.openCeremony) { adversary.recording = try record(begin()) }
        if needs.contains(.openCeremonyOfAnotherAccount) { adversary.recording = try record(begin(user: 2)) }
        if needs.contains(.sameCeremony) { adversary.recording = recording(try accept(answer(options, by: nil))) }
        return try answer(options, by: adversary)
    }

    @discardableResult
    private func accept(_ exchange: Exchange) throws -> Exchange {
        #expect(exchange.refusal == nil, "\(circumstances.testDescription)")
        return exchange
    }

    private func recording(_ exchange: Exchange) -> Adversary.Recording {
        let json = exchange.response.serialized()
        return switch circumstances.ceremony {
        case .create: Adversary.Recording(registration: try? RegistrationResponse(json: json))
        case .get: Adversary.Recording(authentication: try? AuthenticationResponse(json: json))
        }
    }

    /// Answers a ceremony and leaves it open.
    private func record(_ begun: Begun) throws -> Adversary.Recording {
        switch begun {
        case .registration(let options, _): Adversary.Recording(registration: try client.create(options))
        case .authentication(let options, _): Adversary.Recording(authentication: try client.get(options))
        }
    }

    // MARK: Ceremonies

    private enum Begun {
        case registration(PublicKeyCredentialCreationOptions, RegistrationCeremony)
        case authentication(PublicKeyCredentialRequestOptions, AuthenticationCeremony)
    }

    private static func user(_ byte: UInt8) throws -> PublicKeyCredentialUserEntity {
        let handle = try UserHandle(bytes: [UInt8](repeating: byte, count: 16))
        return PublicKeyCredentialUserEntity(id: handle, name: "ada\(byte)@example.com", displayName: "Ada")
    }

    private mutating func register(
        user byte: UInt8,
        residentKey: ResidentKeyRequirement = .required
    ) throws -> Exchange {
        try answer(beginRegistration(byte, residentKey), by: nil)
    }

    private mutating func signIn(by adversary: Adversary? = nil) throws -> Exchange {
        try answer(beginAuthentication(), by: adversary)
    }

    private func begin(user byte: UInt8 = 1) throws -> Begun {
        switch circumstances.ceremony {
        case .create: try beginRegistration(byte, .required)
        case .get: try beginAuthentication()
        }
    }

    private func beginRegistration(_ byte: UInt8, _ residentKey: ResidentKeyRequirement) throws -> Begun {
        var options = RegistrationOptions()
        options.authenticatorSelection.residentKey = residentKey
        let others: [COSEAlgorithmIdentifier] = [.es256, .edDSA, .rs256] + (needs.contains(.es384) ? [.es384] : [])
        options.algorithms = [circumstances.algorithm] + others.filter { $0 != circumstances.algorithm }
        options.backup = BackupPolicy(
            eligibility: needs.contains(.backupEligibilityRequired) ? .required : .any,
            state: needs.contains(.backupRequired) ? .required : .any
        )
        if needs.contains(.unsolicitedExtensionsRefused) { options.unsolicitedExtensions = .refuse }
        if needs.contains(.credentialProtectionRequired) {
            options.extensions.credentialProtectionPolicy = .userVerificationRequired
            options.extensions.enforceCredentialProtectionPolicy = true
        }
        let begun = try relyingParty.beginRegistration(for: Self.user(byte), excluding: [], options)
        return .registration(begun.options, begun.ceremony)
    }

    private var allowed: [CredentialRecord] {
        records.values.filter { $0.userHandle.bytes.first == 1 && $0.id != notAllowed }
    }

    private func beginAuthentication() throws -> Begun {
        var options = AuthenticationOptions()
        if needs.contains(.unsolicitedExtensionsRefused) { options.unsolicitedExtensions = .refuse }
        guard circumstances.isKnown else {
            let begun = try relyingParty.beginDiscoverableAuthentication(options)
            return .authentication(begun.options, begun.ceremony)
        }
        let begun = try relyingParty.beginAuthentication(
            of: Self.user(1).id,
            allowing: needs.contains(.knownUserAlone) ? [] : allowed,
            options
        )
        return .authentication(begun.options, begun.ceremony)
    }

    /// Runs the client and gives what it yields to the relying party, as JSON.
    private mutating func answer(_ begun: Begun, by adversary: Adversary?) throws -> Exchange {
        client.adversary = adversary
        defer { client.adversary = nil }
        switch begun {
        case .registration(let options, let ceremony): return try register(client.create(options), options, ceremony)
        case .authentication(let options, let ceremony): return try signIn(client.get(options), options, ceremony)
        }
    }

    private mutating func register(
        _ response: RegistrationResponse,
        _ options: PublicKeyCredentialCreationOptions,
        _ ceremony: RegistrationCeremony
    ) throws -> Exchange {
        var exchange = Exchange(
            operation: "registration",
            response: response.json,
            challenge: options.challenge,
            format: circumstances.profile.format,
            algorithms: options.acceptableAlgorithms,
            record: nil
        )
        do throws(RegistrationError) {
            let response = try RegistrationResponse(json: response.jsonBytes())
            let owner = records[response.id]?.userHandle
            let report = relyingParty.verificationReport(response, ceremony, owner: owner)
            exchange.failed = report.failedSteps
            let registration = try relyingParty.finishRegistration(response, ceremony, owner: owner)
            records[registration.credential.id] = registration.credential
        } catch {
            exchange.refusal = .registration(error.step)
            exchange.rule = error.rule
        }
        return exchange
    }

    private mutating func signIn(
        _ response: AuthenticationResponse,
        _ options: PublicKeyCredentialRequestOptions,
        _ ceremony: AuthenticationCeremony
    ) throws -> Exchange {
        let record = records[response.id]
        var exchange = Exchange(
            operation: "authentication",
            response: response.json,
            challenge: options.challenge,
            format: circumstances.profile.format,
            algorithms: [],
            record: record,
            candidates: circumstances.isKnown ? allowed : [record].compactMap(\.self)
        )
        do throws(AuthenticationError) {
            let response = try AuthenticationResponse(json: response.jsonBytes())
            let report = relyingParty.verificationReport(response, ceremony, record)
            exchange.failed = report.failedSteps
            let authentication = try relyingParty.finishAuthentication(response, ceremony, record)
            records[authentication.credential.id] = authentication.credential
        } catch {
            exchange.refusal = .authentication(error.step)
        }
        return exchange
    }
}

extension VerificationReport {
    fileprivate var failedSteps: Set<Int> {
        Set(checks.filter { if case .failed = $0.verdict { true } else { false } }.map(\.step))
    }
}

/// Counts; for one thread at a time.
private final class Counter: @unchecked Sendable {
    private var count: Int64 = 0

    func next() -> Int64 {
        count += 1
        return count
    }
}
