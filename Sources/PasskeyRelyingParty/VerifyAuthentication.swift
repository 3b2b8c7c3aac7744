import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// `#sctn-verifying-assertion` (§7.2), from top to bottom.
struct VerifyAuthentication {
    let relyingParty: RelyingParty
    let ceremony: AuthenticationCeremony
    let response: AuthenticationResponse
    let record: CredentialRecord?
    let now: Timestamp

    /// Runs the procedure; `nil` only where a report was asked for and a check failed.
    func run(_ procedure: inout Procedure<AuthenticationError>) throws(AuthenticationError) -> Authentication? {
        // 1: options. They were made by `begin`, and the ceremony remembers them.
        try procedure.ceremony(.ceremony, of: ceremony.relyingPartyID, until: ceremony.expiresAt, relyingParty, now)
        // 2: get() runs in the client. 3: response; its shape was read by `AuthenticationResponse`.
        try procedure.check(.response, with: response.id) { $0.isEmpty ? "the credential ID is empty" : nil }
        // 4: clientExtensionResults. Taken over; 23 verifies it.

        // 5: credential.id is one of allowCredentials, if there are any.
        try procedure.check(.allowedCredential, with: ceremony.allowedCredentials) {
            $0.isEmpty || $0.contains(response.id) ? nil : "the credential is not one of those allowed"
        }
        // 6: the user, and that the credential is this user's.
        let record = try procedure.run(.credential) { () throws(Fault) in try ownedRecord() }
        let key = try procedure.run(.credential, "stored public key", with: record) { (record) throws(Fault) in
            try VerifiedKey(record.publicKey)
        }
        // 7: cData, authData and sig.
        let data = try procedure.run(.authenticatorData) { () throws(Fault) in try authenticatorData() }
        // 8, 9: JSONtext and C.
        let client = try procedure.clientData(response.clientDataJSON, jsonText: .jsonText, clientData: .clientData)
        // 10: C.type.
        try procedure.check(.type, with: client) { $0.fault(ofType: "webauthn.get") }
        // 11: C.challenge equals the base64url encoding of options.challenge.
        try procedure.check(.challenge, with: client) { $0.fault(ofChallenge: ceremony.challenge) }
        // 12: C.origin. 13: C.crossOrigin. 14: C.topOrigin.
        try procedure.check(.origin, with: client) { relyingParty.origins.fault(ofOrigin: $0.origin) }
        try procedure.check(.crossOrigin, with: client) { relyingParty.origins.fault(ofCrossOrigin: $0.crossOrigin) }
        try procedure.check(.topOrigin, with: client) {
            relyingParty.origins.fault(ofTopOrigin: $0.topOrigin, crossOrigin: $0.crossOrigin)
        }
        // 15: rpIdHash, or the AppID's hash where the appid extension was asked for and used.
        _ = try procedure.run(.rpIDHash, with: data) { (data) throws(Fault) in try checkRPIDHash(data) }
        // 16: UP.
        try procedure.check(.userPresent, with: data) { $0.flags.contains(.userPresent) ? nil : "UP is 0" }
        // 17: UV, where it was required.
        if ceremony.userVerification == .required {
            try procedure.check(.userVerified, with: data) { $0.flags.contains(.userVerified) ? nil : "UV is 0" }
        } else {
            procedure.skip(.userVerified, nil, "user verification was \(ceremony.userVerification.rawValue)")
        }
        // 18: BS is not set without BE.
        try procedure.check(.backupState, with: data) { $0.flags.faultOfBackupState }
        // 19: BE against the record, then the relying party's policy on BE and BS.
        try procedure.check(.backupConsistency, with: data.flatMap { data in record.map { (data, $0) } }) {
            faultOfBackup($0.0.flags, $0.1)
        }
        // 20: hash. 21: the signature, over authData and hash.
        let isSigned: Void? = try procedure.run(.signature, with: key.flatMap { key in data.map { (key, $0) } }) {
            (pair) throws(Fault) in
            try checkSignature(pair.1, by: pair.0)
        }
        // 22: signCount.
        let counter = data?.signCount ?? 0
        let hasGrown = isGrowth(from: record?.signCount ?? 0, to: counter)
        try procedure.check(.signCount, with: data.flatMap { _ in record }) {
            hasGrown || ceremony.signCount == .report ? nil : "the counter is \(counter) and was \($0.signCount)"
        }
        // 23: extension outputs.
        let extensions = ExtensionCheck(
            inputs: ceremony.extensions,
            client: response.clientExtensionResults,
            authenticator: data?.extensions
        )
        try procedure.check(.extensions, with: data) { _ in
            extensions.faultOfAuthentication(ceremony.unsolicitedExtensions)
        }
        // 24: the record, updated. 25: success.
        guard let record, let client, let data, isSigned != nil else { return nil }
        return Authentication(
            credential: updated(record, data),
            userVerified: data.flags.contains(.userVerified),
            cloneWarning: !hasGrown,
            backupEligibilityUpgraded: record.backupEligible == false && data.flags.contains(.backupEligible),
            clientData: client,
            authenticatorData: data,
            clientExtensionResults: response.clientExtensionResults,
            unsolicitedExtensions: extensions.unsolicited
        )
    }

