import CPasskeyOpenSSL

/// An algorithm that was fetched once, for the life of the process.
///
/// A fetch takes a lock and costs more than the digest of a short message. What it gives is immutable and counted
/// atomically, so that any thread may use it.
@safe
struct FetchedDigest: @unchecked Sendable {
    /// `nil` when the providers that are loaded do not have it.
    let pointer: OpaquePointer?

    private init(_ kind: passkey_digest_kind) {
        unsafe pointer = passkey_digest_fetch(kind)
        ERR_clear_error()
    }

    static let sha1 = FetchedDigest(.sha1)
    static let sha256 = FetchedDigest(.sha256)
    static let sha384 = FetchedDigest(.sha384)
    static let sha512 = FetchedDigest(.sha512)
}

extension HashFunction {
    /// The `EVP_MD`, which is never freed.
    func messageDigest() throws(CryptoError) -> OpaquePointer {
        let fetched =
            switch self {
            case .sha1: FetchedDigest.sha1
            case .sha256: FetchedDigest.sha256
            case .sha384: FetchedDigest.sha384
            case .sha512: FetchedDigest.sha512
            }
        guard let pointer = unsafe fetched.pointer else {
            throw CryptoError(.unsupported, "the linked libcrypto does not have \(self)")
        }
        return unsafe pointer
    }

    /// The digest of bytes.
    ///
    /// - Parameter bytes: The message.
    /// - Returns: `byteCount` bytes.
    /// - Throws: `CryptoError` if the library fails or does not have the function.
    package func digest(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        guard unsafe try EVP_Digest(bytes, bytes.count, &digest, nil, messageDigest(), nil) == 1 else {
            throw .takingQueue(.failed, "EVP_Digest")
        }
        return digest
    }

    /// The digest of a part of a larger array, which is not copied.
    ///
    /// - Parameter bytes: The message.
    /// - Returns: `byteCount` bytes.
    /// - Throws: `CryptoError` if the library fails or does not have the function.
    package func digest(_ bytes: ArraySlice<UInt8>) throws(CryptoError) -> [UInt8] {
        let function = unsafe try messageDigest()
        var digest = [UInt8](repeating: 0, count: byteCount)
        let result = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, function, nil)
        }
        guard result == 1 else { throw .takingQueue(.failed, "EVP_Digest") }
        return digest
    }

    /// The digest of several pieces, one after the other.
    ///
    /// - Parameter parts: The message in pieces.
    /// - Returns: `byteCount` bytes.
    /// - Throws: `CryptoError` if the library fails or does not have the function.
    package func digest(_ parts: [UInt8]...) throws(CryptoError) -> [UInt8] {
        let function = unsafe try messageDigest()
        guard let context = unsafe EVP_MD_CTX_new() else { throw .takingQueue(.failed, "EVP_MD_CTX_new") }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestInit_ex2(context, function, nil) == 1 else {
            throw .takingQueue(.failed, "EVP_DigestInit_ex2")
        }
        for part in parts {
            guard unsafe EVP_DigestUpdate(context, part, part.count) == 1 else {
                throw .takingQueue(.failed, "EVP_DigestUpdate")
            }
        }
        var digest = [UInt8](repeating: 0, count: byteCount)
        guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else {
            throw .takingQueue(.failed, "EVP_DigestFinal_ex")
        }
        return digest
    }
}
