/// Whose credential record it is: the libraries whose stored shapes ``CredentialRecord`` is read from.
///
/// What a library did not store stays unknown: above all the backup flags, which the next sign-in tells.
@nonexhaustive
public enum ForeignRecord: String, Hashable, Sendable, CaseIterable {
    /// SimpleWebAuthn: the row that its manual proposes, `id`, `publicKey`, `counter`, `transports`, `deviceType`, `backedUp`
    /// and `webauthnUserID` (version 10 and later), or `registrationInfo` as versions 8 and 9 gave it, `credentialID`,
    /// `credentialPublicKey`, `counter`, `credentialDeviceType` and `credentialBackedUp`.
    ///
    /// Identifiers are base64url. A key is base64url too, or what JSON makes of a `Uint8Array` or a `Buffer`; transports are
    /// a list, or text with commas.
    case simpleWebAuthn

    /// py_webauthn: the fields of `VerifiedRegistration`, with bytes in base64url, and `transports` if they were kept.
    case pyWebAuthn

    /// go-webauthn: `Credential` as `encoding/json` writes it, with bytes in padded base64.
    ///
    /// Records from before `flags` were kept have neither backup flags nor user verification; those from before fields had
    /// JSON names (`ID`, `PublicKey`) are read, too.
    case goWebAuthn

    /// swift-webauthn: the stored properties of `Credential`, an identifier in padded base64 or in base64url, and a key as a
    /// list of numbers or in either; the counter is `signCount`, or `currentSignCount` of its example.
    case swiftWebAuthn
}
