import CPasskeyOpenSSL

/// A context that signs digests with one EC key, held by one caller at a time.
///
/// Making one costs an eighth of a signature on P-256. Every signature has a new nonce, from libcrypto's random source.
@safe
final class ECDSASigner: @unchecked Sendable {
    private let context: OpaquePointer
    /// The longest that a signature can be.
    private let signatureCount: Int

    /// Makes a context, which keeps a reference to the key.
    init(_ key: KeyHandle) throws(CryptoError) {
        unsafe (context, signatureCount) = try key.withKey { key throws(CryptoError) in
            let count = Int(unsafe EVP_PKEY_get_size(key))
            guard count > 0, let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
                throw .takingQueue(.failed, "EVP_PKEY_CTX_new_from_pkey")
            }
            guard unsafe EVP_PKEY_sign_init(context) == 1 else {
                let error = CryptoError.takingQueue(.failed, "EVP_PKEY_sign_init")
                unsafe EVP_PKEY_CTX_free(context)
                throw error
            }
            return unsafe (context, count)
        }
    }

    deinit { unsafe EVP_PKEY_CTX_free(context) }

    /// Signs a digest.
    ///
    /// - Parameter digest: The digest, by the hash function of the algorithm.
    /// - Returns: The signature in DER.
    /// - Throws: `CryptoError` if the library fails; the context is not to be used again then.
    func sign(_ digest: [UInt8]) throws(CryptoError) -> [UInt8] {
        try withCleanErrorQueue { () throws(CryptoError) in
            var count = signatureCount
            var signature = [UInt8](repeating: 0, count: count)
            guard
                unsafe EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1,
                count <= signature.count
            else { throw .takingQueue(.failed, "EVP_PKEY_sign") }
            signature.removeLast(signature.count - count)
            return signature
        }
    }
}
