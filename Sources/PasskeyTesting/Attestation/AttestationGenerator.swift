import PasskeyCrypto
public import PasskeyModel
public import PasskeyWire

extension AttestationProfile {
    /// Makes a statement about a credential that was made elsewhere.
    ///
    /// A ``VirtualAuthenticator`` with ``VirtualAuthenticatorOptions/attestationProfile`` makes its own.
    ///
    /// - Parameters:
    ///   - authenticatorData: The authenticator data, with attested credential data in it.
    ///   - clientDataHash: SHA-256 of the client data.
    ///   - privateKey: The credential's private key: a PKCS #8 PrivateKeyInfo.
    ///   - algorithm: What that key is for.
    ///   - random: The source of randomness. With one, such as ``SeededRandom/source(seed:)``, the statement is the same
    ///     in each run; `nil` for the system's.
    ///   - clock: The source of time, which Android's formats tell; `nil` for the system's.
    /// - Returns: The statement.
    /// - Throws: ``AttestationFailure`` if the format does not allow such a key.
    public func statement(
        authenticatorData: AuthenticatorData,
        clientDataHash: [UInt8],
        privateKey: [UInt8],
        algorithm: COSEAlgorithmIdentifier,
        random: VirtualRandomSource? = nil,
        clock: VirtualClock? = nil
    ) throws(AttestationFailure) -> CBOR {
        try AttestationFailure.wrapping { () throws(CryptoError) in
            try StatementMaker(
                profile: self,
                subject: StatementSubject(authenticatorData),
                clientDataHash: clientDataHash,
                credentialKey: PrivateKey(pkcs8: privateKey, algorithm: algorithm),
                environment: VirtualEnvironment(random: random, clock: clock)
            ).statement()
        }
    }
}

extension VirtualAuthenticatorOptions {
    /// The formats that the authenticator can make.
    var attestationFormats: [AttestationStatementFormat] {
        let own = attestationProfile?.format ?? attestation
        return [.none, .packed] + ([.none, .packed].contains(own) ? [] : [own])
    }

    /// Whether it makes keys for an algorithm, and can attest them if it attests at all.
    func makesKeys(for algorithm: COSEAlgorithmIdentifier) -> Bool {
        guard algorithms.contains(algorithm) else { return false }
        return attestationProfile?.credentialAlgorithms.contains(algorithm) ?? true
    }

    /// How it makes a format: as its profile says, or else with the credential's own key.
    func attestationProfile(_ format: AttestationStatementFormat, mayTellSerialNumber: Bool) -> AttestationProfile {
        guard var profile = attestationProfile, profile.format == format else {
            return AttestationProfile(format, isSelf: true)
        }
        if !mayTellSerialNumber { profile.withholdSerialNumber() }
        return profile
    }
}

extension AttestationProfile {
    /// Tells no serial number, in no part either.
    fileprivate mutating func withholdSerialNumber() {
        isEnterprise = false
        for index in parts.indices { parts[index].withholdSerialNumber() }
    }
}
