import PasskeyCrypto
import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire
import Testing

@Suite("Relying party: configuration, options, ceremonies")
struct RelyingPartyTests {
    @Test func configurationThatCannotBe() throws {
        #expect(throws: Never.self) { try RelyingParty(id: "a.example", name: "A", origins: ["https://a.example"]) }
        #expect(throws: Never.self) { try RelyingParty(id: "localhost", name: "A", origins: ["http://localhost:80"]) }
        #expect(throws: ModelError.self) { try RelyingParty(id: "a.example", name: "A", origins: []) }
        #expect(throws: ModelError.self) {
            try RelyingParty(id: "https://a", name: "A", origins: ["https://a.example"])
        }
        #expect(throws: ModelError.self) { try RelyingParty(id: "a.example", name: "A", origins: ["a.example/path"]) }
        #expect(throws: ModelError.self) { try RelyingParty(id: "a.example", name: "A", origins: ["http://a.example"]) }
        let lenient = CompatibilityPolicy(allowsInsecureOrigins: true)
        #expect(throws: Never.self) {
            try RelyingParty(id: "a.example", name: "A", origins: ["http://a.example"], compatibility: lenient)
        }
    }

    @Test func creationOptions() throws {
        let party = try Stage.relyingParty()
        let record = try #require(AuthenticationScene().record)
        let (options, ceremony) = try party.beginRegistration(for: Stage.user(), excluding: [record])
        #expect(options.rp.id == "example.com")
        #expect(options.rp.name == "Example")
        #expect(options.user == (try Stage.user()))
        #expect(options.challenge.bytes == Stage.challenge)
        #expect(options.timeout == 300_000)
        #expect(options.pubKeyCredParams.map(\.alg) == SignatureAlgorithms.supported)
        #expect(!options.pubKeyCredParams.map(\.alg).contains(.rs1))
        #expect(options.excludeCredentials == [record.descriptor])
        #expect(options.authenticatorSelection?.residentKey == .required)
        #expect(options.authenticatorSelection?.userVerification == .required)
        #expect(options.attestation == AttestationConveyancePreference.none)
        #expect(ceremony.challenge == options.challenge)
        #expect(ceremony.expiresAt == Stage.now.advanced(byMilliseconds: 360_000))
        #expect(ceremony.userHandle == options.user.id)
        let direct = try Stage.relyingParty(attestation: .verified)
        #expect(try direct.beginRegistration(for: Stage.user(), excluding: []).options.attestation == .direct)
    }

    @Test func requestOptions() throws {
        let party = try Stage.relyingParty()
        let record = try #require(AuthenticationScene().record)
        let (options, ceremony) = try party.beginAuthentication(of: record.userHandle, allowing: [record])
        #expect(options.rpId == "example.com")
        #expect(options.allowCredentials == [record.descriptor])
        #expect(options.userVerification == .required)
        #expect(ceremony.userHandle == record.userHandle)
        #expect(ceremony.allowedCredentials == [record.id])
        let (anybody, discoverable) = try party.beginDiscoverableAuthentication()
        #expect(anybody.allowCredentials.isEmpty)
        #expect(discoverable.userHandle == nil)
    }

    @Test func challengesAreFresh() throws {
        let party = try RelyingParty(id: "a.example", name: "A", origins: ["https://a.example"])
        let challenges = try (0..<64).map { _ in try party.beginDiscoverableAuthentication().options.challenge }
        #expect(Set(challenges).count == 64)
        #expect(challenges.allSatisfy { $0.bytes.count == 32 })
    }

    @Test func aShortRandomSourceIsRefused() throws {
        for (count, isAccepted) in [(15, false), (16, true)] {
            let party = try RelyingParty(
                id: "a.example",
                name: "A",
                origins: ["https://a.example"],
                random: { _ in [UInt8](repeating: 1, count: count) }
            )
            #expect(((try? party.beginDiscoverableAuthentication()) != nil) == isAccepted)
        }
    }

    @Test func algorithmsThatCannotBeVerifiedAreNotOffered() throws {
        let party = try Stage.relyingParty()
        let user = try Stage.user()
        let options = try party.beginRegistration(for: user, excluding: [], .init(algorithms: [.es384])).options
        #expect(options.pubKeyCredParams.map(\.alg) == [.es384])
        for algorithms in [[COSEAlgorithmIdentifier.rs1], [], [.es256, COSEAlgorithmIdentifier(rawValue: -25)]] {
            #expect(throws: ModelError.self) {
                try party.beginRegistration(for: user, excluding: [], .init(algorithms: algorithms))
            }
        }
    }

    @Test func ceremoniesSurviveStorage() throws {
        let party = try Stage.relyingParty()
        let record = try #require(AuthenticationScene().record)
        var options = RegistrationOptions(mediation: .conditional, algorithms: [.es256, .edDSA])
        options.extensions.credProps = true
        options.backup = .init(eligibility: .required, state: .prohibited, eligibilityUpgrade: .reported)
        options.unsolicitedExtensions = .refuse
        let registration = try party.beginRegistration(for: Stage.user(), excluding: [], options).ceremony
        #expect(try RegistrationCeremony(json: registration.jsonBytes()) == registration)

        var signIn = AuthenticationOptions(userVerification: .preferred, signCount: .report)
        signIn.backup = .init(eligibility: .any, state: .required, eligibilityUpgrade: .reported)
        signIn.unsolicitedExtensions = .refuse
        signIn.extensions.appid = "https://example.com/app-id.json"
        let known = try party.beginAuthentication(of: record.userHandle, allowing: [record], signIn).ceremony
        #expect(try AuthenticationCeremony(json: known.jsonBytes()) == known)
        let anybody = try party.beginDiscoverableAuthentication(signIn).ceremony
        #expect(try AuthenticationCeremony(json: anybody.jsonBytes()) == anybody)
        #expect(anybody != known)
    }

    @Test func oneKindOfCeremonyIsNotTheOther() throws {
        let party = try Stage.relyingParty()
        let registration = try party.beginRegistration(for: Stage.user(), excluding: []).ceremony
        let authentication = try party.beginDiscoverableAuthentication().ceremony
        let first = #expect(throws: ModelError.self) { try AuthenticationCeremony(json: registration.jsonBytes()) }
        let second = #expect(throws: ModelError.self) { try RegistrationCeremony(json: authentication.jsonBytes()) }
        #expect(first?.path == "purpose")
        #expect(second?.path == "purpose")
        let text = String(decoding: registration.jsonBytes(), as: UTF8.self)
        #expect(throws: ModelError.self) {
            try RegistrationCeremony(json: text.replacing("\"version\":1", with: "\"version\":2"))
        }
        #expect(throws: ModelError.self) {
            try RegistrationCeremony(json: text.replacing("\"required\"", with: "\"sometimes\""))
        }
    }

    /// A store that loses a member must not make a ceremony wider than it was.
    @Test func aCeremonyWithoutItsLimitsIsNone() throws {
        let party = try Stage.relyingParty()
        let record = try #require(AuthenticationScene().record)
        let ceremony = try party.beginAuthentication(of: record.userHandle, allowing: [record]).ceremony
        for name in try #require(ceremony.json.object).members.map(\.name) {
            for replacement in [nil, JSONValue.null] {
                var object = try #require(ceremony.json.object)
                object[name] = replacement
                #expect(throws: ModelError.self, "\(name)") { try AuthenticationCeremony(JSONValue.object(object)) }
            }
        }
    }

    /// A moment at the end of time is read and refused, without arithmetic that could overflow.
    @Test func expiryAtTheEndOfTime() throws {
        var object = try #require(
            Stage.relyingParty().beginRegistration(for: Stage.user(), excluding: []).ceremony.json.object
        )
        object["expiresAt"] = .number(JSONNumber(Int.min))
        let ceremony = try RegistrationCeremony(JSONValue.object(object))
        let response = try RegistrationScene().response()
        let error = #expect(throws: RegistrationError.self) {
            try Stage.relyingParty().finishRegistration(response, ceremony, owner: nil)
        }
        #expect(error?.step == .ceremony)
    }

    @Test(arguments: [
        ("https://example.com", true), ("https://a.example.com", true), ("https://a.b.example.com", true),
        ("https://evilexample.com", false), ("https://example.com.evil.example", false),
        ("http://a.example.com", false), ("https://a.example.com:8443", false), ("https://A.example.com", false),
        ("https://a.example.com/", false), ("https://user@a.example.com", false), ("null", false), ("", false),
    ])
    func subdomainsByName(_ origin: String, _ isAccepted: Bool) throws {
        try expect(origin, isAccepted) { $0.allowsSubdomains = true }
        let isListed = origin == "https://example.com"
        try expect(origin, isListed) { _ in }
    }

    @Test(arguments: [
        ("https://example.com", true), ("https://example.com:8443", true), ("https://example.com:443", false),
        ("https://a.example.com:8443", false), ("http://example.com:8443", false),
    ])
    func portsByName(_ origin: String, _ isAccepted: Bool) throws {
        try expect(origin, isAccepted) { $0.allowsAnyPort = true }
    }

    @Test func androidAndRelatedOriginsAreListed() throws {
        let android = "android:apk-key-hash:S2RfNYgJmQiKgd6-sdbjW7phcL_OTP4vGE8L51Q2GB0"
        try expect(android, false) { _ in }
        try expect(android, true) { $0.origins.append(try Origin(android)) }
        try expect("https://example.net", true) { $0.origins.append(try Origin("https://example.net")) }
    }

    private func expect(
        _ origin: String,
        _ isAccepted: Bool,
        _ change: (inout OriginPolicy) throws -> Void
    ) throws {
        var policy = OriginPolicy([try Origin(Stage.origin)])
        try change(&policy)
        var scene = try AuthenticationScene()
        scene.origin = origin
        scene.finishes = try RelyingParty(
            id: RelyingPartyIdentifier(Stage.id),
            name: "Example",
            origins: policy,
            clock: { Stage.now }
        )
        if isAccepted {
            #expect(throws: Never.self) { try scene.run() }
        } else {
            let error = #expect(throws: AuthenticationError.self) { try scene.run() }
            #expect(error?.step == .origin)
        }
    }

    @Test func reportReadsWell() throws {
        var scene = try AuthenticationScene()
        scene.origin = "https://evil.example"
        let report = try scene.report().description
        #expect(report.contains("FAIL 12 origin: the origin \"https://evil.example\" is not expected"))
        #expect(report.contains("pass 21 signature"))
        #expect(report.contains("skip 25 nothing to verify: success"))
        #expect(report.contains("pass  5 allowedCredential"))
    }
}
