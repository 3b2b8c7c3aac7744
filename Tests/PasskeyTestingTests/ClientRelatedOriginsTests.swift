import PasskeyModel
import PasskeyTesting
import Testing

/// Answers by URL, and a record of what was asked.
private final class Web: @unchecked Sendable {
    private let answers: [String: RelatedOriginsResponse]
    private(set) var asked: [String] = []

    init(_ answers: [String: RelatedOriginsResponse]) {
        self.answers = answers
    }

    var fetch: RelatedOriginsFetch {
        { url in
            self.asked.append(url)
            return self.answers[url]
        }
    }
}

@Suite("Related origins, as a client fetches them")
struct ClientRelatedOriginsTests {
    private static let file = "https://example.com/.well-known/webauthn"
    private static let page = "https://login.example.de:8443"

    /// What a page of another domain makes of RP ID example.com.
    private func error(_ web: Web, _ change: (inout VirtualClient) -> Void = { _ in }) throws -> ClientError? {
        var client = VirtualClient(origin: Self.page)
        client.fetch = web.fetch
        change(&client)
        let options = try World.creationOptions()
        do throws(ClientError) {
            _ = try client.create(options)
            return nil
        } catch {
            return error
        }
    }

    private func error(_ response: RelatedOriginsResponse) throws -> ClientError? {
        try error(Web([Self.file: response]))
    }

    private func error(body: String, contentType: String? = "application/json") throws -> ClientError? {
        try error(RelatedOriginsResponse(contentType: contentType, body: [UInt8](body.utf8)))
    }

    @Test("A page that the file names may use the RP ID, in both ceremonies and in signals")
    func named() throws {
        let web = Web([Self.file: .file(origins: ["https://other.example", Self.page])])
        var client = VirtualClient(origin: Self.page)
        client.fetch = web.fetch
        let id = try client.create(World.creationOptions()).id
        let response = try client.get(World.requestOptions())
        #expect(response.id == id)
        #expect(try ClientData(response.clientDataJSON).origin == Self.page)
        try client.signalUnknownCredential(rpId: World.rpID, credentialId: "AQ")
        #expect(web.asked == [Self.file, Self.file, Self.file])
        // Its own domains need no file.
        _ = try client.create(World.creationOptions { $0.rp.id = "example.de" })
        #expect(web.asked.count == 3)
    }

