import PasskeyAuthorization
import PasskeyModel

/// What a ceremony of the controller finds: its settings as they are when it comes to act.
struct VirtualWorld: Sendable {
    var authenticators: [VirtualAuthenticator]
    var environment: VirtualEnvironment
    var associatedDomains: Set<String>?
    var origin: @Sendable (String) -> String = { "https://" + $0 }
    var clientDataForm = VirtualClient.ClientDataForm.standard
    var adversary: Adversary?

    init(authenticators: [VirtualAuthenticator], environment: VirtualEnvironment) {
        self.authenticators = authenticators
        self.environment = environment
    }
}

extension VirtualWorld {
    /// The client of one request: an application that is, or is not, associated with the domain.
    func client(
        for relyingPartyIdentifier: String,
        _ attachment: AuthenticatorAttachment
    ) throws(AuthorizationError) -> VirtualClient {
        if let domains = associatedDomains, !domains.contains(relyingPartyIdentifier) {
            throw AuthorizationError(
                type: .domainNotAssociated,
                message: "the application is not associated with domain \(relyingPartyIdentifier)"
            )
        }
        var client = VirtualClient(
            origin: origin(relyingPartyIdentifier),
            authenticators: authenticators.filter { $0.options.attachment == attachment }
        )
        client.clientDataForm = clientDataForm
        client.adversary = adversary
        client.random = environment.random
        client.clock = environment.clock
        return client
    }

    /// Fulfils a registration request.
    func registration(_ request: any AuthorizationRequest) throws(AuthorizationError) -> any AuthorizationCredential {
        guard let request = request as? AuthorizationPublicKeyCredentialRegistrationRequest else {
            throw .notSupported(request, by: "create")
        }
        guard request.requestStyle == .standard else {
            throw AuthorizationError(type: .functionNotSupported, message: "no conditional registration yet")
        }
        let options = try request.creationOptions()
        let client = try client(for: request.relyingPartyIdentifier, request.attachment)
        let response = try AuthorizationError.client(.create) { () throws(ClientError) in try client.create(options) }
        return PasskeyRegistrationCredential(response, attachment: request.attachment)
    }

    /// Fulfils an assertion request.
    func assertion(
        _ request: any AuthorizationRequest,
        isLocal: Bool
    ) throws(AuthorizationError) -> any AuthorizationCredential {
        guard let request = request as? AuthorizationPublicKeyCredentialAssertionRequest else {
            throw .notSupported(request, by: "authorize")
        }
        let options = try request.requestOptions()
        let client = try client(for: request.relyingPartyIdentifier, request.attachment)
        guard !isLocal || request.attachment == .platform else {
            throw AuthorizationError(type: .noCredentialsAvailable, message: "a security key is not at hand at once")
        }
        let response = try AuthorizationError.client(.authorize) { () throws(ClientError) in try client.get(options) }
        return PasskeyAssertionCredential(response, attachment: request.attachment)
    }
}

extension AuthorizationRequest {
    /// The timeout of a passkey request.
    var timeoutIfAny: Duration? {
        (self as? AuthorizationPublicKeyCredentialRegistrationRequest)?.timeout
            ?? (self as? AuthorizationPublicKeyCredentialAssertionRequest)?.timeout
    }
}

extension AuthorizationError {
    static func cancelled(_ message: String) -> AuthorizationError {
        AuthorizationError(type: .cancelled, message: message)
    }

    fileprivate static func notSupported(_ request: any AuthorizationRequest, by name: String) -> AuthorizationError {
        AuthorizationError(type: .functionNotSupported, message: "\(name) has no use for \(Swift.type(of: request))")
    }

    /// Runs a client's ceremony; its error becomes the one that a device's system gives.
    fileprivate static func client<Value>(
        _ operation: AuthorizationOperation,
        _ body: () throws(ClientError) -> Value
    ) throws(AuthorizationError) -> Value {
        do throws(ClientError) {
            return try body()
        } catch {
            throw AuthorizationError(
                type: AuthorizationErrorType(error.reason, in: operation),
                message: "\(error)",
                originalError: error
            )
        }
    }
}

extension AuthorizationErrorType {
    /// What a device's system makes of a client's refusal.
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
