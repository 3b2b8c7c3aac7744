import PasskeyCrypto
public import PasskeyModel
public import PasskeyWire

/// A rule of an attestation statement format, to be broken.
///
/// Everything around it is made right and signed again, so that a verifier which looks at the rules in the order of the
/// specification refuses for this one and no other.
public struct AttestationFault: Hashable, Sendable, CustomStringConvertible {
    /// The format that the rule is of.
    public let format: AttestationStatementFormat

    /// The rule, such as `magic`.
    public let rule: String

    /// The format and the rule, such as `tpm.magic`.
    public var identifier: String { "\(format.rawValue).\(rule)" }

    /// The same as ``identifier``.
    public var description: String { identifier }

    /// The algorithms that the credential must have for the rule to be broken; `nil` for any that the format allows.
    public var credentialAlgorithms: [COSEAlgorithmIdentifier]? {
        identifier == "fido-u2f.credentialKey" ? [.es384, .es512] : nil
    }

    /// The rules of a format that can be broken.
    ///
    /// - Parameter format: The format.
    /// - Returns: The faults, in the order in which a verifier looks at the rules.
    public static func all(of format: AttestationStatementFormat) -> [AttestationFault] {
        (rules[format] ?? []).map { AttestationFault(format: format, rule: $0) }
    }

    /// The rule of this name; `nil` if there is none.
    ///
    /// - Parameter identifier: The format and the rule, such as `tpm.magic`.
    public init?(_ identifier: String) {
        let found = Self.rules.keys.flatMap(Self.all).first { $0.identifier.hasSameBytes(as: identifier) }
        guard let found else { return nil }
        self = found
    }

    private init(format: AttestationStatementFormat, rule: String) {
        self.format = format
        self.rule = rule
    }

    private static let rules: [AttestationStatementFormat: [String]] = [
        .none: ["syntax"],
        .packed: [
            "syntax", "ecdaa", "certificate", "algorithm", "signature", "version", "subjectCountry",
            "subjectOrganization", "subjectOrganizationalUnit", "subjectCommonName", "basicConstraints",
            "aaguidEncoding", "aaguidCriticality", "aaguid", "serialNumberEncoding", "serialNumberCriticality",
            "serialNumberUnasked", "selfAlgorithm", "selfSignature",
        ],
        .tpm: [
            "syntax", "ecdaa", "version", "certificate", "publicArea", "publicKey", "sha1", "algorithm", "certInfo",
            "magic", "attestType", "extraData", "attestedName", "signature", "certificateVersion", "subject",
            "subjectAltName", "manufacturer", "extendedKeyUsage", "basicConstraints", "aaguidEncoding",
            "aaguidCriticality", "aaguid",
        ],
        .androidKey: [
            "syntax", "certificate", "algorithm", "signature", "publicKey", "keyDescription", "challenge",
            "allApplications", "origin", "purpose",
        ],
        .androidSafetyNet: [
            "syntax", "version", "response", "certificate", "signature", "hostname", "nonce", "ctsProfileMatch",
        ],
        .fidoU2F: ["syntax", "certificateCount", "certificate", "certificateKey", "credentialKey", "signature"],
        .apple: ["syntax", "certificate", "nonceExtension", "nonce", "publicKey"],
        .compound: ["syntax", "count", "nested", "substatement"],
    ]
}

/// A fault of the chain of certificates: the statement verifies, and whom it leads to is wrong.
public enum AttestationChainFault: String, Hashable, Sendable, CaseIterable {
    /// The attestation certificate's validity ended in 2021.
    case expiredLeaf

    /// The attestation certificate's validity begins in 2045.
    case notYetValidLeaf

    /// The last intermediate's validity ended in 2021.
    case expiredIntermediate

    /// The chain ends in a root of the right name with another key.
    case otherRoot

    /// The last intermediate's Basic Constraints are those of no authority.
    case intermediateIsNoAuthority

    /// The first intermediate allows no authority below it, and there is one.
    case pathLength

    /// The last intermediate may name subjects of another country alone.
    case nameConstraint

    /// The statement lacks the last intermediate.
    case missingIntermediate
}

/// What attestation statement an authenticator makes.
public struct AttestationProfile: Hashable, Sendable {
    /// The format.
    public var format: AttestationStatementFormat

    /// The algorithm of the attestation key; `nil` for the format's usual one.
    ///
    /// Of no effect where the credential's own key signs.
    public var algorithm: COSEAlgorithmIdentifier?

    /// Whether a `packed` statement is self attestation.
    public var isSelf: Bool

    /// Whose certificates it has.
    public var authority: AttestationAuthority

    /// How many intermediates stand between the attestation certificate and the root: 0 to 2.
    public var intermediateCount = 0

    /// Whether the statement carries the root, too.
    public var includesRoot = false

    /// Whether the attestation certificate tells the authenticator's serial number, which is for enterprises.
    public var isEnterprise = false

    /// The rule that the statement breaks.
    public var fault: AttestationFault?

    /// The fault of its chain.
    public var chainFault: AttestationChainFault?

    /// Makes a profile.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - algorithm: The algorithm of the attestation key; `nil` for the format's usual one.
    ///   - isSelf: Whether a `packed` statement is self attestation.
    ///   - authority: Whose certificates it has.
    ///   - fault: The rule that the statement breaks.
    public init(
        _ format: AttestationStatementFormat,
        algorithm: COSEAlgorithmIdentifier? = nil,
        isSelf: Bool = false,
        authority: AttestationAuthority = AttestationAuthority(),
        fault: AttestationFault? = nil
    ) {
        self.format = format
        self.algorithm = algorithm
        self.isSelf = isSelf
        self.authority = authority
        self.fault = fault
    }

    /// The algorithms that an attestation key of a format can have here.
    ///
    /// - Parameter format: The format.
    /// - Returns: The algorithms, the usual one first; none where the credential's own key signs, or nothing does.
    public static func algorithms(of format: AttestationStatementFormat) -> [COSEAlgorithmIdentifier] {
        switch format {
        case .packed: SignatureAlgorithms.supported
        case .tpm: [.rs256, .rs384, .rs512, .ps256, .es256, .es384, .es512]
        case .androidSafetyNet: [.rs256, .es256]
        case .fidoU2F: [.es256]
        default: []
        }
    }

    /// The algorithms that a credential can have in a format.
    ///
    /// - Parameter format: The format.
    /// - Returns: The algorithms; each supported one for most formats.
    public static func credentialAlgorithms(of format: AttestationStatementFormat) -> [COSEAlgorithmIdentifier] {
        switch format {
        case .tpm: [.es256, .es384, .es512, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
        case .androidKey: [.es256, .es384, .es512, .rs256, .ps256]
        case .fidoU2F: [.es256]
        case .apple: [.es256, .es384]
        default: SignatureAlgorithms.supported
        }
    }
}
