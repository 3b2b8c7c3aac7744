import PasskeyCrypto
public import PasskeyModel

/// A credential on a virtual authenticator, without its private key.
public struct VirtualCredential: Hashable, Sendable, Identifiable {
    /// The credential's identifier.
    public let id: [UInt8]

    /// The RP ID that it is for.
    public let relyingPartyIdentifier: String

    /// The account that it is for.
    public let userHandle: UserHandle

    /// What the user knew the account by when the credential was made.
    public let userName: String

    /// The user's own name when the credential was made.
    public let userDisplayName: String

    /// The algorithm that it signs with.
    public let algorithm: COSEAlgorithmIdentifier

    /// The public key: a COSE_Key map.
    public let publicKey: [UInt8]

    /// Whether it is found without its ID being named: what WebDriver calls a resident credential.
    public let isDiscoverable: Bool

    /// When it was made.
    public let createdAt: Timestamp

    /// The signature counter of its last use, where each credential has its own.
    public internal(set) var signCount: UInt32

    /// Whether it may be copied to other devices.
    public internal(set) var backupEligibility: Bool

    /// Whether it is backed up.
    public internal(set) var backupState: Bool

    /// The descriptor that names it in options.
    public func descriptor(transports: [AuthenticatorTransport] = []) -> PublicKeyCredentialDescriptor {
        PublicKeyCredentialDescriptor(id: id, transports: transports)
    }
}

/// A public key credential source (`#public-key-credential-source`).
struct CredentialSource: Sendable {
    var credential: VirtualCredential
    let privateKey: PrivateKey
}

/// The key of the credentials map (`#authenticator-credentials-map`): one account has one discoverable credential.
struct AccountKey: Hashable, Sendable {
    let relyingPartyIdentifier: String
    let userHandle: UserHandle

    init(_ credential: VirtualCredential) {
        relyingPartyIdentifier = credential.relyingPartyIdentifier
        userHandle = credential.userHandle
    }
}
