import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// What a statement is about: authenticator data, which need not make sense, and those of its parts that formats name.
struct StatementSubject {
    var authenticatorData: [UInt8]
    var rpIDHash: [UInt8]
    var aaguid = AAGUID.zero
    var credentialID: [UInt8] = []

    /// The key as COSE writes it.
    var credentialPublicKey: [UInt8] = []
}

/// Makes one attestation statement (`#sctn-generating-an-attestation-object`).
struct StatementMaker {
    let profile: AttestationProfile
    let subject: StatementSubject
    let clientDataHash: [UInt8]
    let credentialKey: PrivateKey
    let environment: VirtualEnvironment

    /// What most formats sign.
    var attestedBytes: [UInt8] { subject.authenticatorData + clientDataHash }

    var aaguid: AAGUID { subject.aaguid }

    /// In which way the profile breaks a rule of the format that is being made; `nil` if it does not.
    func variant(_ rule: String) -> Int? {
        guard let fault = profile.fault, fault.format == profile.format, fault.rule == rule else { return nil }
        return fault.variant
    }

    /// Whether the profile breaks a rule of the format that is being made.
    func breaks(_ rule: String) -> Bool { variant(rule) != nil }

    /// Whether the profile breaks a rule in this way.
    func breaks(_ rule: String, _ number: Int) -> Bool { variant(rule) == number }

    /// The statement.
    func statement() throws(CryptoError) -> CBOR {
        switch profile.format {
        case .none: none()
        case .packed:
            profile.isSelf || breaks("selfAlgorithm") || breaks("selfSignature")
                ? try packedSelf() : try packed()
        case .tpm: try tpm()
        case .androidKey: try androidKey()
        case .androidSafetyNet: try safetyNet()
        case .fidoU2F: try fidoU2F()
        case .apple: try apple()
        case .compound: try compound()
        default: throw CryptoError(.unsupported, "no statement of format \(profile.format) can be made")
        }
    }

    /// `#sctn-none-attestation`.
    private func none() -> CBOR {
        switch variant("syntax") {
        case nil: .map([])
        case 0: Self.map([("alg", CBOR(-7))])
        default: .array([])
        }
    }

    // MARK: Keys and signatures

    /// The attestation key of the authenticator's model.
    func attestationKey(_ usual: COSEAlgorithmIdentifier) throws(CryptoError) -> PrivateKey {
        try profile.authority.key("attestation", profile.algorithm ?? usual)
    }

    /// Another key that fits an algorithm.
    func otherKey(_ algorithm: COSEAlgorithmIdentifier) throws(CryptoError) -> PrivateKey {
        try profile.authority.key(AttestationAuthority.otherKeyLabel, algorithm)
    }

    /// `alg`: the key's, or where the rule is broken one of another kind of key, or one that nobody knows.
    func named(_ algorithm: COSEAlgorithmIdentifier, breaking rule: String) -> CBOR {
        switch variant(rule) {
        case nil: CBOR(algorithm.rawValue)
        case 0: CBOR([.es384, .esp384].contains(algorithm) ? -7 : -35)
        default: CBOR(-70_000)
        }
    }

    /// A signature, or where the rule is broken one of something else, one by another key, or none.
    func signature(
        _ message: [UInt8],
        with key: PrivateKey,
        breaking rule: String
    ) throws(CryptoError) -> [UInt8] {
        switch variant(rule) {
        case nil: try environment.sign(message, with: key)
        case 0: try environment.sign(message + [0], with: key)
        case 1: try environment.sign(message, with: otherKey(key.algorithm))
        default: []
        }
    }

    /// A statement with its members.
    static func map(_ members: [(String, CBOR)]) -> CBOR {
        .map(members.map { CBOR.Entry(.text($0.0), $0.1) })
    }

    /// A statement with its members; or where the syntax is broken, without the first required one, with an empty array
    /// in its place, without each of the other ones, or with an empty x5c.
    func map(_ members: [(String, CBOR)], required names: [String]) -> CBOR {
        func without(_ name: String) -> [(String, CBOR)] { members.filter { $0.0 != name } }
        guard let variant = variant("syntax") else { return Self.map(members) }
        switch variant {
        case 0: return Self.map(without(names[0]))
        case 1: return Self.map(without(names[0]) + [(names[0], .array([]))])
        case _ where variant <= names.count: return Self.map(without(names[variant - 1]))
        default: return Self.map(without("x5c") + [("x5c", .array([]))])
        }
    }

    // MARK: Certificates

    /// `x5c`: the certificate, and those above it; where the rule `certificate` is broken, the first cut short, the first
    /// with a byte after it, or one that is none beside them.
    func chain(_ leaf: CertificateDraft) throws(CryptoError) -> [[UInt8]] {
        var certificates = try profile.chain(leaf)
        switch variant("certificate") {
        case nil: break
        case 0: certificates[0].removeLast()
        case 1: certificates[0].append(0)
        default: certificates.append([0x30, 0x00])
        }
        return certificates
    }

    /// The value of `x5c`.
    func x5c(_ certificates: [[UInt8]]) -> CBOR { .array(certificates.map { .bytes($0) }) }

    /// id-fido-gen-ce-aaguid, or one with a fault.
    func addAAGUID(to draft: inout CertificateDraft) {
        let value = breaks("aaguid") ? aaguid.bytes.map { $0 ^ 0xff } : aaguid.bytes
        draft.add(
            "1.3.6.1.4.1.45724.1.1.4",
            isCritical: breaks("aaguidCriticality"),
            octetString(value, breaking: "aaguidEncoding")
        )
    }

    /// An OCTET STRING as the value of an extension, or where the rule is broken its bare content, one with a byte after
    /// it, or one that is too short.
    func octetString(_ octets: [UInt8], breaking rule: String) -> [UInt8] {
        switch variant(rule) {
        case nil: DER.octetString(octets)
        case 0: octets
        case 1: DER.octetString(octets) + [0]
        default: DER.octetString(octets.dropLast())
        }
    }

    /// Basic Constraints of no authority, or where the rule is broken none, or those of one.
    func addBasicConstraints(to draft: inout CertificateDraft) {
        switch variant("basicConstraints") {
        case nil: draft.addBasicConstraints(isCA: false)
        case 0: break
        default: draft.addBasicConstraints(isCA: true)
        }
    }

    /// The version of a certificate, or where the rule is broken an older one.
    func version(breaking rule: String) -> Int {
        variant(rule).map { 2 - $0 } ?? 3
    }
}

extension StatementSubject {
    init(_ data: AuthenticatorData) {
        authenticatorData = data.bytes
        rpIDHash = data.rpIDHash
        guard let credential = data.attestedCredentialData else { return }
        aaguid = credential.aaguid
        credentialID = credential.credentialID
        credentialPublicKey = credential.credentialPublicKey
    }
}
