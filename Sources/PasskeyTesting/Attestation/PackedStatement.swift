import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension StatementMaker {
    /// `#sctn-packed-attestation` without x5c: the credential's own key signs.
    func packedSelf() throws(CryptoError) -> CBOR {
        let key = credentialKey
        let algorithm = named(key.algorithm, isWrong: breaks("selfAlgorithm"))
        let signature = try signature(attestedBytes, with: key, isWrong: breaks("selfSignature"))
        return packedStatement(algorithm, signature, x5c: nil)
    }

    /// `#sctn-packed-attestation` with x5c: the model's attestation key signs.
    func packed() throws(CryptoError) -> CBOR {
        let key = try attestationKey(.es256)
        let algorithm = named(key.algorithm, isWrong: breaks("algorithm"))
        let signature = try signature(attestedBytes, with: key, isWrong: breaks("signature"))
        let certificates = try chain(packedCertificate(key))
        return packedStatement(algorithm, signature, x5c: x5c(certificates, isCut: breaks("certificate")))
    }

    private func packedStatement(_ algorithm: CBOR, _ signature: [UInt8], x5c: CBOR?) -> CBOR {
        var members: [(String, CBOR)] = [("alg", algorithm)]
        if !breaks("syntax") { members.append(("sig", .bytes(signature))) }
        if let x5c { members.append(("x5c", x5c)) }
        if breaks("ecdaa") { members.append(("ecdaaKeyId", .bytes([1]))) }
        return Self.map(members)
    }

    /// `#sctn-packed-attestation-cert-requirements`.
    private func packedCertificate(_ key: PrivateKey) throws(CryptoError) -> CertificateDraft {
        var subject = DraftName(
            country: breaks("subjectCountry") ? "CHE" : "CH",
            unit: breaks("subjectOrganizationalUnit") ? "Authenticator" : "Authenticator Attestation",
            commonName: "Example Authenticator"
        )
        if breaks("subjectOrganization") { subject = subject.without("2.5.4.10") }
        if breaks("subjectCommonName") { subject = subject.without("2.5.4.3") }
        var draft = try CertificateDraft(subject: subject, key: key.publicKey, serial: "packed \(aaguid)")
        draft.version = breaks("version") ? 2 : 3
        if !breaks("basicConstraints") { draft.addBasicConstraints(isCA: false) }
        addAAGUID(to: &draft)
        let tellsSerialNumber = ["serialNumberEncoding", "serialNumberCriticality", "serialNumberUnasked"]
            .contains(where: breaks)
        if profile.isEnterprise || tellsSerialNumber {
            let serialNumber: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7]
            draft.add(
                "1.3.6.1.4.1.45724.1.1.2",
                isCritical: breaks("serialNumberCriticality"),
                breaks("serialNumberEncoding") ? serialNumber : DER.octetString(serialNumber)
            )
        }
        return draft
    }
}
