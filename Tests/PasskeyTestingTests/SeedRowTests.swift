import Foundation
import PasskeyAuthorization
import PasskeyCrypto
import PasskeyModel
import PasskeyRelyingParty
import PasskeySystem
import PasskeyTesting
import Testing

/// What users of SimpleAuthenticationServices know, a row each.
///
/// C25, C26 and C31 are the control server's, and C35 is an application's.
@Suite("What users of SimpleAuthenticationServices know", .timeLimit(.minutes(5)))
struct SeedRowTests {
    private let world = ControllerWorld()
    private var controller: VirtualAuthorizationController { world.controller }

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// A server's JSON, as the seed's example has it.
    private static let creationJSON = """
        {"publicKey":{"challenge":"xMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMQ","rp":{"id":"example.com","name":"Example"},\
        "user":{"id":"AQ","name":"ada","displayName":"Ada"},"pubKeyCredParams":[{"type":"public-key","alg":-7},\
        {"type":"public-key","alg":-257}],"authenticatorSelection":{"authenticatorAttachment":"platform",\
        "requireResidentKey":true,"residentKey":"required","userVerification":"required"},"attestation":"none",\
        "excludeCredentials":[{"type":"public-key","id":"AQID","transports":["usb","of-tomorrow"]}],"future":{"a":1}}}
        """
    private static let requestJSON = """
        {"challenge":"xMTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMQ","rpId":"example.com","timeout":60000,\
        "userVerification":"preferred","extensions":{"prf":{}}}
        """

    @Test("C1: an application takes the protocol, and is handed the controller")
    func c1() async throws {
        struct Application {
            let controller: any AuthorizationControllerProtocol
        }
        let application = Application(controller: controller)
        _ = try await application.controller.perform(world.registration())
        #expect(controller.authenticators[0].credentials.count == 1)
    }

    #if !canImport(AuthenticationServices)
    @Test("C2: no controller of the system's where there is no system")
    func c2() {
        #expect(_typeByName("20PasskeyAuthorization18AuthorizationErrorV") != nil)
        for name in ["27SystemAuthorizationControllerC", "25RealAuthorizationControllerC"] {
            #expect(_typeByName("20PasskeyAuthorization" + name) == nil)
        }
    }
    #endif

    @Test("C3: the virtual controller answers every kind of request, and shows nothing")
    func c3() async throws {
        controller.passwords = [PasswordCredential(user: "ada", password: "x")]
        controller.appleID = StandInAppleIDIssuer()
        let page = try #require(URL(string: "https://example.com"))
        controller.userAgent = StandInWebUserAgent { _ in page }
        controller.contact.email = "ada@example.com"
        _ = try await controller.perform(world.registration())
        _ = try await controller.perform(world.keyRegistration())
        _ = try await controller.perform(world.assertion)
        _ = try await controller.perform(world.keyAssertion)
        _ = try await controller.perform(AuthorizationPasswordProvider().createRequest())
        _ = try await controller.perform(AuthorizationAppleIDProvider().createRequest())
        _ = try await controller.perform(
            WebAuthenticationRequest(url: page, callback: .https(host: "example.com", path: ""))
        )
        _ = try await controller.perform(
            AuthorizationAccountCreationPlatformPublicKeyCredentialRequest(
                acceptedContactIdentifiers: [.email],
                shouldRequestName: false,
                relyingPartyIdentifier: World.rpID,
                challenge: world.challenge,
                userID: Data([9])
            )
        )
    }

    @Test("C4: the products that an application ships import nothing that is made for tests")
    func c4() throws {
        var files = 0
        for target in ["PasskeyAuthorization", "PasskeyRelyingParty", "PasskeyModel", "PasskeyCrypto", "PasskeyWire"] {
            let folder = Self.sources.appending(path: "Sources/\(target)")
            let enumerator = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in enumerator where file.pathExtension == "swift" {
                files += 1
                #expect(try !String(contentsOf: file, encoding: .utf8).contains("import PasskeyTesting"))
            }
        }
        #expect(files > 50)
        // What is built is looked into by LinkageTests.
    }

