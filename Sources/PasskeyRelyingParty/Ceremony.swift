public import PasskeyModel

/// A registration that was begun: what the server must remember until the response comes.
///
/// Keep it on the server, take it out of its store when the response comes, before verifying and whether or not it
/// verifies: a ceremony that can be finished twice allows replay. It is a stored form with a version.
public struct RegistrationCeremony: JSONRepresentable {
    /// The challenge that was sent.
    public let challenge: Challenge

    /// The RP ID that was sent.
    public let relyingPartyID: String

    /// Whose new credential it will be.
    public let userHandle: UserHandle

    /// After this moment the response is refused.
    public let expiresAt: Timestamp

    /// What was asked of user verification.
    public let userVerification: UserVerificationRequirement

    /// The algorithms that were offered.
    public let algorithms: [COSEAlgorithmIdentifier]

    /// `conditional` if the client was asked to create the passkey without a prompt; UP may then be missing.
    public let mediation: CredentialMediationRequirement

    /// The extensions that were asked for.
    public let extensions: AuthenticationExtensionsClientInputs

    /// What is asked of the backup flags.
    public let backup: BackupPolicy

    /// What to do with extension outputs that nobody asked for.
    public let unsolicitedExtensions: UnsolicitedExtensionPolicy

    private static let kind = CeremonyKind(purpose: "registration", version: 1)

    package init(
        challenge: Challenge,
        relyingPartyID: String,
        userHandle: UserHandle,
        expiresAt: Timestamp,
        algorithms: [COSEAlgorithmIdentifier],
        _ options: RegistrationOptions
    ) {
        self.challenge = challenge
        self.relyingPartyID = relyingPartyID
        self.userHandle = userHandle
        self.expiresAt = expiresAt
        self.algorithms = algorithms
        userVerification = options.authenticatorSelection.userVerification
        mediation = options.mediation
        extensions = options.extensions
        backup = options.backup
        unsolicitedExtensions = options.unsolicitedExtensions
    }

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try RegistrationCeremony.kind.members(of: json)
        challenge = try members.read("challenge", Challenge.init)
        relyingPartyID = try members.string("relyingPartyID")
        userHandle = try members.read("userHandle", UserHandle.init)
        expiresAt = try members.read("expiresAt", Timestamp.init)
        userVerification = try members.choice("userVerification")
        algorithms = try members.readElements("algorithms") { (json) throws(ModelError) in
            COSEAlgorithmIdentifier(rawValue: try JSONMembers.int(json))
        }
        mediation = try members.choice("mediation")
        extensions = try members.read("extensions", AuthenticationExtensionsClientInputs.init)
        backup = try members.read("backup", BackupPolicy.init)
        unsolicitedExtensions = try members.choice("unsolicitedExtensions")
    }

    /// The JSON form.
    public var json: JSONValue {
        var writer = RegistrationCeremony.kind.writer
        writer.write("challenge", challenge.json)
        writer.write("relyingPartyID", relyingPartyID)
        writer.write("userHandle", userHandle.json)
        writer.write("expiresAt", expiresAt.json)
        writer.write("userVerification", userVerification.rawValue)
        writer.write("algorithms", .array(algorithms.map { .number(JSONNumber($0.rawValue)) }))
        writer.write("mediation", mediation.rawValue)
        writer.write("extensions", extensions.json)
        writer.write("backup", backup.json)
        writer.write("unsolicitedExtensions", unsolicitedExtensions.rawValue)
        return writer.json
    }
}

/// A sign-in that was begun: what the server must remember until the response comes.
///
/// Keep it on the server, take it out of its store when the response comes, before verifying and whether or not it
/// verifies: a ceremony that can be finished twice allows replay. It is a stored form with a version.
public struct AuthenticationCeremony: JSONRepresentable {
    /// The challenge that was sent.
    public let challenge: Challenge

    /// The RP ID that was sent.
    public let relyingPartyID: String

