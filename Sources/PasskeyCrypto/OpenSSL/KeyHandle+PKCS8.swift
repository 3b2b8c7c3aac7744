import CPasskeyOpenSSL

extension KeyHandle {
    /// The key pair as a DER PrivateKeyInfo, unencrypted (RFC 5208).
    func pkcs8() throws(CryptoError) -> [UInt8] {
        try withKey { key throws(CryptoError) in
            guard let information = unsafe EVP_PKEY2PKCS8(key) else { throw .takingQueue(.failed, "EVP_PKEY2PKCS8") }
            defer { unsafe PKCS8_PRIV_KEY_INFO_free(information) }
            let count = unsafe i2d_PKCS8_PRIV_KEY_INFO(information, nil)
            guard count > 0 else { throw .takingQueue(.failed, "i2d_PKCS8_PRIV_KEY_INFO") }
            var der = [UInt8](repeating: 0, count: Int(count))
            let written = unsafe der.withUnsafeMutableBufferPointer { buffer in
                var cursor = buffer.baseAddress
                return unsafe i2d_PKCS8_PRIV_KEY_INFO(information, &cursor)
            }
            guard written == count else { throw .takingQueue(.failed, "i2d_PKCS8_PRIV_KEY_INFO") }
            return der
        }
    }

    /// Reads a DER PrivateKeyInfo with no bytes after it.
    ///
    /// An EC key is built anew from its scalar, so that the point is the one that belongs to it, whatever form the file
    /// has it in; a file with another point is refused.
    ///
    /// - Parameters:
    ///   - kind: What the key must be.
    ///   - der: The bytes.
    /// - Returns: The key pair.
    /// - Throws: `CryptoError` with `malformedKey` if the bytes are no such key.
    static func importing(_ kind: KeyKind, pkcs8 der: [UInt8]) throws(CryptoError) -> KeyHandle {
        let read = try withCleanErrorQueue { () throws(CryptoError) in
            let information = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
                var cursor = buffer.baseAddress
                let information = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &cursor, buffer.count)
                if unsafe information != nil, unsafe cursor == buffer.baseAddress.map({ unsafe $0 + buffer.count }) {
                    return unsafe information
                }
                unsafe PKCS8_PRIV_KEY_INFO_free(information)
                return nil
            }
            guard let information = unsafe information else { throw .takingQueue(.malformedKey, "PKCS #8") }
            defer { unsafe PKCS8_PRIV_KEY_INFO_free(information) }
            guard let key = unsafe EVP_PKCS82PKEY(information) else {
                throw .takingQueue(.malformedKey, "EVP_PKCS82PKEY")
            }
            return unsafe KeyHandle(adopting: key)
        }
        return try read.withKey { key throws(CryptoError) in
            guard unsafe passkey_key_is(key, kind.shim) == 1 else {
                throw CryptoError(.malformedKey, "the PKCS #8 key is not of the kind \(kind)")
            }
            guard kind.isECDSA else { return read }
            guard let number = unsafe passkey_key_scalar(key) else { throw .takingQueue(.malformedKey, "EC scalar") }
            let scalar = try unsafe BigNumber(adopting: number).bytes()
            let built = try importing(kind, scalar: scalar)
            return try built.withKey { own throws(CryptoError) in
                guard unsafe EVP_PKEY_eq(key, own) == 1 else {
                    throw CryptoError(.malformedKey, "the PKCS #8 key's point is not that of its scalar")
                }
                return built
            }
        }
    }
}
