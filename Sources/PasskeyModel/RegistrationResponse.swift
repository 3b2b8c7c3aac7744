public import PasskeyWire

/// What a client sends at the end of a registration (`#dictdef-registrationresponsejson`).
///
/// Nothing in it is to be trusted before a relying party has verified it. The bytes are as they came: nothing that is
/// signed or hashed is written anew.
public struct RegistrationResponse: Hashable, Sendable {
    /// The credential's identifier as the client tells it; the attested one must be equal.
    public var id: [UInt8]

    /// The client data that was hashed.
    public var clientDataJSON: [UInt8]

    /// The attestation object.
    public var attestationObject: [UInt8]

    /// How the authenticator may be reached, unknown ways too; store them and send them back in descriptors.
    public var transports: [AuthenticatorTransport]

    /// `platform`, `cross-platform`, or what a later client says.
    public var authenticatorAttachment: String?

    /// What the client says of extensions.
    public var clientExtensionResults: AuthenticationExtensionsClientOutputs

    /// What the JSON says beside the attestation object.
    ///
    /// It is never used: a relying party reads the attestation object and refuses a difference.
    public var claims: Claims

    /// Copies of parts of the attestation object, for servers that parse no CBOR.
    public struct Claims: Hashable, Sendable {
        /// The authenticator data.
        public var authenticatorData: [UInt8]?

        /// The public key as a DER SubjectPublicKeyInfo.
        public var publicKey: [UInt8]?

        /// The public key's COSE algorithm.
        public var publicKeyAlgorithm: Int?

        /// Makes copies.
        ///
        /// - Parameters:
        ///   - authenticatorData: The authenticator data.
        ///   - publicKey: The public key as a DER SubjectPublicKeyInfo.
        ///   - publicKeyAlgorithm: The public key's COSE algorithm.
        public init(authenticatorData: [UInt8]? = nil, publicKey: [UInt8]? = nil, publicKeyAlgorithm: Int? = nil) {
            self.authenticatorData = authenticatorData
            self.publicKey = publicKey
            self.publicKeyAlgorithm = publicKeyAlgorithm
        }
    }

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - id: The credential's identifier.
    ///   - clientDataJSON: The client data.
    ///   - attestationObject: The attestation object.
    ///   - transports: How the authenticator may be reached.
    ///   - authenticatorAttachment: `platform` or `cross-platform`.
    ///   - clientExtensionResults: What the client says of extensions.
    ///   - claims: Copies of parts of the attestation object.
    public init(
        id: [UInt8],
        clientDataJSON: [UInt8],
        attestationObject: [UInt8],
        transports: [AuthenticatorTransport] = [],
        authenticatorAttachment: String? = nil,
        clientExtensionResults: AuthenticationExtensionsClientOutputs = .init(),
        claims: Claims = Claims()
    ) {
        self.id = id
        self.clientDataJSON = clientDataJSON
        self.attestationObject = attestationObject
        self.transports = transports
        self.authenticatorAttachment = authenticatorAttachment
        self.clientExtensionResults = clientExtensionResults
        self.claims = claims
    }

    /// Reads a response.
    ///
    /// `type` must be `public-key`, `id` equal to `rawId`; unknown members are ignored.
    ///
    /// - Parameter bytes: JSON text: what `PublicKeyCredential.toJSON()` gives.
    /// - Throws: ``RegistrationError`` at ``RegistrationError/Step/response``, or at
    ///   ``RegistrationError/Step/extensions`` for an output of another type than its extension defines.
    public init(json bytes: [UInt8]) throws(RegistrationError) {
        do throws(ResponseFault) {
            let envelope = try ResponseEnvelope(bytes)
            self = try envelope.read { (members) throws(ModelError) in
                RegistrationResponse(
                    id: envelope.id,
                    clientDataJSON: try members.bytes("clientDataJSON"),
                    attestationObject: try members.bytes("attestationObject"),
                    transports: try members.readElements("transports") { (json) throws(ModelError) in
                        AuthenticatorTransport(rawValue: try JSONMembers.string(json))
                    },
                    authenticatorAttachment: envelope.authenticatorAttachment,
                    clientExtensionResults: envelope.clientExtensionResults,
                    claims: Claims(
                        authenticatorData: try members.bytesIfPresent("authenticatorData"),
                        publicKey: try members.bytesIfPresent("publicKey"),
                        publicKeyAlgorithm: try members.intIfPresent("publicKeyAlgorithm")
                    )
                )
            }
        } catch {
            let cause = error.cause
            throw RegistrationError(error.isExtension ? .extensions : .response, cause.reason, offset: cause.offset)
        }
    }

    /// Reads a response from JSON text.
    ///
    /// - Parameter text: What `PublicKeyCredential.toJSON()` gives.
    /// - Throws: As `init(json:)` on bytes.
    public init(json text: String) throws(RegistrationError) {
        try self.init(json: [UInt8](text.utf8))
    }

    /// The response as `PublicKeyCredential.toJSON()` gives it.
    public var json: JSONValue {
        var response = JSONObjectWriter()
        response.write("clientDataJSON", bytes: clientDataJSON)
        response.write("authenticatorData", bytes: claims.authenticatorData)
        response.write("transports", .array(transports.map { .string($0.rawValue) }))
        response.write("publicKey", bytes: claims.publicKey)
        response.write("publicKeyAlgorithm", claims.publicKeyAlgorithm)
        response.write("attestationObject", bytes: attestationObject)
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

extension RegistrationResponse: Codable {
    /// Decodes a response through a ``JSONValue``.
    ///
    /// - Parameter decoder: Any decoder of a self-describing format.
    /// - Throws: The decoder's error, or ``RegistrationError``.
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
