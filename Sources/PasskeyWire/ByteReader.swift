/// A reader of big-endian fields from borrowed bytes.
///
/// Every read goes through one comparison with what remains, by subtraction, so that no count from the input can
/// overflow it. A read that fails consumes nothing.
package struct ByteReader: ~Escapable {
    private let bytes: Span<UInt8>

    /// The number of bytes consumed so far.
    package private(set) var offset = 0

    /// A reader at the first of the bytes.
    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
    }

    /// The number of bytes that are left.
    package var remaining: Int { bytes.count - offset }

    /// Borrows the next `count` bytes.
    @_lifetime(copy self)
    package mutating func readSpan(_ count: Int) throws(WireError) -> Span<UInt8> {
        guard count >= 0, count <= remaining else { throw WireError(.truncated, at: offset) }
        defer { offset += count }
        return bytes.extracting(offset..<offset + count)
    }

    /// Borrows all that is left.
    @_lifetime(copy self)
    package mutating func readRemaining() -> Span<UInt8> {
        defer { offset = bytes.count }
        return bytes.extracting(offset..<bytes.count)
    }

    /// Copies the next `count` bytes.
    package mutating func readArray(_ count: Int) throws(WireError) -> [UInt8] {
        let span = try readSpan(count)
        return [UInt8](copying: span)
    }

    /// Reads one byte.
    package mutating func readUInt8() throws(WireError) -> UInt8 {
        guard remaining >= 1 else { throw WireError(.truncated, at: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Reads two bytes, the most significant first.
    package mutating func readUInt16() throws(WireError) -> UInt16 {
        UInt16(truncatingIfNeeded: try readInteger(2))
    }

    /// Reads four bytes, the most significant first.
    package mutating func readUInt32() throws(WireError) -> UInt32 {
        UInt32(truncatingIfNeeded: try readInteger(4))
    }

    /// Reads eight bytes, the most significant first.
    package mutating func readUInt64() throws(WireError) -> UInt64 {
        try readInteger(8)
    }

    private mutating func readInteger(_ count: Int) throws(WireError) -> UInt64 {
        guard count <= remaining else { throw WireError(.truncated, at: offset) }
        var value: UInt64 = 0
        for index in offset..<offset + count { value = value << 8 | UInt64(bytes[index]) }
        offset += count
        return value
    }
}

extension Array where Element == UInt8 {
    /// Copies borrowed bytes.
    package init(copying span: Span<UInt8>) {
        self.init(capacity: span.count) { output in
            for index in span.indices { output.append(span[index]) }
        }
    }

    /// Runs a parser over these bytes, which must leave none.
    ///
    /// - Parameter parse: An initializer or a static method; its offsets are offsets in these bytes.
    /// - Returns: What the parser returns.
    /// - Throws: What the parser throws, or `trailingBytes`.
    package func decode<Value>(
        _ parse: (inout ByteReader) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        try self[...].decode(parse)
    }
}

extension ArraySlice where Element == UInt8 {
    /// Runs a parser over these bytes, which must leave none.
    ///
    /// - Parameter parse: An initializer or a static method; its offsets count from the slice's first byte.
    /// - Returns: What the parser returns.
    /// - Throws: What the parser throws, or `trailingBytes`.
    package func decode<Value>(
        _ parse: (inout ByteReader) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        let slice = self
        var reader = ByteReader(slice.span)
        let value = try parse(&reader)
        guard reader.remaining == 0 else { throw WireError(.trailingBytes, at: reader.offset) }
        return value
    }
}
