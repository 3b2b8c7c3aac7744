import Foundation
import PasskeyAuthorization
import PasskeyModel
import Testing

@Suite("Requests, credentials and errors")
struct AuthorizationTests {
    private let platform = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: World.rpID)

    @Test("Creation options pass through a request without loss, but for what the provider decides")
    func creationOptions() throws {
        let options = try World.creationOptions {
            $0.excludeCredentials = [.init(id: [1, 2, 3], transports: [.usb])]
            $0.hints = [.securityKey]
            $0.attestation = .direct
            $0.attestationFormats = [.packed]
            $0.extensions.credProps = true
            $0.timeout = 123_456
            $0.pubKeyCredParams = [.init(alg: .es384), .init(type: "other", alg: .es256)]
            $0.authenticatorSelection = .init(
                authenticatorAttachment: .crossPlatform,
                residentKey: .preferred,
                userVerification: .discouraged
            )
        }
        let request = try AuthorizationPublicKeyCredentialRegistrationRequest(options: options)
        #expect(request.attachment == .crossPlatform)
        #expect(request.provider is AuthorizationSecurityKeyPublicKeyCredentialProvider)
        #expect(request.algorithms == [.es384, .es256])
        #expect(try request.creationOptions() == options)

        // The platform's provider asks for a platform authenticator and a discoverable credential.
        let platformOptions = try platform.createCredentialRegistrationRequest(options: options).creationOptions()
        #expect(platformOptions.authenticatorSelection?.authenticatorAttachment == .platform)
        #expect(platformOptions.authenticatorSelection?.residentKey == .required)
    }

    @Test("Request options pass through a request without loss")
    func requestOptions() throws {
        let options = try World.requestOptions {
            $0.allowCredentials = [.init(id: [1, 2, 3], transports: [.usb])]
            $0.hints = [.hybrid]
            $0.timeout = 123_456
            $0.userVerification = .discouraged
            $0.extensions.uvm = true
        }
        let request = try AuthorizationPublicKeyCredentialAssertionRequest(options: options)
        #expect(request.attachment == .platform)
        #expect(try request.requestOptions() == options)
    }

    @Test("Options without an RP ID need a provider that has one")
    func missingRelyingParty() throws {
        let creation = try World.creationOptions { $0.rp.id = nil }
        let request = try World.requestOptions { $0.rpId = nil }
        let first = try #require(throws: AuthorizationError.self) {
            try AuthorizationPublicKeyCredentialRegistrationRequest(options: creation)
        }
        let second = try #require(throws: AuthorizationError.self) {
            try AuthorizationPublicKeyCredentialAssertionRequest(options: request)
        }
        #expect([first.type, second.type] == [.decoding, .decoding])
        #expect(platform.createCredentialRegistrationRequest(options: creation).relyingPartyIdentifier == World.rpID)
        #expect(platform.createCredentialAssertionRequest(options: request).relyingPartyIdentifier == World.rpID)
    }

    @Test("Bytes and Data make the same requests")
    func twins() throws {
        let bytes = [UInt8](repeating: 3, count: 32)
        let first = platform.createCredentialRegistrationRequest(challenge: bytes, name: "ada", userID: [1])
        let second = platform.createCredentialRegistrationRequest(
            challenge: Data(bytes),
            name: "ada",
            userID: Data([1])
        )
        #expect(try first.creationOptions() == second.creationOptions())
        #expect(
            try platform.createCredentialAssertionRequest(challenge: bytes).requestOptions()
                == platform.createCredentialAssertionRequest(challenge: Data(bytes)).requestOptions()
        )
        #expect(PublicKeyCredentialDescriptor(credentialID: Data([1])) == PublicKeyCredentialDescriptor(id: [1]))
    }

    @Test(
        "A timeout is whole milliseconds, held at the bounds",
        arguments: [
            (Duration.milliseconds(1500), 1500 as UInt32), (.microseconds(1999), 1), (.seconds(-5), 0),
            (.seconds(Int64.max), .max), (.seconds(Int64.min), 0),
        ]
    )
    func timeout(_ duration: Duration, _ milliseconds: UInt32) throws {
        var request = platform.createCredentialAssertionRequest(challenge: [UInt8](repeating: 3, count: 32))
        request.timeout = duration
        #expect(try request.requestOptions().timeout == milliseconds)
    }

    @Test("Challenge and user handle of lengths that cannot be are an encoding error")
    func lengths() throws {
        let good = Data(repeating: 1, count: 32)
        for (challenge, user) in [
            (Data(), good), (Data(repeating: 1, count: 1025), good), (good, Data()),
            (good, Data(repeating: 1, count: 65)),
        ] {
            let request = platform.createCredentialRegistrationRequest(challenge: challenge, name: "a", userID: user)
            let error = try #require(throws: AuthorizationError.self) { try request.creationOptions() }
            #expect(error.type == .encoding)
            #expect(error.originalError is ModelError)
        }
        #expect(throws: Never.self) {
            try platform.createCredentialRegistrationRequest(challenge: good, name: "a", userID: good)
                .creationOptions()
        }
    }

    @Test("Credentials and responses are the same thing in two forms")
    func responses() throws {
        var results = AuthenticationExtensionsClientOutputs()
        results.credProps = CredentialPropertiesOutput(rk: true)
        let registration = RegistrationResponse(
            id: [1],
            clientDataJSON: [2],
            attestationObject: [3],
            transports: [.usb],
            authenticatorAttachment: "cross-platform",
            clientExtensionResults: results
        )
        let made = PasskeyRegistrationCredential(registration)
        #expect(made.registrationResponse == registration)
        #expect(try RegistrationResponse(json: [UInt8](made.registrationResponseJSON())) == registration)
        let authentication = AuthenticationResponse(
            id: [1],
            clientDataJSON: [2],
            authenticatorData: [3],
            signature: [4],
            userHandle: try World.handle(5),
            authenticatorAttachment: "platform"
        )
        let used = PasskeyAssertionCredential(authentication)
        #expect(used.authenticationResponse == authentication)
        #expect(try AuthenticationResponse(json: [UInt8](used.authenticationResponseJSON())) == authentication)

        // No user handle, and one that is too long: none.
        var anonymous = used
        for userID in [Data(), Data(repeating: 1, count: 65)] {
            anonymous.userID = userID
            #expect(anonymous.authenticationResponse.userHandle == nil)
        }
    }

    @Test("An error says what it is, to Foundation too")
    func errors() {
        let error = AuthorizationError(type: .cancelled, message: "why")
        #expect("\(error)" == "cancelled: why")
        #expect(error.localizedDescription == "cancelled: why")
        #expect((error as any Error).localizedDescription == "cancelled: why")
        #expect(AuthorizationError(type: .timedOut).errorDescription == "timedOut")
    }

    @Test("perform() gives what the request's type says, and refuses another kind of answer")
    func perform() async throws {
        struct Other: AuthorizationCredential {}
        struct Stub: AuthorizationController {
            let credential: any AuthorizationCredential

            func create(
                requests: [any AuthorizationRequest]
            ) async throws(AuthorizationError) -> AuthorizationResult {
                AuthorizationResult(provider: requests[0].provider, credential: credential)
            }
            func authorize(
                requests: [any AuthorizationRequest],
                preferImmediatelyAvailableCredentials: Bool
            ) async throws(AuthorizationError) -> AuthorizationResult {
                throw AuthorizationError(type: preferImmediatelyAvailableCredentials ? .failed : .cancelled)
            }
            func authorizeWithAutoFill(
                requests: [any AuthorizationRequest]
            ) async throws(AuthorizationError) -> AuthorizationResult {
                throw AuthorizationError(type: .notInteractive)
            }
            func cancel() async {}
        }
        let registration = platform.createCredentialRegistrationRequest(
            challenge: [UInt8](repeating: 3, count: 32),
            name: "ada",
            userID: [1]
        )
        let assertion = platform.createCredentialAssertionRequest(challenge: [UInt8](repeating: 3, count: 32))
        let passkey = PasskeyRegistrationCredential(
            credentialID: Data([1]),
            rawClientDataJSON: Data(),
            rawAttestationObject: Data()
        )
        #expect(try await Stub(credential: passkey).perform(registration) == passkey)
        let unhandled = try await #require(throws: AuthorizationError.self) {
            try await Stub(credential: Other()).perform(registration)
        }
        #expect(unhandled.type == .unhandled)
        let authorized = try await #require(throws: AuthorizationError.self) {
            try await Stub(credential: passkey).perform(assertion)
        }
        #expect(authorized.type == .cancelled)
        #expect(AuthorizationPublicKeyCredentialRegistrationRequest.operation == .create)
        #expect(AuthorizationPublicKeyCredentialAssertionRequest.operation == .authorize)
    }
}
