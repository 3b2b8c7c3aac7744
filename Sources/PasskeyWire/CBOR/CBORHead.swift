/// The first byte of a data item and the argument in or after it (RFC 8949 §3).
struct CBORHead {
    /// The byte that ends an indefinite-length item.
    static let `break`: UInt8 = 0xff

    let initialByte: UInt8
    /// The argument; 0 when the length is indefinite.
    let argument: UInt64
    /// The offset after the head.
    let end: Int

    var majorType: UInt8 { initialByte >> 5 }
    var additionalInformation: UInt8 { initialByte & 0x1f }

    /// Whether the length is indefinite; for major type 7 this is "break".
    var isIndefinite: Bool { additionalInformation == 31 }

    /// The argument as a count that validation has compared with the bytes that are there.
    var count: Int { Int(truncatingIfNeeded: argument) }

    /// Reads a head that may be anything.
    @inline(__always)
    init(_ bytes: Span<UInt8>, at offset: Int) throws(WireError) {
        guard offset < bytes.count else { throw WireError(.truncated, at: offset) }
        let information = bytes[offset] & 0x1f
        if information >= 24, information != 31 {
            guard information < 28 else { throw WireError(.reservedAdditionalInformation, at: offset) }
            guard 1 << Int(information - 24) < bytes.count - offset else { throw WireError(.truncated, at: offset) }
        }
        self.init(validated: bytes, at: offset)
    }

    /// Reads a head that validation has passed.
    @inline(__always)
    init(validated bytes: Span<UInt8>, at offset: Int) {
        initialByte = bytes[offset]
        let information = initialByte & 0x1f
        guard information >= 24, information < 28 else {
            argument = information < 24 ? UInt64(information) : 0
            end = offset + 1
            return
        }
        end = offset + 1 + 1 << Int(information - 24)
        var value: UInt64 = 0
        for index in offset + 1..<end { value = value << 8 | UInt64(bytes[index]) }
        argument = value
    }

    /// Whether no shorter head has this argument (RFC 8949 §4.1).
    var isShortest: Bool {
        switch additionalInformation {
        case 24: argument >= 24
        case 25: argument > 0xff
        case 26: argument > 0xffff
        case 27: argument > 0xffff_ffff
        default: true
        }
    }

    /// Whether a document keeps a node for an item with this head: its end is not to be seen from the head alone.
    var opensNode: Bool {
        switch majorType {
        case 2, 3: isIndefinite
        case 4, 5: isIndefinite || argument > 0
        case 6: true
        default: false
        }
    }

    /// Appends the shortest head of an argument.
    static func append(majorType: UInt8, _ argument: UInt64, to output: inout [UInt8]) {
        let type = majorType << 5
        switch argument {
        case 0..<24: output.append(type | UInt8(argument))
        case 24...0xff: append(type | 24, argument, 1, to: &output)
        case 0x100...0xffff: append(type | 25, argument, 2, to: &output)
        case 0x1_0000...0xffff_ffff: append(type | 26, argument, 4, to: &output)
        default: append(type | 27, argument, 8, to: &output)
        }
    }

    /// Appends an initial byte and the `count` low bytes of an argument.
    static func append(_ initialByte: UInt8, _ argument: UInt64, _ count: Int, to output: inout [UInt8]) {
        output.append(initialByte)
        for index in (0..<count).reversed() { output.append(UInt8(truncatingIfNeeded: argument >> UInt64(index * 8))) }
    }
}
