import CPasskeyOpenSSL

extension SignatureScheme {
    /// Sets the padding of a context for signing or verifying; other keys than RSA have none.
    ///
    /// The salt of PSS is as long as the digest on both sides: libcrypto's own default would take any length when it
    /// verifies.
    func configure(_ context: OpaquePointer?) throws(CryptoError) {
        guard let padding, let hash else { return }
        switch padding {
        case .pkcs1:
            guard unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1 else {
                throw .takingQueue(.failed, "EVP_PKEY_CTX_set_rsa_padding")
            }
        case .pss:
            guard
                unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1,
                unsafe try EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash.messageDigest()) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(context, CInt(hash.byteCount)) == 1
            else { throw .takingQueue(.failed, "EVP_PKEY_CTX_set_rsa_pss_saltlen") }
        }
    }
}

extension KeyHandle {
    func verify(_ signature: [UInt8], of message: [UInt8], _ scheme: SignatureScheme) throws(CryptoError) -> Bool {
        try verify(signature, of: message[...], scheme)
    }

    /// Verifies a signature over a message.
    ///
    /// - Parameters:
    ///   - signature: DER for ECDSA, raw otherwise. libcrypto refuses DER that is not the one encoding.
    ///   - message: The message itself.
    ///   - scheme: The algorithm.
    /// - Returns: Whether it is this key's.
    /// - Throws: `CryptoError` if the library fails or does not have the algorithm.
    func verify(
        _ signature: [UInt8],
        of message: ArraySlice<UInt8>,
        _ scheme: SignatureScheme
    ) throws(CryptoError) -> Bool {
        try withKey { key throws(CryptoError) in
            // RFC 8017 sections 8.1.2 and 8.2.2, step 1. libcrypto takes a PSS signature without its leading zeros.
            if scheme.padding != nil, signature.count != Int(unsafe EVP_PKEY_get_size(key)) { return false }
            let hash = unsafe try scheme.hash?.messageDigest()
            guard let context = unsafe EVP_MD_CTX_new() else { throw .takingQueue(.failed, "EVP_MD_CTX_new") }
            defer { unsafe EVP_MD_CTX_free(context) }
            var parameters: OpaquePointer?
            guard unsafe EVP_DigestVerifyInit(context, &parameters, hash, nil, key) == 1 else {
                throw .takingQueue(.unsupported, "EVP_DigestVerifyInit with \(scheme.algorithm)")
            }
            unsafe try scheme.configure(parameters)
            let result = unsafe message.withUnsafeBufferPointer { message in
                unsafe EVP_DigestVerify(context, signature, signature.count, message.baseAddress, message.count)
            }
            if result == 1 { return true }
            try CryptoError.throwIfOutOfMemory("EVP_DigestVerify")
            return false
        }
    }

    /// Signs a message.
    ///
    /// - Parameters:
    ///   - message: The message itself.
    ///   - scheme: The algorithm.
    ///   - deterministically: Whether ML-DSA takes no randomness; the others do as they always do.
    /// - Returns: The signature.
    /// - Throws: `CryptoError` if the library fails or does not have the algorithm.
    func sign(
        _ message: [UInt8],
        _ scheme: SignatureScheme,
        deterministically: Bool = false
    ) throws(CryptoError) -> [UInt8] {
        try withKey { key throws(CryptoError) in
            let hash = unsafe try scheme.hash?.messageDigest()
            guard let context = unsafe EVP_MD_CTX_new() else { throw .takingQueue(.failed, "EVP_MD_CTX_new") }
            defer { unsafe EVP_MD_CTX_free(context) }
            var parameters: OpaquePointer?
            guard unsafe EVP_DigestSignInit(context, &parameters, hash, nil, key) == 1 else {
                throw .takingQueue(.unsupported, "EVP_DigestSignInit with \(scheme.algorithm)")
            }
            unsafe try scheme.configure(parameters)
            if deterministically, scheme.kind.isMLDSA, let parameters = unsafe parameters {
                guard unsafe passkey_signature_set_deterministic(parameters) == 1 else {
                    throw .takingQueue(.failed, "deterministic ML-DSA")
                }
            }
            // What `EVP_PKEY_get_size` says is the longest that a signature can be.
            var count = unsafe Int(EVP_PKEY_get_size(key))
            guard count > 0 else { throw .takingQueue(.failed, "EVP_PKEY_get_size") }
            var signature = [UInt8](repeating: 0, count: count)
            guard
                unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
                count <= signature.count
            else { throw .takingQueue(.failed, "EVP_DigestSign") }
            signature.removeLast(signature.count - count)
            return signature
        }
    }
}
