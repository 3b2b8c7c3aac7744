import PasskeyCrypto
import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// The relying party, user, clock and key that the tests of this suite share.
enum Stage {
    static let id = "example.com"
    static let origin = "https://example.com"
    static let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)
    static let challenge = [UInt8](repeating: 0xC5, count: 32)

    static func relyingParty(
        attestation: AttestationVerifier = .optional,
        framing: OriginPolicy.Framing = .refused,
        at time: Timestamp = now
    ) throws -> RelyingParty {
        try RelyingParty(
            id: RelyingPartyIdentifier(id),
            name: "Example",
            origins: OriginPolicy([Origin(origin)], framing: framing),
            attestation: attestation,
            clock: { time },
            random: { [UInt8](repeating: 0xC5, count: $0) }
        )
    }

    static func user() throws -> PublicKeyCredentialUserEntity {
        PublicKeyCredentialUserEntity(id: try UserHandle(bytes: [1, 2, 3, 4]), name: "ada", displayName: "Ada")
    }
}

/// How a statement is made for a scene.
enum StatementKind {
    case none
    case packedSelf
    case given(AttestationStatementFormat, CBOR)
}

/// A registration, part by part, so that a test can change one and leave the rest as an honest client makes it.
///
/// Statement and hashes are made after the change, so that only the step at fault can see it.
struct RegistrationScene {
    let key: PrivateKey
    var type = "webauthn.create"
    var challenge = Stage.challenge
    var origin = Stage.origin
    var crossOrigin: Bool? = false
    var topOrigin: String?
    var clientData: [UInt8]?
    var rpID = Stage.id
    var flags: AuthenticatorData.Flags = [.userPresent, .userVerified]
    var signCount: UInt32 = 0
    var credentialID = [UInt8](repeating: 0xA1, count: 32)
    var responseID: [UInt8]?
    var publicKey: [UInt8]
    var attests = true
    var extensions: AuthenticatorExtensionOutputs?
    var tail: [UInt8] = []
    var statement = StatementKind.none
    var attestationObject: (([UInt8]) -> [UInt8])?
    var claims = RegistrationResponse.Claims()
    var results = AuthenticationExtensionsClientOutputs()

    var options = RegistrationOptions()
    var attestation = AttestationVerifier.optional
    var framing = OriginPolicy.Framing.refused
    var finishTime = Stage.now
    var owner: UserHandle?
    var finishes: RelyingParty?

    init(_ algorithm: COSEAlgorithmIdentifier = .es256) throws {
        key = try PrivateKey.generate(algorithm)
        publicKey = key.publicKey.encoded
    }

    func authenticatorData() throws -> [UInt8] {
        let credential = try AttestedCredentialData(
            aaguid: .zero,
            credentialID: credentialID,
            credentialPublicKey: publicKey
        )
        return try AuthenticatorData(
            rpIDHash: sha256([UInt8](rpID.utf8)),
            flags: flags,
            signCount: signCount,
            attestedCredentialData: attests ? credential : nil,
            extensions: extensions
        ).bytes + tail
    }

    func response() throws -> RegistrationResponse {
        let client =
            clientData
            ?? ClientData.serialize(
                type: type,
                challenge: challenge,
                origin: origin,
                crossOrigin: crossOrigin,
                topOrigin: topOrigin
            )
        let data = try authenticatorData()
        let (format, value): (AttestationStatementFormat, CBOR)
        switch statement {
        case .none: (format, value) = (.none, .map([]))
        case .packedSelf:
            let signature = try key.sign(data + sha256(client))
            (format, value) = (.packed, ["alg": .init(key.algorithm.rawValue), "sig": .bytes(signature)])
        case .given(let given, let statement): (format, value) = (given, statement)
        }
        let object = try AttestationObject.encode(format: format, statement: value, authenticatorData: data)
        return RegistrationResponse(
            id: responseID ?? credentialID,
            clientDataJSON: client,
            attestationObject: attestationObject?(object) ?? object,
            transports: [.internal],
            clientExtensionResults: results,
            claims: claims
        )
    }

