import PasskeyCrypto
import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire
import Testing

/// One way to make a sign-in fail at one step.
struct AuthenticationFault: Sendable, CustomTestStringConvertible {
    let step: AuthenticationError.Step
    let name: String
    let change: @Sendable (inout AuthenticationScene) throws -> Void

    init(
        _ step: AuthenticationError.Step,
        _ name: String,
        _ change: @escaping @Sendable (inout AuthenticationScene) throws -> Void
    ) {
        self.step = step
        self.name = name
        self.change = change
    }

    var testDescription: String { "\(step.rawValue) \(step): \(name)" }

    static let all: [AuthenticationFault] = [
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
        .init(.response, "empty ID") {
            $0.responseID = []
            $0.allowed = []
            $0.record = nil
        },
        .init(.allowedCredential, "another") {
            let other = try AuthenticationScene()
            var record = other.record
            record?.id = [7]
            $0.allowed = record.map { [$0] }
        },
        .init(.credential, "unknown") { $0.record = nil },
        .init(.credential, "the record of another") { $0.record?.id = [7] },
        .init(.credential, "another user's") { $0.record?.userHandle = try UserHandle(bytes: [9]) },
        .init(.credential, "another user's handle") { $0.userHandle = try UserHandle(bytes: [9]) },
        .init(.credential, "discoverable without a handle") {
            $0.isDiscoverable = true
            $0.userHandle = nil
        },
        .init(.credential, "discoverable with another handle") {
            $0.isDiscoverable = true
            $0.userHandle = try UserHandle(bytes: [9])
        },
        .init(.credential, "a stored key that is none") { $0.record?.publicKey = [4] },
        .init(.authenticatorData, "too long") { $0.tail = [0] },
        .init(.jsonText, "not UTF-8") { $0.clientData = [0x7B, 0xFF, 0x7D] },
        .init(.clientData, "not JSON") { $0.clientData = [UInt8]("{".utf8) },
        .init(.type, "of a registration") { $0.type = "webauthn.create" },
        .init(.type, "longer") { $0.type = "webauthn.getX" },
        .init(.challenge, "another") { $0.challenge[0] ^= 1 },
        .init(.challenge, "longer") { $0.challenge.append(0) },
        .init(.origin, "of another site") { $0.origin = "https://example.net" },
        .init(.crossOrigin, "true") { $0.crossOrigin = true },
        .init(.topOrigin, "without crossOrigin") { $0.topOrigin = "https://example.net" },
        .init(.rpIDHash, "of another") { $0.rpID = "example.net" },
        .init(.rpIDHash, "an AppID nobody asked for") {
            $0.rpID = "https://example.com/app-id.json"
            $0.results.appid = true
        },
        .init(.rpIDHash, "an AppID that the output denies") {
            $0.options.extensions.appid = "https://example.com/app-id.json"
            $0.rpID = "https://example.com/app-id.json"
            $0.results.appid = false
        },
        .init(.userPresent, "UP 0") { $0.flags.remove(.userPresent) },
        .init(.userVerified, "UV 0") { $0.flags.remove(.userVerified) },
        .init(.backupState, "BS without BE") { $0.flags.insert(.backupState) },
        .init(.backupConsistency, "BE becomes 1") { $0.flags.insert(.backupEligible) },
        .init(.backupConsistency, "BE becomes 0") { $0.record?.backupEligible = true },
        .init(.backupConsistency, "BE becomes 0, upgrades reported") {
            $0.record?.backupEligible = true
            $0.options.backup.eligibilityUpgrade = .reported
        },
        .init(.backupConsistency, "BE by policy") { $0.options.backup.eligibility = .required },
        .init(.backupConsistency, "BS by policy") { $0.options.backup.state = .required },
        .init(.signature, "one bit") { scene in
            let key = scene.key
            scene.signature = { message in
                var signature = try key.sign(message)
                signature[signature.count - 1] ^= 1
                return signature
            }
        },
        .init(.signature, "another key") { scene in
            scene.signature = { try PrivateKey.generate(.es256).sign($0) }
        },
        .init(.signature, "empty") { $0.signature = { _ in [] } },
        .init(.signature, "raw r and s") { scene in
            let key = scene.key
            scene.signature = { message in
                let pair = try ECDSASignature(der: key.sign(message))
                return [pair.r, pair.s].flatMap { [UInt8](repeating: 0, count: 32 - $0.count) + $0 }
            }
        },
        .init(.signature, "over another client data") { scene in
            let key = scene.key
            scene.signature = { try key.sign($0 + [0]) }
        },
        .init(.signCount, "the same") {
            $0.record?.signCount = 5
            $0.signCount = 5
        },
        .init(.signCount, "less") {
            $0.record?.signCount = 5
            $0.signCount = 4
        },
        .init(.signCount, "0 again") { $0.record?.signCount = 5 },
        .init(.extensions, "not asked for") {
            $0.options.unsolicitedExtensions = .refuse
            $0.results.unknown["new"] = 1
        },
    ]
}

