import PasskeyCrypto
import PasskeyWire
enum PINProtocol: Int, Sendable { case one = 1, two = 2 }
enum HMACSecret {
    static func respond(to input: CBOR, credRandom: [UInt8], keyAgreementKey: PrivateKey, in environment: VirtualEnvironment) throws(CryptoError) -> [UInt8] { throw CryptoError(.unsupported, "stub") }
    static func request(salts: [[UInt8]], protocol: PINProtocol, authenticatorKey: COSEKey, in: VirtualEnvironment) throws(CryptoError) -> (input: CBOR, sharedSecret: [UInt8]) { throw CryptoError(.unsupported, "stub") }
    static func open(_ outputEnc: [UInt8], protocol: PINProtocol, sharedSecret: [UInt8]) throws(CryptoError) -> [[UInt8]] { throw CryptoError(.unsupported, "stub") }
    static func salt(_ prfInput: [UInt8]) throws(CryptoError) -> [UInt8] { try sha256([UInt8]("WebAuthn PRF".utf8) + [0] + prfInput) }
}
