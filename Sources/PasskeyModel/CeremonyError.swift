/// What may be told to a browser about a refusal.
///
/// An unknown credential, another user's credential and a bad signature have the same code, so that nobody can probe
/// which accounts and credentials exist (`#sctn-username-enumeration`).
@nonexhaustive
public enum PublicErrorCode: String, Hashable, Sendable, CaseIterable {
    /// The response is not what a client sends; trying again does not help.
    case malformedResponse = "malformed-response"

    /// The ceremony took too long, or was begun for something else; begin again.
    case ceremonyExpired = "ceremony-expired"

    /// The response belongs to another ceremony, page or site.
    case wrongContext = "wrong-context"

    /// The authenticator did not check who the user is, and had to.
    case userVerificationRequired = "user-verification-required"

    /// This kind of authenticator or credential is not accepted here.
    case authenticatorNotAccepted = "authenticator-not-accepted"

    /// The credential is registered already.
    case credentialAlreadyRegistered = "credential-already-registered"

    /// The sign-in failed.
    case authenticationFailed = "authentication-failed"

    /// The server does not know this credential.
    ///
    /// Only for applications that ask for the distinction by ``AuthenticationError/codeDistinguishingUnknown`` to tell
    /// the client's authenticator that the credential is gone (`#sctn-signalUnknownCredential`).
    case unknownCredential = "unknown-credential"
}

/// A registration response that was refused, and the step that refused it.
public struct RegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A step that can refuse; the raw value is its number in the pinned §7.1 (see ``Specification``).
    @nonexhaustive
    public enum Step: Int, Hashable, Sendable, CaseIterable {
        /// The ceremony that `begin` made: its purpose and expiry. Step 1 makes the options that it stands for.
        case ceremony = 1

        /// The response's own shape, before anything is decoded: step 3 asks what kind of response it is.
        case response = 3

        /// `clientDataJSON` is UTF-8.
        case jsonText = 5

        /// `clientDataJSON` is JSON with the members of client data.
        case clientData = 6

        /// C.type is `webauthn.create`.
        case type = 7

        /// C.challenge is the ceremony's.
        case challenge = 8

        /// C.origin is one of the relying party's.
        case origin = 9

        /// C.crossOrigin is true only where that is expected.
        case crossOrigin = 10

        /// C.topOrigin is one that the relying party expects to be framed by.
        case topOrigin = 11

        /// The attestation object and its authenticator data parse, with nothing left over.
        case attestationObject = 13

        /// The RP ID hash is this relying party's.
        case rpIDHash = 14

        /// UP is set, unless the mediation was conditional.
        case userPresent = 15

        /// UV is set, where it was required.
        case userVerified = 16

        /// BS is not set without BE.
        case backupState = 17

        /// BE is as the relying party's policy asks.
        case backupEligibilityPolicy = 18

        /// BS is as the relying party's policy asks.
        case backupStatePolicy = 19

        /// The key's algorithm was offered, and the key is sound.
        case algorithm = 20

        /// The attestation statement's format is known.
        case attestationFormat = 21

        /// The attestation statement verifies.
        case attestationStatement = 22

        /// The attestation is trustworthy.
        case attestationTrust = 24

        /// The credential ID has at most 1,023 bytes.
        case credentialIDLength = 25

        /// The credential ID is nobody's yet.
        case credentialIDUniqueness = 26

        /// The extension outputs are as expected.
        case extensions = 28
    }

    /// The steps of §7.1 that refuse nothing, and why.
    public static let silentSteps: [Int: String] = [
        2: "create() runs in the client",
        4: "clientExtensionResults is taken over; step 28 verifies it",
        12: "a hash is computed",
        23: "trust anchors are obtained; step 24 asks them",
        27: "the record is made",
        29: "success",
    ]

    /// What a program branches on.
    public var step: Step

    /// What may be told to a browser.
    public var code: PublicErrorCode

    /// What goes to the log.
    ///
    /// It may quote the response: do not match on it, and do not show it to the user.
    public var detail: String

    /// Where in the part that the step reads a parser refused.
    public var offset: Int?

    /// The rule of an attestation statement format that is broken, such as `tpm.magic`; `nil` at the other steps.
    public var rule: String?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - step: The step that refuses.
    ///   - detail: What goes to the log.
    ///   - offset: Where a parser refused.
    ///   - rule: The rule of an attestation statement format that is broken.
    public init(_ step: Step, _ detail: String, offset: Int? = nil, rule: String? = nil) {
        self.step = step
        self.detail = detail
        self.offset = offset
        self.rule = rule
        code =
            switch step {
            case .ceremony: .ceremonyExpired
            case .response, .jsonText, .clientData, .attestationObject, .extensions, .credentialIDLength,
                .backupState:
                .malformedResponse
            case .type, .challenge, .origin, .crossOrigin, .topOrigin, .rpIDHash: .wrongContext
            case .userPresent, .userVerified: .userVerificationRequired
            case .backupEligibilityPolicy, .backupStatePolicy, .algorithm, .attestationFormat, .attestationStatement,
                .attestationTrust:
                .authenticatorNotAccepted
            case .credentialIDUniqueness: .credentialAlreadyRegistered
            }
    }

    /// Step and detail in one line, for the log.
    public var description: String {
        "registration refused at step \(step.rawValue) (\(step)): \(detail)" + (offset.map { " (offset \($0))" } ?? "")
    }
}

