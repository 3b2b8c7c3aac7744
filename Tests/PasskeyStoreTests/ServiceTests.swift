import Foundation
import PasskeyModel
import PasskeyRelyingParty
import PasskeySQLite
import PasskeySystem
import PasskeyTesting
import Testing

/// A service over each kind of store, and over sealed ceremonies.
@Suite("PasskeyService", .timeLimit(.minutes(5)))
struct ServiceTests {
    /// What a service is made over.
    enum Backing: String, CaseIterable, CustomTestStringConvertible, Sendable {
        case memory, sqlite, sealed

        var testDescription: String { rawValue }
    }

    struct World: Sendable {
        let service: PasskeyService
        let site: Site
        let events: Lock<[PasskeyEvent]>
        let session: [UInt8] = [1, 2, 3]

        init(_ backing: Backing, counting: Bool = false) throws {
            let clock = Clock()
            let stores = try (backing == .sqlite ? StoreKind.sqlite : .memory).make(clock: clock)
            site = try Site(clock, counting: counting)
            let ceremonies: any CeremonyStore =
                backing == .sealed
                ? SealedCeremonyStore(
                    keys: try SealingKeys(current: SealingKeys.randomKey()),
                    replayGuard: stores.replayGuard
                ) : stores.ceremonies
            let events = Lock<[PasskeyEvent]>([])
            self.events = events
            service = try PasskeyService(
                site.relyingParty,
                credentials: stores.credentials,
                ceremonies: ceremonies,
                decoyKey: [UInt8](repeating: 7, count: 32),
                clock: clock.now,
                events: { event in events.withLock { $0.append(event) } }
            )
        }

        func register(_ byte: UInt8 = 1, name: String = "") async throws -> RegisteredPasskey {
            let user = try Site.user(byte)
            let begun = try await service.beginRegistration(for: user, session: session)
            return try await service.finishRegistration(
                site.client.create(begun.options),
                token: begun.token,
                session: session,
                of: user.id,
                name: name
            )
        }

        func signIn(_ change: (inout AuthenticationResponse) -> Void = { _ in }) async throws -> SignedInUser {
            let begun = try await service.beginDiscoverableAuthentication(session: session)
            var response = try site.client.get(begun.options)
            change(&response)
            return try await service.finishAuthentication(response, token: begun.token, session: session)
        }
    }

    private func refusal(_ body: () async throws -> some Sendable) async throws -> PasskeyServiceError {
        try await #require(throws: PasskeyServiceError.self) { _ = try await body() }
    }

    private func fault(_ error: PasskeyServiceError) -> CeremonyFault? {
        if case .ceremony(let fault) = error.reason { fault } else { nil }
    }

    @Test("A passkey is registered, signs in, is listed, renamed and removed", arguments: Backing.allCases)
    func life(_ backing: Backing) async throws {
        let world = try World(backing)
        let user = try Site.user()
        let made = try await world.register(name: "Phone")
        #expect(made.credential.name == "Phone")
        #expect(
            made.signal
                == .allAcceptedCredentials(
                    rpId: Site.id,
                    userId: user.id,
                    allAcceptedCredentialIds: [made.credential.id]
                )
        )
        let signedIn = try await world.signIn()
        #expect(signedIn.userHandle == user.id)
        #expect(signedIn.credential.name == "Phone")
        #expect(try await world.service.passkeys(of: user.id) == [signedIn.credential])
        #expect(signedIn.credential.record.lastUsedAt != nil)

        let id = made.credential.id
        #expect(try await world.service.renamePasskey(id, of: user.id, to: "Key"))
        #expect(try await !world.service.renamePasskey(id, of: Site.user(2).id, to: "stolen"))
        #expect(try await world.service.passkeys(of: user.id).map(\.name) == ["Key"])
        let long = String(repeating: "🔑", count: 100)
        try await world.service.renamePasskey(id, of: user.id, to: long)
        #expect(try await world.service.passkeys(of: user.id).map(\.name) == [String(repeating: "🔑", count: 50)])

