import Foundation
import PasskeyAuthorization
import PasskeyModel
import Testing

@testable import PasskeyTesting

@Suite("The journal: what was asked, decided and given")
struct ControllerJournalTests {
    private let clock = TickingClock()

    @Test("A registration and a sign-in of a controller")
    func ceremonies() async throws {
        let controller = VirtualAuthorizationController(clock: clock.now)
        let world = ControllerWorld(controller)
        let made = try await controller.perform(world.registration())
        let used = try await controller.perform(world.assertion)

        let records = controller.journal.ceremonies
        #expect(records.map(\.number) == [1, 2])
        #expect(records.map(\.operation) == [.create, .authorize])
        for record in records { #expect(try #require(record.ended) > record.began) }
        let creation = records[0]
        #expect(creation.requests.map(\.kind) == [.platformPublicKey])
        #expect(creation.requests.map(\.relyingPartyIdentifier) == [World.rpID])
        let options = try #require(creation.requests.first?.options)
        #expect(try PublicKeyCredentialCreationOptions(json: options) == world.registration().creationOptions())
        #expect(creation.response?.json == String(decoding: made.registrationResponseJSON(), as: UTF8.self))
        #expect(creation.failure == nil)
        #expect(
            creation.decisions.prefix(2) == [
                .offered([.newPasskey(name: "ada")]), .chose(.newPasskey(name: "ada")),
            ]
        )
        guard case .prompt(let prompt) = creation.decisions[2] else {
            Issue.record("no prompt: \(creation.decisions)")
            return
        }
        #expect([prompt.purpose] == [.makeCredential])
        #expect(prompt.answer == .consents)
        #expect(creation.decisions.last == .authenticator(.zero, nil))
        #expect(records[1].response?.json == String(decoding: used.authenticationResponseJSON(), as: UTF8.self))
        let candidate = VirtualCandidate.passkey(name: "ada", credentialID: made.credentialID)
        #expect(records[1].decisions.prefix(2) == [.offered([candidate]), .chose(candidate)])
    }

