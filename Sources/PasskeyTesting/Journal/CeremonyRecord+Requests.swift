import PasskeyAuthorization
import PasskeyModel

extension CeremonyRecord.Request {
    init(_ request: any AuthorizationRequest) {
        func kind(_ attachment: AuthenticatorAttachment) -> Kind {
            attachment == .platform ? .platformPublicKey : .securityKeyPublicKey
        }
        switch request {
        case let request as AuthorizationPublicKeyCredentialRegistrationRequest:
            let options = try? request.creationOptions().jsonBytes()
            self.init(kind(request.attachment), request.relyingPartyIdentifier, options: options)
        case let request as AuthorizationPublicKeyCredentialAssertionRequest:
            let options = try? request.requestOptions().jsonBytes()
            self.init(kind(request.attachment), request.relyingPartyIdentifier, options: options)
        case let request as AuthorizationAccountCreationPlatformPublicKeyCredentialRequest:
            self.init(.accountCreation, request.relyingPartyIdentifier)
        case is AuthorizationPasswordRequest: self.init(.password)
        case is AuthorizationAppleIDRequest: self.init(.appleID)
        case is WebAuthenticationRequest: self.init(.web)
        default: self.init(.other)
        }
    }
}

extension CeremonyRecord.Response {
    init(_ credential: any AuthorizationCredential) {
        switch credential {
        case let credential as PasskeyRegistrationCredential:
            self.init(json: credential.registrationResponse.jsonBytes())
        case let credential as PasskeyAssertionCredential:
            self.init(json: credential.authenticationResponse.jsonBytes())
        case let credential as AuthorizationAccountCreationPlatformPublicKeyCredential:
            self.init(
                json: credential.credentialRegistration.registrationResponse.jsonBytes(),
                user: credential.contactIdentifier.value
            )
        case let credential as PasswordCredential: self.init(user: credential.user)
        case let credential as AuthorizationAppleIDCredential: self.init(user: credential.user)
        default: self.init()
        }
    }
}
