import PasskeyModel
import PasskeyTesting
import PasskeyVectors
import PasskeyWire
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a profile is to emit, as literals: flags and counter of a registration and of the sign-in after it.
struct ProfileFacts: Sendable {
    var file: String
    var aaguid: String
    var format: AttestationStatementFormat
    var flags: [UInt8]
    var signCounts: [UInt32]
    var transports: [AuthenticatorTransport]
    var clientData: String
    var idLength: Int?

    static let all: [String: ProfileFacts] = [
        "iCloud Keychain (zero AAGUID)": ProfileFacts(
            file: "icloud-keychain-zero",
            aaguid: "00000000-0000-0000-0000-000000000000",
            format: .none,
            flags: [0x5D, 0x1D],
            signCounts: [0, 0],
            transports: [.hybrid, .internal],
            clientData: #""origin":"https://example.com"}"#,
            idLength: 20
        ),
        "iCloud Keychain": ProfileFacts(
            file: "icloud-keychain",
            aaguid: "fbfc3007-154e-4ecc-8c0b-6e020557d7bd",
            format: .none,
            flags: [0x5D, 0x1D],
            signCounts: [0, 0],
            transports: [.hybrid, .internal],
            clientData: #""origin":"https://example.com"}"#,
            idLength: 20
        ),
        "iCloud Keychain (managed)": ProfileFacts(
            file: "icloud-keychain-managed",
            aaguid: "dd4ec289-e01d-41c9-bb89-70fa845d4bf2",
            format: .apple,
            flags: [0x5D, 0x1D],
            signCounts: [0, 0],
            transports: [.hybrid, .internal],
            clientData: #""origin":"https://example.com"}"#,
            idLength: 20
        ),
        "Google Password Manager": ProfileFacts(
            file: "google-password-manager",
            aaguid: "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4",
            format: .none,
            flags: [0x5D, 0x1D],
            signCounts: [0, 0],
            transports: [.hybrid, .internal],
            clientData: #""origin":"https://example.com","crossOrigin":false}"#,
            idLength: 16
        ),
        "Windows Hello": ProfileFacts(
            file: "windows-hello",
            aaguid: "08987058-cadc-4b81-b6e1-30de50dcbe96",
            format: .tpm,
            flags: [0x45, 0x05],
            signCounts: [0, 1],
            transports: [.internal],
            clientData: #""origin":"https://example.com","crossOrigin":false}"#,
            idLength: 32
        ),
        "YubiKey 5": ProfileFacts(
            file: "yubikey-5",
            aaguid: "2fc0579f-8113-47ea-b116-bb5a8db9202a",
            format: .packed,
            flags: [0x45, 0x05],
            signCounts: [1, 2],
            transports: [.nfc, .usb],
            clientData: #""origin":"https://example.com","crossOrigin":false}"#,
            idLength: 48
        ),
        "U2F key": ProfileFacts(
            file: "u2f-key",
            aaguid: "00000000-0000-0000-0000-000000000000",
            format: .fidoU2F,
            flags: [0x41, 0x01],
            signCounts: [0, 1],
            transports: [.usb],
            clientData: #""origin":"https://example.com","crossOrigin":false}"#
        ),
        "Chromium virtual authenticator": ProfileFacts(
            file: "chromium-virtual-authenticator",
            aaguid: "01020304-0506-0708-0102-030405060708",
            format: .packed,
            flags: [0x45, 0x05],
            signCounts: [1, 2],
            transports: [.internal],
            clientData: #""origin":"https://example.com","crossOrigin":false}"#,
            idLength: 32
        ),
        "Firefox virtual authenticator": ProfileFacts(
            file: "firefox-virtual-authenticator",
            aaguid: "68e100a5-0b47-9104-b854-97a9ba510638",
            format: .none,
            flags: [0x45, 0x05],
            signCounts: [0, 1],
            transports: [.internal],
            clientData: #""origin":"https://example.com","crossOrigin":false}"#,
            idLength: 32
        ),
        "1Password": ProfileFacts(
            file: "1password",
            aaguid: "bada5566-a7aa-401f-bd96-45619a55120d",
            format: .none,
            flags: [0x5D, 0x1D],
            signCounts: [0, 0],
            transports: [.hybrid, .internal],
            clientData: #""origin":"https://example.com","crossOrigin":false}"#,
            idLength: 16
        ),
    ]
}