    @Test("A failure, in its three layers")
    func failure() async throws {
        let controller = VirtualAuthorizationController()
        let world = ControllerWorld(controller)
        controller.authenticators[0].options.isUserConsenting = false
        #expect(try await world.failure(world.registration()) == .cancelled)
        var failure = try #require(controller.journal.ceremonies.last?.failure)
        #expect(failure.type == .cancelled)
        #expect(failure.code == .canceled)
        #expect(failure.exception == .notAllowed)
        #expect(failure.reason == .consentDenied)
        #expect(failure.step == 23)
        #expect(failure.statuses == [.operationDenied])
        #expect(controller.journal.ceremonies.last?.decisions.last == .authenticator(.zero, .operationDenied))

        controller.next(.create, .fails(code: .notInteractive).after(.milliseconds(1)))
        #expect(try await world.failure(world.registration()) == .notInteractive)
        failure = try #require(controller.journal.ceremonies.last?.failure)
        #expect(failure.code == .notInteractive)
        #expect(failure.exception == nil)
        #expect(
            controller.journal.ceremonies.last?.decisions
                == [.outcome(.fails(code: .notInteractive).after(.milliseconds(1)))]
        )
    }

    @Test("A ceremony in flight is in the journal, and has no end")
    func inFlight() async throws {
        let controller = VirtualAuthorizationController()
        let world = ControllerWorld(controller)
        controller.standing[.create] = .hangs
        let request = world.registration()
        let task = try await world.waiting { try await controller.perform(request) }
        #expect(controller.journal.ceremonies.map(\.ended) == [nil])
        await controller.cancel()
        #expect(await world.failure(of: task) == .cancelled)
        #expect(controller.journal.ceremonies.last?.ended != nil)
        #expect(controller.journal.ceremonies.last?.failure?.type == .cancelled)
    }

    @Test("What is no passkey, and no password")
    func otherCredentials() async throws {
        let controller = VirtualAuthorizationController()
        controller.passwords = [PasswordCredential(user: "ada", password: "correct horse")]
        _ = try await controller.perform(AuthorizationPasswordRequest())
        #expect(controller.journal.ceremonies.last?.requests.map(\.kind) == [.password])
        #expect(controller.journal.ceremonies.last?.response?.user == "ada")
        let text = try String(decoding: JSONEncoder().encode(controller.journal.entries), as: UTF8.self)
        #expect(!text.contains("horse"))
    }

    @Test("The adversary's work, and an answer of the user's")
    func adversary() async throws {
        let controller = VirtualAuthorizationController()
        let world = ControllerWorld(controller)
        controller.adversary = .init(.originOfAnotherSite)
        controller.user = .script([.consents, .refuses])
        _ = try await controller.perform(world.registration())
        #expect(controller.journal.ceremonies[0].decisions.last == .mutation("create.origin.evil"))
        #expect(try await world.failure(world.assertion) == .cancelled)
        let answers = controller.journal.ceremonies[1].decisions.compactMap { decision -> VirtualUser.Answer? in
            guard case .prompt(let prompt) = decision else { return nil }
            return prompt.answer
        }
        #expect(answers == [.refuses])
    }

    @Test("A client has a journal too; with a controller there is one record and not two")
    func client() throws {
        var client = VirtualClient(origin: World.origin)
        let journal = CeremonyJournal(clock: clock.now)
        client.journal = journal
        let made = try client.create(World.creationOptions())
        _ = try client.get(World.requestOptions(), mediation: .conditional)
        #expect(throws: ClientError.self) { try client.get(World.requestOptions { $0.rpId = "other.example" }) }
        let records = journal.ceremonies
        #expect(records.map(\.operation) == [.create, .authorizeWithAutoFill, .authorize])
        #expect(records.map(\.requests.first?.kind) == [.page, .page, .page])
        #expect(records[0].response?.json == String(decoding: made.jsonBytes(), as: UTF8.self))
        #expect(records[2].failure?.exception == .security)
        #expect(records[2].failure?.type == nil)
        #expect(records[2].failure?.step == 7)
    }

    @Test("A journal reads no clock but its own")
    func clocks() throws {
        func created(_ journal: CeremonyJournal?) throws -> [Timestamp] {
            var client = VirtualClient(origin: World.origin)
            client.clock = TickingClock().now
            client.journal = journal
            for byte in 1...3 as ClosedRange<UInt8> { _ = try client.create(World.creationOptions(user: byte)) }
            return client.authenticators[0].credentials.map(\.createdAt)
        }
        #expect(try created(nil) == created(CeremonyJournal()))
    }

    @Test("It keeps the last entries, and says how many it dropped", arguments: [1, 2, 5])
    func bounds(_ capacity: Int) throws {
        let journal = CeremonyJournal(capacity: capacity)
        var client = VirtualClient(origin: World.origin)
        client.journal = journal
        for count in 1...(4 * capacity) {
            #expect(throws: ClientError.self) { try client.get(World.requestOptions()) }
            #expect(journal.entries.map(\.number) == Array(max(1, count - capacity + 1)...count))
            #expect(journal.droppedCount == max(0, count - capacity))
            #expect(journal.heldCount <= 2 * capacity + 1)
        }
        #expect(journal.entries(after: 4 * capacity - 1).map(\.number) == [4 * capacity])
        journal.removeAll()
        #expect(journal.entries.isEmpty)
        #expect(throws: ClientError.self) { try client.get(World.requestOptions()) }
        #expect(journal.entries.map(\.number) == [4 * capacity + 1])
        #expect(CeremonyJournal(capacity: -1).capacity == 1)
    }

    @Test("Signals, those that are refused among them")
    func signals() async throws {
        let controller = VirtualAuthorizationController(clock: clock.now)
        try await controller.reportUnknownPublicKeyCredential(
            relyingPartyIdentifier: World.rpID,
            credentialID: Data([1])
        )
        controller.associatedDomains = []
        let error = try await #require(throws: AuthorizationError.self) {
            try await controller.reportPublicKeyCredentialUpdate(
                relyingPartyIdentifier: World.rpID,
                userHandle: Data([2]),
                newName: "x"
            )
        }
        #expect(error.type == .domainNotAssociated)
        let signals = controller.journal.signals
        #expect(signals.map(\.kind) == [.unknownCredential, .currentUserDetails])
        #expect(signals.map(\.credentialIds) == [["AQ"], []])
        #expect(signals.map(\.account) == [nil, "Ag"])
        #expect(signals.map(\.failure?.type) == [nil, .domainNotAssociated])
    }

    @Test("Entries as JSON, and back")
    func codable() async throws {
        let controller = VirtualAuthorizationController()
        let world = ControllerWorld(controller)
        controller.adversary = .init(.originOfAnotherSite)
        _ = try await controller.perform(world.registration())
        controller.next(.authorize, .fails(status: .uvInvalid))
        _ = try await world.failure(world.assertion)
        controller.chooses = { _ in nil }
        _ = try await world.failure(world.assertion)
        try await controller.signalAllAcceptedCredentials(
            rpID: World.rpID,
            userHandle: Data([1]),
            acceptedCredentialIDs: []
        )
        let entries = controller.journal.entries
        #expect(entries.count == 4)
        let json = try JSONEncoder().encode(entries)
        #expect(try JSONDecoder().decode([CeremonyJournal.Entry].self, from: json) == entries)
        let unknown = Data(#"[{"none":1}]"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([CeremonyRecord.Decision].self, from: unknown) }
    }
}