    /// Who signs in, where that was known at the beginning; otherwise the user handle in the response must say it.
    public let userHandle: UserHandle?

    /// The identifiers of the credentials that are allowed; empty means any of the user's.
    public let allowedCredentials: [[UInt8]]

    /// After this moment the response is refused.
    public let expiresAt: Timestamp

    /// What was asked of user verification.
    public let userVerification: UserVerificationRequirement

    /// The extensions that were asked for.
    public let extensions: AuthenticationExtensionsClientInputs

    /// What is asked of the backup flags.
    public let backup: BackupPolicy

    /// What to do when the signature counter has not grown.
    public let signCount: SignCountPolicy

    /// What to do with extension outputs that nobody asked for.
    public let unsolicitedExtensions: UnsolicitedExtensionPolicy

    private static let kind = CeremonyKind(purpose: "authentication", version: 1)

    package init(
        challenge: Challenge,
        relyingPartyID: String,
        userHandle: UserHandle?,
        allowedCredentials: [[UInt8]],
        expiresAt: Timestamp,
        _ options: AuthenticationOptions
    ) {
        self.challenge = challenge
        self.relyingPartyID = relyingPartyID
        self.userHandle = userHandle
        self.allowedCredentials = allowedCredentials
        self.expiresAt = expiresAt
        userVerification = options.userVerification
        extensions = options.extensions
        backup = options.backup
        signCount = options.signCount
        unsolicitedExtensions = options.unsolicitedExtensions
    }

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try AuthenticationCeremony.kind.members(of: json)
        challenge = try members.read("challenge", Challenge.init)
        relyingPartyID = try members.string("relyingPartyID")
        // What limits who may sign in is never absent: a store that loses it must not widen the ceremony.
        userHandle =
            try members.bool("isDiscoverable") ? nil : members.read("userHandle", UserHandle.init)
        allowedCredentials = try members.read("allowedCredentials") { (json) throws(ModelError) in
            try JSONMembers.elements(json, JSONMembers.bytes)
        }
        expiresAt = try members.read("expiresAt", Timestamp.init)
        userVerification = try members.choice("userVerification")
        extensions = try members.read("extensions", AuthenticationExtensionsClientInputs.init)
        backup = try members.read("backup", BackupPolicy.init)
        signCount = try members.choice("signCount")
        unsolicitedExtensions = try members.choice("unsolicitedExtensions")
    }

    /// The JSON form.
    public var json: JSONValue {
        var writer = AuthenticationCeremony.kind.writer
        writer.write("challenge", challenge.json)
        writer.write("relyingPartyID", relyingPartyID)
        writer.write("isDiscoverable", userHandle == nil)
        writer.write("userHandle", userHandle?.json)
        writer.write("allowedCredentials", .array(allowedCredentials.map { .string(Base64URL.encode($0)) }))
        writer.write("expiresAt", expiresAt.json)
        writer.write("userVerification", userVerification.rawValue)
        writer.write("extensions", extensions.json)
        writer.write("backup", backup.json)
        writer.write("signCount", signCount.rawValue)
        writer.write("unsolicitedExtensions", unsolicitedExtensions.rawValue)
        return writer.json
    }
}

/// What a stored ceremony says of itself first, so that one cannot be taken for the other.
private struct CeremonyKind: Sendable {
    let purpose: String
    let version: Int

    var writer: JSONObjectWriter {
        var writer = JSONObjectWriter()
        writer.write("purpose", purpose)
        writer.write("version", version)
        return writer
    }

    func members(of json: JSONValue) throws(ModelError) -> JSONMembers {
        let members = try JSONMembers(json)
        let found = try members.string("purpose")
        guard found == purpose else {
            throw ModelError(.invalid, at: "purpose", "the ceremony is for \(found), not for \(purpose)")
        }
        let version = try members.int("version")
        guard version == self.version else {
            throw ModelError(.outOfRange, at: "version", "version \(version) is unknown to this library")
        }
        return members
    }
}
