public import PasskeyModel

/// A registration that was verified.
///
/// Store ``credential`` with an insert that fails if the identifier is there already: two registrations of one
/// credential may be verified at the same time, and step 26 saw neither.
public struct Registration: Hashable, Sendable {
    /// The record to store.
    public let credential: CredentialRecord

    /// What was found of the attestation: its type, whether and by what path it is trusted, and what was decided.
    ///
    /// Its format and the AAGUID are in ``credential``.
    public let attestation: AttestationVerifier.Verdict

    /// Whether the authenticator checked who the user is.
    public let userVerified: Bool

    /// The client data, with members that this library does not know.
    public let clientData: ClientData

    /// The authenticator data, with its extension outputs.
    public let authenticatorData: AuthenticatorData

    /// What the client says of extensions; it is not signed.
    public let clientExtensionResults: AuthenticationExtensionsClientOutputs

    /// Extensions that answered though nobody asked, by identifier.
    public let unsolicitedExtensions: [String]

    /// The type of attestation.
    public var attestationType: AttestationType { attestation.type }

    /// Whether the attestation leads to a trust anchor.
    public var isAttestationTrusted: Bool { attestation.isTrusted }
}

/// A sign-in that was verified.
///
/// Store ``credential`` in place of the record that was used, unless another sign-in has changed that meanwhile.
public struct Authentication: Hashable, Sendable {
    /// The whole updated record: counter, backup state, and backup eligibility where it was unknown.
    public let credential: CredentialRecord

    /// Whether the authenticator checked who the user is, in this sign-in.
    public let userVerified: Bool

    /// Whether the signature counter has not grown, which a policy allowed: a copy of the authenticator may exist.
    public let cloneWarning: Bool

    /// Whether the record said that the credential cannot be backed up and now says that it can, which a policy
    /// allowed.
    public let backupEligibilityUpgraded: Bool

    /// The client data, with members that this library does not know.
    public let clientData: ClientData

    /// The authenticator data, with its extension outputs.
    public let authenticatorData: AuthenticatorData

    /// What the client says of extensions; it is not signed.
    public let clientExtensionResults: AuthenticationExtensionsClientOutputs

    /// Extensions that answered though nobody asked, by identifier.
    public let unsolicitedExtensions: [String]

    /// Who signed in.
    public var userHandle: UserHandle { credential.userHandle }

    /// Whether this credential verified its user for the first time.
    ///
    /// From then on it could serve as the only factor; so write it, with
    /// ``credentialInitializingUserVerification()``, only after another factor as strong has agreed (step 24).
    public var canInitializeUserVerification: Bool { userVerified && !credential.uvInitialized }

    /// The updated record, with `uvInitialized` set if the user was verified.
    public func credentialInitializingUserVerification() -> CredentialRecord {
        var credential = credential
        credential.uvInitialized = credential.uvInitialized || userVerified
        return credential
    }
}
