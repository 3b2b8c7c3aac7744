/// A code of `ASAuthorizationError`, the outermost of three layers of errors.
///
/// Below it are the exception that a page catches, and below that what the authenticator answered. Codes that are not
/// named here are kept as they are.
public struct AuthorizationErrorCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number.
    public let rawValue: Int

    /// Takes any number.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Nothing more is known; 1000.
    public static let unknown = AuthorizationErrorCode(rawValue: 1000)

    /// The user cancelled, or there was nothing to sign in with; 1001.
    public static let canceled = AuthorizationErrorCode(rawValue: 1001)

    /// The answer could not be understood; 1002.
    public static let invalidResponse = AuthorizationErrorCode(rawValue: 1002)

    /// Nobody handled the request; 1003.
    public static let notHandled = AuthorizationErrorCode(rawValue: 1003)

    /// The attempt failed; 1004.
    public static let failed = AuthorizationErrorCode(rawValue: 1004)

    /// A dialog was needed where none may be shown; 1005, since iOS 15.
    public static let notInteractive = AuthorizationErrorCode(rawValue: 1005)

    /// The device has one of the excluded credentials; 1006, since iOS 18.
    public static let matchedExcludedCredential = AuthorizationErrorCode(rawValue: 1006)

    /// An import failed; 1007, since iOS 18.2.
    public static let credentialImport = AuthorizationErrorCode(rawValue: 1007)

    /// An export failed; 1008, since iOS 18.2.
    public static let credentialExport = AuthorizationErrorCode(rawValue: 1008)

    /// The user would rather sign in with Apple than make an account; 1009, since iOS 26.
    public static let preferSignInWithApple = AuthorizationErrorCode(rawValue: 1009)

    /// The device is not set up to make passkeys; 1010, since iOS 26.
    public static let deviceNotConfiguredForPasskeyCreation = AuthorizationErrorCode(rawValue: 1010)

    /// The name that AuthenticationServices has for it, or the number.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .canceled: "canceled"
        case .invalidResponse: "invalidResponse"
        case .notHandled: "notHandled"
        case .failed: "failed"
        case .notInteractive: "notInteractive"
        case .matchedExcludedCredential: "matchedExcludedCredential"
        case .credentialImport: "credentialImport"
        case .credentialExport: "credentialExport"
        case .preferSignInWithApple: "preferSignInWithApple"
        case .deviceNotConfiguredForPasskeyCreation: "deviceNotConfiguredForPasskeyCreation"
        default: "\(rawValue)"
        }
    }
}

/// An error of the system, as far as it is data: what an `NSError` says of itself.
public struct AuthorizationUnderlyingError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The error's domain, such as `WKErrorDomain`.
    public var domain: String

    /// The error's number in its domain.
    public var code: Int

    /// Why, in words (`NSLocalizedFailureReasonErrorKey`).
    public var failureReason: String?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - domain: The error's domain.
    ///   - code: The error's number in its domain.
    ///   - failureReason: Why, in words.
    public init(domain: String, code: Int, failureReason: String? = nil) {
        self.domain = domain
        self.code = code
        self.failureReason = failureReason
    }

    /// What WebKit gave for an excluded credential before iOS 18.
    public static let excludedCredential = AuthorizationUnderlyingError(domain: webKitDomain, code: 8)

    /// What LocalAuthentication gives where nobody has enrolled a face or a finger.
    public static let biometryNotEnrolled = AuthorizationUnderlyingError(
        domain: localAuthenticationDomain,
        code: -7,
        failureReason: "Device not configured for passkey requests"
    )

    static let webKitDomain = "WKErrorDomain"
    static let localAuthenticationDomain = "com.apple.LocalAuthentication"
    static let webAuthenticationDomain = "com.apple.AuthenticationServices.WebAuthenticationSession"

    /// Domain, code and reason in one line.
    public var description: String {
        "\(domain) \(code)\(failureReason.map { ": " + $0 } ?? "")"
    }
}
