import PasskeyCrypto
import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire
import Testing

/// One way to make a registration fail at one step.
struct RegistrationFault: Sendable, CustomTestStringConvertible {
    let step: RegistrationError.Step
    let name: String
    let change: @Sendable (inout RegistrationScene) throws -> Void

    init(
        _ step: RegistrationError.Step,
        _ name: String,
        _ change: @escaping @Sendable (inout RegistrationScene) throws -> Void
    ) {
        self.step = step
        self.name = name
        self.change = change
    }

    var testDescription: String { "\(step.rawValue) \(step): \(name)" }

    static let all: [RegistrationFault] = [
        .init(.ceremony, "expired") { $0.finishTime = Stage.now.advanced(byMilliseconds: 360_001) },
        .init(.ceremony, "of another relying party") {
            $0.finishes = try RelyingParty(
                id: "example.org",
                name: "Other",
                origins: [Stage.origin],
                clock: { Stage.now }
            )
            $0.rpID = "example.org"
        },
        .init(.response, "empty ID") { $0.responseID = [] },
        .init(.jsonText, "not UTF-8") { $0.clientData = [0x7B, 0xFF, 0x7D] },
        .init(.clientData, "not JSON") { $0.clientData = [UInt8]("{".utf8) },
        .init(.clientData, "bytes after the object") {
            $0.clientData = try $0.response().clientDataJSON + [0x20, 0x78]
        },
        .init(.clientData, "a member twice") {
            $0.clientData = try [UInt8](#"{"type":"webauthn.create","#.utf8) + $0.response().clientDataJSON.dropFirst()
        },
        .init(.clientData, "no challenge") {
            $0.clientData = [UInt8](#"{"type":"webauthn.create","origin":"https://example.com"}"#.utf8)
        },
        .init(.clientData, "crossOrigin is text") {
            let text = String(decoding: try $0.response().clientDataJSON, as: UTF8.self)
            $0.clientData = [UInt8](text.dropLast(6).utf8) + [UInt8](#""no"}"#.utf8)
        },
        .init(.clientData, "crossOrigin is null") {
            let text = String(decoding: try $0.response().clientDataJSON, as: UTF8.self)
            $0.clientData = [UInt8](text.dropLast(6).utf8) + [UInt8]("null}".utf8)
        },
        .init(.clientData, "two byte order marks") {
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            $0.clientData = try mark + mark + $0.response().clientDataJSON
        },
        .init(.type, "of a sign-in") { $0.type = "webauthn.get" },
        .init(.type, "longer") { $0.type = "webauthn.createX" },
        .init(.challenge, "another") { $0.challenge[0] ^= 1 },
        .init(.challenge, "padded") {
            let text = String(decoding: try $0.response().clientDataJSON, as: UTF8.self)
            let challenge = Base64URL.encode(Stage.challenge)
            let parts = text.split(separator: challenge)
            $0.clientData = [UInt8]((parts[0] + challenge + "=" + parts[1]).utf8)
        },
        .init(.origin, "of another site") { $0.origin = "https://example.net" },
        .init(.origin, "a sub-domain") { $0.origin = "https://login.example.com" },
        .init(.origin, "with a slash") { $0.origin = "https://example.com/" },
        .init(.crossOrigin, "true") { $0.crossOrigin = true },
        .init(.topOrigin, "without crossOrigin") { $0.topOrigin = "https://example.net" },
        .init(.topOrigin, "not listed") {
            $0.framing = .allowed(topOrigins: [try Origin("https://top.example")])
            $0.crossOrigin = true
            $0.topOrigin = "https://example.net"
        },
        .init(.topOrigin, "listed, but crossOrigin is false") {
            $0.framing = .allowed(topOrigins: [try Origin("https://top.example")])
            $0.topOrigin = "https://top.example"
        },
        .init(.topOrigin, "listed, but crossOrigin is absent") {
            $0.framing = .allowed(topOrigins: [try Origin("https://top.example")])
            $0.crossOrigin = nil
            $0.topOrigin = "https://top.example"
        },
        .init(.attestationObject, "bytes after it") { $0.attestationObject = { $0 + [0] } },
        .init(.attestationObject, "cut") { $0.attestationObject = { Array($0.dropLast()) } },
        .init(.attestationObject, "bytes after the authenticator data") { $0.tail = [0] },
        .init(.attestationObject, "no attested credential data") { $0.attests = false },
        .init(.attestationObject, "another ID") { $0.responseID = [1] },
        .init(.attestationObject, "a false authenticatorData member") { $0.claims.authenticatorData = [1] },
        .init(.rpIDHash, "of another") { $0.rpID = "example.net" },
        .init(.userPresent, "UP 0") { $0.flags.remove(.userPresent) },
        .init(.userPresent, "UP 0, silent mediation") {
            $0.options.mediation = .silent
            $0.flags.remove(.userPresent)
        },
        .init(.userPresent, "UP 0, required mediation") {
            $0.options.mediation = .required
            $0.flags.remove(.userPresent)
        },
        .init(.userVerified, "UV 0") { $0.flags.remove(.userVerified) },
        .init(.backupState, "BS without BE") { $0.flags.insert(.backupState) },
        .init(.backupEligibilityPolicy, "required") { $0.options.backup.eligibility = .required },
        .init(.backupEligibilityPolicy, "prohibited") {
            $0.options.backup.eligibility = .prohibited
            $0.flags.insert(.backupEligible)
        },
        .init(.backupStatePolicy, "required") {
            $0.options.backup.state = .required
            $0.flags.insert(.backupEligible)
        },
        .init(.algorithm, "not offered") { $0.options.algorithms = [.es384] },
        .init(.algorithm, "off the curve") { $0.publicKey[$0.publicKey.count - 1] ^= 1 },
        .init(.algorithm, "a false publicKeyAlgorithm member") { $0.claims.publicKeyAlgorithm = -8 },
        .init(.algorithm, "a false publicKey member") { $0.claims.publicKey = [0x30, 0x00] },
        .init(.attestationFormat, "unknown") {
            $0.attestation = .verified
            $0.statement = .given("vendor-x", .map([]))
        },
        .init(.attestationStatement, "none with content") { $0.statement = .given(.none, ["x": 1]) },
        .init(.attestationStatement, "none with an array") { $0.statement = .given(.none, []) },
        .init(.attestationStatement, "self, another algorithm") {
            let signature = try $0.key.sign($0.authenticatorData() + sha256($0.response().clientDataJSON))
            $0.statement = .given(.packed, ["alg": -257, "sig": .bytes(signature)])
        },
        .init(.attestationStatement, "self, another key") {
            let signature = try PrivateKey.generate(.es256)
                .sign($0.authenticatorData() + sha256($0.response().clientDataJSON))
            $0.statement = .given(.packed, ["alg": -7, "sig": .bytes(signature)])
        },
        .init(.attestationStatement, "self, ECDAA") {
            let signature = try $0.key.sign($0.authenticatorData() + sha256($0.response().clientDataJSON))
            $0.statement = .given(.packed, ["alg": -7, "sig": .bytes(signature), "ecdaaKeyId": .bytes([1])])
        },
        .init(.attestationStatement, "self, no alg") { $0.statement = .given(.packed, ["sig": .bytes([1])]) },
        .init(.attestationStatement, "self, no sig") { $0.statement = .given(.packed, ["alg": -7]) },
        .init(.attestationStatement, "self, not a map") { $0.statement = .given(.packed, 7) },
        .init(.attestationTrust, "none") { $0.attestation = .verified.requiringTrust() },
        .init(.attestationTrust, "self") {
            $0.attestation = .verified.requiringTrust()
            $0.statement = .packedSelf
        },
        .init(.credentialIDLength, "1024 bytes") { $0.credentialID = [UInt8](repeating: 1, count: 1024) },
        .init(.credentialIDUniqueness, "of this user") { $0.owner = try Stage.user().id },
        .init(.credentialIDUniqueness, "of another user") { $0.owner = try UserHandle(bytes: [9]) },
        .init(.extensions, "not asked for") {
            $0.options.unsolicitedExtensions = .refuse
            $0.results.credProps = .init(rk: true)
        },
        .init(.extensions, "credProtect lowered") {
            $0.options.extensions.credentialProtectionPolicy = .userVerificationRequired
            $0.options.extensions.enforceCredentialProtectionPolicy = true
            $0.extensions = try AuthenticatorExtensionOutputs(["credProtect": 2] as CBOR)
        },
        .init(.extensions, "credProtect enforced and absent") {
            $0.options.extensions.credentialProtectionPolicy = .userVerificationRequired
            $0.options.extensions.enforceCredentialProtectionPolicy = true
        },
        .init(.extensions, "credProtect no level") {
            $0.options.extensions.credentialProtectionPolicy = .userVerificationRequired
            $0.options.extensions.enforceCredentialProtectionPolicy = true
            $0.extensions = try AuthenticatorExtensionOutputs(["credProtect": 9] as CBOR)
        },
        .init(.extensions, "largeBlob required and absent") {
            $0.options.extensions.largeBlob = .init(support: .required)
        },
        .init(.extensions, "largeBlob required") {
            $0.options.extensions.largeBlob = .init(support: .required)
            $0.results.largeBlob = .init(supported: false)
        },
    ]
}

/// Ways that a registration may differ and still be accepted, most of them twins of a fault.
struct RegistrationVariant: Sendable, CustomTestStringConvertible {
    let name: String
    let change: @Sendable (inout RegistrationScene) throws -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout RegistrationScene) throws -> Void) {
        self.name = name
        self.change = change
    }

    var testDescription: String { name }

    static let all: [RegistrationVariant] = [
        .init("plain") { _ in },
        .init("at the last millisecond") { $0.finishTime = Stage.now.advanced(byMilliseconds: 360_000) },
        .init("one byte order mark") { $0.clientData = try [0xEF, 0xBB, 0xBF] + $0.response().clientDataJSON },
        .init("unknown members, another order") {
            let challenge = Base64URL.encode(Stage.challenge)
            $0.clientData = [UInt8](
                #" {"new":[1,{}], "origin":"https://example.com", "challenge":"\#(challenge)","type":"webauthn.create"}"#
                    .utf8
            )
        },
        .init("no crossOrigin") { $0.crossOrigin = nil },
        .init("framed") {
            $0.framing = .allowed(topOrigins: [try Origin("https://top.example")])
            $0.crossOrigin = true
            $0.topOrigin = "https://top.example"
        },
        .init("framed, the page around untold") {
            $0.framing = .allowed(topOrigins: [])
            $0.crossOrigin = true
        },
        .init("true members") {
            $0.claims = .init(
                authenticatorData: try $0.authenticatorData(),
                publicKey: try PublicKey($0.key.publicKey).subjectPublicKeyInfo(),
                publicKeyAlgorithm: -7
            )
        },
        .init("conditional create without UP and UV") {
            $0.options.mediation = .conditional
            $0.options.authenticatorSelection.userVerification = .preferred
            $0.flags = []
        },
        .init("UV 0 where preferred") {
            $0.options.authenticatorSelection.userVerification = .preferred
            $0.flags.remove(.userVerified)
        },
        .init("BE and BS") { $0.flags.formUnion([.backupEligible, .backupState]) },
        .init("BE and BS, required") {
            $0.flags.formUnion([.backupEligible, .backupState])
            $0.options.backup = .init(eligibility: .required, state: .required)
        },
        .init("BE prohibited") { $0.options.backup.eligibility = .prohibited },
        .init("reserved flags") { $0.flags.formUnion(.init(rawValue: 0x22)) },
        .init("packed self") { $0.statement = .packedSelf },
        .init("packed self, where it must verify") {
            $0.statement = .packedSelf
            $0.attestation = .verified
        },
        .init("an unknown format, where attestation is optional") { $0.statement = .given("vendor-x", .map([])) },
        .init("a false statement, ignored") {
            $0.statement = .given(.none, ["x": 1])
            $0.attestation = .ignored
        },
        .init("credential ID of 1023 bytes") { $0.credentialID = [UInt8](repeating: 1, count: 1023) },
        .init("credential ID of one byte") { $0.credentialID = [1] },
        .init("extension outputs that were asked for") {
            $0.options.unsolicitedExtensions = .refuse
            $0.options.extensions.credProps = true
            $0.results.credProps = .init(rk: true)
        },
        .init("credProtect as asked for") {
            $0.options.extensions.credentialProtectionPolicy = .userVerificationRequired
            $0.options.extensions.enforceCredentialProtectionPolicy = true
            $0.extensions = try AuthenticatorExtensionOutputs(["credProtect": 3] as CBOR)
        },
        .init("credProtect lowered, not enforced") {
            $0.options.extensions.credentialProtectionPolicy = .userVerificationRequired
            $0.extensions = try AuthenticatorExtensionOutputs(["credProtect": 1] as CBOR)
        },
        .init("largeBlob as required") {
            $0.options.extensions.largeBlob = .init(support: .required)
            $0.results.largeBlob = .init(supported: true)
        },
    ]
}

@Suite("§7.1, step by step")
struct RegistrationStepTests {
    @Test(arguments: RegistrationFault.all)
    func refuses(_ fault: RegistrationFault) throws {
        var scene = try RegistrationScene()
        try fault.change(&scene)
        let error = #expect(throws: RegistrationError.self) { try scene.run() }
        #expect(error?.step == fault.step, "\(error.map { $0.description } ?? "")")
    }