/// Ways that a sign-in may differ and still be accepted, most of them twins of a fault.
struct AuthenticationVariant: Sendable, CustomTestStringConvertible {
    let name: String
    let change: @Sendable (inout AuthenticationScene) throws -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout AuthenticationScene) throws -> Void) {
        self.name = name
        self.change = change
    }

    var testDescription: String { name }

    static let all: [AuthenticationVariant] = [
        .init("plain") { _ in },
        .init("at the last millisecond") { $0.finishTime = Stage.now.advanced(byMilliseconds: 360_000) },
        .init("no allowed list") { $0.allowed = [] },
        .init("no user handle, user known") { $0.userHandle = nil },
        .init("discoverable") { $0.isDiscoverable = true },
        .init("one byte order mark") { $0.clientData = try [0xEF, 0xBB, 0xBF] + $0.response().clientDataJSON },
        .init("framed") {
            $0.framing = .allowed(topOrigins: [try Origin("https://top.example")])
            $0.crossOrigin = true
            $0.topOrigin = "https://top.example"
        },
        .init("AppID, asked for and used") {
            $0.options.extensions.appid = "https://example.com/app-id.json"
            $0.rpID = "https://example.com/app-id.json"
            $0.results.appid = true
        },
        .init("AppID, asked for and not needed") { $0.options.extensions.appid = "https://example.com/app-id.json" },
        .init("UV 0 where preferred") {
            $0.options.userVerification = .preferred
            $0.flags.remove(.userVerified)
        },
        .init("BE unknown, is 1") {
            $0.record?.backupEligible = nil
            $0.flags.insert(.backupEligible)
        },
        .init("BE unknown, is 0") { $0.record?.backupEligible = nil },
        .init("BE becomes 1, reported") {
            $0.flags.insert(.backupEligible)
            $0.options.backup.eligibilityUpgrade = .reported
        },
        .init("BS becomes 1") {
            $0.record?.backupEligible = true
            $0.flags.formUnion([.backupEligible, .backupState])
        },
        .init("BS becomes 0") {
            $0.record?.backupEligible = true
            $0.record?.backupState = true
            $0.flags.insert(.backupEligible)
        },
        .init("high s") { scene in
            let key = scene.key
            scene.signature = { message in try highS(key.sign(message)) }
        },
        .init("counter grows") {
            $0.record?.signCount = 5
            $0.signCount = 6
        },
        .init("counter at its end") {
            $0.record?.signCount = .max - 1
            $0.signCount = .max
        },
        .init("counter falls, reported") {
            $0.record?.signCount = 5
            $0.options.signCount = .report
        },
        .init("reserved flags") { $0.flags.formUnion(.init(rawValue: 0x22)) },
        .init("extension outputs") {
            $0.extensions = try AuthenticatorExtensionOutputs(["new": 1] as CBOR)
            $0.results.unknown["new"] = 1
        },
    ]

    /// The same signature with n − s for s, which is as valid.
    static func highS(_ der: [UInt8]) throws -> [UInt8] {
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        let signature = try ECDSASignature(der: der)
        let s = [UInt8](repeating: 0, count: 32 - signature.s.count) + signature.s
        var borrow = 0
        var difference: [UInt8] = []
        for (a, b) in zip(order.reversed(), s.reversed()) {
            let value = Int(a) - Int(b) - borrow
            borrow = value < 0 ? 1 : 0
            difference.insert(UInt8(truncatingIfNeeded: value), at: 0)
        }
        let minimal = Array(difference.drop { $0 == 0 })
        guard s.lexicographicallyPrecedes(difference) else { return der }
        return ECDSASignature(r: signature.r, s: minimal).der
    }
}

@Suite("§7.2, step by step")
struct AuthenticationStepTests {
    @Test(arguments: AuthenticationFault.all)
    func refuses(_ fault: AuthenticationFault) throws {
        var scene = try AuthenticationScene()
        try fault.change(&scene)
        let error = #expect(throws: AuthenticationError.self) { try scene.run() }
        #expect(error?.step == fault.step, "\(error.map { $0.description } ?? "")")
    }

    @Test(arguments: AuthenticationFault.all)
    func reports(_ fault: AuthenticationFault) throws {
        var scene = try AuthenticationScene()
        try fault.change(&scene)
        let report = try scene.report()
        let failed = Set(
            report.checks.compactMap { check -> Int? in
                if case .failed = check.verdict { check.step } else { nil }
            }
        )
        // Without a record nothing is known of the user either: an empty ID fails at both.
        let expected: Set<Int> = fault.step == .response ? [3, 6] : [fault.step.rawValue]
        #expect(failed == expected)
    }

