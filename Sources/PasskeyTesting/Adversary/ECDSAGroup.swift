import PasskeyModel
import PasskeyWire

/// The order of a curve, and what is needed of arithmetic below it; all numbers are big-endian.
struct ECDSAGroup {
    /// The order n, without leading zeros but for P-521's own length.
    let order: [UInt8]

    init?(_ algorithm: COSEAlgorithmIdentifier) {
        // SEC 2 v2 §2.4.2 (P-256), §2.5.1 (P-384), §2.6.1 (P-521), §2.4.1 (secp256k1).
        let hex: String
        switch algorithm {
        case .es256, .esp256:
            hex = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        case .es384, .esp384:
            hex =
                "ffffffffffffffffffffffffffffffffffffffffffffffff"
                + "c7634d81f4372ddf581a0db248b0a77aecec196accc52973"
        case .es512, .esp512:
            hex =
                "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
                + "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409"
        case .es256K:
            hex = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
        default:
            return nil
        }
        guard let order = Hex.decode(hex) else { return nil }
        self.order = order
    }

    /// The number with as many bytes as the order has.
    func padded(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(order.count - number.count, 0)) + number
    }

    /// n − s.
    func minus(_ number: [UInt8]) -> [UInt8] {
        var result = order
        var borrow = 0
        for (index, digit) in padded(number).enumerated().reversed() {
            let difference = Int(order[index]) - Int(digit) - borrow
            result[index] = UInt8(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        return result
    }

    /// n + s.
    func plus(_ number: [UInt8]) -> [UInt8] {
        var result = order
        var carry = 0
        for (index, digit) in padded(number).enumerated().reversed() {
            let sum = Int(order[index]) + Int(digit) + carry
            result[index] = UInt8(truncatingIfNeeded: sum)
            carry = sum >> 8
        }
        return [UInt8(truncatingIfNeeded: carry)] + result
    }

    func isLess(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        padded(first).lexicographicallyPrecedes(padded(second))
    }

    /// The content of a DER INTEGER that is not negative.
    static func integer(_ number: [UInt8]) -> [UInt8] {
        let digits = Array(number.drop { $0 == 0 })
        guard let first = digits.first else { return [0] }
        return first < 0x80 ? digits : [0] + digits
    }

    /// A DER SEQUENCE of two INTEGERs with these contents, and whatever else is to stand in it.
    static func der(_ r: [UInt8], _ s: [UInt8], trailing: [UInt8] = []) -> [UInt8] {
        let content = element(0x02, r) + element(0x02, s) + trailing
        return element(0x30, content)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        // No signature of these curves has 256 bytes or more.
        let length = UInt8(truncatingIfNeeded: content.count)
        return (content.count < 0x80 ? [tag, length] : [tag, 0x81, length]) + content
    }
}

extension CeremonyDraft {
    /// The two numbers of the signature.
    func parsedSignature() throws(MutationError) -> ECDSASignature {
        try MutationError.wrap { () throws(WireError) in try ECDSASignature(der: signature) }
    }
}
