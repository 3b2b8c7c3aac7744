import Foundation
import PasskeyAuthorization
import PasskeyModel
import PasskeySystem
import PasskeyTesting
import Testing

@Suite("VirtualAuthorizationController: several requests, one dialog", .timeLimit(.minutes(5)))
struct ControllerChoiceTests {
    private let world = ControllerWorld()
    private var controller: VirtualAuthorizationController { world.controller }
    private let password = PasswordCredential(user: "ada", password: "correct horse")
    private let callback = WebAuthenticationCallback.customScheme("example-app")

    private func web(_ callback: WebAuthenticationCallback? = nil) throws -> WebAuthenticationRequest {
        WebAuthenticationRequest(
            url: try #require(URL(string: "https://login.example.com/authorize?state=7")),
            callback: callback ?? self.callback
        )
    }

    /// Has the user choose by a test, and remembers what was offered.
    private func choose(_ place: @escaping @Sendable ([VirtualCandidate]) -> Int?) -> Lock<[[VirtualCandidate]]> {
        let offered = Lock<[[VirtualCandidate]]>([])
        controller.chooses = { candidates in
            offered.withLock { $0.append(candidates) }
            return place(candidates)
        }
        return offered
    }

    @Test("Everything that can sign the user in is in one dialog, in the order of the requests")
    func everything() async throws {
        let first = try await controller.perform(world.registration(user: 1, name: "ada"))
        let second = try await controller.perform(world.registration(user: 2, name: "grace"))
        controller.passwords = [password]
        controller.appleID = StandInAppleIDIssuer()
        controller.userAgent = StandInWebUserAgent { _ in URL(string: "example-app:/done")! }
        let requests: [any AuthorizationRequest] = [
            world.assertion, AuthorizationPasswordProvider().createRequest(), world.keyAssertion,
            AuthorizationAppleIDProvider().createRequest(), try web(),
        ]
        let offered = choose { candidates in
            candidates.firstIndex { candidate in
                if case .password = candidate { true } else { false }
            }
        }
        let result = try await controller.authorize(requests: requests)
        #expect(result.credential as? PasswordCredential == password)
        #expect(result.provider is AuthorizationPasswordProvider)
        let seen = try #require(offered.withLock { $0 }.first)
        #expect(
            Set(seen.prefix(2)) == [
                .passkey(name: "ada", credentialID: first.credentialID),
                .passkey(name: "grace", credentialID: second.credentialID),
            ]
        )
        #expect(
            Array(seen.dropFirst(2)) == [.password(user: "ada"), .securityKey, .appleID, .web(try web().url)]
        )

        // Without other devices: no security key, no page, and no Apple ID that has not signed in here.
        _ = try await controller.authorize(requests: requests, preferImmediatelyAvailableCredentials: true)
        #expect(offered.withLock { $0 }.last?.count == 3)
        controller.chooses = { $0.firstIndex(of: .appleID) }
        _ = try await controller.authorize(requests: requests)
        let again = choose { _ in 0 }
        _ = try await controller.authorize(requests: requests, preferImmediatelyAvailableCredentials: true)
        #expect(again.withLock { $0 }.last?.last == .appleID)
    }

    @Test("The passkey that is chosen signs in, and a user who dismisses the dialog cancels")
    func choice() async throws {
        var ids: [Data] = []
        for byte in 1...3 as ClosedRange<UInt8> {
            ids.append(try await controller.perform(world.registration(user: byte)).credentialID)
        }
        for id in ids {
            controller.chooses = { $0.firstIndex(of: .passkey(name: "ada", credentialID: id)) }
            #expect(try await controller.perform(world.assertion).credentialID == id)
        }
        for place in [nil, -1, 3] {
            controller.chooses = { _ in place }
            #expect(try await world.failure(world.assertion) == .cancelled)
        }
    }

    @Test("Where what was chosen has nothing, the user is asked again with the rest")
    func chooseAgain() async throws {
        controller.passwords = [password]
        let offered = choose { candidates in candidates.firstIndex(of: .securityKey) ?? 0 }
        let requests: [any AuthorizationRequest] = [world.keyAssertion, AuthorizationPasswordRequest()]
        let result = try await controller.authorize(requests: requests)
        #expect(result.credential is PasswordCredential)
        #expect(offered.withLock { $0 } == [[.securityKey, .password(user: "ada")], [.password(user: "ada")]])

        // A refusal is no reason to ask again.
        controller.authenticators[1].options.isUserConsenting = false
        _ = try? await controller.perform(world.keyRegistration())
        controller.user = VirtualUser { _ in .refuses }
        controller.authenticators[1].options.isUserConsenting = true
        controller.user = .willing
        _ = try await controller.perform(world.keyRegistration())
        controller.user = VirtualUser { _ in .refuses }
        let error = try await world.error { try await controller.authorize(requests: requests) }
        #expect(error.type == .cancelled)
    }

    @Test("What a signal has hidden is not offered, named or not")
    func hidden() async throws {
        let made = try await controller.perform(world.registration())
        var named = world.assertion
        named.allowedCredentials = [PublicKeyCredentialDescriptor(credentialID: made.credentialID)]
        let offered = choose { _ in 0 }
        _ = try await controller.perform(named)
        try await controller.reportUnknownPublicKeyCredential(
            relyingPartyIdentifier: World.rpID,
            credentialID: made.credentialID
        )
        #expect(try await world.failure(named) == .noCredentialsAvailable)
        #expect(try await world.failure(world.assertion) == .noCredentialsAvailable)
        #expect(offered.withLock { $0.count } == 1)
    }

    @Test("A device nearby answers platform requests, unless only this device counts")
    func anotherDevice() async throws {
        let phone = VirtualAuthenticator(
            World.options {
                $0.attachment = .crossPlatform
                $0.transports = [.hybrid, .internal]
            }
        )
        controller.authenticators = [phone]
        let made = try await controller.perform(world.registration())
        #expect(made.attachment == .crossPlatform)
        let offered = choose { _ in 0 }
        #expect(try await controller.perform(world.assertion).credentialID == made.credentialID)
        #expect(offered.withLock { $0 } == [[.anotherDevice]])
        let error = try await world.error {
            try await controller.authorize(requests: [world.assertion], preferImmediatelyAvailableCredentials: true)
        }
        #expect(error.type == .noCredentialsAvailable)
        var alone = world.assertion
        alone.shouldShowHybridTransport = false
        #expect(try await world.failure(alone) == .noCredentialsAvailable)
        // It is no security key.
        #expect(try await world.failure(world.keyAssertion) == .noCredentialsAvailable)
        var registration = world.registration(user: 2)
        registration.shouldShowHybridTransport = false
        #expect(try await world.failure(registration) == .deviceNotConfigured)
        // What is made without a dialog, and what is made with an account, is made here.
        controller.hasRecentAuthentication = true
        controller.contact.email = "ada@example.com"
        var conditional = world.registration(user: 3)
        conditional.requestStyle = .conditional
        #expect(try await world.failure(conditional) == .deviceNotConfigured)
        let account = AuthorizationAccountCreationPlatformPublicKeyCredentialRequest(
            acceptedContactIdentifiers: [.email],
            shouldRequestName: false,
            relyingPartyIdentifier: World.rpID,
            challenge: world.challenge,
            userID: Data([4])
        )
        #expect(try await world.failure(account) == .deviceNotConfigured)
        controller.authenticators.append(VirtualAuthenticator())
        _ = try await controller.perform(conditional)
        _ = try await controller.perform(account)
        #expect(controller.authenticators.map(\.credentials.count) == [1, 2])
    }

    @Test("A password is a name and a secret, of which the name alone is printed")
    func passwords() async throws {
        #expect(try await world.failure(AuthorizationPasswordRequest()) == .noCredentialsAvailable)
        controller.passwords = [password, PasswordCredential(user: "grace", password: "x")]
        controller.chooses = { $0.firstIndex(of: .password(user: "grace")) }
        #expect(try await controller.perform(AuthorizationPasswordProvider().createRequest()).user == "grace")
        #expect(!"\(password)".contains("horse"))
    }

    @Test("Sign in with Apple: name and address once, state back, and who does not know the user")
    func appleID() async throws {
        var request = AuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        request.state = "state"
        #expect(try await world.failure(request) == .functionNotSupported)
        let issuer = StandInAppleIDIssuer(
            .init(user: "u", email: "ada@example.com", givenName: "Ada", familyName: "Lovelace"),
            identityToken: { Data("token for \($0.nonce ?? "nobody")".utf8) }
        )
        controller.appleID = issuer
        request.nonce = "n"
        #expect(try await issuer.credentialState(forUserID: "u") == .notFound)
        let first = try await controller.perform(request)
        #expect(
            [first.user, first.state, first.email, first.givenName, first.familyName]
                == ["u", "state", "ada@example.com", "Ada", "Lovelace"]
        )
        #expect(first.identityToken == Data("token for n".utf8))
        #expect(!"\(first)".contains("token"))
        let second = try await controller.perform(request)
        #expect([second.user, second.email, second.givenName, second.familyName] == ["u", nil, nil, nil])
        #expect(try await issuer.credentialState(forUserID: "u") == .authorized)
        #expect(try await issuer.credentialState(forUserID: "v") == .notFound)
        issuer.revoke()
        #expect(try await issuer.credentialState(forUserID: "u") == .revoked)
        // Who authorizes again after a withdrawal tells again.
        request.requestedScopes = [.email]
        let third = try await controller.perform(request)
        #expect([third.email, third.givenName] == ["ada@example.com", nil])
        request.user = "v"
        #expect(try await world.failure(request) == .failed)
    }

    @Test("A web session ends at its callback and nowhere else")
    func webSession() async throws {
        #expect(try await world.failure(web()) == .functionNotSupported)
        let cases: [(String, WebAuthenticationCallback, Bool)] = [
            ("example-app:/done?code=1", callback, true), ("EXAMPLE-APP:/done", callback, true),
            ("https://example.com/done", callback, false),
            ("https://example.com/done?code=1", .https(host: "example.com", path: "/done"), true),
            ("https://Example.com:443/done", .https(host: "example.com", path: "/done"), true),
            ("https://example.com/done/", .https(host: "example.com", path: "/done"), false),
            ("http://example.com/done", .https(host: "example.com", path: "/done"), false),
            ("https://example.com:8443/done", .https(host: "example.com", path: "/done"), false),
            ("https://evil.example/done", .https(host: "example.com", path: "/done"), false),
        ]
        for (text, callback, fits) in cases {
            let url = try #require(URL(string: text))
            controller.userAgent = StandInWebUserAgent { _ in url }
            if fits {
                #expect(try await controller.perform(web(callback)).callbackURL == url)
            } else {
                #expect(try await world.failure(web(callback)) == .invalidResponse)
            }
        }
        controller.userAgent = StandInWebUserAgent { (_) throws(AuthorizationError) in
            throw AuthorizationError(type: .noPresentationAnchor)
        }
        #expect(try await world.failure(web()) == .noPresentationAnchor)
    }

    @Test("A web session that takes long is cancelled, superseded, or ended with its task")
    func longSession() async throws {
        let (controller, request) = (controller, try web())
        let wasCancelled = Lock(0)
        controller.userAgent = StandInWebUserAgent { (_) throws(AuthorizationError) in
            do {
                try await Task.sleep(for: .seconds(3600))
            } catch {
                wasCancelled.withLock { $0 += 1 }
                throw AuthorizationError(type: .cancelled)
            }
            throw AuthorizationError(type: .failed)
        }
        for way in 0..<3 {
            let task = try await world.waiting { try await controller.perform(request) }
            switch way {
            case 0: await controller.cancel()
            case 1: task.cancel()
            default: _ = try await controller.perform(world.registration())
            }
            #expect(await world.failure(of: task) == .cancelled)
            #expect(!controller.isWaiting)
        }
        while wasCancelled.withLock({ $0 }) < 3 { await Task.yield() }
    }

    @Test("Registrations are alternatives, too: the user says where the passkey goes")
    func creationChoice() async throws {
        let requests = [world.registration(), world.keyRegistration()]
        let offered = choose { $0.firstIndex(of: .newPasskeyOnSecurityKey(name: "ada")) }
        #expect(
            (try await controller.create(requests: requests).credential as? PasskeyRegistrationCredential)?.attachment
                == .crossPlatform
        )
        #expect(offered.withLock { $0 } == [[.newPasskey(name: "ada"), .newPasskeyOnSecurityKey(name: "ada")]])
        controller.chooses = { _ in nil }
        let error = try await world.error { try await controller.create(requests: requests) }
        #expect(error.type == .cancelled)
    }

    @Test("An account with a passkey: an address of a kind that is accepted, and a name if it is asked for")
    func account() async throws {
        func request(
            _ kinds: [ContactIdentifierRequest],
            name: Bool = true
        ) -> AuthorizationAccountCreationPlatformPublicKeyCredentialRequest {
            AuthorizationAccountCreationProvider().createPlatformPublicKeyCredentialRegistrationRequest(
                acceptedContactIdentifiers: kinds,
                shouldRequestName: name,
                relyingPartyIdentifier: World.rpID,
                challenge: world.challenge,
                userID: Data([1])
            )
        }
        #expect(try await world.failure(request([.email])) == .cancelled)
        controller.contact = VirtualContact(email: "ada@example.com", givenName: "Ada", familyName: "Lovelace")
        let made = try await controller.perform(request([.phoneNumber, .email]))
        #expect(made.contactIdentifier == .email("ada@example.com"))
        #expect([made.givenName, made.familyName] == ["Ada", "Lovelace"])
        #expect(controller.authenticators[0].credentials.map(\.userName) == ["ada@example.com"])
        #expect(
            try AttestationObject([UInt8](made.credentialRegistration.rawAttestationObject)).authenticatorData.flags
                .contains(.userVerified)
        )
        controller.contact.phoneNumber = "+44 20 7946 0000"
        let second = try await controller.perform(request([.phoneNumber, .email], name: false))
        #expect(second.contactIdentifier == .phoneNumber("+44 20 7946 0000"))
        #expect(second.contactIdentifier.kind == .phoneNumber)
        #expect([second.givenName, second.familyName] == [nil, nil])

        controller.authenticators[0].options.isUserVerificationSetUp = false
        let error = try await world.error { try await controller.perform(request([.email])) }
        #expect(error.type == .deviceNotConfigured)
        #expect(error.code == .deviceNotConfiguredForPasskeyCreation)
        controller.next(.create, .fails(code: .preferSignInWithApple))
        #expect(try await world.failure(request([.email])) == .preferSignInWithApple)
    }

    @Test("Candidates as JSON, and back")
    func candidates() throws {
        let candidates: [VirtualCandidate] = [
            .passkey(name: "ada", credentialID: Data([0xFB, 0xFF])), .securityKey, .anotherDevice,
            .password(user: "ada"), .appleID, .web(try web().url), .newPasskey(name: "ada"),
            .newPasskeyOnSecurityKey(name: "ada"), .newAccount,
        ]
        let json = try JSONEncoder().encode(candidates)
        #expect(String(decoding: json, as: UTF8.self).contains(#""credentialId":"-_8""#))
        #expect(try JSONDecoder().decode([VirtualCandidate].self, from: json) == candidates)
        for text in [#"[{"kind":"passkey","name":"a"}]"#, #"[{"kind":"none"}]"#, "[{}]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([VirtualCandidate].self, from: Data(text.utf8))
            }
        }
    }
}
