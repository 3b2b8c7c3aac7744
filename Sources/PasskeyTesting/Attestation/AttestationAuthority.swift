import PasskeyCrypto
import PasskeyWire

/// A vendor's certification authority: a root, intermediates, and the keys that attest.
///
/// Everything follows from a name, so that it is the same in each run; all RSA keys are one key, but for those of faults. Its certificates are
/// valid from 2020 to the end of 2049, but for those that a fault makes otherwise. It is for tests alone: whoever knows
/// the name has the keys.
public struct AttestationAuthority: Hashable, Sendable, Codable {
    /// 2020-01-01.
    static let notBefore: Int64 = 1_577_836_800_000

    /// The last second of 2049.
    static let notAfter: Int64 = 2_524_607_999_000

    /// What everything follows from.
    public let name: String

    /// What is written in place of what follows from the name.
    package var overrides: AttestationOverrides?

    /// Makes an authority.
    ///
    /// - Parameter name: What everything follows from.
    public init(name: String = "Example") {
        self.name = name
    }

    /// The certificate in DER that every chain ends in.
    ///
    /// - Returns: The root.
    /// - Throws: ``AttestationFailure`` if the cryptographic library fails.
    public func rootCertificate() throws(AttestationFailure) -> [UInt8] {
        try AttestationFailure.wrapping { () throws(CryptoError) in try root().der }
    }

    /// The root as text, for a server that wants PEM.
    ///
    /// - Returns: One block `CERTIFICATE` (RFC 7468).
    /// - Throws: ``AttestationFailure`` if the cryptographic library fails.
    public func rootPEM() throws(AttestationFailure) -> String { Self.pem([try rootCertificate()]) }

    /// The intermediates that a profile with so many of them has between its attestation certificate and the root.
    ///
    /// - Parameter count: How many: 0 to 2.
    /// - Returns: The certificates in DER, in the order of `x5c`: the one that signs attestation certificates is first.
    /// - Throws: ``AttestationFailure`` if the cryptographic library fails.
    public func intermediateCertificates(_ count: Int) throws(AttestationFailure) -> [[UInt8]] {
        try AttestationFailure.wrapping { () throws(CryptoError) in try members(count).dropFirst().map(\.der).reversed()
        }
    }

    /// Certificates as text, for a server that wants PEM.
    ///
    /// - Parameter certificates: The certificates in DER.
    /// - Returns: A block `CERTIFICATE` (RFC 7468) for each.
    public static func pem(_ certificates: [[UInt8]]) -> String {
        certificates.map { der in
            let base64 = Array(Base64.encode(der))
            let lines = stride(from: 0, to: base64.count, by: 64).map { start in
                String(base64[start..<min(start + 64, base64.count)])
            }
            return "-----BEGIN CERTIFICATE-----\n" + lines.joined(separator: "\n") + "\n-----END CERTIFICATE-----\n"
        }.joined()
    }

    /// A certificate and whoever signs with it.
    struct Member {
        var der: [UInt8]
        var issuer: CertificateIssuer
    }

    func root() throws(CryptoError) -> Member {
        try root(keyLabel: "root")
    }

    /// The root, or one of its name with another key.
    func root(keyLabel: String) throws(CryptoError) -> Member {
        let key = try key(keyLabel, .es256)
        let subject = DraftName(unit: "Root", commonName: "\(name) Attestation Root")
        var draft = try CertificateDraft(subject: subject, key: key.publicKey, serial: "\(name) \(keyLabel)")
        draft.addBasicConstraints(isCA: true)
        draft.addKeyUsage(0x06, unused: 1)
        try draft.apply(overrides?.root, issuerKey: key.publicKey)
        let issuer = CertificateIssuer(name: draft.subject, key: key)
        return Member(der: try draft.signed(by: issuer), issuer: issuer)
    }

    /// The intermediate of a level, from the root down; `change` may spoil it.
    func intermediate(
        _ level: Int,
        under parent: CertificateIssuer,
        _ change: (inout CertificateDraft) -> Void = { _ in }
    ) throws(CryptoError) -> Member {
        let key = try key("intermediate \(level)", .es256)
        let subject = DraftName(unit: "Intermediate", commonName: "\(name) Attestation CA \(level)")
        var draft = try CertificateDraft(subject: subject, key: key.publicKey, serial: "\(name) CA \(level)")
        draft.addBasicConstraints(isCA: true)
        draft.addKeyUsage(0x06, unused: 1)
        change(&draft)
        return Member(der: try draft.signed(by: parent), issuer: CertificateIssuer(name: subject, key: key))
    }

    /// The label of a key that signs what another one should have signed.
    static let otherKeyLabel = "other"

    /// The root and the intermediates under it, from the root down.
    func members(_ intermediateCount: Int) throws(CryptoError) -> [Member] {
        var member = try root()
        var members = [member]
        for level in stride(from: 1, through: min(intermediateCount, 2), by: 1) {
            member = try intermediate(level, under: member.issuer)
            members.append(member)
        }
        return members
    }

    /// A key of the authority, or of one of its devices.
    func key(_ label: String, _ algorithm: COSEAlgorithmIdentifier) throws(CryptoError) -> PrivateKey {
        if let given = overrides?.keys[label] { return try PrivateKey(pkcs8: given, algorithm: algorithm) }
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .rs1:
            return label == Self.otherKeyLabel
                ? try PrivateKey(rsa: algorithm, p: RSATestKey.otherP, q: RSATestKey.otherQ)
                : try PrivateKey(rsa: algorithm, p: RSATestKey.p, q: RSATestKey.q)
        default:
            let source = SeededRandom.source(seed: "\(name)/\(label)/\(algorithm.rawValue)")
            return try VirtualEnvironment(random: source).makeKey(algorithm)
        }
    }
}

/// What kept an attestation from being made.
public struct AttestationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What goes to the log.
    public var detail: String

    /// The detail.
    public var description: String { detail }

    static func wrapping<Value>(_ body: () throws(CryptoError) -> Value) throws(AttestationFailure) -> Value {
        do throws(CryptoError) {
            return try body()
        } catch {
            throw AttestationFailure(detail: error.detail)
        }
    }
}
