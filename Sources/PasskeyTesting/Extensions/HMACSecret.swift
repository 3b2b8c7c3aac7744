import PasskeyCrypto
import PasskeyWire

/// The extension `hmac-secret`, and `hmac-secret-mc`, which is the same when a credential is made (CTAP 2.2 §12.7, §12.8).
enum HMACSecret {
    /// What a page's input becomes before an authenticator sees it (`#prf-extension`).
    static func salt(_ input: [UInt8]) throws(CryptoError) -> [UInt8] {
        try sha256([UInt8]("WebAuthn PRF".utf8) + [0] + input)
    }

    /// The platform's half: what is asked, for the authenticator's eyes alone.
    ///
    /// - Parameters:
    ///   - salts: One salt or two, of 32 bytes each.
    ///   - pinProtocol: The protocol.
    ///   - peer: The authenticator's key agreement key.
    ///   - environment: Where the platform's own key comes from.
    /// - Returns: The extension's input, and what opens its output.
    /// - Throws: `CryptoError` if the peer's key is none.
    static func request(
        _ salts: [[UInt8]],
        _ pinProtocol: PINProtocol,
        peer: CBOR,
        in environment: VirtualEnvironment
    ) throws(CryptoError) -> (input: CBOR, sharedSecret: PINProtocol.SharedSecret) {
        let key = try environment.makeKey(.es256)
        let secret = try pinProtocol.sharedSecret(key, peer: peer)
        let saltEnc = try secret.encrypt(salts.flatMap { $0 }, in: environment)
        let input: CBOR = [
            1: try PINProtocol.keyAgreement(key), 2: .bytes(saltEnc), 3: .bytes(try secret.authenticate(saltEnc)),
            4: CBOR(pinProtocol.rawValue),
        ]
        return (input, secret)
    }

    /// The authenticator's half: HMACs of the salts, for the platform's eyes alone.
    ///
    /// - Parameters:
    ///   - input: What `request` made.
    ///   - credRandom: The credential's secret.
    ///   - key: The authenticator's key agreement key.
    ///   - environment: Where bytes come from.
    /// - Returns: The extension's output.
    /// - Throws: `CryptoError` with `notAuthentic` if the MAC is another; another for a wrong form or length.
    static func respond(
        to input: CBOR,
        credRandom: [UInt8],
        key: PrivateKey,
        in environment: VirtualEnvironment
    ) throws(CryptoError) -> [UInt8] {
        // A platform that names no protocol means protocol one.
        guard let pinProtocol = PINProtocol(rawValue: input[4].map { $0.int ?? 0 } ?? 1), let peer = input[1],
            let saltEnc = input[2]?.byteArray, let saltAuth = input[3]?.byteArray
        else { throw CryptoError(.unsupported, "hmac-secret has another form") }
        let secret = try pinProtocol.sharedSecret(key, peer: peer)
        guard try constantTimeEquals(secret.authenticate(saltEnc), saltAuth) else {
            throw CryptoError(.notAuthentic, "saltAuth is another")
        }
        let salts = try secret.decrypt(saltEnc)
        guard salts.count == 32 || salts.count == 64 else {
            throw CryptoError(.unsupported, "salts of \(salts.count) bytes")
        }
        var outputs: [UInt8] = []
        for start in stride(from: 0, to: salts.count, by: 32) {
            outputs += try HMAC.authenticationCode(.sha256, key: credRandom, Array(salts[start..<start + 32]))
        }
        return try secret.encrypt(outputs, in: environment)
    }

    /// What the authenticator said, one value for each salt.
    static func open(
        _ output: [UInt8],
        _ secret: PINProtocol.SharedSecret
    ) throws(CryptoError) -> [[UInt8]] {
        let values = try secret.decrypt(output)
        guard values.count == 32 || values.count == 64 else {
            throw CryptoError(.unsupported, "outputs of \(values.count) bytes")
        }
        return stride(from: 0, to: values.count, by: 32).map { Array(values[$0..<$0 + 32]) }
    }
}
