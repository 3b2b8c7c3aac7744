/// The offset of the first byte that begins no well-formed UTF-8 sequence (Unicode table 3-7), or `nil`.
package func firstInvalidUTF8(in bytes: Span<UInt8>, from lower: Int, to upper: Int) -> Int? {
    var index = lower
    while index < upper {
        let lead = bytes[index]
        if lead < 0x80 {
            index += 1
            continue
        }
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xbf
        switch lead {
        case 0xc2...0xdf: length = 2
        case 0xe0: (length, second) = (3, 0xa0...0xbf)  // no overlong form
        case 0xed: (length, second) = (3, 0x80...0x9f)  // no surrogate
        case 0xe1...0xef: length = 3
        case 0xf0: (length, second) = (4, 0x90...0xbf)  // no overlong form
        case 0xf1...0xf3: length = 4
        case 0xf4: (length, second) = (4, 0x80...0x8f)  // nothing above U+10FFFF
        default: return index
        }
        guard length <= upper - index, second.contains(bytes[index + 1]) else { return index }
        for next in index + 2..<index + length where bytes[next] & 0xc0 != 0x80 { return index }
        index += length
    }
    return nil
}

extension String {
    /// Whether both have the same UTF-8 bytes.
    ///
    /// `==` calls canonically equivalent strings equal; CBOR keys and JSON names are compared byte by byte.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension Hasher {
    /// Feeds a string's UTF-8 bytes.
    ///
    /// `String` hashes what it normalises to, which costs the square of a run of combining marks: text from outside
    /// goes in like this.
    package mutating func combine(bytesOf text: String) {
        for byte in text.utf8 { combine(byte) }
        combine(0xFF as UInt8)
    }
}