    /// Begins, answers and finishes.
    func run() throws -> Registration {
        let (response, ceremony) = try begun()
        return try (finishes ?? party(at: finishTime)).finishRegistration(response, ceremony, owner: owner)
    }

    func report() throws -> VerificationReport {
        let (response, ceremony) = try begun()
        return try (finishes ?? party(at: finishTime)).verificationReport(response, ceremony, owner: owner)
    }

    private func begun() throws -> (RegistrationResponse, RegistrationCeremony) {
        let ceremony = try party(at: Stage.now).beginRegistration(for: Stage.user(), excluding: [], options).ceremony
        return (try response(), ceremony)
    }

    private func party(at time: Timestamp) throws -> RelyingParty {
        try Stage.relyingParty(attestation: attestation, framing: framing, at: time)
    }
}

/// A sign-in, part by part.
struct AuthenticationScene {
    let key: PrivateKey
    var record: CredentialRecord?
    var type = "webauthn.get"
    var challenge = Stage.challenge
    var origin = Stage.origin
    var crossOrigin: Bool? = false
    var topOrigin: String?
    var clientData: [UInt8]?
    var rpID = Stage.id
    var flags: AuthenticatorData.Flags = [.userPresent, .userVerified]
    var signCount: UInt32 = 0
    var extensions: AuthenticatorExtensionOutputs?
    var tail: [UInt8] = []
    var responseID: [UInt8]
    var userHandle: UserHandle?
    var results = AuthenticationExtensionsClientOutputs()
    var signature: (([UInt8]) throws -> [UInt8])?

    var options = AuthenticationOptions()
    var isDiscoverable = false
    var allowed: [CredentialRecord]?
    var framing = OriginPolicy.Framing.refused
    var finishTime = Stage.now
    var finishes: RelyingParty?

    init(_ algorithm: COSEAlgorithmIdentifier = .es256) throws {
        key = try PrivateKey.generate(algorithm)
        let record = try CredentialRecord(
            id: [UInt8](repeating: 0xA1, count: 32),
            publicKey: key.publicKey.encoded,
            signCount: 0,
            userHandle: Stage.user().id,
            uvInitialized: true,
            backupEligible: false,
            backupState: false
        )
        self.record = record
        responseID = record.id
        userHandle = record.userHandle
        allowed = [record]
    }

    func response() throws -> AuthenticationResponse {
        let client =
            clientData
            ?? ClientData.serialize(
                type: type,
                challenge: challenge,
                origin: origin,
                crossOrigin: crossOrigin,
                topOrigin: topOrigin
            )
        let data =
            try AuthenticatorData(
                rpIDHash: sha256([UInt8](rpID.utf8)),
                flags: flags,
                signCount: signCount,
                extensions: extensions
            ).bytes + tail
        let message = try data + sha256(client)
        return AuthenticationResponse(
            id: responseID,
            clientDataJSON: client,
            authenticatorData: data,
            signature: try signature?(message) ?? key.sign(message),
            userHandle: userHandle,
            clientExtensionResults: results
        )
    }

    func run() throws -> Authentication {
        let (response, ceremony) = try begun()
        return try (finishes ?? party(at: finishTime)).finishAuthentication(response, ceremony, record)
    }

    func report() throws -> VerificationReport {
        let (response, ceremony) = try begun()
        return try (finishes ?? party(at: finishTime)).verificationReport(response, ceremony, record)
    }

    private func begun() throws -> (AuthenticationResponse, AuthenticationCeremony) {
        let party = try party(at: Stage.now)
        let ceremony =
            try isDiscoverable
            ? party.beginDiscoverableAuthentication(options).ceremony
            : party.beginAuthentication(of: Stage.user().id, allowing: allowed ?? [], options).ceremony
        return (try response(), ceremony)
    }

    private func party(at time: Timestamp) throws -> RelyingParty {
        try Stage.relyingParty(framing: framing, at: time)
    }
}
