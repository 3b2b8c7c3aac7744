import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("Pages in frames, callers that end ceremonies, and what client data says")
struct ClientFrameTests {
    private func frame(_ change: (inout VirtualClient) -> Void = { _ in }) -> VirtualClient {
        var client = VirtualClient(origin: World.origin)
        client.sameOriginWithAncestors = false
        client.topOrigin = "https://top.example"
        change(&client)
        return client
    }

    private func text(_ client: VirtualClient) throws -> String {
        String(decoding: try client.create(World.creationOptions()).clientDataJSON, as: UTF8.self)
    }

    @Test("A frame of another origin registers and signs in with permission, and says where it is")
    func permitted() throws {
        let client = frame()
        let created = try ClientData(client.create(World.creationOptions()).clientDataJSON)
        let got = try ClientData(client.get(World.requestOptions()).clientDataJSON)
        for data in [created, got] {
            #expect(data.crossOrigin == true)
            #expect(data.topOrigin == "https://top.example")
        }
    }

    @Test("Each feature is permitted by itself")
    func permissions() throws {
        var client = frame { $0.mayCreateCredentials = false }
        let create = try #require(throws: ClientError.self) { try client.create(World.creationOptions()) }
        #expect((create.name, create.reason) == (.notAllowed, .permissionsPolicy))
        client.mayCreateCredentials = true
        _ = try client.create(World.creationOptions())
        client.mayCreateCredentials = false
        #expect(throws: Never.self) { try client.get(World.requestOptions()) }
        #expect(throws: Never.self) { try client.isUserVerifyingPlatformAuthenticatorAvailable() }
        client.mayGetCredentials = false
        let get = try #require(throws: ClientError.self) { try client.get(World.requestOptions()) }
        #expect((get.name, get.reason) == (.notAllowed, .permissionsPolicy))
        #expect(throws: ClientError.self) { try client.isUserVerifyingPlatformAuthenticatorAvailable() }
        #expect(throws: ClientError.self) { try client.isPasskeyPlatformAuthenticatorAvailable() }
    }

    @Test("Only a frame needs the user's activation, and only to register")
    func activation() throws {
        var client = VirtualClient(origin: World.origin)
        client.hasTransientActivation = false
        #expect(throws: Never.self) { try client.create(World.creationOptions()) }
        client.sameOriginWithAncestors = false
        #expect(throws: ClientError.self) { try client.create(World.creationOptions()) }
        #expect(throws: Never.self) { try client.get(World.requestOptions()) }
        client.hasTransientActivation = true
        #expect(throws: Never.self) { try client.create(World.creationOptions()) }
    }

    @Test("The forms of client data: crossOrigin always, never, or where it is true")
    func forms() throws {
        let head =
            #"{"type":"webauthn.create","challenge":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc","#
            + #""origin":"https://example.com""#
        let framed = #","crossOrigin":true,"topOrigin":"https://top.example"}"#
        for (profile, alone, inFrame) in [
            (ClientProfile.chromium, #","crossOrigin":false}"#, framed), (.firefox, #","crossOrigin":false}"#, framed),
            (.safari, "}", framed), (.iOSApplication, "}", "}"),
        ] {
            var client = frame { $0.profile = profile }
            #expect(try text(client) == head + inFrame, "\(profile.name)")
            // The page around the frame is nobody's business where there is no frame.
            client.sameOriginWithAncestors = true
            #expect(try text(client) == head + alone, "\(profile.name)")
        }
    }

    @Test("An authenticator that brings its own client goes before the client's form")
    func authenticatorForm() throws {
        let client = VirtualClient(
            origin: World.origin,
            authenticators: [
                VirtualAuthenticator(World.options { $0.clientDataForm = .native }), VirtualAuthenticator(),
            ]
        )
        let native = try client.create(World.creationOptions())
        #expect(try ClientData(native.clientDataJSON).crossOrigin == nil)
        #expect(try ClientData(client.get(World.requestOptions()).clientDataJSON).crossOrigin == nil)
        client.authenticators[0].options.isUserConsenting = false
        let other = try client.create(World.creationOptions())
        #expect(try ClientData(other.clientDataJSON).crossOrigin == false)
    }

    @Test("Members that a client adds come last, in their order, and never in place of the specification's")
    func extra() throws {
        var client = frame()
        client.extraClientData["z"] = "\"\\/"
        client.extraClientData["topOrigin"] = "https://evil.example"
        client.extraClientData["extraData"] = ["a": [1, nil]]
        #expect(
            try text(client).hasSuffix(
                #""topOrigin":"https://top.example","z":"\"\\/","extraData":{"a":[1,null]}}"#
            )
        )
        #expect(throws: Never.self) { try client.get(World.requestOptions()) }
    }

