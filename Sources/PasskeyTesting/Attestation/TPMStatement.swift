import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension StatementMaker {
    /// `#sctn-tpm-attestation`.
    func tpm() throws(CryptoError) -> CBOR {
        let key = breaks("sha1") ? try profile.authority.key("attestation", .rs1) : try attestationKey(.rs256)
        let held = breaks("publicKey") ? try otherKey(credentialKey.algorithm).publicKey : credentialKey.publicKey
        var publicArea = try publicArea(held)
        if breaks("publicArea", 0) { publicArea.append(0) }
        if breaks("publicArea", 1) { publicArea.removeLast() }
        let certInfo = try certInfo(publicArea, key.algorithm)
        let signature = try signature(certInfo, with: key, breaking: "signature")
        var members: [(String, CBOR)] = [
            ("ver", .text(variant("version").map { $0 == 0 ? "1.2" : "" } ?? "2.0")),
            ("alg", named(key.algorithm, breaking: "algorithm")), ("x5c", x5c(try chain(aikCertificate(key)))),
            ("sig", .bytes(signature)), ("pubArea", .bytes(publicArea)), ("certInfo", .bytes(certInfo)),
        ]
        if breaks("ecdaa") { members.append(("ecdaaKeyId", .bytes([1]))) }
        return map(members, required: ["certInfo", "pubArea", "ver", "alg"])
    }

    /// What the TPM says of itself.
    private var says: AttestationOverrides.TPM { profile.authority.overrides?.tpm ?? AttestationOverrides.TPM() }

    // MARK: Structures

    /// TPMT_PUBLIC (TPM 2.0 Library, Part 2, §12.2.4) of a key that signs.
    private func publicArea(_ key: COSEKey) throws(CryptoError) -> [UInt8] {
        let attributes = says.objectAttributes
        let null: [UInt8] = [0x00, 0x10]
        // type, nameAlg, objectAttributes, authPolicy; then of the parameters symmetric and scheme.
        func head(_ type: UInt16) throws(CryptoError) -> [UInt8] {
            try bytes(type) + bytes(profile.tpm.nameAlgorithm.rawValue) + attributes + sized([]) + null
                + scheme(key.algorithm)
        }
        switch key.parameters {
        case .rsa(let n, let e):
            // Zero is the default of 65537, and what TPMs write.
            let exponent = e == [1, 0, 1] ? [] : e.suffix(4)
            // keyBits, exponent, unique.
            return try head(0x0001) + bytes(UInt16(truncatingIfNeeded: 8 * n.count))
                + [UInt8](repeating: 0, count: 4 - exponent.count) + exponent + sized(n)
        case .ec2(let curve, let x, let y):
            guard let identifier: UInt16 = [.p256: 3, .p384: 4, .p521: 5][curve] else { break }
            // curveID, kdf, unique.
            return try head(0x0023) + bytes(identifier) + null + sized(x) + sized(y)
        default: break
        }
        throw CryptoError(.unsupported, "a TPM holds no key for \(key.algorithm)")
    }

    /// TPMT_RSA_SCHEME or TPMT_ECC_SCHEME (§11.2.4, §11.2.5): none, or the key's and its hash function.
    private func scheme(_ algorithm: COSEAlgorithmIdentifier) throws(CryptoError) -> [UInt8] {
        guard profile.tpm.statesScheme else { return [0x00, 0x10] }
        let scheme: UInt16 =
            switch algorithm {
            case .rs256, .rs384, .rs512: 0x0014
            case .ps256, .ps384, .ps512: 0x0016
            default: 0x0018
            }
        let names: [HashFunction: TPMShape.NameAlgorithm] = [.sha256: .sha256, .sha384: .sha384, .sha512: .sha512]
        guard let hash = HashFunction(of: algorithm), let name = names[hash] else {
            throw CryptoError(.unsupported, "a TPM does not sign with \(algorithm)")
        }
        return bytes(scheme) + bytes(name.rawValue)
    }

    /// TPMS_ATTEST (§10.12.8) of a key that was certified.
    private func certInfo(
        _ publicArea: [UInt8],
        _ algorithm: COSEAlgorithmIdentifier
    ) throws(CryptoError) -> [UInt8] {
        guard let hash = HashFunction(of: algorithm) else {
            throw CryptoError(.unsupported, "a TPM does not sign with \(algorithm)")
        }
        let other: HashFunction = hash == .sha512 ? .sha256 : .sha512
        let attested: [UInt8] =
            switch variant("extraData") {
            case nil: try hash.digest(attestedBytes)
            case 0: try hash.digest(attestedBytes + [0])
            default: try other.digest(attestedBytes)
            }
        let name = bytes(profile.tpm.nameAlgorithm.rawValue)
        let size = try profile.tpm.nameAlgorithm.hash.digest([]).count
        let attestedName: [UInt8] =
            switch variant("attestedName") {
            case nil: try name + profile.tpm.nameAlgorithm.hash.digest(publicArea)
            case 0: try name + profile.tpm.nameAlgorithm.hash.digest(publicArea + [0])
            // The right digest, by the name of SM3.
            default: try bytes(0x0012) + profile.tpm.nameAlgorithm.hash.digest(publicArea)
            }
        // TPM_GENERATED_VALUE, and TPM_ST_ATTEST_CERTIFY; or a type of a quote or of a creation.
        var certInfo: [UInt8] =
            variant("magic").map { $0 == 0 ? [0xff, 0x54, 0x43, 0x48] : [0, 0, 0, 0] } ?? [0xff, 0x54, 0x43, 0x47]
        certInfo += bytes(variant("attestType").map { $0 == 0 ? 0x8018 : 0x801a } ?? 0x8017)
        // qualifiedSigner, extraData.
        certInfo += sized(says.qualifiedSigner ?? name + [UInt8](repeating: 0xa5, count: size)) + sized(attested)
        certInfo += says.clockInfo + says.firmwareVersion
        // attested: name, qualifiedName.
        certInfo += sized(attestedName)
        certInfo += sized(says.qualifiedName ?? name + [UInt8](repeating: 0x5a, count: size))
        if breaks("certInfo", 0) { certInfo.append(0) }
        if breaks("certInfo", 1) { certInfo.removeLast() }
        return certInfo
    }

    private func bytes(_ number: UInt16) -> [UInt8] {
        [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    /// A TPM2B: two bytes of length, and as many bytes.
    private func sized(_ octets: [UInt8]) -> [UInt8] {
        bytes(UInt16(truncatingIfNeeded: octets.count)) + octets
    }

    // MARK: Certificate

    /// `#sctn-tpm-cert-requirements`.
    private func aikCertificate(_ key: PrivateKey) throws(CryptoError) -> CertificateDraft {
        let subject = breaks("subject") ? DraftName([("2.5.4.3", DER.utf8String("AIK"))]) : DraftName([])
        var draft = try CertificateDraft(subject: subject, key: key.publicKey, serial: "aik \(aaguid)")
        draft.version = version(breaking: "certificateVersion")
        if !breaks("subjectAltName", 1) {
            // "if subject contains an empty sequence, then the issuing CA MUST include a subjectAltName extension that
            // is marked as critical" (RFC 5280 §4.1.2.6).
            draft.add("2.5.29.17", isCritical: true, DER.sequence(subjectAltName))
        }
        addBasicConstraints(to: &draft)
        if !breaks("extendedKeyUsage", 1) {
            let purpose = breaks("extendedKeyUsage") ? "2.23.133.8.1" : "2.23.133.8.3"
            draft.add("2.5.29.37", DER.sequence([DER.objectIdentifier(purpose)]))
        }
        addAAGUID(to: &draft)
        return draft
    }

    /// The TPM's manufacturer, model and version, as names in Subject Alternative Name; one may be missing.
    private var subjectAltName: [[UInt8]] {
        // No vendor has this number.
        let manufacturer = breaks("manufacturer") ? "id:0BADF00D" : profile.tpm.manufacturer
        var device: [(oid: String, value: [UInt8])] = [
            ("2.23.133.2.1", DER.utf8String(manufacturer)), ("2.23.133.2.2", DER.utf8String(says.model)),
            ("2.23.133.2.3", DER.utf8String(says.version)),
        ]
        switch variant("subjectAltName") {
        case 0: device.remove(at: 1)
        case 2: device.remove(at: 0)
        case 3: device.remove(at: 2)
        default: break
        }
        func directoryName(_ name: DraftName) -> [UInt8] { DER.tagged(4, name.der) }
        switch profile.tpm.subjectAltName {
        case .separate: return [directoryName(DraftName(device))]
        case .multiValued:
            var name = DraftName(device)
            name.isMultiValued = true
            return [directoryName(name)]
        case .severalNames: return device.map { directoryName(DraftName([$0])) }
        case .amongOthers:
            let serialNumber = DraftName([("2.5.4.5", DER.printableString("0001"))])
            return [directoryName(serialNumber), Self.hardwareModuleName, directoryName(DraftName(device))]
        }
    }

    /// otherName: HardwareModuleName (RFC 4108), as vendors write it beside.
    private static let hardwareModuleName = DER.tagged(
        0,
        DER.objectIdentifier("1.3.6.1.5.5.7.8.4"),
        DER.tagged(0, DER.sequence([DER.objectIdentifier("2.23.133.1.2"), DER.octetString([0, 0, 0, 1])]))
    )
}
