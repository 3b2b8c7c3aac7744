import PasskeyCrypto
import PasskeyModel

/// An authenticator as a product has it, as data: model, attestation, transports, backup flags, counter, algorithms,
/// extensions, and what its client writes into client data.
///
/// ``VirtualAuthenticator/profile(_:random:clock:)`` makes one. Certificates are never the vendor's, but of an
/// ``AttestationAuthority``, which gives the trust anchor too. Products change; a profile is how one release behaved, and
/// its ``options`` can be changed further.
public struct AuthenticatorProfile: Hashable, Sendable, Codable {
    /// What people call it.
    public var name: String

    /// What the authenticator is.
    public var options: VirtualAuthenticatorOptions

    /// Makes a profile.
    ///
    /// - Parameters:
    ///   - name: What people call it.
    ///   - options: What the authenticator is.
    public init(name: String, options: VirtualAuthenticatorOptions) {
        self.name = name
        self.options = options
    }

    private init(_ name: String, _ change: (inout VirtualAuthenticatorOptions) -> Void) {
        self.name = name
        options = VirtualAuthenticatorOptions()
        options.algorithms = [.es256]
        options.stringByteLimit = nil
        change(&options)
    }

    /// The profiles of this library, one for each product.
    public static var all: [AuthenticatorProfile] {
        [
            .iCloudKeychain(aaguid: .zero), .iCloudKeychain, .iCloudKeychainManaged, .googlePasswordManager,
            .windowsHello, .yubiKey5, .u2fKey, .chromium, .firefox, .onePassword,
        ]
    }

    /// Which AAGUID iCloud Keychain has.
    @nonexhaustive
    public enum ICloudKeychainModel: String, Hashable, Sendable, Codable, CaseIterable {
        /// Zeros, as older releases have it.
        case zero

        /// `fbfc3007-154e-4ecc-8c0b-6e020557d7bd`, as newer releases have it.
        case fbfc3007

        var aaguid: AAGUID {
            switch self {
            case .zero: .zero
            case .fbfc3007: .model("fbfc3007-154e-4ecc-8c0b-6e020557d7bd")
            }
        }
    }

    /// iCloud Keychain of a newer release.
    public static var iCloudKeychain: AuthenticatorProfile { iCloudKeychain(aaguid: .fbfc3007) }

    /// iCloud Keychain as a native application meets it: no attestation whatever is asked for, no counter, always backed
    /// up, always with user verification, and client data without `crossOrigin`.
    ///
    /// - Parameter aaguid: Which AAGUID it has.
    /// - Returns: The profile.
    public static func iCloudKeychain(aaguid: ICloudKeychainModel) -> AuthenticatorProfile {
        AuthenticatorProfile(aaguid == .zero ? "iCloud Keychain (zero AAGUID)" : "iCloud Keychain") { options in
            options.applyICloudKeychain()
            options.aaguid = aaguid.aaguid
        }
    }

    /// iCloud Keychain on a device that an organization manages: Apple's anonymous attestation, where a relying party
    /// asks for `enterprise` and the client has it on its list.
    public static var iCloudKeychainManaged: AuthenticatorProfile {
        AuthenticatorProfile("iCloud Keychain (managed)") { options in
            options.applyICloudKeychain()
            options.aaguid = .model("dd4ec289-e01d-41c9-bb89-70fa845d4bf2")
            options.attestationProfile = AttestationProfile(.apple, authority: AttestationAuthority(name: "Apple"))
            options.attestsForEnterpriseAlone = true
        }
    }

    /// Google Password Manager.
    public static var googlePasswordManager: AuthenticatorProfile {
        AuthenticatorProfile("Google Password Manager") { options in
            options.applySynchronisedProvider()
            options.aaguid = .model("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4")
            options.credentialIDLength = 16
        }
    }

    /// Windows Hello with a TPM: credentials stay on the device, and the TPM attests them.
    public static var windowsHello: AuthenticatorProfile {
        AuthenticatorProfile("Windows Hello") { options in
            options.transports = [.internal]
            options.alwaysVerifiesUser = true
            options.defaultBackupEligibility = false
            options.defaultBackupState = false
            options.algorithms = [.es256, .rs256]
            options.extensions = [.hmacSecret, .credProtect]
            options.aaguid = .model("08987058-cadc-4b81-b6e1-30de50dcbe96")
            options.attestationProfile = AttestationProfile(.tpm, authority: AttestationAuthority(name: "Windows"))
            options.honorsAttestationFormats = false
            options.counterMode = .perCredential
        }
    }

