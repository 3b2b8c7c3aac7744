import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyVectors
import PasskeyWire
import Testing

/// A case of the operation `virtual`, whose steps `vectors/README.md` describes.
struct VirtualScenario: Sendable, CustomTestStringConvertible {
    var id: String
    var input: JSONValue
    var accepts: Bool

    var testDescription: String { id }

    static var all: [VirtualScenario] {
        get throws {
            guard let folder = Vectors.shared else { return [] }
            let document = try JSONValue(json: Vectors.bytes(folder + "/reports-scenarios.json"))
            return try (document["cases"]?.array ?? []).filter { $0["operation"]?.string == "virtual" }.map { test in
                VirtualScenario(
                    id: try #require(test["id"]?.string),
                    input: try #require(test["input"]),
                    accepts: test["expect"]?.string == "accept"
                )
            }
        }
    }
}

@Suite("Faults that users reported of other virtual authenticators", .needsShared)
struct ScenarioTests {
    @Test("Scenario", arguments: try VirtualScenario.all)
    func scenario(_ scenario: VirtualScenario) throws {
        var run = ScenarioRun()
        var isAccepted = true
        for step in try #require(scenario.input["steps"]?.array) where try !run.perform(step) {
            isAccepted = false
        }
        #expect(isAccepted == scenario.accepts)
    }

    @Test("There are as many scenarios as there were, or more")
    func count() throws {
        #expect(try VirtualScenario.all.count >= 13)
    }
}

/// The virtual world of one scenario.
///
/// Its authenticator counts, unless the scenario says otherwise: it is a device that also stores.
struct ScenarioRun {
    private var authenticator = VirtualAuthenticator(World.options { $0.counterMode = .perCredential })
    private var ids: [String: [UInt8]] = [:]
    private var counts: [String: UInt32] = [:]
    private var exports: [String: [UInt8]] = [:]
    private var publicKey: [UInt8] = []
    private var users: UInt8 = 0

