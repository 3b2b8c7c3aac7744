import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

func base64URL(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes) }

@Suite("§5.1.10: signals, and options in JSON")
struct ClientSignalTests {
    private let user = Base64URL.encode([UInt8](repeating: 1, count: 16))

    /// The three signals of a client, by RP ID, user handle and credential ID.
    private func errors(_ client: VirtualClient, rpId: String, userId: String, id: String) -> [ClientError?] {
        func error(_ body: () throws(ClientError) -> Void) -> ClientError? {
            do throws(ClientError) {
                try body()
                return nil
            } catch {
                return error
            }
        }
        return [
            error { () throws(ClientError) in try client.signalUnknownCredential(rpId: rpId, credentialId: id) },
            error { () throws(ClientError) in
                try client.signalAllAcceptedCredentials(
                    rpId: rpId,
                    userId: userId,
                    allAcceptedCredentialIds: ["AQ", id]
                )
            },
            error { () throws(ClientError) in
                try client.signalCurrentUserDetails(rpId: rpId, userId: userId, name: "new", displayName: "New")
            },
        ]
    }

    @Test("What is not base64url is a TypeError, before the RP ID counts", arguments: ["AQ==", "A", "+/+/", "é"])
    func malformed(_ text: String) {
        let client = VirtualClient(origin: World.origin)
        for rpID in [World.rpID, "other.example"] {
            let id = errors(client, rpId: rpID, userId: "AQ", id: text)
            #expect(id.prefix(2).allSatisfy { $0?.name == .type && $0?.reason == .malformedOptions })
            let user = errors(client, rpId: rpID, userId: text, id: "AQ")
            #expect(user.suffix(2).allSatisfy { $0?.name == .type && $0?.reason == .malformedOptions })
        }
        #expect(errors(client, rpId: World.rpID, userId: "AQ", id: "AQ").allSatisfy { $0 == nil })
    }

    @Test("An RP ID that is not the page's is a SecurityError, and so is a page without a domain")
    func security() {
        var client = VirtualClient(origin: "https://login.example.com")
        for rpID in ["com", "other.example", "", "umbrella.login.example.com"] {
            let errors = errors(client, rpId: rpID, userId: user, id: "AQ")
            #expect(errors.allSatisfy { $0?.name == .security && $0?.reason == .relyingPartyIdentifier })
        }
        #expect(errors(client, rpId: World.rpID, userId: user, id: "AQ").allSatisfy { $0 == nil })
        for origin in ["null", "https://127.0.0.1"] {
            client.origin = origin
            #expect(errors(client, rpId: World.rpID, userId: user, id: "AQ").allSatisfy { $0?.name == .security })
        }
    }

    @Test("A client without the methods has none to call")
    func unsupported() {
        var client = VirtualClient(origin: World.origin)
        client.profile = .firefox
        let errors = errors(client, rpId: World.rpID, userId: user, id: "A")
        #expect(errors.allSatisfy { $0?.name == .type && $0?.reason == .unsupported })
    }

    @Test("Signals reach each authenticator, and tell nothing back")
    func effects() throws {
        let client = VirtualClient(
            origin: World.origin,
            authenticators: [VirtualAuthenticator(.platform), VirtualAuthenticator(.securityKey)]
        )
        let ids = try [AuthenticatorAttachment.platform, .crossPlatform].map { attachment in
            try client.create(
                World.creationOptions { $0.authenticatorSelection?.authenticatorAttachment = attachment }
            ).id
        }
        func hidden() -> [Bool] { client.authenticators.flatMap(\.credentials).map(\.isHidden) }
        try client.signalUnknownCredential(rpId: World.rpID, credentialId: Base64URL.encode([9]))
        #expect(hidden() == [false, false])
        try client.signalUnknownCredential(rpId: World.rpID, credentialId: Base64URL.encode(ids[1]))
        #expect(hidden() == [false, true])
        try client.signalAllAcceptedCredentials(
            rpId: World.rpID,
            userId: user,
            allAcceptedCredentialIds: [Base64URL.encode(ids[1])]
        )
        #expect(hidden() == [true, false])
        // Another account's list, and a handle that no account has.
        for other in ["AQ", "", Base64URL.encode([UInt8](repeating: 1, count: 65))] {
            try client.signalAllAcceptedCredentials(rpId: World.rpID, userId: other, allAcceptedCredentialIds: [])
            try client.signalCurrentUserDetails(rpId: World.rpID, userId: other, name: "other", displayName: "")
        }
        #expect(hidden() == [true, false])
        try client.signalCurrentUserDetails(rpId: World.rpID, userId: user, name: "new", displayName: "New")
        #expect(client.authenticators.flatMap(\.credentials).map(\.userName) == ["new", "new"])
        #expect(client.authenticators.flatMap(\.credentials).map(\.userDisplayName) == ["New", "New"])
    }

