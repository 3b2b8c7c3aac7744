import PasskeyModel
import PasskeyTesting
import Testing

/// What a user was asked, in turn.
final class Prompts: @unchecked Sendable {
    private(set) var all: [VirtualUser.Prompt] = []
    var purposes: [VirtualUser.Prompt.Purpose] { all.map(\.purpose) }

    /// A user who answers so, and whose prompts are kept; for one thread at a time.
    func user(
        _ answer: @escaping @Sendable (VirtualUser.Prompt) -> VirtualUser.Answer = { _ in .consents }
    ) -> VirtualUser {
        VirtualUser { prompt in
            self.all.append(prompt)
            return answer(prompt)
        }
    }
}

@Suite("Conditional mediation")
struct ClientConditionalTests {
    @Test("A conditional registration asks the user once, in the client, and has neither UP nor UV")
    func create() throws {
        let prompts = Prompts()
        var client = VirtualClient(origin: World.origin)
        client.hasRecentAuthentication = true
        client.user = prompts.user()
        let options = try World.creationOptions { $0.authenticatorSelection?.userVerification = .preferred }
        let response = try client.create(options, mediation: .conditional)
        let flags = try AttestationObject(response.attestationObject).authenticatorData.flags
        #expect(!flags.contains(.userPresent) && !flags.contains(.userVerified))
        #expect(prompts.purposes == [.conditionalCreate])
        #expect(prompts.all[0].relyingPartyIdentifier == World.rpID)
        // The same with a dialog.
        let modal = try client.create(options)
        let modalFlags = try AttestationObject(modal.attestationObject).authenticatorData.flags
        #expect(modalFlags.contains(.userPresent) && modalFlags.contains(.userVerified))
        #expect(prompts.purposes == [.conditionalCreate, .makeCredential])
    }

    @Test("A client that can collect the gesture meanwhile does, and then verification may be required")
    func collected() throws {
        var client = VirtualClient(origin: World.origin)
        client.hasRecentAuthentication = true
        let options = try World.creationOptions()
        let error = try #require(throws: ClientError.self) { try client.create(options, mediation: .conditional) }
        #expect((error.name, error.step) == (.constraint, 22))
        client.profile.collectsGestureInConditionalCreate = true
        let response = try client.create(options, mediation: .conditional)
        let flags = try AttestationObject(response.attestationObject).authenticatorData.flags
        #expect(flags.contains(.userPresent) && flags.contains(.userVerified))
    }

    @Test("The credentials of all authenticators are offered, and the one that is picked signs")
    func pick() throws {
        var client = VirtualClient(
            origin: World.origin,
            authenticators: [VirtualAuthenticator(.platform), VirtualAuthenticator(.securityKey)]
        )
        let first = try client.create(World.creationOptions(user: 1)).id
        let second = try client.create(
            World.creationOptions(user: 2) { $0.authenticatorSelection?.authenticatorAttachment = .crossPlatform }
        ).id
        // Not discoverable, of another relying party, hidden: never offered.
        let named = try client.create(
            World.creationOptions(user: 3) { $0.authenticatorSelection?.residentKey = .discouraged }
        ).id
        _ = try VirtualClient(origin: "https://other.example", authenticators: client.authenticators)
            .create(World.creationOptions(user: 4) { $0.rp.id = nil })
        let hidden = try client.create(World.creationOptions(user: 5)).id
        try client.signalUnknownCredential(rpId: World.rpID, credentialId: base64URL(hidden))

        let prompts = Prompts()
        client.user = prompts.user { $0.purpose == .conditionalGet ? .picks(second) : .consents }
        let response = try client.get(World.requestOptions(), mediation: .conditional)
        #expect(response.id == second)
        #expect(response.authenticatorAttachment == "cross-platform")
        #expect(prompts.purposes == [.conditionalGet, .getAssertion])
        #expect(prompts.all[0].candidates.map(\.id) == [first, second])
        // The authenticator is asked for the one alone.
        #expect(prompts.all[1].candidates.map(\.id) == [second])
        // An allow list filters what is offered, and names nothing that is not discoverable.
        let filtered = Prompts()
        client.user = filtered.user()
        let allowed = try World.requestOptions { $0.allowCredentials = [.init(id: named), .init(id: first)] }
        #expect(try client.get(allowed, mediation: .conditional).id == first)
        #expect(filtered.all[0].candidates.map(\.id) == [first])
        client.user = .willing
        #expect(try client.get(allowed).id == named)
        let error = try #require(throws: ClientError.self) {
            try client.get(World.requestOptions { $0.allowCredentials = [.init(id: named)] }, mediation: .conditional)
        }
        #expect((error.name, error.reason, error.step) == (.notAllowed, .noCredential, 20))
    }

    @Test("No timer ends a conditional request, and no dialog can be closed")
    func endless() throws {
        var client = VirtualClient(origin: World.origin)
        _ = try client.create(World.creationOptions())
        client.userDelay = .seconds(1_000_000)
        client.closesDialog = true
        #expect(throws: Never.self) { try client.get(World.requestOptions(), mediation: .conditional) }
        #expect(throws: ClientError.self) { try client.get(World.requestOptions()) }
        client.userDelay = .zero
        #expect(throws: ClientError.self) { try client.get(World.requestOptions()) }
        client.closesDialog = false
        #expect(throws: Never.self) { try client.get(World.requestOptions()) }
    }

    @Test("After a failure the rest is offered again; who picks nothing leaves the request pending")
    func again() throws {
        var client = VirtualClient(origin: World.origin)
        _ = try client.create(World.creationOptions(user: 1))
        _ = try client.create(World.creationOptions(user: 2))
        let prompts = Prompts()
        let script = VirtualUser.script([.consents, .failsVerification, .consents, .consents])
        client.user = prompts.user(script.answer)
        let response = try client.get(World.requestOptions(), mediation: .conditional)
        #expect(prompts.all.map(\.candidates.count) == [2, 1, 1, 1])
        #expect(response.id == prompts.all[2].candidates[0].id)
        // An ID that is not offered is none that can be picked.
        for answer in [VirtualUser.Answer.refuses, .ignores, .picks([1])] {
            client.user = VirtualUser { _ in answer }
            let error = try #require(throws: ClientError.self) {
                try client.get(World.requestOptions(), mediation: .conditional)
            }
            #expect((error.name, error.reason, error.step) == (.notAllowed, .pending, 20))
            #expect(error.authenticatorErrors.isEmpty)
        }
        // A user who fails with each ends too.
        client.user = VirtualUser { _ in .failsVerification }
        let error = try #require(throws: ClientError.self) {
            try client.get(World.requestOptions(), mediation: .conditional)
        }
        #expect((error.name, error.reason) == (.notAllowed, .userVerificationFailed))
        #expect(error.authenticatorErrors.count == 2)
    }

    @Test("The caller may end a request while it waits in the text field")
    func aborted() throws {
        let controller = AbortController()
        var client = VirtualClient(origin: World.origin)
        _ = try client.create(World.creationOptions())
        client.signal = controller.signal
        client.user = VirtualUser { _ in
            controller.abort(AbortReason(name: "NextPage", message: "the page went on"))
            return .consents
        }
        let error = try #require(throws: ClientError.self) {
            try client.get(World.requestOptions(), mediation: .conditional)
        }
        #expect((error.name, error.reason, error.step) == (.abort, .aborted, 20))
        #expect(error.abortReason?.name == "NextPage")
    }
}
