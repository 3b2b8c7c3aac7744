import PasskeyModel

extension Mutation {
    /// A circumstance without which the change cannot be made, or is not refused at its step and there alone.
    public enum Need: String, Hashable, Sendable, CaseIterable {
        /// The relying party requires user verification.
        case userVerificationRequired

        /// The relying party names the credentials that it allows.
        case allowedCredentials

        /// The relying party knows the user by the user handle alone.
        case discoverable

        /// The relying party knew the user before the sign-in.
        case knownUser

        /// The relying party knew the user before the sign-in, and names no credentials.
        case knownUserAlone

        /// The relying party expects to be in a frame of another origin.
        case crossOriginAllowed

        /// The relying party accepts credentials that may be copied to other devices only.
        case backupEligibilityRequired

        /// The relying party accepts credentials that are backed up only.
        case backupRequired

        /// The relying party refuses extension outputs that it did not ask for.
        case unsolicitedExtensionsRefused

        /// The relying party asks that the credential be guarded by user verification (CTAP 2.2, `credProtect`), and
        /// accepts no less.
        case credentialProtectionRequired

        /// The credential signs with ECDSA.
        case ecdsa

        /// The relying party offers ES256.
        case es256

        /// The relying party offers ES384.
        case es384

        /// The authenticator counts signatures, and there was a sign-in before.
        case signatureCounter

        /// The counter of the sign-in before was the greatest there is.
        case signatureCounterAtEnd

        /// The credential may be copied to other devices.
        case backupEligible

        /// The credential may not be copied to other devices.
        case notBackupEligible

        /// The authenticator has a credential of another account that is registered already.
        case anotherCredential

        /// The authenticator has another credential of the account, which is registered and not allowed.
        case anotherCredentialOfAccount

        /// The adversary has the response to an earlier ceremony of the account, which the relying party accepted
        /// (``Adversary/recording``).
        case finishedCeremony

        /// The adversary has the response to a ceremony of the account that is open in another session.
        case openCeremony

        /// The adversary has the response to an open ceremony of another account.
        case openCeremonyOfAnotherAccount

        /// The adversary has the response that the relying party accepted in this very ceremony.
        case sameCeremony

        // MARK: Attestation

        /// The relying party verifies attestation statements.
        case attestationVerified

        /// The relying party asks for no attestation.
        case attestationNotAsked

        /// The relying party trusts nothing but what leads to the root of the authenticator's certificates.
        case attestationTrusted

        /// The relying party does not mind whom an attestation leads to.
        case attestationNotTrusted

        /// The relying party accepts TPMs of the manufacturers alone that it knows.
        case tpmManufacturersListed

        /// The relying party accepts Android keys alone that hardware vouches for.
        case androidHardwareRequired

        /// The credential is attested in no way.
        case noAttestation

        /// The credential attests itself, in the format `packed`.
        case selfAttestation

        /// The credential is attested in the format `packed`, with a certificate.
        case packedAttestation

        /// The credential is attested in the format `tpm`.
        case tpmAttestation

        /// The credential is attested in the format `android-key`.
        case androidKeyAttestation

        /// The credential is attested in the format `android-safetynet`, and the relying party knows that format.
        case androidSafetyNetAttestation

        /// The credential is attested in the format `fido-u2f`.
        case fidoU2FAttestation

        /// The credential is attested in the format `apple`.
        case appleAttestation

        /// The credential is attested in the format `compound`.
        case compoundAttestation

        /// How the authenticator has to attest.
        var attestation: AttestationProfile? {
            switch self {
            case .noAttestation: AttestationProfile(.none)
            case .selfAttestation: AttestationProfile(.packed, isSelf: true)
            case .packedAttestation: AttestationProfile(.packed)
            case .tpmAttestation: AttestationProfile(.tpm)
            case .androidKeyAttestation: .androidDevice
            case .androidSafetyNetAttestation: AttestationProfile(.androidSafetyNet)
            case .fidoU2FAttestation: AttestationProfile(.fidoU2F)
            case .appleAttestation: AttestationProfile(.apple)
            case .compoundAttestation: AttestationProfile(.compound)
            default: nil
            }
        }
    }

    /// How the authenticator has to attest; `nil` where it does not matter.
    ///
    /// Its authority may be another one than this.
    public var attestation: AttestationProfile? { needs.lazy.compactMap(\.attestation).first }
}

extension AttestationProfile {
    /// Android's statements carry the root, too.
    fileprivate static var androidDevice: AttestationProfile {
        var profile = AttestationProfile(.androidKey)
        profile.includesRoot = true
        return profile
    }
}

extension VirtualAuthenticatorOptions {
    /// These options, changed as far as a mutation needs another authenticator.
    ///
    /// What it needs of the relying party and of other credentials is left to the test.
    ///
    /// - Parameter mutation: The mutation.
    /// - Returns: The options.
    public func meetingNeeds(of mutation: Mutation) -> VirtualAuthenticatorOptions {
        var options = self
        if let profile = mutation.attestation {
            options.attestationProfile = profile
            options.honorsAttestationFormats = false
        }
        let needs = mutation.needs
        if !needs.isDisjoint(with: [.signatureCounter, .signatureCounterAtEnd]), options.counterMode == .none {
            options.counterMode = .perCredential
        }
        if needs.contains(.backupEligible) { options.defaultBackupEligibility = true }
        if needs.contains(.notBackupEligible) { options.defaultBackupEligibility = false }
        if needs.contains(.credentialProtectionRequired) { options.extensions.insert(.credProtect) }
        return options
    }
}
