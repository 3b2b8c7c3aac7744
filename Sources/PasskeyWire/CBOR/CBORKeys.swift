/// The keys of one map, collected because their order does not tell whether two are equal.
///
/// Keys are equal if their values are (RFC 8949 §5.6.1). Where all are in regular form that is equality of bytes;
/// otherwise they are brought into normal form first. Then they are hashed, so that the time is linear in their size
/// whatever they are; Swift's hasher is seeded anew in each process, so that no sender can make them collide.
struct CBORKeys: ~Escapable {
    /// Up to so many keys are compared with each other.
    private static let pairwise = 8

    private let bytes: Span<UInt8>
    private var ranges: [Range<UInt32>] = []

    /// Collects the keys among the first items of a map.
    ///
    /// - Parameters:
    ///   - bytes: The input, validated as far as these items go.
    ///   - offset: Where the first key begins.
    ///   - items: The number of items, two for each pair; the last one may be a key.
    @_lifetime(copy bytes)
    init(in bytes: Span<UInt8>, from offset: Int, items: Int) {
        self.bytes = bytes
        var cursor = CBORCursor(bytes, at: offset, items: items)
        // Each of them was read, so that this reserves no more than a small multiple of the input.
        ranges.reserveCapacity((items + 1) / 2)
        while !cursor.isAtEnd {
            let start = cursor.offset
            cursor.skip()
            ranges.append(UInt32(truncatingIfNeeded: start)..<UInt32(truncatingIfNeeded: cursor.offset))
            if !cursor.isAtEnd { cursor.skip() }
        }
    }

    /// The offset of the first key that is equal to an earlier one.
    ///
    /// - Parameter areIrregular: Whether some key could have been written otherwise.
    /// - Returns: The offset in the input, or `nil` if all keys differ.
    func firstDuplicate(areIrregular: Bool) -> Int? {
        guard areIrregular else {
            return Self.firstRepetition(of: ranges, in: bytes).map { Int(ranges[$0].lowerBound) }
        }
        var arena = CBORAssembler(.normal)
        var normal: [Range<UInt32>] = []
        normal.reserveCapacity(ranges.count)
        for key in ranges {
            // 32 bits suffice: an input has less than 2³¹ bytes, and a normal form at most twice as many.
            let start = UInt32(truncatingIfNeeded: arena.bytes.count)
            arena.appendNormalForm(of: bytes, at: Int(key.lowerBound))
            normal.append(start..<UInt32(truncatingIfNeeded: arena.bytes.count))
        }
        let slice = arena.bytes[...]
        return Self.firstRepetition(of: normal, in: slice.span).map { Int(ranges[$0].lowerBound) }
    }

    /// The index of the first range with the same bytes as an earlier one.
    private static func firstRepetition(of ranges: [Range<UInt32>], in bytes: Span<UInt8>) -> Int? {
        guard ranges.count > pairwise else {
            return ranges.indices.first { index in
                ranges[..<index].contains { areEqual($0, ranges[index], in: bytes) }
            }
        }
        // Open addressing: at most half of the slots are taken, each by an index plus one.
        let mask = (1 << (Int.bitWidth - (ranges.count * 2 - 1).leadingZeroBitCount)) - 1
        var slots = [UInt32](repeating: 0, count: mask + 1)
        for (index, range) in ranges.enumerated() {
            var slot = hash(range, in: bytes) & mask
            while slots[slot] != 0 {
                if areEqual(ranges[Int(slots[slot]) - 1], range, in: bytes) { return index }
                slot = (slot + 1) & mask
            }
            slots[slot] = UInt32(truncatingIfNeeded: index + 1)
        }
        return nil
    }

    private static func areEqual(_ lhs: Range<UInt32>, _ rhs: Range<UInt32>, in bytes: Span<UInt8>) -> Bool {
        guard lhs.count == rhs.count else { return false }
        for index in 0..<lhs.count where bytes[Int(lhs.lowerBound) + index] != bytes[Int(rhs.lowerBound) + index] {
            return false
        }
        return true
    }

    private static func hash(_ range: Range<UInt32>, in bytes: Span<UInt8>) -> Int {
        var hasher = Hasher()
        var word: UInt64 = 0
        for index in range {
            word = word << 8 | UInt64(bytes[Int(index)])
            // Words are counted from the key's first byte, wherever that stands.
            guard (index - range.lowerBound) & 7 == 7 else { continue }
            hasher.combine(word)
            word = 0
        }
        hasher.combine(word)
        return hasher.finalize()
    }
}

/// -1, 0 or 1 as one encoded item stands before, at or after another in an order of keys.
func compareEncodings(
    _ lhs: Range<Int>,
    _ rhs: Range<Int>,
    in bytes: Span<UInt8>,
    _ order: CBORRules.KeyOrder
) -> Int {
    if order == .ctap2 {
        let types = (bytes[lhs.lowerBound] >> 5, bytes[rhs.lowerBound] >> 5)
        if types.0 != types.1 { return types.0 < types.1 ? -1 : 1 }
        if lhs.count != rhs.count { return lhs.count < rhs.count ? -1 : 1 }
    }
    // No encoding is a prefix of another, but equal ones end together.
    for index in 0..<min(lhs.count, rhs.count) {
        let pair = (bytes[lhs.lowerBound + index], bytes[rhs.lowerBound + index])
        if pair.0 != pair.1 { return pair.0 < pair.1 ? -1 : 1 }
    }
    return 0
}
