import Foundation
import PasskeyAuthorization
import PasskeyModel
import PasskeyTesting
import Testing

/// What the tests of the controller share.
struct ControllerWorld {
    let controller: VirtualAuthorizationController
    let platform = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: World.rpID)
    let securityKey = AuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: World.rpID)
    let challenge = Data(repeating: 0xC4, count: 32)

    init(_ controller: VirtualAuthorizationController = VirtualAuthorizationController()) {
        self.controller = controller
    }

    func registration(
        user byte: UInt8 = 1,
        name: String = "ada"
    ) -> AuthorizationPublicKeyCredentialRegistrationRequest {
        platform.createCredentialRegistrationRequest(challenge: challenge, name: name, userID: Data([byte]))
    }

    func keyRegistration(user byte: UInt8 = 1) -> AuthorizationPublicKeyCredentialRegistrationRequest {
        var request = securityKey.createCredentialRegistrationRequest(
            challenge: challenge,
            name: "ada",
            userID: Data([byte])
        )
        request.residentKeyPreference = .required
        return request
    }

    var assertion: AuthorizationPublicKeyCredentialAssertionRequest {
        platform.createCredentialAssertionRequest(challenge: challenge)
    }

    var keyAssertion: AuthorizationPublicKeyCredentialAssertionRequest {
        securityKey.createCredentialAssertionRequest(challenge: challenge)
    }

    /// The error of a ceremony that fails.
    func error(_ body: () async throws -> some Sendable) async throws -> AuthorizationError {
        try await #require(throws: AuthorizationError.self) { _ = try await body() }
    }

    /// What a request fails with.
    func failure(_ request: some AuthorizationRequest) async throws -> AuthorizationErrorType {
        try await error { try await controller.perform(request) }.type
    }

    /// Starts a ceremony that waits, and comes back when it does.
    func waiting<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Task<Value, any Error> {
        let task = Task { try await body() }
        while !controller.isWaiting { await Task.yield() }
        return task
    }

    /// The error type of a task that fails.
    func failure<Value: Sendable>(of task: Task<Value, any Error>) async -> AuthorizationErrorType? {
        do {
            _ = try await task.value
            return nil
        } catch {
            return (error as? AuthorizationError)?.type
        }
    }
}