/// An authentication response that was refused, and the step that refused it.
public struct AuthenticationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A step that can refuse; the raw value is its number in the pinned §7.2 (see ``Specification``).
    @nonexhaustive
    public enum Step: Int, Hashable, Sendable, CaseIterable {
        /// The ceremony that `begin` made: its purpose and expiry. Step 1 makes the options that it stands for.
        case ceremony = 1

        /// The response's own shape, before anything is decoded: step 3 asks what kind of response it is.
        case response = 3

        /// The credential is one of those allowed.
        case allowedCredential = 5

        /// The credential is known, and belongs to the user.
        case credential = 6

        /// The authenticator data parses, with nothing left over.
        case authenticatorData = 7

        /// `clientDataJSON` is UTF-8.
        case jsonText = 8

        /// `clientDataJSON` is JSON with the members of client data.
        case clientData = 9

        /// C.type is `webauthn.get`.
        case type = 10

        /// C.challenge is the ceremony's.
        case challenge = 11

        /// C.origin is one of the relying party's.
        case origin = 12

        /// C.crossOrigin is true only where that is expected.
        case crossOrigin = 13

        /// C.topOrigin is one that the relying party expects to be framed by.
        case topOrigin = 14

        /// The RP ID hash is this relying party's, or its AppID's where that was asked for.
        case rpIDHash = 15

        /// UP is set.
        case userPresent = 16

        /// UV is set, where it was required.
        case userVerified = 17

        /// BS is not set without BE.
        case backupState = 18

        /// BE is what the record says, and BE and BS are as the relying party's policy asks.
        case backupConsistency = 19

        /// The signature is the credential's, over authenticator data and the hash of client data.
        case signature = 21

        /// The signature counter has grown, or is not used.
        case signCount = 22

        /// The extension outputs are as expected.
        case extensions = 23
    }

    /// The steps of §7.2 that refuse nothing, and why.
    public static let silentSteps: [Int: String] = [
        2: "get() runs in the client",
        4: "clientExtensionResults is taken over; step 23 verifies it",
        20: "a hash is computed",
        24: "the record is updated",
        25: "success",
    ]

    /// What a program branches on.
    public var step: Step

    /// What may be told to a browser.
    public var code: PublicErrorCode

    /// What goes to the log.
    ///
    /// It may quote the response: do not match on it, and do not show it to the user.
    public var detail: String

    /// Where in the part that the step reads a parser refused.
    public var offset: Int?

    /// Whether the credential is known to nobody, which ``code`` keeps to itself.
    public var isUnknownCredential: Bool

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - step: The step that refuses.
    ///   - detail: What goes to the log.
    ///   - offset: Where a parser refused.
    ///   - isUnknownCredential: Whether the credential is known to nobody.
    public init(_ step: Step, _ detail: String, offset: Int? = nil, isUnknownCredential: Bool = false) {
        self.step = step
        self.detail = detail
        self.offset = offset
        self.isUnknownCredential = isUnknownCredential
        code =
            switch step {
            case .ceremony: .ceremonyExpired
            case .response, .authenticatorData, .jsonText, .clientData, .extensions, .backupState: .malformedResponse
            case .type, .challenge, .origin, .crossOrigin, .topOrigin, .rpIDHash: .wrongContext
            case .userPresent, .userVerified: .userVerificationRequired
            case .allowedCredential, .credential, .backupConsistency, .signature, .signCount: .authenticationFailed
            }
    }

    /// ``code``, but with ``PublicErrorCode/unknownCredential`` where that is the reason.
    ///
    /// Sending it tells the world which credentials exist. It is for a page that calls `signalUnknownCredential()`.
    public var codeDistinguishingUnknown: PublicErrorCode {
        isUnknownCredential ? .unknownCredential : code
    }

    /// Step and detail in one line, for the log.
    public var description: String {
        "authentication refused at step \(step.rawValue) (\(step)): \(detail)"
            + (offset.map { " (offset \($0))" } ?? "")
    }
}
