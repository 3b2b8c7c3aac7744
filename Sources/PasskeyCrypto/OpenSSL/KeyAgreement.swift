import CPasskeyOpenSSL

extension KeyHandle {
    /// The x coordinate of the point that this key pair and a public key share.
    func sharedSecret(with peer: KeyHandle) throws(CryptoError) -> [UInt8] {
        try withKey { key throws(CryptoError) in
            try peer.withKey { peer throws(CryptoError) in
                guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
                    throw .takingQueue(.failed, "EVP_PKEY_CTX_new_from_pkey")
                }
                defer { unsafe EVP_PKEY_CTX_free(context) }
                var count = 0
                guard
                    unsafe EVP_PKEY_derive_init(context) == 1,
                    // The import of the peer has checked its point.
                    unsafe EVP_PKEY_derive_set_peer_ex(context, peer, 0) == 1,
                    unsafe EVP_PKEY_derive(context, nil, &count) == 1
                else { throw .takingQueue(.failed, "EVP_PKEY_derive") }
                var secret = [UInt8](repeating: 0, count: count)
                guard unsafe EVP_PKEY_derive(context, &secret, &count) == 1, count == secret.count else {
                    throw .takingQueue(.failed, "EVP_PKEY_derive")
                }
                return secret
            }
        }
    }
}
