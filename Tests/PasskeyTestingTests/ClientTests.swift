import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("§5.1.3 and §5.1.4: pages, RP IDs, client data, timers")
struct ClientTests {
    /// What both ceremonies of a client make of a page, with the numbers of their steps.
    private func refusals(
        _ origin: String,
        rpID: String?,
        _ change: (inout VirtualClient) -> Void = { _ in }
    ) throws -> (create: ClientError?, get: ClientError?) {
        var client = VirtualClient(origin: origin)
        change(&client)
        func error(_ body: () throws(ClientError) -> Void) -> ClientError? {
            do throws(ClientError) {
                try body()
                return nil
            } catch {
                return error
            }
        }
        let creation = try World.creationOptions { $0.rp.id = rpID }
        // A credential for the RP ID, so that the sign-in depends on the page alone.
        let hosted = rpID ?? Origin(serialized: origin)?.host ?? World.rpID
        let authenticator = try #require(client.authenticators.first)
        _ = try authenticator.makeCredential(World.makeCredential(user: 9) { $0.rpID = hosted.isEmpty ? "x" : hosted })
        let request = try World.requestOptions { $0.rpId = rpID }
        return (
            error { () throws(ClientError) in _ = try client.create(creation) },
            error { () throws(ClientError) in _ = try client.get(request) }
        )
    }

    @Test(
        "An opaque origin is a NotAllowedError",
        arguments: [
            "null", "", "about:blank", "https://EXAMPLE.com", "https://example.com/", "ios:bundle-id:x",
            "https://b\u{FC}cher.example", "android:apk-key-hash:" + String(repeating: "A", count: 43),
        ]
    )
    func opaque(_ origin: String) throws {
        let (create, get) = try refusals(origin, rpID: World.rpID)
        #expect((create?.name, create?.reason, create?.step) == (.notAllowed, .opaqueOrigin, 6))
        #expect((get?.name, get?.reason, get?.step) == (.notAllowed, .opaqueOrigin, 5))
    }

    @Test(
        "A host that is no domain, or not reached securely, is a SecurityError",
        arguments: ["https://127.0.0.1", "https://[::1]", "http://example.com"]
    )
    func invalidDomain(_ origin: String) throws {
        let (create, get) = try refusals(origin, rpID: nil)
        #expect((create?.name, create?.reason, create?.step) == (.security, .invalidDomain, 7))
        #expect((get?.name, get?.reason, get?.step) == (.security, .invalidDomain, 6))
    }

    @Test(
        "An RP ID that is neither the host nor a domain above it is a SecurityError",
        arguments: [
            ("https://example.com", "com"), ("https://example.com", "other.example"),
            ("https://example.com", "ample.com"), ("https://example.com", "login.example.com"),
            ("https://example.com", ""), ("https://example.com", "example.com."),
            ("https://example.com", "EXAMPLE.com"), ("https://a.localhost", "localhost"),
            ("https://example.co.uk", "co.uk"), ("https://ada.github.io", "github.io"), ("https://a.b.ck", "b.ck"),
            ("https://a.xn--55qx5d.cn", "xn--55qx5d.cn"), ("https://xn--bcher-kva.example", "b\u{FC}cher.example"),
            ("https://xn--bcher-kva.example", "example"), ("https://example.com:8443", "example.com:8443"),
        ]
    )
    func wrongRelyingParty(_ origin: String, _ rpID: String) throws {
        let (create, get) = try refusals(origin, rpID: rpID)
        #expect((create?.name, create?.reason, create?.step) == (.security, .relyingPartyIdentifier, 8))
        #expect((get?.name, get?.reason, get?.step) == (.security, .relyingPartyIdentifier, 7))
    }

    @Test(
        "The host, a domain above it, and no RP ID at all are accepted",
        arguments: [
            ("https://example.com", "example.com"), ("https://login.example.com", "example.com"),
            ("https://login.example.com:8443", "login.example.com"), ("https://example.com", nil),
            ("http://localhost:8080", "localhost"), ("http://localhost", nil), ("https://intranet", "intranet"),
            ("https://www.example.co.uk", "example.co.uk"), ("https://ada.github.io", "ada.github.io"),
            ("https://github.io", "github.io"), ("https://c.a.b.ck", "a.b.ck"), ("https://a.www.ck", "www.ck"),
            ("https://login.xn--bcher-kva.example", "xn--bcher-kva.example"), ("https://a.b.localhost", "b.localhost"),
        ]
    )
    func rightRelyingParty(_ origin: String, _ rpID: String?) throws {
        let (create, get) = try refusals(origin, rpID: rpID)
        #expect(create == nil)
        #expect(get == nil)
    }

