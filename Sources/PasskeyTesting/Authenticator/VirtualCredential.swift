import PasskeyCrypto
public import PasskeyModel

/// A credential on a virtual authenticator, without its secrets.
///
/// ``VirtualCredentialParameters`` is the form with secrets, to keep or to carry elsewhere.
public struct VirtualCredential: Hashable, Sendable, Identifiable {
    /// The credential's identifier.
    public let id: [UInt8]

    /// The RP ID that it is for.
    public let relyingPartyIdentifier: String

    /// The account that it is for; `nil` where its ID holds the key, and there is no room for more.
    public let userHandle: UserHandle?

    /// What the user knew the account by when the credential was made, or as a signal told later.
    public internal(set) var userName: String

    /// The user's own name when the credential was made, or as a signal told later.
    public internal(set) var userDisplayName: String

    /// The algorithm that it signs with.
    public let algorithm: COSEAlgorithmIdentifier

    /// The public key: a COSE_Key map.
    public let publicKey: [UInt8]

    /// Whether it is found without its ID being named: what WebDriver calls a resident credential.
    public let isDiscoverable: Bool

    /// When it was made.
    public let createdAt: Timestamp

    /// The signature counter of its last use; `nil` if it has none and signs with zero forever.
    public internal(set) var signCount: UInt32?

    /// Whether it may be copied to other devices.
    public internal(set) var backupEligibility: Bool

    /// Whether it is backed up.
    public internal(set) var backupState: Bool

    /// How it is guarded (CTAP 2.2, `credProtect`).
    public internal(set) var protection = CredentialProtectionPolicy.userVerificationOptional

    /// The bytes that a relying party stored with it when it was made (CTAP 2.2, `credBlob`).
    public internal(set) var credBlob: [UInt8]?

    /// Whether it has room for a blob (`#sctn-large-blob-extension`).
    public internal(set) var supportsLargeBlob = false

    /// The blob that is stored with it.
    public internal(set) var largeBlob: [UInt8]?

    /// Whether it has a pseudo-random function (`#prf-extension`).
    public internal(set) var supportsPRF = false

    /// Whether it is kept and not offered, because a signal disowned it (`#sctn-signal-methods`).
    public internal(set) var isHidden = false

    /// The descriptor that names it in options.
    public func descriptor(transports: [AuthenticatorTransport] = []) -> PublicKeyCredentialDescriptor {
        PublicKeyCredentialDescriptor(id: id, transports: transports)
    }
}

/// A public key credential source (`#public-key-credential-source`).
struct CredentialSource: Sendable {
    var credential: VirtualCredential
    let privateKey: PrivateKey

    /// CredRandomWithUV and CredRandomWithoutUV (CTAP 2.2, `hmac-secret`).
    var secrets: CredentialSecrets?
}

/// The secrets behind a credential's pseudo-random function: 32 bytes each.
public struct CredentialSecrets: Hashable, Sendable {
    /// For a user who was verified.
    public var withUserVerification: [UInt8]

    /// For a user who was not.
    public var withoutUserVerification: [UInt8]

    /// Makes secrets.
    ///
    /// - Parameters:
    ///   - withUserVerification: 32 bytes, for a user who was verified.
    ///   - withoutUserVerification: 32 bytes, for a user who was not.
    public init(withUserVerification: [UInt8], withoutUserVerification: [UInt8]) {
        self.withUserVerification = withUserVerification
        self.withoutUserVerification = withoutUserVerification
    }

    init(from environment: VirtualEnvironment) throws(CryptoError) {
        withUserVerification = try environment.randomBytes(32)
        withoutUserVerification = try environment.randomBytes(32)
    }

    func secret(isUserVerified: Bool) -> [UInt8] {
        isUserVerified ? withUserVerification : withoutUserVerification
    }
}

/// The key of the credentials map (`#authenticator-credentials-map`): one account has one discoverable credential.
struct AccountKey: Hashable, Sendable {
    private let relyingPartyIdentifier: [UInt8]
    private let userHandle: UserHandle?

    init(_ credential: VirtualCredential) {
        self.init(credential.relyingPartyIdentifier, credential.userHandle)
    }

    init(_ relyingPartyIdentifier: String, _ userHandle: UserHandle?) {
        self.relyingPartyIdentifier = [UInt8](relyingPartyIdentifier.utf8)
        self.userHandle = userHandle
    }
}