    @Test(arguments: AuthenticationVariant.all)
    func accepts(_ variant: AuthenticationVariant) throws {
        var scene = try AuthenticationScene()
        try variant.change(&scene)
        let authentication = try scene.run()
        #expect(authentication.credential.id == scene.responseID)
        #expect(authentication.credential.lastUsedAt == scene.finishTime)
        #expect(authentication.credential.backupEligible == scene.flags.contains(.backupEligible))
        #expect(authentication.credential.backupState == scene.flags.contains(.backupState))
        let report = try scene.report()
        #expect(report.isVerified, "\(report)")
        #expect(Set(report.checks.map(\.step)) == Set(Specification.authenticationSteps))
    }

    @Test func everyStepThatCanRefuseIsRefusedAt() {
        #expect(Set(AuthenticationFault.all.map(\.step)) == Set(AuthenticationError.Step.allCases))
    }

    @Test func stepsAndSilentStepsAreAllSteps() {
        let numbers = AuthenticationError.Step.allCases.map(\.rawValue) + AuthenticationError.silentSteps.keys
        #expect(numbers.sorted() == Array(Specification.authenticationSteps))
    }

    @Test(arguments: SignatureAlgorithms.supported)
    func everyAlgorithmSignsIn(_ algorithm: COSEAlgorithmIdentifier) throws {
        let scene = try AuthenticationScene(algorithm)
        #expect(try scene.run().userVerified)
    }

    @Test func counterThatFellIsReportedAndNotLowered() throws {
        var scene = try AuthenticationScene()
        scene.record?.signCount = 5
        scene.signCount = 3
        scene.options.signCount = .report
        let authentication = try scene.run()
        #expect(authentication.cloneWarning)
        #expect(authentication.credential.signCount == 5)
        scene.signCount = 6
        #expect(try !scene.run().cloneWarning)
        #expect(try scene.run().credential.signCount == 6)
    }

    @Test func upgradeOfBackupEligibilityIsReported() throws {
        var scene = try AuthenticationScene()
        scene.options.backup.eligibilityUpgrade = .reported
        #expect(try !scene.run().backupEligibilityUpgraded)
        scene.flags.insert(.backupEligible)
        #expect(try scene.run().backupEligibilityUpgraded)
        scene.record?.backupEligible = nil
        #expect(try !scene.run().backupEligibilityUpgraded)
    }

    /// Step 24: UV seen for the first time is told, and written only on demand.
    @Test func userVerificationIsInitializedOnDemand() throws {
        var scene = try AuthenticationScene()
        scene.record?.uvInitialized = false
        let authentication = try scene.run()
        #expect(authentication.canInitializeUserVerification)
        #expect(!authentication.credential.uvInitialized)
        #expect(authentication.credentialInitializingUserVerification().uvInitialized)
        scene.options.userVerification = .discouraged
        scene.flags.remove(.userVerified)
        let without = try scene.run()
        #expect(!without.canInitializeUserVerification)
        #expect(!without.credentialInitializingUserVerification().uvInitialized)
        scene.record?.uvInitialized = true
        #expect(try scene.run().credential.uvInitialized)
    }

    /// A response with a fault of its own has one code, whether or not the credential is known.
    @Test func faultsTellNothingOfAccounts() throws {
        let codes: [AuthenticationError.Step: PublicErrorCode] = [
            .clientData: .malformedResponse, .type: .wrongContext, .rpIDHash: .wrongContext,
            .userPresent: .userVerificationRequired, .backupState: .malformedResponse,
            .signature: .authenticationFailed, .signCount: .authenticationFailed,
        ]
        for fault in AuthenticationFault.all {
            guard let code = codes[fault.step] else { continue }
            for isKnown in [true, false] {
                var scene = try AuthenticationScene()
                try fault.change(&scene)
                if !isKnown { scene.record = nil }
                let error = #expect(throws: AuthenticationError.self) { try scene.run() }
                #expect(error?.code == code, "\(fault.testDescription), known: \(isKnown)")
                #expect(error?.isUnknownCredential == !isKnown)
                #expect(isKnown || error?.step == .credential)
            }
        }
    }

    /// Without a record nothing can be said of what needs one.
    @Test func reportSkipsWhatNeedsTheRecord() throws {
        var scene = try AuthenticationScene()
        scene.record = nil
        scene.flags.insert(.backupEligible)
        let report = try scene.report().description
        for line in ["skip 19 backupConsistency", "skip 21 signature", "skip 22 signCount", "FAIL  6 credential"] {
            #expect(report.contains(line), "\(report)")
        }
    }

    /// An unknown credential, a foreign one and a bad signature look the same from outside (`#sctn-username-enumeration`).
    @Test func publicCodeTellsNothingOfAccounts() throws {
        let faults = AuthenticationFault.all.filter { [.allowedCredential, .credential, .signature].contains($0.step) }
        for fault in faults {
            var scene = try AuthenticationScene()
            try fault.change(&scene)
            let error = #expect(throws: AuthenticationError.self) { try scene.run() }
            #expect(error?.code == .authenticationFailed)
            let told = error?.codeDistinguishingUnknown
            #expect(told == (fault.name == "unknown" ? .unknownCredential : .authenticationFailed))
        }
    }
}
