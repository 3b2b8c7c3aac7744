/// A forward reader of one CBOR item in borrowed bytes.
///
/// The whole item is judged when the reader is made, so that nothing is ever read of an item that the mode refuses;
/// after that a read fails only because the item is of another type than the one asked for, and then consumes nothing.
/// Containers are entered and left one by one:
///
/// ```swift
/// var reader = try CBORReader(bytes, mode: .ctap2)
/// try reader.enterMap()
/// while !reader.isAtEnd {
///     switch try reader.readInt() {
///     case 1: keyType = try reader.readInt()
///     default: try reader.skip()
///     }
/// }
/// try reader.leave()
/// try reader.finish()
/// ```
public struct CBORReader: ~Escapable {
    private var cursor: CBORCursor

    /// The number of bytes of the item.
    public let count: Int

    /// A reader of bytes that are exactly one item.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item with nothing after it.
    ///   - mode: What is refused.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item, keys and values alike; at most
    ///     ``CBOR/greatestMaximumDepth``, and at most 4 in ``CBORMode/ctap2``. The mode's own limit if `nil`.
    /// - Throws: The first fault with its offset; `trailingBytes` if something follows the item.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>, mode: CBORMode = .valid, maximumDepth: Int? = nil) throws(WireError) {
        try self.init(prefixOf: bytes, mode: mode, maximumDepth: maximumDepth)
        guard count == bytes.count else { throw WireError(.trailingBytes, at: count) }
    }

    /// A reader of the one item that bytes begin with; ``count`` says how long it is.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item and anything after it, which is not looked at.
    ///   - mode: What is refused.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item; the mode's own limit if `nil`.
    /// - Throws: The first fault with its offset.
    @_lifetime(copy bytes)
    public init(prefixOf bytes: Span<UInt8>, mode: CBORMode = .valid, maximumDepth: Int? = nil) throws(WireError) {
        var scanner = CBORScanner(bytes, CBORRules(mode, maximumDepth: maximumDepth))
        try scanner.scan()
        count = scanner.offset
        cursor = CBORCursor(bytes)
    }

    /// Reads an item out of an array, from its first item to its last.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item with nothing after it.
    ///   - mode: What is refused.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item; the mode's own limit if `nil`.
    ///   - body: What reads; it must leave nothing, see ``finish()``.
    /// - Returns: What `body` returns.
    /// - Throws: The first fault with its offset, or what `body` throws.
    public static func read<Result>(
        _ bytes: [UInt8],
        mode: CBORMode = .valid,
        maximumDepth: Int? = nil,
        _ body: (inout CBORReader) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        try read(bytes[...], mode: mode, maximumDepth: maximumDepth, body)
    }

    /// Reads an item out of a slice, from its first item to its last.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item with nothing after it; the first index need not be 0.
    ///   - mode: What is refused.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item; the mode's own limit if `nil`.
    ///   - body: What reads; it must leave nothing, see ``finish()``.
    /// - Returns: What `body` returns.
    /// - Throws: The first fault with its offset from the slice's first byte, or what `body` throws.
    public static func read<Result>(
        _ bytes: ArraySlice<UInt8>,
        mode: CBORMode = .valid,
        maximumDepth: Int? = nil,
        _ body: (inout CBORReader) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        let slice = bytes
        var reader = try CBORReader(slice.span, mode: mode, maximumDepth: maximumDepth)
        let result = try body(&reader)
        try reader.finish()
        return result
    }

    /// The offset of the next item, or of the end of the container.
    public var offset: Int { cursor.offset }

    /// The number of arrays and maps that were entered and not left.
    public var depth: Int { cursor.depth }

    /// Whether nothing is left in the container that was entered last, or in the item if none is open.
    public var isAtEnd: Bool { cursor.isAtEnd }

    /// What the next item is, or `nil` at the end.
    public var kind: CBOR.Kind? {
        guard !isAtEnd else { return nil }
        switch cursor.head.majorType {
        case 0: return .unsigned
        case 1: return .negative
        case 2: return .bytes
        case 3: return .text
        case 4: return .array
        case 5: return .map
        case 6: return .tag
        default: return (25...27).contains(cursor.head.additionalInformation) ? .float : .simple
        }
    }

    /// Checks that the item was read to its end and every container left.
    ///
    /// - Throws: `trailingBytes` with the offset of what is left.
    public func finish() throws(WireError) {
        guard isAtEnd, depth == 0 else { throw WireError(.trailingBytes, at: offset, detail: "not read to the end") }
    }

    private func require(_ expected: CBOR.Kind) throws(WireError) {
        guard kind == expected else { throw mismatch("\(expected)") }
    }

    private func mismatch(_ expected: String) -> WireError {
        WireError(.wrongType, at: offset, detail: "expected \(expected), found \(kind.map { "\($0)" } ?? "the end")")
    }
}

extension CBORReader {
    /// Reads an integer from 0.
    ///
    /// - Throws: `wrongType`.
    public mutating func readUnsigned() throws(WireError) -> UInt64 {
        try require(.unsigned)
        defer { cursor.skip() }
        return cursor.head.argument
    }

