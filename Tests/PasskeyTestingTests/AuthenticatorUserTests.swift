import PasskeyModel
import PasskeySystem
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("The user before the device")
struct AuthenticatorUserTests {
    @Test("Each answer has its error, in all forms of it")
    func answers() throws {
        let cases: [(VirtualUser.Answer, AuthenticatorError.Reason, CTAPStatus)] = [
            (.refuses, .consentDenied, .operationDenied), (.ignores, .ignored, .userActionTimeout),
            (.failsVerification, .userVerificationFailed, .uvInvalid), (.picks([9]), .consentDenied, .operationDenied),
        ]
        for (answer, reason, status) in cases {
            let authenticator = VirtualAuthenticator()
            let made = try #require(throws: AuthenticatorError.self) {
                try authenticator.makeCredential(World.makeCredential(), user: .script([answer]))
            }
            #expect((made.code, made.reason, made.status, made.step) == (.notAllowed, reason, status, 6))
            #expect(authenticator.credentials.isEmpty)
            _ = try authenticator.makeCredential(World.makeCredential(), user: .script([], then: .consents))
            let used = try #require(throws: AuthenticatorError.self) {
                try authenticator.getAssertion(World.getAssertion(), user: .script([answer]))
            }
            #expect((used.code, used.reason, used.status, used.step) == (.notAllowed, reason, status, 7))
        }
    }

    @Test("The user is told what for, and what there is to choose from, the newest first")
    func prompts() throws {
        let clock = TickingClock()
        let authenticator = VirtualAuthenticator(clock: clock.now)
        let seen = Lock([VirtualUser.Prompt]())
        let user = VirtualUser { prompt in
            seen.withLock { $0.append(prompt) }
            return .consents
        }
        for byte in 1...2 as ClosedRange<UInt8> {
            _ = try authenticator.makeCredential(World.makeCredential(user: byte), user: user)
        }
        _ = try authenticator.getAssertion(World.getAssertion { $0.requireUserVerification = false }, user: user)
        let prompts = seen.withLock { $0 }
        #expect(prompts.map(\.purpose) == [.makeCredential, .makeCredential, .getAssertion])
        #expect(prompts.map(\.wantsVerification) == [true, true, false])
        #expect(prompts[2].candidates == authenticator.credentials)
        #expect(try prompts[2].candidates.map(\.userHandle) == [World.handle(2), World.handle(1)])
        #expect(prompts.allSatisfy { $0.relyingPartyIdentifier == World.rpID })
    }

    @Test("The user's pick signs, and without one the newest")
    func picks() throws {
        let clock = TickingClock()
        let authenticator = VirtualAuthenticator(clock: clock.now)
        for byte in 1...3 as ClosedRange<UInt8> {
            _ = try authenticator.makeCredential(World.makeCredential(user: byte))
        }
        for credential in authenticator.credentials {
            let result = try authenticator.getAssertion(World.getAssertion(), user: .script([.picks(credential.id)]))
            #expect(result.credentialID == credential.id)
            #expect(result.userHandle == credential.userHandle)
        }
        #expect(try authenticator.getAssertion(World.getAssertion()).userHandle == World.handle(3))
    }

    @Test("Where neither presence nor verification is required, nobody is asked, and no flag says otherwise")
    func absentUser() throws {
        let nobody = VirtualUser { _ in
            Issue.record("the user was asked")
            return .refuses
        }
        let authenticator = VirtualAuthenticator(World.options { $0.alwaysVerifiesUser = true })
        let made = try AttestationObject(
            authenticator.makeCredential(
                World.makeCredential {
                    $0.requireUserPresence = false
                    $0.requireUserVerification = false
                },
                user: nobody
            )
        )
        #expect(made.authenticatorData.flags.isDisjoint(with: [.userPresent, .userVerified]))
        let used = try authenticator.getAssertion(
            World.getAssertion {
                $0.requireUserPresence = false
                $0.requireUserVerification = false
            },
            user: nobody
        )
        #expect(try AuthenticatorData(used.authenticatorData).flags == [.backupEligible, .backupState])
    }

    @Test("A device that always verifies does so unasked; one without a PIN or finger cannot yet")
    func verification() throws {
        let always = VirtualAuthenticator(World.options { $0.alwaysVerifiesUser = true })
        let unasked = try World.makeCredential { $0.requireUserVerification = false }
        #expect(
            try AttestationObject(always.makeCredential(unasked)).authenticatorData.flags.contains(.userVerified)
        )
        #expect(
            try !AttestationObject(VirtualAuthenticator().makeCredential(unasked)).authenticatorData.flags
                .contains(.userVerified)
        )
        let bare = VirtualAuthenticator(World.options { $0.isUserVerificationSetUp = false })
        let error = try #require(throws: AuthenticatorError.self) { try bare.makeCredential(World.makeCredential()) }
        #expect((error.code, error.reason, error.step) == (.constraint, .userVerificationUnsupported, 5))
        #expect(throws: Never.self) { try bare.makeCredential(unasked) }
    }

    @Test("§6.3.4: an operation that waits for its user can be cancelled; none that runs is as good as nothing")
    func cancel() throws {
        let authenticator = VirtualAuthenticator()
        authenticator.cancel()
        _ = try authenticator.makeCredential(World.makeCredential())
        for answer in [VirtualUser.Answer.consents, .refuses, .ignores] {
            let user = VirtualUser { _ in
                authenticator.cancel()
                return answer
            }
            let made = try #require(throws: AuthenticatorError.self) {
                try authenticator.makeCredential(World.makeCredential(user: 2), user: user)
            }
            #expect((made.reason, made.status) == (.cancelled, .keepaliveCancel))
            let used = try #require(throws: AuthenticatorError.self) {
                try authenticator.getAssertion(World.getAssertion(), user: user)
            }
            #expect(used.reason == .cancelled)
        }
        #expect(authenticator.credentials.count == 1)
        #expect(throws: Never.self) { try authenticator.getAssertion(World.getAssertion()) }
    }

    @Test("The order of checks shows where several fail")
    func order() throws {
        let wrong = try World.makeCredential { $0.credTypesAndPubKeyAlgs = [] }
        for (order, reason) in [
            (OperationOrder.webauthn, AuthenticatorError.Reason.noSupportedAlgorithm),
            (.ctap2, .userVerificationFailed),
        ] {
            let authenticator = VirtualAuthenticator(
                World.options {
                    $0.order = order
                    $0.isUserVerified = false
                }
            )
            let error = try #require(throws: AuthenticatorError.self) { try authenticator.makeCredential(wrong) }
            #expect(error.reason == reason)
        }
        // CTAP: an excluded credential counts before an algorithm.
        for (order, reason) in [
            (OperationOrder.webauthn, AuthenticatorError.Reason.noSupportedAlgorithm), (.ctap2, .excludedCredential),
        ] {
            let authenticator = VirtualAuthenticator(World.options { $0.order = order })
            _ = try authenticator.makeCredential(World.makeCredential())
            let id = authenticator.credentials[0].id
            let error = try #require(throws: AuthenticatorError.self) {
                try authenticator.makeCredential(
                    World.makeCredential {
                        $0.credTypesAndPubKeyAlgs = []
                        $0.excludeCredentialDescriptorList = [.init(id: id)]
                    }
                )
            }
            #expect(error.reason == reason)
        }
    }
}