    /// A YubiKey of the series 5 with NFC: a batch's attestation certificate, one counter for all credentials, and keys in
    /// the IDs of credentials that are not discoverable.
    public static var yubiKey5: AuthenticatorProfile {
        AuthenticatorProfile("YubiKey 5") { options in
            options.applySecurityKey()
            options.protocolVersion = .ctap21
            options.transports = [.nfc, .usb]
            options.residentKeyCapacity = 25
            options.algorithms = [.es256, .edDSA]
            options.extensions = [.credProtect, .hmacSecret]
            options.aaguid = .model("2fc0579f-8113-47ea-b116-bb5a8db9202a")
            options.attestationProfile = AttestationProfile(.packed, authority: AttestationAuthority(name: "YubiKey"))
            options.counterMode = .global
            options.initialSignCount = 1
            options.credentialIDLength = 48
        }
    }

    /// A security key of U2F: presence alone, nothing discoverable, and the format `fido-u2f`.
    public static var u2fKey: AuthenticatorProfile {
        AuthenticatorProfile("U2F key") { options in
            options.applySecurityKey()
            options.protocolVersion = .u2f
            options.transports = [.usb]
            options.hasResidentKey = false
            options.hasUserVerification = false
            options.extensions = []
            options.attestationProfile = AttestationProfile(.fidoU2F, authority: AttestationAuthority(name: "U2F"))
            options.counterMode = .u2f
        }
    }

    /// Chromium's virtual authenticator with the transport `internal`, as its developer tools make it.
    public static var chromium: AuthenticatorProfile {
        AuthenticatorProfile("Chromium virtual authenticator") { options in
            options.transports = [.internal]
            options.order = .ctap2
            options.defaultBackupEligibility = false
            options.defaultBackupState = false
            options.residentKeyCapacity = 3
            options.algorithms = [.es256, .edDSA, .rs256]
            options.extensions = [.prf, .largeBlob, .credBlob, .credProtect, .minPinLength]
            options.aaguid = .model("01020304-0506-0708-0102-030405060708")
            options.attestationProfile = AttestationProfile(.packed, authority: AttestationAuthority(name: "Chromium"))
            options.honorsAttestationFormats = false
            options.counterMode = .perCredential
            options.initialSignCount = 1
        }
    }

    /// Firefox's virtual authenticator with the transport `internal`.
    public static var firefox: AuthenticatorProfile {
        AuthenticatorProfile("Firefox virtual authenticator") { options in
            options.transports = [.internal]
            options.order = .ctap2
            options.defaultBackupEligibility = false
            options.defaultBackupState = false
            options.extensions = [.hmacSecret, .credProtect]
            options.aaguid = .model("68e100a5-0b47-9104-b854-97a9ba510638")
            options.honorsAttestationFormats = false
            options.counterMode = .perCredential
        }
    }

    /// 1Password.
    public static var onePassword: AuthenticatorProfile {
        AuthenticatorProfile("1Password") { options in
            options.applySynchronisedProvider()
            options.aaguid = .model("bada5566-a7aa-401f-bd96-45619a55120d")
            options.credentialIDLength = 16
        }
    }
}

extension VirtualAuthenticatorOptions {
    fileprivate mutating func applySynchronisedProvider() {
        transports = [.hybrid, .internal]
        alwaysVerifiesUser = true
        extensions = [.prf]
        honorsAttestationFormats = false
    }

    fileprivate mutating func applyICloudKeychain() {
        applySynchronisedProvider()
        extensions = [.prf, .largeBlob]
        credentialIDLength = 20
        clientDataForm = .native
    }

    fileprivate mutating func applySecurityKey() {
        attachment = .crossPlatform
        wrapsKeys = true
        defaultBackupEligibility = false
        defaultBackupState = false
        honorsAttestationFormats = false
        order = .ctap2
        stringByteLimit = 64
        signalEffect = .ignores
    }
}

extension AAGUID {
    /// A model of this file; its text is right, or it would be zeros and a test would see them.
    fileprivate static func model(_ text: String) -> AAGUID { AAGUID(text) ?? .zero }
}

extension VirtualAuthenticator {
    /// Makes an authenticator as a product has it.
    ///
    /// - Parameters:
    ///   - profile: The product.
    ///   - random: Where its bytes come from; `nil` for what its client has, or else for the system's source.
    ///   - clock: Where its time comes from; `nil` for what its client has, or else for the system's clock.
    /// - Returns: An authenticator without credentials.
    public static func profile(
        _ profile: AuthenticatorProfile,
        random: VirtualRandomSource? = nil,
        clock: VirtualClock? = nil
    ) -> VirtualAuthenticator {
        VirtualAuthenticator(profile.options, random: random, clock: clock)
    }
}
