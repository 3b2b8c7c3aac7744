/// What `ASAuthorizationError` says in one version of Apple's systems, and what it means.
///
/// Some meanings are told apart by their text alone, and some are not told at all: reading what was written may give a
/// wider type (``AuthorizationErrorType/timedOut`` is written as a cancellation).
public struct AuthorizationErrorTable: Hashable, Sendable, Codable {
    /// Whether an excluded credential has a code of its own.
    ///
    /// Before, it was WebKit's error 8 under ``AuthorizationErrorCode/failed``.
    public var hasMatchedExcludedCredential: Bool

    /// Whether a device that is not set up for passkeys has a code of its own.
    public var hasDeviceNotConfigured: Bool

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - hasMatchedExcludedCredential: Whether an excluded credential has a code of its own.
    ///   - hasDeviceNotConfigured: Whether a device that is not set up for passkeys has a code of its own.
    public init(hasMatchedExcludedCredential: Bool, hasDeviceNotConfigured: Bool) {
        self.hasMatchedExcludedCredential = hasMatchedExcludedCredential
        self.hasDeviceNotConfigured = hasDeviceNotConfigured
    }

    /// The codes of iOS 16 and 17.
    public static let iOS16 = AuthorizationErrorTable(
        hasMatchedExcludedCredential: false,
        hasDeviceNotConfigured: false
    )

    /// The codes of iOS 18.
    public static let iOS18 = AuthorizationErrorTable(hasMatchedExcludedCredential: true, hasDeviceNotConfigured: false)

    /// The codes of iOS 26.
    public static let iOS26 = AuthorizationErrorTable(hasMatchedExcludedCredential: true, hasDeviceNotConfigured: true)

    /// The text by which an empty device is told from a user who cancels.
    public static let noCredentialsReason = "No credentials available for login."

    /// A part of the text by which a missing association is told from any other failure.
    public static let notAssociatedReason = "is not associated with domain"

    // MARK: Reading

    /// What a code means.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - message: The error's texts: failure reason and description.
    ///   - underlying: The error below, if it is known.
    /// - Returns: The type.
    public func type(
        of code: AuthorizationErrorCode,
        message: String? = nil,
        underlying: AuthorizationUnderlyingError? = nil
    ) -> AuthorizationErrorType {
        func says(_ text: String) -> Bool {
            [message, underlying?.failureReason].contains { $0?.containsBytes(of: text) == true }
        }
        switch code {
        case .canceled: return says(Self.noCredentialsReason) ? .noCredentialsAvailable : .cancelled
        case .invalidResponse: return .invalidResponse
        case .notHandled, .credentialImport, .credentialExport: return .functionNotSupported
        case .failed:
            if says(Self.notAssociatedReason) { return .domainNotAssociated }
            return underlying.flatMap(type) ?? .failed
        case .notInteractive: return .notInteractive
        case .matchedExcludedCredential: return .excludeCredentialsMatch
        case .preferSignInWithApple: return .preferSignInWithApple
        case .deviceNotConfiguredForPasskeyCreation: return .deviceNotConfigured
        default: return underlying.flatMap(type) ?? .unknown
        }
    }

    /// What an error of another domain means.
    ///
    /// - Parameter error: The error.
    /// - Returns: The type; `nil` if it says nothing that is known.
    public func type(of error: AuthorizationUnderlyingError) -> AuthorizationErrorType? {
        if error.domain.hasSameBytes(as: AuthorizationUnderlyingError.webKitDomain) {
            return error.code == AuthorizationUnderlyingError.excludedCredential.code ? .excludeCredentialsMatch : nil
        }
        if error.domain.hasSameBytes(as: AuthorizationUnderlyingError.localAuthenticationDomain) {
            switch error.code {
            case -1: return .userVerificationFailed
            case -2, -4, -9: return .cancelled
            case -5, -6, -7, -8: return .deviceNotConfigured
            case -1004: return .notInteractive
            default: return nil
            }
        }
        if error.domain.hasSameBytes(as: AuthorizationUnderlyingError.webAuthenticationDomain) {
            switch error.code {
            case 1: return .cancelled
            case 2, 3: return .noPresentationAnchor
            default: return nil
            }
        }
        return nil
    }

    // MARK: Writing

    /// The code that the system has for a type.
    ///
    /// - Parameter type: The type.
    /// - Returns: The code; `nil` where the error never comes from the system, but from the application's own side.
    public func code(for type: AuthorizationErrorType) -> AuthorizationErrorCode? {
        switch type {
        case .cancelled, .noCredentialsAvailable, .timedOut: .canceled
        case .unknown: .unknown
        case .invalidResponse: .invalidResponse
        case .functionNotSupported: .notHandled
        case .domainNotAssociated, .failed, .userVerificationFailed: .failed
        case .notInteractive: .notInteractive
        case .excludeCredentialsMatch: hasMatchedExcludedCredential ? .matchedExcludedCredential : .failed
        case .deviceNotConfigured: hasDeviceNotConfigured ? .deviceNotConfiguredForPasskeyCreation : .failed
        case .preferSignInWithApple: .preferSignInWithApple
        case .decoding, .encoding, .unhandled, .noPresentationAnchor: nil
        }
    }

    /// The error that the system has below its own, for a type that its code alone does not tell.
    ///
    /// - Parameter type: The type.
    /// - Returns: The error; `nil` where there is none.
    public func underlyingError(for type: AuthorizationErrorType) -> AuthorizationUnderlyingError? {
        switch type {
        case .excludeCredentialsMatch: hasMatchedExcludedCredential ? nil : .excludedCredential
        case .deviceNotConfigured: hasDeviceNotConfigured ? nil : .biometryNotEnrolled
        case .userVerificationFailed:
            AuthorizationUnderlyingError(
                domain: AuthorizationUnderlyingError.localAuthenticationDomain,
                code: -1,
                failureReason: "Authentication failed"
            )
        default: nil
        }
    }
}

extension String {
    /// Whether `part` is somewhere in it, byte by byte.
    fileprivate func containsBytes(of part: String) -> Bool {
        let (whole, part) = (Array(utf8), Array(part.utf8))
        guard whole.count >= part.count else { return false }
        return (0...(whole.count - part.count)).contains { whole[$0...].starts(with: part) }
    }
}
