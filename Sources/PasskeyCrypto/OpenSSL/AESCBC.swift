import CPasskeyOpenSSL

/// AES-256 in Cipher Block Chaining mode without padding (NIST SP 800-38A), for CTAP's PIN/UV auth protocols.
///
/// It authenticates nothing: whoever decrypts must have checked a MAC over the ciphertext before.
package enum AESCBC {
    package static let blockCount = 16

    @safe
    private struct FetchedCipher: @unchecked Sendable {
        let pointer: OpaquePointer?

        init() {
            unsafe pointer = passkey_aes_cbc_fetch()
            ERR_clear_error()
        }
    }

    private static let aes256 = FetchedCipher()

    /// Encrypts.
    ///
    /// - Parameters:
    ///   - plaintext: A multiple of 16 bytes.
    ///   - key: 32 bytes.
    ///   - initializationVector: 16 bytes.
    /// - Returns: As many bytes as the plaintext has.
    /// - Throws: `CryptoError` if a length is wrong or the library fails.
    package static func encrypt(
        _ plaintext: [UInt8],
        key: [UInt8],
        initializationVector: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try run(plaintext, key, initializationVector, encrypts: 1)
    }

    /// Decrypts.
    ///
    /// - Parameters:
    ///   - ciphertext: A multiple of 16 bytes.
    ///   - key: 32 bytes.
    ///   - initializationVector: 16 bytes.
    /// - Returns: As many bytes as the ciphertext has.
    /// - Throws: `CryptoError` if a length is wrong or the library fails.
    package static func decrypt(
        _ ciphertext: [UInt8],
        key: [UInt8],
        initializationVector: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try run(ciphertext, key, initializationVector, encrypts: 0)
    }

    private static func run(
        _ input: [UInt8],
        _ key: [UInt8],
        _ initializationVector: [UInt8],
        encrypts: CInt
    ) throws(CryptoError) -> [UInt8] {
        guard key.count == 32 else { throw CryptoError(.malformedKey, "an AES-256 key of \(key.count) bytes") }
        guard initializationVector.count == blockCount, input.count % blockCount == 0,
            let length = CInt(exactly: input.count)
        else { throw CryptoError(.unsupported, "\(input.count) bytes are not whole blocks") }
        return try withCleanErrorQueue { () throws(CryptoError) in
            guard let cipher = unsafe aes256.pointer else {
                throw CryptoError(.unsupported, "the linked libcrypto does not have AES-256-CBC")
            }
            guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .takingQueue(.failed, "EVP_CIPHER_CTX_new") }
            defer { unsafe EVP_CIPHER_CTX_free(context) }
            var output = [UInt8](repeating: 0, count: input.count)
            var rest = [UInt8](repeating: 0, count: blockCount)
            var written: CInt = 0
            guard
                unsafe EVP_CipherInit_ex2(context, cipher, key, initializationVector, encrypts, nil) == 1,
                unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1,
                unsafe EVP_CipherUpdate(context, &output, &written, input, length) == 1, written == length,
                unsafe EVP_CipherFinal_ex(context, &rest, &written) == 1, written == 0
            else { throw .takingQueue(.failed, "AES-CBC") }
            return output
        }
    }
}
