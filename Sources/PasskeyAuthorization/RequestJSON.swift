#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// The W3C's JSON in and out of every passkey request and credential.

extension AuthorizationPublicKeyCredentialRegistrationRequest {
    /// Makes a request of what a server sent for `navigator.credentials.create()`.
    ///
    /// - Parameters:
    ///   - json: `PublicKeyCredentialCreationOptionsJSON` in UTF-8, by itself or as the member `publicKey` of an object, whose
    ///     `mediation` counts then: `conditional` makes the request's style.
    ///   - attachment: The kind of authenticator; `nil` for what the options ask for, or else the platform's.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/decoding``.
    public init(
        creationOptionsJSON json: Data,
        attachment: AuthenticatorAttachment? = nil
    ) throws(AuthorizationError) {
        let envelope = try AuthorizationError.decoding { () throws(ModelError) in try OptionsEnvelope(json) }
        let options = try AuthorizationError.decoding { () throws(ModelError) in
            try PublicKeyCredentialCreationOptions(envelope.options)
        }
        try self.init(attachment: attachment, options: options)
        if envelope.mediation == .conditional { requestStyle = .conditional }
    }

    /// Makes a request of what a server sent for `navigator.credentials.create()`.
    ///
    /// - Parameters:
    ///   - json: The text, as for the other initialiser of this name.
    ///   - attachment: The kind of authenticator; `nil` for what the options ask for, or else the platform's.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/decoding``.
    public init(
        creationOptionsJSON json: String,
        attachment: AuthenticatorAttachment? = nil
    ) throws(AuthorizationError) {
        try self.init(creationOptionsJSON: Data(json.utf8), attachment: attachment)
    }

    /// The request as `PublicKeyCredentialCreationOptionsJSON` in UTF-8.
    ///
    /// - Returns: The text.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/encoding``, as ``creationOptions()`` throws it.
    public func creationOptionsJSON() throws(AuthorizationError) -> Data { Data(try creationOptions().jsonBytes()) }
}

extension AuthorizationPublicKeyCredentialAssertionRequest {
    /// Makes a request of what a server sent for `navigator.credentials.get()`.
    ///
    /// - Parameters:
    ///   - json: `PublicKeyCredentialRequestOptionsJSON` in UTF-8, by itself or as the member `publicKey` of an object.
    ///   - attachment: The kind of authenticator.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/decoding``.
    public init(
        requestOptionsJSON json: Data,
        attachment: AuthenticatorAttachment = .platform
    ) throws(AuthorizationError) {
        let options = try AuthorizationError.decoding { () throws(ModelError) in
            try PublicKeyCredentialRequestOptions(OptionsEnvelope(json).options)
        }
        try self.init(attachment: attachment, options: options)
    }

    /// Makes a request of what a server sent for `navigator.credentials.get()`.
    ///
    /// - Parameters:
    ///   - json: The text, as for the other initialiser of this name.
    ///   - attachment: The kind of authenticator.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/decoding``.
    public init(
        requestOptionsJSON json: String,
        attachment: AuthenticatorAttachment = .platform
    ) throws(AuthorizationError) {
        try self.init(requestOptionsJSON: Data(json.utf8), attachment: attachment)
    }

    /// The request as `PublicKeyCredentialRequestOptionsJSON` in UTF-8.
    ///
    /// - Returns: The text.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/encoding``, as ``requestOptions()`` throws it.
    public func requestOptionsJSON() throws(AuthorizationError) -> Data { Data(try requestOptions().jsonBytes()) }
}

extension PasskeyRegistrationCredential {
    /// Reads what ``registrationResponseJSON()`` wrote, or a browser's `toJSON()`.
    ///
    /// - Parameter json: `RegistrationResponseJSON` in UTF-8.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/decoding``.
    public init(registrationResponseJSON json: Data) throws(AuthorizationError) {
        do throws(RegistrationError) {
            self.init(try RegistrationResponse(json: [UInt8](json)))
        } catch {
            throw AuthorizationError(type: .decoding, message: "\(error)", originalError: error)
        }
    }
}

extension PasskeyAssertionCredential {
    /// Reads what ``authenticationResponseJSON()`` wrote, or a browser's `toJSON()`.
    ///
    /// - Parameter json: `AuthenticationResponseJSON` in UTF-8.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/decoding``.
    public init(authenticationResponseJSON json: Data) throws(AuthorizationError) {
        do throws(AuthenticationError) {
            self.init(try AuthenticationResponse(json: [UInt8](json)))
        } catch {
            throw AuthorizationError(type: .decoding, message: "\(error)", originalError: error)
        }
    }
}

/// Options as servers send them: by themselves, or as one member of the argument of `navigator.credentials`.
private struct OptionsEnvelope {
    let options: JSONValue
    let mediation: CredentialMediationRequirement?

    init(_ text: Data) throws(ModelError) {
        let json: JSONValue
        do throws(WireError) {
            json = try JSONValue(json: [UInt8](text))
        } catch {
            throw ModelError(error)
        }
        // Options have no member of this name.
        guard let inner = json.object?["publicKey"] else {
            (options, mediation) = (json, nil)
            return
        }
        options = inner
        mediation = json.object?["mediation"]?.string.flatMap(CredentialMediationRequirement.init)
    }
}

extension AuthorizationError {
    /// Runs `body`; a refusal of the model means that what came cannot be read.
    fileprivate static func decoding<Value>(
        _ body: () throws(ModelError) -> Value
    ) throws(AuthorizationError) -> Value {
        do throws(ModelError) {
            return try body()
        } catch {
            throw AuthorizationError(type: .decoding, message: "\(error)", originalError: error)
        }
    }
}