    /// Reads an integer.
    ///
    /// - Throws: `wrongType`; `outOfRange` if an `Int` cannot hold it.
    public mutating func readInt() throws(WireError) -> Int {
        guard kind == .unsigned || kind == .negative else { throw mismatch("integer") }
        guard let value = Int(exactly: cursor.head.argument) else {
            throw WireError(.outOfRange, at: offset, detail: "integer")
        }
        defer { cursor.skip() }
        return cursor.head.majorType == 0 ? value : ~value
    }

    /// Reads a byte string, its chunks put together.
    ///
    /// - Throws: `wrongType`.
    public mutating func readBytes() throws(WireError) -> [UInt8] {
        try require(.bytes)
        return readString()
    }

    /// Borrows a byte string.
    ///
    /// - Throws: `wrongType`; `indefiniteLength` if it comes in chunks, which ``readBytes()`` takes.
    @_lifetime(copy self)
    public mutating func readBytesSpan() throws(WireError) -> Span<UInt8> {
        try require(.bytes)
        let head = cursor.head
        guard !head.isIndefinite else { throw WireError(.indefiniteLength, at: offset) }
        cursor.skip()
        return cursor.bytes.extracting(head.end..<head.end + head.count)
    }

    /// Reads a text string, its chunks put together.
    ///
    /// - Throws: `wrongType`; in ``CBORMode/wellFormed`` also `invalidUTF8`.
    public mutating func readText() throws(WireError) -> String {
        try require(.text)
        let start = offset
        let before = cursor
        let content = readString()[...]
        if firstInvalidUTF8(in: content.span, from: 0, to: content.count) != nil {
            cursor = before
            throw WireError(.invalidUTF8, at: start)
        }
        return String(decoding: content, as: UTF8.self)
    }

    private mutating func readString() -> [UInt8] {
        switch cursor.next() {
        case .bytes(let range)?, .text(let range)?: [UInt8](copying: cursor.bytes.extracting(range))
        default: cursor.joinChunks()
        }
    }

    /// Reads `true` or `false`.
    ///
    /// - Throws: `wrongType`.
    public mutating func readBool() throws(WireError) -> Bool {
        guard kind == .simple, let value = CBOR.simple(UInt8(truncatingIfNeeded: cursor.head.argument)).bool else {
            throw mismatch("bool")
        }
        cursor.skip()
        return value
    }

    /// Reads `null`.
    ///
    /// - Throws: `wrongType`.
    public mutating func readNull() throws(WireError) {
        guard kind == .simple, cursor.head.argument == 22 else { throw mismatch("null") }
        cursor.skip()
    }

    /// Reads a simple value, which may be one of `false` (20), `true` (21), `null` (22) and `undefined` (23).
    ///
    /// - Throws: `wrongType`.
    public mutating func readSimple() throws(WireError) -> UInt8 {
        try require(.simple)
        defer { cursor.skip() }
        return UInt8(truncatingIfNeeded: cursor.head.argument)
    }

    /// Reads a floating-point number of any width; an integer is none.
    ///
    /// - Throws: `wrongType`.
    public mutating func readDouble() throws(WireError) -> Double {
        try require(.float)
        defer { cursor.skip() }
        return CBORFloat.value(of: cursor.head)
    }

    /// Reads a tag's number; its content is the next item.
    ///
    /// - Throws: `wrongType`.
    public mutating func readTag() throws(WireError) -> UInt64 {
        try require(.tag)
        defer { _ = cursor.next() }
        return cursor.head.argument
    }

    /// Enters an array, whose elements come next.
    ///
    /// - Returns: The number of elements, or `nil` if the length is indefinite.
    /// - Throws: `wrongType`.
    @discardableResult
    public mutating func enterArray() throws(WireError) -> Int? {
        try require(.array)
        let head = cursor.head
        _ = cursor.next()
        return head.isIndefinite ? nil : head.count
    }

    /// Enters a map, whose keys and values come next in turn.
    ///
    /// - Returns: The number of pairs, or `nil` if the length is indefinite.
    /// - Throws: `wrongType`.
    @discardableResult
    public mutating func enterMap() throws(WireError) -> Int? {
        try require(.map)
        let head = cursor.head
        _ = cursor.next()
        return head.isIndefinite ? nil : head.count
    }

    /// Leaves the container that was entered last; what is left in it is passed over.
    ///
    /// - Throws: `wrongType` if none is open.
    public mutating func leave() throws(WireError) {
        guard depth > 0 else { throw WireError(.wrongType, at: offset, detail: "no open container") }
        cursor.skipToClose()
    }

    /// Passes over the next item with all that is in it.
    ///
    /// - Throws: `wrongType` at an end.
    public mutating func skip() throws(WireError) {
        guard !isAtEnd else { throw mismatch("item") }
        cursor.skip()
    }

    /// Borrows the next item as it is encoded, with all that is in it.
    ///
    /// - Throws: `wrongType` at an end.
    @_lifetime(copy self)
    public mutating func readEncoded() throws(WireError) -> Span<UInt8> {
        let start = offset
        try skip()
        return cursor.bytes.extracting(start..<offset)
    }

    /// Reads the next item as a tree; text that is not UTF-8, which only ``CBORMode/wellFormed`` lets in, is repaired.
    ///
    /// - Throws: `wrongType` at an end.
    public mutating func readValue() throws(WireError) -> CBOR {
        let encoded = try readEncoded()
        return CBORTreeBuilder.tree(of: [UInt8](copying: encoded)[...], at: 0)
    }
}