    @Test("Client data, byte for byte")
    func clientData() throws {
        let challenge = try Challenge(bytes: [0xFB, 0xEF, 0xFF, 0, 1])
        var client = VirtualClient(origin: "https://example.com")
        let creation = try World.creationOptions { $0.challenge = challenge }
        let request = try World.requestOptions { $0.challenge = challenge }
        func texts() throws -> [String] {
            [
                String(decoding: try client.create(creation).clientDataJSON, as: UTF8.self),
                String(decoding: try client.get(request).clientDataJSON, as: UTF8.self),
            ]
        }
        func expected(_ rest: String) -> [String] {
            ["webauthn.create", "webauthn.get"].map {
                #"{"type":"\#($0)","challenge":"--__AAE","origin":"https://example.com""# + rest + "}"
            }
        }
        #expect(try texts() == expected(#","crossOrigin":false"#))
        client.clientDataForm = .native
        #expect(try texts() == expected(""))
        client.clientDataForm = .standard
        client.topOrigin = "https://top.example"
        #expect(try texts() == expected(#","crossOrigin":false"#), "topOrigin without a frame")
        client.sameOriginWithAncestors = false
        #expect(try texts() == expected(#","crossOrigin":true,"topOrigin":"https://top.example""#))
        client.topOrigin = nil
        #expect(try texts() == expected(#","crossOrigin":true"#))

        let parsed = try ClientData(client.create(creation).clientDataJSON)
        #expect(parsed.type == "webauthn.create")
        #expect(try Base64URL.decode(parsed.challenge) == challenge.bytes)
        #expect(parsed.crossOrigin == true)
    }

    @Test("The timer is what is reasonable, and a user who takes longer is a NotAllowedError")
    func timer() throws {
        let cases: [(timeout: UInt32?, delay: Duration, isIn: Bool)] = [
            (nil, .milliseconds(300_000), true), (nil, .milliseconds(300_001), false),
            (1000, .milliseconds(300_000), true), (400_000, .milliseconds(400_000), true),
            (400_000, .milliseconds(400_001), false), (.max, .milliseconds(600_000), true),
            (.max, .milliseconds(600_001), false),
        ]
        for (timeout, delay, isIn) in cases {
            var client = VirtualClient(origin: World.origin)
            _ = try client.create(World.creationOptions())
            client.userDelay = delay
            let creation = try World.creationOptions(user: 2) { $0.timeout = timeout }
            let request = try World.requestOptions { $0.timeout = timeout }
            if isIn {
                #expect(throws: Never.self) { try client.create(creation) }
                #expect(throws: Never.self) { try client.get(request) }
            } else {
                let create = try #require(throws: ClientError.self) { try client.create(creation) }
                #expect((create.name, create.reason, create.step) == (.notAllowed, .timedOut, 23))
                let get = try #require(throws: ClientError.self) { try client.get(request) }
                #expect((get.name, get.reason, get.step) == (.notAllowed, .timedOut, 21))
                #expect(client.authenticators[0].credentials.count == 1)
            }
        }
    }

    @Test("A caller that has ended the ceremony is an AbortError, after what the options are refused for")
    func aborted() throws {
        var client = VirtualClient(origin: World.origin)
        client.isAborted = { true }
        let create = try #require(throws: ClientError.self) { try client.create(World.creationOptions()) }
        #expect((create.name, create.reason, create.step) == (.abort, .aborted, 16))
        let get = try #require(throws: ClientError.self) { try client.get(World.requestOptions()) }
        #expect((get.name, get.reason, get.step) == (.abort, .aborted, 13))
        let earlier = try #require(throws: ClientError.self) {
            try client.create(World.creationOptions { $0.rp.id = "other.example" })
        }
        #expect(earlier.step == 8)
        client.isAborted = { false }
        #expect(throws: Never.self) { try client.create(World.creationOptions()) }
    }

    @Test("No known credential type is a NotSupportedError; no list at all stands for ES256 and RS256")
    func parameters() throws {
        let client = VirtualClient(origin: World.origin)
        let unknown = try World.creationOptions { $0.pubKeyCredParams = [.init(type: "other", alg: .es256)] }
        let error = try #require(throws: ClientError.self) { try client.create(unknown) }
        #expect((error.name, error.reason, error.step) == (.notSupported, .noKnownCredentialType, 10))
        _ = try client.create(World.creationOptions { $0.pubKeyCredParams = [] })
        #expect(client.authenticators[0].credentials.map(\.algorithm) == [.es256])
        let rsa = VirtualClient(
            origin: World.origin,
            authenticators: [VirtualAuthenticator(World.options { $0.algorithms = [.rs256] })]
        )
        _ = try rsa.create(World.creationOptions { $0.pubKeyCredParams = [] })
        #expect(rsa.authenticators[0].credentials.map(\.algorithm) == [.rs256])
    }
}
