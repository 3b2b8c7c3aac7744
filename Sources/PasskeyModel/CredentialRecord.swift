public import PasskeyWire

/// What a relying party keeps of a credential (`#credential-record`).
///
/// Store the whole: a field that was not stored cannot be checked later. Its JSON is a stored form with a version of
/// its own, which later versions of this library go on reading.
public struct CredentialRecord: JSONRepresentable {
    /// The credential's identifier: 1 to 1,023 bytes.
    ///
    /// A column must hold them all.
    public var id: [UInt8]

    /// The public key: a COSE_Key map, as the authenticator made it.
    public var publicKey: [UInt8]

    /// The last signature counter; 0 where there is none.
    public var signCount: UInt32

    /// Whose credential it is.
    public var userHandle: UserHandle

    /// How the authenticator may be reached, as the client told it.
    public var transports: [AuthenticatorTransport]

    /// Whether the user was verified with it at least once, so that it may serve as the only factor.
    public var uvInitialized: Bool

    /// Whether it may be copied to other devices; `nil` if a record was made by software that did not store it.
    ///
    /// A flag that is unknown is learnt at the next sign-in. It must not be stored as false: a later sign-in would
    /// then look like a change, which the specification refuses.
    public var backupEligible: Bool?

    /// Whether it was backed up when it was last used; `nil` if unknown.
    public var backupState: Bool?

    /// The authenticator's model, to name the passkey in the user's list; not proven without attestation.
    public var aaguid: AAGUID?

    /// The format of the attestation statement that came with it.
    ///
    /// It says what was sent and not that it was verified: that is what the registration's attestation type says.
    public var attestationFormat: AttestationStatementFormat?

    /// The attestation object, to judge the attestation again later.
    public var attestationObject: [UInt8]?

    /// The client data that the attestation covers.
    public var attestationClientDataJSON: [UInt8]?

    /// When it was registered.
    public var createdAt: Timestamp?

    /// When it last signed in.
    public var lastUsedAt: Timestamp?

    /// Makes a record, as from another store.
    ///
    /// - Parameters:
    ///   - id: The credential's identifier: 1 to 1,023 bytes.
    ///   - publicKey: The COSE_Key map.
    ///   - signCount: The last signature counter.
    ///   - userHandle: Whose credential it is.
    ///   - transports: How the authenticator may be reached.
    ///   - uvInitialized: Whether the user was verified with it at least once.
    ///   - backupEligible: BE, or `nil` if it was never stored.
    ///   - backupState: BS, or `nil` if it was never stored.
    ///   - aaguid: The authenticator's model.
    ///   - attestationFormat: The attestation statement's format.
    ///   - attestationObject: The attestation object.
    ///   - attestationClientDataJSON: The client data that the attestation covers.
    ///   - createdAt: When it was registered.
    ///   - lastUsedAt: When it last signed in.
    /// - Throws: ``ModelError`` if the identifier's length is out of bounds, or the key is not a CBOR map in CTAP2's
    ///   form: a key that a database has cut or converted fails here, on load, and not at the next sign-in.
    public init(
        id: [UInt8],
        publicKey: [UInt8],
        signCount: UInt32,
        userHandle: UserHandle,
        transports: [AuthenticatorTransport] = [],
        uvInitialized: Bool = false,
        backupEligible: Bool? = nil,
        backupState: Bool? = nil,
        aaguid: AAGUID? = nil,
        attestationFormat: AttestationStatementFormat? = nil,
        attestationObject: [UInt8]? = nil,
        attestationClientDataJSON: [UInt8]? = nil,
        createdAt: Timestamp? = nil,
        lastUsedAt: Timestamp? = nil
    ) throws(ModelError) {
        guard (1...1023).contains(id.count) else {
            throw ModelError(.outOfRange, at: "id", "a credential ID has 1 to 1,023 bytes, not \(id.count)")
        }
        do throws(WireError) {
            _ = try COSEKey(publicKey)
        } catch {
            throw ModelError(.invalid, at: "publicKey", error.reason, offset: error.offset)
        }
        self.id = id
        self.publicKey = publicKey
        self.signCount = signCount
        self.userHandle = userHandle
        self.transports = transports
        self.uvInitialized = uvInitialized
        self.backupEligible = backupEligible
        self.backupState = backupState
        self.aaguid = aaguid
        self.attestationFormat = attestationFormat
        self.attestationObject = attestationObject
        self.attestationClientDataJSON = attestationClientDataJSON
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }

    /// The descriptor that names this credential in options.
    public var descriptor: PublicKeyCredentialDescriptor {
        PublicKeyCredentialDescriptor(id: id, transports: transports)
    }

    private static let version = 1

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        let version = try members.int("version")
        guard version == CredentialRecord.version else {
            throw ModelError(.outOfRange, at: "version", "version \(version) is unknown to this library")
        }
        let signCount = try members.int("signCount")
        guard let signCount = UInt32(exactly: signCount) else {
            throw ModelError(.outOfRange, at: "signCount", "\(signCount) is no 32-bit counter")
        }
        try self.init(
            id: members.bytes("id"),
            publicKey: members.bytes("publicKey"),
            signCount: signCount,
            userHandle: members.read("userHandle", UserHandle.init),
            transports: members.readElements("transports") { (json) throws(ModelError) in
                AuthenticatorTransport(rawValue: try JSONMembers.string(json))
            },
            uvInitialized: members.boolIfPresent("uvInitialized") ?? false,
            backupEligible: members.boolIfPresent("backupEligible"),
            backupState: members.boolIfPresent("backupState"),
            aaguid: members.readIfPresent("aaguid", AAGUID.init),
            attestationFormat: members.stringIfPresent("attestationFormat").map {
                AttestationStatementFormat(rawValue: $0)
            },
            attestationObject: members.bytesIfPresent("attestationObject"),
            attestationClientDataJSON: members.bytesIfPresent("attestationClientDataJSON"),
            createdAt: members.readIfPresent("createdAt", Timestamp.init),
            lastUsedAt: members.readIfPresent("lastUsedAt", Timestamp.init)
        )
    }

    /// The JSON form.
    public var json: JSONValue {
        var writer = JSONObjectWriter()
        writer.write("version", CredentialRecord.version)
        writer.write("id", bytes: id)
        writer.write("publicKey", bytes: publicKey)
        writer.write("signCount", Int(signCount))
        writer.write("userHandle", userHandle.json)
        writer.write("transports", .array(transports.map { .string($0.rawValue) }))
        writer.write("uvInitialized", uvInitialized)
        writer.write("backupEligible", backupEligible)
        writer.write("backupState", backupState)
        writer.write("aaguid", aaguid?.json)
        writer.write("attestationFormat", attestationFormat?.rawValue)
        writer.write("attestationObject", bytes: attestationObject)
        writer.write("attestationClientDataJSON", bytes: attestationClientDataJSON)
        writer.write("createdAt", createdAt?.json)
        writer.write("lastUsedAt", lastUsedAt?.json)
        return writer.json
    }
}
