/// What an authenticator speaks with its client, in WebDriver's names (`#dom-authenticatorconfiguration-protocol`).
@nonexhaustive
public enum AuthenticatorProtocol: String, Hashable, Sendable, Codable, CaseIterable {
    /// CTAP1, which is U2F.
    ///
    /// No user is verified, nothing is discoverable, no extension is known, and ES256 is the one algorithm.
    case u2f = "ctap1/u2f"

    /// CTAP 2.0.
    case ctap2

    /// CTAP 2.1.
    case ctap21 = "ctap2_1"

    /// CTAP 2.2.
    case ctap22 = "ctap2_2"
}

/// An extension that an authenticator may know, by its identifier in authenticator data where it has one.
///
/// The identifiers are CTAP 2.2's, §12, and WebAuthn's.
@nonexhaustive
public enum AuthenticatorExtension: String, Hashable, Sendable, Codable, CaseIterable {
    /// How a credential is guarded.
    case credProtect

    /// Up to 32 bytes with a credential.
    case credBlob

    /// A pseudo-random function of a credential, as CTAP has it: what is asked and answered is encrypted and signed.
    case hmacSecret = "hmac-secret"

    /// The same function at once when the credential is made (CTAP 2.2).
    ///
    /// Without it a registration answers `enabled` alone.
    case hmacSecretMC = "hmac-secret-mc"

    /// A pseudo-random function of a credential without CTAP: nothing of it is in authenticator data, as with the passkey
    /// providers of platforms.
    case prf

    /// A blob with a credential (`#sctn-large-blob-extension`).
    case largeBlob

    /// How short a PIN may be.
    case minPinLength
}

/// How an authenticator counts its signatures (`#sctn-sign-counter`).
@nonexhaustive
public enum SignatureCounterMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// It does not: the counter is zero forever, as with passkeys that are synchronised.
    case none

    /// Each credential has a counter, which begins at zero.
    case perCredential

    /// One counter serves all credentials; a registration tells its present value.
    case global

    /// One counter serves all credentials, and a registration tells zero, as U2F does.
    case u2f
}

/// In which order an operation makes its checks; only visible where several of them would fail.
@nonexhaustive
public enum OperationOrder: String, Hashable, Sendable, Codable, CaseIterable {
    /// The order of WebAuthn's §6.3.2.
    case webauthn

    /// The order of CTAP 2.2 §6.1.2: the user is verified first, and then the exclude list counts.
    case ctap2
}

/// What becomes of a credential that a signal method disowns (`#sctn-signal-methods`).
@nonexhaustive
public enum SignalEffect: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is kept and not offered any more, until a list of accepted credentials has it again.
    case hides

    /// It is gone.
    case removes

    /// Nothing, as with authenticators that cannot be reached by signals.
    case ignores
}