    @MainActor
    private final class MainController: AuthorizationController {
        func create(requests: [any AuthorizationRequest]) async throws(AuthorizationError) -> AuthorizationResult {
            throw AuthorizationError(type: .noPresentationAnchor)
        }
        func authorize(
            requests: [any AuthorizationRequest],
            preferImmediatelyAvailableCredentials: Bool
        ) async throws(AuthorizationError) -> AuthorizationResult {
            throw AuthorizationError(type: .noPresentationAnchor)
        }
        func authorizeWithAutoFill(
            requests: [any AuthorizationRequest]
        ) async throws(AuthorizationError) -> AuthorizationResult {
            throw AuthorizationError(type: .noPresentationAnchor)
        }
        func cancel() async {}
    }

    @Test("C5: async, Sendable, and on no actor: yet one of the main actor conforms")
    func c5() async throws {
        let controllers: [any AuthorizationController] = [controller, MainController()]
        let request = world.registration()
        let results = await withTaskGroup(of: Bool.self) { group in
            for controller in controllers {
                group.addTask { (try? await controller.perform(request)) != nil }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(results.sorted { !$0 && $1 } == [false, true])
    }

    @Test("C6: the products, by the names that the manual has")
    func c6() throws {
        let manifest = try String(contentsOf: Self.sources.appending(path: "Package.swift"), encoding: .utf8)
        let manual = try String(contentsOf: Self.sources.appending(path: "README.md"), encoding: .utf8)
        for product in ["PasskeyAuthorization", "PasskeyTesting", "PasskeyRelyingParty"] {
            #expect(manifest.contains(#".library(name: "\#(product)""#))
            #expect(manual.contains(product))
        }
    }

    @Test("C7: creation options in the W3C's JSON, with what is not known in them")
    func c7() throws {
        let request = try AuthorizationPublicKeyCredentialRegistrationRequest(creationOptionsJSON: Self.creationJSON)
        #expect(request.challenge == world.challenge)
        #expect([request.relyingPartyIdentifier, request.relyingPartyName] == ["example.com", "Example"])
        #expect([request.name, request.displayName] == ["ada", "Ada"])
        #expect(request.userID == Data([1]))
        #expect(request.algorithms == [.es256, .rs256])
        #expect(request.attachment == .platform)
        #expect(request.residentKeyPreference == .required)
        #expect(request.userVerificationPreference == .required)
        #expect(request.attestationPreference == .none)
        #expect(request.excludedCredentials.map(\.credentialID) == [Data([1, 2, 3])])
        #expect(request.excludedCredentials.map { $0.transports.map(\.rawValue) } == [["usb", "of-tomorrow"]])
    }

    @Test("C8: a registration as the JSON that a server takes, and into its verifier")
    func c8() async throws {
        let relyingParty = try RelyingParty(id: World.rpID, name: "Example", origins: [World.origin])
        let (options, ceremony) = try relyingParty.beginRegistration(for: World.user(), excluding: [])
        let made = try await controller.perform(AuthorizationPublicKeyCredentialRegistrationRequest(options: options))
        let json = made.registrationResponseJSON()
        let text = String(decoding: json, as: UTF8.self)
        for part in [
            #""rawId":"#, #""type":"public-key""#, #""attestationObject":"#, #""transports":["hybrid","internal"]"#,
        ] {
            #expect(text.contains(part))
        }
        let response = try RegistrationResponse(json: [UInt8](json))
        #expect(
            try relyingParty.finishRegistration(response, ceremony, owner: nil).credential.id
                == [UInt8](made.credentialID)
        )
    }

    @Test("C9: request options and a sign-in, the same way")
    func c9() async throws {
        let request = try AuthorizationPublicKeyCredentialAssertionRequest(requestOptionsJSON: Self.requestJSON)
        #expect(request.timeout == .seconds(60))
        #expect(request.userVerificationPreference == .preferred)
        #expect(request.prf != nil)

        let relyingParty = try RelyingParty(id: World.rpID, name: "Example", origins: [World.origin])
        let (options, ceremony) = try relyingParty.beginRegistration(for: World.user(), excluding: [])
        let made = try await controller.perform(AuthorizationPublicKeyCredentialRegistrationRequest(options: options))
        let record = try relyingParty.finishRegistration(made.registrationResponse, ceremony, owner: nil).credential
        let (get, signIn) = try relyingParty.beginAuthentication(of: World.user().id, allowing: [record])
        let used = try await controller.perform(AuthorizationPublicKeyCredentialAssertionRequest(options: get))
        let response = try AuthenticationResponse(json: [UInt8](used.authenticationResponseJSON()))
        _ = try relyingParty.finishAuthentication(response, signIn, record)
        #expect(try response.userHandle == World.user().id)
    }

    @Test("C10: base64url, strictly")
    func c10() {
        #expect(Data([0xFB, 0xFF]).toBase64URL() == "-_8")
        #expect(Data.fromBase64Url("-_8") == Data([0xFB, 0xFF]))
        #expect(Data.fromBase64Url("") == Data())
        for text in ["-_8=", "+/8", " -_8", "-_8\n", "-_9", "-", "-_8A-", "é"] {
            #expect(Data.fromBase64Url(text) == nil)
        }
    }

    /// The seed's example of an application's service, whole.
    private struct PasskeyService {
        let controller: any AuthorizationController

        func registerNewPasskey(optionsJSON: Data) async throws(AuthorizationError) -> Data {
            let request = try AuthorizationPublicKeyCredentialRegistrationRequest(creationOptionsJSON: optionsJSON)
            return try await controller.perform(request).registrationResponseJSON()
        }

        func signInWithPasskey(
            optionsJSON: Data,
            conditionalUI: Bool,
            preferImmediatelyAvailableCredentials: Bool
        ) async throws(AuthorizationError) -> Data {
            let request = try AuthorizationPublicKeyCredentialAssertionRequest(requestOptionsJSON: optionsJSON)
            let result =
                conditionalUI
                ? try await controller.authorizeWithAutoFill(requests: [request])
                : try await controller.authorize(
                    requests: [request],
                    preferImmediatelyAvailableCredentials: preferImmediatelyAvailableCredentials
                )
            guard let credential = result.credential as? PasskeyAssertionCredential else {
                throw AuthorizationError(type: .unhandled)
            }
            return credential.authenticationResponseJSON()
        }
    }

    @Test("C11: the service's registration, from JSON to JSON")
    func c11() async throws {
        let service = PasskeyService(controller: controller)
        let json = try await service.registerNewPasskey(optionsJSON: Data(Self.creationJSON.utf8))
        #expect(try ClientData(RegistrationResponse(json: [UInt8](json)).clientDataJSON).type == "webauthn.create")
    }

    @Test("C12: the service's sign-in, with each of its settings")
    func c12() async throws {
        let service = PasskeyService(controller: controller)
        _ = try await service.registerNewPasskey(optionsJSON: Data(Self.creationJSON.utf8))
        for prefers in [false, true] {
            _ = try await service.signInWithPasskey(
                optionsJSON: Data(Self.requestJSON.utf8),
                conditionalUI: false,
                preferImmediatelyAvailableCredentials: prefers
            )
        }
        let task = try await world.waiting {
            try await service.signInWithPasskey(
                optionsJSON: Data(Self.requestJSON.utf8),
                conditionalUI: true,
                preferImmediatelyAvailableCredentials: false
            )
        }
        #expect(controller.pickFromAutoFill())
        #expect(try await AuthenticationResponse(json: [UInt8](task.value)).userHandle?.bytes == [1])
    }

    @Test("C13: the provider's method, by its name less the \"AS\"")
    func c13() throws {
        let request = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")
            .createCredentialRegistrationRequest(challenge: world.challenge, name: "ada", userID: Data([1]))
        #expect([request.relyingPartyIdentifier, request.name] == ["example.com", "ada"])
        #expect([request.challenge, request.userID] == [world.challenge, Data([1])])
    }

    @Test("C14: a request's knobs do what they say")
    func c14() async throws {
        let made = try await controller.perform(world.registration(user: 1))
        _ = try await controller.perform(world.registration(user: 2))
        var excluding = world.registration(user: 3)
        excluding.excludedCredentials = [PublicKeyCredentialDescriptor(credentialID: made.credentialID)]
        #expect(try await world.failure(excluding) == .excludeCredentialsMatch)
        var allowing = world.assertion
        allowing.allowedCredentials = excluding.excludedCredentials
        #expect(try await controller.perform(allowing).credentialID == made.credentialID)
        for (preference, isVerified) in [(UserVerificationPreference.required, true), (.discouraged, false)] {
            var request = world.assertion
            request.userVerificationPreference = preference
            let data = try await AuthenticatorData([UInt8](controller.perform(request).rawAuthenticatorData))
            #expect(data.flags.contains(.userVerified) == isVerified)
        }
    }

    @Test("C15: create() takes what makes something, and nothing else")
    func c15() async throws {
        _ = try await controller.create(requests: [world.registration()])
        for request in [world.assertion, AuthorizationPasswordRequest(), AuthorizationAppleIDRequest()]
            as [any AuthorizationRequest]
        {
            let error = try await world.error { try await controller.create(requests: [request]) }
            #expect(error.type == .functionNotSupported)
        }
    }

    @Test("C16: what is immediately available is on this device; otherwise other devices are offered, too")
    func c16() async throws {
        _ = try await controller.perform(world.keyRegistration())
        let requests: [any AuthorizationRequest] = [world.assertion, world.keyAssertion]
        let error = try await world.error {
            try await controller.authorize(requests: requests, preferImmediatelyAvailableCredentials: true)
        }
        #expect(error.type == .noCredentialsAvailable)
        #expect(controller.journal.ceremonies.last?.decisions.contains { $0 == .offered([.securityKey]) } == false)
        _ = try await controller.authorize(requests: requests)
        _ = try await controller.perform(world.registration())
        _ = try await controller.authorize(requests: requests, preferImmediatelyAvailableCredentials: true)
    }

    @Test("C17: autofill waits until the user picks; a newer ceremony, cancel() and its task end it")
    func c17() async throws {
        _ = try await controller.perform(world.registration())
        let (controller, request) = (controller, world.assertion)
        let start: @Sendable () async throws -> AuthorizationResult = {
            try await controller.authorizeWithAutoFill(requests: [request])
        }
        let picked = try await world.waiting(start)
        controller.pickFromAutoFill()
        #expect(try await picked.value.credential is PasskeyAssertionCredential)
        for way in 0..<3 {
            let task = try await world.waiting(start)
            switch way {
            case 0: _ = try await controller.perform(request)
            case 1: await controller.cancel()
            default: task.cancel()
            }
            #expect(await world.failure(of: task) == .cancelled)
        }
    }

    @Test("C18: cancel() cancels, whichever kind of ceremony waits")
    func c18() async throws {
        let (controller, world) = (controller, world)
        for operation in AuthorizationOperation.allCases {
            controller.next(operation, .hangs)
            let task = try await world.waiting {
                switch operation {
                case .create: try await controller.create(requests: [world.registration()])
                case .authorize: try await controller.authorize(requests: [world.assertion])
                default: try await controller.authorizeWithAutoFill(requests: [world.assertion])
                }
            }
            await controller.cancel()
            #expect(await world.failure(of: task) == .cancelled)
        }
    }

    @Test("C19: an error is made of a type, and of a message and a cause where there are any")
    func c19() {
        let error = AuthorizationError(type: .failed, message: "why")
        #expect([error.message, error.localizedDescription] == ["why", "failed: why"])
        let below = AuthorizationError(type: .unknown, originalError: error)
        #expect(below.originalError is AuthorizationError)
        #expect(below.localizedDescription == "unknown")
    }

    @Test("C20: the error types, and both of their spellings on the wire")
    func c20() throws {
        let names = [
            "cancelled", "unknown", "decoding", "encoding", "domainNotAssociated", "excludeCredentialsMatch",
            "noCredentialsAvailable", "functionNotSupported", "unhandled", "noPresentationAnchor",
        ]
        for name in names {
            let type = try #require(AuthorizationErrorType(rawValue: name))
            for text in [#""\#(name)""#, #"{"\#(name)":{}}"#] {
                #expect(try JSONDecoder().decode(AuthorizationErrorType.self, from: Data(text.utf8)) == type)
            }
        }
    }

    @Test("C21: a result has the credential and its provider; perform() has it in its own type")
    func c21() async throws {
        let result = try await controller.create(requests: [world.registration()])
        let provider = try #require(result.provider as? AuthorizationPlatformPublicKeyCredentialProvider)
        #expect(provider.relyingPartyIdentifier == World.rpID)
        let credential = try #require(result.credential as? PasskeyRegistrationCredential)
        #expect((credential as any PublicKeyCredentialRegistration).credentialID == credential.credentialID)
        let used: any PublicKeyCredentialAssertion = try await controller.perform(world.assertion)
        #expect(used.credentialID == credential.credentialID)
    }

    @Test("C22: a credential's parts, by their names")
    func c22() async throws {
        let made = try await controller.perform(world.registration())
        #expect(try ClientData([UInt8](made.rawClientDataJSON)).challenge == world.challenge.toBase64URL())
        #expect(
            try AttestationObject([UInt8](made.rawAttestationObject)).attested().credentialID
                == [UInt8](made.credentialID)
        )
        #expect(made.transports == [.hybrid, .internal])
        let used = try await controller.perform(world.assertion)
        #expect(used.userID == Data([1]))
        #expect(used.rawAuthenticatorData.count == 37)
        #expect(!used.signature.isEmpty)
    }

