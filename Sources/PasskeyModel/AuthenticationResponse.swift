public import PasskeyWire

/// What a client sends at the end of a sign-in (`#dictdef-authenticationresponsejson`).
///
/// Nothing in it is to be trusted before a relying party has verified it. ``id`` and ``userHandle`` serve to look up
/// the credential record and the user.
public struct AuthenticationResponse: Hashable, Sendable {
    /// The credential's identifier.
    public var id: [UInt8]

    /// The client data that was hashed.
    public var clientDataJSON: [UInt8]

    /// The authenticator data that was signed.
    public var authenticatorData: [UInt8]

    /// The signature.
    public var signature: [UInt8]

    /// Whose credential it is, where the authenticator tells; an empty one is none, as some clients send it.
    public var userHandle: UserHandle?

    /// Whether the JSON has a user handle without bytes where there is none; for those who test relying parties.
    package var writesEmptyUserHandle = false

    /// `platform`, `cross-platform`, or what a later client says.
    public var authenticatorAttachment: String?

    /// What the client says of extensions.
    public var clientExtensionResults: AuthenticationExtensionsClientOutputs

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - id: The credential's identifier.
    ///   - clientDataJSON: The client data.
    ///   - authenticatorData: The authenticator data.
    ///   - signature: The signature.
    ///   - userHandle: Whose credential it is.
    ///   - authenticatorAttachment: `platform` or `cross-platform`.
    ///   - clientExtensionResults: What the client says of extensions.
    public init(
        id: [UInt8],
        clientDataJSON: [UInt8],
        authenticatorData: [UInt8],
        signature: [UInt8],
        userHandle: UserHandle? = nil,
        authenticatorAttachment: String? = nil,
        clientExtensionResults: AuthenticationExtensionsClientOutputs = .init()
    ) {
        self.id = id
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
        self.authenticatorAttachment = authenticatorAttachment
        self.clientExtensionResults = clientExtensionResults
    }

    /// Reads a response.
    ///
    /// `type` must be `public-key`, `id` equal to `rawId`; unknown members are ignored.
    ///
    /// - Parameter bytes: JSON text: what `PublicKeyCredential.toJSON()` gives.
    /// - Throws: ``AuthenticationError`` at ``AuthenticationError/Step/response``, or at
    ///   ``AuthenticationError/Step/extensions`` for an output of another type than its extension defines.
    public init(json bytes: [UInt8]) throws(AuthenticationError) {
        do throws(ResponseFault) {
            let envelope = try ResponseEnvelope(bytes)
            self = try envelope.read { (members) throws(ModelError) in
                AuthenticationResponse(
                    id: envelope.id,
                    clientDataJSON: try members.bytes("clientDataJSON"),
                    authenticatorData: try members.bytes("authenticatorData"),
                    signature: try members.bytes("signature"),
                    userHandle: try members.readIfPresent("userHandle") { (json) throws(ModelError) -> UserHandle? in
                        let bytes = try JSONMembers.bytes(json)
                        return bytes.isEmpty ? nil : try UserHandle(bytes: bytes)
                    } ?? nil,
                    authenticatorAttachment: envelope.authenticatorAttachment,
                    clientExtensionResults: envelope.clientExtensionResults
                )
            }
        } catch {
            let cause = error.cause
            throw AuthenticationError(error.isExtension ? .extensions : .response, cause.reason, offset: cause.offset)
        }
    }

    /// Reads a response from JSON text.
    ///
    /// - Parameter text: What `PublicKeyCredential.toJSON()` gives.
    /// - Throws: As `init(json:)` on bytes.
    public init(json text: String) throws(AuthenticationError) {
        try self.init(json: [UInt8](text.utf8))
    }

    /// The response as `PublicKeyCredential.toJSON()` gives it.
    public var json: JSONValue {
        var response = JSONObjectWriter()
        response.write("clientDataJSON", bytes: clientDataJSON)
        response.write("authenticatorData", bytes: authenticatorData)
        response.write("signature", bytes: signature)
        response.write("userHandle", bytes: userHandle?.bytes ?? (writesEmptyUserHandle ? [] : nil))
        return ResponseEnvelope.json(
            id: id,
            response: response.json,
            authenticatorAttachment: authenticatorAttachment,
            clientExtensionResults: clientExtensionResults
        )
    }

    /// The response as JSON text in UTF-8.
    public func jsonBytes() -> [UInt8] {
        json.serialized()
    }
}

extension AuthenticationResponse: Codable {
    /// Decodes a response through a ``JSONValue``.
    ///
    /// - Parameter decoder: Any decoder of a self-describing format.
    /// - Throws: The decoder's error, or ``AuthenticationError``.
    public init(from decoder: any Decoder) throws {
        try self.init(json: JSONValue(from: decoder).serialized())
    }

    /// Encodes the response through a ``JSONValue``.
    ///
    /// - Parameter encoder: Any encoder.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}
