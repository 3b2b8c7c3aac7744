import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyVectors
import PasskeyWire
import Testing

/// A case of the operations `session` and `storage`, whose steps `vectors/README.md` describes.
struct SessionScenario: Sendable, CustomTestStringConvertible {
    var id: String
    var operation: String
    var input: JSONValue
    var accepts: Bool

    var testDescription: String { id }

    /// What a store has to hold by itself, two requests at a time: it is a store's to show.
    static let ofStores = ["cred-taken-105-03", "count-race-103-01", "count-race-103-02"]

    static var all: [SessionScenario] {
        get throws {
            guard let folder = Vectors.shared else { return [] }
            let document = try JSONValue(json: Vectors.bytes(folder + "/reports-scenarios.json"))
            let cases = try (document["cases"]?.array ?? []).map { test in
                SessionScenario(
                    id: try #require(test["id"]?.string),
                    operation: try #require(test["operation"]?.string),
                    input: try #require(test["input"]),
                    accepts: test["expect"]?.string == "accept"
                )
            }
            return cases.filter { ["session", "storage"].contains($0.operation) && !ofStores.contains($0.id) }
        }
    }
}

@Suite(
    "Faults that users reported of servers around other libraries",
    .enabled(if: Vectors.shared != nil || Vectors.requires("shared"), "the folder ../shared/vectors is not there")
)
struct SessionScenarioTests {
    @Test("Scenario", arguments: try SessionScenario.all)
    func scenario(_ scenario: SessionScenario) throws {
        if let length = scenario.input["saveCredentialIdLength"]?.number?.int {
            try storage(length, scenario)
            return
        }
        var server = try SessionServer()
        var isAccepted = true
        for step in try #require(scenario.input["steps"]?.array) {
            let succeeded = try server.perform(step)
            if let expected = step["expect"]?.string { #expect(succeeded == (expected == "accept"), "\(step)") }
            if !succeeded { isAccepted = false }
        }
        #expect(isAccepted == scenario.accepts)
        if let count = scenario.input["expect"]?["storedSignCount"]?.number?.int {
            #expect(server.records.values.map(\.signCount) == [UInt32(count)])
        }
    }

    /// A record goes through its stored form whole.
    private func storage(_ length: Int, _ scenario: SessionScenario) throws {
        let id = [UInt8](repeating: 0xA5, count: length)
        do throws(ModelError) {
            let record = try CredentialRecord(
                id: id,
                publicKey: SessionServer.publicKey,
                signCount: 0,
                userHandle: UserHandle(bytes: [1])
            )
            #expect(scenario.accepts)
            #expect(try CredentialRecord(json: record.jsonBytes()) == record)
            let text = JSONValue.string(Base64URL.encode(id))
            #expect(record.json["id"] == text)
            #expect(text.string?.utf8.count == scenario.value("base64urlLength"))
        } catch {
            #expect(!scenario.accepts)
        }
    }
}

extension SessionScenario {
    fileprivate func value(_ name: String) -> Int? {
        guard let folder = Vectors.shared,
            let document = try? JSONValue(json: Vectors.bytes(folder + "/reports-scenarios.json"))
        else { return nil }
        return document["cases"]?.array?.first { $0["id"]?.string == id }?["value"]?[name]?.number?.int
    }
}

/// A server that does what the README says, and the devices of its users.
struct SessionServer {
    private let relyingParty: RelyingParty
    private(set) var records: [[UInt8]: CredentialRecord] = [:]
    private var ceremonies: [String: AuthenticationCeremony] = [:]
    private var requests: [String: PublicKeyCredentialRequestOptions] = [:]
    private var authenticators: [Int: VirtualAuthenticator] = [:]

    /// A credential public key of ES256.
    static let publicKey =
        (try? AttestationObject(
            VirtualAuthenticator().makeCredential(
                MakeCredentialParameters(
                    hash: [UInt8](repeating: 0, count: 32),
                    rpID: "example.com",
                    user: PublicKeyCredentialUserEntity(id: .random(), name: "ada")
                )
            ).attestationObject
        ).authenticatorData.attestedCredentialData?.credentialPublicKey) ?? []

    init() throws {
        relyingParty = try RelyingParty(id: "example.com", name: "Example", origins: ["https://example.com"])
    }

    /// Performs a step.
    ///
    /// - Returns: Whether the server accepts.
    mutating func perform(_ step: JSONValue) throws -> Bool {
        switch step["op"]?.string {
        case "register":
            return try register(
                try #require(step["credential"]?.number?.int),
                user: try #require(step["user"]?.string)
            )
        case "authenticate": return try authenticate(count: UInt32(try #require(step["count"]?.number?.int)))
        case "begin":
            if records.isEmpty { _ = try register(1, user: "a") }
            let (request, ceremony) = try relyingParty.beginDiscoverableAuthentication()
            let name = try #require(step["as"]?.string)
            (requests[name], ceremonies[name]) = (request, ceremony)
            return true
        case "finish": return try finish(try #require(step["challenge"]?.string), tamper: step["tamper"]?.string)
        default:
            Issue.record("an unknown step: \(step)")
            return false
        }
    }

    private static func handle(_ user: String) throws -> UserHandle { try UserHandle(bytes: [UInt8](user.utf8)) }

    /// Registers a device's one credential: a device with the same number makes the same one again.
    private mutating func register(_ number: Int, user: String) throws -> Bool {
        let handle = try Self.handle(user)
        let (options, ceremony) = try relyingParty.beginRegistration(
            for: PublicKeyCredentialUserEntity(id: handle, name: user),
            excluding: []
        )
        var device = VirtualAuthenticatorOptions.platform
        device.counterMode = .perCredential
        let authenticator = VirtualAuthenticator(device, random: SeededRandom.source(seed: "credential \(number)"))
        let client = VirtualClient(origin: "https://example.com", authenticators: [authenticator])
        let response = try client.create(options)
        do throws(RegistrationError) {
            let registration = try relyingParty.finishRegistration(
                response,
                ceremony,
                owner: records[response.id]?.userHandle
            )
            records[response.id] = registration.credential
            authenticators[number] = authenticator
            return true
        } catch {
            #expect(error.step == .credentialIDUniqueness)
            return false
        }
    }

    private mutating func authenticate(count: UInt32) throws -> Bool {
        if records.isEmpty { _ = try register(1, user: "a") }
        let authenticator = try #require(authenticators[1])
        authenticator.setCredentialProperties(try #require(authenticator.credentials.first?.id), signCount: count - 1)
        _ = try perform(.object(JSONObject(["op": .string("begin"), "as": .string("step")])))
        return try finish("step", tamper: nil)
    }

    /// Finishes a sign-in: its ceremony is taken before anything is verified, and so can be used once.
    private mutating func finish(_ name: String, tamper: String?) throws -> Bool {
        let request = try #require(requests[name])
        let client = VirtualClient(origin: "https://example.com", authenticators: [try #require(authenticators[1])])
        var response = try client.get(request)
        if tamper == "signature" { response.signature[response.signature.count - 1] ^= 1 }
        guard let ceremony = ceremonies.removeValue(forKey: name) else { return false }
        do throws(AuthenticationError) {
            let authentication = try relyingParty.finishAuthentication(response, ceremony, records[response.id])
            records[response.id] = authentication.credential
            return true
        } catch {
            return false
        }
    }
}

extension JSONObject {
    fileprivate init(_ members: [String: JSONValue]) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}
