public import PasskeyModel
public import PasskeyWire

/// A rule of an attestation statement format, to be broken.
///
/// Everything around it is made right and signed again, so that a verifier which looks at the rules in the order of the
/// specification refuses for this one and no other.
public struct AttestationFault: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The format that the rule is of.
    public let format: AttestationStatementFormat

    /// The rule, such as `magic`.
    public let rule: String

    /// Which way of breaking the rule it is: 0 for the usual one, or one of ``variants``.
    public private(set) var variant = 0

    /// The format and the rule, such as `tpm.magic`; the same for each variant.
    public var identifier: String { "\(format.rawValue).\(rule)" }

    /// The identifier, and the variant if it is not the usual one.
    public var description: String { variant == 0 ? identifier : "\(identifier)/\(variant)" }

    /// Every way of breaking the rule that is known here, the usual one first.
    public var variants: [AttestationFault] {
        (0..<(Self.variantCounts[identifier] ?? 1)).map { number in
            var fault = self
            fault.variant = number
            return fault
        }
    }

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

    /// All faults, one a rule.
    public static var all: [AttestationFault] {
        rules.keys.sorted { $0.rawValue < $1.rawValue }.flatMap(all)
    }

    /// The rule of this name, broken in the usual way; `nil` if there is none.
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

    /// How many ways there are, where there is more than one.
    private static let variantCounts: [String: Int] = [
        "none.syntax": 2,
        "packed.syntax": 5, "packed.certificate": 3, "packed.algorithm": 2, "packed.signature": 3,
        "packed.version": 2, "packed.subjectCountry": 2, "packed.subjectOrganization": 2,
        "packed.subjectOrganizationalUnit": 2, "packed.subjectCommonName": 2, "packed.basicConstraints": 2,
        "packed.aaguidEncoding": 3, "packed.serialNumberEncoding": 2, "packed.selfAlgorithm": 2,
        "packed.selfSignature": 3,
        "tpm.syntax": 6, "tpm.version": 2, "tpm.certificate": 3, "tpm.publicArea": 2, "tpm.algorithm": 2,
        "tpm.certInfo": 2, "tpm.magic": 2, "tpm.attestType": 2, "tpm.extraData": 2, "tpm.attestedName": 2,
        "tpm.signature": 3, "tpm.certificateVersion": 2, "tpm.subjectAltName": 4, "tpm.extendedKeyUsage": 2,
        "tpm.basicConstraints": 2, "tpm.aaguidEncoding": 3,
        "android-key.syntax": 4, "android-key.certificate": 3, "android-key.algorithm": 2,
        "android-key.signature": 3, "android-key.keyDescription": 4, "android-key.challenge": 2,
        "android-key.allApplications": 2, "android-key.origin": 2, "android-key.purpose": 2,
        "android-safetynet.syntax": 3, "android-safetynet.response": 2, "android-safetynet.certificate": 3,
        "android-safetynet.signature": 2, "android-safetynet.nonce": 2, "android-safetynet.ctsProfileMatch": 2,
        "fido-u2f.syntax": 3, "fido-u2f.certificate": 2, "fido-u2f.certificateKey": 2, "fido-u2f.signature": 4,
        "apple.syntax": 2, "apple.certificate": 3, "apple.nonceExtension": 3, "apple.nonce": 2,
        "compound.syntax": 3, "compound.count": 2,
    ]
}

/// A fault of the chain of certificates: the statement verifies, and whom it leads to is wrong.
public enum AttestationChainFault: String, Hashable, Sendable, Codable, CaseIterable {
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

    /// How many intermediates a chain must have for this fault; a chain that is to have fewer has as many.
    public var leastIntermediateCount: Int {
        switch self {
        case .expiredLeaf, .notYetValidLeaf, .otherRoot: 0
        case .expiredIntermediate, .intermediateIsNoAuthority, .nameConstraint, .missingIntermediate: 1
        case .pathLength: 2
        }
    }
}
