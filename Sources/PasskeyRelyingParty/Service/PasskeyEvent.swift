public import PasskeyModel

/// Something that happened in a ``PasskeyService``, for logs and metrics.
///
/// It names users and credentials, and holds no challenge, token, key, signature or name.
@nonexhaustive
public enum PasskeyEvent: Hashable, Sendable {
    /// A registration began.
    case registrationBegan(UserHandle)

    /// A passkey was registered.
    case registered(UserHandle, credentialID: [UInt8], aaguid: AAGUID?, attestation: AttestationType)

    /// A registration was refused.
    case registrationRefused(RegistrationError)

    /// A sign-in began; of nobody in particular where it is discoverable.
    case authenticationBegan(CeremonyEntry.Purpose, UserHandle?)

    /// A user signed in.
    case authenticated(UserHandle, credentialID: [UInt8], userVerified: Bool, backupState: Bool?)

    /// A sign-in was refused.
    case authenticationRefused(AuthenticationError, credentialID: [UInt8])

    /// A signature counter has not grown, which a policy allowed: a copy of the authenticator may exist.
    case cloneSuspected(UserHandle, credentialID: [UInt8])

    /// The application's own checks refused what was verified.
    case applicationRefused(UserHandle, credentialID: [UInt8])

    /// A token named no ceremony that could be finished.
    case ceremonyRefused(CeremonyFault)

    /// A passkey was renamed.
    case renamed(UserHandle, credentialID: [UInt8])

    /// A passkey was removed.
    case removed(UserHandle, credentialID: [UInt8])

    /// A store failed.
    case storeFailed(StoreError)
}

/// Why a token named no ceremony that could be finished.
@nonexhaustive
public enum CeremonyFault: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is not known, or was used before, or was altered.
    case unknown

    /// It was begun for something else.
    case otherPurpose

    /// It was begun in another session.
    case otherSession

    /// It ended before it was finished.
    case expired

    /// It was begun for another relying party, or by a version of this library that this one cannot read.
    case unreadable
}
