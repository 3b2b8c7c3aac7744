import PasskeyAuthorization
import PasskeyModel

// The three layers: an authenticator's status, the exception that a client makes of it, and what a system makes of that.

extension AuthorizationError {
    static func cancelled(_ message: String) -> AuthorizationError {
        AuthorizationError(type: .cancelled, message: message, code: .canceled)
    }

    static func notSupported(_ message: String) -> AuthorizationError {
        AuthorizationError(type: .functionNotSupported, message: message, code: .notHandled)
    }

    /// What a system makes of a client's exception.
    init(_ error: ClientError, in operation: AuthorizationOperation, _ table: AuthorizationErrorTable) {
        let type = AuthorizationErrorType(error.reason, in: operation)
        self.init(
            type: type,
            message: "\(table.reason(for: type).map { $0 + ": " } ?? "")\(error)",
            code: table.code(for: type),
            originalError: error
        )
    }

    /// Runs a client's ceremony; its error becomes the one that a system gives.
    static func client<Value>(
        _ operation: AuthorizationOperation,
        _ table: AuthorizationErrorTable,
        _ body: () throws(ClientError) -> Value
    ) throws(AuthorizationError) -> Value {
        do throws(ClientError) {
            return try body()
        } catch {
            throw AuthorizationError(error, in: operation, table)
        }
    }
}

extension AuthorizationErrorTable {
    /// The text by which a type is told from others with the same code.
    func reason(for type: AuthorizationErrorType) -> String? {
        switch type {
        case .noCredentialsAvailable: Self.noCredentialsReason
        case .domainNotAssociated: "The application " + Self.notAssociatedReason
        default: nil
        }
    }
}

extension AuthorizationErrorType {
    /// What a system makes of the reason for a client's exception.
    fileprivate init(_ reason: ClientError.Reason, in operation: AuthorizationOperation) {
        self =
            switch reason {
            case .opaqueOrigin, .invalidDomain, .relyingPartyIdentifier, .relatedOrigins: .domainNotAssociated
            case .noKnownCredentialType, .noSupportedAlgorithm, .permissionsPolicy, .frame, .silentMediation,
                .unsupported, .malformedOptions, .extensionInput:
                .functionNotSupported
            case .aborted, .consentDenied, .dialogClosed, .noRecentAuthentication: .cancelled
            case .timedOut, .pending: .timedOut
            // A sign-in cannot tell a device that has no passkeys from one that cannot have any.
            case .noAuthenticator: operation == .create ? .deviceNotConfigured : .noCredentialsAvailable
            case .noCredential: .noCredentialsAvailable
            case .excludedCredential: .excludeCredentialsMatch
            case .userVerificationFailed: .userVerificationFailed
            case .authenticatorFailed, .mutationNotApplicable: .failed
            }
    }
}
