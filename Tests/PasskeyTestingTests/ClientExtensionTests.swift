import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("Extensions between page and authenticator")
struct ClientExtensionTests {
    private func client(
        _ change: (inout VirtualAuthenticatorOptions) -> Void = { _ in }
    ) -> VirtualClient {
        VirtualClient(
            origin: World.origin,
            authenticators: [VirtualAuthenticator(World.options(change), clock: TickingClock().now)]
        )
    }

    private func create(
        _ client: VirtualClient,
        _ inputs: AuthenticationExtensionsClientInputs,
        _ change: (inout PublicKeyCredentialCreationOptions) -> Void = { _ in }
    ) throws -> RegistrationResponse {
        try client.create(
            World.creationOptions {
                $0.extensions = inputs
                change(&$0)
            }
        )
    }

    private func get(
        _ client: VirtualClient,
        _ inputs: AuthenticationExtensionsClientInputs,
        _ allowed: [[UInt8]] = []
    ) throws -> AuthenticationResponse {
        try client.get(
            World.requestOptions {
                $0.extensions = inputs
                $0.allowCredentials = allowed.map { .init(id: $0) }
            }
        )
    }

    @Test("Without inputs there are no outputs")
    func none() throws {
        let client = client()
        let made = try create(client, .init())
        #expect(made.clientExtensionResults.isEmpty)
        #expect(try get(client, .init(), [made.id]).clientExtensionResults.isEmpty)
        let later = try get(client, .init(unknown: ["x-unknown": .bool(true)]), [made.id])
        #expect(later.clientExtensionResults.isEmpty)
    }

    @Test("Inputs of the other ceremony are refused by the name that the specification has")
    func wrongCeremony() throws {
        let values = PRFValues(first: [1])
        let create: [(AuthenticationExtensionsClientInputs, ClientError.Name)] = [
            (.init(appid: "https://example.com/a"), .notSupported),
            (.init(prf: PRFInputs(evalByCredential: [])), .notSupported),
            (.init(largeBlob: LargeBlobInputs(read: true)), .notSupported),
            (.init(largeBlob: LargeBlobInputs(write: [1])), .notSupported),
        ]
        for (inputs, name) in create {
            let error = try #require(throws: ClientError.self) { try self.create(self.client(), inputs) }
            #expect((error.name, error.reason, error.step) == (name, .extensionInput, 12))
        }
        let client = client()
        let id = try self.create(client, .init()).id
        let own = PRFInputs.CredentialValues(credentialID: id, values: values)
        let other = PRFInputs.CredentialValues(credentialID: [1], values: values)
        let get: [(AuthenticationExtensionsClientInputs, [[UInt8]], ClientError.Name?)] = [
            (.init(appidExclude: "https://example.com/a"), [id], .notSupported),
            (.init(prf: PRFInputs(evalByCredential: [own])), [], .notSupported),
            (.init(prf: PRFInputs(evalByCredential: [other])), [id], .syntax),
            (.init(prf: PRFInputs(evalByCredential: [own])), [id], nil),
            (.init(largeBlob: LargeBlobInputs(support: .preferred)), [id], .notSupported),
            (.init(largeBlob: LargeBlobInputs(read: true, write: [1])), [id], .notSupported),
            (.init(largeBlob: LargeBlobInputs(write: [1])), [], .notSupported),
            (.init(largeBlob: LargeBlobInputs(write: [1])), [id], nil),
        ]
        for (inputs, allowed, name) in get {
            let options = try World.requestOptions {
                $0.extensions = inputs
                $0.allowCredentials = allowed.map { .init(id: $0) }
            }
            do throws(ClientError) {
                _ = try client.get(options)
                #expect(name == nil)
            } catch {
                #expect(error.name == name)
                #expect(error.step == 9)
            }
        }
    }

