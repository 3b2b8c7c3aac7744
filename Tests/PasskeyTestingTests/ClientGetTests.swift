import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import Testing

@Suite("§5.1.4: candidates, errors, the response")
struct ClientGetTests {
    private func refusal(
        _ client: VirtualClient,
        _ change: (inout PublicKeyCredentialRequestOptions) -> Void = { _ in }
    ) throws -> ClientError {
        try #require(throws: ClientError.self) { try client.get(World.requestOptions(change)) }
    }

    @Test("A sign-in with a discoverable credential, and one with an allowed credential")
    func signIn() throws {
        let client = VirtualClient(origin: World.origin)
        let registration = try client.create(World.creationOptions())
        let key = try AttestationObject(registration.attestationObject).attested().credentialPublicKey
        for allowed in [[], [PublicKeyCredentialDescriptor(id: registration.id)]] {
            let response = try client.get(World.requestOptions { $0.allowCredentials = allowed })
            #expect(response.id == registration.id)
            #expect(try response.userHandle == World.handle(1))
            #expect(response.authenticatorAttachment == "platform")
            #expect(response.clientExtensionResults.isEmpty)
            #expect(
                try World.verifies(
                    response.signature,
                    response.authenticatorData,
                    sha256(response.clientDataJSON),
                    publicKey: key
                )
            )
            #expect(try AuthenticationResponse(json: response.jsonBytes()) == response)
        }
    }

    @Test("No credential is a NotAllowedError: at once where an allow list says so, at the timer's end otherwise")
    func noCredential() throws {
        let client = VirtualClient(origin: World.origin)
        let discovered = try refusal(client)
        #expect((discovered.name, discovered.reason, discovered.step) == (.notAllowed, .noCredential, 21))
        let named = try refusal(client) { $0.allowCredentials = [.init(id: [1])] }
        #expect((named.name, named.reason, named.step) == (.notAllowed, .noCredential, 20))
        // A credential of another relying party, and a descriptor of a type that nobody knows.
        _ = try client.create(World.creationOptions())
        let id = client.authenticators[0].credentials[0].id
        let other = VirtualClient(origin: "https://other.example", authenticators: client.authenticators)
        let foreign = try #require(throws: ClientError.self) {
            try other.get(
                World.requestOptions {
                    $0.rpId = nil
                    $0.allowCredentials = [.init(id: id)]
                }
            )
        }
        #expect(foreign.reason == .noCredential)
        #expect(try refusal(client) { $0.allowCredentials = [.init(type: "other", id: id)] }.reason == .noCredential)
        #expect(throws: Never.self) { try client.get(World.requestOptions { $0.allowCredentials = [.init(id: id)] }) }
    }

    @Test("A credential that is not discoverable answers only where it is named")
    func notDiscoverable() throws {
        let client = VirtualClient(origin: World.origin)
        let id = try client.create(World.creationOptions { $0.authenticatorSelection?.residentKey = .discouraged }).id
        #expect(try refusal(client).reason == .noCredential)
        let response = try client.get(World.requestOptions { $0.allowCredentials = [.init(id: id)] })
        #expect(response.id == id)
        #expect(response.userHandle == nil)
    }

    @Test("No error of an authenticator is passed on")
    func errors() throws {
        let client = VirtualClient(origin: World.origin)
        _ = try client.create(World.creationOptions())
        client.authenticators[0].options.isUserConsenting = false
        let declined = try refusal(client)
        #expect((declined.name, declined.reason, declined.step) == (.notAllowed, .consentDenied, 21))
        client.authenticators[0].options.isUserConsenting = true
        client.authenticators[0].options.isUserVerified = false
        let unverified = try refusal(client)
        #expect((unverified.name, unverified.reason, unverified.step) == (.notAllowed, .userVerificationFailed, 21))
        client.authenticators[0].options.hasUserVerification = false
        #expect(try refusal(client).reason == .noAuthenticator)
        let preferred = try client.get(World.requestOptions { $0.userVerification = .preferred })
        #expect(try !AuthenticatorData(preferred.authenticatorData).flags.contains(.userVerified))
    }

    @Test("Of several authenticators the one that has the credential answers")
    func several() throws {
        let client = VirtualClient(
            origin: World.origin,
            authenticators: [VirtualAuthenticator(.platform), VirtualAuthenticator(.securityKey)]
        )
        let id = try client.create(
            World.creationOptions { $0.authenticatorSelection?.authenticatorAttachment = .crossPlatform }
        ).id
        #expect(try client.get(World.requestOptions()).id == id)
        #expect(try client.get(World.requestOptions()).authenticatorAttachment == "cross-platform")
        // The first one declines, the second one answers.
        client.authenticators[0].options.isUserConsenting = false
        #expect(try client.get(World.requestOptions()).id == id)
    }
}
