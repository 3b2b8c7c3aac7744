import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

/// What the web platform's tests of WebAuthn expect of a browser, as far as a page sees it here; each test names its file.
@Suite("The web platform's tests: createcredential-*, getcredential-*")
struct ClientPlatformTests {
    private static let algorithms: [COSEAlgorithmIdentifier] = [.es256]

    private func client(_ options: VirtualAuthenticatorOptions = .platform) -> VirtualClient {
        VirtualClient(origin: "https://www.example.com", authenticators: [VirtualAuthenticator(options)])
    }

    private func name(
        _ client: VirtualClient,
        _ change: (inout PublicKeyCredentialCreationOptions) -> Void
    ) throws -> ClientError.Name? {
        let options = try World.creationOptions(change)
        do throws(ClientError) {
            _ = try client.create(options)
            return nil
        } catch {
            return error.name
        }
    }

    /// What a page catches that passes JSON.
    private func parsing(_ change: (inout JSONObject) throws -> Void) throws -> ClientError.Name? {
        var object = try #require(World.creationOptions().json.object)
        try change(&object)
        do throws(ClientError) {
            _ = try VirtualClient.parseCreationOptionsFromJSON(.object(object))
            return nil
        } catch {
            return error.name
        }
    }

    @Test("excludecredentials: one that is there, among others and under any transport, is an InvalidStateError")
    func excludeCredentials() throws {
        let client = client()
        let id = try client.create(World.creationOptions()).id
        let other = PublicKeyCredentialDescriptor(id: [1, 2, 3])
        for list in [
            [PublicKeyCredentialDescriptor(id: id)], [other, .init(id: id)], [.init(id: id), .init(id: id)],
            [.init(id: id, transports: [.usb, .nfc, .ble])],
        ] {
            #expect(try name(client) { $0.excludeCredentials = list } == .invalidState)
        }
        // One that was used, one of an unknown type, one that nobody has, and none.
        _ = try client.get(World.requestOptions())
        #expect(try name(client) { $0.excludeCredentials = [.init(id: id)] } == .invalidState)
        for list in [[other], [], [.init(type: "something-else", id: id)]] {
            #expect(try name(client) { $0.excludeCredentials = list } == nil)
        }
    }

