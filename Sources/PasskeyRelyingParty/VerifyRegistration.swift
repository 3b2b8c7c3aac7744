import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// `#sctn-registering-a-new-credential` (§7.1), from top to bottom.
struct VerifyRegistration {
    let relyingParty: RelyingParty
    let ceremony: RegistrationCeremony
    let response: RegistrationResponse
    let owner: UserHandle?
    let now: Timestamp

    /// Runs the procedure; `nil` only where a report was asked for and a check failed.
    func run(_ procedure: inout Procedure<RegistrationError>) throws(RegistrationError) -> Registration? {
        // 1: options. They were made by `begin`, and the ceremony remembers them.
        try procedure.ceremony(.ceremony, of: ceremony.relyingPartyID, until: ceremony.expiresAt, relyingParty, now)
        // 2: create() runs in the client. 3: response; its shape was read by `RegistrationResponse`.
        try procedure.check(.response, with: response.id) { $0.isEmpty ? "the credential ID is empty" : nil }
        // 4: clientExtensionResults. Taken over; 28 verifies it.

        // 5, 6: JSONtext and C.
        let client = try procedure.clientData(response.clientDataJSON, jsonText: .jsonText, clientData: .clientData)
        // 7: C.type.
        try procedure.check(.type, with: client) { $0.fault(ofType: "webauthn.create") }
        // 8: C.challenge equals the base64url encoding of options.challenge.
        try procedure.check(.challenge, with: client) { $0.fault(ofChallenge: ceremony.challenge) }
        // 9: C.origin.
        try procedure.check(.origin, with: client) { relyingParty.origins.fault(ofOrigin: $0.origin) }
        // 10: C.crossOrigin. 11: C.topOrigin.
        try procedure.check(.crossOrigin, with: client) { relyingParty.origins.fault(ofCrossOrigin: $0.crossOrigin) }
        try procedure.check(.topOrigin, with: client) {
            relyingParty.origins.fault(ofTopOrigin: $0.topOrigin, crossOrigin: $0.crossOrigin)
        }
        // 12: hash. It cannot refuse; where libcrypto fails, the step that needs it does.
        let hash = Result { () throws(CryptoError) in try sha256(response.clientDataJSON) }

        // 13: fmt, authData and attStmt out of attestationObject.
        let object = try procedure.run(.attestationObject) { () throws(Fault) in try attestationObject() }
        let data = object?.authenticatorData
        let credential = try procedure.run(.attestationObject, "attested credential data", with: data) {
            (data) throws(Fault) in
            guard let credential = data.attestedCredentialData else {
                throw Fault("AT is 0: there is no attested credential data")
            }
            return credential
        }
        try procedure.check(.attestationObject, "response ID", with: credential) {
            $0.credentialID == response.id ? nil : "the response's ID is not the attested one"
        }
        try procedure.check(.attestationObject, "authenticatorData member", with: data) {
            let claim = response.claims.authenticatorData
            return claim == nil || claim == $0.bytes ? nil : "the JSON's authenticatorData is not the attested one"
        }
        // 14: rpIdHash.
        try procedure.check(.rpIDHash, with: data) {
            $0.rpIDHash == relyingParty.idHash ? nil : "the RP ID hash is not that of \(relyingParty.id)"
        }
        // 15: UP, unless the mediation was conditional.
        if ceremony.mediation == .conditional {
            procedure.skip(.userPresent, nil, "the mediation was conditional")
        } else {
            try procedure.check(.userPresent, with: data) { $0.flags.contains(.userPresent) ? nil : "UP is 0" }
        }
        // 16: UV, where it was required.
        if ceremony.userVerification == .required {
            try procedure.check(.userVerified, with: data) { $0.flags.contains(.userVerified) ? nil : "UV is 0" }
        } else {
            procedure.skip(.userVerified, nil, "user verification was \(ceremony.userVerification.rawValue)")
        }
        // 17: BS is not set without BE.
        try procedure.check(.backupState, with: data) { $0.flags.faultOfBackupState }
        // 18, 19: the relying party's policy on BE and on BS.
        try procedure.check(.backupEligibilityPolicy, with: data) {
            BackupPolicy.fault(of: $0.flags.contains(.backupEligible), ceremony.backup.eligibility, "BE")
        }
        try procedure.check(.backupStatePolicy, with: data) {
            BackupPolicy.fault(of: $0.flags.contains(.backupState), ceremony.backup.state, "BS")
        }
        // 20: alg is one that was offered; and the key is sound, so that it can verify a sign-in at all.
        let key = try procedure.run(.algorithm, with: credential) { (credential) throws(Fault) in
            try credentialKey(credential)
        }
        try procedure.check(.algorithm, "publicKeyAlgorithm member", with: key) {
            let claim = response.claims.publicKeyAlgorithm
            return claim == nil || claim == $0.algorithm.rawValue
                ? nil : "the JSON's publicKeyAlgorithm is not the attested one"
        }
        _ = try procedure.run(.algorithm, "publicKey member", with: key) { (key) throws(Fault) in
            try checkPublicKeyClaim(key)
        }
        // 21: fmt. 22: attStmt. 23: trust anchors are the verifier's to obtain. 24: trust.
        let evidence = object.flatMap { object in key.map { attestation(object, $0, hash) } }
        let known = try procedure.run(.attestationFormat, with: evidence) { (evidence) throws(Fault) in
            try evidence.passing(.format)
        }
        for rule in known?.checks ?? [] { procedure.pass(.attestationStatement, rule) }
        let correct = try procedure.run(.attestationStatement, known?.brokenRule, with: known) {
            (evidence) throws(Fault) in
            try evidence.passing(.statement)
        }
        let verdict = try procedure.run(.attestationTrust, with: correct) { (evidence) throws(Fault) in
            try evidence.passing(.trust)
            guard case .success(let verdict) = evidence else { throw Fault("there is no verdict") }
            if let fault = relyingParty.attestation.faultOfTrust(verdict) { throw Fault(fault) }
            return verdict
        }
        // 25: the credential ID has at most 1023 bytes.
        try procedure.check(.credentialIDLength, with: credential) {
            $0.credentialID.count <= 1023 ? nil : "the credential ID has \($0.credentialID.count) bytes"
        }
        // 26: the credential ID is not yet registered, for any user.
        try procedure.check(.credentialIDUniqueness, with: credential) { _ in
            guard let owner else { return nil }
            return "the credential is registered already, for \(owner == ceremony.userHandle ? "this" : "another") user"
        }
        // 28, before 27 so that no record is made of what is refused: extension outputs.
        let extensions = ExtensionCheck(
            inputs: ceremony.extensions,
            client: response.clientExtensionResults,
            authenticator: data?.extensions
        )
        try procedure.check(.extensions, with: data) { _ in
            extensions.faultOfRegistration(ceremony.unsolicitedExtensions)
        }
        // 27: the record. 29: success.
        guard let client, let object, let credential, let verdict else { return nil }
        let record = try procedure.run(.credentialIDLength, "record") { () throws(Fault) in
            try makeRecord(object, credential)
        }
        guard let record else { return nil }
        return Registration(
            credential: record,
            attestation: verdict,
            userVerified: object.authenticatorData.flags.contains(.userVerified),
            clientData: client,
            authenticatorData: object.authenticatorData,
            clientExtensionResults: response.clientExtensionResults,
            unsolicitedExtensions: extensions.unsolicited
        )
    }

