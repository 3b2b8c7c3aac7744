import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension StatementMaker {
    /// `#sctn-packed-attestation` without x5c: the credential's own key signs.
    func packedSelf() throws(CryptoError) -> CBOR {
        let key = credentialKey
        let algorithm = named(key.algorithm, breaking: "selfAlgorithm")
        let signature = try signature(attestedBytes, with: key, breaking: "selfSignature")
        return packedStatement(algorithm, signature, x5c: nil)
    }

    /// `#sctn-packed-attestation` with x5c: the model's attestation key signs.
    func packed() throws(CryptoError) -> CBOR {
        let key = try attestationKey(.es256)
        let algorithm = named(key.algorithm, breaking: "algorithm")
        let signature = try signature(attestedBytes, with: key, breaking: "signature")
        return packedStatement(algorithm, signature, x5c: x5c(try chain(packedCertificate(key))))
    }

    private func packedStatement(_ algorithm: CBOR, _ signature: [UInt8], x5c: CBOR?) -> CBOR {
        var members: [(String, CBOR)] = [("alg", algorithm), ("sig", .bytes(signature))]
        if let x5c { members.append(("x5c", x5c)) }
        if breaks("ecdaa") { members.append(("ecdaaKeyId", .bytes([1]))) }
        // An x5c of another type is not self attestation either.
        guard !breaks("syntax", 4) else { return Self.map(members.filter { $0.0 != "x5c" } + [("x5c", .text(""))]) }
        return map(members, required: ["sig", "alg"])
    }

    /// `#sctn-packed-attestation-cert-requirements`.
    private func packedCertificate(_ key: PrivateKey) throws(CryptoError) -> CertificateDraft {
        var draft = try CertificateDraft(subject: packedSubject, key: key.publicKey, serial: "packed \(aaguid)")
        draft.version = version(breaking: "version")
        addBasicConstraints(to: &draft)
        addAAGUID(to: &draft)
        let tellsSerialNumber = ["serialNumberEncoding", "serialNumberCriticality", "serialNumberUnasked"]
            .contains(where: breaks)
        if profile.isEnterprise || tellsSerialNumber {
            draft.add(
                "1.3.6.1.4.1.45724.1.1.2",
                isCritical: breaks("serialNumberCriticality"),
                octetString(profile.serialNumber, breaking: "serialNumberEncoding")
            )
        }
        return draft
    }

    /// The vendor, of whom an attribute may be missing or wrong.
    private var packedSubject: DraftName {
        let subject = DraftName(
            country: breaks("subjectCountry", 0) ? "CHE" : "CH",
            organization: breaks("subjectOrganization", 1) ? "" : "Example Vendor",
            unit: breaks("subjectOrganizationalUnit", 0) ? "Authenticator" : "Authenticator Attestation",
            commonName: breaks("subjectCommonName", 1) ? "" : "Example Authenticator"
        )
        let missing: String? =
            if breaks("subjectCountry", 1) {
                "2.5.4.6"
            } else if breaks("subjectOrganization", 0) {
                "2.5.4.10"
            } else if breaks("subjectOrganizationalUnit", 1) {
                "2.5.4.11"
            } else if breaks("subjectCommonName", 0) {
                "2.5.4.3"
            } else {
                nil
            }
        return missing.map(subject.without) ?? subject
    }
}
