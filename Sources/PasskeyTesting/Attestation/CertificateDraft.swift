import PasskeyCrypto
import PasskeyWire

/// A name in X.501.
struct DraftName {
    /// An attribute: its object identifier, and its value as a whole element of DER.
    var attributes: [(oid: String, value: [UInt8])]

    /// Whether all attributes are in one relative name, and not in one each.
    var isMultiValued = false

    init(_ attributes: [(oid: String, value: [UInt8])]) {
        self.attributes = attributes
    }

    /// A name of one vendor: C, O, OU and CN.
    init(country: String = "CH", organization: String = "Example Vendor", unit: String, commonName: String) {
        attributes = [
            ("2.5.4.6", DER.printableString(country)), ("2.5.4.10", DER.utf8String(organization)),
            ("2.5.4.11", DER.utf8String(unit)), ("2.5.4.3", DER.utf8String(commonName)),
        ]
    }

    /// Without an attribute.
    func without(_ oid: String) -> DraftName {
        DraftName(attributes.filter { $0.oid != oid })
    }

    var der: [UInt8] {
        let written = attributes.map { DER.sequence([DER.objectIdentifier($0.oid), $0.value]) }
        return DER.sequence(isMultiValued ? [DER.set(written)] : written.map { DER.set([$0]) })
    }
}

/// A certificate before it is signed (RFC 5280 §4.1); anything in it may be wrong.
struct CertificateDraft {
    var version = 3
    var serialNumber: [UInt8]
    var subject: DraftName
    var notBefore = AttestationAuthority.notBefore
    var notAfter = AttestationAuthority.notAfter
    var key: COSEKey
    var extensions: [(oid: String, isCritical: Bool, value: [UInt8])] = []

    init(subject: DraftName, key: COSEKey, serial: String) throws(CryptoError) {
        self.subject = subject
        self.key = key
        // Positive, the same in each run, and another for each key: a list that revokes one certificate spares the others.
        serialNumber = try [0x10] + sha256([UInt8](serial.utf8) + key.encoded).prefix(12)
    }

    mutating func add(_ oid: String, isCritical: Bool = false, _ value: [UInt8]) {
        extensions.append((oid, isCritical, value))
    }

    mutating func remove(_ oid: String) {
        extensions.removeAll { $0.oid == oid }
    }

    /// Basic Constraints; CA is left out where it is false, as DER does with a default.
    mutating func addBasicConstraints(isCA: Bool, pathLength: Int? = nil) {
        var content: [[UInt8]] = isCA ? [DER.boolean(true)] : []
        if let pathLength { content.append(DER.integer(pathLength)) }
        add("2.5.29.19", isCritical: true, DER.sequence(content))
    }

    /// Key Usage: bits from the most significant one on.
    mutating func addKeyUsage(_ bits: UInt8, unused: UInt8) {
        add("2.5.29.15", isCritical: true, DER.bitString([bits], unusedBits: unused))
    }

    /// The certificate, signed by an issuer.
    func signed(by issuer: CertificateIssuer) throws(CryptoError) -> [UInt8] {
        let algorithm = try DraftSignature.identifier(issuer.key.algorithm)
        var fields: [[UInt8]] = version == 1 ? [] : [DER.tagged(0, DER.integer(version - 1))]
        fields += [
            DER.integer(unsigned: serialNumber), algorithm, issuer.name.der,
            DER.sequence([
                DER.time(millisecondsSince1970: notBefore), DER.time(millisecondsSince1970: notAfter),
            ]),
            subject.der, try PublicKey(key, allowingSHA1: true).subjectPublicKeyInfo(),
        ]
        if !extensions.isEmpty {
            fields.append(
                DER.tagged(
                    3,
                    DER.sequence(
                        extensions.map { draft in
                            DER.sequence(
                                [DER.objectIdentifier(draft.oid)] + (draft.isCritical ? [DER.boolean(true)] : [])
                                    + [DER.octetString(draft.value)]
                            )
                        }
                    )
                )
            )
        }
        let body = DER.sequence(fields)
        return DER.sequence([body, algorithm, DER.bitString(try issuer.key.signDeterministically(body))])
    }
}

/// Who signs certificates and revocation lists.
struct CertificateIssuer {
    var name: DraftName
    var key: PrivateKey
}

/// Signature algorithms as X.509 names them.
enum DraftSignature {
    static func identifier(_ algorithm: COSEAlgorithmIdentifier) throws(CryptoError) -> [UInt8] {
        switch algorithm {
        case .es256: DER.sequence([DER.objectIdentifier("1.2.840.10045.4.3.2")])
        case .es384: DER.sequence([DER.objectIdentifier("1.2.840.10045.4.3.3")])
        case .es512: DER.sequence([DER.objectIdentifier("1.2.840.10045.4.3.4")])
        case .rs256: DER.sequence([DER.objectIdentifier("1.2.840.113549.1.1.11"), DER.null])
        case .edDSA: DER.sequence([DER.objectIdentifier("1.3.101.112")])
        default: throw CryptoError(.unsupported, "no certificate is signed with \(algorithm)")
        }
    }
}