    /// Performs a step.
    ///
    /// - Returns: Whether it succeeded.
    mutating func perform(_ step: JSONValue) throws -> Bool {
        switch step["op"]?.string {
        case "config": try configure(step)
        case "newAuthenticator": authenticator = VirtualAuthenticator()
        case "create": return try create(step)
        case "get": try get(step)
        case "export":
            let id = try #require(ids[try name(step["credential"])])
            exports[try #require(step["as"]?.string)] = try #require(authenticator.exportCredential(id)).jsonBytes()
        case "import": return try importCredential(step)
        default: Issue.record("an unknown step: \(step)")
        }
        return true
    }

    private func name(_ reference: JSONValue?) throws -> String {
        String(try #require(reference?.string).drop { $0 == "$" })
    }

    private func configure(_ step: JSONValue) throws {
        #expect(step["signCount"]?.string == "constantZero")
        authenticator.options.counterMode = .none
    }

    private mutating func create(_ step: JSONValue) throws -> Bool {
        users += 1
        let rpID = step["rpId"]?.string ?? World.rpID
        var options = try World.creationOptions(user: users) { $0.rp.id = rpID }
        if let json = step["optionsJSON"] {
            var members = try #require(options.json.object)
            for member in try #require(json.object).members { members[member.name] = member.value }
            options = try PublicKeyCredentialCreationOptions(.object(members))
        }
        for excluded in step["exclude"]?.array ?? [] {
            let text = try #require(excluded.string)
            let id = try text.hasPrefix("$") ? #require(ids[name(excluded)]) : Base64URL.decode(text)
            options.excludeCredentials.append(PublicKeyCredentialDescriptor(id: id))
        }
        if step["keySeedWithLeadingZeroX"]?.bool == true { authenticator = try Self.leadingZero() }
        let client = VirtualClient(origin: "https://" + rpID, authenticators: [authenticator])
        do throws(ClientError) {
            let response = try client.create(options)
            guard let data = (try? AttestationObject(response.attestationObject))?.authenticatorData else {
                return false
            }
            #expect(check(step["expect"], response, data))
            keep(step)
        } catch {
            #expect(error.name.rawValue == step["expect"]?.string)
            return false
        }
        return true
    }

    /// Takes note of what a registration made, and compares it with what a step expects.
    private mutating func check(
        _ expected: JSONValue?,
        _ response: RegistrationResponse,
        _ data: AuthenticatorData
    ) -> Bool {
        guard let attested = data.attestedCredentialData else { return false }
        publicKey = attested.credentialPublicKey
        let isResident = authenticator.credentials.first { $0.id == response.id }?.isDiscoverable
        for member in expected?.object?.members ?? [] {
            switch member.name {
            case "coseKeyLength":
                #expect(attested.credentialPublicKey.count == member.value.number?.int)
                #expect((try? COSEKey(attested.credentialPublicKey)) != nil)
            case "resident": #expect(isResident == member.value.bool)
            case "signCount": #expect(Int(data.signCount) == member.value.number?.int)
            default: Issue.record("an unknown expectation: \(member.name)")
            }
        }
        lastCreated = (response.id, data.signCount)
        return true
    }

    private var lastCreated: (id: [UInt8], signCount: UInt32)? {
        get { ids[""].map { ($0, counts[""] ?? 0) } }
        set {
            ids[""] = newValue?.id
            counts[""] = newValue?.signCount
        }
    }

    /// Keeps what was made last under the name that a step gives it.
    private mutating func keep(_ step: JSONValue) {
        guard let name = step["as"]?.string else { return }
        ids[name] = ids[""]
        counts[name] = counts[""]
    }

    private func get(_ step: JSONValue) throws {
        let client = VirtualClient(origin: World.origin, authenticators: [authenticator])
        let response = try client.get(World.requestOptions())
        let data = try AuthenticatorData(response.authenticatorData)
        if step["expect"]?.string == "verifies" {
            let hash = try sha256(response.clientDataJSON)
            let id = response.id
            let key = try #require(authenticator.credentials.first { $0.id == id }).publicKey
            #expect(key == publicKey, "the credential is another one")
            #expect(try World.verifies(response.signature, data.bytes, hash, publicKey: publicKey))
        }
        for member in step["expect"]?.object?.members ?? [] {
            switch member.name {
            case "signCount": #expect(Int(data.signCount) == member.value.number?.int)
            case "signCountGreaterThan": #expect(data.signCount > (try #require(counts[name(member.value)])))
            default: Issue.record("an unknown expectation: \(member.name)")
            }
        }
    }

    private func importCredential(_ step: JSONValue) throws -> Bool {
        let parameters: VirtualCredentialParameters
        do throws(ModelError) {
            if let from = step["from"] {
                parameters = try VirtualCredentialParameters(json: exports[(try? name(from)) ?? ""] ?? [])
            } else {
                parameters = try VirtualCredentialParameters(.object(Self.importable(step)))
            }
        } catch {
            return false
        }
        do throws(CredentialImportError) {
            try authenticator.importCredential(parameters)
        } catch {
            return false
        }
        return true
    }

    /// A credential to import, with the members that a step names in place of its own.
    private static func importable(_ step: JSONValue) -> JSONObject {
        let key = (try? PrivateKey.generate(.es256).pkcs8()) ?? []
        var object =
            VirtualCredentialParameters(
                credentialID: [1, 2, 3, 4],
                isResidentCredential: true,
                relyingPartyIdentifier: World.rpID,
                privateKey: key,
                userHandle: try? World.handle(1)
            ).json.object ?? JSONObject()
        for member in step.object?.members ?? [] where member.name != "op" { object[member.name] = member.value }
        return object
    }

    /// An authenticator whose first key has an x that begins with a zero byte: 1 in 256 has.
    private static func leadingZero() throws -> VirtualAuthenticator {
        for seed in 0..<5000 {
            let source = SeededRandom.source(seed: "leading zero \(seed)")
            let key = try PrivateKey(ec: .es256, scalar: source(32)).publicKey.encoded
            // A5 01 02 03 26 20 01 21 58 20 x
            guard key[10] == 0 else { continue }
            return VirtualAuthenticator(random: SeededRandom.source(seed: "leading zero \(seed)"))
        }
        throw LeadingZero()
    }

    private struct LeadingZero: Error {}
}

extension Trait where Self == ConditionTrait {
    /// Skips a suite that reads the folder beside the package, unless `PASSKEY_REQUIRE` says that it must be there.
    static var needsShared: Self {
        .enabled(
            if: Vectors.shared != nil || Vectors.requires("shared"),
            "the folder ../shared/vectors is not there"
        )
    }
}
