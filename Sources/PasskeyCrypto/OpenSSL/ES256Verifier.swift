import CPasskeyOpenSSL
import PasskeyWire

/// An `EVP_PKEY` on P-256 whose point is set anew for every verification, and the `EVP_PKEY_CTX` over it.
///
/// Building a key and a context costs a quarter of a verification; setting another point costs a fiftieth. Both are
/// changed by that, so that one caller at a time may hold them: that is what the pool is for.
@safe
final class ES256Context: @unchecked Sendable {
    private let key: OpaquePointer
    private let context: OpaquePointer

    /// Makes a pair and tries it.
    ///
    /// A context over a key of another provider would work on a copy, and go on verifying with the point that the key
    /// had first. So a signature that verifies under its own point must not verify under another one afterwards.
    ///
    /// - Throws: `CryptoError` with `unsupported` if the pair does not follow the point that is set.
    init() throws(CryptoError) {
        let sample = KnownSignature.self
        guard let key = unsafe passkey_key_import_public(.p256, sample.generator, sample.generator.count) else {
            throw .takingQueue(.failed, "P-256 key")
        }
        guard
            let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil),
            unsafe EVP_PKEY_verify_init(context) == 1
        else {
            let error = CryptoError.takingQueue(.failed, "EVP_PKEY_verify_init")
            unsafe EVP_PKEY_free(key)
            throw error
        }
        unsafe self.key = unsafe key
        unsafe self.context = unsafe context
        guard
            try verify(sample.signature, digest: sample.digest, octets: sample.octets),
            try !verify(sample.signature, digest: sample.digest, octets: sample.generator),
            try verify(sample.signature, digest: sample.digest, octets: sample.octets)
        else { throw CryptoError(.unsupported, "a context that does not follow its key") }
    }

    deinit {
        unsafe EVP_PKEY_CTX_free(context)
        unsafe EVP_PKEY_free(key)
    }

    /// Whether a signature over a digest is that of the key with a point.
    ///
    /// - Throws: `CryptoError` if the point is refused or memory ran out. The pair may be damaged then: drop it.
    func verify(_ signature: [UInt8], digest: [UInt8], octets: [UInt8]) throws(CryptoError) -> Bool {
        guard unsafe EVP_PKEY_set1_encoded_public_key(key, octets, octets.count) == 1 else {
            throw .takingQueue(.malformedKey, "EVP_PKEY_set1_encoded_public_key")
        }
        if unsafe EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1 { return true }
        try CryptoError.throwIfOutOfMemory("EVP_PKEY_verify")
        return false
    }
}

/// Verifies ES256 with contexts that are kept.
final class ES256Verifier: Sendable {
    /// The one of the process.
    static let shared = ES256Verifier(capacity: 32)

    private let idle: Pool<ES256Context>
    /// Whether this process's providers let a context follow its key.
    private let areContextsUsable: Bool

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - capacity: How many contexts may wait for their next use.
    ///   - keepingContexts: Whether contexts are kept at all, if they can be.
    init(capacity: Int, keepingContexts: Bool = true) {
        idle = Pool(capacity: capacity)
        let first =
            keepingContexts ? try? withCleanErrorQueue { () throws(CryptoError) in try ES256Context() } : nil
        areContextsUsable = first != nil
        if let first { idle.put(first) }
    }

    /// How many contexts wait.
    var idleCount: Int { idle.count }

    func verify(_ signature: [UInt8], of message: [UInt8], octets: [UInt8]) throws(CryptoError) -> Bool {
        try verify(signature, of: message[...], octets: octets)
    }

    /// Verifies a signature over a message.
    ///
    /// - Parameters:
    ///   - signature: DER; libcrypto refuses all but the one encoding, and `r` and `s` outside of `1..<n`.
    ///   - message: The message itself.
    ///   - octets: `04 || x || y`, a point that was checked.
    /// - Returns: Whether it is that of the key with the point.
    /// - Throws: `CryptoError` if the library fails.
    func verify(_ signature: [UInt8], of message: ArraySlice<UInt8>, octets: [UInt8]) throws(CryptoError) -> Bool {
        let digest = try HashFunction.sha256.digest(message)
        guard areContextsUsable else {
            let scheme = try SignatureScheme(.es256)
            return try KeyHandle.importing(.p256, octets: octets).verify(signature, of: message, scheme)
        }
        return try withCleanErrorQueue { () throws(CryptoError) in
            let context = if let waiting = idle.take() { waiting } else { try ES256Context() }
            // A context that threw is not put back.
            let isValid = try context.verify(signature, digest: digest, octets: octets)
            idle.put(context)
            return isValid
        }
    }
}

/// RFC 6979 A.2.5, P-256 and SHA-256 over "sample", and the curve's generator.
private enum KnownSignature {
    static let octets: [UInt8] = [
        0x04,
        0x60, 0xFE, 0xD4, 0xBA, 0x25, 0x5A, 0x9D, 0x31, 0xC9, 0x61, 0xEB, 0x74, 0xC6, 0x35, 0x6D, 0x68,
        0xC0, 0x49, 0xB8, 0x92, 0x3B, 0x61, 0xFA, 0x6C, 0xE6, 0x69, 0x62, 0x2E, 0x60, 0xF2, 0x9F, 0xB6,
        0x79, 0x03, 0xFE, 0x10, 0x08, 0xB8, 0xBC, 0x99, 0xA4, 0x1A, 0xE9, 0xE9, 0x56, 0x28, 0xBC, 0x64,
        0xF2, 0xF1, 0xB2, 0x0C, 0x2D, 0x7E, 0x9F, 0x51, 0x77, 0xA3, 0xC2, 0x94, 0xD4, 0x46, 0x22, 0x99,
    ]
    static let signature: [UInt8] = [
        0x30, 0x46,
        0x02, 0x21, 0x00,
        0xEF, 0xD4, 0x8B, 0x2A, 0xAC, 0xB6, 0xA8, 0xFD, 0x11, 0x40, 0xDD, 0x9C, 0xD4, 0x5E, 0x81, 0xD6,
        0x9D, 0x2C, 0x87, 0x7B, 0x56, 0xAA, 0xF9, 0x91, 0xC3, 0x4D, 0x0E, 0xA8, 0x4E, 0xAF, 0x37, 0x16,
        0x02, 0x21, 0x00,
        0xF7, 0xCB, 0x1C, 0x94, 0x2D, 0x65, 0x7C, 0x41, 0xD4, 0x36, 0xC7, 0xA1, 0xB6, 0xE2, 0x9F, 0x65,
        0xF3, 0xE9, 0x00, 0xDB, 0xB9, 0xAF, 0xF4, 0x06, 0x4D, 0xC4, 0xAB, 0x2F, 0x84, 0x3A, 0xCD, 0xA8,
    ]
    /// SHA-256 of "sample".
    static let digest: [UInt8] = [
        0xAF, 0x2B, 0xDB, 0xE1, 0xAA, 0x9B, 0x6E, 0xC1, 0xE2, 0xAD, 0xE1, 0xD6, 0x94, 0xF4, 0x1F, 0xC7,
        0x1A, 0x83, 0x1D, 0x02, 0x68, 0xE9, 0x89, 0x15, 0x62, 0x11, 0x3D, 0x8A, 0x62, 0xAD, 0xD1, 0xBF,
    ]
    static let generator: [UInt8] = [
        0x04,
        0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2,
        0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96,
        0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16,
        0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
    ]
}