    @Test("A caller's own reason is what the page catches; the first one counts")
    func reason() throws {
        let controller = AbortController()
        var client = VirtualClient(origin: World.origin)
        client.signal = controller.signal
        #expect(throws: Never.self) { try client.create(World.creationOptions()) }
        controller.abort(.timeout)
        controller.abort()
        for error in [
            try #require(throws: ClientError.self) { try client.create(World.creationOptions()) },
            try #require(throws: ClientError.self) { try client.get(World.requestOptions()) },
        ] {
            #expect((error.name, error.abortReason) == (.abort, .timeout))
            #expect(error.abortReason?.isCustom == true)
        }
        client.signal = .abort()
        let plain = try #require(throws: ClientError.self) { try client.create(World.creationOptions()) }
        #expect(plain.abortReason == AbortReason())
        #expect(plain.abortReason?.isCustom == false)
    }

    @Test("A caller that ends the ceremony while the user thinks leaves no credential and no signature")
    func meanwhile() throws {
        let controller = AbortController()
        let authenticators = [
            VirtualAuthenticator(World.options { $0.counterMode = .perCredential }), VirtualAuthenticator(),
        ]
        var client = VirtualClient(origin: World.origin, authenticators: authenticators)
        _ = try client.create(World.creationOptions())
        client.signal = controller.signal
        client.user = VirtualUser { _ in
            controller.abort()
            return .consents
        }
        let create = try #require(throws: ClientError.self) { try client.create(World.creationOptions(user: 2)) }
        #expect((create.name, create.reason, create.step) == (.abort, .aborted, 22))
        #expect(authenticators.map(\.credentials.count) == [1, 0])

        let other = AbortController()
        client.signal = other.signal
        client.user = VirtualUser { _ in
            other.abort()
            return .consents
        }
        let get = try #require(throws: ClientError.self) { try client.get(World.requestOptions()) }
        #expect((get.name, get.reason, get.step) == (.abort, .aborted, 20))
        #expect(authenticators[0].credentials[0].signCount == 0)
    }

    @Test("A user who ignores an authenticator may turn to the next; who ignores all waits for the timer")
    func ignored() throws {
        var client = VirtualClient(
            origin: World.origin,
            authenticators: [VirtualAuthenticator(.platform), VirtualAuthenticator(.securityKey)]
        )
        client.user = .script([.ignores])
        let response = try client.create(World.creationOptions())
        #expect(response.authenticatorAttachment == "cross-platform")
        client.user = VirtualUser { _ in .ignores }
        let create = try #require(throws: ClientError.self) { try client.create(World.creationOptions()) }
        #expect((create.name, create.reason, create.step) == (.notAllowed, .timedOut, 23))
        #expect(create.authenticatorErrors.map(\.reason) == [.ignored, .ignored])
        let get = try #require(throws: ClientError.self) { try client.get(World.requestOptions()) }
        #expect((get.name, get.reason, get.step) == (.notAllowed, .timedOut, 21))
    }

    @Test("Hints order the authenticators, and leave none out")
    func hints() throws {
        let hybrid = World.options {
            $0.attachment = .crossPlatform
            $0.transports = [.hybrid]
        }
        let client = VirtualClient(
            origin: World.origin,
            authenticators: [VirtualAuthenticator.init(.platform), .init(.securityKey), .init(hybrid)]
        )
        func transports(_ hints: [PublicKeyCredentialHint]) throws -> [AuthenticatorTransport] {
            try client.create(World.creationOptions { $0.hints = hints }).transports
        }
        #expect(try transports([]) == [.hybrid, .internal])
        #expect(try transports(["unknown"]) == [.hybrid, .internal])
        #expect(try transports([.securityKey]) == [.nfc, .usb])
        #expect(try transports([.hybrid, .securityKey]) == [.hybrid])
        #expect(try transports(["unknown", .clientDevice, .hybrid]) == [.hybrid, .internal])
        client.authenticators[1].options.isUserConsenting = false
        #expect(try transports([.securityKey]) == [.hybrid, .internal])
        let attachment = try client.get(World.requestOptions { $0.hints = [.hybrid] }).authenticatorAttachment
        #expect(attachment == "cross-platform")
    }
}