    /// In the report the step at fault failed, and nothing but what depends on it did not pass.
    @Test(arguments: RegistrationFault.all)
    func reports(_ fault: RegistrationFault) throws {
        var scene = try RegistrationScene()
        try fault.change(&scene)
        let report = try scene.report()
        let failed = Set(
            report.checks.compactMap { check -> Int? in
                if case .failed = check.verdict { check.step } else { nil }
            }
        )
        // An empty ID is not the attested one either.
        #expect(failed == (fault.step == .response ? [3, 13] : [fault.step.rawValue]))
        #expect(!report.isVerified)
    }

    @Test(arguments: RegistrationVariant.all)
    func accepts(_ variant: RegistrationVariant) throws {
        var scene = try RegistrationScene()
        try variant.change(&scene)
        let registration = try scene.run()
        #expect(registration.credential.id == scene.credentialID)
        #expect(registration.credential.publicKey == scene.publicKey)
        #expect(registration.userVerified == scene.flags.contains(.userVerified))
        let report = try scene.report()
        #expect(report.isVerified, "\(report)")
        #expect(Set(report.checks.map(\.step)) == Set(Specification.registrationSteps))
    }

    @Test func everyStepThatCanRefuseIsRefusedAt() {
        #expect(Set(RegistrationFault.all.map(\.step)) == Set(RegistrationError.Step.allCases))
    }

