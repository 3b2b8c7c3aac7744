import CPasskeyOpenSSL

/// AES in Galois/Counter Mode (NIST SP 800-38D) with nonces of 12 and tags of 16 bytes.
package enum AESGCM {
    private static let nonceCount = 12
    private static let tagCount = 16

    @safe
    private struct FetchedCipher: @unchecked Sendable {
        let pointer: OpaquePointer?

        init(_ keyCount: Int) {
            unsafe pointer = passkey_aes_gcm_fetch(keyCount)
            ERR_clear_error()
        }
    }

    private static let aes128 = FetchedCipher(16)
    private static let aes256 = FetchedCipher(32)

    /// Encrypts and authenticates.
    ///
    /// A nonce must never be used twice with one key: the second message gives both away.
    ///
    /// - Parameters:
    ///   - plaintext: What to encrypt.
    ///   - key: 16 or 32 bytes.
    ///   - nonce: 12 bytes.
    ///   - additional: What is authenticated and not encrypted.
    /// - Returns: The ciphertext, which is as long as the plaintext, and the tag of 16 bytes after it.
    /// - Throws: `CryptoError` if a length is wrong or the library fails.
    package static func seal(
        _ plaintext: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        authenticating additional: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        try withCleanErrorQueue { () throws(CryptoError) in
            let cipher = unsafe try cipher(key, nonce)
            let lengths = try (text: length(plaintext), additional: length(additional))
            guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .takingQueue(.failed, "EVP_CIPHER_CTX_new") }
            defer { unsafe EVP_CIPHER_CTX_free(context) }
            var sealed = [UInt8](repeating: 0, count: plaintext.count)
            var tag = [UInt8](repeating: 0, count: tagCount)
            var written: CInt = 0
            guard
                unsafe EVP_EncryptInit_ex2(context, cipher, key, nonce, nil) == 1,
                unsafe EVP_EncryptUpdate(context, nil, &written, additional, lengths.additional) == 1,
                unsafe EVP_EncryptUpdate(context, &sealed, &written, plaintext, lengths.text) == 1,
                written == lengths.text,
                // The mode has no padding, so that nothing is written here.
                unsafe EVP_EncryptFinal_ex(context, &tag, &written) == 1,
                unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tagCount), &tag) == 1
            else { throw .takingQueue(.failed, "AES-GCM encryption") }
            return sealed + tag
        }
    }

    /// Verifies and decrypts.
    ///
    /// - Parameters:
    ///   - sealed: What `seal` gave.
    ///   - key: 16 or 32 bytes.
    ///   - nonce: 12 bytes.
    ///   - additional: What was authenticated and not encrypted.
    /// - Returns: The plaintext, all of which is authentic.
    /// - Throws: `CryptoError` with `notAuthentic` if anything was changed; another if a length is wrong or the library
    ///   fails.
    package static func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        authenticating additional: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        try withCleanErrorQueue { () throws(CryptoError) in
            let cipher = unsafe try cipher(key, nonce)
            guard sealed.count >= tagCount else { throw CryptoError(.notAuthentic, "shorter than a tag") }
            let ciphertext = Array(sealed.dropLast(tagCount))
            var tag = Array(sealed.suffix(tagCount))
            let lengths = try (text: length(ciphertext), additional: length(additional))
            guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .takingQueue(.failed, "EVP_CIPHER_CTX_new") }
            defer { unsafe EVP_CIPHER_CTX_free(context) }
            var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
            var written: CInt = 0
            guard
                unsafe EVP_DecryptInit_ex2(context, cipher, key, nonce, nil) == 1,
                unsafe EVP_DecryptUpdate(context, nil, &written, additional, lengths.additional) == 1,
                unsafe EVP_DecryptUpdate(context, &plaintext, &written, ciphertext, lengths.text) == 1,
                written == lengths.text,
                unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tagCount), &tag) == 1
            else { throw .takingQueue(.failed, "AES-GCM decryption") }
            // The mode has no padding: what is passed here is not written to.
            guard unsafe EVP_DecryptFinal_ex(context, &tag, &written) == 1 else {
                throw CryptoError(.notAuthentic, "the tag is another")
            }
            return plaintext
        }
    }

    private static func cipher(_ key: [UInt8], _ nonce: [UInt8]) throws(CryptoError) -> OpaquePointer {
        guard nonce.count == nonceCount else { throw CryptoError(.unsupported, "a nonce of \(nonce.count) bytes") }
        let fetched: FetchedCipher
        switch key.count {
        case 16: fetched = aes128
        case 32: fetched = aes256
        default: throw CryptoError(.malformedKey, "an AES key of \(key.count) bytes")
        }
        guard let cipher = unsafe fetched.pointer else {
            throw CryptoError(.unsupported, "the linked libcrypto does not have AES-GCM")
        }
        return unsafe cipher
    }

    private static func length(_ bytes: [UInt8]) throws(CryptoError) -> CInt {
        guard let length = CInt(exactly: bytes.count) else {
            throw CryptoError(.unsupported, "a message of \(bytes.count) bytes")
        }
        return length
    }
}