@Suite("Profiles of products")
struct ProfileTests {
    static let names = AuthenticatorProfile.all.map(\.name)

    private func profile(_ name: String) throws -> (AuthenticatorProfile, ProfileFacts) {
        (
            try #require(AuthenticatorProfile.all.first { $0.name.hasSameBytes(as: name) }),
            try #require(ProfileFacts.all[name])
        )
    }

    @Test("Each has a name of its own, and facts")
    func distinct() {
        #expect(Set(Self.names).count == Self.names.count)
        #expect(Set(Self.names) == Set(ProfileFacts.all.keys))
        #expect(Set(ProfileFacts.all.values.map(\.file)).count == Self.names.count)
    }

    @Test("What each emits", arguments: ProfileTests.names)
    func emission(_ name: String) throws {
        let (profile, facts) = try profile(name)
        let golden = try GoldenProfile(profile, facts.file)
        let (attested, signedIn) = (golden.registrations[1], golden.signIns[0])
        let object = try AttestationObject(attested.attestationObject)
        #expect(object.format == facts.format)
        #expect(try object.attested().aaguid.description == facts.aaguid)
        let data = try AuthenticatorData(signedIn.authenticatorData)
        #expect([object.authenticatorData.flags.rawValue, data.flags.rawValue] == facts.flags)
        // The second registration of the profile, and then the first sign-in with it.
        #expect([object.authenticatorData.signCount, data.signCount] == facts.signCounts)
        #expect(attested.transports == facts.transports)
        for clientData in [attested.clientDataJSON, signedIn.clientDataJSON] {
            #expect(String(decoding: clientData, as: UTF8.self).hasSuffix(facts.clientData))
        }
        if let length = facts.idLength { #expect(attested.id.count == length) }
        // Where no attestation is asked for, none is sent, and the model stays (Level 3).
        let plain = try AttestationObject(golden.registrations[0].attestationObject)
        #expect(plain.format == .none)
        #expect(try plain.attested().aaguid.description == facts.aaguid)
    }

    /// With `PASSKEY_WRITE_GOLDEN` set the files are written; look at what changed before it is committed.
    @Test("The golden files are what the profiles emit, byte for byte", arguments: ProfileTests.names)
    func golden(_ name: String) throws {
        let (profile, facts) = try profile(name)
        let path = Vectors.profiles + "/" + facts.file + ".json"
        let text = try GoldenProfile(profile, facts.file).text()
        if ProcessInfo.processInfo.environment["PASSKEY_WRITE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
        let stored = try String(decoding: Vectors.bytes(path), as: UTF8.self)
        #expect(stored.hasSameBytes(as: text), "\(path) is something else")
    }

    @Test("A managed device attests where a relying party asks for `enterprise` and may, and nowhere else")
    func managed() throws {
        func format(_ attestation: AttestationConveyancePreference, permitted: [String]?) throws -> String {
            let authenticator = VirtualAuthenticator.profile(.iCloudKeychainManaged)
            var client = VirtualClient(origin: World.origin, authenticators: [authenticator])
            client.enterpriseRelyingParties = permitted
            let response = try client.create(World.creationOptions { $0.attestation = attestation })
            return try AttestationObject(response.attestationObject).format.rawValue
        }
        #expect(try format(.enterprise, permitted: [World.rpID]) == "apple")
        #expect(try format(.enterprise, permitted: []) == "none")
        #expect(try format(.direct, permitted: [World.rpID]) == "none")
    }

    @Test("iCloud Keychain sends `none` whatever is asked for, ES256 alone, and verifies whatever is preferred")
    func iCloud() throws {
        let client = VirtualClient(origin: World.origin, authenticators: [.profile(.iCloudKeychain)])
        for attestation in AttestationConveyancePreference.allCases {
            let response = try client.create(
                World.creationOptions {
                    $0.attestation = attestation
                    $0.attestationFormats = [.packed, .apple]
                    $0.authenticatorSelection?.userVerification = .discouraged
                }
            )
            let object = try AttestationObject(response.attestationObject)
            #expect(object.format == .none)
            #expect(object.authenticatorData.flags.contains(.userVerified))
        }
        let error = try #require(throws: ClientError.self) {
            try client.create(World.creationOptions { $0.pubKeyCredParams = [.init(alg: .edDSA)] })
        }
        #expect(error.reason == .noSupportedAlgorithm)
    }

    @Test("The controller finds each profile by what it is attached to")
    func controller() async throws {
        let controller = VirtualAuthorizationController()
        controller.authenticators = [.profile(.iCloudKeychain), .profile(.yubiKey5)]
        let platform = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: World.rpID)
        let roaming = AuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: World.rpID)
        for (provider, model) in [
            (platform as any AuthorizationPublicKeyCredentialProvider, "fbfc3007-154e-4ecc-8c0b-6e020557d7bd"),
            (roaming, "2fc0579f-8113-47ea-b116-bb5a8db9202a"),
        ] {
            let passkey = try await controller.perform(
                provider.createCredentialRegistrationRequest(challenge: [1, 2, 3], name: "ada", userID: [1])
            )
            let object = try AttestationObject([UInt8](passkey.rawAttestationObject))
            #expect(try object.attested().aaguid.description == model)
        }
    }
}

