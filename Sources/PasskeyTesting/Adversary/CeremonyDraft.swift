import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// Why a mutation cannot be made.
struct MutationError: Error {
    let detail: String

    init(_ detail: String) {
        self.detail = detail
    }
}

/// What the adversary knows of a ceremony beside its response.
struct MutationContext: Sendable {
    /// The credential and its key.
    let source: CredentialSource

    /// The authenticator's other credentials, the newest first.
    let others: [CredentialSource]

    /// What the relying party asked for, in a registration.
    let creation: PublicKeyCredentialCreationOptions?

    /// The authenticator's.
    let options: VirtualAuthenticatorOptions

    /// What it kept of other ceremonies.
    let recording: Adversary.Recording

    let environment: VirtualEnvironment

    var acceptableAlgorithms: [COSEAlgorithmIdentifier] { creation?.acceptableAlgorithms ?? [] }

    /// What each signature adds to the counter.
    var counterStep: UInt32 { max(options.counterStep, 1) }

    var rpID: String { source.credential.relyingPartyIdentifier }
}

/// A ceremony's response, taken apart so that it can be changed and signed anew.
struct CeremonyDraft {
    let context: MutationContext
    var clientDataJSON: [UInt8]
    var authenticatorData: AuthenticatorDataParts

    /// The ID beside the response.
    var id: [UInt8]

    /// The key that signs.
    var signer: PrivateKey

    /// A registration's format, statement and the whole object.
    var format = AttestationStatementFormat.none

    /// How the statement is made anew.
    var profile = AttestationProfile(.none)

    /// The hash that the statement is made over, if it is not that of client data.
    var attestedHash: [UInt8]?

    var statement = CBOR.map([])
    var attestationObject: [UInt8] = []

    /// The copies beside the attestation object.
    var claims = RegistrationResponse.Claims()

    /// A sign-in's signature and user handle.
    var signature: [UInt8] = []
    var userHandle: UserHandle?

    /// Whether a user handle without bytes is sent.
    var sendsEmptyUserHandle = false

    var clientExtensionResults: AuthenticationExtensionsClientOutputs

    /// What is sent in place of the response.
    var replacement = Adversary.Recording()

    init(_ response: RegistrationResponse, _ context: MutationContext) throws(MutationError) {
        self.context = context
        let object = try MutationError.wrap { () throws(WireError) in
            try AttestationObject(response.attestationObject)
        }
        clientDataJSON = response.clientDataJSON
        authenticatorData = AuthenticatorDataParts(object.authenticatorData)
        id = response.id
        signer = context.source.privateKey
        format = object.format
        statement = object.statement.value
        attestationObject = response.attestationObject
        clientExtensionResults = response.clientExtensionResults
        profile = context.options.attestationProfile(
            object.format,
            mayTellSerialNumber: context.creation?.attestation == .enterprise
                && context.options.isEnterpriseAttestationEnabled
        )
    }

    init(_ response: AuthenticationResponse, _ context: MutationContext) throws(MutationError) {
        self.context = context
        clientDataJSON = response.clientDataJSON
        authenticatorData = AuthenticatorDataParts(
            try MutationError.wrap { () throws(WireError) in try AuthenticatorData(response.authenticatorData) }
        )
        id = response.id
        signer = context.source.privateKey
        signature = response.signature
        userHandle = response.userHandle
        clientExtensionResults = response.clientExtensionResults
    }

    /// What is signed: authenticator data and the hash of client data.
    func signedBytes() throws(MutationError) -> [UInt8] {
        authenticatorData.bytes + (try MutationError.wrap { () throws(CryptoError) in try sha256(clientDataJSON) })
    }

    /// A signature by the ceremony's key.
    func sign(_ message: [UInt8], with key: PrivateKey) throws(MutationError) -> [UInt8] {
        try MutationError.wrap { () throws(CryptoError) in try context.environment.sign(message, with: key) }
    }