    @Test("A page that it does not name may not, and neither may one whose client does not fetch")
    func notNamed() throws {
        let named = Web([Self.file: .file(origins: [Self.page])])
        #expect(try error(named) == nil)
        let error = try #require(
            try error(.file(origins: ["https://login.example.de", "http://login.example.de:8443"]))
        )
        #expect((error.name, error.reason, error.step) == (.security, .relatedOrigins, 8))
        let without = try #require(try self.error(named) { $0.profile.capabilities[.relatedOrigins] = false })
        #expect((without.name, without.reason, without.step) == (.security, .relyingPartyIdentifier, 8))
        #expect(try self.error(named) { $0.fetch = nil }?.reason == .relyingPartyIdentifier)
        #expect(named.asked.count == 1)
    }

    @Test(
        "An RP ID that is no domain is never fetched",
        arguments: ["", "127.0.0.1", "a b", "EXAMPLE.com", "evil.com/x"]
    )
    func notADomain(_ rpID: String) throws {
        let web = Web([:])
        var client = VirtualClient(origin: Self.page)
        client.fetch = web.fetch
        let error = try #require(throws: ClientError.self) {
            try client.create(World.creationOptions { $0.rp.id = rpID })
        }
        #expect(error.reason == .relyingPartyIdentifier)
        #expect(web.asked.isEmpty)
    }

    @Test(
        "The content type is JSON's, with parameters or without",
        arguments: [
            ("application/json", true), ("Application/JSON; charset=utf-8", true), (" application/json ;x", true),
            ("text/json", false), ("application/jsonx", false), ("application/json+x", false), ("", false),
            ("text/plain; application/json", false), (nil, false),
        ]
    )
    func contentType(_ type: String?, _ isAccepted: Bool) throws {
        let body = #"{"origins":["https://login.example.de:8443"]}"#
        #expect((try error(body: body, contentType: type) == nil) == isAccepted)
    }

    @Test(
        "The file is a JSON object with an array of strings",
        arguments: [
            (#"{"origins":["https://login.example.de:8443"]}"#, true),
            ("\u{FEFF}" + #"{"more":{},"origins":["https://login.example.de:8443","x"]}"#, true),
            (#"{"origins":["https://login.example.de:8443",1]}"#, false),
            (#"{"origins":"https://login.example.de:8443"}"#, false), (#"{"origins":null}"#, false), ("{}", false),
            (#"["https://login.example.de:8443"]"#, false), ("", false),
            (#"{"origins":["https://login.example.de:8443"]} x"#, false),
            (#"{"origins":["https://login.example.de:8443"],}"#, false),
            (#"{"origins":[],"origins":["https://login.example.de:8443"]}"#, false),
        ]
    )
    func file(_ body: String, _ isAccepted: Bool) throws {
        #expect((try error(body: body) == nil) == isAccepted)
    }

    @Test("Only 200 has a file, and it has at most 256 KiB")
    func answers() throws {
        var response = RelatedOriginsResponse.file(origins: [Self.page])
        for status in [201, 204, 304, 400, 404, 500] {
            response.status = status
            #expect(try error(response)?.reason == .relatedOrigins, "\(status)")
        }
        response.status = 200
        response.body += [UInt8](repeating: 0x20, count: (1 << 18) - response.body.count)
        #expect(try error(response) == nil)
        response.body.append(0x20)
        #expect(try error(response)?.reason == .relatedOrigins)
        #expect(try error(Web([:]))?.reason == .relatedOrigins)
    }

    @Test("Redirects are followed, over https alone, and each hop is seen")
    func redirects() throws {
        let file = RelatedOriginsResponse.file(origins: [Self.page])
        for (location, next) in [
            ("https://cdn.example/a?b#c", "https://cdn.example/a?b"), ("//cdn.example", "https://cdn.example/"),
            ("/other", "https://example.com/other"), ("other", "https://example.com/.well-known/other"),
            ("?q", "https://example.com/.well-known/?q"), (" HTTPS://CDN.example:443/x ", "https://cdn.example/x"),
        ] {
            let web = Web([Self.file: .redirect(to: location), next: file])
            #expect(try error(web) == nil, "\(location)")
            #expect(web.asked == [Self.file, next])
        }
        for location in ["http://example.com/other", "ftp://example.com", "https://", "data:application/json,{}"] {
            let web = Web([Self.file: .redirect(to: location), location: file])
            #expect(try error(web)?.reason == .relatedOrigins, "\(location)")
            #expect(web.asked == [Self.file])
        }
        var without = RelatedOriginsResponse.redirect(to: "")
        without.location = nil
        #expect(try error(without)?.reason == .relatedOrigins)
        // Through http and back.
        let detour = Web([
            Self.file: .redirect(to: "http://cdn.example/"),
            "http://cdn.example/": .redirect(to: "https://cdn.example/"),
            "https://cdn.example/": file,
        ])
        #expect(try error(detour)?.reason == .relatedOrigins)
    }

    @Test("A loop of redirects ends after twenty")
    func loop() throws {
        let web = Web([Self.file: .redirect(to: Self.file)])
        #expect(try error(web)?.reason == .relatedOrigins)
        #expect(web.asked.count == 21)
    }

    @Test("Five labels count; origins under one of them go on, and what is after the fifth label is skipped")
    func labels() throws {
        func origins(_ labels: [String]) -> RelatedOriginsResponse { .file(origins: labels + [Self.page]) }
        let four = ["https://a.com", "https://b.com", "https://c.co.uk", "https://d.de"]
        #expect(try error(origins(four)) == nil)
        // One label under several suffixes is one.
        #expect(try error(origins(four + ["https://a.de", "https://x.b.co.uk", "https://c.com"])) == nil)
        #expect(try error(origins(four + ["https://e.com"]))?.reason == .relatedOrigins)
        // The page's own label is one of the five already.
        #expect(try error(origins(["https://example.org"] + four + ["https://f.com"])) == nil)
        #expect(
            try error(Web([Self.file: origins(four + ["https://e.com"])])) { $0.profile.registrableLabelLimit = 6 }
                == nil
        )
    }

    @Test("What is no origin, or lies at no registrable domain, is skipped and counts for nothing")
    func skipped() throws {
        let noise = [
            "", "x", "https://", "https://1.2.3.4", "https://com", "https://co.uk", "https://[::1]", "ftp://a.com",
            "android:apk-key-hash:x", "https://a b.com", "https://b\u{FC}cher.de", "https://localhost",
        ]
        #expect(try error(.file(origins: noise + [Self.page])) == nil)
        // A URL stands for its origin.
        #expect(try error(.file(origins: [" HTTPS://user@LOGIN.example.de:8443/path?q#f "])) == nil)
    }
}
