public import PasskeyModel
public import PasskeyWire

/// A credential with all its secrets, to keep in a file or to carry to another authenticator.
///
/// Its JSON form has the names of WebDriver's Credential Parameters (`#sctn-automation-add-credential`), and more members
/// beside them for what WebDriver has no name for. Whoever reads it can sign in with the credential: it is for tests.
public struct VirtualCredentialParameters: JSONRepresentable {
    /// The credential's identifier, 1 to 1,023 bytes.
    public var credentialID: [UInt8]

    /// Whether it is discoverable.
    public var isResidentCredential: Bool

    /// The RP ID.
    public var relyingPartyIdentifier: String

    /// The private key: a PKCS #8 PrivateKeyInfo in DER (RFC 5958).
    public var privateKey: [UInt8]

    /// What the key is for; `nil` for what keys of its kind usually are for, such as ES256 for P-256.
    public var algorithm: COSEAlgorithmIdentifier?

    /// The account; a discoverable credential must have one.
    public var userHandle: UserHandle?

    /// The counter of its last use; `nil` for a credential that has none: its signatures tell zero forever.
    public var signCount: UInt32?

    /// What the user knows the account by.
    public var userName: String

    /// The user's own name.
    public var userDisplayName: String

    /// Whether it may be copied to other devices; `nil` for what the authenticator has by default.
    public var backupEligibility: Bool?

    /// Whether it is backed up; `nil` for what the authenticator has by default.
    public var backupState: Bool?

    /// The blob that is stored with it (`#sctn-large-blob-extension`).
    public var largeBlob: [UInt8]?

    /// Whether it has room for a blob.
    public var supportsLargeBlob: Bool

    /// How it is guarded (CTAP 2.2, `credProtect`).
    public var protection: CredentialProtectionPolicy

    /// The bytes that a relying party stored with it (CTAP 2.2, `credBlob`).
    public var credBlob: [UInt8]?

    /// The secrets of its pseudo-random function; `nil` for a credential without one.
    public var secrets: CredentialSecrets?

    /// Whether a signal disowned it.
    public var isHidden: Bool

    /// When it was made; `nil` for now.
    public var createdAt: Timestamp?

    /// Makes parameters.
    ///
    /// - Parameters:
    ///   - credentialID: The credential's identifier, 1 to 1,023 bytes.
    ///   - isResidentCredential: Whether it is discoverable.
    ///   - relyingPartyIdentifier: The RP ID.
    ///   - privateKey: The private key: PKCS #8 in DER.
    ///   - algorithm: What the key is for; `nil` for what keys of its kind usually are for.
    ///   - userHandle: The account.
    ///   - signCount: The counter of its last use; `nil` for a credential that has none.
    ///   - userName: What the user knows the account by.
    ///   - userDisplayName: The user's own name.
    public init(
        credentialID: [UInt8],
        isResidentCredential: Bool,
        relyingPartyIdentifier: String,
        privateKey: [UInt8],
        algorithm: COSEAlgorithmIdentifier? = nil,
        userHandle: UserHandle? = nil,
        signCount: UInt32? = 0,
        userName: String = "",
        userDisplayName: String = ""
    ) {
        self.credentialID = credentialID
        self.isResidentCredential = isResidentCredential
        self.relyingPartyIdentifier = relyingPartyIdentifier
        self.privateKey = privateKey
        self.algorithm = algorithm
        self.userHandle = userHandle
        self.signCount = signCount
        self.userName = userName
        self.userDisplayName = userDisplayName
        supportsLargeBlob = false
        protection = .userVerificationOptional
        isHidden = false
    }

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object. `signCount` must be there: `null` is a credential without a counter.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        try self.init(
            credentialID: members.bytes("credentialId"),
            isResidentCredential: members.bool("isResidentCredential"),
            relyingPartyIdentifier: members.string("rpId"),
            privateKey: members.bytes("privateKey"),
            algorithm: members.intIfPresent("algorithm").map(COSEAlgorithmIdentifier.init(rawValue:)),
            userHandle: members.readIfPresent("userHandle", UserHandle.init),
            signCount: Self.signCount(json),
            userName: members.stringIfPresent("userName") ?? "",
            userDisplayName: members.stringIfPresent("userDisplayName") ?? ""
        )
        backupEligibility = try members.boolIfPresent("backupEligibility")
        backupState = try members.boolIfPresent("backupState")
        largeBlob = try members.bytesIfPresent("largeBlob")
        supportsLargeBlob = try members.boolIfPresent("supportsLargeBlob") ?? (largeBlob != nil)
        if let policy: CredentialProtectionPolicy = try members.known("credentialProtectionPolicy") {
            protection = policy
        }
        credBlob = try members.bytesIfPresent("credBlob")
        secrets = try members.readIfPresent("hmacSecret", CredentialSecrets.init)
        isHidden = try members.boolIfPresent("isHidden") ?? false
        createdAt = try members.readIfPresent("createdAt", Timestamp.init)
    }

    private static func signCount(_ json: JSONValue) throws(ModelError) -> UInt32? {
        guard let value = json.object?["signCount"] else {
            throw ModelError(.missing, at: "signCount", "the member is required")
        }
        guard value != .null else { return nil }
        guard case .number(let number) = value, let int = number.int, let count = UInt32(exactly: int) else {
            throw ModelError(.outOfRange, at: "signCount", "neither null nor a number of 32 bits")
        }
        return count
    }

    /// The JSON form, in WebDriver's order.
    ///
    /// It has one `null`: a `signCount` that is none.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("credentialId", bytes: credentialID)
        object.write("isResidentCredential", isResidentCredential)
        object.write("rpId", relyingPartyIdentifier)
        object.write("privateKey", bytes: privateKey)
        object.write("userHandle", userHandle?.json)
        object.write("signCount", signCount.map { .number(JSONNumber(Int($0))) } ?? JSONValue.null)
        object.write("largeBlob", bytes: largeBlob)
        object.write("backupEligibility", backupEligibility)
        object.write("backupState", backupState)
        object.write("userName", userName)
        object.write("userDisplayName", userDisplayName)
        object.write("algorithm", algorithm?.rawValue)
        object.write("supportsLargeBlob", supportsLargeBlob)
        object.write("credentialProtectionPolicy", protection)
        object.write("credBlob", bytes: credBlob)
        object.write("hmacSecret", secrets?.json)
        object.write("isHidden", isHidden)
        object.write("createdAt", createdAt?.json)
        return object.json
    }
}

extension CredentialSecrets {
    fileprivate init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        withUserVerification = try members.read("withUserVerification", Self.secret)
        withoutUserVerification = try members.read("withoutUserVerification", Self.secret)
    }

    private static func secret(_ json: JSONValue) throws(ModelError) -> [UInt8] {
        let bytes = try JSONMembers.bytes(json)
        guard bytes.count == 32 else { throw ModelError(.outOfRange, "a secret has 32 bytes") }
        return bytes
    }

    fileprivate var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("withUserVerification", bytes: withUserVerification)
        object.write("withoutUserVerification", bytes: withoutUserVerification)
        return object.json
    }
}