    @Test("Options in JSON: what a server sent, or the error of the member at fault")
    func parse() throws {
        let creation = try World.creationOptions()
        let request = try World.requestOptions()
        #expect(try VirtualClient.parseCreationOptionsFromJSON(creation.json) == creation)
        #expect(try VirtualClient.parseCreationOptionsFromJSON(creation.jsonBytes()) == creation)
        #expect(try VirtualClient.parseRequestOptionsFromJSON(request.json) == request)
        #expect(try VirtualClient.parseRequestOptionsFromJSON(request.jsonBytes()) == request)

        func error(_ change: (inout JSONObject) -> Void) throws -> (ClientError, ClientError) {
            var create = try #require(creation.json.object)
            change(&create)
            var get = try #require(request.json.object)
            change(&get)
            return (
                try #require(throws: ClientError.self) {
                    try VirtualClient.parseCreationOptionsFromJSON(.object(create))
                },
                try #require(throws: ClientError.self) { try VirtualClient.parseRequestOptionsFromJSON(.object(get)) }
            )
        }
        let cases: [(ClientError.Name, (inout JSONObject) -> Void)] = [
            (.encoding, { $0["challenge"] = "a+b=" }), (.type, { $0["challenge"] = nil }),
            (.type, { $0["challenge"] = 1 }), (.encoding, { $0["challenge"] = "" }),
            (
                .encoding,
                {
                    $0["excludeCredentials"] = [["type": "public-key", "id": "="]]
                    $0["allowCredentials"] = [["type": "public-key", "id": "="]]
                }
            ),
        ]
        for (name, change) in cases {
            let (create, get) = try error(change)
            #expect((create.name, create.reason) == (name, .malformedOptions))
            #expect((get.name, get.reason) == (name, .malformedOptions))
        }
        for text in ["", "{", "{} x"] {
            let error = try #require(throws: ClientError.self) {
                try VirtualClient.parseRequestOptionsFromJSON([UInt8](text.utf8))
            }
            #expect(error.name == .syntax)
        }
    }

    @Test("A key of evalByCredential that is no ID is what the ceremony would make of it")
    func evalByCredential() throws {
        for (key, value, create, get) in [
            ("=", "AQ", ClientError.Name.notSupported, ClientError.Name.syntax), ("", "AQ", .notSupported, .syntax),
            ("AQ", "=", .encoding, .encoding),
        ] {
            let prf: JSONValue = ["prf": ["evalByCredential": .object(object(key, ["first": .string(value)]))]]
            var creation = try #require(World.creationOptions().json.object)
            creation["extensions"] = prf
            var request = try #require(World.requestOptions().json.object)
            request["extensions"] = prf
            let errors = (
                try #require(throws: ClientError.self) {
                    try VirtualClient.parseCreationOptionsFromJSON(.object(creation))
                },
                try #require(throws: ClientError.self) {
                    try VirtualClient.parseRequestOptionsFromJSON(.object(request))
                }
            )
            #expect((errors.0.name, errors.1.name) == (create, get))
        }
    }

    private func object(_ name: String, _ value: JSONValue) -> JSONObject {
        var object = JSONObject()
        object[name] = value
        return object
    }

    @Test("A user handle of a length that none has is the TypeError of step 5", arguments: [0, 65])
    func userHandle(_ count: Int) throws {
        var object = try #require(World.creationOptions().json.object)
        var user = try #require(object["user"]?.object)
        user["id"] = .string(Base64URL.encode([UInt8](repeating: 1, count: count)))
        object["user"] = .object(user)
        let error = try #require(throws: ClientError.self) {
            try VirtualClient.parseCreationOptionsFromJSON(.object(object))
        }
        #expect((error.name, error.step) == (.type, 5))
        user["id"] = .string(Base64URL.encode([UInt8](repeating: 1, count: count == 0 ? 1 : 64)))
        object["user"] = .object(user)
        #expect(throws: Never.self) { try VirtualClient.parseCreationOptionsFromJSON(.object(object)) }
    }
}