    @Test("C23: an excluded credential is found before a key is made, and for the request's RP ID alone")
    func c23() async throws {
        let made = try await controller.perform(world.registration())
        let excluded = [PublicKeyCredentialDescriptor(credentialID: made.credentialID)]
        var request = world.registration(user: 2)
        request.excludedCredentials = excluded
        #expect(try await world.failure(request) == .excludeCredentialsMatch)
        #expect(controller.authenticators[0].credentials.count == 1)
        var other = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "other.example")
            .createCredentialRegistrationRequest(challenge: world.challenge, name: "ada", userID: Data([2]))
        other.excludedCredentials = excluded
        _ = try await controller.perform(other)
    }

    @Test("C24: a domain that the application is not associated with, in the system's own words")
    func c24() async throws {
        controller.associatedDomains = ["other.example"]
        let error = try await world.error { try await controller.perform(world.registration()) }
        #expect(error.type == .domainNotAssociated)
        #expect(error.code == .failed)
        #expect(error.message?.contains("is not associated with domain") == true)
        controller.associatedDomains = [World.rpID]
        _ = try await controller.perform(world.registration())
    }

    @Test("C27: createError and its kin hold until they are changed; one-shot outcomes go before them")
    func c27() async throws {
        controller.createError = .cancelled
        controller.authorizeError = .noCredentialsAvailable
        controller.authorizeWithAutoFillError = .failed
        controller.next(.create, fails: .timedOut)
        #expect(try await world.failure(world.registration()) == .timedOut)
        for _ in 0..<2 { #expect(try await world.failure(world.registration()) == .cancelled) }
        #expect([controller.createError, controller.authorizeError] == [.cancelled, .noCredentialsAvailable])
        controller.createError = nil
        _ = try await controller.perform(world.registration())
        #expect(try await world.failure(world.assertion) == .noCredentialsAvailable)
        let error = try await world.error { try await controller.authorizeWithAutoFill(requests: [world.assertion]) }
        #expect(error.type == .failed)
        #expect(controller.authorizeWithAutoFillError == .failed)
        controller.authorizeError = nil
        _ = try await controller.perform(world.assertion)
    }

    @Test("C28: delays, and autofill that lasts until it is picked")
    func c28() async throws {
        let slept = Lock<[Duration]>([])
        controller.sleep = { duration in slept.withLock { $0.append(duration) } }
        controller.createDelay = .seconds(3)
        controller.authorizeDelay = .seconds(4)
        _ = try await controller.perform(world.registration())
        controller.authorizeError = .failed
        #expect(controller.authorizeDelay == .seconds(4))
        #expect(try await world.failure(world.assertion) == .failed)
        let (controller, request) = (controller, world.assertion)
        let task = try await world.waiting { try await controller.authorizeWithAutoFill(requests: [request]) }
        for _ in 0..<100 { await Task.yield() }
        #expect(controller.isWaiting)
        controller.pickFromAutoFill()
        _ = try await task.value
        controller.authorizeWithAutoFillDelay = .seconds(5)
        _ = try await controller.authorizeWithAutoFill(requests: [request])
        #expect(slept.withLock { $0 } == [.seconds(3), .seconds(4), .seconds(5)])
    }

    @Test("C29: all credentials are cleared, and one is removed")
    func c29() async throws {
        let made = try await controller.perform(world.registration())
        #expect(controller.removeCredential(relyingPartyID: World.rpID, credentialID: made.credentialID) != nil)
        _ = try await controller.perform(world.registration())
        _ = try await controller.perform(world.keyRegistration())
        controller.clearAllCredentials()
        #expect(controller.authenticators.map(\.credentials.count) == [0, 0])
        #expect(try await world.failure(world.assertion) == .noCredentialsAvailable)
    }

    @Test("C30: a user who refuses, is not verified, ignores and picks; a counter that moves; bytes that are spoilt")
    func c30() async throws {
        _ = try await controller.perform(world.registration(user: 1))
        let second = try await controller.perform(world.registration(user: 2))
        controller.user = .script([.refuses, .failsVerification, .ignores])
        var request = world.assertion
        request.userVerificationPreference = .required
        for type in [AuthorizationErrorType.cancelled, .userVerificationFailed, .timedOut] {
            #expect(try await world.failure(request) == type)
        }
        controller.chooses = { $0.firstIndex(of: .passkey(name: "ada", credentialID: second.credentialID)) }
        #expect(try await controller.perform(request).userID == Data([2]))
        controller.chooses = { _ in 0 }
        _ = try await controller.perform(world.keyRegistration())
        for count in 1...2 as ClosedRange<UInt32> {
            let used = try await controller.perform(world.keyAssertion)
            #expect(try AuthenticatorData([UInt8](used.rawAuthenticatorData)).signCount == count)
        }
        controller.origin = { "https://login." + $0 }
        #expect(
            try await ClientData([UInt8](controller.perform(request).rawClientDataJSON)).origin
                == "https://login.example.com"
        )
        controller.adversary = .init(.signatureBitFlipped)
        let used = try await controller.perform(request)
        let credential = try #require(
            controller.authenticators[0].credentials.first { $0.id == [UInt8](used.credentialID) }
        )
        let hash = try sha256([UInt8](used.rawClientDataJSON))
        #expect(
            try !World.verifies(
                [UInt8](used.signature),
                [UInt8](used.rawAuthenticatorData),
                hash,
                publicKey: credential.publicKey
            )
        )
    }

    @Test("C32: removeCredential(relyingPartyID:credentialID:) gives what it removed")
    func c32() async throws {
        let made = try await controller.perform(world.registration())
        #expect(controller.removeCredential(relyingPartyID: "other.example", credentialID: made.credentialID) == nil)
        let removed = controller.removeCredential(relyingPartyID: World.rpID, credentialID: made.credentialID)
        #expect(removed?.userName == "ada")
        #expect(controller.removeCredential(relyingPartyID: World.rpID, credentialID: made.credentialID) == nil)
    }

    @Test("C33: signals hide what is not accepted and show it again; all four by Apple's names")
    func c33() async throws {
        let updater: any CredentialUpdater = controller
        let first = try await controller.perform(world.registration(user: 1))
        try await updater.signalAllAcceptedCredentials(
            rpID: World.rpID,
            userHandle: Data([1]),
            acceptedCredentialIDs: []
        )
        #expect(try await world.failure(world.assertion) == .noCredentialsAvailable)
        #expect(controller.authenticators[0].credentials.map(\.isHidden) == [true])
        try await updater.reportAllAcceptedPublicKeyCredentials(
            relyingPartyIdentifier: World.rpID,
            userHandle: Data([1]),
            acceptedCredentialIDs: [first.credentialID]
        )
        _ = try await controller.perform(world.assertion)
        try await updater.reportPublicKeyCredentialUpdate(
            relyingPartyIdentifier: World.rpID,
            userHandle: Data([1]),
            newName: "countess"
        )
        #expect(controller.authenticators[0].credentials.map(\.userName) == ["countess"])
        try await updater.reportUnknownPublicKeyCredential(
            relyingPartyIdentifier: World.rpID,
            credentialID: first.credentialID
        )
        #expect(try await world.failure(world.assertion) == .noCredentialsAvailable)
        controller.passwords = [.init(user: "ada", password: "x"), .init(user: "grace", password: "y")]
        try await updater.reportUnusedPasswordCredential(domain: World.rpID, userName: "ada")
        #expect(controller.passwords.map(\.user) == ["grace"])
        #expect(
            controller.journal.signals.map(\.kind) == [
                .allAcceptedCredentials, .allAcceptedCredentials, .currentUserDetails, .unknownCredential,
                .unusedPassword,
            ]
        )
        // Whether there was anything is not told.
        try await updater.reportUnknownPublicKeyCredential(relyingPartyIdentifier: World.rpID, credentialID: Data([1]))
        try await updater.reportUnusedPasswordCredential(domain: World.rpID, userName: "nobody")
    }

    @Test("C34: a conditional registration rides on a password, shows nothing, and fails in silence")
    func c34() async throws {
        let conditional = world.platform.createCredentialRegistrationRequest(
            challenge: world.challenge,
            name: "ada",
            userID: Data([1]),
            requestStyle: .conditional
        )
        #expect(try await world.failure(conditional) == .cancelled)
        controller.passwords = [PasswordCredential(user: "grace", password: "x")]
        #expect(try await world.failure(conditional) == .cancelled)
        controller.passwords.append(PasswordCredential(user: "ada", password: "x"))
        controller.user = VirtualUser { $0.purpose == .conditionalCreate ? .refuses : .consents }
        #expect(try await world.failure(conditional) == .cancelled)
        controller.user = .willing
        let made = try await controller.perform(conditional)
        let flags = try AttestationObject([UInt8](made.rawAttestationObject)).authenticatorData.flags
        #expect(!flags.contains(.userPresent) && !flags.contains(.userVerified))
        // Who signed in otherwise may be offered one, too; verification cannot be had, and there is no dialog to choose in.
        controller.passwords = []
        controller.hasRecentAuthentication = true
        _ = try await controller.perform(conditional)
        var verified = conditional
        verified.userVerificationPreference = .required
        let error = try await world.error { try await controller.perform(verified) }
        #expect((error.originalError as? ClientError)?.name == .constraint)
        let several = try await world.error {
            try await controller.create(requests: [conditional, world.keyRegistration()])
        }
        #expect(several.type == .functionNotSupported)
        // A server accepts such a one where it asked for it, and nowhere else.
        let relyingParty = try RelyingParty(id: World.rpID, name: "Example", origins: [World.origin])
        for mediation in [CredentialMediationRequirement.conditional, .optional] {
            let (options, ceremony) = try relyingParty.beginRegistration(
                for: World.user(),
                excluding: [],
                RegistrationOptions(
                    authenticatorSelection: .init(residentKey: .required, userVerification: .preferred),
                    mediation: mediation
                )
            )
            var request = try AuthorizationPublicKeyCredentialRegistrationRequest(options: options)
            request.requestStyle = .conditional
            let response = try await controller.perform(request).registrationResponse
            if mediation == .conditional {
                _ = try relyingParty.finishRegistration(response, ceremony, owner: nil)
            } else {
                let error = try #require(throws: RegistrationError.self) {
                    try relyingParty.finishRegistration(response, ceremony, owner: nil)
                }
                #expect(error.step == .userPresent)
            }
        }
    }
}
