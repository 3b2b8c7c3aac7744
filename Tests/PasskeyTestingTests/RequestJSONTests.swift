import Foundation
import PasskeyAuthorization
import PasskeyModel
import PasskeyTesting
import Testing

@Suite("The W3C's JSON and AuthenticationServices' names in requests and credentials")
struct RequestJSONTests {
    private let world = ControllerWorld()

    @Test("Creation options from a server's JSON, with and without the wrapper")
    func creationOptions() throws {
        let options = try World.creationOptions { $0.hints = [.securityKey] }
        let inner = String(decoding: options.jsonBytes(), as: UTF8.self)
        typealias Request = AuthorizationPublicKeyCredentialRegistrationRequest
        for text in [inner, #"{"publicKey":\#(inner)}"#, #"{"mediation":"optional","publicKey":\#(inner),"x":1}"#] {
            let request = try Request(creationOptionsJSON: text)
            #expect(request.requestStyle == .standard)
            #expect(request.attachment == .platform)
            #expect(request.userID == Data(options.user.id.bytes))
            #expect(request.hints == [.securityKey])
            let back = try PublicKeyCredentialCreationOptions(json: [UInt8](request.creationOptionsJSON()))
            #expect(back == (try request.creationOptions()))
        }
        #expect(
            try Request(creationOptionsJSON: #"{"publicKey":\#(inner),"mediation":"conditional"}"#).requestStyle
                == .conditional
        )
        #expect(try Request(creationOptionsJSON: inner, attachment: .crossPlatform).attachment == .crossPlatform)

        // Nothing that is not JSON, not an object, says a thing twice, or lacks something.
        let broken = [
            "", "[]", "{", #"{"publicKey":1}"#, #"{"publicKey":{}}"#, inner + " x",
            #"{"publicKey":\#(inner),"publicKey":\#(inner)}"#,
            inner.replacingOccurrences(of: #""id":"example.com""#, with: #""other":1"#),
        ]
        for text in broken {
            let error = try #require(throws: AuthorizationError.self) { try Request(creationOptionsJSON: text) }
            #expect(error.type == .decoding)
        }
    }

    @Test("Request options from a server's JSON, with and without the wrapper")
    func requestOptions() throws {
        let options = try World.requestOptions { $0.allowCredentials = [.init(id: [1, 2], transports: [.usb])] }
        let inner = String(decoding: options.jsonBytes(), as: UTF8.self)
        typealias Request = AuthorizationPublicKeyCredentialAssertionRequest
        for text in [inner, #"{"publicKey":\#(inner),"mediation":"conditional"}"#] {
            let request = try Request(requestOptionsJSON: text, attachment: .crossPlatform)
            #expect(request.attachment == .crossPlatform)
            #expect(try request.requestOptions() == options)
            #expect(try PublicKeyCredentialRequestOptions(json: [UInt8](request.requestOptionsJSON())) == options)
        }
        for text in ["", #"{"publicKey":null}"#, inner.replacingOccurrences(of: "AQI", with: "AQJ")] {
            let error = try #require(throws: AuthorizationError.self) { try Request(requestOptionsJSON: text) }
            #expect(error.type == .decoding)
        }
        var unwritable = world.assertion
        #expect(throws: Never.self) { try unwritable.requestOptionsJSON() }
        unwritable = world.platform.createCredentialAssertionRequest(challenge: Data())
        #expect(throws: AuthorizationError.self) { try unwritable.requestOptionsJSON() }
    }

    @Test("Credentials to JSON and back")
    func credentials() async throws {
        let made = try await world.controller.perform(world.registration())
        #expect(try PasskeyRegistrationCredential(registrationResponseJSON: made.registrationResponseJSON()) == made)
        let used = try await world.controller.perform(world.assertion)
        #expect(try PasskeyAssertionCredential(authenticationResponseJSON: used.authenticationResponseJSON()) == used)
        let first = try #require(throws: AuthorizationError.self) {
            try PasskeyRegistrationCredential(registrationResponseJSON: used.authenticationResponseJSON())
        }
        #expect(first.type == .decoding)
        #expect(first.originalError is RegistrationError)
        let second = try #require(throws: AuthorizationError.self) {
            try PasskeyAssertionCredential(authenticationResponseJSON: made.registrationResponseJSON())
        }
        #expect(second.type == .decoding)
        #expect(second.originalError is AuthenticationError)
    }

    @Test("largeBlob by Apple's names")
    func largeBlob() async throws {
        var request = world.registration()
        #expect(request.largeBlob == nil)
        request.largeBlob = .supportRequired
        #expect(request.extensions.largeBlob?.support == .required)
        #expect(request.largeBlob == .supportRequired)
        let made = try await world.controller.perform(request)
        #expect(made.largeBlob?.isSupported == true)

        var write = world.assertion
        write.allowedCredentials = [PublicKeyCredentialDescriptor(credentialID: made.credentialID)]
        #expect(write.largeBlob == nil)
        write.largeBlob = .write(Data([1, 2, 3]))
        #expect(write.largeBlob == .write(Data([1, 2, 3])))
        #expect(try await world.controller.perform(write).largeBlob?.didWrite == true)
        var read = world.assertion
        read.largeBlob = .read
        #expect(read.largeBlob == .read)
        let used = try await world.controller.perform(read)
        #expect(used.largeBlob?.readData == Data([1, 2, 3]))
        #expect(used.largeBlob?.didWrite == nil)
        read.largeBlob = nil
        #expect(try await world.controller.perform(read).largeBlob == nil)

        request.largeBlob = .supportPreferred
        #expect(request.extensions.largeBlob?.support == .preferred)
        request.largeBlob = nil
        #expect(request.extensions.largeBlob == nil)
        #expect(try await world.controller.perform(request).largeBlob == nil)
    }

    @Test("prf by Apple's names")
    func prf() async throws {
        let salts = AuthorizationPublicKeyCredentialPRFInputValues(saltInput1: Data([1]), saltInput2: Data([2]))
        let others = AuthorizationPublicKeyCredentialPRFInputValues(saltInput1: Data([3]))
        var request = world.registration()
        request.prf = .checkForSupport
        #expect(request.prf == .checkForSupport)
        let asked = try await world.controller.perform(request)
        #expect(asked.prf?.isSupported == true)
        #expect([asked.prf?.first, asked.prf?.second] == [nil, nil])
        request.prf = .inputValues(salts)
        #expect(request.prf == .inputValues(salts))
        let made = try await world.controller.perform(request)
        #expect(made.prf?.first?.count == 32)
        #expect(made.prf?.second?.count == 32)

        var assertion = world.assertion
        #expect(assertion.prf == nil)
        assertion.prf = .init(inputValues: salts)
        #expect(assertion.prf == .init(inputValues: salts))
        let used = try await world.controller.perform(assertion)
        #expect(used.prf?.first == made.prf?.first)
        #expect(used.prf?.second == made.prf?.second)

        assertion.allowedCredentials = [PublicKeyCredentialDescriptor(credentialID: made.credentialID)]
        assertion.prf = .init(inputValues: salts, perCredentialInputValues: [made.credentialID: others])
        #expect(assertion.prf?.perCredentialInputValues == [made.credentialID: others])
        let other = try await world.controller.perform(assertion)
        #expect((other.prf?.first == made.prf?.first) == false)
        #expect(other.prf?.second == nil)
        // One order, so that the same request is the same bytes each time.
        assertion.prf = .init(perCredentialInputValues: [Data([2]): salts, Data([1, 1]): others, Data([1]): salts])
        #expect(assertion.extensions.prf?.evalByCredential?.map(\.credentialID) == [[1], [1, 1], [2]])
        assertion.prf = nil
        #expect(try await world.controller.perform(assertion).prf == nil)
    }

    @Test("A security key's AppID by Apple's name")
    func appID() async throws {
        var request = world.keyAssertion
        request.appID = "https://example.com/appid.json"
        #expect(request.extensions.appid == "https://example.com/appid.json")
        _ = try await world.controller.perform(world.keyRegistration())
        // The credential is the RP ID's own, and so the extension says no.
        #expect(try await world.controller.perform(request).appID == false)
        request.appID = nil
        #expect(request.extensions.appid == nil)
    }

    @Test("Client data that a browser puts together: origin, frame and top origin are the page's")
    func clientData() async throws {
        var data = PublicKeyCredentialClientData(challenge: world.challenge, origin: "https://login.example.com")
        // What the authenticator's own client would write does not count.
        world.controller.authenticators = [.profile(.iCloudKeychain)]
        world.controller.associatedDomains = []
        let made = try await world.controller.perform(
            world.platform.createCredentialRegistrationRequest(clientData: data, name: "ada", userID: Data([1]))
        )
        var seen = try ClientData([UInt8](made.rawClientDataJSON))
        #expect(seen.origin == "https://login.example.com")
        #expect(seen.crossOrigin == nil)

        data.crossOrigin = .sameOriginWithAncestors
        func used() async throws -> ClientData {
            let request = world.platform.createCredentialAssertionRequest(clientData: data)
            return try await ClientData([UInt8](world.controller.perform(request).rawClientDataJSON))
        }
        seen = try await used()
        #expect(seen.crossOrigin == false)
        data.crossOrigin = .crossOrigin
        data.topOrigin = "https://top.example"
        seen = try await used()
        #expect(seen.crossOrigin == true)
        #expect(seen.topOrigin == "https://top.example")

        // A page of another site has no right to the RP ID, and an application's own request no domain.
        data.origin = "https://other.example"
        let error = try await world.error { try await used() }
        #expect(error.type == .domainNotAssociated)
        #expect(try await world.failure(world.assertion) == .domainNotAssociated)
    }
}
