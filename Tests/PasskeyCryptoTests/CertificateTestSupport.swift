import PasskeyCrypto
import PasskeyWire
import Testing

/// A certificate to be signed; each field is a whole element of DER, so that it can be wrong.
struct CertificateDraft {
    var version: [UInt8] = DER.tagged(0, DER.integer(2))
    var serialNumber = DER.integer(1)
    /// What stands in the signed part; the signature beside it is by the key that signs.
    var algorithm: [UInt8]?
    var issuer = name("Issuer")
    var notBefore = DER.time(millisecondsSince1970: Moments.first)
    var notAfter = DER.time(millisecondsSince1970: Moments.last)
    var subject = name("Leaf")
    var publicKey: [UInt8]
    var extensions: [[UInt8]] = []
    var unusedSignatureBits: UInt8 = 0

    init(_ key: PrivateKey) throws {
        publicKey = try PublicKey(key.publicKey, allowingSHA1: true).subjectPublicKeyInfo()
    }

    /// The certificate.
    func signed(by key: PrivateKey) throws -> [UInt8] {
        let identifier = try signatureAlgorithm(key)
        var fields = [
            version, serialNumber, algorithm ?? identifier, issuer, DER.sequence([notBefore, notAfter]), subject,
            publicKey,
        ]
        if !extensions.isEmpty { fields.append(DER.tagged(3, DER.sequence(extensions))) }
        let body = DER.sequence(fields)
        return DER.sequence([
            body, identifier, DER.bitString(try key.sign(body), unusedBits: unusedSignatureBits),
        ])
    }
}

/// The AlgorithmIdentifier of a key's signatures.
func signatureAlgorithm(_ key: PrivateKey) throws -> [UInt8] {
    switch key.algorithm {
    case .es256: DER.sequence([DER.objectIdentifier("1.2.840.10045.4.3.2")])
    case .es384: DER.sequence([DER.objectIdentifier("1.2.840.10045.4.3.3")])
    case .rs256: DER.sequence([DER.objectIdentifier("1.2.840.113549.1.1.11"), DER.null])
    case .edDSA: DER.sequence([DER.objectIdentifier("1.3.101.112")])
    default: try #require(nil as [UInt8]?, "no identifier for \(key.algorithm)")
    }
}

/// Moments in milliseconds since 1970.
enum Moments {
    /// 2020-01-01, when certificates of the tests begin.
    static let first: Int64 = 1_577_836_800_000
    /// 2024-07-03.
    static let now: Int64 = 1_720_000_000_000
    /// 2030-01-01, when they end.
    static let last: Int64 = 1_893_456_000_000
}

/// A Name of one common name.
func name(_ text: String) -> [UInt8] { name([("2.5.4.3", DER.utf8String(text))]) }

/// A Name of attributes, each in a relative name of its own.
func name(_ attributes: [(oid: String, value: [UInt8])]) -> [UInt8] {
    DER.sequence(attributes.map { DER.set([attribute($0.oid, $0.value)]) })
}

/// An attribute of a Name.
func attribute(_ oid: String, _ value: [UInt8]) -> [UInt8] {
    DER.sequence([DER.objectIdentifier(oid), value])
}

/// An extension.
func certificateExtension(_ oid: String, isCritical: Bool = false, _ value: [UInt8]) -> [UInt8] {
    DER.sequence(
        [DER.objectIdentifier(oid)] + (isCritical ? [DER.boolean(true)] : []) + [DER.octetString(value)]
    )
}

func basicConstraints(isCA: Bool, pathLength: Int? = nil) -> [UInt8] {
    certificateExtension(
        "2.5.29.19",
        isCritical: true,
        DER.sequence((isCA ? [DER.boolean(true)] : []) + (pathLength.map { [DER.integer($0)] } ?? []))
    )
}

/// An authority: a key, and a certificate for it.
struct TestAuthority {
    let key: PrivateKey
    let subject: [UInt8]
    let certificate: Certificate

    /// A root, or what another authority certifies.
    init(
        _ common: String,
        under parent: TestAuthority? = nil,
        key: PrivateKey? = nil,
        extensions: [[UInt8]] = [basicConstraints(isCA: true)],
        change: (inout CertificateDraft) -> Void = { _ in }
    ) throws {
        let key = try key ?? PrivateKey.generate(.es256)
        self.key = key
        subject = name(common)
        var draft = try CertificateDraft(key)
        draft.subject = subject
        draft.issuer = parent?.subject ?? subject
        draft.extensions = extensions
        change(&draft)
        certificate = try Certificate(der: draft.signed(by: parent?.key ?? key))
    }

    /// A certificate of this authority.
    func issue(
        _ common: String = "Leaf",
        extensions: [[UInt8]] = [basicConstraints(isCA: false)],
        change: (inout CertificateDraft) -> Void = { _ in }
    ) throws -> Certificate {
        var draft = try CertificateDraft(Keys.of(.es256))
        draft.subject = name(common)
        draft.issuer = subject
        draft.extensions = extensions
        change(&draft)
        return try Certificate(der: draft.signed(by: key))
    }

    /// A revocation list of this authority, in DER.
    func revocationListBytes(
        _ serialNumbers: [Int],
        from first: Int64 = Moments.first,
        to last: Int64? = Moments.last,
        extensions: [[UInt8]] = [],
        entryExtensions: [[UInt8]] = [],
        signedBy other: PrivateKey? = nil
    ) throws -> [UInt8] {
        let signer = other ?? key
        var fields = [
            DER.integer(1), try signatureAlgorithm(signer), subject, DER.time(millisecondsSince1970: first),
        ]
        if let last { fields.append(DER.time(millisecondsSince1970: last)) }
        let entries = serialNumbers.map { serialNumber in
            DER.sequence(
                [DER.integer(serialNumber), DER.time(millisecondsSince1970: Moments.first)]
                    + (entryExtensions.isEmpty ? [] : [DER.sequence(entryExtensions)])
            )
        }
        if !entries.isEmpty { fields.append(DER.sequence(entries)) }
        if !extensions.isEmpty { fields.append(DER.tagged(0, DER.sequence(extensions))) }
        let body = DER.sequence(fields)
        return DER.sequence([body, try signatureAlgorithm(signer), DER.bitString(try signer.sign(body))])
    }

    /// A revocation list of this authority.
    func revocationList(
        _ serialNumbers: [Int],
        from first: Int64 = Moments.first,
        to last: Int64? = Moments.last,
        extensions: [[UInt8]] = [],
        entryExtensions: [[UInt8]] = [],
        signedBy other: PrivateKey? = nil
    ) throws -> CertificateRevocationList {
        let der = try revocationListBytes(
            serialNumbers,
            from: first,
            to: last,
            extensions: extensions,
            entryExtensions: entryExtensions,
            signedBy: other
        )
        return try CertificateRevocationList(der: der)
    }
}

/// The error of a chain, or `nil`.
func chainError(_ body: () throws(CertificateChainError) -> CertificateChain.Path) -> CertificateChainError? {
    do throws(CertificateChainError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
