import Foundation
import PasskeyAuthorization
import PasskeyModel
import PasskeyTesting
import Testing

@Suite("VirtualAuthorizationController", .timeLimit(.minutes(5)))
struct ControllerTests {
    private let controller = VirtualAuthorizationController()
    private let platform = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: World.rpID)
    private let securityKey = AuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: World.rpID)
    private let challenge = Data(repeating: 0xC4, count: 32)

    private func registration(user byte: UInt8 = 1) -> AuthorizationPublicKeyCredentialRegistrationRequest {
        platform.createCredentialRegistrationRequest(challenge: challenge, name: "ada", userID: Data([byte]))
    }

    private var assertion: AuthorizationPublicKeyCredentialAssertionRequest {
        platform.createCredentialAssertionRequest(challenge: challenge)
    }

    /// What a request fails with.
    private func failure(_ request: some AuthorizationRequest) async throws -> AuthorizationErrorType {
        let error = try await #require(throws: AuthorizationError.self) { try await controller.perform(request) }
        return error.type
    }

    @Test("A platform passkey is made and signs in")
    func platformPasskey() async throws {
        let made = try await controller.perform(registration())
        #expect(made.attachment == .platform)
        #expect(made.transports == [.hybrid, .internal])
        #expect(try ClientData([UInt8](made.rawClientDataJSON)).origin == "https://example.com")
        let object = try AttestationObject([UInt8](made.rawAttestationObject))
        #expect(try Data(object.attested().credentialID) == made.credentialID)
        #expect(object.authenticatorData.flags.rawValue == 0x5D)

        let used = try await controller.perform(assertion)
        #expect(used.credentialID == made.credentialID)
        #expect(used.userID == Data([1]))
        #expect(used.attachment == .platform)
        #expect(try ClientData([UInt8](used.rawClientDataJSON)).type == "webauthn.get")
    }

    @Test("A security-key passkey lives on the security key")
    func securityKeyPasskey() async throws {
        var request = securityKey.createCredentialRegistrationRequest(
            challenge: challenge,
            displayName: "Ada",
            name: "ada",
            userID: Data([1])
        )
        request.residentKeyPreference = .required
        let made = try await controller.perform(request)
        #expect(made.attachment == .crossPlatform)
        #expect(made.transports == [.nfc, .usb])
        #expect(controller.authenticators.map(\.credentials.count) == [0, 1])
        #expect(controller.authenticators[1].credentials.map(\.userDisplayName) == ["Ada"])
        #expect(try await failure(assertion) == .noCredentialsAvailable)
        let used = try await controller.perform(securityKey.createCredentialAssertionRequest(challenge: challenge))
        #expect(used.credentialID == made.credentialID)
        #expect(try AuthenticatorData([UInt8](used.rawAuthenticatorData)).signCount == 1)
    }

    @Test("A result has its request's provider and the credential")
    func result() async throws {
        let result = try await controller.create(requests: [registration()])
        #expect(result.provider is AuthorizationPlatformPublicKeyCredentialProvider)
        #expect(result.credential is PasskeyRegistrationCredential)
    }

    @Test("A platform makes discoverable passkeys, whatever is asked")
    func alwaysDiscoverable() async throws {
        var request = registration()
        request.residentKeyPreference = .discouraged
        _ = try await controller.perform(request)
        #expect(controller.authenticators[0].credentials.map(\.isDiscoverable) == [true])
    }

    @Test("An excluded credential")
    func excluded() async throws {
        let made = try await controller.perform(registration())
        var request = registration(user: 2)
        request.excludedCredentials = [PublicKeyCredentialDescriptor(credentialID: made.credentialID)]
        #expect(try await failure(request) == .excludeCredentialsMatch)
        #expect(controller.authenticators[0].credentials.count == 1)
        request.excludedCredentials = [PublicKeyCredentialDescriptor(credentialID: Data([1]))]
        _ = try await controller.perform(request)
    }

    @Test("Allowed credentials")
    func allowed() async throws {
        let first = try await controller.perform(registration(user: 1))
        let second = try await controller.perform(registration(user: 2))
        for made in [first, second] {
            var request = assertion
            request.allowedCredentials = [PublicKeyCredentialDescriptor(credentialID: made.credentialID)]
            #expect(try await controller.perform(request).credentialID == made.credentialID)
        }
        var request = assertion
        request.allowedCredentials = [PublicKeyCredentialDescriptor(credentialID: Data([1]))]
        #expect(try await failure(request) == .noCredentialsAvailable)
    }

    @Test("No credentials, whichever are preferred", arguments: [true, false])
    func noCredentials(_ prefersLocal: Bool) async throws {
        let error = try await #require(throws: AuthorizationError.self) {
            try await controller.authorize(
                requests: [assertion],
                preferImmediatelyAvailableCredentials: prefersLocal
            )
        }
        #expect(error.type == .noCredentialsAvailable)
        #expect((error.originalError as? ClientError)?.name == .notAllowed)
        _ = try await controller.perform(registration())
        _ = try await controller.authorize(
            requests: [assertion],
            preferImmediatelyAvailableCredentials: prefersLocal
        )
    }

    @Test("Immediately available credentials are not on a security key")
    func immediatelyAvailable() async throws {
        _ = try await controller.perform(
            securityKey.createCredentialRegistrationRequest(challenge: challenge, name: "ada", userID: Data([1]))
        )
        var request = securityKey.createCredentialAssertionRequest(challenge: challenge)
        request.allowedCredentials = controller.authenticators[1].credentials.map { $0.descriptor() }
        let error = try await #require(throws: AuthorizationError.self) {
            try await controller.authorize(requests: [request], preferImmediatelyAvailableCredentials: true)
        }
        #expect(error.type == .noCredentialsAvailable)
        _ = try await controller.authorize(requests: [request])
    }

    @Test("What goes wrong on the device has its own type")
    func deviceErrors() async throws {
        let authenticator = controller.authenticators[0]
        _ = try await controller.perform(registration())
        let cases: [((inout VirtualAuthenticatorOptions) -> Void, AuthorizationErrorType, AuthorizationErrorType)] = [
            ({ $0.isUserConsenting = false }, .cancelled, .cancelled),
            ({ $0.isUserVerified = false }, .userVerificationFailed, .userVerificationFailed),
            ({ $0.hasUserVerification = false }, .deviceNotConfigured, .noCredentialsAvailable),
        ]
        for (change, create, get) in cases {
            authenticator.options = World.options(change)
            var (registration, assertion) = (registration(), assertion)
            registration.userVerificationPreference = .required
            assertion.userVerificationPreference = .required
            #expect(try await failure(registration) == create)
            #expect(try await failure(assertion) == get)
        }
        authenticator.options = World.options { $0.algorithms = [.rs256] }
        #expect(try await failure(registration()) == .functionNotSupported)
        controller.authenticators = []
        #expect(try await failure(registration()) == .deviceNotConfigured)
        #expect(try await failure(assertion) == .noCredentialsAvailable)
    }

    @Test("A domain that the application is not associated with, and an origin that is not the RP ID's")
    func domains() async throws {
        controller.associatedDomains = ["other.example"]
        #expect(try await failure(registration()) == .domainNotAssociated)
        #expect(try await failure(assertion) == .domainNotAssociated)
        controller.associatedDomains = [World.rpID]
        _ = try await controller.perform(registration())
        controller.associatedDomains = nil
        controller.origin = { _ in "https://other.example" }
        #expect(try await failure(assertion) == .domainNotAssociated)
        controller.origin = { "https://login." + $0 }
        let used = try await controller.perform(assertion)
        #expect(try ClientData([UInt8](used.rawClientDataJSON)).origin == "https://login.example.com")
    }

    @Test("Client data as a native application sends it")
    func nativeForm() async throws {
        controller.clientDataForm = .native
        #expect(controller.clientProfile.clientDataForm == .native)
        let made = try await controller.perform(registration())
        let text = String(decoding: made.rawClientDataJSON, as: UTF8.self)
        #expect(
            text
                == #"{"type":"webauthn.create","challenge":"xMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMQ","#
                + #""origin":"https://example.com"}"#
        )
    }

    @Test("Requests of the wrong kind, none, and those that cannot be written")
    func wrongRequests() async throws {
        for requests in [[], [assertion]] as [[any AuthorizationRequest]] {
            let error = try await #require(throws: AuthorizationError.self) {
                try await controller.create(requests: requests)
            }
            #expect(error.type == .functionNotSupported)
        }
        let error = try await #require(throws: AuthorizationError.self) {
            try await controller.authorize(requests: [registration()])
        }
        #expect(error.type == .functionNotSupported)
        let nobody = platform.createCredentialRegistrationRequest(challenge: challenge, name: "ada", userID: Data())
        #expect(try await failure(nobody) == .encoding)
        #expect(try await failure(platform.createCredentialAssertionRequest(challenge: Data())) == .encoding)
    }

    @Test("Several requests are alternatives: the first that can be fulfilled is")
    func alternatives() async throws {
        var onKey = securityKey.createCredentialRegistrationRequest(
            challenge: challenge,
            name: "ada",
            userID: Data([1])
        )
        onKey.residentKeyPreference = .required
        let made = try await controller.perform(onKey)
        let both: [any AuthorizationRequest] = [
            assertion, securityKey.createCredentialAssertionRequest(challenge: challenge),
        ]
        let result = try await controller.authorize(requests: both)
        #expect(result.provider is AuthorizationSecurityKeyPublicKeyCredentialProvider)
        #expect((result.credential as? PasskeyAssertionCredential)?.credentialID == made.credentialID)
        controller.authenticators[1].removeAllCredentials()
        let error = try await #require(throws: AuthorizationError.self) {
            try await controller.authorize(requests: both)
        }
        #expect(error.type == .noCredentialsAvailable)
        controller.authenticators = [VirtualAuthenticator(.securityKey)]
        #expect(
            try await controller.create(requests: [registration(), onKey]).provider
                is AuthorizationSecurityKeyPublicKeyCredentialProvider
        )
    }

    @Test("A credential is removed by RP ID and ID")
    func removal() async throws {
        let made = try await controller.perform(registration())
        #expect(controller.removeCredential(relyingPartyID: "other.example", credentialID: made.credentialID) == nil)
        #expect(controller.removeCredential(relyingPartyID: World.rpID, credentialID: Data([1])) == nil)
        let removed = controller.removeCredential(relyingPartyID: World.rpID, credentialID: made.credentialID)
        #expect(removed?.id == [UInt8](made.credentialID))
        #expect(try await failure(assertion) == .noCredentialsAvailable)
        _ = try await controller.perform(registration())
        controller.clearAllCredentials()
        #expect(controller.authenticators.map(\.credentials.count) == [0, 0])
    }

    @Test("An adversary spoils what it is told to, until it is gone")
    func adversary() async throws {
        controller.adversary = .init(.originOfAnotherSite)
        let made = try await controller.perform(registration())
        let used = try await controller.perform(assertion)
        for data in [made.rawClientDataJSON, used.rawClientDataJSON] {
            #expect(try ClientData([UInt8](data)).origin == "https://evil.example")
        }
        // Only sign-ins have a signature of their own.
        controller.adversary = .init(.signatureBitFlipped)
        #expect(controller.adversary?.mutations.map(\.id) == ["get.signature.bit-flip"])
        _ = try await controller.perform(registration())
        controller.adversary = nil
        #expect(try await ClientData([UInt8](controller.perform(assertion).rawClientDataJSON)).origin == World.origin)
        // A mutation that cannot be made is said to be none.
        controller.adversary = .init(.signatureCounterReset)
        #expect(try await failure(assertion) == .failed)
    }
}
