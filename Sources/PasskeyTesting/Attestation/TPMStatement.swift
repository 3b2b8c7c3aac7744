import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension StatementMaker {
    /// `#sctn-tpm-attestation`.
    func tpm() throws(CryptoError) -> CBOR {
        let key = breaks("sha1") ? try profile.authority.key("attestation", .rs1) : try attestationKey(.rs256)
        let held = breaks("publicKey") ? try otherKey(credentialKey.algorithm).publicKey : credentialKey.publicKey
        var publicArea = try publicArea(held)
        if breaks("publicArea") { publicArea.append(0) }
        let certInfo = try certInfo(publicArea, key.algorithm)
        let signature = try signature(certInfo, with: key, isWrong: breaks("signature"))
        let certificates = try chain(aikCertificate(key))
        let algorithm = named(key.algorithm, isWrong: breaks("algorithm"))
        var members: [(String, CBOR)] = [
            ("ver", .text(breaks("version") ? "1.2" : "2.0")), ("alg", algorithm),
            ("x5c", x5c(certificates, isCut: breaks("certificate"))), ("sig", .bytes(signature)),
            ("pubArea", .bytes(publicArea)),
        ]
        if !breaks("syntax") { members.append(("certInfo", .bytes(certInfo))) }
        if breaks("ecdaa") { members.append(("ecdaaKeyId", .bytes([1]))) }
        return Self.map(members)
    }

    /// TPMT_PUBLIC (TPM 2.0 Library, Part 2, §12.2.4).
    private func publicArea(_ key: COSEKey) throws(CryptoError) -> [UInt8] {
        // fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, sign.
        let attributes: [UInt8] = [0x00, 0x04, 0x00, 0x72]
        let name: [UInt8] = [0x00, 0x0b]
        let none: [UInt8] = [0x00, 0x10]
        switch key.parameters {
        case .rsa(let n, let e):
            let exponent = e.count > 4 ? e.suffix(4) : [UInt8](repeating: 0, count: 4 - e.count) + e
            let bits = 8 * n.count
            return [0x00, 0x01] + name + attributes + sized([]) + none + none
                + [UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits)] + exponent + sized(n)
        case .ec2(let curve, let x, let y):
            guard let identifier: UInt8 = [.p256: 3, .p384: 4, .p521: 5][curve] else { break }
            return [0x00, 0x23] + name + attributes + sized([]) + none + none + [0x00, identifier] + none + sized(x)
                + sized(y)
        default: break
        }
        throw CryptoError(.unsupported, "a TPM holds no key for \(key.algorithm)")
    }

    /// TPMS_ATTEST (Part 2, §10.12.8).
    private func certInfo(
        _ publicArea: [UInt8],
        _ algorithm: COSEAlgorithmIdentifier
    ) throws(CryptoError) -> [UInt8] {
        guard let hash = HashFunction(of: algorithm) else {
            throw CryptoError(.unsupported, "a TPM does not sign with \(algorithm)")
        }
        let attested = try hash.digest(breaks("extraData") ? attestedBytes + [0] : attestedBytes)
        let name = try [0x00, 0x0b] + sha256(breaks("attestedName") ? publicArea + [0] : publicArea)
        let clock: [UInt8] = [0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        var certInfo: [UInt8] = breaks("magic") ? [0xff, 0x54, 0x43, 0x48] : [0xff, 0x54, 0x43, 0x47]
        certInfo += breaks("attestType") ? [0x80, 0x18] : [0x80, 0x17]
        certInfo += sized([0x00, 0x0b] + [UInt8](repeating: 0xa5, count: 32))
        certInfo += sized(attested)
        certInfo += clock
        certInfo += [0, 7, 0, 2, 0, 0, 0, 0]
        certInfo += sized(name)
        certInfo += sized([0x00, 0x0b] + [UInt8](repeating: 0x5a, count: 32))
        if breaks("certInfo") { certInfo.append(0) }
        return certInfo
    }

    /// A TPM2B: two bytes of length, and as many bytes.
    private func sized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }

    /// `#sctn-tpm-cert-requirements`.
    private func aikCertificate(_ key: PrivateKey) throws(CryptoError) -> CertificateDraft {
        let subject = breaks("subject") ? DraftName([("2.5.4.3", DER.utf8String("AIK"))]) : DraftName([])
        var draft = try CertificateDraft(subject: subject, key: key.publicKey, serial: "aik \(aaguid)")
        draft.version = breaks("certificateVersion") ? 2 : 3
        // A real vendor, since some verifiers have a list; no vendor has the other one.
        let manufacturer = breaks("manufacturer") ? "id:0BADF00D" : "id:494E5443"
        var device: [(oid: String, value: [UInt8])] = [("2.23.133.2.1", DER.utf8String(manufacturer))]
        if !breaks("subjectAltName") { device.append(("2.23.133.2.2", DER.utf8String("Example TPM"))) }
        device.append(("2.23.133.2.3", DER.utf8String("id:00020000")))
        draft.add("2.5.29.17", isCritical: true, DER.sequence([DER.tagged(4, DraftName(device).der)]))
        if !breaks("basicConstraints") { draft.addBasicConstraints(isCA: false) }
        let purpose = breaks("extendedKeyUsage") ? "2.23.133.8.1" : "2.23.133.8.3"
        draft.add("2.5.29.37", DER.sequence([DER.objectIdentifier(purpose)]))
        addAAGUID(to: &draft)
        return draft
    }
}