    @Test func stepsAndSilentStepsAreAllSteps() {
        let numbers = RegistrationError.Step.allCases.map(\.rawValue) + RegistrationError.silentSteps.keys
        #expect(numbers.sorted() == Array(Specification.registrationSteps))
    }

    @Test func recordHasWhatWasAttested() throws {
        var scene = try RegistrationScene()
        scene.flags.formUnion([.backupEligible, .backupState])
        scene.signCount = 7
        scene.statement = .packedSelf
        let registration = try scene.run()
        let record = registration.credential
        #expect(registration.attestationType == .`self`)
        #expect(!registration.isAttestationTrusted)
        #expect(record.signCount == 7)
        #expect(record.userHandle == (try Stage.user().id))
        #expect(record.transports == [.internal])
        #expect(record.uvInitialized)
        #expect(record.backupEligible == true)
        #expect(record.backupState == true)
        #expect(record.aaguid == .zero)
        #expect(record.attestationFormat == .packed)
        #expect(record.createdAt == Stage.now)
        let object = try AttestationObject(#require(record.attestationObject))
        #expect(object.authenticatorData == registration.authenticatorData)
        #expect(record.attestationClientDataJSON == registration.clientData.bytes)
        #expect(try CredentialRecord(json: record.jsonBytes()) == record)
    }

    @Test func recordTellsFlagsApart() throws {
        var scene = try RegistrationScene()
        scene.options.authenticatorSelection.userVerification = .preferred
        scene.flags = [.userPresent, .backupEligible]
        let record = try scene.run().credential
        #expect(!record.uvInitialized)
        #expect(record.backupEligible == true)
        #expect(record.backupState == false)
    }

    /// The length is refused by its own check, and not only because no record holds such an identifier.
    @Test func lengthOfTheCredentialIDIsTold() throws {
        var scene = try RegistrationScene()
        scene.credentialID = [UInt8](repeating: 1, count: 1024)
        let error = #expect(throws: RegistrationError.self) { try scene.run() }
        #expect(error?.detail == "the credential ID has 1024 bytes")
    }

    /// What a response says does not write lines of the log.
    @Test func detailsAreExcerpts() throws {
        var scene = try RegistrationScene()
        scene.origin = "https://evil.example\npass 21 signature\u{1B}[2K\u{202E}" + String(repeating: "x", count: 9999)
        let error = #expect(throws: RegistrationError.self) { try scene.run() }
        #expect(error?.step == .origin)
        #expect(error?.detail.contains("evil.example\\u{a}pass") == true)
        #expect(error?.detail.utf8.allSatisfy { $0 >= 0x20 } == true)
        #expect((error?.detail.count ?? 0) < 250)
        #expect(try scene.report().description.split(separator: "\n").allSatisfy { !$0.hasPrefix("pass 21 signature") })
    }

    /// Each of these took seconds or minutes where text was compared or hashed by canonical equivalence.
    @Test(.timeLimit(.minutes(1)))
    func longRunsOfCombiningMarksCostNoTime() throws {
        let marks = String(repeating: "\u{323}\u{301}", count: 100_000)
        var typed = try RegistrationScene()
        typed.type = "webauthn.create" + marks
        #expect(throws: RegistrationError.self) { try typed.run() }
        var formatted = try RegistrationScene()
        formatted.statement = .given(.init(rawValue: "none" + marks), .map([]))
        #expect(try formatted.run().attestationType == .unverified)
        var extended = try RegistrationScene()
        extended.results.unknown["x" + marks] = 1
        extended.extensions = try AuthenticatorExtensionOutputs(CBOR.map([.init(.text("y" + marks), 1)]))
        #expect(try extended.run().unsolicitedExtensions.count == 2)
        var placed = try RegistrationScene()
        placed.origin = marks + "://a"
        #expect(throws: RegistrationError.self) { try placed.run() }
        let json = #"{"id":"AQ","rawId":"AQ","type":"public-key\#(marks)","response":{}}"#
        #expect(throws: RegistrationError.self) { try RegistrationResponse(json: json) }
        let named =
            #"{"id":"AQ","rawId":"AQ","type":"public-key","clientExtensionResults":{"\#(marks)":1},"response":{}}"#
        #expect(throws: RegistrationError.self) { try RegistrationResponse(json: named) }
    }

    @Test(.timeLimit(.minutes(1)))
    func manyUnsolicitedOutputsCostLinearTime() throws {
        var scene = try RegistrationScene()
        let entries = (0..<20_000).map { CBOR.Entry(.text("x\($0)"), .simple(20)) }
        scene.extensions = try AuthenticatorExtensionOutputs(CBOR.map(entries))
        #expect(try scene.run().unsolicitedExtensions.count == 20_000)
    }

    @Test func unsolicitedOutputsAreReported() throws {
        var scene = try RegistrationScene()
        scene.results.credProps = .init(rk: true)
        scene.extensions = try AuthenticatorExtensionOutputs(["minPinLength": 4] as CBOR)
        #expect(try scene.run().unsolicitedExtensions == ["credProps", "minPinLength"])
    }

    @Test(arguments: SignatureAlgorithms.supported)
    func everyAlgorithmAttestsItself(_ algorithm: COSEAlgorithmIdentifier) throws {
        var scene = try RegistrationScene(algorithm)
        scene.statement = .packedSelf
        scene.attestation = .verified
        #expect(try scene.run().attestationType == .`self`)
    }
}
