/// What an application asks of a device: passkeys today, other credentials through the same door.
///
/// The names are AuthenticationServices' own, less the "AS", and the shape is one `async` call for each ceremony, so
/// that an application can be handed a virtual controller in a test and the system's on a device. One ceremony runs at
/// a time: a new one ends the one in flight with ``AuthorizationErrorType/cancelled``, and so does the cancellation of
/// its task.
///
/// A file that imports SwiftUI, which has a structure of this name, writes ``AuthorizationControllerProtocol``.
public protocol AuthorizationController: Sendable {
    /// Makes a credential.
    ///
    /// - Parameter requests: What is asked for; several are alternatives, of which the user fulfils one.
    /// - Returns: The credential, and the provider whose request it fulfils.
    /// - Throws: ``AuthorizationError``.
    func create(requests: [any AuthorizationRequest]) async throws(AuthorizationError) -> AuthorizationResult

    /// Signs in with a credential.
    ///
    /// - Parameters:
    ///   - requests: What is asked for; several are alternatives, of which the user fulfils one.
    ///   - preferImmediatelyAvailableCredentials: Whether to fail at once, without a dialog, when this device has no
    ///     credential that fits.
    /// - Returns: The credential, and the provider whose request it fulfils.
    /// - Throws: ``AuthorizationError``.
    func authorize(
        requests: [any AuthorizationRequest],
        preferImmediatelyAvailableCredentials: Bool
    ) async throws(AuthorizationError) -> AuthorizationResult

    /// Signs in with a credential that the user picks from the suggestions of a text field.
    ///
    /// It waits until the user picks one, until it is cancelled, or until another ceremony begins.
    ///
    /// - Parameter requests: What is asked for.
    /// - Returns: The credential, and the provider whose request it fulfils.
    /// - Throws: ``AuthorizationError``.
    func authorizeWithAutoFill(
        requests: [any AuthorizationRequest]
    ) async throws(AuthorizationError)
        -> AuthorizationResult

    /// Ends the ceremony in flight, if there is one, with ``AuthorizationErrorType/cancelled``.
    func cancel() async
}

/// The protocol under a name that nothing in SwiftUI has.
public typealias AuthorizationControllerProtocol = AuthorizationController

extension AuthorizationController {
    /// Signs in with a credential of this device or of another.
    ///
    /// - Parameter requests: What is asked for; several are alternatives, of which the user fulfils one.
    /// - Returns: The credential, and the provider whose request it fulfils.
    /// - Throws: ``AuthorizationError``.
    public func authorize(
        requests: [any AuthorizationRequest]
    ) async throws(AuthorizationError) -> AuthorizationResult {
        try await authorize(requests: requests, preferImmediatelyAvailableCredentials: false)
    }

    /// Performs one request and gives the credential in its own type.
    ///
    /// - Parameter request: What is asked for; its type says whether a credential is made or used.
    /// - Returns: The credential.
    /// - Throws: ``AuthorizationError``; its type is ``AuthorizationErrorType/unhandled`` if the controller answered
    ///   with a credential of another type.
    public func perform<Request: AuthorizationRequest>(
        _ request: Request
    ) async throws(AuthorizationError) -> Request.Credential {
        let result =
            switch Request.operation {
            case .create: try await create(requests: [request])
            case .authorize: try await authorize(requests: [request])
            case .authorizeWithAutoFill: try await authorizeWithAutoFill(requests: [request])
            }
        guard let credential = result.credential as? Request.Credential else {
            throw AuthorizationError(type: .unhandled, message: "\(type(of: result.credential)) was not asked for")
        }
        return credential
    }
}

/// The three ceremonies of a controller.
@nonexhaustive
public enum AuthorizationOperation: String, Hashable, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
    /// ``AuthorizationController/create(requests:)``.
    case create

    /// ``AuthorizationController/authorize(requests:preferImmediatelyAvailableCredentials:)``.
    case authorize

    /// ``AuthorizationController/authorizeWithAutoFill(requests:)``.
    case authorizeWithAutoFill
}