    /// A new key pair.
    func makeKey(_ algorithm: COSEAlgorithmIdentifier) throws(MutationError) -> PrivateKey {
        try MutationError.wrap { () throws(CryptoError) in try context.environment.makeKey(algorithm) }
    }

    /// 32 bytes that differ from the ones given and depend on nothing else.
    func otherBytes(than bytes: [UInt8]) throws(MutationError) -> [UInt8] {
        try MutationError.wrap { () throws(CryptoError) in try sha256([UInt8]("another".utf8) + bytes) }
    }

    /// Makes the statement anew, as the authenticator would about what there is now, and puts the attestation object
    /// together.
    mutating func attest() throws(MutationError) {
        let hash = try MutationError.wrap { () throws(CryptoError) in
            if let attestedHash { attestedHash } else { try sha256(clientDataJSON) }
        }
        let maker = StatementMaker(
            profile: profile,
            subject: StatementSubject(authenticatorData),
            clientDataHash: hash,
            credentialKey: signer,
            environment: context.environment
        )
        format = profile.format
        statement = try MutationError.wrap { () throws(CryptoError) in try maker.statement() }
        try assemble()
    }

    /// Puts the attestation object together from format, statement and authenticator data as they are.
    mutating func assemble() throws(MutationError) {
        try setEnvelope(head: [0xA3]) { $0 }
    }

    /// Writes the attestation object with other members.
    ///
    /// - Parameters:
    ///   - head: The map's head.
    ///   - arrange: Gets `fmt`, `attStmt` and `authData`, each with its value, and gives what follows the head.
    /// - Throws: `MutationError` if a value cannot be written.
    mutating func setEnvelope<Members: Sequence>(
        head: [UInt8],
        _ arrange: ([[UInt8]]) -> Members
    ) throws(MutationError) where Members.Element == [UInt8] {
        let members = try MutationError.wrap { () throws(WireError) in
            var members: [[UInt8]] = []
            let values: [(String, CBOR)] = [
                ("fmt", .text(format.rawValue)), ("attStmt", statement), ("authData", .bytes(authenticatorData.bytes)),
            ]
            for (name, value) in values {
                members.append(try CBOR.text(name).encoded(.ctap2) + value.encoded(.deterministic))
            }
            return members
        }
        attestationObject = head + Array(arrange(members).joined())
    }
}

extension MutationError {
    /// Runs `body`; an error of a layer below means that the mutation cannot be made.
    static func wrap<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(MutationError) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw MutationError("\(error)")
        }
    }
}

extension Mutation {
    /// Changes a registration.
    func applied(
        to response: RegistrationResponse,
        _ context: MutationContext
    ) throws(MutationError) -> RegistrationResponse {
        var draft = try CeremonyDraft(response, context)
        if let beforeSign {
            try beforeSign(&draft)
            try draft.attest()
        }
        if let afterSign { try afterSign(&draft) }
        if let replacement = draft.replacement.registration { return replacement }
        var result = response
        result.id = draft.id
        result.clientDataJSON = draft.clientDataJSON
        result.attestationObject = draft.attestationObject
        result.clientExtensionResults = draft.clientExtensionResults
        // The honest copies would differ from the object, and another check would refuse that.
        result.claims = draft.claims
        return result
    }

    /// Changes a sign-in.
    func applied(
        to response: AuthenticationResponse,
        _ context: MutationContext
    ) throws(MutationError) -> AuthenticationResponse {
        var draft = try CeremonyDraft(response, context)
        if let beforeSign {
            try beforeSign(&draft)
            draft.signature = try draft.sign(draft.signedBytes(), with: draft.signer)
        }
        if let afterSign { try afterSign(&draft) }
        if let replacement = draft.replacement.authentication { return replacement }
        var result = response
        result.id = draft.id
        result.clientDataJSON = draft.clientDataJSON
        result.clientExtensionResults = draft.clientExtensionResults
        result.authenticatorData = draft.authenticatorData.bytes
        result.signature = draft.signature
        result.userHandle = draft.userHandle
        result.writesEmptyUserHandle = draft.sendsEmptyUserHandle
        return result
    }
}
