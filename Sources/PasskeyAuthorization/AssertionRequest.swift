#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request to sign in with a passkey.
///
/// A provider makes it, or a server's options do.
public struct AuthorizationPublicKeyCredentialAssertionRequest: AuthorizationRequest {
    /// What the request yields.
    public typealias Credential = PasskeyAssertionCredential

    /// ``AuthorizationOperation/authorize``.
    public static var operation: AuthorizationOperation { .authorize }

    /// Who made the request.
    public let provider: any AuthorizationProvider

    /// The kind of authenticator that the request is for.
    public let attachment: AuthenticatorAttachment

    /// The RP ID.
    public let relyingPartyIdentifier: String

    /// The server's challenge, 1 to 1,024 bytes.
    public let challenge: Data

    /// The credentials that may answer; empty for any discoverable one.
    public var allowedCredentials: [PublicKeyCredentialDescriptor] = []

    /// Whether the user is to be verified.
    public var userVerificationPreference = UserVerificationRequirement.preferred

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

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - provider: Who makes it; it says the RP ID and the kind of authenticator.
    ///   - challenge: The server's challenge, 1 to 1,024 bytes.
    public init(provider: any AuthorizationPublicKeyCredentialProvider, challenge: Data) {
        self.provider = provider
        attachment = provider.attachment
        relyingPartyIdentifier = provider.relyingPartyIdentifier
        self.challenge = challenge
    }

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - provider: Who makes it; it says the RP ID and the kind of authenticator.
    ///   - challenge: The server's challenge, 1 to 1,024 bytes.
    public init(provider: any AuthorizationPublicKeyCredentialProvider, challenge: [UInt8]) {
        self.init(provider: provider, challenge: Data(challenge))
    }

    /// Makes a request of a server's options.
    ///
    /// - Parameters:
    ///   - provider: Who makes it; it says the kind of authenticator, and the RP ID where the options do not.
    ///   - options: The options.
    public init(
        provider: any AuthorizationPublicKeyCredentialProvider,
        options: PublicKeyCredentialRequestOptions
    ) {
        self.provider = provider
        attachment = provider.attachment
        relyingPartyIdentifier = options.rpId ?? provider.relyingPartyIdentifier
        challenge = Data(options.challenge.bytes)
        allowedCredentials = options.allowCredentials
        userVerificationPreference = options.userVerification
        hints = options.hints
        extensions = options.extensions
        timeout = options.timeout.map { .milliseconds($0) }
    }

    /// Makes a request of a server's options.
    ///
    /// - Parameters:
    ///   - attachment: The kind of authenticator.
    ///   - options: The options; they must name the RP ID, because an application has no page to take it from.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/decoding`` if they do not.
    public init(
        attachment: AuthenticatorAttachment = .platform,
        options: PublicKeyCredentialRequestOptions
    ) throws(AuthorizationError) {
        guard let id = options.rpId else {
            throw AuthorizationError(type: .decoding, message: "the options name no rpId")
        }
        self.init(provider: attachment.provider(relyingPartyIdentifier: id), options: options)
    }

    /// The options that a client makes of the request.
    ///
    /// - Returns: The options, with the RP ID of the request.
    /// - Throws: ``AuthorizationError`` of type ``AuthorizationErrorType/encoding`` if the challenge has a length that
    ///   it may not have.
    public func requestOptions() throws(AuthorizationError) -> PublicKeyCredentialRequestOptions {
        let challenge = try AuthorizationError.encoding { () throws(ModelError) in
            try Challenge(bytes: [UInt8](self.challenge))
        }
        return PublicKeyCredentialRequestOptions(
            challenge: challenge,
            timeout: timeout.map { UInt32(milliseconds: $0) },
            rpId: relyingPartyIdentifier,
            allowCredentials: allowedCredentials,
            userVerification: userVerificationPreference,
            hints: hints,
            extensions: extensions
        )
    }
}
