package import PasskeyModel
package import PasskeyRelyingParty
package import PasskeyWire

/// A registration response and what it is verified against.
package struct RegistrationCheck: Sendable {
    private let relyingParty: RelyingParty
    private let ceremony: RegistrationCeremony
    private let response: [UInt8]

    /// Lays a verification out.
    ///
    /// - Parameters:
    ///   - expected: The member `expected` of `Vectors/README.md`.
    ///   - response: The response's JSON text.
    /// - Throws: ``MalformedCase`` if `expected` does not say what is needed.
    package init(expected: JSONValue, response: [UInt8]) throws(MalformedCase) {
        try self.init(CeremonyExpectation(expected), response)
    }

    init(_ expectation: CeremonyExpectation, _ response: [UInt8]) throws(MalformedCase) {
        relyingParty = expectation.relyingParty
        ceremony = try expectation.registrationCeremony()
        self.response = response
    }

    /// Verifies.
    package func run() throws(RegistrationError) -> Registration {
        try relyingParty.finishRegistration(RegistrationResponse(json: response), ceremony, owner: nil)
    }

    /// What came of every step; it needs a response that can be read.
    package func report() throws(RegistrationError) -> VerificationReport {
        relyingParty.verificationReport(try RegistrationResponse(json: response), ceremony, owner: nil)
    }
}

/// An authentication response and what it is verified against.
package struct AuthenticationCheck: Sendable {
    private let relyingParty: RelyingParty
    private let ceremony: AuthenticationCeremony
    private let record: Result<CredentialRecord, ModelError>
    private let response: [UInt8]

    /// Lays a verification out.
    ///
    /// - Parameters:
    ///   - expected: The member `expected` of `Vectors/README.md`.
    ///   - record: The member `record`.
    ///   - response: The response's JSON text.
    /// - Throws: ``MalformedCase`` if `expected` or `record` does not say what is needed.
    package init(expected: JSONValue, record: JSONValue, response: [UInt8]) throws(MalformedCase) {
        let expectation = try CeremonyExpectation(expected)
        relyingParty = expectation.relyingParty
        let input = CaseInput(record)
        // A record without a user handle is of a server that never stored one: it stands for whom the response names.
        let named = try? JSONValue(json: response)["response"]?["userHandle"]?.string
        var handle = try input.base64URLIfPresent("userHandle") ?? []
        if handle.isEmpty, let named { handle = (try? Base64URL.decode(named)) ?? [] }
        if handle.isEmpty { handle = [1] }
        guard let count = UInt32(exactly: try input.intIfPresent("signCount") ?? 0) else {
            throw MalformedCase("record: signCount does not fit 32 bits")
        }
        guard let user = try? UserHandle(bytes: handle) else { throw MalformedCase("record: userHandle is too long") }
        let id = try input.base64URL("id")
        let publicKey = try input.base64URL("publicKey")
        let uvInitialized = try input.boolIfPresent("uvInitialized") ?? false
        let backupEligible = try input.boolIfPresent("backupEligible")
        let backupState = try input.boolIfPresent("backupState")
        self.record = Result { () throws(ModelError) in
            try CredentialRecord(
                id: id,
                publicKey: publicKey,
                signCount: count,
                userHandle: user,
                uvInitialized: uvInitialized,
                backupEligible: backupEligible,
                backupState: backupState
            )
        }
        ceremony = try expectation.authenticationCeremony(of: expectation.isUserKnown() ? user : nil)
        self.response = response
    }

    /// Verifies.
    package func run() throws(AuthenticationError) -> Authentication {
        try relyingParty.finishAuthentication(AuthenticationResponse(json: response), ceremony, loadedRecord())
    }

    /// What came of every step; it needs a response that can be read.
    package func report() throws(AuthenticationError) -> VerificationReport {
        relyingParty.verificationReport(try AuthenticationResponse(json: response), ceremony, try loadedRecord())
    }

    /// The record, as a server loads it: one that cannot be is as good as none, and is refused at that step.
    private func loadedRecord() throws(AuthenticationError) -> CredentialRecord {
        do throws(ModelError) {
            return try record.get()
        } catch {
            throw AuthenticationError(.credential, "the record cannot be loaded: \(error)", offset: error.offset)
        }
    }
}

/// Refuses what this library does not know of in `expected`, so that a misspelt demand is not taken for an absent one.
///
/// Case files are read without: they may say more than a library of today can judge.
package func refuseUnknownMembers(ofExpected expected: JSONValue) throws(MalformedCase) {
    let known = [
        "rpId", "origins", "challenge", "userVerification", "algorithms", "now", "attestation", "trustAnchors",
        "allow", "allowCrossOrigin", "topOrigins", "mediation", "allowCredentials", "appId", "signCountPolicy", "user",
    ]
    for member in expected.object?.members ?? [] where !known.contains(where: { $0.hasSameBytes(as: member.name) }) {
        throw MalformedCase("expected: unknown member \(excerpt(member.name))")
    }
}
