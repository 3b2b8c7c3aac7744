#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a ceremony failed.
///
/// AuthenticationServices has fewer codes, and hides the rest behind `canceled` and `failed`.
@nonexhaustive
public enum AuthorizationErrorType: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user, the application or another ceremony ended it.
    case cancelled

    /// Nothing more is known.
    case unknown

    /// Something that came in could not be read.
    case decoding

    /// Something could not be written into the request.
    case encoding

    /// The application may not use the relying party's domain.
    case domainNotAssociated

    /// The device has one of the excluded credentials already.
    case excludeCredentialsMatch

    /// There is no credential that fits.
    case noCredentialsAvailable

    /// The controller or the device cannot do what was asked.
    case functionNotSupported

    /// An answer of a kind that nobody asked for.
    case unhandled

    /// There is no window to show a dialog in.
    case noPresentationAnchor

    /// The ceremony took longer than its request allows.
    case timedOut

    /// The device tried and failed.
    case failed

    /// The device's answer was not what the protocol asks for.
    case invalidResponse

    /// A dialog was needed where none may be shown.
    case notInteractive

    /// The device is not set up for passkeys.
    case deviceNotConfigured

    /// The device could not verify who the user is.
    case userVerificationFailed

    /// The user would rather sign in with Apple than make an account with a passkey.
    case preferSignInWithApple
}

/// It is written as its name; ``init(from:)`` reads `{"cancelled":{}}` too, which older control servers send.
extension AuthorizationErrorType {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }

    /// Reads a type in either spelling.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: What the decoder throws, and `DecodingError` for a name that is not known.
    public init(from decoder: any Decoder) throws {
        var names: [String] = []
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            names = [name]
        } else {
            names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
        }
        guard names.count == 1, let type = AuthorizationErrorType(rawValue: names[0]) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an error type of no known name")
            )
        }
        self = type
    }
}

/// A ceremony that failed.
public struct AuthorizationError: Error, LocalizedError, CustomStringConvertible {
    /// What a program branches on.
    public let type: AuthorizationErrorType

    /// What goes to the log, if more is known than the type says.
    public let message: String?

    /// The code that the system has for it; `nil` where it never came from the system.
    public let code: AuthorizationErrorCode?

    /// What it was to the layer below.
    public let originalError: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - type: What a program branches on.
    ///   - message: What goes to the log.
    ///   - code: The code that the system has for it.
    ///   - originalError: What it was to the layer below.
    public init(
        type: AuthorizationErrorType,
        message: String? = nil,
        code: AuthorizationErrorCode? = nil,
        originalError: (any Error)? = nil
    ) {
        self.type = type
        self.message = message
        self.code = code
        self.originalError = originalError
    }

    /// Takes an error of the system's.
    ///
    /// - Parameters:
    ///   - code: The system's code.
    ///   - message: The system's text, by which some meanings are told apart.
    ///   - underlying: The error below it; it becomes ``originalError``.
    ///   - table: What the code means.
    public init(
        code: AuthorizationErrorCode,
        message: String? = nil,
        underlying: AuthorizationUnderlyingError? = nil,
        table: AuthorizationErrorTable = .iOS26
    ) {
        self.init(
            type: table.type(of: code, message: message, underlying: underlying),
            message: message ?? underlying?.failureReason,
            code: code,
            originalError: underlying
        )
    }

    /// The error in one line.
    public var description: String {
        "\(type.rawValue)\(message.map { ": " + $0 } ?? "")"
    }

    /// The error in one line; not translated.
    public var errorDescription: String? { description }

    /// The error in one line; not translated.
    ///
    /// FoundationEssentials has no such member on `Error`.
    public var localizedDescription: String { description }
}
