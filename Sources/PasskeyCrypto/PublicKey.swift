package import PasskeyWire

/// A credential public key that was found sound; this is the only door to one.
///
/// `COSEKey` has checked its shape. Here the mathematics is checked: a point on its curve with reduced coordinates, an
/// Edwards key that is the one encoding of a point of large order.
package struct PublicKey: Sendable {
    private enum Material: Sendable {
        /// `04 || x || y` on P-256: the verifier's contexts take it in turn.
        case p256(octets: [UInt8])
        case handle(KeyHandle)
    }

    private let scheme: SignatureScheme
    private let material: Material

    /// The algorithm that the key is for.
    package var algorithm: COSEAlgorithmIdentifier { scheme.algorithm }

    /// Checks a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - allowingSHA1: Whether the key may be for RS1. No credential may; an old TPM's attestation key may where a
    ///     policy says so.
    /// - Throws: `CryptoError` with `malformedKey` if the key is not sound, or `unsupported` if its algorithm is not
    ///   known or not in the libcrypto that is linked.
    package init(_ key: COSEKey, allowingSHA1: Bool = false) throws(CryptoError) {
        let scheme = try SignatureScheme(key.algorithm)
        guard scheme.hash != .sha1 || allowingSHA1 else {
            throw CryptoError(.unsupported, "SHA-1 signatures are not accepted")
        }
        self.scheme = scheme
        switch key.parameters {
        case .ec2(let curve, let x, let y):
            try Self.require(curve == scheme.kind.curve, key.algorithm)
            let group = try EllipticCurve.of(scheme.kind)
            let octets = try group.octets(x: x, y: y)
            if scheme.kind == .p256 {
                try group.check(octets)
                material = .p256(octets: octets)
            } else {
                // The import checks the point.
                material = .handle(try KeyHandle.importing(scheme.kind, octets: octets))
            }
        case .okp(let curve, let x):
            try Self.require(curve == scheme.kind.curve, key.algorithm)
            try EdwardsPoint.check(x, scheme.kind)
            material = .handle(try KeyHandle.importing(scheme.kind, octets: x))
        case .rsa(let n, let e):
            try Self.require(scheme.kind == .rsa, key.algorithm)
            material = .handle(try KeyHandle.importing(modulus: n, exponent: e))
        case .akp(let publicKey):
            try Self.require(scheme.kind.isMLDSA && publicKey.count == scheme.kind.byteCount, key.algorithm)
            material = .handle(try KeyHandle.importing(scheme.kind, octets: publicKey))
        }
    }

    private static func require(_ condition: Bool, _ algorithm: COSEAlgorithmIdentifier) throws(CryptoError) {
        guard condition else { throw CryptoError(.malformedKey, "the key does not fit the algorithm \(algorithm)") }
    }

    /// Whether a signature over a message is this key's.
    ///
    /// - Parameters:
    ///   - signature: In the form of WebAuthn, `#sctn-signature-attestation-types`: strict DER for ECDSA, with a high
    ///     `s` as good as a low one; raw otherwise.
    ///   - message: The message itself, not its digest.
    /// - Returns: `false` for a signature that is malformed, another key's or over another message.
    /// - Throws: `CryptoError` only if the library fails.
    package func verify(_ signature: [UInt8], of message: [UInt8]) throws(CryptoError) -> Bool {
        try verify(signature, of: message[...])
    }

    /// Whether a signature over a part of a larger array is this key's; the part is not copied.
    package func verify(_ signature: [UInt8], of message: ArraySlice<UInt8>) throws(CryptoError) -> Bool {
        guard !signature.isEmpty else { return false }
        switch material {
        case .p256(let octets):
            return try ES256Verifier.shared.verify(signature, of: message, octets: octets)
        case .handle(let handle):
            return try handle.verify(signature, of: message, scheme)
        }
    }

    /// What two P-256 key pairs have in common (ECDH, SP 800-56A §5.7.1.2), for CTAP's key agreement.
    ///
    /// - Parameter privateKey: The other side's key pair.
    /// - Returns: The x coordinate of the shared point: 32 bytes.
    /// - Throws: `CryptoError` if one of the keys is not on P-256, or the library fails.
    package func sharedSecret(with privateKey: PrivateKey) throws(CryptoError) -> [UInt8] {
        guard case .p256(let octets) = material, privateKey.scheme.kind == .p256 else {
            throw CryptoError(.unsupported, "key agreement is on P-256 alone")
        }
        return try privateKey.handle.sharedSecret(with: KeyHandle.importing(.p256, octets: octets))
    }

    /// The key as a DER SubjectPublicKeyInfo, which is what `getPublicKey()` gives in a browser.
    ///
    /// - Throws: `CryptoError` if the library fails.
    package func subjectPublicKeyInfo() throws(CryptoError) -> [UInt8] {
        switch material {
        case .p256(let octets): try KeyHandle.importing(.p256, octets: octets).subjectPublicKeyInfo()
        case .handle(let handle): try handle.subjectPublicKeyInfo()
        }
    }
}
