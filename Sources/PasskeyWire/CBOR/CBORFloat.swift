/// The three widths of floating-point numbers, converted by their bits.
///
/// Hardware conversions make a signalling NaN quiet, and `Float16` is not there on every platform.
enum CBORFloat {
    /// The double with the value, or the NaN with the payload, of 16 bits (RFC 8949 Appendix D).
    static func widened(half bits: UInt64) -> Double {
        widened(bits, exponentBits: 5, significandBits: 10)
    }

    /// The double with the value, or the NaN with the payload, of 32 bits.
    static func widened(single bits: UInt64) -> Double {
        widened(bits, exponentBits: 8, significandBits: 23)
    }

    /// The number of a head of major type 7 with additional information 25, 26 or 27.
    static func value(of head: CBORHead) -> Double {
        switch head.additionalInformation {
        case 25: widened(half: head.argument)
        case 26: widened(single: head.argument)
        default: Double(bitPattern: head.argument)
        }
    }

    /// The bits of the same value, or NaN with the same payload, in 16 bits, or `nil` if there are none.
    static func half(_ value: Double) -> UInt64? {
        narrowed(value, exponentBits: 5, significandBits: 10)
    }

    /// The bits of the same value, or NaN with the same payload, in 32 bits, or `nil` if there are none.
    static func single(_ value: Double) -> UInt64? {
        narrowed(value, exponentBits: 8, significandBits: 23)
    }

    /// Whether no shorter form preserves the value or the payload (RFC 8949 §4.1).
    static func isShortest(_ head: CBORHead) -> Bool {
        switch head.additionalInformation {
        case 26: half(value(of: head)) == nil
        case 27: single(value(of: head)) == nil
        default: true
        }
    }

    /// Whether a float in shortest form has an equal of other bits (RFC 8949 §5.6.1): -0.0, and NaN with the sign set.
    static func hasEquivalent(_ head: CBORHead) -> Bool {
        let value = value(of: head)
        return value.sign == .minus && (value.isZero || value.isNaN)
    }

    /// Appends the shortest form.
    static func append(_ value: Double, to output: inout [UInt8]) {
        if let bits = half(value) {
            CBORHead.append(0xf9, bits, 2, to: &output)
        } else if let bits = single(value) {
            CBORHead.append(0xfa, bits, 4, to: &output)
        } else {
            CBORHead.append(0xfb, value.bitPattern, 8, to: &output)
        }
    }

    private static func widened(_ bits: UInt64, exponentBits: UInt64, significandBits: UInt64) -> Double {
        let greatestExponent: UInt64 = (1 << exponentBits) - 1
        let sign = bits >> (exponentBits + significandBits) & 1
        let exponent = bits >> significandBits & greatestExponent
        let significand = bits & ((1 << significandBits) - 1)
        switch exponent {
        case 0:
            // Zero or subnormal: the significand times the least power of two, which is exact in a double.
            let scale = Int(significandBits) + Int(greatestExponent / 2) - 1
            let magnitude = Double(significand) * Double(sign: .plus, exponent: -scale, significand: 1)
            return sign == 1 ? -magnitude : magnitude
        case greatestExponent:
            return Double(bitPattern: sign << 63 | 0x7ff << 52 | significand << (52 - significandBits))
        default:
            let rebiased = exponent + 1023 - greatestExponent / 2
            return Double(bitPattern: sign << 63 | rebiased << 52 | significand << (52 - significandBits))
        }
    }

    private static func narrowed(_ value: Double, exponentBits: UInt64, significandBits: UInt64) -> UInt64? {
        let bits = value.bitPattern
        let greatestExponent: Int64 = (1 << Int64(exponentBits)) - 1
        let sign = (bits >> 63) << (exponentBits + significandBits)
        let significand = bits & 0xf_ffff_ffff_ffff
        let dropped = 52 - significandBits
        let exponent = Int64(bits >> 52 & 0x7ff)
        if exponent == 0x7ff {
            guard significand & ((1 << dropped) - 1) == 0 else { return nil }
            return sign | UInt64(greatestExponent) << significandBits | significand >> dropped
        }
        if exponent == 0 { return significand == 0 ? sign : nil }  // A double's subnormals are far below both.
        let rebiased = exponent - 1023 + greatestExponent / 2
        guard rebiased < greatestExponent else { return nil }
        if rebiased >= 1 {
            guard significand & ((1 << dropped) - 1) == 0 else { return nil }
            return sign | UInt64(rebiased) << significandBits | significand >> dropped
        }
        // Subnormal in the narrow form: the leading one becomes explicit and everything moves right.
        let shift = dropped + UInt64(1 - rebiased)
        guard shift <= 52 else { return nil }
        let explicit = significand | 1 << 52
        guard explicit & ((1 << shift) - 1) == 0 else { return nil }
        return sign | explicit >> shift
    }
}
