import PasskeyCrypto
public import PasskeyModel

/// What a virtual authenticator is and how its user behaves, in WebDriver's names where it has one
/// (`#sctn-automation-add-virtual-authenticator`).
///
/// Without a change it is a passkey provider of the platform: discoverable and synchronised credentials, user
/// verification, no counter, no attestation, and every algorithm that the linked cryptographic library signs with.
/// ``AuthenticatorProfile`` has the options of known products.
public struct VirtualAuthenticatorOptions: Hashable, Sendable, Codable {
    /// What it speaks with its client.
    ///
    /// An authenticator of U2F can no more than U2F has, whatever else is said here.
    public var protocolVersion = AuthenticatorProtocol.ctap22

    /// How the authenticator is attached to the client.
    public var attachment = AuthenticatorAttachment.platform

    /// How it may be reached.
    public var transports: [AuthenticatorTransport] = [.internal, .hybrid]

    /// Whether it can store discoverable credentials.
    public var hasResidentKey = true

    /// How many discoverable credentials it can store; `nil` for as many as come.
    public var residentKeyCapacity: Int?

    /// Whether the key of a credential that is not discoverable is in its ID, encrypted, and nowhere else.
    ///
    /// Such an ID works on each authenticator that has the same ``VirtualAuthenticatorState/wrappingKey``.
    public var wrapsKeys = false

    /// Whether it can verify who the user is.
    public var hasUserVerification = true

    /// Whether there is a PIN or a finger to verify the user by.
    ///
    /// Without one an authenticator cannot verify anybody yet.
    public var isUserVerificationSetUp = true

    /// Whether it verifies the user in each operation, required or not (`alwaysUv` of CTAP 2.1).
    public var alwaysVerifiesUser = false

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

    /// The extensions that it knows.
    public var extensions: Set<AuthenticatorExtension> = Set(AuthenticatorExtension.allCases).subtracting([.prf])

    /// How a credential is guarded for which nothing else is asked (CTAP 2.2, `credProtect`).
    public var defaultCredentialProtection = CredentialProtectionPolicy.userVerificationOptional

    /// How many bytes of blobs it stores in all (`#sctn-large-blob-extension`).
    public var largeBlobCapacity = 1024

    /// How many characters a PIN has at least.
    public var minPinLength = 4

    /// Which relying parties may learn ``minPinLength``.
    public var minPinLengthRPIDs: [String] = []

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

    /// Whether it attests for relying parties alone that ask for enterprise attestation, and sends `none` to all others.
    public var attestsForEnterpriseAlone = false

    /// Whether somebody enabled enterprise attestation on it, which must be done before a relying party can have any.
    public var isEnterpriseAttestationEnabled = true

    /// How it counts its signatures.
    public var counterMode = SignatureCounterMode.none

    /// What a signature adds to the counter; at least 1.
    public var counterStep: UInt32 = 1

    /// What a counter begins with.
    public var initialSignCount: UInt32 = 0

    /// How many bytes the IDs of new credentials have, but for those that hold a key: 16 to 1,023, and held at these
    /// bounds.
    public var credentialIDLength = 32

    /// How many bytes of a name it keeps: at least 64 (`#sctn-strings-truncation`); `nil` for all.
    public var stringByteLimit: Int?

    /// In which order it makes its checks.
    public var order = OperationOrder.webauthn

    /// What a signal does to a credential.
    public var signalEffect = SignalEffect.hides

    /// What the client that speaks for it writes into client data; `nil` for what the client writes by itself.
    public var clientDataForm: VirtualClient.ClientDataForm?

    /// Makes the options of a platform's passkey provider.
    public init() {}

    /// A platform's passkey provider.
    public static var platform: VirtualAuthenticatorOptions { VirtualAuthenticatorOptions() }

    /// A security key: roaming, a counter for each credential, nothing leaves it, self attestation.
    ///
    /// The keys of credentials that are not discoverable are in their IDs.
    public static var securityKey: VirtualAuthenticatorOptions {
        var options = VirtualAuthenticatorOptions()
        options.attachment = .crossPlatform
        options.transports = [.nfc, .usb]
        options.wrapsKeys = true
        options.defaultBackupEligibility = false
        options.defaultBackupState = false
        options.attestation = .packed
        options.counterMode = .perCredential
        options.stringByteLimit = 64
        return options
    }

    /// A security key that knows U2F alone, with an attestation certificate.
    ///
    /// - Parameter authority: Whose certificate it has.
    /// - Returns: The options.
    public static func u2f(authority: AttestationAuthority = AttestationAuthority()) -> VirtualAuthenticatorOptions {
        var options = VirtualAuthenticatorOptions.securityKey
        options.protocolVersion = .u2f
        options.transports = [.usb]
        options.attestationProfile = AttestationProfile(.fidoU2F, authority: authority)
        options.counterMode = .u2f
        return options
    }
}

extension VirtualAuthenticatorOptions {
    var isU2F: Bool { protocolVersion == .u2f }

    /// Whether a discoverable credential can be made.
    var storesDiscoverableCredentials: Bool { hasResidentKey && !isU2F }

    /// Whether the user can be verified now.
    var canVerifyUser: Bool { hasUserVerification && isUserVerificationSetUp && !isU2F }

    /// Whether an extension is known.
    func knows(_ identifier: AuthenticatorExtension) -> Bool { !isU2F && extensions.contains(identifier) }
}