    private func attestationObject() throws(Fault) -> AttestationObject {
        do throws(WireError) {
            return try AttestationObject(response.attestationObject)
        } catch {
            throw Fault(error)
        }
    }

    private func credentialKey(_ credential: AttestedCredentialData) throws(Fault) -> VerifiedKey {
        let key = try VerifiedKey(credential.credentialPublicKey)
        guard ceremony.algorithms.contains(key.algorithm) else {
            throw Fault("the algorithm \(key.algorithm) was not offered")
        }
        return key
    }

    private func checkPublicKeyClaim(_ key: VerifiedKey) throws(Fault) {
        guard let claim = response.claims.publicKey else { return }
        do throws(CryptoError) {
            guard try key.publicKey.subjectPublicKeyInfo() == claim else {
                throw CryptoError(.malformedKey, "the JSON's publicKey is not the attested one")
            }
        } catch {
            throw Fault(error.detail)
        }
    }

    /// What the attestation verifier says, to be told at the step that it concerns.
    private func attestation(
        _ object: AttestationObject,
        _ key: VerifiedKey,
        _ hash: Result<[UInt8], CryptoError>
    ) -> Result<AttestationVerifier.Verdict, AttestationVerifier.Refusal> {
        Result { () throws(AttestationVerifier.Refusal) in
            switch hash {
            case .failure(let error): throw AttestationVerifier.Refusal(.statement, error.detail)
            case .success(let hash):
                try relyingParty.attestation.verify(AttestationVerifier.Evidence(object, key, hash, at: now))
            }
        }
    }

    private func makeRecord(
        _ object: AttestationObject,
        _ credential: AttestedCredentialData
    ) throws(Fault) -> CredentialRecord {
        let data = object.authenticatorData
        do throws(ModelError) {
            return try CredentialRecord(
                id: credential.credentialID,
                publicKey: credential.credentialPublicKey,
                signCount: data.signCount,
                userHandle: ceremony.userHandle,
                transports: response.transports,
                uvInitialized: data.flags.contains(.userVerified),
                backupEligible: data.flags.contains(.backupEligible),
                backupState: data.flags.contains(.backupState),
                aaguid: credential.aaguid,
                attestationFormat: object.format,
                attestationObject: response.attestationObject,
                attestationClientDataJSON: response.clientDataJSON,
                createdAt: now
            )
        } catch {
            throw Fault(error.description)
        }
    }
}

extension Result<AttestationVerifier.Verdict, AttestationVerifier.Refusal> {
    /// The rules of the format that were met.
    fileprivate var checks: [String] {
        switch self {
        case .success(let verdict): verdict.checks
        case .failure(let refusal): refusal.checks
        }
    }

    /// The rule of the format that is broken.
    fileprivate var brokenRule: String? {
        if case .failure(let refusal) = self, refusal.step == .statement { refusal.rule } else { nil }
    }

    /// The same, unless it was refused at this step.
    @discardableResult
    fileprivate func passing(_ step: AttestationVerifier.Refusal.Step) throws(Fault) -> Self {
        guard case .failure(let refusal) = self, refusal.step == step else { return self }
        throw Fault(refusal)
    }
}
