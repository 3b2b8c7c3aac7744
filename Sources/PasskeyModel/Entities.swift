public import PasskeyWire

/// The relying party as options name it (`#dictionary-rp-credential-params`).
public struct PublicKeyCredentialRpEntity: JSONRepresentable {
    /// The RP ID; `nil` for the effective domain of the page that asks.
    public var id: String?

    /// A name for people.
    public var name: String

    /// Makes the entity.
    ///
    /// - Parameters:
    ///   - id: The RP ID; `nil` for the effective domain of the page that asks.
    ///   - name: A name for people.
    public init(id: String? = nil, name: String) {
        self.id = id
        self.name = name
    }

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        id = try members.stringIfPresent("id")
        name = try members.string("name")
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("name", name)
        object.write("id", id)
        return object.json
    }
}

/// The account that a credential is made for (`#dictionary-user-credential-params`).
public struct PublicKeyCredentialUserEntity: JSONRepresentable {
    /// The user handle, which decisions are made on; it tells nothing about the user.
    public var id: UserHandle

    /// What the user knows the account by, such as an e-mail address; for display alone.
    public var name: String

    /// The user's own name, for display alone; empty where none is fitting.
    public var displayName: String

    /// Makes the entity.
    ///
    /// There is no default for the handle: a new one for each ceremony would make each passkey an account of its own.
    ///
    /// - Parameters:
    ///   - id: The account's handle.
    ///   - name: What the user knows the account by.
    ///   - displayName: The user's own name.
    public init(id: UserHandle, name: String, displayName: String = "") {
        self.id = id
        self.name = name
        self.displayName = displayName
    }

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        id = try members.read("id", UserHandle.init)
        name = try members.string("name")
        displayName = try members.string("displayName")
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("id", id.json)
        object.write("name", name)
        object.write("displayName", displayName)
        return object.json
    }
}

/// A kind of credential that a relying party accepts (`#dictionary-credential-params`).
public struct PublicKeyCredentialParameters: JSONRepresentable {
    /// The credential's type.
    public var type: PublicKeyCredentialType

    /// The signature algorithm, and with it the kind of key.
    public var alg: COSEAlgorithmIdentifier

    /// Makes the parameters.
    ///
    /// - Parameters:
    ///   - type: The credential's type.
    ///   - alg: The signature algorithm.
    public init(type: PublicKeyCredentialType = .publicKey, alg: COSEAlgorithmIdentifier) {
        self.type = type
        self.alg = alg
    }

    /// What reaches every common authenticator: ES256, EdDSA and RS256.
    ///
    /// They are the three that `#dom-publickeycredentialcreationoptions-pubkeycredparams` asks a relying party to list.
    public static let recommended: [PublicKeyCredentialParameters] = [
        PublicKeyCredentialParameters(alg: .es256),
        PublicKeyCredentialParameters(alg: .edDSA),
        PublicKeyCredentialParameters(alg: .rs256),
    ]

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        type = PublicKeyCredentialType(rawValue: try members.string("type"))
        alg = try members.read("alg") { (json) throws(ModelError) in
            let number = try JSONMembers.int(json)
            guard let long = Int32(exactly: number) else {
                throw ModelError(.outOfRange, "\(number) is no COSEAlgorithmIdentifier, which has 32 bits")
            }
            return COSEAlgorithmIdentifier(rawValue: Int(long))
        }
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("type", type)
        object.write("alg", alg.rawValue)
        return object.json
    }
}

/// A credential that a request names (`#dictionary-credential-descriptor`).
public struct PublicKeyCredentialDescriptor: JSONRepresentable {
    /// The credential's type.
    public var type: PublicKeyCredentialType

    /// The credential's identifier, 1 to 1023 bytes.
    ///
    /// The bound is `#sctn-registering-a-new-credential`'s; the reading of JSON refuses what is beyond it.
    public var id: [UInt8]

    /// How its authenticator may be reached, as the registration said; empty where that is not known.
    public var transports: [AuthenticatorTransport]

    /// Makes a descriptor.
    ///
    /// - Parameters:
    ///   - type: The credential's type.
    ///   - id: The credential's identifier: bytes, not base64url text.
    ///   - transports: How its authenticator may be reached, as stored with the credential.
    public init(
        type: PublicKeyCredentialType = .publicKey,
        id: [UInt8],
        transports: [AuthenticatorTransport] = []
    ) {
        self.type = type
        self.id = id
        self.transports = transports
    }

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        type = PublicKeyCredentialType(rawValue: try members.string("type"))
        id = try members.read("id", Self.credentialID)
        transports = try members.openStrings("transports")
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("type", type)
        object.write("id", bytes: id)
        object.write("transports", transports)
        return object.json
    }

    /// Reads the base64url of a credential ID, with its bounds.
    package static func credentialID(_ json: JSONValue) throws(ModelError) -> [UInt8] {
        let id = try JSONMembers.bytes(json)
        guard (1...1023).contains(id.count) else {
            throw ModelError(.outOfRange, "a credential ID has 1 to 1023 bytes, not \(id.count)")
        }
        return id
    }
}
