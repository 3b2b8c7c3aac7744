import PasskeyCrypto
public import PasskeyModel

/// How an authenticator counts its signatures (`#sctn-sign-counter`).
@nonexhaustive
public enum SignatureCounterMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// It does not: the counter is zero forever, as with passkeys that are synchronised.
    case none

    /// Each credential has a counter, which begins at zero.
    case perCredential

    /// One counter serves all credentials.
    case global
}

/// What a virtual authenticator is and how its user behaves, in WebDriver's names where it has one
/// (`#sctn-automation-add-virtual-authenticator`).
///
/// Without a change it is a passkey provider of the platform: discoverable and synchronised credentials, user
/// verification, no counter, no attestation, and every algorithm that the linked cryptographic library signs with.
public struct VirtualAuthenticatorOptions: Hashable, Sendable {
    /// How the authenticator is attached to the client.
    public var attachment = AuthenticatorAttachment.platform

    /// How it may be reached.
    public var transports: [AuthenticatorTransport] = [.internal, .hybrid]

    /// Whether it can store discoverable credentials.
    public var hasResidentKey = true

    /// Whether it can verify who the user is.
    public var hasUserVerification = true

    /// Whether the user touches the authenticator and agrees to what it asks.
    public var isUserConsenting = true

    /// Whether user verification succeeds.
    public var isUserVerified = true

    /// Whether new credentials may be copied to other devices.
    public var defaultBackupEligibility = true

    /// Whether new credentials are backed up; without effect on those that are not eligible.
    public var defaultBackupState = true

    /// The algorithms that it makes keys for, in no order: a relying party states its preference.
    public var algorithms = SignatureAlgorithms.supported

    /// Its model; zeros, as here without a change, where it attests in the format of U2F, whose authenticators name none.
    public var aaguid = AAGUID.zero

    /// The attestation statement format that it prefers: `none`, or `packed` for self attestation.
    public var attestation = AttestationStatementFormat.none

    /// How it attests, in whatever format; `nil` for ``attestation`` with the credential's own key.
    ///
    /// The profile's format takes the place of ``attestation``.
    public var attestationProfile: AttestationProfile?

    /// Whether it makes the format that a relying party prefers, if it can.
    ///
    /// An authenticator that is older than Level 3 sends the one it has, and the client has to take out what nobody
    /// asked for.
    public var honorsAttestationFormats = true

    /// How it counts its signatures.
    public var counterMode = SignatureCounterMode.none

    /// What a signature adds to the counter; at least 1.
    public var counterStep: UInt32 = 1

    /// How many bytes the IDs of new credentials have: 16 to 1,023, and held at these bounds.
    public var credentialIDLength = 32

    /// Makes the options of a platform's passkey provider.
    public init() {}

    /// A platform's passkey provider.
    public static var platform: VirtualAuthenticatorOptions { VirtualAuthenticatorOptions() }

    /// A security key: roaming, a counter for each credential, nothing leaves it, self attestation.
    public static var securityKey: VirtualAuthenticatorOptions {
        var options = VirtualAuthenticatorOptions()
        options.attachment = .crossPlatform
        options.transports = [.nfc, .usb]
        options.defaultBackupEligibility = false
        options.defaultBackupState = false
        options.attestation = .packed
        options.counterMode = .perCredential
        return options
    }
}
