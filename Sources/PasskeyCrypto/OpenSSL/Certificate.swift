import CPasskeyOpenSSL
package import PasskeyWire

/// A certificate in X.509 (RFC 5280), parsed by libcrypto; the owner of one `X509`.
///
/// Parsing is as lenient as libcrypto's: real authenticators carry negative serial numbers, explicit defaults and notices
/// that a strict reader of DER refuses. Whether a certificate is good for anything is the chain's question.
@safe
package final class Certificate: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// The bytes as they came.
    package let der: [UInt8]

    /// SHA-256 of the bytes.
    package let fingerprint: [UInt8]

    /// 1, 2 or 3: the field's value and one; 0 for a value that no version has.
    package let version: Int

    /// The serial number's octets, big-endian; of a negative number those of its absolute value.
    package let serialNumber: [UInt8]

    package let subject: DistinguishedName
    package let issuer: DistinguishedName

    /// The first moment of validity in milliseconds since 1970.
    package let notBefore: Int64

    /// The last moment of validity in milliseconds since 1970; to libcrypto it is over by then.
    package let notAfter: Int64

    /// The extensions, in order.
    package let extensions: [CertificateExtension]

    /// Basic Constraints; `nil` if there are none, or some that cannot be read.
    package let basicConstraints: BasicConstraints?

    /// The kind of the subject public key; `nil` for one that no passkey has.
    package let publicKeyKind: KeyKind?

    private let key: KeyHandle?

    /// The greatest length that is parsed: what libcrypto makes of a name with many attributes is 60 times their size.
    ///
    /// Real certificates have up to 4 KiB, one with ML-DSA 10, and the longest signature of SLH-DSA 50.
    package static let greatestByteCount = 65_536

    /// Parses a certificate.
    ///
    /// - Parameter der: DER, with nothing after it.
    /// - Throws: `CryptoError` with `malformedCertificate`.
    package init(der: [UInt8]) throws(CryptoError) {
        guard der.count <= Self.greatestByteCount else {
            throw CryptoError(.malformedCertificate, "a certificate of \(der.count) bytes")
        }
        let fingerprint = try sha256(der)
        let parsed = try CertificateParts.parse(der)
        self.der = der
        self.fingerprint = fingerprint
        unsafe pointer = parsed.pointer
        version = parsed.version
        serialNumber = parsed.serialNumber
        subject = parsed.subject
        issuer = parsed.issuer
        notBefore = parsed.notBefore
        notAfter = parsed.notAfter
        extensions = parsed.extensions
        basicConstraints = parsed.basicConstraints
        key = parsed.key
        publicKeyKind = parsed.kind
    }

    deinit { unsafe X509_free(pointer) }

    /// The certificate for libcrypto; whoever uses it keeps this object alive.
    var borrowedPointer: OpaquePointer { unsafe pointer }

    // MARK: Extensions

    /// The extension with an object identifier in dotted form; `nil` if there is none.
    ///
    /// An extension that nobody asks for may stand there twice.
    ///
    /// - Parameter oid: The object identifier.
    /// - Returns: The extension.
    ///
    /// - Throws: `CryptoError` if there are two (RFC 5280 §4.2).
    package func extensionValue(_ oid: String) throws(CryptoError) -> CertificateExtension? {
        let found = extensions.filter { $0.oid.hasSameBytes(as: oid) }
        guard found.count <= 1 else {
            throw CryptoError(.malformedCertificate, "the extension \(oid) stands there \(found.count) times")
        }
        return found.first
    }

    /// The purposes of Extended Key Usage in dotted form; `nil` if there is none, or one that cannot be read.
    package var extendedKeyUsage: [String]? {
        guard let value = try? extensionValue("2.5.29.37")?.value else { return nil }
        return try? ExtensionValue.purposes(value)
    }

    /// The names of Subject Alternative Name.
    ///
    /// - Returns: None if there is no such extension.
    /// - Throws: `CryptoError` if the extension cannot be read.
    package func subjectAltNames() throws(CryptoError) -> [GeneralName] {
        guard let value = try extensionValue("2.5.29.17")?.value else { return [] }
        return try ExtensionValue.names(value)
    }

    // MARK: The key

    /// The subject public key as COSE has its parameters: checked in nothing but its kind.
    package func coseKeyParameters() throws(CryptoError) -> COSEKey.Parameters {
        guard let key, let publicKeyKind else {
            throw CryptoError(.malformedKey, "the certificate's key is of a kind that no passkey has")
        }
        return try key.coseParameters(publicKeyKind)
    }

    /// The subject public key, to verify with an algorithm.
    ///
    /// The demands are those on a credential's key: an ECDSA algorithm has its one curve, and RSA 2048 bits.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm that whoever made the signature names; the certificate does not.
    ///   - allowingSHA1: Whether it may be RS1.
    /// - Returns: The key.
    /// - Throws: `CryptoError` if the key is not sound or does not fit the algorithm.
    package func publicKey(
        _ algorithm: COSEAlgorithmIdentifier,
        allowingSHA1: Bool = false
    ) throws(CryptoError) -> PublicKey {
        let parameters = try coseKeyParameters()
        let key: COSEKey
        do throws(WireError) {
            key = try COSEKey(algorithm: algorithm, parameters)
        } catch {
            throw CryptoError(.malformedKey, error.reason)
        }
        return try PublicKey(key, allowingSHA1: allowingSHA1)
    }

    /// The subject public key as a DER SubjectPublicKeyInfo.
    package func subjectPublicKeyInfo() throws(CryptoError) -> [UInt8] {
        guard let key else { throw CryptoError(.malformedKey, "the certificate's key cannot be read") }
        return try key.subjectPublicKeyInfo()
    }

    /// SHA-1 of the subject public key's bits (RFC 5280 §4.2.1.2, method 1), by which FIDO's metadata names U2F models.
    ///
    /// A name and no proof: that SHA-1 collides does no harm.
    package func keyIdentifier() throws(CryptoError) -> [UInt8] {
        defer { extendLifetime(self) }
        let bits = unsafe ASN1Octets.copy(X509_get0_pubkey_bitstr(pointer))
        return try HashFunction.sha1.digest(bits)
    }
}
