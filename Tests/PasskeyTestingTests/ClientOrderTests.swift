import PasskeyModel
import PasskeySystem
import PasskeyTesting
import Testing

/// A ceremony that succeeds, until something is changed.
struct ClientScene {
    var client = VirtualClient(origin: World.origin)
    var creation: PublicKeyCredentialCreationOptions
    var request: PublicKeyCredentialRequestOptions
    var mediation = CredentialMediationRequirement.optional

    /// A credential that is there.
    let registered: [UInt8]

    init() throws {
        creation = try World.creationOptions(user: 2) { $0.authenticatorSelection?.userVerification = .preferred }
        request = try World.requestOptions { $0.userVerification = .preferred }
        registered = try client.create(World.creationOptions()).id
        client.hasRecentAuthentication = true
    }

    /// What a page catches from a ceremony.
    func error(_ ceremony: Mutation.Ceremony) -> ClientError? {
        do throws(ClientError) {
            switch ceremony {
            case .create: _ = try client.create(creation, mediation: mediation)
            case .get: _ = try client.get(request, mediation: mediation)
            @unknown default: Issue.record("a ceremony that is not known")
            }
            return nil
        } catch {
            return error
        }
    }
}

/// One exit of a ceremony, and what leads to it.
struct ClientExit: Sendable, CustomTestStringConvertible {
    let name: ClientError.Name
    let reason: ClientError.Reason
    let step: Int

    /// The mediation that it needs; `nil` for any.
    var mediation: CredentialMediationRequirement?

    /// What it changes; two exits with the same one do not go together.
    var part = ""
    let change: @Sendable (inout ClientScene) -> Void

    var testDescription: String { "\(step) \(reason)" }

    init(
        _ name: ClientError.Name,
        _ reason: ClientError.Reason,
        _ step: Int,
        mediation: CredentialMediationRequirement? = nil,
        part: String = "",
        _ change: @escaping @Sendable (inout ClientScene) -> Void
    ) {
        self.name = name
        self.reason = reason
        self.step = step
        self.mediation = mediation
        self.part = part
        self.change = change
    }

    func goes(with other: ClientExit) -> Bool {
        (mediation == nil || other.mediation == nil || mediation == other.mediation)
            && (part.isEmpty || part != other.part)
    }

    func apply(to scene: inout ClientScene) {
        if let mediation { scene.mediation = mediation }
        change(&scene)
    }

    static func user(_ purpose: VirtualUser.Prompt.Purpose, _ answer: VirtualUser.Answer) -> VirtualUser {
        VirtualUser { $0.purpose == purpose ? answer : .consents }
    }

    /// The exits of §5.1.3, in order.
    static let create: [ClientExit] = [
        ClientExit(.notAllowed, .permissionsPolicy, 0) { $0.client.mayCreateCredentials = false },
        ClientExit(.notAllowed, .silentMediation, 0, mediation: .silent) { _ in },
        ClientExit(.notSupported, .unsupported, 0, mediation: .conditional) {
            $0.client.profile.capabilities[.conditionalCreate] = false
        },
        ClientExit(.notAllowed, .frame, 2, mediation: .conditional) { $0.client.sameOriginWithAncestors = false },
        ClientExit(.notAllowed, .frame, 2) {
            $0.client.sameOriginWithAncestors = false
            $0.client.hasTransientActivation = false
        },
        ClientExit(.notAllowed, .opaqueOrigin, 6, part: "origin") { $0.client.origin = "null" },
        ClientExit(.security, .invalidDomain, 7, part: "origin") { $0.client.origin = "https://127.0.0.1" },
        ClientExit(.security, .relyingPartyIdentifier, 8, part: "rp") { $0.creation.rp.id = "other.example" },
        ClientExit(.security, .relatedOrigins, 8, part: "rp") {
            $0.creation.rp.id = "other.example"
            $0.client.fetch = { _ in .file(origins: ["https://third.example"]) }
        },
        ClientExit(.notSupported, .noKnownCredentialType, 10) {
            $0.creation.pubKeyCredParams = [.init(type: "other", alg: .es256)]
        },
        ClientExit(.notSupported, .extensionInput, 12, part: "extensions") {
            $0.creation.extensions.largeBlob = LargeBlobInputs(read: true)
        },
        ClientExit(.security, .relyingPartyIdentifier, 12, part: "extensions") {
            $0.creation.extensions.appidExclude = "https://other.example/app"
        },
        ClientExit(.abort, .aborted, 16) { $0.client.signal = .abort() },
        ClientExit(.notAllowed, .noRecentAuthentication, 19, mediation: .conditional) {
            $0.client.hasRecentAuthentication = false
        },
        ClientExit(.notAllowed, .consentDenied, 19, mediation: .conditional, part: "user") {
            $0.client.user = user(.conditionalCreate, .refuses)
        },
        ClientExit(.notAllowed, .timedOut, 23) { $0.client.userDelay = .seconds(601) },
        ClientExit(.notAllowed, .dialogClosed, 22, mediation: .optional) { $0.client.closesDialog = true },
        ClientExit(.constraint, .noAuthenticator, 22, part: "verification") {
            $0.client.profile.unsuitableAuthenticator = .isConstraintError
            $0.creation.authenticatorSelection?.userVerification = .required
            $0.client.authenticators[0].options.hasUserVerification = false
        },
        ClientExit(.constraint, .userVerificationFailed, 22, mediation: .conditional, part: "verification") {
            $0.creation.authenticatorSelection?.userVerification = .required
        },
        ClientExit(.invalidState, .excludedCredential, 22) {
            $0.creation.excludeCredentials = [.init(id: $0.registered)]
        },
        ClientExit(.notAllowed, .consentDenied, 23, mediation: .optional, part: "user") {
            $0.client.user = user(.makeCredential, .refuses)
        },
        ClientExit(.notAllowed, .timedOut, 23, mediation: .optional, part: "user") {
            $0.client.user = user(.makeCredential, .ignores)
        },
        ClientExit(.notAllowed, .userVerificationFailed, 23, mediation: .optional, part: "user") {
            $0.client.user = user(.makeCredential, .failsVerification)
        },
    ]

