import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("§6.3.5 silent discovery, §5.1.10 signals, §6.4.1 truncation")
struct SignalTests {
    private func authenticator(
        _ change: (inout VirtualAuthenticatorOptions) -> Void = { _ in }
    ) throws -> (VirtualAuthenticator, [[UInt8]]) {
        let clock = TickingClock()
        let authenticator = VirtualAuthenticator(World.options(change), clock: clock.now)
        let ids = try (1...2 as ClosedRange<UInt8>).map { byte in
            try AttestationObject(authenticator.makeCredential(World.makeCredential(user: byte))).attested()
                .credentialID
        }
        return (authenticator, ids)
    }

    private func canSign(_ authenticator: VirtualAuthenticator, _ id: [UInt8]) -> Bool {
        (try? authenticator.getAssertion(World.getAssertion { $0.allowCredentialDescriptorList = [.init(id: id)] }))
            != nil
    }

    @Test("Discovery tells of discoverable credentials of the relying party that need no verification to be seen")
    func discovery() throws {
        let (authenticator, ids) = try authenticator()
        _ = try authenticator.makeCredential(World.makeCredential(user: 3) { $0.rpID = "other.example" })
        _ = try authenticator.makeCredential(World.makeCredential(user: 4) { $0.requireResidentKey = false })
        _ = try authenticator.makeCredential(World.makeCredential(user: 5) { $0.extensions = ["credProtect": 3] })
        let found = authenticator.silentCredentialDiscovery(rpID: World.rpID)
        #expect(found.map(\.id) == ids.reversed())
        #expect(try found.map(\.userHandle) == [World.handle(2), World.handle(1)])
        #expect(found.map(\.userName) == ["ada2@example.com", "ada1@example.com"])
        #expect(found.allSatisfy { $0.rpID == World.rpID && $0.userDisplayName == "Ada" })
    }

    @Test(
        "An unknown credential is hidden, removed or left alone, as the device does",
        arguments: SignalEffect.allCases
    )
    func unknown(_ effect: SignalEffect) throws {
        let (authenticator, ids) = try authenticator { $0.signalEffect = effect }
        authenticator.signalUnknownCredential(rpID: "other.example", credentialID: ids[0])
        authenticator.signalUnknownCredential(rpID: World.rpID, credentialID: [1])
        #expect(canSign(authenticator, ids[0]))
        authenticator.signalUnknownCredential(rpID: World.rpID, credentialID: ids[0])
        #expect(canSign(authenticator, ids[0]) == (effect == .ignores))
        #expect(canSign(authenticator, ids[1]))
        #expect(authenticator.credentials.count == (effect == .removes ? 1 : 2))
        #expect(authenticator.credentials.contains { $0.isHidden } == (effect == .hides))
        #expect(authenticator.silentCredentialDiscovery(rpID: World.rpID).count == (effect == .ignores ? 2 : 1))
        #expect(try authenticator.getAssertion(World.getAssertion()).userHandle == World.handle(2))
    }

    @Test("A list of accepted credentials hides what is not on it, and shows it again; other accounts are left alone")
    func allAccepted() throws {
        let (authenticator, ids) = try authenticator()
        let handle = try World.handle(1)
        authenticator.signalAllAcceptedCredentials(rpID: World.rpID, userHandle: handle, allAcceptedCredentialIDs: [])
        #expect(!canSign(authenticator, ids[0]) && canSign(authenticator, ids[1]))
        authenticator.signalAllAcceptedCredentials(
            rpID: "other.example",
            userHandle: handle,
            allAcceptedCredentialIDs: ids
        )
        #expect(!canSign(authenticator, ids[0]))
        authenticator.signalAllAcceptedCredentials(rpID: World.rpID, userHandle: handle, allAcceptedCredentialIDs: ids)
        #expect(canSign(authenticator, ids[0]) && canSign(authenticator, ids[1]))
    }

    @Test("New names are kept, as much of them as the device keeps")
    func details() throws {
        let (authenticator, _) = try authenticator { $0.stringByteLimit = 64 }
        authenticator.signalCurrentUserDetails(
            rpID: World.rpID,
            userHandle: try World.handle(1),
            name: String(repeating: "é", count: 40),
            displayName: "Augusta"
        )
        let credential = try #require(authenticator.credentials.last)
        #expect(credential.userName == String(repeating: "é", count: 32))
        #expect(credential.userDisplayName == "Augusta")
        #expect(authenticator.credentials[0].userName == "ada2@example.com")
    }

    @Test("Names are cut where a code point begins, and never below 64 bytes")
    func truncation() throws {
        for (name, limit, kept) in [
            (String(repeating: "a", count: 64), 64, 64), (String(repeating: "a", count: 65), 64, 64),
            (String(repeating: "a", count: 65), 10, 64), (String(repeating: "a", count: 65), nil, 65),
            ("a" + String(repeating: "é", count: 40), 64, 63), ("ab" + String(repeating: "😀", count: 20), 64, 62),
            (String(repeating: "e\u{301}", count: 30), 64, 64),
        ] as [(String, Int?, Int)] {
            let authenticator = VirtualAuthenticator(World.options { $0.stringByteLimit = limit })
            _ = try authenticator.makeCredential(World.makeCredential { $0.user.name = name })
            let stored = authenticator.credentials[0].userName
            #expect(stored.utf8.count == kept)
            #expect(name.utf8.starts(with: stored.utf8))
            #expect(!stored.unicodeScalars.contains("\u{FFFD}"))
        }
    }
}
