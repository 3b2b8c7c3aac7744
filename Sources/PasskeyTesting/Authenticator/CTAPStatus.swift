/// What an authenticator answers a client of CTAP with (CTAP 2.2 §8.2): the innermost of the three layers of errors.
///
/// A client makes a `DOMException` of it, and a system an `ASAuthorizationError`; each tells less than the one below.
@nonexhaustive
public enum CTAPStatus: UInt8, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
    /// CTAP1_ERR_INVALID_PARAMETER.
    case invalidParameter = 0x02

    /// CTAP2_ERR_MISSING_PARAMETER.
    case missingParameter = 0x14

    /// CTAP2_ERR_CREDENTIAL_EXCLUDED.
    case credentialExcluded = 0x19

    /// CTAP2_ERR_UNSUPPORTED_ALGORITHM.
    case unsupportedAlgorithm = 0x26

    /// CTAP2_ERR_OPERATION_DENIED.
    case operationDenied = 0x27

    /// CTAP2_ERR_KEY_STORE_FULL.
    case keyStoreFull = 0x28

    /// CTAP2_ERR_UNSUPPORTED_OPTION.
    case unsupportedOption = 0x2B

    /// CTAP2_ERR_INVALID_OPTION.
    case invalidOption = 0x2C

    /// CTAP2_ERR_KEEPALIVE_CANCEL.
    case keepaliveCancel = 0x2D

    /// CTAP2_ERR_NO_CREDENTIALS.
    case noCredentials = 0x2E

    /// CTAP2_ERR_USER_ACTION_TIMEOUT.
    case userActionTimeout = 0x2F

    /// CTAP2_ERR_PIN_AUTH_INVALID.
    case pinAuthInvalid = 0x33

    /// CTAP2_ERR_UV_INVALID.
    case uvInvalid = 0x3F

    /// CTAP1_ERR_OTHER.
    case other = 0x7F

    /// The name in the specification.
    public var description: String {
        switch self {
        case .invalidParameter: "CTAP1_ERR_INVALID_PARAMETER"
        case .missingParameter: "CTAP2_ERR_MISSING_PARAMETER"
        case .credentialExcluded: "CTAP2_ERR_CREDENTIAL_EXCLUDED"
        case .unsupportedAlgorithm: "CTAP2_ERR_UNSUPPORTED_ALGORITHM"
        case .operationDenied: "CTAP2_ERR_OPERATION_DENIED"
        case .keyStoreFull: "CTAP2_ERR_KEY_STORE_FULL"
        case .unsupportedOption: "CTAP2_ERR_UNSUPPORTED_OPTION"
        case .invalidOption: "CTAP2_ERR_INVALID_OPTION"
        case .keepaliveCancel: "CTAP2_ERR_KEEPALIVE_CANCEL"
        case .noCredentials: "CTAP2_ERR_NO_CREDENTIALS"
        case .userActionTimeout: "CTAP2_ERR_USER_ACTION_TIMEOUT"
        case .pinAuthInvalid: "CTAP2_ERR_PIN_AUTH_INVALID"
        case .uvInvalid: "CTAP2_ERR_UV_INVALID"
        case .other: "CTAP1_ERR_OTHER"
        }
    }
}

extension AuthenticatorError {
    /// What a client of CTAP sees.
    public var status: CTAPStatus {
        switch reason {
        case .malformedParameters: .invalidParameter
        case .noSupportedAlgorithm: .unsupportedAlgorithm
        case .excludedCredential: .credentialExcluded
        case .residentKeyUnsupported: .unsupportedOption
        case .userVerificationUnsupported: .invalidOption
        case .consentDenied: .operationDenied
        case .userVerificationFailed: .uvInvalid
        case .ignored: .userActionTimeout
        case .cancelled: .keepaliveCancel
        case .noCredential: .noCredentials
        case .keyStoreFull: .keyStoreFull
        case .extensionRefused: .pinAuthInvalid
        case .operationFailed: .other
        }
    }
}

extension CTAPStatus {
    /// What it is to an authenticator that speaks as WebAuthn does, and the step of §6.3.2 that gives it most often.
    var meaning: (code: AuthenticatorError.Code, reason: AuthenticatorError.Reason, step: Int) {
        switch self {
        case .invalidParameter, .missingParameter: (.unknown, .malformedParameters, 1)
        case .unsupportedAlgorithm: (.notSupported, .noSupportedAlgorithm, 2)
        case .credentialExcluded: (.invalidState, .excludedCredential, 3)
        case .unsupportedOption: (.constraint, .residentKeyUnsupported, 4)
        case .invalidOption: (.constraint, .userVerificationUnsupported, 5)
        case .operationDenied: (.notAllowed, .consentDenied, 6)
        case .uvInvalid: (.notAllowed, .userVerificationFailed, 6)
        case .userActionTimeout: (.notAllowed, .ignored, 6)
        case .keepaliveCancel: (.notAllowed, .cancelled, 6)
        case .noCredentials: (.notAllowed, .noCredential, 6)
        case .keyStoreFull: (.unknown, .keyStoreFull, 8)
        case .pinAuthInvalid: (.unknown, .extensionRefused, 9)
        case .other: (.unknown, .operationFailed, 13)
        }
    }
}