        #expect(try await world.service.removePasskey(id, of: Site.user(2).id) == nil)
        let signal = try await world.service.removePasskey(id, of: user.id)
        #expect(
            signal == .allAcceptedCredentials(rpId: Site.id, userId: user.id, allAcceptedCredentialIds: [])
        )
        let gone = try await refusal { try await world.signIn() }
        #expect(gone.signal == .unknownCredential(rpId: Site.id, credentialId: id))
        #expect(gone.code == .authenticationFailed)

        let names = world.events.withLock { $0 }.map { "\($0)".prefix { $0 != "(" } }
        #expect(
            names == [
                "registrationBegan", "registered", "authenticationBegan", "authenticated", "renamed", "renamed",
                "removed",
                "authenticationBegan", "authenticationRefused",
            ]
        )
    }

    @Test("The user's passkeys are excluded, and one that another user has is refused", arguments: Backing.allCases)
    func ownership(_ backing: Backing) async throws {
        let world = try World(backing)
        let made = try await world.register()
        let begun = try await world.service.beginRegistration(for: Site.user(), session: nil)
        #expect(begun.options.excludeCredentials.map(\.id) == [made.credential.id])
        let other = try await world.service.beginRegistration(for: Site.user(2), session: nil)
        #expect(other.options.excludeCredentials.isEmpty)

        // What is registered meanwhile by somebody faster is found at the insert.
        // One authenticator's credential is registered for two users at once, by two ceremonies.
        var tokens: [(RegistrationResponse, String, UserHandle)] = []
        let state = VirtualAuthenticator(random: SeededRandom.source(seed: "one credential")).state
        for byte in 3...10 as ClosedRange<UInt8> {
            let user = try Site.user(byte)
            let begun = try await world.service.beginRegistration(for: user, session: nil)
            let twin = try VirtualAuthenticator(state, random: SeededRandom.source(seed: "one credential"))
            let client = VirtualClient(origin: Site.origin, authenticators: [twin])
            tokens.append((try client.create(begun.options), begun.token, user.id))
        }
        let all = tokens
        #expect(Set(all.map(\.0.id)).count == 1)
        let done = try await concurrently(8) { index in
            do throws(PasskeyServiceError) {
                let (response, token, user) = all[index]
                _ = try await world.service.finishRegistration(response, token: token, session: nil, of: user)
                return true
            } catch {
                #expect(error.code == .credentialAlreadyRegistered)
                return false
            }
        }
        #expect(done.filter { $0 }.count == 1)
    }

    @Test("A ceremony is finished once: of 64 at the same time one succeeds", arguments: Backing.allCases)
    func once(_ backing: Backing) async throws {
        let world = try World(backing)
        _ = try await world.register()
        let begun = try await world.service.beginDiscoverableAuthentication(session: world.session)
        let response = try world.site.client.get(begun.options)
        let done = try await concurrently(64) { _ in
            do throws(PasskeyServiceError) {
                _ = try await world.service.finishAuthentication(response, token: begun.token, session: world.session)
                return true
            } catch {
                guard case .ceremony(.unknown) = error.reason else {
                    Issue.record("\(error)")
                    return false
                }
                return false
            }
        }
        #expect(done.filter { $0 }.count == 1)
    }

    @Test("Of 64 sign-ins with one counter value at most one succeeds", arguments: [Backing.memory, .sqlite])
    func counters(_ backing: Backing) async throws {
        let world = try World(backing, counting: true)
        _ = try await world.register()
        // A copy of the authenticator signs with the same number again and again.
        let state = world.site.authenticator.state
        var signIns: [(AuthenticationResponse, String)] = []
        for _ in 0..<64 {
            let begun = try await world.service.beginDiscoverableAuthentication(session: nil)
            let copy = VirtualClient(origin: Site.origin, authenticators: [try VirtualAuthenticator(state)])
            signIns.append((try copy.get(begun.options), begun.token))
        }
        let all = signIns
        let done = try await concurrently(64) { index in
            do throws(PasskeyServiceError) {
                _ = try await world.service.finishAuthentication(all[index].0, token: all[index].1, session: nil)
                return true
            } catch {
                guard case .authentication(let error) = error.reason, error.step == .signCount else {
                    Issue.record("\(error)")
                    return false
                }
                return false
            }
        }
        #expect(done.filter { $0 }.count == 1)
    }

    @Test("64 sign-ins at once with a passkey that does not count all succeed", arguments: Backing.allCases)
    func uncounted(_ backing: Backing) async throws {
        let world = try World(backing)
        _ = try await world.register()
        let done = try await concurrently(64) { _ in try await world.signIn().userHandle }
        #expect(Set(done) == [try Site.user().id])
    }

    @Test("A ceremony of another purpose, session or time, and one that is not known", arguments: Backing.allCases)
    func faults(_ backing: Backing) async throws {
        let world = try World(backing)
        let (service, session, user) = (world.service, world.session, try Site.user())
        _ = try await world.register()

        func begin() async throws -> (AuthenticationResponse, String) {
            let begun = try await service.beginDiscoverableAuthentication(session: session)
            return (try world.site.client.get(begun.options), begun.token)
        }
        var (response, token) = try await begin()
        var error = try await refusal {
            try await service.finishReauthentication(response, token: token, session: session, of: user.id)
        }
        #expect(fault(error) == .otherPurpose)
        #expect(error.code == .ceremonyExpired)
        for other in [nil, [9]] as [[UInt8]?] {
            (response, token) = try await begin()
            error = try await refusal {
                try await service.finishAuthentication(response, token: token, session: other)
            }
            #expect(fault(error) == .otherSession)
        }
        (response, token) = try await begin()
        world.site.clock.advance(milliseconds: 360_000)
        error = try await refusal {
            try await service.finishAuthentication(response, token: token, session: session)
        }
        #expect(fault(error) == .expired)
        (response, token) = try await begin()
        for text in ["", "x", String(token.dropLast(4)), token + "AAAA"] {
            error = try await refusal {
                try await service.finishAuthentication(response, token: text, session: session)
            }
            #expect(fault(error) == .unknown)
        }
        _ = try await service.finishAuthentication(response, token: token, session: session)
        error = try await refusal {
            try await service.finishAuthentication(response, token: token, session: session)
        }
        #expect(fault(error) == .unknown)
        #expect(world.events.withLock { $0.contains(.ceremonyRefused(.otherSession)) })
    }

    @Test("What is refused is over: the same ceremony does not get a second try", arguments: Backing.allCases)
    func noSecondTry(_ backing: Backing) async throws {
        let world = try World(backing)
        _ = try await world.register()
        let begun = try await world.service.beginDiscoverableAuthentication(session: nil)
        let response = try world.site.client.get(begun.options)
        var broken = response
        broken.signature[broken.signature.count - 1] ^= 1
        let error = try await refusal {
            try await world.service.finishAuthentication(broken, token: begun.token, session: nil)
        }
        guard case .authentication(let refused) = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(refused.step == .signature)
        #expect(error.signal == nil)
        let again = try await refusal {
            try await world.service.finishAuthentication(response, token: begun.token, session: nil)
        }
        #expect(fault(again) == .unknown)
    }

    @Test("A user who is signed in proves it again, and for nobody else", arguments: Backing.allCases)
    func reauthentication(_ backing: Backing) async throws {
        let world = try World(backing)
        let (service, session) = (world.service, world.session)
        let made = try await world.register()
        let (user, other) = (try Site.user().id, try Site.user(2).id)
        func begin() async throws -> (AuthenticationResponse, String) {
            let begun = try await service.beginReauthentication(of: user, session: session)
            #expect(begun.options.allowCredentials.map(\.id) == [made.credential.id])
            return (try world.site.client.get(begun.options), begun.token)
        }
        var (response, token) = try await begin()
        #expect(
            try await service.finishReauthentication(response, token: token, session: session, of: user).userHandle
                == user
        )
        (response, token) = try await begin()
        _ = try await refusal {
            try await service.finishReauthentication(response, token: token, session: session, of: other)
        }
        (response, token) = try await begin()
        let error = try await refusal {
            try await service.finishAuthentication(response, token: token, session: session)
        }
        #expect(fault(error) == .otherPurpose)
    }

    @Test("The application's own checks come before anything is written (§7.2, step 24)", arguments: Backing.allCases)
    func approval(_ backing: Backing) async throws {
        let world = try World(backing, counting: true)
        let user = try Site.user()
        let begun = try await world.service.beginRegistration(for: user, session: nil)
        let error = try await refusal {
            try await world.service.finishRegistration(
                world.site.client.create(begun.options),
                token: begun.token,
                session: nil,
                of: user.id,
                approves: { _ in false }
            )
        }
        guard case .application = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(try await world.service.passkeys(of: user.id).isEmpty)
        let made = try await world.register()
        let signIn = try await world.service.beginDiscoverableAuthentication(session: nil)
        _ = try await refusal {
            try await world.service.finishAuthentication(
                world.site.client.get(signIn.options),
                token: signIn.token,
                session: nil,
                approves: { _ in false }
            )
        }
        #expect(try await world.service.passkeys(of: user.id) == [made.credential])
    }

    @Test("A registration is for the user that it was begun for", arguments: Backing.allCases)
    func registrationOfAnother(_ backing: Backing) async throws {
        let world = try World(backing)
        let begun = try await world.service.beginRegistration(for: Site.user(), session: nil)
        let response = try world.site.client.create(begun.options)
        _ = try await refusal {
            try await world.service.finishRegistration(response, token: begun.token, session: nil, of: Site.user(2).id)
        }
        #expect(try await world.service.passkeys(of: Site.user().id).isEmpty)
        #expect(try await world.service.passkeys(of: Site.user(2).id).isEmpty)
    }

    @Test("A conditional registration, and a sign-in in a text field", arguments: Backing.allCases)
    func conditional(_ backing: Backing) async throws {
        let world = try World(backing)
        let user = try Site.user()
        let options = RegistrationOptions(
            authenticatorSelection: .init(residentKey: .required, userVerification: .preferred),
            mediation: .conditional
        )
        let begun = try await world.service.beginRegistration(for: user, session: nil, options)
        #expect(begun.mediation == .conditional)
        #expect(begun.json.object?["mediation"]?.string == "conditional")
        #expect(begun.json.object?["publicKey"] == begun.options.json)
        var client = world.site.client
        client.hasRecentAuthentication = true
        _ = try await world.service.finishRegistration(
            client.create(begun.options, mediation: .conditional),
            token: begun.token,
            session: nil,
            of: user.id
        )
        let signIn = try await world.service.beginDiscoverableAuthentication(mediation: .conditional, session: nil)
        #expect(signIn.json.object?["mediation"]?.string == "conditional")
        let response = try client.get(signIn.options, mediation: .conditional)
        _ = try await world.service.finishAuthentication(response, token: signIn.token, session: nil)
    }

    @Test("A name that nobody has is answered as one that somebody has, the same each time")
    func decoys() async throws {
        let world = try World(.memory)
        let made = try await world.register()
        let service = world.service
        func begin(_ name: String, _ user: UserHandle?) async throws -> BegunAuthentication {
            try await service.beginAuthentication(ofUserNamed: name, user, session: nil)
        }
        let known = try await begin("ada", Site.user().id)
        #expect(known.options.allowCredentials == [made.credential.record.descriptor])
        var shapes: Set<[Int]> = []
        for index in 0..<200 {
            let first = try await begin("nobody\(index)", nil).options
            let second = try await begin("nobody\(index)", nil).options
            #expect(first.allowCredentials == second.allowCredentials)
            #expect(!first.allowCredentials.isEmpty)
            #expect(first.allowCredentials.allSatisfy { !$0.transports.isEmpty && (16...64).contains($0.id.count) })
            shapes.insert(first.allowCredentials.map(\.id.count))
        }
        #expect(shapes.count > 3)
        // A user who has no passkeys is answered so, too.
        let empty = try await begin("grace", Site.user(9).id)
        #expect(!empty.options.allowCredentials.isEmpty)
        // Another key, another answer; and nobody signs in.
        let other = try World(.memory)
        #expect(
            try await begin("x", nil).options.allowCredentials
                == other.service.beginAuthentication(ofUserNamed: "x", nil, session: nil).options.allowCredentials
        )
        let fresh = try PasskeyService(
            world.site.relyingParty,
            credentials: InMemoryCredentialStore(),
            ceremonies: InMemoryCeremonyStore()
        )
        let third = try await fresh.beginAuthentication(ofUserNamed: "x", nil, session: nil)
        #expect((try await begin("x", nil).options.allowCredentials == third.options.allowCredentials) == false)

        let decoy = try await begin("nobody", nil)
        var answered = decoy.options
        answered.allowCredentials = known.options.allowCredentials
        var response = try world.site.client.get(answered)
        response.id = decoy.options.allowCredentials[0].id
        let error = try await refusal {
            try await service.finishAuthentication(response, token: decoy.token, session: nil)
        }
        #expect(error.code == .authenticationFailed)
    }

    @Test("A failing store is an error, and nothing is kept")
    func failingStore() async throws {
        struct Broken: CeremonyStore, CredentialStore {
            static let error = StoreError(.unavailable, "no connection")
            func put(_ entry: CeremonyEntry) async throws(StoreError) -> String { throw Self.error }
            func take(_ token: String) async throws(StoreError) -> CeremonyEntry? { throw Self.error }
            func insert(_ credential: StoredCredential) async throws(StoreError) { throw Self.error }
            func credential(_ id: [UInt8]) async throws(StoreError) -> StoredCredential? { throw Self.error }
            func credentials(of userHandle: UserHandle) async throws(StoreError) -> [StoredCredential] { [] }
            func update(_ record: CredentialRecord, ifSignCountIs: UInt32) async throws(StoreError) -> Bool { false }
            func rename(_ id: [UInt8], of: UserHandle, to: String) async throws(StoreError) -> Bool { false }
            func remove(_ id: [UInt8], of: UserHandle) async throws(StoreError) -> Bool { false }
        }
        let world = try World(.memory)
        var service = try PasskeyService(
            world.site.relyingParty,
            credentials: InMemoryCredentialStore(),
            ceremonies: Broken()
        )
        var error = try await refusal { try await service.beginDiscoverableAuthentication(session: nil) }
        #expect(error.code == nil)
        #expect(error.httpStatus == 503)
        service = try PasskeyService(
            world.site.relyingParty,
            credentials: Broken(),
            ceremonies: InMemoryCeremonyStore(clock: world.site.clock.now),
            clock: world.site.clock.now
        )
        let begun = try await service.beginRegistration(for: Site.user(), session: nil)
        let broken = service
        error = try await refusal {
            try await broken.finishRegistration(
                world.site.client.create(begun.options),
                token: begun.token,
                session: nil,
                of: Site.user().id
            )
        }
        guard case .store(Broken.error) = error.reason else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("Signals as the client's methods take them")
    func signals() throws {
        let user = try Site.user()
        let world = try World(.memory)
        #expect(
            world.service.currentDetails(of: user).json.serialized()
                == [UInt8](
                    #"{"method":"signalCurrentUserDetails","argument":{"rpId":"example.com","userId":"AQEBAQEBAQEBAQEBAQEBAQ","name":"ada1@example.com","displayName":"Ada"}}"#
                        .utf8
                )
        )
        #expect(
            PasskeySignal.unknownCredential(rpId: "a", credentialId: [0xFF]).argument
                == ["rpId": "a", "credentialId": "_w"]
        )
    }

    @Test("What the README shows")
    func readme() async throws {
        let store = try SQLiteStore(path: nil)
        let relyingParty = try RelyingParty(id: Site.id, name: "Example", origins: [Site.origin])
        let decoyKey = SealingKeys.randomKey()
        let service = try PasskeyService(relyingParty, credentials: store, ceremonies: store, decoyKey: decoyKey)
        let user = try Site.user()
        let session: [UInt8] = [1, 2, 3]
        let client = VirtualClient(origin: Site.origin)

        let begun = try await service.beginRegistration(for: user, session: session)
        let json = try JSONValue(json: begun.json.serialized())
        let token = try #require(json.object?["token"]?.string)
        let options = try PublicKeyCredentialCreationOptions(try #require(json.object?["publicKey"]))
        let response = try client.create(options)
        let made = try await service.finishRegistration(
            response,
            token: token,
            session: session,
            of: user.id,
            name: "Phone"
        )
        #expect(made.credential.name == "Phone")

        let signIn = try await service.beginDiscoverableAuthentication(mediation: .conditional, session: session)
        let assertion = try client.get(signIn.options, mediation: .conditional)
        let signedIn = try await service.finishAuthentication(assertion, token: signIn.token, session: session) {
            verified in
            verified.userHandle == user.id
        }
        #expect(signedIn.userHandle == user.id)
    }

    @Test("Documents by which sites and applications are associated")
    func documents() throws {
        let party = try RelyingParty(
            id: "example.com",
            name: "Example",
            origins: ["https://example.com", "https://login.example.com", "https://example.de", "https://shop.example"]
        )
        #expect(party.relatedOriginsDocument() == ["origins": ["https://example.de", "https://shop.example"]])
        #expect(try Site().relyingParty.relatedOriginsDocument() == nil)
        #expect(
            AssociationDocument.appleAppSiteAssociation(applicationIdentifiers: ["A1.com.example"])
                == ["webcredentials": ["apps": ["A1.com.example"]]]
        )
        let links = AssociationDocument.assetLinks([
            .init(packageName: "com.example", certificateHashes: [[0x0A, 0xFF]])
        ])
        #expect(String(decoding: links.serialized(), as: UTF8.self).contains(#""sha256_cert_fingerprints":["0A:FF"]"#))
    }
}
