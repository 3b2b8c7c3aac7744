/// How a client's ceremony fails: the name of the exception that a page catches, and behind it what a page never learns.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The names of the DOM's exceptions, and of ECMAScript's `TypeError`.
    @nonexhaustive
    public enum Name: String, Hashable, Sendable, Codable, CaseIterable {
        /// The caller ended the ceremony.
        case abort = "AbortError"

        /// No authenticator can do what is required, where a client tells so.
        case constraint = "ConstraintError"

        /// Options in JSON have text that is not base64url.
        case encoding = "EncodingError"

        /// An excluded credential is on an authenticator. It is the one error of an authenticator that is passed on.
        case invalidState = "InvalidStateError"

        /// The user refused, time ran out, or nothing fits. A page is not told which.
        case notAllowed = "NotAllowedError"

        /// The options ask for no credential type that the client knows, or for an extension that has no place there.
        case notSupported = "NotSupportedError"

        /// The page may not use this RP ID.
        case security = "SecurityError"

        /// An extension's input names a credential by text that is not an ID, or options are not JSON.
        case syntax = "SyntaxError"

        /// A value has a type or a length that it cannot have, or the client has no such method.
        case type = "TypeError"

        /// Something broke.
        case unknown = "UnknownError"
    }

    /// Why, more exactly than a page may know.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// A permissions policy keeps the page from the feature.
        case permissionsPolicy

        /// A frame of another origin may not ask for this: a conditional registration, or one without the user's activation.
        case frame

        /// `silent` mediation, which yields nothing here.
        case silentMediation

        /// The client cannot do this at all.
        case unsupported

        /// The options, or a signal's, have a member that cannot be.
        case malformedOptions

        /// The page's origin is opaque, or none that a browser has.
        case opaqueOrigin

        /// The page's host is no domain, or not reached over a secure connection.
        case invalidDomain

        /// The RP ID is not the page's domain, nor one above it.
        case relyingPartyIdentifier

        /// The RP ID is another domain, whose file of related origins does not name the page's.
        case relatedOrigins

        /// The options ask for no credential type that the client knows.
        case noKnownCredentialType

        /// An extension's input cannot be.
        case extensionInput

        /// The caller ended the ceremony.
        case aborted

        /// A registration without a dialog comes with no sign-in before it.
        case noRecentAuthentication

        /// The user closed the client's own dialog.
        case dialogClosed

        /// The user took longer than the ceremony's timer.
        case timedOut

        /// Nobody answered a request that no timer ends: a browser's promise would wait until its caller ends it.
        case pending

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

    /// What a page catches; where the caller ended the ceremony, ``abortReason`` is what it catches.
    public let name: Name

    /// Why, for the test that asks.
    public let reason: Reason

    /// The number of the step that threw, in the method's own section; 0 for what Credential Management does before it.
    public let step: Int

    /// What goes to the log.
    public let detail: String

    /// What each authenticator that was asked answered, in turn.
    public let authenticatorErrors: [AuthenticatorError]

    /// What the caller gave as reason, if it ended the ceremony.
    public let abortReason: AbortReason?

    init(
        _ name: Name,
        _ reason: Reason,
        step: Int,
        _ detail: String,
        authenticatorErrors: [AuthenticatorError] = [],
        abortReason: AbortReason? = nil
    ) {
        self.name = name
        self.reason = reason
        self.step = step
        self.detail = detail
        self.authenticatorErrors = authenticatorErrors
        self.abortReason = abortReason
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
            reasons.first { [.consentDenied, .userVerificationFailed, .timedOut].contains($0) } ?? reasons.first
            ?? reason
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
