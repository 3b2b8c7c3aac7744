import CPasskeyOpenSSL
import PasskeyWire

/// The owner of one reference to an `EVP_PKEY`, released when the last user of it is gone.
///
/// Nothing changes the key once it is made; libcrypto counts references and keeps its caches under locks of its own, so
/// that threads may share it.
@safe
final class KeyHandle: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Takes the ownership of a key.
    init(adopting key: OpaquePointer) {
        unsafe pointer = key
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Runs calls to libcrypto with the key, between two clearings of the error queue.
    @safe
    func withKey<Result: ~Copyable>(
        _ body: (OpaquePointer) throws(CryptoError) -> Result
    ) throws(CryptoError) -> Result {
        // Without this, the last reference to a key may go once the pointer is read.
        defer { extendLifetime(self) }
        return try withCleanErrorQueue { () throws(CryptoError) in unsafe try body(pointer) }
    }

    // MARK: Import

    /// A public key that is one string of octets: a point, or a raw Edwards or ML-DSA key.
    ///
    /// Of an Edwards key nothing but the length is checked here.
    static func importing(_ kind: KeyKind, octets: [UInt8]) throws(CryptoError) -> KeyHandle {
        try withCleanErrorQueue { () throws(CryptoError) in
            guard let key = unsafe passkey_key_import_public(kind.shim, octets, octets.count) else {
                throw .takingQueue(.malformedKey, "\(kind) public key")
            }
            return unsafe KeyHandle(adopting: key)
        }
    }

    /// An RSA public key.
    static func importing(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) -> KeyHandle {
        try withCleanErrorQueue { () throws(CryptoError) in
            let key = unsafe passkey_key_import_rsa(modulus, modulus.count, exponent, exponent.count)
            guard let key = unsafe key else { throw .takingQueue(.malformedKey, "RSA public key") }
            return unsafe KeyHandle(adopting: key)
        }
    }

    /// An EC key pair from its scalar.
    static func importing(_ kind: KeyKind, scalar bytes: [UInt8]) throws(CryptoError) -> KeyHandle {
        try withCleanErrorQueue { () throws(CryptoError) in
            let curve = try EllipticCurve.of(kind)
            let scalar = try curve.scalar(bytes)
            let octets = try scalar.bytes(count: curve.byteCount)
            let point = try curve.multiplyGenerator(by: scalar)
            let key = unsafe passkey_key_import_ec(kind.shim, octets, octets.count, point, point.count)
            guard let key = unsafe key else { throw .takingQueue(.failed, "\(kind) key pair") }
            return unsafe KeyHandle(adopting: key)
        }
    }

    /// An Edwards key pair from its private key, or an ML-DSA key pair from its seed.
    static func importing(_ kind: KeyKind, seed: [UInt8]) throws(CryptoError) -> KeyHandle {
        try withCleanErrorQueue { () throws(CryptoError) in
            guard let key = unsafe passkey_key_import_seed(kind.shim, seed, seed.count) else {
                throw .takingQueue(.malformedKey, "\(kind) seed of \(seed.count) bytes")
            }
            return unsafe KeyHandle(adopting: key)
        }
    }

    /// An RSA key pair from its primes.
    static func importing(primes p: [UInt8], _ q: [UInt8], exponent: [UInt8]) throws(CryptoError) -> KeyHandle {
        try withCleanErrorQueue { () throws(CryptoError) in
            let key = unsafe passkey_key_import_rsa_primes(p, p.count, q, q.count, exponent, exponent.count)
            guard let key = unsafe key else { throw .takingQueue(.malformedKey, "RSA primes") }
            return unsafe KeyHandle(adopting: key)
        }
    }

    // MARK: Generation

    /// A new key pair from libcrypto's random source.
    static func generating(_ kind: KeyKind) throws(CryptoError) -> KeyHandle {
        let generator = if let waiting = KeyGenerator.idle[kind]?.take() { waiting } else { try KeyGenerator(kind) }
        let key = try generator.generate()
        KeyGenerator.idle[kind]?.put(generator)
        return key
    }

    // MARK: Export

    /// The public half as COSE has it.
    func coseParameters(_ kind: KeyKind) throws(CryptoError) -> COSEKey.Parameters {
        try withKey { key throws(CryptoError) in
            guard let byteCount = kind.byteCount else {
                guard
                    let modulus = unsafe passkey_key_rsa_modulus(key).map(BigNumber.init(adopting:)),
                    let exponent = unsafe passkey_key_rsa_exponent(key).map(BigNumber.init(adopting:))
                else { throw .takingQueue(.failed, "EVP_PKEY_get_bn_param") }
                return try .rsa(n: modulus.bytes(), e: exponent.bytes())
            }
            var octets = [UInt8](repeating: 0, count: kind.isECDSA ? 1 + 2 * byteCount : byteCount)
            var count = 0
            guard
                unsafe passkey_key_public_octets(key, &octets, octets.count, &count) == 1,
                count == octets.count
            else { throw .takingQueue(.failed, "EVP_PKEY_get_octet_string_param") }
            guard let curve = kind.curve else { return .akp(publicKey: octets) }
            guard kind.isECDSA else { return .okp(curve, x: octets) }
            return .ec2(curve, x: Array(octets[1...byteCount]), y: Array(octets[(1 + byteCount)...]))
        }
    }

    /// The public half as a DER SubjectPublicKeyInfo.
    func subjectPublicKeyInfo() throws(CryptoError) -> [UInt8] {
        try withKey { key throws(CryptoError) in
            let count = unsafe i2d_PUBKEY(key, nil)
            guard count > 0 else { throw .takingQueue(.failed, "i2d_PUBKEY") }
            var der = [UInt8](repeating: 0, count: Int(count))
            let written = unsafe der.withUnsafeMutableBufferPointer { buffer in
                var cursor = buffer.baseAddress
                return unsafe i2d_PUBKEY(key, &cursor)
            }
            guard written == count else { throw .takingQueue(.failed, "i2d_PUBKEY") }
            return der
        }
    }
}

/// A context that generates keys of one kind, held by one caller at a time.
@safe
final class KeyGenerator: @unchecked Sendable {
    /// Where contexts wait for their next use: making one costs as much as generating the key of a fast curve.
    static let idle: [KeyKind: Pool<KeyGenerator>] = [.p256: Pool(capacity: 8)]

    private let kind: KeyKind
    private let context: OpaquePointer

    init(_ kind: KeyKind) throws(CryptoError) {
        guard let context = unsafe passkey_key_generator(kind.shim, 2048) else {
            throw .takingQueue(.unsupported, "\(kind) key generation")
        }
        self.kind = kind
        unsafe self.context = unsafe context
    }

    deinit { unsafe EVP_PKEY_CTX_free(context) }

    func generate() throws(CryptoError) -> KeyHandle {
        try withCleanErrorQueue { () throws(CryptoError) in
            var key: OpaquePointer?
            guard unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key else {
                throw .takingQueue(.failed, "\(kind) key generation")
            }
            return unsafe KeyHandle(adopting: key)
        }
    }
}