    /// The exits of §5.1.4, in order.
    static let get: [ClientExit] = [
        ClientExit(.notAllowed, .permissionsPolicy, 0) { $0.client.mayGetCredentials = false },
        ClientExit(.notAllowed, .silentMediation, 0, mediation: .silent) { _ in },
        ClientExit(.type, .unsupported, 0, mediation: .conditional) {
            $0.client.profile.capabilities[.conditionalGet] = false
        },
        ClientExit(.notAllowed, .opaqueOrigin, 5, part: "origin") { $0.client.origin = "null" },
        ClientExit(.security, .invalidDomain, 6, part: "origin") { $0.client.origin = "https://127.0.0.1" },
        ClientExit(.security, .relyingPartyIdentifier, 7, part: "rp") { $0.request.rpId = "other.example" },
        ClientExit(.security, .relatedOrigins, 7, part: "rp") {
            $0.request.rpId = "other.example"
            $0.client.fetch = { _ in nil }
        },
        ClientExit(.syntax, .extensionInput, 9, part: "extensions") {
            $0.request.allowCredentials = [.init(id: $0.registered)]
            $0.request.extensions.prf = PRFInputs(
                evalByCredential: [.init(credentialID: [9], values: PRFValues(first: [1]))]
            )
        },
        ClientExit(.notSupported, .extensionInput, 9, part: "extensions") {
            $0.request.extensions.largeBlob = LargeBlobInputs(support: .preferred)
        },
        ClientExit(.security, .relyingPartyIdentifier, 9, part: "extensions") {
            $0.request.extensions.appid = "https://other.example/app"
        },
        ClientExit(.abort, .aborted, 13) { $0.client.signal = .abort() },
        ClientExit(.notAllowed, .timedOut, 21, mediation: .optional) { $0.client.userDelay = .seconds(601) },
        ClientExit(.notAllowed, .dialogClosed, 20, mediation: .optional) { $0.client.closesDialog = true },
        ClientExit(.notAllowed, .noCredential, 20) { $0.request.allowCredentials = [.init(id: [1])] },
        ClientExit(.notAllowed, .pending, 20, mediation: .conditional, part: "user") {
            $0.client.user = user(.conditionalGet, .refuses)
        },
        ClientExit(.notAllowed, .consentDenied, 20, mediation: .conditional, part: "user") {
            $0.client.user = user(.getAssertion, .refuses)
        },
        ClientExit(.notAllowed, .consentDenied, 21, mediation: .optional, part: "user") {
            $0.client.user = user(.getAssertion, .refuses)
        },
        ClientExit(.notAllowed, .timedOut, 21, mediation: .optional, part: "user") {
            $0.client.user = user(.getAssertion, .ignores)
        },
        ClientExit(.notAllowed, .userVerificationFailed, 21, mediation: .optional, part: "user") {
            $0.client.user = user(.getAssertion, .failsVerification)
        },
    ]

    static func all(of ceremony: Mutation.Ceremony) -> [ClientExit] { ceremony == .create ? create : get }
}

@Suite("§5.1.3 and §5.1.4: every exit, and which one comes first")
struct ClientOrderTests {
    @Test("Without a reason to fail both succeed, whatever the mediation", arguments: Mutation.Ceremony.allCases)
    func succeeds(_ ceremony: Mutation.Ceremony) throws {
        for mediation in [CredentialMediationRequirement.optional, .conditional, .required] {
            var scene = try ClientScene()
            scene.mediation = mediation
            #expect(scene.error(ceremony) == nil)
        }
    }

    @Test("Each reason alone leads to its exit", arguments: Mutation.Ceremony.allCases)
    func alone(_ ceremony: Mutation.Ceremony) throws {
        for exit in ClientExit.all(of: ceremony) {
            var scene = try ClientScene()
            exit.apply(to: &scene)
            let error = scene.error(ceremony)
            #expect(error?.name == exit.name, "\(exit.testDescription): \(error as Any)")
            #expect(error?.reason == exit.reason, "\(exit.testDescription): \(error as Any)")
            #expect(error?.step == exit.step, "\(exit.testDescription): \(error as Any)")
            #expect((error?.abortReason != nil) == (exit.name == .abort))
        }
    }

    @Test("Of two reasons the earlier one leads", arguments: Mutation.Ceremony.allCases)
    func order(_ ceremony: Mutation.Ceremony) throws {
        let exits = ClientExit.all(of: ceremony)
        for (index, first) in exits.enumerated() {
            for second in exits[(index + 1)...] where first.goes(with: second) {
                var scene = try ClientScene()
                second.apply(to: &scene)
                first.apply(to: &scene)
                let error = scene.error(ceremony)
                #expect(
                    error?.reason == first.reason && error?.step == first.step && error?.name == first.name,
                    "\(first.testDescription) with \(second.testDescription): \(error as Any)"
                )
            }
        }
    }
}