    @Test("credProps tells what was asked for")
    func credProps() throws {
        for (residentKey, rk) in [(ResidentKeyRequirement.required, true), (.preferred, true), (.discouraged, false)] {
            let made = try create(client(), .init(credProps: true)) {
                $0.authenticatorSelection?.residentKey = residentKey
            }
            #expect(made.clientExtensionResults.credProps == CredentialPropertiesOutput(rk: rk))
        }
        #expect(try create(client(), .init(credProps: false)).clientExtensionResults.credProps == nil)
    }

    @Test("credProtect is asked for; where it must be and cannot, the authenticator is passed over")
    func credProtect() throws {
        let inputs = AuthenticationExtensionsClientInputs(
            credentialProtectionPolicy: .userVerificationRequired,
            enforceCredentialProtectionPolicy: true
        )
        let able = client()
        _ = try create(able, inputs)
        #expect(able.authenticators[0].credentials[0].protection == .userVerificationRequired)
        let unable = client { $0.extensions = [] }
        let error = try #require(throws: ClientError.self) { try create(unable, inputs) }
        #expect((error.name, error.reason) == (.notAllowed, .noAuthenticator))
        var lenient = inputs
        lenient.enforceCredentialProtectionPolicy = false
        #expect(throws: Never.self) { try create(unable, lenient) }
        lenient = inputs
        lenient.credentialProtectionPolicy = .userVerificationOptional
        #expect(throws: Never.self) { try create(unable, lenient) }
    }

    @Test("credBlob goes in at the registration and comes out at each sign-in")
    func credBlob() throws {
        let client = client()
        let blob = [UInt8](repeating: 9, count: 32)
        let made = try create(client, .init(credBlob: blob))
        #expect(made.clientExtensionResults.credBlob == true)
        #expect(try get(client, .init(getCredBlob: true)).clientExtensionResults.getCredBlob == blob)
        let tooLong = try create(client, .init(credBlob: blob + [1])) { $0.user = try! World.user(2) }
        #expect(tooLong.clientExtensionResults.credBlob == false)
        #expect(try get(client, .init(getCredBlob: true)).clientExtensionResults.getCredBlob == nil)
    }

