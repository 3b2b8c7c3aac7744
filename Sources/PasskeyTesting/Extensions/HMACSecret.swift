import PasskeyCrypto
import PasskeyWire
enum HMACSecret {
    static func respond(to input: CBOR, credRandom: [UInt8], keyAgreementKey: PrivateKey, in environment: VirtualEnvironment) throws(CryptoError) -> [UInt8] { throw CryptoError(.unsupported, "stub") }
}
