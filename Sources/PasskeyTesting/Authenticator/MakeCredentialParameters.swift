public import PasskeyModel
public import PasskeyWire

/// What a client passes to ``VirtualAuthenticator/makeCredential(_:user:)``.
public struct MakeCredentialParameters: Hashable, Sendable {
    /// The hash of the serialized client data: 32 bytes.
    public var hash: [UInt8]

    /// The relying party's ID.
    public var rpID: String

    /// The relying party's name for people; `nil` where the client tells none.
    public var rpName: String?

    /// The account.
    public var user: PublicKeyCredentialUserEntity

    /// Whether the credential must be discoverable.
    public var requireResidentKey: Bool

    /// Whether the user must be present, which WebAuthn always asks for.
    public var requireUserPresence: Bool

    /// Whether the user must be verified.
    public var requireUserVerification: Bool

    /// The types and algorithms, the most wanted first.
    public var credTypesAndPubKeyAlgs: [PublicKeyCredentialParameters]

    /// Credentials of which none may be on the authenticator already.
    public var excludeCredentialDescriptorList: [PublicKeyCredentialDescriptor]

    /// An AppID under which excluded credentials may be, too (`#sctn-appid-exclude-extension`).
    public var excludeAppID: String?

    /// Whether an attestation may tell which device it is.
    public var enterpriseAttestationPossible: Bool

    /// The attestation statement formats that are wanted, the most wanted first.
    public var attestationFormats: [AttestationStatementFormat]

    /// Authenticator extension inputs: a CBOR map.
    public var extensions: CBOR

    /// Makes parameters.
    ///
    /// - Parameters:
    ///   - hash: The hash of the serialized client data: 32 bytes.
    ///   - rpID: The relying party's ID.
    ///   - rpName: The relying party's name for people.
    ///   - user: The account.
    ///   - requireResidentKey: Whether the credential must be discoverable.
    ///   - requireUserPresence: Whether the user must be present.
    ///   - requireUserVerification: Whether the user must be verified.
    ///   - credTypesAndPubKeyAlgs: The types and algorithms, the most wanted first.
    ///   - excludeCredentialDescriptorList: Credentials of which none may be on the authenticator already.
    ///   - excludeAppID: An AppID under which excluded credentials may be, too.
    ///   - enterpriseAttestationPossible: Whether an attestation may tell which device it is.
    ///   - attestationFormats: The attestation statement formats that are wanted.
    ///   - extensions: Authenticator extension inputs: a CBOR map.
    public init(
        hash: [UInt8],
        rpID: String,
        rpName: String? = nil,
        user: PublicKeyCredentialUserEntity,
        requireResidentKey: Bool = true,
        requireUserPresence: Bool = true,
        requireUserVerification: Bool = true,
        credTypesAndPubKeyAlgs: [PublicKeyCredentialParameters] = PublicKeyCredentialParameters.recommended,
        excludeCredentialDescriptorList: [PublicKeyCredentialDescriptor] = [],
        excludeAppID: String? = nil,
        enterpriseAttestationPossible: Bool = false,
        attestationFormats: [AttestationStatementFormat] = [],
        extensions: CBOR = .map([])
    ) {
        self.hash = hash
        self.rpID = rpID
        self.rpName = rpName
        self.user = user
        self.requireResidentKey = requireResidentKey
        self.requireUserPresence = requireUserPresence
        self.requireUserVerification = requireUserVerification
        self.credTypesAndPubKeyAlgs = credTypesAndPubKeyAlgs
        self.excludeCredentialDescriptorList = excludeCredentialDescriptorList
        self.excludeAppID = excludeAppID
        self.enterpriseAttestationPossible = enterpriseAttestationPossible
        self.attestationFormats = attestationFormats
        self.extensions = extensions
    }
}

/// What ``VirtualAuthenticator/makeCredential(_:user:)`` returns to the client.
public struct MakeCredentialResult: Hashable, Sendable {
    /// The attestation object.
    public let attestationObject: [UInt8]

    /// Whether the attestation tells which device it is (`epAtt` of CTAP 2.1).
    public let isEnterpriseAttestation: Bool

    /// Extension outputs that are not signed: a CBOR map (`#unsigned-extension-outputs`).
    public let unsignedExtensionOutputs: CBOR
}
