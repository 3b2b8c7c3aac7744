import Foundation
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyWire
import Testing

/// What the README shows, run.
@Suite("The README's samples")
struct ReadmeTests {
    /// The four calls of a server, with a table for a store, answered by the virtual controller.
    @Test func serverAndTest() async throws {
        var table: [[UInt8]: CredentialRecord] = [:]
        let user = PublicKeyCredentialUserEntity(id: .random(), name: "ada@example.com", displayName: "Ada")
        let relyingParty = try RelyingParty(id: "example.com", name: "Example", origins: ["https://example.com"])
        let controller = VirtualAuthorizationController()
        let provider = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")

        // 1 and 2.
        let (options, ceremony) = try relyingParty.beginRegistration(for: user, excluding: [])
        let passkey = try await controller.perform(
            provider.createCredentialRegistrationRequest(options: options)
        )
        let response = try RegistrationResponse(json: passkey.registrationResponse.jsonBytes())
        let registration = try relyingParty.finishRegistration(
            response,
            ceremony,
            owner: table[response.id]?.userHandle
        )
        table[response.id] = registration.credential
        #expect(throws: RegistrationError.self) {
            try relyingParty.finishRegistration(response, ceremony, owner: table[response.id]?.userHandle)
        }

        // 3 and 4.
        let (request, signIn) = try relyingParty.beginDiscoverableAuthentication()
        let ask = provider.createCredentialAssertionRequest(options: request)
        let assertion = try AuthenticationResponse(
            json: await controller.perform(ask).authenticationResponse.jsonBytes()
        )
        let authentication = try relyingParty.finishAuthentication(assertion, signIn, table[assertion.id])
        table[assertion.id] = authentication.credential
        #expect(authentication.userHandle == user.id)

        // Once, then back to success.
        controller.next(.authorize, fails: .cancelled)
        let error = await #expect(throws: AuthorizationError.self) { try await controller.perform(ask) }
        #expect(error?.type == .cancelled)
        _ = try await controller.perform(ask)

        // One step is broken, and that one refuses.
        controller.adversary = Adversary(.originOfAnotherSite)
        let phished = try await controller.perform(ask).authenticationResponse
        let refusal = #expect(throws: AuthenticationError.self) {
            try relyingParty.finishAuthentication(phished, signIn, table[phished.id])
        }
        #expect(refusal?.step == .origin)
        controller.adversary = nil

        // A fingerprint that does not match.
        controller.authenticators[0].options.isUserVerified = false
        await #expect(throws: AuthorizationError.self) {
            var request = ask
            request.userVerificationPreference = .required
            _ = try await controller.perform(request)
        }
    }

    @Test func codec() throws {
        let signature: [UInt8] = [1, 2, 3]
        let value: CBOR = ["alg": -7, "sig": .bytes(signature), "fmt": "packed"]
        let bytes = try value.encoded(.ctap2)
        let document = try CBORDocument(bytes, mode: .deterministic)
        #expect(document.root["fmt"]?.string == "packed")
        #expect(document.diagnostic == #"{"alg": -7, "fmt": "packed", "sig": h'010203'}"#)
    }
}
