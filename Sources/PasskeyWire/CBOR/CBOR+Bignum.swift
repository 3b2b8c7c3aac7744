extension CBOR {
    /// The most bytes of a bignum that is written and read in decimal.
    ///
    /// Conversion between bases takes time that grows with the square of the length, so a longer one is shown as its
    /// bytes.
    static let greatestDecimalBignum = 1024

    /// Reads an integer of any size in decimal.
    ///
    /// It becomes ``unsigned(_:)`` or ``negative(_:)`` if these can hold it, otherwise a bignum: tag 2 or 3 over the
    /// bytes of n or of -1 - n without leading zeros (RFC 8949 §3.4.3).
    ///
    /// - Parameter text: ASCII digits, with `-` before them or not; `nil` is the result for any other text, and
    ///   for an integer of more than 8192 bits.
    public init?(decimalInteger text: String) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
        // 2467 digits hold 8192 bits; zeros in front count as digits.
        guard !digits.isEmpty, digits.count <= 2467 else { return nil }
        var magnitude: [UInt32] = []  // Least significant first.
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            var carry = UInt64(digit - UInt8(ascii: "0"))
            for index in magnitude.indices {
                let product = UInt64(magnitude[index]) * 10 + carry
                magnitude[index] = UInt32(truncatingIfNeeded: product)
                carry = product >> 32
            }
            if carry > 0 { magnitude.append(UInt32(carry)) }
        }
        if isNegative {
            // -1 - n = value, so n = |value| - 1; "-0" is 0.
            guard let index = magnitude.firstIndex(where: { $0 != 0 }) else {
                self = .unsigned(0)
                return
            }
            magnitude[index] -= 1
            for lower in 0..<index { magnitude[lower] = .max }
            if magnitude.last == 0 { magnitude.removeLast() }
        }
        guard magnitude.count <= Self.greatestDecimalBignum / 4 else { return nil }
        let bytes = magnitude.reversed().flatMap { limb in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: limb >> $0) }
        }
        self.init(bignum: bytes, isNegative: isNegative)
    }

    /// The preferred form of the integer n, or of -1 - n, whose bytes are given.
    init(bignum bytes: [UInt8], isNegative: Bool) {
        let significant = bytes.drop { $0 == 0 }
        guard significant.count > 8 else {
            let value = significant.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            self = isNegative ? .negative(value) : .unsigned(value)
            return
        }
        self = .tagged(isNegative ? 3 : 2, .bytes(Array(significant)))
    }

    /// The decimal digits of n, or of -1 - n with its sign, for the bytes of n.
    static func decimalDigits(of bytes: [UInt8], isNegative: Bool) -> [UInt8] {
        var limbs: [UInt32] = []  // Most significant first.
        var limb: UInt32 = 0
        for (index, byte) in bytes.enumerated() {
            limb = limb << 8 | UInt32(byte)
            if (bytes.count - index - 1).isMultiple(of: 4) {
                limbs.append(limb)
                limb = 0
            }
        }
        if isNegative {
            var carries = true
            for index in limbs.indices.reversed() where carries {
                (limbs[index], carries) = limbs[index].addingReportingOverflow(1)
            }
            if carries { limbs.insert(1, at: 0) }
        }
        var output: [UInt8] = []  // Least significant first.
        var first = 0
        while first < limbs.count {
            var remainder: UInt64 = 0
            for index in first..<limbs.count {
                let dividend = remainder << 32 | UInt64(limbs[index])
                limbs[index] = UInt32(truncatingIfNeeded: dividend / 1_000_000_000)
                remainder = dividend % 1_000_000_000
            }
            while first < limbs.count, limbs[first] == 0 { first += 1 }
            for _ in 0..<9 where first < limbs.count || remainder > 0 {
                output.append(UInt8(ascii: "0") + UInt8(remainder % 10))
                remainder /= 10
            }
        }
        if output.isEmpty { output.append(UInt8(ascii: "0")) }
        if isNegative { output.append(UInt8(ascii: "-")) }
        return output.reversed()
    }
}
