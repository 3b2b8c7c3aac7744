import PasskeyCrypto
import PasskeyModel
import PasskeyVectors
import PasskeyWire
import Testing

@testable import PasskeyTesting

/// One registration and one sign-in of Web Authentication Level 3, `#sctn-test-vectors`.
///
/// Every random value follows from the vector's name. What does not is a constant here, read out of the printed bytes.
struct W3CVector: Sendable, CustomTestStringConvertible {
    /// The values of a ceremony by their names.
    struct Values: Sendable {
        fileprivate var derived: [String: [UInt8]] = [:]

        subscript(name: String) -> [UInt8]? { derived[name] }

        /// A value of one byte; zero where the vector has none.
        func flags(_ name: String) -> UInt8 { derived[name]?.first ?? 0 }
    }

    var name: String
    var format: AttestationStatementFormat
    var algorithm: COSEAlgorithmIdentifier
    var registration: Values
    var authentication: Values
    var root: Values

    var testDescription: String { name }

    /// The file's vectors; none if the folder is not there.
    static var all: [W3CVector] {
        get throws {
            guard let folder = Vectors.shared else { return [] }
            let file = try JSONValue(json: Vectors.bytes(folder + "/webauthn-l3-derivation.json"))
            let root = try values(file["attestationRoot"]?["derivation"], nil)
            return try #require(file["vectors"]?.array).map { vector in
                W3CVector(
                    name: try #require(vector["name"]?.string),
                    format: AttestationStatementFormat(rawValue: try #require(vector["format"]?.string)),
                    algorithm: COSEAlgorithmIdentifier(rawValue: try #require(vector["alg"]?.int)),
                    registration: try values(
                        vector["derivation"]?["registration"],
                        vector["printed"]?["registration"]
                    ),
                    authentication: try values(
                        vector["derivation"]?["authentication"],
                        vector["printed"]?["authentication"]
                    ),
                    root: root
                )
            }
        }
    }

    private static func values(_ derivations: JSONValue?, _ printed: JSONValue?) throws -> Values {
        var values = Values()
        for member in try #require(derivations?.object).members {
            values.derived[member.name] = try HKDF.derive(
                .sha256,
                secret: Array(#require(member.value["ikm"]?.string).utf8),
                salt: hex(#require(member.value["salt"]?.string)),
                info: Array(#require(member.value["info"]?.string).utf8),
                count: #require(member.value["length"]?.int)
            )
        }
        for member in printed?.object?.members ?? [] {
            values.derived[member.name] = try hex(#require(member.value.string))
        }
        return values
    }

    private static func hex(_ text: String) throws -> [UInt8] { try #require(Hex.decode(text)) }
}

/// What the W3C prints of a vector: `webauthn-l3.json`.
private struct W3CPrinted {
    private let cases: [JSONValue]

    init() throws {
        let folder = try #require(Vectors.shared, "the folder ../shared/vectors is not there")
        let file = try JSONValue(json: Vectors.bytes(folder + "/webauthn-l3.json"))
        cases = try #require(file["cases"]?.array)
    }

    /// The input of a case.
    func input(_ vector: W3CVector, _ ceremony: String) throws -> JSONValue {
        let id = "w3c-\(vector.name)-\(ceremony)"
        return try #require(cases.first { $0["id"]?.string == id }?["input"], "\(id)")
    }

    static func bytes(_ value: JSONValue?) throws -> [UInt8] {
        try Base64URL.decode(#require(value?.string))
    }
}

extension W3CVector {
    private static let countryName = AttestationOverrides.Attribute("2.5.4.6", "AA")

    /// The certificates' subjects differ in their units alone.
    private static func name(_ unit: String) -> [AttestationOverrides.Attribute] {
        [
            .init("2.5.4.3", "WebAuthn test vectors"), .init("2.5.4.10", "W3C"), .init("2.5.4.11", unit), countryName,
        ]
    }

    private static func certificate(
        _ serialNumber: [UInt8],
        _ unit: String,
        _ extensions: [String]
    ) -> AttestationOverrides.Certificate {
        AttestationOverrides.Certificate(
            serialNumber: serialNumber,
            subject: name(unit),
            // 2024-01-01 and 3024-01-01.
            notBefore: 1_704_067_200_000,
            notAfter: 33_260_976_000_000,
            extensions: extensions
        )
    }

    /// Whose certificates the statements have.
    fileprivate func authority() throws -> AttestationAuthority {
        var overrides = AttestationOverrides()
        let rootKey = try #require(root["attestation_ca_key"])
        overrides.keys["root"] = try PrivateKey(ec: .es256, scalar: rootKey).pkcs8()
        overrides.root = Self.certificate(
            try #require(root["attestation_ca_serial_number"]),
            "Authenticator Attestation CA",
            ["2.5.29.19", "2.5.29.15", "2.5.29.14"]
        )
        if let scalar = registration["attestation_private_key"] {
            overrides.keys["attestation"] = try PrivateKey(ec: .es256, scalar: scalar).pkcs8()
        }
        if let serialNumber = registration["attestation_cert_serial_number"] {
            let own: [AttestationStatementFormat: [String]] = [
                .tpm: ["2.5.29.37", "2.5.29.17"], .androidKey: ["1.3.6.1.4.1.11129.2.1.17"],
                .apple: ["1.2.840.113635.100.8.2"],
            ]
            let usual = ["2.5.29.19", "2.5.29.15", "2.5.29.14", "2.5.29.35"]
            overrides.leaf = Self.certificate(serialNumber, "Authenticator Attestation", usual + (own[format] ?? []))
        }
        var tpm = AttestationOverrides.TPM()
        tpm.model = "WebAuthn test vectors"
        tpm.version = "id:00000000"
        tpm.objectAttributes = [0x00, 0x04, 0x00, 0x00]
        tpm.qualifiedSigner = []
        tpm.qualifiedName = []
        tpm.clockInfo = [0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11, 0x11, 0x11, 0x22, 0x22, 0x22, 0x22, 0x33]
        tpm.firmwareVersion = [UInt8](repeating: 0, count: 8)
        overrides.tpm = tpm
        // purpose and origin, and nothing else.
        overrides.keyDescription = .init(keystoreVersion: 0, securityLevel: 0, tags: [1, 702])

        var authority = AttestationAuthority(name: "W3C")
        authority.overrides = overrides
        return authority
    }

    /// The authenticator, before its first credential.
    fileprivate func authenticator() throws -> VirtualAuthenticator {
        var options = VirtualAuthenticatorOptions()
        options.aaguid = try AAGUID(bytes: #require(registration["aaguid"]))
        let id = try #require(registration["credential_id"])
        options.credentialIDLength = id.count
        // BS is set only if BE is; the options see to that.
        options.defaultBackupEligibility = registration.flags("auth_data_UV_BE_BS") & 0x08 != 0
        options.defaultBackupState = registration.flags("auth_data_UV_BE_BS") & 0x10 != 0
        if format != .none {
            var profile = AttestationProfile(
                format,
                algorithm: .es256,
                isSelf: registration["attestation_private_key"] == nil,
                authority: try authority()
            )
            profile.tpm.manufacturer = "id:00000000"
            profile.tpm.subjectAltName = .multiValued
            options.attestationProfile = profile
        }

        var draws = [id]
        var given: PrivateKey?
        if let p = registration["private_key_p"], let q = registration["private_key_q"] {
            given = try PrivateKey(rsa: algorithm, p: p, q: q)
        } else {
            let key = try #require(registration["credential_private_key"] ?? registration["private_key"])
            // A key of P-521 is drawn in whole, and this one has 65 bytes.
            draws.insert(algorithm == .es512 ? [0] + key : key, at: 0)
        }
        return VirtualAuthenticator(
            options,
            in: VirtualEnvironment(random: Draws(draws).source, keys: { [given] _ in given })
        )
    }

    /// The page, as it is in one of the ceremonies.
    fileprivate func client(_ values: Values, _ authenticator: VirtualAuthenticator) throws -> VirtualClient {
        var client = VirtualClient(origin: "https://example.org", authenticators: [authenticator])
        client.sameOriginWithAncestors = !["none.ES256.crossOrigin", "none.ES256.topOrigin"].contains(name)
        if name == "none.ES256.topOrigin" { client.topOrigin = "https://example.com" }
        // "extraData is added to clientDataJSON iff bit 0x01 of client_data_gen_flags is 1".
        let random = values["extraData_random"]
        #expect((random != nil) == (values.flags("client_data_gen_flags") & 1 != 0))
        if let random {
            client.extraClientData["extraData"] = .string(
                "clientDataJSON may be extended with additional fields in the future, such as this: "
                    + Base64URL.encode(random)
            )
        }
        return client
    }
}

@Suite("The W3C's test vectors, made again by the virtual client and authenticator", .needsShared)
struct W3CVectorTests {
    @Test("There are fifteen")
    func count() throws {
        #expect(try W3CVector.all.count == 15)
        #expect(try Set(W3CVector.all.map(\.format.rawValue)).count == 6)
    }

    @Test("Registration and sign-in, bit for bit", arguments: try W3CVector.all)
    func ceremonies(_ vector: W3CVector) throws {
        let printed = try W3CPrinted()
        let authenticator = try vector.authenticator()

        // The registration.
        let isVerified = vector.registration.flags("auth_data_UV_BE_BS") & 0x04 != 0
        let creation = PublicKeyCredentialCreationOptions(
            rp: PublicKeyCredentialRpEntity(id: "example.org", name: "Example"),
            user: PublicKeyCredentialUserEntity(id: try UserHandle(bytes: [1]), name: "ada", displayName: "Ada"),
            challenge: try Challenge(bytes: #require(vector.registration["challenge"])),
            pubKeyCredParams: [.init(alg: vector.algorithm)],
            authenticatorSelection: AuthenticatorSelectionCriteria(
                residentKey: .discouraged,
                userVerification: isVerified ? .required : .discouraged
            ),
            attestation: .direct
        )
        let made = try vector.client(vector.registration, authenticator).create(creation)
        let registration = try printed.input(vector, "registration")
        let response = try #require(registration["response"]?["response"])
        #expect(made.id == vector.registration["credential_id"])
        #expect(made.clientDataJSON == (try W3CPrinted.bytes(response["clientDataJSON"])))
        #expect(made.attestationObject == (try W3CPrinted.bytes(response["attestationObject"])))
        let root = try W3CPrinted.bytes(registration["expected"]?["trustAnchors"]?.array?.first.map(Self.toBase64URL))
        #expect(try vector.authority().rootCertificate() == root)

        // The sign-in.
        let flags = vector.authentication.flags("auth_data_UV_BS")
        let isEligible = authenticator.options.defaultBackupEligibility
        authenticator.setCredentialProperties(made.id, backupState: isEligible && flags & 0x10 != 0)
        let request = PublicKeyCredentialRequestOptions(
            challenge: try Challenge(bytes: #require(vector.authentication["challenge"])),
            rpId: "example.org",
            allowCredentials: [PublicKeyCredentialDescriptor(id: made.id)],
            userVerification: flags & 0x04 != 0 ? .required : .discouraged
        )
        let used = try vector.client(vector.authentication, authenticator).get(request)
        let authentication = try printed.input(vector, "authentication")
        let assertion = try #require(authentication["response"]?["response"])
        let publicKey = try W3CPrinted.bytes(authentication["record"]?["publicKey"])
        #expect(authenticator.credentials.map(\.publicKey) == [publicKey])
        #expect(used.clientDataJSON == (try W3CPrinted.bytes(assertion["clientDataJSON"])))
        #expect(used.authenticatorData == (try W3CPrinted.bytes(assertion["authenticatorData"])))
        #expect(used.signature == (try W3CPrinted.bytes(assertion["signature"])))
    }

    /// The file has certificates in the other alphabet.
    private static func toBase64URL(_ value: JSONValue) -> JSONValue {
        let text = (value.string ?? "").filter { $0 != "=" }
        return .string(String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
    }
}
