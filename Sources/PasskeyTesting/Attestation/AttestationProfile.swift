import PasskeyCrypto
public import PasskeyModel
public import PasskeyWire

/// What attestation statement an authenticator makes.
public struct AttestationProfile: Hashable, Sendable, Codable {
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

    /// Whether the statement carries each certificate of its chain but the first one twice, which does no harm.
    public var repeatsCertificates = false

    /// Whether the attestation certificate tells the authenticator's serial number, which is for enterprises.
    ///
    /// An authenticator tells it where the relying party asks for enterprise attestation, and nowhere else.
    public var isEnterprise = false

    /// What it tells then.
    public var serialNumber: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7]

    /// The shape of a `tpm` statement.
    public var tpm = TPMShape()

    /// The shape of an `android-key` statement.
    public var androidKey = AndroidKeyShape()

    /// What a `compound` statement is made of; if there is nothing, of two `packed` ones.
    public var parts: [AttestationProfile] = []

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

    /// The algorithms that a credential can have with this profile.
    ///
    /// An authenticator makes no keys for others.
    public var credentialAlgorithms: [COSEAlgorithmIdentifier] {
        if let fault, fault.format == format, let needed = fault.credentialAlgorithms { return needed }
        let own = Self.credentialAlgorithms(of: format)
        guard format == .compound else { return own }
        return parts.reduce(own) { rest, part in rest.filter(part.credentialAlgorithms.contains) }
    }

    /// The algorithms that a credential can have in a format.
    ///
    /// - Parameter format: The format.
    /// - Returns: The algorithms; each supported one for most formats.
    public static func credentialAlgorithms(of format: AttestationStatementFormat) -> [COSEAlgorithmIdentifier] {
        switch format {
        case .tpm:
            [.es256, .es384, .es512, .esp256, .esp384, .esp512, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
        case .androidKey: [.es256, .es384, .es512, .esp256, .esp384, .esp512, .rs256, .rs384, .rs512, .ps256]
        case .fidoU2F: [.es256]
        case .apple: [.es256, .es384]
        default: SignatureAlgorithms.supported
        }
    }
}