/// What a profile emits with a seed: two registrations and two sign-ins, as a case file.
struct GoldenProfile {
    let profile: AuthenticatorProfile
    private(set) var registrations: [RegistrationResponse] = []
    private(set) var signIns: [AuthenticationResponse] = []
    private let creations: [PublicKeyCredentialCreationOptions]
    private let request: PublicKeyCredentialRequestOptions
    private static let now = "2026-02-02T00:00:00Z"

    init(_ profile: AuthenticatorProfile, _ seed: String) throws {
        self.profile = profile
        let options = profile.options
        let authenticator = VirtualAuthenticator.profile(
            profile,
            random: SeededRandom.source(seed: seed),
            clock: { Timestamp(millisecondsSince1970: 1_769_990_400_000) }
        )
        let client = VirtualClient(origin: World.origin, authenticators: [authenticator])
        let uv: UserVerificationRequirement = options.hasUserVerification ? .required : .discouraged
        let rk: ResidentKeyRequirement = options.hasResidentKey ? .required : .discouraged
        creations = try [
            AttestationConveyancePreference.none, options.attestsForEnterpriseAlone ? .enterprise : .direct,
        ].enumerated().map { index, attestation in
            try World.creationOptions(user: UInt8(index + 1)) {
                $0.attestation = attestation
                $0.pubKeyCredParams = [.init(alg: .es256)]
                $0.authenticatorSelection = AuthenticatorSelectionCriteria(residentKey: rk, userVerification: uv)
            }
        }
        for options in creations { registrations.append(try client.create(options)) }
        let id = registrations[1].id
        request = try World.requestOptions {
            $0.allowCredentials = [.init(id: id)]
            $0.userVerification = uv
        }
        for _ in 0..<2 { signIns.append(try client.get(request)) }
    }

    /// The file.
    func text() throws -> String {
        let cases = try [
            registration(0, "register-none"), registration(1, "register-attested"), signIn(0, "sign-in"),
            signIn(1, "sign-in-again"),
        ]
        return Self.pretty(
            .object(
                JSONObject([
                    ("format", .string("passkey-cases/1")), ("title", .string("What a profile emits: \(profile.name)")),
                    ("source", .string("own bytes")), ("cases", .array(cases)),
                ])
            )
        ) + "\n"
    }