    /// Gives a refusal at steps 5 and 6 the public code that the response would have had with a known credential.
    ///
    /// Those steps come first, so that otherwise a response with a fault in it would tell which credentials exist
    /// (`#sctn-username-enumeration`). What needs the credential's key comes at step 21 and has the same code anyway.
    func withCodeOfLaterSteps(_ error: AuthenticationError) -> AuthenticationError {
        guard error.step == .allowedCredential || error.step == .credential else { return error }
        var procedure = Procedure<AuthenticationError>(reports: true)
        _ = try? run(&procedure)
        let later = procedure.report.checks.first { check in
            guard (7...18).contains(check.step), case .failed = check.verdict else { return false }
            return true
        }
        var error = error
        if let step = later.flatMap({ AuthenticationError.Step(rawValue: $0.step) }) {
            error.code = AuthenticationError(step, "").code
        }
        return error
    }

    /// Step 6.
    ///
    /// An unknown credential and a foreign one are told apart in the log alone.
    private func ownedRecord() throws(Fault) -> CredentialRecord {
        guard let record else {
            var fault = Fault("the credential is unknown")
            fault.isUnknownCredential = true
            throw fault
        }
        guard record.id == response.id else { throw Fault("the record is of another credential") }
        if let user = ceremony.userHandle {
            // The user was identified before: the record must be theirs, and a user handle, if there is one, agree.
            guard record.userHandle == user else { throw Fault("the credential is another user's") }
            guard response.userHandle == nil || response.userHandle == user else {
                throw Fault("the user handle is another user's")
            }
        } else {
            // The user was not identified: the user handle says who it is.
            guard let handle = response.userHandle else {
                throw Fault("there is no user handle, and the user was not identified before")
            }
            guard record.userHandle == handle else { throw Fault("the credential is not that user's") }
        }
        return record
    }

    private func authenticatorData() throws(Fault) -> AuthenticatorData {
        do throws(WireError) {
            return try AuthenticatorData(response.authenticatorData)
        } catch {
            throw Fault(error)
        }
    }

    /// Step 15 (`#sctn-appid-extension`: the output says whether the AppID was used).
    private func checkRPIDHash(_ data: AuthenticatorData) throws(Fault) {
        if data.rpIDHash == relyingParty.idHash { return }
        if let appID = ceremony.extensions.appid, response.clientExtensionResults.appid == true {
            do throws(CryptoError) {
                if try sha256([UInt8](appID.utf8)) == data.rpIDHash { return }
            } catch {
                throw Fault(error.detail)
            }
        }
        throw Fault("the RP ID hash is not that of \(relyingParty.id)")
    }

    /// Step 19.
    ///
    /// What the record does not know, it learns in step 24.
    private func faultOfBackup(_ flags: AuthenticatorData.Flags, _ record: CredentialRecord) -> String? {
        let isEligible = flags.contains(.backupEligible)
        switch (record.backupEligible, isEligible) {
        case (true, false): return "BE is 0 and was 1"
        case (false, true) where ceremony.backup.eligibilityUpgrade == .refused: return "BE is 1 and was 0"
        default: break
        }
        return BackupPolicy.fault(of: isEligible, ceremony.backup.eligibility, "BE")
            ?? BackupPolicy.fault(of: flags.contains(.backupState), ceremony.backup.state, "BS")
    }

    private func checkSignature(_ data: AuthenticatorData, by key: VerifiedKey) throws(Fault) {
        do throws(CryptoError) {
            let message = data.bytes + (try sha256(response.clientDataJSON))
            guard try key.publicKey.verify(response.signature, of: message) else {
                throw CryptoError(.notAuthentic, "the signature is not the credential's")
            }
        } catch {
            throw Fault(error.detail)
        }
    }

    /// Step 22: a counter is used if either is not zero, and then it must grow.
    private func isGrowth(from stored: UInt32, to counter: UInt32) -> Bool {
        (counter == 0 && stored == 0) || counter > stored
    }

    /// Step 24.
    ///
    /// UV is left to the application: see ``Authentication/canInitializeUserVerification``.
    private func updated(_ record: CredentialRecord, _ data: AuthenticatorData) -> CredentialRecord {
        var record = record
        record.signCount = max(record.signCount, data.signCount)
        record.backupEligible = data.flags.contains(.backupEligible)
        record.backupState = data.flags.contains(.backupState)
        record.lastUsedAt = now
        return record
    }
}
