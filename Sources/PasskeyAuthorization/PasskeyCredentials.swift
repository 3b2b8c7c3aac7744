#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What all answers with a public key credential have.
public protocol PublicKeyCredential: AuthorizationCredential {
    /// The credential's identifier.
    var credentialID: Data { get }

    /// The client data that was signed by hash.
    var rawClientDataJSON: Data { get }
}

/// A new public key credential.
public protocol PublicKeyCredentialRegistration: PublicKeyCredential {
    /// The attestation object.
    var rawAttestationObject: Data { get }
}

/// A sign-in with a public key credential.
public protocol PublicKeyCredentialAssertion: PublicKeyCredential {
    /// The authenticator data that was signed.
    var rawAuthenticatorData: Data { get }

    /// The signature.
    var signature: Data { get }

    /// The account's user handle; empty if the authenticator did not tell.
    var userID: Data { get }
}

/// A passkey that was made.
public struct PasskeyRegistrationCredential: PublicKeyCredentialRegistration, Hashable {
    /// The credential's identifier.
    public var credentialID: Data

    /// The client data.
    public var rawClientDataJSON: Data

    /// The attestation object.
    public var rawAttestationObject: Data

    /// How the authenticator may be reached.
    public var transports: [AuthenticatorTransport]

    /// How the authenticator is attached.
    public var attachment: AuthenticatorAttachment

    /// What the client says of extensions.
    public var clientExtensionResults: AuthenticationExtensionsClientOutputs

    /// Makes a credential, as a test may want to.
    ///
    /// - Parameters:
    ///   - credentialID: The credential's identifier.
    ///   - rawClientDataJSON: The client data.
    ///   - rawAttestationObject: The attestation object.
    ///   - transports: How the authenticator may be reached.
    ///   - attachment: How the authenticator is attached.
    ///   - clientExtensionResults: What the client says of extensions.
    public init(
        credentialID: Data,
        rawClientDataJSON: Data,
        rawAttestationObject: Data,
        transports: [AuthenticatorTransport] = [],
        attachment: AuthenticatorAttachment = .platform,
        clientExtensionResults: AuthenticationExtensionsClientOutputs = .init()
    ) {
        self.credentialID = credentialID
        self.rawClientDataJSON = rawClientDataJSON
        self.rawAttestationObject = rawAttestationObject
        self.transports = transports
        self.attachment = attachment
        self.clientExtensionResults = clientExtensionResults
    }

    /// Takes a client's response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - attachment: How the authenticator is attached, if the response does not say so.
    public init(_ response: RegistrationResponse, attachment: AuthenticatorAttachment = .platform) {
        self.init(
            credentialID: Data(response.id),
            rawClientDataJSON: Data(response.clientDataJSON),
            rawAttestationObject: Data(response.attestationObject),
            transports: response.transports,
            attachment: response.authenticatorAttachment.flatMap(AuthenticatorAttachment.init) ?? attachment,
            clientExtensionResults: response.clientExtensionResults
        )
    }

    /// The response that a relying party takes.
    public var registrationResponse: RegistrationResponse {
        RegistrationResponse(
            id: [UInt8](credentialID),
            clientDataJSON: [UInt8](rawClientDataJSON),
            attestationObject: [UInt8](rawAttestationObject),
            transports: transports,
            authenticatorAttachment: attachment.rawValue,
            clientExtensionResults: clientExtensionResults
        )
    }

    /// The response as the JSON that a server takes, `RegistrationResponseJSON` in UTF-8.
    public func registrationResponseJSON() -> Data {
        Data(registrationResponse.jsonBytes())
    }
}

/// A sign-in with a passkey.
public struct PasskeyAssertionCredential: PublicKeyCredentialAssertion, Hashable {
    /// The credential's identifier.
    public var credentialID: Data

    /// The client data.
    public var rawClientDataJSON: Data

    /// The authenticator data that was signed.
    public var rawAuthenticatorData: Data

    /// The signature.
    public var signature: Data

    /// The account's user handle; empty if the authenticator did not tell.
    public var userID: Data

    /// How the authenticator is attached.
    public var attachment: AuthenticatorAttachment

    /// What the client says of extensions.
    public var clientExtensionResults: AuthenticationExtensionsClientOutputs

    /// Makes a credential, as a test may want to.
    ///
    /// - Parameters:
    ///   - credentialID: The credential's identifier.
    ///   - rawClientDataJSON: The client data.
    ///   - rawAuthenticatorData: The authenticator data.
    ///   - signature: The signature.
    ///   - userID: The account's user handle; empty if the authenticator did not tell.
    ///   - attachment: How the authenticator is attached.
    ///   - clientExtensionResults: What the client says of extensions.
    public init(
        credentialID: Data,
        rawClientDataJSON: Data,
        rawAuthenticatorData: Data,
        signature: Data,
        userID: Data = Data(),
        attachment: AuthenticatorAttachment = .platform,
        clientExtensionResults: AuthenticationExtensionsClientOutputs = .init()
    ) {
        self.credentialID = credentialID
        self.rawClientDataJSON = rawClientDataJSON
        self.rawAuthenticatorData = rawAuthenticatorData
        self.signature = signature
        self.userID = userID
        self.attachment = attachment
        self.clientExtensionResults = clientExtensionResults
    }

    /// Takes a client's response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - attachment: How the authenticator is attached, if the response does not say so.
    public init(_ response: AuthenticationResponse, attachment: AuthenticatorAttachment = .platform) {
        self.init(
            credentialID: Data(response.id),
            rawClientDataJSON: Data(response.clientDataJSON),
            rawAuthenticatorData: Data(response.authenticatorData),
            signature: Data(response.signature),
            userID: Data(response.userHandle?.bytes ?? []),
            attachment: response.authenticatorAttachment.flatMap(AuthenticatorAttachment.init) ?? attachment,
            clientExtensionResults: response.clientExtensionResults
        )
    }

    /// The response that a relying party takes.
    ///
    /// A ``userID`` of another length than a user handle has, 1 to 64 bytes, is left out.
    public var authenticationResponse: AuthenticationResponse {
        AuthenticationResponse(
            id: [UInt8](credentialID),
            clientDataJSON: [UInt8](rawClientDataJSON),
            authenticatorData: [UInt8](rawAuthenticatorData),
            signature: [UInt8](signature),
            userHandle: try? UserHandle(bytes: [UInt8](userID)),
            authenticatorAttachment: attachment.rawValue,
            clientExtensionResults: clientExtensionResults
        )
    }

    /// The response as the JSON that a server takes, `AuthenticationResponseJSON` in UTF-8.
    public func authenticationResponseJSON() -> Data {
        Data(authenticationResponse.jsonBytes())
    }
}
