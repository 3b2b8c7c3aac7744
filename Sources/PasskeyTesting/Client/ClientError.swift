/// How a client's ceremony fails: the name of the exception that a page catches, and behind it what a page never learns.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The names of the DOM's exceptions.
    @nonexhaustive
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// The caller ended the ceremony.
        case abort = "AbortError"

        /// An excluded credential is on an authenticator. It is the one error of an authenticator that is passed on.
        case invalidState = "InvalidStateError"

        /// The user refused, time ran out, or nothing fits. A page is not told which.
        case notAllowed = "NotAllowedError"

        /// The options ask for no credential type that the client knows.
        case notSupported = "NotSupportedError"

        /// The page may not use this RP ID.
        case security = "SecurityError"

        /// Something broke.
        case unknown = "UnknownError"
    }

    /// Why, more exactly than a page may know.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The page's origin is opaque, or none that a browser has.
        case opaqueOrigin

        /// The page's host is no domain, or not reached over a secure connection.
        case invalidDomain

        /// The RP ID is not the page's domain, nor one above it.
        case relyingPartyIdentifier

        /// The options ask for no credential type that the client knows.
        case noKnownCredentialType

        /// The caller ended the ceremony.
        case aborted

        /// The user took longer than the ceremony's timer.
        case timedOut

        /// No authenticator is there that can do what is asked.
        case noAuthenticator

        /// No authenticator supports one of the algorithms.
        case noSupportedAlgorithm

        /// No authenticator has a credential that fits.
        case noCredential

        /// An authenticator has an excluded credential.
        case excludedCredential

        /// The user did not agree.
        case consentDenied

        /// The user was not verified.
        case userVerificationFailed

        /// An authenticator failed otherwise.
        case authenticatorFailed

        /// The adversary cannot do to this ceremony what was asked of it.
        case mutationNotApplicable
    }

    /// What a page catches.
    public let name: Name

    /// Why, for the test that asks.
    public let reason: Reason

    /// The number of the step that threw, in §5.1.3 or §5.1.4.
    public let step: Int

    /// What goes to the log.
    public let detail: String

    /// What each authenticator that was asked answered, in turn.
    public let authenticatorErrors: [AuthenticatorError]

    init(
        _ name: Name,
        _ reason: Reason,
        step: Int,
        _ detail: String,
        authenticatorErrors: [AuthenticatorError] = []
    ) {
        self.name = name
        self.reason = reason
        self.step = step
        self.detail = detail
        self.authenticatorErrors = authenticatorErrors
    }

    /// The last step of both ceremonies: nobody succeeded, and the page learns no more than that.
    static func nobodySucceeded(
        _ errors: [AuthenticatorError],
        otherwise reason: Reason,
        step: Int
    ) -> ClientError {
        // The answer of a user counts for more than that of a device.
        let reasons = errors.map { Reason($0.reason) }
        let decisive =
            reasons.first { $0 == .consentDenied || $0 == .userVerificationFailed } ?? reasons.first ?? reason
        let detail = errors.isEmpty ? "no authenticator could be asked" : "no authenticator succeeded"
        return ClientError(.notAllowed, decisive, step: step, detail, authenticatorErrors: errors)
    }

    /// The error in one line.
    public var description: String {
        let answers = authenticatorErrors.map { "; \($0)" }.joined()
        return "\(name.rawValue) at step \(step) (\(reason.rawValue)): \(detail)\(answers)"
    }
}

extension ClientError.Reason {
    init(_ reason: AuthenticatorError.Reason) {
        self =
            switch reason {
            case .noSupportedAlgorithm: .noSupportedAlgorithm
            case .excludedCredential: .excludedCredential
            case .residentKeyUnsupported, .userVerificationUnsupported: .noAuthenticator
            case .consentDenied: .consentDenied
            case .userVerificationFailed: .userVerificationFailed
            case .noCredential: .noCredential
            case .ignored: .timedOut
            case .cancelled: .aborted
            case .malformedParameters, .keyStoreFull, .extensionRefused, .operationFailed: .authenticatorFailed
            }
    }
}
