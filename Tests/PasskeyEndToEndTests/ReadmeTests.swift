import Foundation
import PasskeyAttestation
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

    /// An authenticator that attests, metadata about it, and a server that asks for both.
    @Test func attestation() async throws {
        let authority = AttestationAuthority()
        let aaguid = try #require(AAGUID("8c1f2a55-7a3e-4c7e-9a54-2f0c64d3b0aa"))
        let blob = MetadataBLOB([
            MetadataBLOB.Entry(
                aaguid,
                description: "Example Security Key",
                attestationRootCertificates: [try authority.rootCertificate()]
            )
        ])
        var trust = try TrustStore()
        trust.deniedAAGUIDs = [.zero]
        trust.metadata = try Metadata(blob: blob.text(), roots: [blob.rootCertificate()], at: .now())
        let relyingParty = try RelyingParty(
            id: "example.com",
            name: "Example",
            origins: ["https://example.com"],
            attestation: .require(trust)
        )
        let user = PublicKeyCredentialUserEntity(id: .random(), name: "ada@example.com", displayName: "Ada")
        let controller = VirtualAuthorizationController()
        controller.authenticators[0].options.aaguid = aaguid
        controller.authenticators[0].options.attestationProfile = AttestationProfile(.tpm, authority: authority)
        let provider = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")
        func register() async throws -> Registration {
            let (options, ceremony) = try relyingParty.beginRegistration(for: user, excluding: [])
            let passkey = try await controller.perform(
                provider.createCredentialRegistrationRequest(options: options)
            )
            return try relyingParty.finishRegistration(passkey.registrationResponse, ceremony, owner: nil)
        }
        let registration = try await register()
        #expect(registration.attestation.type == .attestationCA && registration.attestation.isTrusted)
        #expect(registration.attestation.finding?.metadata?.statement?.description == "Example Security Key")
        let later = try AttestationVerifier.require(trust).verify(registration.credential, at: .now())
        #expect(later.trustPath == registration.attestation.trustPath)
        controller.authenticators[0].options.attestationProfile?.fault = AttestationFault("tpm.magic")
        let refusal = await #expect(throws: RegistrationError.self) { try await register() }
        #expect(refusal?.rule == "tpm.magic")
    }

    /// The device, the user, outcomes, autofill, signals and the journal.
    @Test(.timeLimit(.minutes(5))) func controller() async throws {
        let controller = VirtualAuthorizationController()
        let provider = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")
        let challenge = [UInt8](repeating: 7, count: 32)
        let create = provider.createCredentialRegistrationRequest(challenge: challenge, name: "ada", userID: [1])
        let request = provider.createCredentialAssertionRequest(challenge: challenge)

        controller.authenticators = [.profile(.iCloudKeychain), .profile(.yubiKey5), .profile(.u2fKey)]
        controller.clientProfile = .iOSApplication
        controller.passwords = [PasswordCredential(user: "ada", password: "correct horse")]
        controller.associatedDomains = ["example.com"]
        let id = try await controller.perform(create).credentialID

        controller.chooses = { offered in offered.firstIndex(of: .password(user: "ada")) }
        let chosen = try await controller.authorize(requests: [request, AuthorizationPasswordRequest()])
        #expect(chosen.credential is PasswordCredential)
        controller.chooses = { _ in 0 }

        controller.user = .script([.consents, .refuses, .failsVerification, .ignores])
        var verified = request
        verified.userVerificationPreference = .required
        _ = try await controller.perform(verified)
        func failure(_ request: some AuthorizationRequest) async throws -> AuthorizationError {
            try await #require(throws: AuthorizationError.self) { try await controller.perform(request) }
        }
        for type in [AuthorizationErrorType.cancelled, .userVerificationFailed, .timedOut] {
            #expect(try await failure(verified).type == type)
        }

        controller.sleep = { _ in }
        controller.next(.create, .fails(code: .failed, underlying: .biometryNotEnrolled).after(.seconds(2)))
        controller.next(.create, .fails(exception: .security))
        controller.next(.authorize, .fails(status: .operationDenied))
        #expect(try await failure(create).type == .deviceNotConfigured)
        #expect(try await failure(create).type == .domainNotAssociated)
        let denied = try await failure(request)
        #expect((denied.originalError as? ClientError)?.authenticatorErrors.map(\.status) == [.operationDenied])
        controller.standing[.authorize] = .hangs
        var short = request
        short.timeout = .seconds(60)
        #expect(try await failure(short).type == .timedOut)

        let field = Task { try await controller.authorizeWithAutoFill(requests: [request]) }
        while !controller.isWaiting { await Task.yield() }
        controller.pickFromAutoFill()
        #expect(try await (field.value.credential as? PasskeyAssertionCredential)?.credentialID == id)

        try await controller.reportUnknownPublicKeyCredential(relyingPartyIdentifier: "example.com", credentialID: id)
        controller.standing = [:]
        #expect(try await failure(request).type == .noCredentialsAvailable)
        #expect(controller.journal.ceremonies.last?.requests.map(\.kind) == [.platformPublicKey])
    }

    /// A browser and a key alone, from a seed.
    @Test func client() throws {
        let relyingParty = try RelyingParty(id: "example.com", name: "Example", origins: ["https://login.example.com"])
        let user = PublicKeyCredentialUserEntity(id: .random(), name: "ada@example.com", displayName: "Ada")
        let (options, _) = try relyingParty.beginRegistration(for: user, excluding: [])
        let (request, _) = try relyingParty.beginDiscoverableAuthentication()
        let key = VirtualAuthenticator.profile(.yubiKey5, random: SeededRandom.source(seed: "test 1"))
        var browser = VirtualClient(origin: "https://login.example.com", authenticators: [key])
        browser.profile = .chromium
        browser.fetch = { _ in .file(origins: ["https://login.example.com"]) }
        let response = try browser.create(options)
        let credential = try #require(key.exportCredential(response.id))
        #expect(try VirtualAuthenticator().importCredential(credential).id == response.id)
        let recorder = try TranscriptRecorder(browser)
        _ = try recorder.get(request)
        #expect(recorder.transcript.replay() == nil)
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
