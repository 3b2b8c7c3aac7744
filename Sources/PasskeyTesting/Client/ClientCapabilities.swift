public import PasskeyModel
public import PasskeyWire

// The static methods of `PublicKeyCredential`, which know the client and its authenticators here.

extension VirtualClient {
    /// What the client can do (`#sctn-getClientCapabilities`).
    ///
    /// - Returns: Each capability that the specification defines, and the others that the profile names: whether it is
    ///   there.
    public func getClientCapabilities() -> ClientCapabilities {
        var result = profile.capabilities
        for capability in Self.capabilities where result[capability] == nil { result[capability] = false }
        if fetch == nil { result[.relatedOrigins] = false }
        let hasVerifying = hasUserVerifyingPlatformAuthenticator
        result[.userVerifyingPlatformAuthenticator] = hasVerifying
        result[.passkeyPlatformAuthenticator] = hasVerifying || result[.hybridTransport] == true
        return result
    }

    /// Whether an authenticator of the device itself can verify the user
    /// (`#sctn-isUserVerifyingPlatformAuthenticatorAvailable`).
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``ClientError`` if the permissions policy keeps the page from the API.
    public func isUserVerifyingPlatformAuthenticatorAvailable() throws(ClientError) -> Bool {
        guard mayCreateCredentials || mayGetCredentials else {
            throw ClientError(.notAllowed, .permissionsPolicy, step: 0, "the page may not use the API")
        }
        return hasUserVerifyingPlatformAuthenticator
    }

    /// Whether passkeys can be offered in autofill (`#dom-publickeycredential-isconditionalmediationavailable`).
    ///
    /// - Returns: Whether `get()` takes `conditional` mediation.
    public func isConditionalMediationAvailable() -> Bool { profile.supports(.conditionalGet) }

    /// Whether passkeys can be made and used here: on this device, or over the hybrid transport.
    ///
    /// - Returns: The capability `passkeyPlatformAuthenticator`.
    /// - Throws: ``ClientError`` if the permissions policy keeps the page from the API.
    public func isPasskeyPlatformAuthenticatorAvailable() throws(ClientError) -> Bool {
        try isUserVerifyingPlatformAuthenticatorAvailable() || profile.supports(.hybridTransport)
    }

    private var hasUserVerifyingPlatformAuthenticator: Bool {
        authenticators.contains { $0.options.attachment == .platform && $0.options.canVerifyUser }
    }

    private static let capabilities: [ClientCapability] = [
        .conditionalCreate, .conditionalGet, .hybridTransport, .passkeyPlatformAuthenticator,
        .userVerifyingPlatformAuthenticator, .relatedOrigins, .signalAllAcceptedCredentials,
        .signalCurrentUserDetails, .signalUnknownCredential,
    ]
}

// MARK: Options in JSON

extension VirtualClient {
    /// Reads what a server sent to have a credential made (`#sctn-parseCreationOptionsFromJSON`).
    ///
    /// - Parameter json: `PublicKeyCredentialCreationOptionsJSON`.
    /// - Returns: The options for ``create(_:mediation:)``.
    /// - Throws: ``ClientError``: `EncodingError` for text that is not base64url and for a number that cannot be,
    ///   `TypeError` for a member that is absent or of another type; and what the ceremony says later of a user handle's
    ///   length (step 5) and of a key of `evalByCredential` (step 12), since such values cannot be had here.
    public static func parseCreationOptionsFromJSON(
        _ json: JSONValue
    ) throws(ClientError) -> PublicKeyCredentialCreationOptions {
        do throws(ModelError) {
            return try PublicKeyCredentialCreationOptions(json)
        } catch {
            if error.path == "user.id", error.code == .outOfRange {
                throw ClientError(.type, .malformedOptions, step: 5, "\(error)")
            }
            if error.isNoCredentialID { throw ClientError(.notSupported, .extensionInput, step: 12, "\(error)") }
            throw ClientError(error)
        }
    }

    /// Reads what a server sent to have a user sign in (`#sctn-parseRequestOptionsFromJSON`).
    ///
    /// - Parameter json: `PublicKeyCredentialRequestOptionsJSON`.
    /// - Returns: The options for ``get(_:mediation:)``.
    /// - Throws: ``ClientError``, as the other method throws it.
    public static func parseRequestOptionsFromJSON(
        _ json: JSONValue
    ) throws(ClientError) -> PublicKeyCredentialRequestOptions {
        do throws(ModelError) {
            return try PublicKeyCredentialRequestOptions(json)
        } catch {
            if error.isNoCredentialID { throw ClientError(.syntax, .extensionInput, step: 9, "\(error)") }
            throw ClientError(error)
        }
    }

    /// Reads a server's text: `JSON.parse()`, and then the other method of this name.
    ///
    /// - Parameter text: JSON in UTF-8.
    /// - Returns: The options.
    /// - Throws: ``ClientError``, with `SyntaxError` for text that is not JSON.
    public static func parseCreationOptionsFromJSON(
        _ text: [UInt8]
    ) throws(ClientError) -> PublicKeyCredentialCreationOptions {
        try parseCreationOptionsFromJSON(parse(text))
    }

    /// Reads a server's text: `JSON.parse()`, and then the other method of this name.
    ///
    /// - Parameter text: JSON in UTF-8.
    /// - Returns: The options.
    /// - Throws: ``ClientError``, with `SyntaxError` for text that is not JSON.
    public static func parseRequestOptionsFromJSON(
        _ text: [UInt8]
    ) throws(ClientError) -> PublicKeyCredentialRequestOptions {
        try parseRequestOptionsFromJSON(parse(text))
    }

    private static func parse(_ text: [UInt8]) throws(ClientError) -> JSONValue {
        do throws(WireError) {
            return try JSONValue(json: text)
        } catch {
            throw ClientError(.syntax, .malformedOptions, step: 0, "\(error)")
        }
    }
}

extension ModelError {
    /// Whether a key of `evalByCredential` is no credential's ID; what is wrong with a value has a longer path.
    fileprivate var isNoCredentialID: Bool {
        let member = "extensions.prf.evalByCredential"
        return path.hasPrefix(member) && !path.dropFirst(member.count + 1).contains(".")
            && [.invalid, .outOfRange].contains(code)
    }
}

extension ClientError {
    /// WebIDL refuses what is absent or of another type; the decoding of base64url is the method's own.
    fileprivate init(_ error: ModelError) {
        let name: Name =
            switch error.code {
            case .missing, .wrongType: .type
            case .malformed, .outOfRange, .invalid: .encoding
            }
        self.init(name, .malformedOptions, step: 1, "\(error)")
    }
}
