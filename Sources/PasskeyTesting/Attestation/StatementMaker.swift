import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// Makes one attestation statement (`#sctn-generating-an-attestation-object`).
struct StatementMaker {
    let profile: AttestationProfile
    let authenticatorData: AuthenticatorData
    let clientDataHash: [UInt8]
    let credentialKey: PrivateKey
    let environment: VirtualEnvironment

    /// What most formats sign.
    var attestedBytes: [UInt8] { authenticatorData.bytes + clientDataHash }

    var aaguid: AAGUID { authenticatorData.attestedCredentialData?.aaguid ?? .zero }

    /// Whether the profile breaks a rule of the format that is being made.
    func breaks(_ rule: String) -> Bool {
        profile.fault.map { $0.format == profile.format && $0.rule == rule } ?? false
    }

    /// The statement.
    func statement() throws(CryptoError) -> CBOR {
        switch profile.format {
        case .none: breaks("syntax") ? .map([CBOR.Entry(.text("alg"), .init(-7))]) : .map([])
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

    /// The attestation key of the authenticator's model.
    func attestationKey(_ usual: COSEAlgorithmIdentifier) throws(CryptoError) -> PrivateKey {
        try profile.authority.key("attestation", profile.algorithm ?? usual)
    }

    /// Another key that fits an algorithm.
    func otherKey(_ algorithm: COSEAlgorithmIdentifier) throws(CryptoError) -> PrivateKey {
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .rs1: try PrivateKey.generate(algorithm)
        default: try profile.authority.key("other", algorithm)
        }
    }

    /// The algorithm that the statement names: the key's, or one that another kind of key has.
    func named(_ algorithm: COSEAlgorithmIdentifier, isWrong: Bool) -> CBOR {
        guard isWrong else { return CBOR(algorithm.rawValue) }
        return CBOR([.es384, .esp384].contains(algorithm) ? -7 : -35)
    }

    /// Signs, or signs something else.
    func signature(_ message: [UInt8], with key: PrivateKey, isWrong: Bool = false) throws(CryptoError) -> [UInt8] {
        try environment.sign(isWrong ? message + [0] : message, with: key)
    }

    /// A statement with its members, of which some may be missing.
    static func map(_ members: [(String, CBOR)]) -> CBOR {
        .map(members.map { CBOR.Entry(.text($0.0), $0.1) })
    }

    // MARK: Certificates

    /// `x5c`: the certificate, and those above it.
    func chain(_ leaf: CertificateDraft) throws(CryptoError) -> [[UInt8]] { try profile.chain(leaf) }

    /// The value of `x5c`; its first certificate may be cut short.
    func x5c(_ certificates: [[UInt8]], isCut: Bool = false) -> CBOR {
        var certificates = certificates
        if isCut { certificates[0].removeLast() }
        return .array(certificates.map { .bytes($0) })
    }

    /// id-fido-gen-ce-aaguid, or one with a fault.
    func addAAGUID(to draft: inout CertificateDraft) {
        let value = breaks("aaguid") ? aaguid.bytes.map { $0 ^ 0xff } : aaguid.bytes
        draft.add(
            "1.3.6.1.4.1.45724.1.1.4",
            isCritical: breaks("aaguidCriticality"),
            breaks("aaguidEncoding") ? value : DER.octetString(value)
        )
    }
}
