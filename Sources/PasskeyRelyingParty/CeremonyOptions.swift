public import PasskeyModel

/// What a registration asks for, stated once, when it is begun.
public struct RegistrationOptions: Hashable, Sendable {
    /// Which authenticators may answer.
    ///
    /// The default asks for a passkey: discoverable, with user verification.
    public var authenticatorSelection: AuthenticatorSelectionCriteria

    /// How long the client may take, in milliseconds; the specification recommends 300,000 to 600,000.
    public var timeout: UInt32

    /// `conditional` asks the client to create a passkey without a prompt, after a sign-in with a password.
    ///
    /// Nobody is asked then, and UP and UV are mostly 0: ask for user verification `preferred`, or the default refuses
    /// what comes back.
    public var mediation: CredentialMediationRequirement

    /// The algorithms to offer, most wanted first; `nil` offers all that can be verified here.
    public var algorithms: [COSEAlgorithmIdentifier]?

    /// Hints to the client's user interface.
    public var hints: [PublicKeyCredentialHint]

    /// The attestation statement formats that are wanted, most wanted first.
    public var attestationFormats: [AttestationStatementFormat]

    /// Extensions to ask for.
    public var extensions: AuthenticationExtensionsClientInputs

    /// What is asked of the backup flags.
    public var backup: BackupPolicy

    /// What to do with extension outputs that nobody asked for.
    public var unsolicitedExtensions: UnsolicitedExtensionPolicy

    /// Makes options.
    ///
    /// - Parameters:
    ///   - authenticatorSelection: Which authenticators may answer.
    ///   - timeout: How long the client may take, in milliseconds.
    ///   - mediation: `conditional` for a passkey without a prompt.
    ///   - algorithms: The algorithms to offer.
    ///   - hints: Hints to the client's user interface.
    ///   - attestationFormats: The attestation statement formats that are wanted.
    ///   - extensions: Extensions to ask for.
    ///   - backup: What is asked of the backup flags.
    ///   - unsolicitedExtensions: What to do with extension outputs that nobody asked for.
    public init(
        authenticatorSelection: AuthenticatorSelectionCriteria = .init(
            residentKey: .required,
            userVerification: .required
        ),
        timeout: UInt32 = 300_000,
        mediation: CredentialMediationRequirement = .optional,
        algorithms: [COSEAlgorithmIdentifier]? = nil,
        hints: [PublicKeyCredentialHint] = [],
        attestationFormats: [AttestationStatementFormat] = [],
        extensions: AuthenticationExtensionsClientInputs = .init(),
        backup: BackupPolicy = .init(),
        unsolicitedExtensions: UnsolicitedExtensionPolicy = .report
    ) {
        self.authenticatorSelection = authenticatorSelection
        self.timeout = timeout
        self.mediation = mediation
        self.algorithms = algorithms
        self.hints = hints
        self.attestationFormats = attestationFormats
        self.extensions = extensions
        self.backup = backup
        self.unsolicitedExtensions = unsolicitedExtensions
    }
}

/// What a sign-in asks for, stated once, when it is begun.
public struct AuthenticationOptions: Hashable, Sendable {
    /// Whether the authenticator must check who the user is.
    ///
    /// A passkey that is the only factor needs it.
    public var userVerification: UserVerificationRequirement

    /// How long the client may take, in milliseconds; the specification recommends 300,000 to 600,000.
    public var timeout: UInt32

    /// Hints to the client's user interface.
    public var hints: [PublicKeyCredentialHint]

    /// Extensions to ask for.
    public var extensions: AuthenticationExtensionsClientInputs

    /// What is asked of the backup flags.
    public var backup: BackupPolicy

    /// What to do when the signature counter has not grown.
    public var signCount: SignCountPolicy

    /// What to do with extension outputs that nobody asked for.
    public var unsolicitedExtensions: UnsolicitedExtensionPolicy

    /// Makes options.
    ///
    /// - Parameters:
    ///   - userVerification: Whether the authenticator must check who the user is.
    ///   - timeout: How long the client may take, in milliseconds.
    ///   - hints: Hints to the client's user interface.
    ///   - extensions: Extensions to ask for.
    ///   - backup: What is asked of the backup flags.
    ///   - signCount: What to do when the signature counter has not grown.
    ///   - unsolicitedExtensions: What to do with extension outputs that nobody asked for.
    public init(
        userVerification: UserVerificationRequirement = .required,
        timeout: UInt32 = 300_000,
        hints: [PublicKeyCredentialHint] = [],
        extensions: AuthenticationExtensionsClientInputs = .init(),
        backup: BackupPolicy = .init(),
        signCount: SignCountPolicy = .refuse,
        unsolicitedExtensions: UnsolicitedExtensionPolicy = .report
    ) {
        self.userVerification = userVerification
        self.timeout = timeout
        self.hints = hints
        self.extensions = extensions
        self.backup = backup
        self.signCount = signCount
        self.unsolicitedExtensions = unsolicitedExtensions
    }
}
