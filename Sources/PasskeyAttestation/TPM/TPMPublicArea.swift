import PasskeyCrypto
import PasskeyWire

/// A hash function as a TPM names it (TPM 2.0 Library, Part 2, §6.3 TPM_ALG_ID).
enum TPMHash {
    static func function(_ identifier: UInt16) -> HashFunction? {
        switch identifier {
        case 0x0004: .sha1
        case 0x000b: .sha256
        case 0x000c: .sha384
        case 0x000d: .sha512
        default: nil
        }
    }
}

/// The public part of a key in a TPM (Part 2, §12.2.4 TPMT_PUBLIC).
struct TPMPublicArea {
    /// The key that the area holds.
    enum Key: Hashable {
        case rsa(bitCount: Int, modulus: [UInt8], exponent: UInt32)
        case ecc(curve: UInt16, x: [UInt8], y: [UInt8])
    }

    /// nameAlg: the hash function of the area's Name.
    let nameAlgorithm: UInt16
    let objectAttributes: UInt32
    let authPolicy: [UInt8]
    let key: Key

    /// Reads an area, with nothing after it.
    init(_ bytes: [UInt8]) throws(WireError) {
        self = try bytes.decode(TPMPublicArea.init)
    }

    private init(_ reader: inout ByteReader) throws(WireError) {
        let type = try reader.readUInt16()
        nameAlgorithm = try reader.readUInt16()
        objectAttributes = try reader.readUInt32()
        authPolicy = try reader.readSized()
        let offset = reader.offset
        switch type {
        case 0x0001:
            // TPMS_RSA_PARMS (§12.2.3.5): symmetric, scheme, keyBits, exponent; then TPM2B_PUBLIC_KEY_RSA.
            try Self.skipSymmetric(&reader)
            try Self.skipScheme(&reader)
            let bitCount = Int(try reader.readUInt16())
            let exponent = try reader.readUInt32()
            // "If zero, then the exponent is the default of 2^16 + 1."
            key = .rsa(bitCount: bitCount, modulus: try reader.readSized(), exponent: exponent == 0 ? 65_537 : exponent)
        case 0x0023:
            // TPMS_ECC_PARMS (§12.2.3.6): symmetric, scheme, curveID, kdf; then TPMS_ECC_POINT.
            try Self.skipSymmetric(&reader)
            try Self.skipScheme(&reader)
            let curve = try reader.readUInt16()
            try Self.skipKeyDerivation(&reader)
            key = .ecc(curve: curve, x: try reader.readSized(), y: try reader.readSized())
        default:
            throw WireError(.unsupportedKeyType, at: offset, detail: "TPM_ALG_ID \(type)")
        }
    }

    /// TPMT_SYM_DEF_OBJECT (§11.1.7): an algorithm and, unless it is null, key size and mode.
    private static func skipSymmetric(_ reader: inout ByteReader) throws(WireError) {
        let offset = reader.offset
        switch try reader.readUInt16() {
        case 0x0010: break
        case 0x0006, 0x0013, 0x0026: _ = try reader.readUInt32()
        case let other: throw WireError(.unsupportedAlgorithm, at: offset, detail: "symmetric TPM_ALG_ID \(other)")
        }
    }

    /// TPMT_RSA_SCHEME and TPMT_ECC_SCHEME (§11.2.4, §11.2.5): a scheme and, unless it has none, its hash.
    private static func skipScheme(_ reader: inout ByteReader) throws(WireError) {
        let offset = reader.offset
        switch try reader.readUInt16() {
        // TPM_ALG_NULL and RSAES have no details.
        case 0x0010, 0x0015: break
        // RSASSA, RSAPSS, OAEP, ECDSA, ECDH, SM2, ECSCHNORR, ECMQV: a hash.
        case 0x0014, 0x0016, 0x0017, 0x0018, 0x0019, 0x001b, 0x001c, 0x001d: _ = try reader.readUInt16()
        // ECDAA: a hash and a count.
        case 0x001a: _ = try reader.readUInt32()
        case let other: throw WireError(.unsupportedAlgorithm, at: offset, detail: "scheme TPM_ALG_ID \(other)")
        }
    }

    /// TPMT_KDF_SCHEME (§11.2.3.3): a scheme and, unless it is null, its hash.
    private static func skipKeyDerivation(_ reader: inout ByteReader) throws(WireError) {
        let offset = reader.offset
        switch try reader.readUInt16() {
        case 0x0010: break
        case 0x0007, 0x0020, 0x0021, 0x0022: _ = try reader.readUInt16()
        case let other: throw WireError(.unsupportedAlgorithm, at: offset, detail: "KDF TPM_ALG_ID \(other)")
        }
    }

    /// Whether the area holds a credential's key.
    func isKey(of parameters: COSEKey.Parameters) -> Bool {
        switch (key, parameters) {
        case (.rsa(let bitCount, let modulus, let exponent), .rsa(let n, let e)):
            let number = Self.number(n)
            return Self.number(modulus) == number && bitCount == 8 * number.count
                && Self.number(e) == Self.number((0..<4).map { UInt8(truncatingIfNeeded: exponent >> (24 - 8 * $0)) })
        case (.ecc(let curve, let x, let y), .ec2(let credentialCurve, let credentialX, let credentialY)):
            // A TPM may leave leading zeros of a coordinate out.
            return Self.curves[curve] == credentialCurve && Self.number(x) == Self.number(credentialX)
                && Self.number(y) == Self.number(credentialY)
        default:
            return false
        }
    }

    /// TPM_ECC_CURVE (§6.4).
    private static let curves: [UInt16: COSEKey.Curve] = [0x0003: .p256, 0x0004: .p384, 0x0005: .p521]

    private static func number(_ octets: [UInt8]) -> ArraySlice<UInt8> {
        octets.drop { $0 == 0 }
    }
}

extension ByteReader {
    /// Reads a TPM2B: two bytes of length, and as many bytes.
    mutating func readSized() throws(WireError) -> [UInt8] {
        try readArray(Int(readUInt16()))
    }
}
