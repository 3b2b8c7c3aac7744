import PasskeyCrypto
import PasskeyModel
import PasskeySystem
import PasskeyWire

extension VirtualAuthenticator {
    /// The authenticatorGetAssertion operation (`#sctn-op-get-assertion`).
    ///
    /// - Parameters:
    ///   - parameters: What the client passes.
    ///   - user: Who sits before the device.
    /// - Returns: The assertion.
    /// - Throws: ``AuthenticatorError`` with the number of the step that failed.
    public func getAssertion(
        _ parameters: GetAssertionParameters,
        user: VirtualUser = .willing
    ) throws(AuthenticatorError) -> GetAssertionResult {
        try getAssertion(parameters, in: VirtualEnvironment(), user: user)
    }

    /// The operation for a client that lends what the authenticator does not have of its own.
    func getAssertion(
        _ parameters: GetAssertionParameters,
        in client: VirtualEnvironment,
        user: VirtualUser
    ) throws(AuthenticatorError) -> GetAssertionResult {
        let environment = environment.completed(by: client)
        return try operation(user) { (gesture) throws(AuthenticatorError) in
            try self.getAssertion(parameters, environment, gesture)
        }
    }

    private func getAssertion(
        _ parameters: GetAssertionParameters,
        _ environment: VirtualEnvironment,
        _ gesture: AuthorizationGesture
    ) throws(AuthenticatorError) -> GetAssertionResult {
        let options = gesture.options

        // 1: the parameters are well-formed and of the correct length.
        guard parameters.hash.count == 32, !parameters.rpID.isEmpty, parameters.extensions.entries != nil else {
            throw AuthenticatorError(.unknown, .malformedParameters, step: 1, "a parameter has a wrong form or length")
        }

        // 2: the set of credential sources.
        var candidates: [CredentialSource]
        if let list = parameters.allowCredentialDescriptorList {
            // 3: those that are named. A set has each once, whatever the list repeats.
            var seen: Set<[UInt8]> = []
            candidates = list.filter { $0.type == .publicKey && seen.insert($0.id).inserted }.compactMap {
                source($0.id, for: parameters.rpID)
            }
        } else {
            // 4: all of the credentials map.
            candidates = storage.withLock { $0.discoverableSources }
        }

        // 5: those of other relying parties go, and with them those that are not to be shown: disowned by a signal, or
        // guarded (CTAP 2.2, credProtect).
        let verifiesUser = options.wantsVerification(
            parameters.requireUserVerification,
            isUserPresent: parameters.requireUserPresence
        )
        candidates.removeAll { source in
            !source.credential.relyingPartyIdentifier.hasSameBytes(as: parameters.rpID) || source.credential.isHidden
                || !source.credential.protection.allows(
                    isUserVerified: verifiesUser,
                    isNamed: parameters.allowCredentialDescriptorList != nil
                )
        }
        candidates.sort { Self.isNewer($0.credential, $1.credential) }

        // 6: none is left. The user cannot tell it from a refusal, nor can the client.
        // 7: the user selects one and makes the authorization gesture.
        guard var selected = candidates.first else {
            throw AuthenticatorError(.notAllowed, .noCredential, step: 6, "no credential fits")
        }
        let (flags, picked) = try gesture.collect(
            VirtualUser.Prompt(
                .getAssertion,
                relyingPartyIdentifier: parameters.rpID,
                candidates: candidates.map(\.credential),
                wantsVerification: verifiesUser
            ),
            requireUserPresence: parameters.requireUserPresence,
            step: 7
        )
        if let picked, let source = candidates.first(where: { $0.credential.id == picked }) { selected = source }

        // 8: extension processing.
        let outputs = try AssertionExtensions(parameters, options, isUserVerified: flags.contains(.userVerified))
            .process(selected, self, environment)

        // 9: the signature counter. What is sent is what is stored, and it is stored first: a failure after this line
        // must not let a number be sent twice.
        let signCount = storage.withLock { $0.incrementCounter(of: selected.credential.id) }

        // 10: authenticator data, without attested credential data.
        let authenticatorData = try AuthenticatorError.operation(step: 10) {
            try AuthenticatorData(
                rpIDHash: sha256([UInt8](parameters.rpID.utf8)),
                flags: flags.union(selected.credential.backupFlags),
                signCount: signCount,
                extensions: outputs.signed.isEmpty ? nil : AuthenticatorExtensionOutputs(.map(outputs.signed))
            ).bytes
        }

        // 11: the signature over authenticator data and hash. 12: an error on the way is an UnknownError.
        let signature = try AuthenticatorError.operation(step: 12) {
            try environment.sign(authenticatorData + parameters.hash, with: selected.privateKey)
        }

        // 13: what is returned. The ID is left out where the client knows it. A credential that is not discoverable
        // has no room for a user handle on a device that keeps it in its ID; so it tells none.
        return GetAssertionResult(
            credentialID: parameters.allowCredentialDescriptorList?.count == 1 ? nil : selected.credential.id,
            authenticatorData: authenticatorData,
            signature: signature,
            userHandle: selected.credential.isDiscoverable ? selected.credential.userHandle : nil,
            unsignedExtensionOutputs: .map(outputs.unsigned)
        )
    }
}

extension CredentialProtectionPolicy {
    /// Whether a credential that is guarded so may sign.
    func allows(isUserVerified: Bool, isNamed: Bool) -> Bool {
        switch self {
        case .userVerificationRequired: isUserVerified
        case .userVerificationOptionalWithCredentialIDList: isUserVerified || isNamed
        default: true
        }
    }
}
