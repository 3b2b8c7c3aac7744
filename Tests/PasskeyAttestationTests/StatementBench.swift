import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyVectors
import PasskeyWire
import Testing

@testable import PasskeyTesting

/// A credential, and statements about it that are judged without the rest of a ceremony.
struct StatementBench {
    static let hash = [UInt8](repeating: 0x5e, count: 32)

    let key: PrivateKey
    let data: AuthenticatorData
    var options = AttestationOptions(allowsAndroidSafetyNet: true)

    /// Whether the chain must lead to the authority of all profiles here.
    var requiresTrust = false

    init(_ algorithm: COSEAlgorithmIdentifier = .es256) throws {
        // A key that attests nothing; a new one of RSA would take its time.
        key = try AttestationStage.authority.key(AttestationAuthority.otherKeyLabel, algorithm)
        data = try AuthenticatorData(
            rpIDHash: Self.hash,
            flags: [.userPresent],
            signCount: 0,
            attestedCredentialData: AttestedCredentialData(
                aaguid: AttestationStage.aaguid,
                credentialID: [1, 2, 3],
                credentialPublicKey: key.publicKey.encoded
            )
        )
    }

    var attestedBytes: [UInt8] { data.bytes + Self.hash }

    /// The statement of a profile.
    func statement(_ profile: AttestationProfile) throws -> CBOR {
        try profile.statement(
            authenticatorData: data,
            clientDataHash: Self.hash,
            privateKey: key.pkcs8(),
            algorithm: key.algorithm,
            clock: { AttestationStage.now }
        )
    }

    /// Judges a statement.
    func verdict(
        _ statement: CBOR,
        _ format: AttestationStatementFormat
    ) throws -> Result<AttestationVerifier.Verdict, RegistrationError> {
        let object = try AttestationObject.encode(format: format, statement: statement, authenticatorData: data.bytes)
        let policy: AttestationPolicy = requiresTrust ? .require(try AttestationStage.store()) : .verify
        let verifier = AttestationVerifier(policy, options)
        return Result { () throws(RegistrationError) in
            try verifier.verify(attestationObject: object, clientDataHash: Self.hash, at: AttestationStage.now)
        }
    }

    /// The refusal of a statement; `nil` if it is accepted.
    func refusal(_ statement: CBOR, _ format: AttestationStatementFormat) throws -> RegistrationError? {
        if case .failure(let error) = try verdict(statement, format) { error } else { nil }
    }

    func refusal(_ profile: AttestationProfile) throws -> RegistrationError? {
        try refusal(statement(profile), profile.format)
    }

    /// The authority's attestation key, whose certificates a test makes itself.
    static func attestationKey(_ algorithm: COSEAlgorithmIdentifier) throws -> PrivateKey {
        try AttestationStage.authority.key("attestation", algorithm)
    }
}

extension CBOR {
    /// The same map with another value for a name; without it for `nil`.
    func setting(_ name: String, _ value: CBOR?) -> CBOR {
        guard case .map(let entries) = self else { return self }
        return .map(entries.filter { $0.key != .text(name) } + (value.map { [CBOR.Entry(.text(name), $0)] } ?? []))
    }
}

/// A registration out of a case file, judged by its attestation alone.
struct AttestationCase {
    let id: String
    let isAccepted: Bool
    let object: [UInt8]
    let clientData: [UInt8]
    let allowed: [String]

    /// The cases of a file that have an attestation object in a format.
    static func read(_ path: String, _ formats: Set<AttestationStatementFormat>) throws -> [AttestationCase] {
        let file = try JSONValue(json: Vectors.bytes(path), maximumDepth: 64)
        return try #require(file["cases"]?.array).compactMap { entry in
            guard
                entry["operation"]?.string == "registration.verify",
                let response = entry["input"]?["response"]?["response"],
                let object = response["attestationObject"]?.string.flatMap({ try? Base64URL.decode($0) }),
                let format = try? AttestationObject(object).format, formats.contains(format)
            else { return nil }
            return AttestationCase(
                id: try #require(entry["id"]?.string),
                isAccepted: entry["expect"]?.string == "accept",
                object: object,
                clientData: try Base64URL.decode(try #require(response["clientDataJSON"]?.string)),
                allowed: entry["input"]?["expected"]?["allow"]?.array?.compactMap(\.string) ?? []
            )
        }
    }

    /// What refuses: a rule, or a step if it is none; `nil` if nothing does.
    func refusal() throws -> String? {
        let options = AttestationOptions(
            allowsSHA1: allowed.contains("rs1"),
            allowsAndroidSafetyNet: allowed.contains("android-safetynet")
        )
        let hash = try sha256(clientData)
        do throws(RegistrationError) {
            _ = try AttestationVerifier(.verify, options).verify(
                attestationObject: object,
                clientDataHash: hash,
                at: AttestationStage.now
            )
            return nil
        } catch {
            return error.rule ?? "\(error.step)"
        }
    }

    /// A member of the statement that is a byte string.
    func bytes(_ name: String) throws -> [UInt8] {
        try #require(try AttestationObject(object).statement.root[name]?.byteArray)
    }
}
