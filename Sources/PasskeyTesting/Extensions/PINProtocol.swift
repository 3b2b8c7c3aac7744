import PasskeyCrypto
import PasskeyWire

/// How platform and authenticator keep what they say of PINs and secrets to themselves (CTAP 2.2 §6.5.6, §6.5.7).
enum PINProtocol: Int, Hashable, Sendable, CaseIterable {
    /// PIN/UV auth protocol one: no initialization vector, and a MAC of 16 bytes.
    case one = 1

    /// PIN/UV auth protocol two.
    case two = 2

    /// What both sides derive from the point that they share: `kdf(Z)`, an HMAC key and an AES key, or one for both.
    struct SharedSecret: Hashable, Sendable {
        let pinProtocol: PINProtocol
        let bytes: [UInt8]

        fileprivate var macKey: [UInt8] { pinProtocol == .one ? bytes : Array(bytes.prefix(32)) }
        fileprivate var cipherKey: [UInt8] { pinProtocol == .one ? bytes : Array(bytes.suffix(32)) }
    }

    /// The shared secret of a key pair and a peer's public key: the end of `encapsulate` and of `decapsulate`.
    ///
    /// - Parameters:
    ///   - privateKey: This side's key pair, on P-256.
    ///   - peer: The other side's public key: a COSE_Key map of CTAP.
    /// - Returns: The secret.
    /// - Throws: `CryptoError` if the peer's key is not a point of P-256.
    func sharedSecret(_ privateKey: PrivateKey, peer: CBOR) throws(CryptoError) -> SharedSecret {
        // These five members and no other: "MUST contain the optional alg parameter and MUST NOT contain any other optional
        // parameters" (CTAP 2.2 §6.5.6).
        guard peer.entries?.count == 5, peer[1] == 2, peer[3] == Self.algorithm, peer[-1] == 1,
            let x = peer[-2]?.byteArray, let y = peer[-3]?.byteArray,
            let key = try? COSEKey(algorithm: .es256, .ec2(.p256, x: x, y: y))
        else { throw CryptoError(.malformedKey, "a key agreement key is a point of P-256 for the algorithm -25") }
        let z = try PublicKey(key).sharedSecret(with: privateKey)
        switch self {
        case .one: return SharedSecret(pinProtocol: self, bytes: try sha256(z))
        case .two:
            let salt = [UInt8](repeating: 0, count: 32)
            let keys = try ["CTAP2 HMAC key", "CTAP2 AES key"].map { info throws(CryptoError) in
                try HKDF.derive(.sha256, secret: z, salt: salt, info: [UInt8](info.utf8), count: 32)
            }
            return SharedSecret(pinProtocol: self, bytes: keys[0] + keys[1])
        }
    }

    /// ECDH-ES+HKDF-256, "although this is NOT the algorithm actually used" (CTAP 2.2 §6.5.6).
    private static let algorithm: CBOR = -25

    /// A key pair's public half as it travels.
    static func keyAgreement(_ key: PrivateKey) throws(CryptoError) -> CBOR {
        guard case .ec2(_, let x, let y) = key.publicKey.parameters else {
            throw CryptoError(.unsupported, "key agreement is on P-256 alone")
        }
        return [1: 2, 3: algorithm, -1: 1, -2: .bytes(x), -3: .bytes(y)]
    }
}

extension PINProtocol.SharedSecret {
    /// Encrypts whole blocks.
    func encrypt(_ plaintext: [UInt8], in environment: VirtualEnvironment) throws(CryptoError) -> [UInt8] {
        switch pinProtocol {
        case .one:
            let zero = [UInt8](repeating: 0, count: AESCBC.blockCount)
            return try AESCBC.encrypt(plaintext, key: cipherKey, initializationVector: zero)
        case .two:
            let vector = try environment.randomBytes(AESCBC.blockCount)
            return try vector + AESCBC.encrypt(plaintext, key: cipherKey, initializationVector: vector)
        }
    }

    /// Decrypts.
    func decrypt(_ ciphertext: [UInt8]) throws(CryptoError) -> [UInt8] {
        switch pinProtocol {
        case .one:
            let zero = [UInt8](repeating: 0, count: AESCBC.blockCount)
            return try AESCBC.decrypt(ciphertext, key: cipherKey, initializationVector: zero)
        case .two:
            return try AESCBC.decrypt(
                Array(ciphertext.dropFirst(AESCBC.blockCount)),
                key: cipherKey,
                initializationVector: Array(ciphertext.prefix(AESCBC.blockCount))
            )
        }
    }

    /// The MAC of a message: 16 bytes of protocol one, 32 of protocol two.
    func authenticate(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let code = try HMAC.authenticationCode(.sha256, key: macKey, message)
        return pinProtocol == .one ? Array(code.prefix(16)) : code
    }
}
