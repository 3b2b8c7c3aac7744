#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Whether a registration asks the user.
@nonexhaustive
public enum RegistrationRequestStyle: String, Hashable, Sendable, Codable, CaseIterable {
    /// With the system's dialog.
    case standard

    /// Without one, right after a sign-in with a password.
    case conditional
}

/// A request to make a passkey.
///
/// A provider makes it, or a server's options do.
public struct AuthorizationPublicKeyCredentialRegistrationRequest: AuthorizationRequest {
    /// What the request yields.
    public typealias Credential = PasskeyRegistrationCredential

    /// ``AuthorizationOperation/create``.
    public static var operation: AuthorizationOperation { .create }

    /// Who made the request.
    public let provider: any AuthorizationProvider

    /// The kind of authenticator that the request is for.
    public let attachment: AuthenticatorAttachment

    /// The RP ID.
    public let relyingPartyIdentifier: String

    /// The server's challenge, 1 to 1,024 bytes.
    public let challenge: Data

    /// What the user knows the account by.
    public let name: String

    /// The account's user handle, 1 to 64 bytes.
    public let userID: Data

    /// The user's own name.
    public var displayName: String?

    /// The relying party's name for people; `nil` for its RP ID.
    public var relyingPartyName: String?

    /// The account's credentials; an authenticator that has one of them makes no other.
    public var excludedCredentials: [PublicKeyCredentialDescriptor] = []

    /// Whether the user is to be verified.
    public var userVerificationPreference = UserVerificationRequirement.preferred

    /// Whether the credential is to be discoverable.
    ///
    /// It is for security keys: a platform makes discoverable ones, whatever is asked.
    public var residentKeyPreference = ResidentKeyRequirement.discouraged

    /// Whether the user is asked.
    public var requestStyle = RegistrationRequestStyle.standard

    /// What is accepted, the most wanted first.
    public var credentialParameters = [PublicKeyCredentialParameters(alg: .es256)]

    /// What is to be learned about the authenticator.
    public var attestationPreference = AttestationConveyancePreference.none

    /// The attestation statement formats that are wanted, the most wanted first.
    public var attestationFormats: [AttestationStatementFormat] = []

    /// What may be shown to the user first.
    public var hints: [PublicKeyCredentialHint] = []

    /// The extensions that are asked for.
    public var extensions = AuthenticationExtensionsClientInputs()

    /// How long the ceremony may take; `nil` for the client's own default.
    public var timeout: Duration?

    /// The client data of the page that a browser asks for; `nil` for an application's own.
    ///
    /// ``challenge`` is what counts.
    public var clientData: PublicKeyCredentialClientData?

    /// Whether a phone or another device nearby may be offered beside this one.
    public var shouldShowHybridTransport = true

    /// The algorithms of ``credentialParameters``.
    public var algorithms: [COSEAlgorithmIdentifier] {
        get { credentialParameters.map(\.alg) }
        set { credentialParameters = newValue.map { PublicKeyCredentialParameters(alg: $0) } }
    }

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - provider: Who makes it; it says the RP ID and the kind of authenticator.
    ///   - challenge: The server's challenge, 1 to 1,024 bytes.
    ///   - name: What the user knows the account by.
    ///   - userID: The account's user handle, 1 to 64 bytes.
    public init(
        provider: any AuthorizationPublicKeyCredentialProvider,
        challenge: Data,
        name: String,
        userID: Data
    ) {
        self.provider = provider
        attachment = provider.attachment
        relyingPartyIdentifier = provider.relyingPartyIdentifier
        self.challenge = challenge
        self.name = name
        self.userID = userID
    }

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - provider: Who makes it; it says the RP ID and the kind of authenticator.
    ///   - challenge: The server's challenge, 1 to 1,024 bytes.
    ///   - name: What the user knows the account by.
    ///   - userID: The account's user handle, 1 to 64 bytes.
    public init(
        provider: any AuthorizationPublicKeyCredentialProvider,
        challenge: [UInt8],
        name: String,
        userID: [UInt8]
    ) {
        self.init(provider: provider, challenge: Data(challenge), name: name, userID: Data(userID))
    }

