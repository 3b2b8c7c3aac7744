public import PasskeyModel
public import PasskeyWire

/// What a client passes to ``VirtualAuthenticator/getAssertion(_:user:)``.
public struct GetAssertionParameters: Hashable, Sendable {
    /// The relying party's ID.
    public var rpID: String

    /// The hash of the serialized client data: 32 bytes.
    public var hash: [UInt8]

    /// The credentials that may sign; `nil` for any discoverable one.
    public var allowCredentialDescriptorList: [PublicKeyCredentialDescriptor]?

    /// Whether the user must be present, which WebAuthn always asks for.
    public var requireUserPresence: Bool

    /// Whether the user must be verified.
    public var requireUserVerification: Bool

    /// Authenticator extension inputs: a CBOR map.
    public var extensions: CBOR

    /// Makes parameters.
    ///
    /// - Parameters:
    ///   - rpID: The relying party's ID.
    ///   - hash: The hash of the serialized client data: 32 bytes.
    ///   - allowCredentialDescriptorList: The credentials that may sign; `nil` for any discoverable one.
    ///   - requireUserPresence: Whether the user must be present.
    ///   - requireUserVerification: Whether the user must be verified.
    ///   - extensions: Authenticator extension inputs: a CBOR map.
    public init(
        rpID: String,
        hash: [UInt8],
        allowCredentialDescriptorList: [PublicKeyCredentialDescriptor]? = nil,
        requireUserPresence: Bool = true,
        requireUserVerification: Bool = true,
        extensions: CBOR = .map([])
    ) {
        self.rpID = rpID
        self.hash = hash
        self.allowCredentialDescriptorList = allowCredentialDescriptorList
        self.requireUserPresence = requireUserPresence
        self.requireUserVerification = requireUserVerification
        self.extensions = extensions
    }
}

/// What ``VirtualAuthenticator/getAssertion(_:user:)`` returns to the client.
public struct GetAssertionResult: Hashable, Sendable {
    /// The ID of the credential that signed; `nil` if exactly one was allowed, which the client knows then.
    public let credentialID: [UInt8]?

    /// The authenticator data that was signed.
    public let authenticatorData: [UInt8]

    /// The signature.
    public let signature: [UInt8]

    /// Whose credential it is; `nil` for one that is not discoverable.
    public let userHandle: UserHandle?

    /// Extension outputs that are not signed: a CBOR map (`#unsigned-extension-outputs`).
    public let unsignedExtensionOutputs: CBOR
}
