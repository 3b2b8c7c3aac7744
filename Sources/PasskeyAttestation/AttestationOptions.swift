public import PasskeyModel

/// How statements are read, and every departure from the strict reading, each off until it is named.
public struct AttestationOptions: Hashable, Sendable {
    /// How many statements of a `compound` one must verify (`#sctn-compound-attestation`).
    public enum CompoundPolicy: Hashable, Sendable {
        /// All of them.
        case all

        /// One; the others are not looked at any further.
        case any
    }

    /// Whose word counts for the properties of an Android key (`#sctn-android-key-attestation`).
    public enum AndroidKeyPolicy: Hashable, Sendable {
        /// The union of what the trusted environment enforces and of what software does.
        case any

        /// What the trusted execution environment or StrongBox enforces alone, and says so by its security levels.
        case hardwareOnly
    }

    /// Whose TPMs are accepted.
    public enum TPMManufacturerPolicy: Hashable, Sendable {
        /// Anybody's: the trust anchor decides.
        case any

        /// Those whose identifiers are listed, in the form of the certificate: `id:` and eight hexadecimal digits.
        case only(Set<String>)
    }

    /// What the client is asked for.
    ///
    /// With `enterprise`, a certificate may tell the authenticator's serial number.
    public var conveyance: AttestationConveyancePreference

    /// How many statements of a `compound` one must verify.
    public var compound: CompoundPolicy

    /// Whose word counts for the properties of an Android key.
    public var androidKeys: AndroidKeyPolicy

    /// Whose TPMs are accepted.
    public var tpmManufacturers: TPMManufacturerPolicy

    /// Whether a signature of a statement may be over SHA-1 (RS1), which TPMs of version 1.2's time made.
    public var allowsSHA1: Bool

    /// Whether the format `android-safetynet` is known.
    ///
    /// Google ended the service.
    public var allowsAndroidSafetyNet: Bool

    /// Makes options.
    ///
    /// - Parameters:
    ///   - conveyance: What the client is asked for.
    ///   - compound: How many statements of a `compound` one must verify.
    ///   - androidKeys: Whose word counts for the properties of an Android key.
    ///   - tpmManufacturers: Whose TPMs are accepted.
    ///   - allowsSHA1: Whether a signature of a statement may be over SHA-1.
    ///   - allowsAndroidSafetyNet: Whether the format `android-safetynet` is known.
    public init(
        conveyance: AttestationConveyancePreference = .direct,
        compound: CompoundPolicy = .all,
        androidKeys: AndroidKeyPolicy = .any,
        tpmManufacturers: TPMManufacturerPolicy = .any,
        allowsSHA1: Bool = false,
        allowsAndroidSafetyNet: Bool = false
    ) {
        self.conveyance = conveyance
        self.compound = compound
        self.androidKeys = androidKeys
        self.tpmManufacturers = tpmManufacturers
        self.allowsSHA1 = allowsSHA1
        self.allowsAndroidSafetyNet = allowsAndroidSafetyNet
    }
}