    /// Makes a request of a server's options.
    ///
    /// - Parameters:
    ///   - provider: Who makes it; it says the kind of authenticator, and the RP ID where the options do not.
    ///   - options: The options.
    public init(
        provider: any AuthorizationPublicKeyCredentialProvider,
        options: PublicKeyCredentialCreationOptions
    ) {
        self.provider = provider
        attachment = provider.attachment
        relyingPartyIdentifier = options.rp.id ?? provider.relyingPartyIdentifier
        relyingPartyName = options.rp.name
        challenge = Data(options.challenge.bytes)
        name = options.user.name
        userID = Data(options.user.id.bytes)
        displayName = options.user.displayName
        excludedCredentials = options.excludeCredentials
        if let selection = options.authenticatorSelection {
            userVerificationPreference = selection.userVerification
            residentKeyPreference = selection.residentKey
        }
        credentialParameters = options.pubKeyCredParams
        attestationPreference = options.attestation
        attestationFormats = options.attestationFormats
        hints = options.hints
        extensions = options.extensions
        timeout = options.timeout.map { .milliseconds($0) }
    }

    /// Makes a request of a server's options, for the kind of authenticator that they ask for.
    ///
    /// - Parameters:
    ///   - attachment: The kind of authenticator; `nil` for what the options ask for, or else the platform's.
    ///   - options: The options; they must name the RP ID, because an application has no page to take it from.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/decoding`` if they do not.
    public init(
        attachment: AuthenticatorAttachment? = nil,
        options: PublicKeyCredentialCreationOptions
    ) throws(AuthorizationError) {
        guard let id = options.rp.id else {
            throw AuthorizationError(type: .decoding, message: "the options name no rp.id")
        }
        let kind = attachment ?? options.authenticatorSelection?.authenticatorAttachment ?? .platform
        self.init(provider: kind.provider(relyingPartyIdentifier: id), options: options)
    }

    /// The options that a client makes of the request.
    ///
    /// - Returns: The options, with the RP ID and the kind of authenticator that the request is for.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/encoding`` if challenge or user handle have
    ///   a length that they may not have.
    public func creationOptions() throws(AuthorizationError) -> PublicKeyCredentialCreationOptions {
        let (user, challenge) = try AuthorizationError.encoding { () throws(ModelError) in
            (try UserHandle(bytes: [UInt8](userID)), try Challenge(bytes: [UInt8](self.challenge)))
        }
        return PublicKeyCredentialCreationOptions(
            rp: PublicKeyCredentialRpEntity(
                id: relyingPartyIdentifier,
                name: relyingPartyName ?? relyingPartyIdentifier
            ),
            user: PublicKeyCredentialUserEntity(id: user, name: name, displayName: displayName ?? ""),
            challenge: challenge,
            pubKeyCredParams: credentialParameters,
            timeout: timeout.map { UInt32(milliseconds: $0) },
            excludeCredentials: excludedCredentials,
            authenticatorSelection: AuthenticatorSelectionCriteria(
                authenticatorAttachment: attachment,
                residentKey: attachment == .platform ? .required : residentKeyPreference,
                userVerification: userVerificationPreference
            ),
            hints: hints,
            attestation: attestationPreference,
            attestationFormats: attestationFormats,
            extensions: extensions
        )
    }
}

extension AuthorizationError {
    /// Runs `body`; a refusal of the model means that the request cannot be written.
    static func encoding<Value>(_ body: () throws(ModelError) -> Value) throws(AuthorizationError) -> Value {
        do throws(ModelError) {
            return try body()
        } catch {
            throw AuthorizationError(type: .encoding, message: "\(error)", originalError: error)
        }
    }
}