    @Test("largeBlob: support, write, read; required support passes others over")
    func largeBlob() throws {
        let client = client()
        let made = try create(client, .init(largeBlob: LargeBlobInputs(support: .required)))
        #expect(made.clientExtensionResults.largeBlob == LargeBlobOutputs(supported: true))
        let read = AuthenticationExtensionsClientInputs(largeBlob: LargeBlobInputs(read: true))
        #expect(try get(client, read).clientExtensionResults.largeBlob == LargeBlobOutputs())
        let written = try get(client, .init(largeBlob: LargeBlobInputs(write: [1, 2, 3])), [made.id])
        #expect(written.clientExtensionResults.largeBlob == LargeBlobOutputs(written: true))
        #expect(try get(client, read).clientExtensionResults.largeBlob == LargeBlobOutputs(blob: [1, 2, 3]))

        let unable = self.client { $0.extensions = [] }
        let error = try #require(throws: ClientError.self) {
            try create(unable, .init(largeBlob: LargeBlobInputs(support: .required)))
        }
        #expect(error.reason == .noAuthenticator)
        let preferred = try create(unable, .init(largeBlob: LargeBlobInputs(support: .preferred)))
        #expect(preferred.clientExtensionResults.largeBlob == LargeBlobOutputs(supported: false))
        let failed = try get(unable, .init(largeBlob: LargeBlobInputs(write: [1])), [preferred.id])
        #expect(failed.clientExtensionResults.largeBlob == LargeBlobOutputs(written: false))
    }

    @Test(
        "prf: the same inputs give the same results, each credential its own, with CTAP and without",
        arguments: [AuthenticatorExtension.hmacSecret, .prf]
    )
    func prf(_ identifier: AuthenticatorExtension) throws {
        let client = client { $0.extensions = [identifier] }
        let salts = PRFValues(first: [1, 2, 3], second: [4])
        let ids = try (1...2 as ClosedRange<UInt8>).map { byte in
            let made = try create(client, .init(prf: PRFInputs())) { $0.user = try! World.user(byte) }
            #expect(made.clientExtensionResults.prf == PRFOutputs(enabled: true))
            return made.id
        }
        func results(_ inputs: PRFInputs, _ id: [UInt8]) throws -> PRFValues? {
            try get(client, .init(prf: inputs), [id]).clientExtensionResults.prf?.results
        }
        let first = try #require(try results(PRFInputs(eval: salts), ids[0]))
        #expect(try results(PRFInputs(eval: salts), ids[0]) == first)
        #expect(try results(PRFInputs(eval: salts), ids[1]) != first)
        #expect(try results(PRFInputs(eval: PRFValues(first: [4])), ids[0])?.first == first.second)
        let own = PRFInputs.CredentialValues(credentialID: ids[0], values: salts)
        #expect(try results(PRFInputs(eval: PRFValues(first: [7]), evalByCredential: [own]), ids[0]) == first)
        #expect(try results(PRFInputs(), ids[0]) == nil)

        // With inputs for each credential, and several that fit, the answer belongs to the one that signed.
        let entries = ids.map { PRFInputs.CredentialValues(credentialID: $0, values: salts) }
        let several = try get(client, .init(prf: PRFInputs(evalByCredential: entries)), ids)
        #expect(try several.clientExtensionResults.prf?.results == results(PRFInputs(eval: salts), several.id))
    }

    @Test("appid: a credential of U2F's own API signs under the AppID, and the page is told so")
    func appID() throws {
        let client = client()
        let appID = "https://login.example.com/u2f.json"
        try client.authenticators[0].importCredential(
            VirtualCredentialParameters(
                credentialID: [7],
                isResidentCredential: false,
                relyingPartyIdentifier: appID,
                privateKey: PrivateKey.generate(.es256).pkcs8()
            )
        )
        let used = try get(client, .init(appid: appID), [[7]])
        #expect(used.clientExtensionResults.appid == true)
        #expect(try AuthenticatorData(used.authenticatorData).rpIDHash == sha256([UInt8](appID.utf8)))
        #expect(throws: ClientError.self) { try get(client, .init(), [[7]]) }
        let made = try create(client, .init())
        let own = try get(client, .init(appid: appID), [made.id])
        #expect(own.clientExtensionResults.appid == false)
        #expect(try AuthenticatorData(own.authenticatorData).rpIDHash == sha256([UInt8](World.rpID.utf8)))

        for foreign in ["https://evil.example/u2f.json", "http://example.com/a", "example.com", "https://com/", ""] {
            let error = try #require(throws: ClientError.self) { try get(client, .init(appid: foreign), [made.id]) }
            #expect((error.name, error.step) == (.security, 9))
        }
    }

    @Test("appidExclude: a credential of U2F's own API is excluded, too")
    func appIDExclude() throws {
        let client = client()
        let appID = "https://example.com/u2f.json"
        try client.authenticators[0].importCredential(
            VirtualCredentialParameters(
                credentialID: [7],
                isResidentCredential: false,
                relyingPartyIdentifier: appID,
                privateKey: PrivateKey.generate(.es256).pkcs8()
            )
        )
        let excluded: (inout PublicKeyCredentialCreationOptions) -> Void = { $0.excludeCredentials = [.init(id: [7])] }
        let error = try #require(throws: ClientError.self) {
            try create(client, .init(appidExclude: appID), excluded)
        }
        #expect(error.name == .invalidState)
        #expect(try create(client, .init(), excluded).clientExtensionResults.appidExclude == nil)
        let other = try create(client, .init(appidExclude: appID))
        #expect(other.clientExtensionResults.appidExclude == true)
        let foreign = try #require(throws: ClientError.self) {
            try create(client, .init(appidExclude: "https://evil.example/"))
        }
        #expect((foreign.name, foreign.step) == (.security, 12))
    }
}