    @Test("pubkeycredparams: the first that an authenticator supports, and what is left of the list")
    func parameters() throws {
        let client = client(World.options { $0.algorithms = Self.algorithms })
        typealias Parameters = PublicKeyCredentialParameters
        #expect(try name(client) { $0.pubKeyCredParams = [] } == nil)
        #expect(try name(client) { $0.pubKeyCredParams = [Parameters(alg: .init(rawValue: -7))] } == nil)
        #expect(
            try name(client) { $0.pubKeyCredParams = [Parameters(alg: .rs256), Parameters(alg: .es256)] } == nil
        )
        let unknown = Parameters(type: "something-else", alg: .es256)
        #expect(try name(client) { $0.pubKeyCredParams = [unknown] } == .notSupported)
        #expect(try name(client) { $0.pubKeyCredParams = [unknown, Parameters(alg: .es256)] } == nil)
        // An algorithm that no authenticator knows is the end of the timer.
        #expect(try name(client) { $0.pubKeyCredParams = [Parameters(alg: .init(rawValue: 42))] } == .notAllowed)
        #expect(try parsing { $0["pubKeyCredParams"] = nil } == .type)
        #expect(try parsing { $0["pubKeyCredParams"] = "hi mom" } == .type)
        #expect(try parsing { $0["pubKeyCredParams"] = [[:]] } == .type)
    }

    @Test("resident-key: what residentKey and requireResidentKey ask for, and what credProps says of it")
    func residentKey() throws {
        for (members, isCapable, expected) in [
            (["residentKey": "required"] as JSONObjectLiteral, true, true as Bool?),
            (["residentKey": "preferred"], true, true), (["residentKey": "discouraged"], true, false),
            ([:], true, false),
            (["requireResidentKey": true], true, true), (["requireResidentKey": false], true, false),
            (["residentKey": "discouraged", "requireResidentKey": true], true, false),
            (["residentKey": "required", "requireResidentKey": false], true, true),
            (["residentKey": "no such value", "requireResidentKey": true], true, true),
            (["residentKey": "required"], false, nil), (["residentKey": "preferred"], false, false),
            (["requireResidentKey": true], false, nil),
        ] {
            let client = client(World.options { $0.hasResidentKey = isCapable })
            let criteria = try AuthenticatorSelectionCriteria(members.json)
            let response = try? client.create(
                World.creationOptions {
                    $0.authenticatorSelection = criteria
                    $0.extensions.credProps = true
                }
            )
            #expect(response?.clientExtensionResults.credProps?.rk == expected, "\(members.json)")
        }
    }

    @Test("timeout: a user who does nothing, and no authenticator at all, are a NotAllowedError")
    func timeout() throws {
        var client = client()
        client.user = VirtualUser { _ in .ignores }
        #expect(try name(client) { $0.timeout = 1 } == .notAllowed)
        client.authenticators = []
        client.user = .willing
        #expect(try name(client) { $0.timeout = 1 } == .notAllowed)
        #expect(try #require(throws: ClientError.self) { try client.get(World.requestOptions()) }.name == .notAllowed)
    }

    @Test("badargs-rp: IDs that are not the page's, and what is required")
    func badRelyingParty() throws {
        let client = client()
        for id in [
            "", "login.example.com", "com", "example.com.", "https://example.com", "example.com:443", "ample.com",
            "a.www.example.com", "localhost", "\u{65}\u{301}xample.com",
        ] {
            #expect(try name(client) { $0.rp.id = id } == .security, "\(id)")
        }
        for id in [nil, "example.com", "www.example.com"] { #expect(try name(client) { $0.rp.id = id } == nil) }
        #expect(try parsing { $0["rp"] = nil } == .type)
        #expect(try parsing { $0["rp"] = "hi mom" } == .type)
        #expect(try parsing { $0["rp"] = ["id": "example.com"] } == .type)
    }

    @Test("badargs-user, badargs-challenge, badargs-authnrselection: types and lengths")
    func badArguments() throws {
        #expect(try parsing { _ in } == nil)
        #expect(try parsing { $0["user"] = nil } == .type)
        for (member, value) in [
            ("id", nil), ("id", ""), ("id", .string(Base64URL.encode([UInt8](repeating: 1, count: 65)))), ("id", 42),
            ("name", nil), ("name", [:]), ("displayName", nil),
        ] as [(String, JSONValue?)] {
            let refused = try parsing { object in
                var user = try #require(object["user"]?.object)
                user[member] = value
                object["user"] = .object(user)
            }
            #expect(refused == .type, "\(member)")
        }
        #expect(try parsing { $0["challenge"] = nil } == .type)
        #expect(try parsing { $0["challenge"] = [1] } == .type)
        #expect(try parsing { $0["authenticatorSelection"] = "x" } == .type)
        #expect(try parsing { $0["authenticatorSelection"] = ["requireResidentKey": "yes"] } == .type)
        // An unknown value is as good as none, and an attachment that nobody has is the end of the timer.
        #expect(try parsing { $0["authenticatorSelection"] = ["authenticatorAttachment": "x"] } == nil)
        #expect(
            try name(client()) { $0.authenticatorSelection?.authenticatorAttachment = .crossPlatform } == .notAllowed
        )
        #expect(
            try name(client(.securityKey)) { $0.authenticatorSelection?.userVerification = .required } == nil
        )
    }

    @Test("getcredential-passing, -badargs-rpid, -badargs-userverification: what a sign-in takes")
    func get() throws {
        let client = client()
        let id = try client.create(World.creationOptions()).id
        func name(_ change: (inout PublicKeyCredentialRequestOptions) -> Void) throws -> ClientError.Name? {
            let options = try World.requestOptions(change)
            do throws(ClientError) {
                let response = try client.get(options)
                #expect(response.id == id)
                return nil
            } catch {
                return error.name
            }
        }
        #expect(try name { $0.timeout = nil } == nil)
        #expect(try name { $0.allowCredentials = [.init(id: id)] } == nil)
        #expect(try name { $0.allowCredentials = [.init(id: id, transports: ["x", .nfc])] } == nil)
        #expect(try name { $0.allowCredentials = [.init(id: [1]), .init(id: id), .init(id: id)] } == nil)
        for requirement in UserVerificationRequirement.allCases {
            #expect(try name { $0.userVerification = requirement } == nil)
        }
        for rpID in ["", "invalid", "com", "other.example", "a.www.example.com"] {
            #expect(try name { $0.rpId = rpID } == .security)
        }
        // The page's own host, for which there is no credential.
        #expect(try name { $0.rpId = nil } == .notAllowed)
        let unknown = try VirtualClient.parseRequestOptionsFromJSON(
            ["challenge": "AQ", "rpId": "example.com", "userVerification": "x", "extensions": ["x": 1]]
        )
        #expect(unknown.userVerification == .preferred)
        #expect(try client.get(unknown).id == id)
    }
}

/// A JSON object written down in a table.
struct JSONObjectLiteral: ExpressibleByDictionaryLiteral {
    let json: JSONValue

    init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        json = .object(object)
    }
}