    private func expected(_ challenge: Challenge, _ members: [(String, JSONValue)]) -> JSONValue {
        let uv = profile.options.hasUserVerification ? "required" : "discouraged"
        return .object(
            JSONObject(
                [
                    ("rpId", .string(World.rpID)), ("origins", .array([.string(World.origin)])),
                    ("challenge", challenge.json), ("userVerification", .string(uv)), ("now", .string(Self.now)),
                ] + members
            )
        )
    }

    private func registration(_ index: Int, _ id: String) throws -> JSONValue {
        let object = try AttestationObject(registrations[index].attestationObject)
        var members: [(String, JSONValue)] = [
            ("algorithms", .array([.number(JSONNumber(-7))])), ("attestation", .string("verify")),
        ]
        if object.format != .none, let authority = profile.options.attestationProfile?.authority {
            let root = try Data(authority.rootCertificate()).base64EncodedString()
            members = [members[0], ("attestation", .string("trusted")), ("trustAnchors", .array([.string(root)]))]
        }
        let data = object.authenticatorData
        return Self.accepted(
            id,
            "registration.verify",
            [
                ("response", registrations[index].json),
                ("expected", expected(creations[index].challenge, members)),
            ],
            [
                ("aaguid", .string(try object.attested().aaguid.description)),
                ("attestationFormat", .string(object.format.rawValue)),
                ("signCount", .number(JSONNumber(Int(data.signCount)))),
                ("userVerified", .bool(data.flags.contains(.userVerified))),
                ("backupEligible", .bool(data.flags.contains(.backupEligible))),
                ("backupState", .bool(data.flags.contains(.backupState))),
            ]
        )
    }

    private func signIn(_ index: Int, _ id: String) throws -> JSONValue {
        let registration = try AttestationObject(registrations[1].attestationObject)
        let before =
            index == 0
            ? registration.authenticatorData.signCount
            : try AuthenticatorData(signIns[index - 1].authenticatorData).signCount
        let record: [(String, JSONValue)] = [
            ("id", .string(Base64URL.encode(registrations[1].id))),
            ("publicKey", .string(Base64URL.encode(try registration.attested().credentialPublicKey))),
            ("signCount", .number(JSONNumber(Int(before)))),
            ("backupEligible", .bool(registration.authenticatorData.flags.contains(.backupEligible))),
            ("backupState", .bool(registration.authenticatorData.flags.contains(.backupState))),
            ("uvInitialized", .bool(registration.authenticatorData.flags.contains(.userVerified))),
            ("userHandle", creations[1].user.id.json),
        ]
        let data = try AuthenticatorData(signIns[index].authenticatorData)
        return Self.accepted(
            id,
            "authentication.verify",
            [
                ("response", signIns[index].json), ("expected", expected(request.challenge, [])),
                ("record", .object(JSONObject(record))),
            ],
            [
                ("signCount", .number(JSONNumber(Int(data.signCount)))),
                ("userVerified", .bool(data.flags.contains(.userVerified))),
            ]
        )
    }

    private static func accepted(
        _ id: String,
        _ operation: String,
        _ input: [(String, JSONValue)],
        _ value: [(String, JSONValue)]
    ) -> JSONValue {
        .object(
            JSONObject([
                ("id", .string(id)), ("operation", .string(operation)), ("input", .object(JSONObject(input))),
                ("expect", .string("accept")), ("value", .object(JSONObject(value))),
            ])
        )
    }

    /// JSON with a line for each member, for people who compare versions.
    private static func pretty(_ value: JSONValue, _ indentation: String = "") -> String {
        let inner = indentation + "  "
        switch value {
        case .object(let object) where !object.members.isEmpty:
            let lines = object.members.map { member in
                inner + text(.string(member.name)) + ": " + pretty(member.value, inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + indentation + "}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + pretty($0, inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + indentation + "]"
        default: return text(value)
        }
    }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.serialized(), as: UTF8.self) }
}

extension JSONObject {
    fileprivate init(_ members: [(String, JSONValue)]) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}
