import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension StatementMaker {
    // MARK: FIDO U2F

    /// `#sctn-fido-u2f-attestation`.
    func fidoU2F() throws(CryptoError) -> CBOR {
        let key = try profile.authority.key("attestation", breaks("certificateKey") ? .es384 : .es256)
        let credential = authenticatorData.attestedCredentialData
        var point: [UInt8] = [4]
        if case .ec2(_, let x, let y) = credentialKey.publicKey.parameters { point += x + y }
        let message =
            [0] + authenticatorData.rpIDHash + clientDataHash + (credential?.credentialID ?? []) + point
        let signature = try signature(message, with: key, isWrong: breaks("signature"))
        // U2F has no profile for certificates.
        let draft = try CertificateDraft(
            subject: DraftName([("2.5.4.3", DER.utf8String("Example U2F Device"))]),
            key: key.publicKey,
            serial: "u2f"
        )
        var certificates = Array(try chain(draft).prefix(1))
        if breaks("certificateCount") { certificates.append(certificates[0]) }
        var members = [("x5c", x5c(certificates, isCut: breaks("certificate")))]
        if !breaks("syntax") { members.append(("sig", .bytes(signature))) }
        return Self.map(members)
    }

    // MARK: Apple

    /// `#sctn-apple-anonymous-attestation`.
    func apple() throws(CryptoError) -> CBOR {
        let key = breaks("publicKey") ? try otherKey(credentialKey.algorithm).publicKey : credentialKey.publicKey
        var draft = try CertificateDraft(
            subject: DraftName(unit: "Credential", commonName: "Example Credential"),
            key: key,
            serial: "apple"
        )
        draft.addBasicConstraints(isCA: false)
        let nonce = try sha256(breaks("nonce") ? attestedBytes + [0] : attestedBytes)
        if !breaks("nonceExtension") {
            draft.add("1.2.840.113635.100.8.2", DER.sequence([DER.tagged(1, DER.octetString(nonce))]))
        }
        guard !breaks("syntax") else { return Self.map([]) }
        return Self.map([("x5c", x5c(try chain(draft), isCut: breaks("certificate")))])
    }

    // MARK: Android

    /// `#sctn-android-key-attestation`.
    func androidKey() throws(CryptoError) -> CBOR {
        let key = breaks("publicKey") ? try otherKey(credentialKey.algorithm) : credentialKey
        var draft = try CertificateDraft(
            subject: DraftName([("2.5.4.3", DER.utf8String("Android Keystore Key"))]),
            key: key.publicKey,
            serial: "android"
        )
        draft.addKeyUsage(0x80, unused: 7)
        if !breaks("keyDescription") { draft.add("1.3.6.1.4.1.11129.2.1.17", keyDescription()) }
        let algorithm = named(key.algorithm, isWrong: breaks("algorithm"))
        let signature = try signature(attestedBytes, with: key, isWrong: breaks("signature"))
        var members = [
            ("alg", algorithm), ("x5c", x5c(try chain(draft), isCut: breaks("certificate"))),
        ]
        if !breaks("syntax") { members.append(("sig", .bytes(signature))) }
        return Self.map(members)
    }

    /// KeyDescription of KeyMint 3, with the hardware's word for origin and purpose.
    private func keyDescription() -> [UInt8] {
        var hardware = [DER.tagged(1, DER.set([DER.integer(breaks("purpose") ? 3 : 2)]))]
        hardware.append(DER.tagged(2, DER.integer(3)))
        if breaks("allApplications") { hardware.append(DER.tagged(600, DER.null)) }
        hardware.append(DER.tagged(702, DER.integer(breaks("origin") ? 2 : 0)))
        return DER.sequence([
            DER.integer(300), DER.enumerated(1), DER.integer(300), DER.enumerated(1),
            DER.octetString(breaks("challenge") ? clientDataHash.map { ~$0 } : clientDataHash), DER.octetString([]),
            DER.sequence([DER.tagged(701, DER.integer(1_700_000_000_000))]), DER.sequence(hardware),
        ])
    }

    /// `#sctn-android-safetynet-attestation`.
    func safetyNet() throws(CryptoError) -> CBOR {
        let key = try attestationKey(.rs256)
        let algorithm: JWSAlgorithm = key.algorithm == .es256 ? .es256 : .rs256
        let host = breaks("hostname") ? "attest.example.com" : "attest.android.com"
        var draft = try CertificateDraft(
            subject: DraftName([("2.5.4.3", DER.utf8String(host))]),
            key: key.publicKey,
            serial: "safetynet"
        )
        draft.addBasicConstraints(isCA: false)
        draft.add("2.5.29.17", DER.sequence([DER.element(.contextSpecific(2, constructed: false), Array(host.utf8))]))
        var certificates = try chain(draft)
        if breaks("certificate") { certificates[0].removeLast() }
        let nonce = try sha256(breaks("nonce") ? attestedBytes + [0] : attestedBytes)
        let payload: JSONValue = [
            "nonce": .string(Base64.encode(nonce)),
            "timestampMs": .number(JSONNumber(Int(environment.now.millisecondsSince1970))),
            "apkPackageName": "com.google.android.gms",
            "ctsProfileMatch": .bool(!breaks("ctsProfileMatch")),
            "basicIntegrity": true,
        ]
        let isWrong = breaks("signature")
        var response = try JWS.sign(
            payload.serialized(),
            header: ["x5c": .array(certificates.map { .string(Base64.encode($0)) })],
            algorithm
        ) { (message) throws(CryptoError) in
            try signature(message, with: key, isWrong: isWrong)
        }
        if breaks("response"), let dot = response.lastIndex(of: UInt8(ascii: ".")) { response.removeSubrange(dot...) }
        var members = [("ver", CBOR.text(breaks("version") ? "" : "14799021"))]
        if !breaks("syntax") { members.append(("response", .bytes(response))) }
        return Self.map(members)
    }

    // MARK: Compound

    /// `#sctn-compound-attestation`: a self attestation, and one by the model's key.
    func compound() throws(CryptoError) -> CBOR {
        func part(_ format: AttestationStatementFormat, _ statement: CBOR) -> CBOR {
            Self.map([("fmt", .text(format.rawValue)), ("attStmt", statement)])
        }
        func packed(isSelf: Bool, _ fault: AttestationFault? = nil) throws(CryptoError) -> CBOR {
            var inner = profile
            inner.format = .packed
            inner.isSelf = isSelf
            inner.fault = fault
            let maker = StatementMaker(
                profile: inner,
                authenticatorData: authenticatorData,
                clientDataHash: clientDataHash,
                credentialKey: credentialKey,
                environment: environment
            )
            return part(.packed, try maker.statement())
        }
        let first = try packed(isSelf: false, breaks("substatement") ? AttestationFault("packed.signature") : nil)
        var parts = [first, try packed(isSelf: profile.isSelf)]
        if breaks("count") { parts.removeLast() }
        if breaks("nested") { parts.append(part(.compound, .array(parts))) }
        return breaks("syntax") ? first : .array(parts)
    }
}
