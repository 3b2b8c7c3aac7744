import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension VirtualClient {
    /// constructCredentialAlg (`#sctn-createCredential`, step 22, "If any authenticator indicates success").
    func credential(
        _ clientDataJSON: [UInt8],
        _ made: MakeCredentialResult,
        _ authenticator: VirtualAuthenticator,
        _ pkOptions: PublicKeyCredentialCreationOptions,
        extensionResults: (AuthenticatorData) throws(AuthenticatorError) -> AuthenticationExtensionsClientOutputs
    ) throws(AuthenticatorError) -> RegistrationResponse {
        let options = authenticator.options
        // 3.1: attestation conveyance. 3.2: attestationObject.
        let object = try AuthenticatorError.operation(step: 14) { () throws(WireError) in
            try self.conveyed(AttestationObject(made.attestationObject), pkOptions.attestation, options.attachment)
        }
        // 1, 2: credentialCreationData and its extension results.
        let results = try extensionResults(object.authenticatorData)
        // 3.3: the ID is the attested one. 3.4, 3.5: the credential, with its transports once each and in order.
        // 4: the others are told to stop, by whoever called.
        return RegistrationResponse(
            id: object.authenticatorData.attestedCredentialData?.credentialID ?? [],
            clientDataJSON: clientDataJSON,
            attestationObject: object.bytes,
            transports: Set(options.transports).sorted {
                $0.rawValue.utf16.lexicographicallyPrecedes($1.rawValue.utf16)
            },
            authenticatorAttachment: options.attachment.rawValue,
            clientExtensionResults: results,
            claims: .init(of: object.authenticatorData)
        )
    }

    /// Attestation conveyance (`#enum-attestation-convey`).
    private func conveyed(
        _ object: AttestationObject,
        _ preference: AttestationConveyancePreference,
        _ attachment: AuthenticatorAttachment
    ) throws(WireError) -> AttestationObject {
        switch preference {
        case .none:
            guard !object.isAnonymousSelfAttestation else { return object }
            let hidesAAGUID =
                switch profile.aaguidWithoutAttestation {
                case .isConveyed: false
                case .isConveyedForPlatform: attachment != .platform
                case .isZeroed: true
                }
            return try object.withoutStatement(hidesAAGUID: hidesAAGUID)
        case .indirect:
            guard profile.indirectAttestation == .isAnonymized, !object.isAnonymousSelfAttestation else {
                return object
            }
            return try object.withoutStatement(hidesAAGUID: true)
        // Unaltered; an enterprise attestation that was not permitted was not asked for.
        case .direct, .enterprise: return object
        }
    }
}

extension AttestationObject {
    /// Whether it is self attestation that tells nothing: the one statement that is conveyed though none is wanted.
    fileprivate var isAnonymousSelfAttestation: Bool {
        authenticatorData.attestedCredentialData?.aaguid == .zero && format == .packed && statement.root["x5c"] == nil
    }

    /// The same with the statement `none`, which nothing signs, so that the AAGUID can go too.
    fileprivate func withoutStatement(hidesAAGUID: Bool) throws(WireError) -> AttestationObject {
        var data = authenticatorData.bytes
        // RP ID hash, flags and counter come before the AAGUID.
        if hidesAAGUID, authenticatorData.attestedCredentialData != nil {
            data.replaceSubrange(37..<53, with: AAGUID.zero.bytes)
        }
        return try AttestationObject(
            AttestationObject.encode(format: .none, statement: .map([]), authenticatorData: data)
        )
    }
}

extension RegistrationResponse.Claims {
    /// What a browser puts beside the attestation object (`#sctn-public-key-easy`): the key as far as it must know it.
    fileprivate init(of data: AuthenticatorData) {
        self.init(authenticatorData: data.bytes)
        guard let bytes = data.attestedCredentialData?.credentialPublicKey, let key = try? COSEKey(bytes) else {
            return
        }
        publicKeyAlgorithm = key.algorithm.rawValue
        publicKey = (try? PublicKey(key)).flatMap { try? $0.subjectPublicKeyInfo() }
    }
}
