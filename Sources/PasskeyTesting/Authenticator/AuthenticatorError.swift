/// What an authenticator tells its client when an operation fails (`#sctn-authenticator-ops`).
///
/// A page never sees it: the client hides all but `InvalidStateError`.
public struct AuthenticatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error codes of §6.3.2 and §6.3.3, which are equivalent to the DOM's.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        /// The parameters are malformed, or something broke.
        case unknown = "UnknownError"

        /// None of the algorithms is supported.
        case notSupported = "NotSupportedError"

        /// An excluded credential is on this authenticator, and the user agreed to tell.
        case invalidState = "InvalidStateError"

        /// The user did not agree, was not verified, or there is no credential.
        case notAllowed = "NotAllowedError"

        /// The authenticator cannot do what is required.
        case constraint = "ConstraintError"
    }

    /// Why, more exactly than an authenticator may tell.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// A parameter has a wrong form or length.
        case malformedParameters

        /// None of the algorithms is supported.
        case noSupportedAlgorithm

        /// An excluded credential is on this authenticator.
        case excludedCredential

        /// It stores no discoverable credentials.
        case residentKeyUnsupported

        /// It cannot verify the user.
        case userVerificationUnsupported

        /// The user did not agree.
        case consentDenied

        /// The user was not verified.
        case userVerificationFailed

        /// The user did nothing until time ran out.
        case ignored

        /// The client ended the operation (`#sctn-op-cancel`).
        case cancelled

        /// It has no credential that fits.
        case noCredential

        /// There is no room for another discoverable credential.
        case keyStoreFull

        /// An extension's input does not authenticate itself, or has the wrong form.
        case extensionRefused

        /// Making the credential or the signature failed.
        case operationFailed
    }

    /// What a client sees that speaks as WebAuthn does; ``status`` is the same for one that speaks CTAP.
    public let code: Code

    /// Why, for the test that asks.
    public let reason: Reason

    /// The number of the step that failed, in §6.3.2 or §6.3.3.
    public let step: Int

    /// What goes to the log.
    public let detail: String

    init(_ code: Code, _ reason: Reason, step: Int, _ detail: String) {
        self.code = code
        self.reason = reason
        self.step = step
        self.detail = detail
    }

    /// The error in one line.
    public var description: String {
        "\(code.rawValue) (\(status)) at step \(step): \(detail)"
    }
}
