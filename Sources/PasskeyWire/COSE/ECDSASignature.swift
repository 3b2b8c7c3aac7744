/// An ECDSA signature, the two integers of an `ECDSA-Sig-Value` (RFC 3279 §2.2.3, WebAuthn §6.5.5).
///
/// Both are unsigned, the most significant byte first, without leading zeros. That they are less than the order of the
/// curve is for whoever verifies to check.
package struct ECDSASignature: Hashable, Sendable {
    /// The longest integer in bytes, that of P-521.
    private static let greatestCount = 66

    /// The first integer.
    package let r: [UInt8]
    /// The second integer.
    package let s: [UInt8]

    /// Takes two integers; leading zeros are dropped.
    package init(r: [UInt8], s: [UInt8]) {
        self.r = Array(r.drop { $0 == 0 })
        self.s = Array(s.drop { $0 == 0 })
    }

    /// Reads DER and nothing but DER (X.690 §8.3, §10.1).
    ///
    /// Lengths are in their shortest form, integers too, both are positive, and nothing follows.
    package init(der: [UInt8]) throws(WireError) {
        self = try der.decode(Self.init(reader:))
    }

    private init(reader: inout ByteReader) throws(WireError) {
        let count = try Self.readHeader(0x30, &reader)
        guard count <= reader.remaining else { throw WireError(.truncated, at: reader.offset) }
        let end = reader.offset + count
        r = try Self.readInteger(&reader, before: end)
        s = try Self.readInteger(&reader, before: end)
        guard reader.offset == end else { throw WireError(.trailingBytes, at: reader.offset) }
    }

    /// Reads a tag and a length of up to 255, which two integers of 67 bytes never need.
    private static func readHeader(_ tag: UInt8, _ reader: inout ByteReader) throws(WireError) -> Int {
        let start = reader.offset
        guard try reader.readUInt8() == tag else { throw WireError(.wrongType, at: start) }
        let length = try reader.readUInt8()
        switch length {
        case 0..<0x80: return Int(length)
        case 0x80: throw WireError(.indefiniteLength, at: start + 1)
        case 0x81:
            let long = try reader.readUInt8()
            guard long >= 0x80 else { throw WireError(.notShortest, at: start + 1) }
            return Int(long)
        default: throw WireError(.outOfRange, at: start + 1, detail: "length")
        }
    }

    private static func readInteger(_ reader: inout ByteReader, before end: Int) throws(WireError) -> [UInt8] {
        let start = reader.offset
        guard start < end else { throw WireError(.truncated, at: start) }
        let count = try readHeader(0x02, &reader)
        guard count <= end - reader.offset else { throw WireError(.truncated, at: start) }
        let content = try reader.readArray(count)
        guard let first = content.first else { throw WireError(.invalidLength, at: start) }
        guard first < 0x80 else { throw WireError(.outOfRange, at: start, detail: "negative") }
        guard first == 0 else { return try checked(content, at: start) }
        guard content.count > 1 else { throw WireError(.outOfRange, at: start, detail: "zero") }
        guard content[1] >= 0x80 else { throw WireError(.notMinimal, at: start) }
        return try checked(Array(content.dropFirst()), at: start)
    }

    private static func checked(_ magnitude: [UInt8], at offset: Int) throws(WireError) -> [UInt8] {
        guard magnitude.count <= greatestCount else {
            throw WireError(.outOfRange, at: offset, detail: "integer of \(magnitude.count) bytes")
        }
        return magnitude
    }

    /// The signature in DER.
    package var der: [UInt8] {
        let content = Self.integer(r) + Self.integer(s)
        return Self.header(0x30, content.count) + content
    }

    private static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        // A zero in front keeps the integer positive, and is all there is of 0.
        let content = (magnitude.first ?? 0x80) >= 0x80 ? [0] + magnitude : magnitude
        return header(0x02, content.count) + content
    }

    private static func header(_ tag: UInt8, _ count: Int) -> [UInt8] {
        var length: [UInt8] = []
        for shift in stride(from: 56, through: 0, by: -8) {
            let byte = UInt8(truncatingIfNeeded: count >> shift)
            if !length.isEmpty || byte != 0 { length.append(byte) }
        }
        return count < 0x80 ? [tag, UInt8(count)] : [tag, 0x80 | UInt8(length.count)] + length
    }
}
