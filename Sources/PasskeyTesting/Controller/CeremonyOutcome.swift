public import PasskeyAuthorization
import PasskeyModel

/// How a ceremony of a ``VirtualAuthorizationController`` goes.
///
/// ```swift
/// controller.next(.create, .fails(.cancelled).after(.seconds(2)))
/// controller.next(.authorize, .fails(code: .failed, underlying: .biometryNotEnrolled))
/// controller.standing[.authorizeWithAutoFill] = .hangs
/// ```
public struct CeremonyOutcome: Hashable, Sendable {
    /// What comes of the ceremony.
    @nonexhaustive
    public enum Ending: Hashable, Sendable {
        /// What the user and the authenticators decide.
        case succeeds

        /// It fails, and nobody is asked.
        case fails(AuthorizationErrorType)

        /// It fails with a code of the system's, its text and the error below it.
        case failsWithCode(AuthorizationErrorCode, message: String?, underlying: AuthorizationUnderlyingError?)

        /// It fails as if a page's client had thrown this.
        case failsWithException(ClientError.Name)

        /// It fails as if the authenticator had answered this.
        case failsWithStatus(CTAPStatus)

        /// Nothing happens until it is cancelled, another ceremony begins, or its request's timeout is over.
        case hangs
    }

    /// What comes of the ceremony.
    public var ending: Ending

    /// How long it takes before that; a ceremony whose timeout is shorter fails with
    /// ``AuthorizationErrorType/timedOut``.
    public var delay: Duration

    /// Makes an outcome.
    ///
    /// - Parameters:
    ///   - ending: What comes of the ceremony.
    ///   - delay: How long it takes before that.
    public init(_ ending: Ending, delay: Duration = .zero) {
        self.ending = ending
        self.delay = delay
    }

    /// What the user and the authenticators decide.
    public static let succeeds = CeremonyOutcome(.succeeds)

    /// Nothing happens until the ceremony is cancelled, another one begins, or its request's timeout is over.
    public static let hangs = CeremonyOutcome(.hangs)

    /// The ceremony fails, and nobody is asked.
    ///
    /// - Parameter type: What it fails with; the code comes from the client's table.
    /// - Returns: The outcome.
    public static func fails(_ type: AuthorizationErrorType) -> CeremonyOutcome { CeremonyOutcome(.fails(type)) }

    /// The ceremony fails with a code of the system's.
    ///
    /// - Parameters:
    ///   - code: The code, any number.
    ///   - message: The system's text.
    ///   - underlying: The error below it.
    /// - Returns: The outcome.
    public static func fails(
        code: AuthorizationErrorCode,
        message: String? = nil,
        underlying: AuthorizationUnderlyingError? = nil
    ) -> CeremonyOutcome {
        CeremonyOutcome(.failsWithCode(code, message: message, underlying: underlying))
    }

    /// The ceremony fails as if a page's client had thrown this.
    ///
    /// - Parameter exception: The exception's name.
    /// - Returns: The outcome.
    public static func fails(exception: ClientError.Name) -> CeremonyOutcome {
        CeremonyOutcome(.failsWithException(exception))
    }

    /// The ceremony fails as if the authenticator had answered this.
    ///
    /// - Parameter status: The status.
    /// - Returns: The outcome.
    public static func fails(status: CTAPStatus) -> CeremonyOutcome { CeremonyOutcome(.failsWithStatus(status)) }

    /// The same, later.
    ///
    /// In a ceremony with autofill, success after a delay is a user who takes so long to pick.
    ///
    /// - Parameter delay: How much later.
    /// - Returns: The outcome.
    public func after(_ delay: Duration) -> CeremonyOutcome { CeremonyOutcome(ending, delay: self.delay + delay) }

    /// The type that it fails with, if it fails with a type.
    var errorType: AuthorizationErrorType? {
        guard case .fails(let type) = ending else { return nil }
        return type
    }

    /// The error that it ends the ceremony with; `nil` where it does not.
    func error(
        in operation: AuthorizationOperation,
        _ table: AuthorizationErrorTable
    ) -> AuthorizationError? {
        let message = "as the test says"
        switch ending {
        case .succeeds, .hangs: return nil
        case .fails(let type):
            return AuthorizationError(
                type: type,
                message: table.reason(for: type).map { "\($0) (\(message))" } ?? message,
                code: table.code(for: type),
                originalError: table.underlyingError(for: type)
            )
        case .failsWithCode(let code, let text, let underlying):
            return AuthorizationError(code: code, message: text, underlying: underlying, table: table)
        case .failsWithException(let name):
            return AuthorizationError(
                ClientError(name, name.usualReason, step: 0, message),
                in: operation,
                table
            )
        case .failsWithStatus(let status):
            return AuthorizationError(ClientError(status, in: operation, message), in: operation, table)
        }
    }
}

extension ClientError.Name {
    /// What a client most often throws it for.
    fileprivate var usualReason: ClientError.Reason {
        switch self {
        case .abort: .aborted
        case .constraint: .noAuthenticator
        case .encoding, .syntax, .type: .malformedOptions
        case .invalidState: .excludedCredential
        case .notAllowed: .consentDenied
        case .notSupported: .noSupportedAlgorithm
        case .security: .relyingPartyIdentifier
        case .unknown: .authenticatorFailed
        }
    }
}

extension ClientError {
    /// What a client makes of one authenticator's answer.
    fileprivate init(_ status: CTAPStatus, in operation: AuthorizationOperation, _ detail: String) {
        let (code, reason, step) = status.meaning
        let answer = AuthenticatorError(code, reason, step: step, detail)
        guard code == .invalidState, operation == .create else {
            self = .nobodySucceeded([answer], otherwise: .authenticatorFailed, step: operation == .create ? 23 : 21)
            return
        }
        self.init(.invalidState, .excludedCredential, step: 22, detail, authenticatorErrors: [answer])
    }
}
