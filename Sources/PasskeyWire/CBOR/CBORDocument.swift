/// A decoded CBOR item that keeps the bytes it came in, and copies none of them until asked.
///
/// It holds the bytes and, for each array, map, tag and string of chunks, one node of 8 bytes; everything else is read
/// where it stands. So it can be kept and sent between tasks, its memory is a small multiple of the input's whatever
/// the input says, and the bytes that a signature covers are at hand: see ``Item/encoded``.
///
/// ```swift
/// let object = try CBORDocument(bytes)
/// guard let format = object.root["fmt"]?.string else { … }
/// ```
public struct CBORDocument: Sendable {
    /// Exactly the bytes of the item.
    public let bytes: [UInt8]

    package let nodes: [CBORNode]

    /// The number of nodes beyond which a document is scanned twice, so that no more than is needed is reserved.
    private static let eagerNodes = 8192

    /// Reads bytes that are exactly one item.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item with nothing after it, kept without a copy.
    ///   - mode: What is refused.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item, keys and values alike; at most
    ///     ``CBOR/greatestMaximumDepth``, and at most 4 in ``CBORMode/ctap2``. The mode's own limit if `nil`.
    /// - Throws: The first fault with its offset; `trailingBytes` if something follows the item.
    public init(_ bytes: [UInt8], mode: CBORMode = .valid, maximumDepth: Int? = nil) throws(WireError) {
        let slice = bytes[...]
        let (count, nodes) = try Self.scan(slice.span, CBORRules(mode, maximumDepth: maximumDepth))
        guard count == bytes.count else { throw WireError(.trailingBytes, at: count) }
        self.bytes = bytes
        self.nodes = nodes
    }

    /// Reads bytes that are exactly one item.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item with nothing after it; the first index need not be 0.
    ///   - mode: What is refused.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item; the mode's own limit if `nil`.
    /// - Throws: The first fault with its offset from the slice's first byte.
    public init(_ bytes: ArraySlice<UInt8>, mode: CBORMode = .valid, maximumDepth: Int? = nil) throws(WireError) {
        try self.init(Array(bytes), mode: mode, maximumDepth: maximumDepth)
    }

    /// Reads borrowed bytes that are exactly one item, and keeps a copy of them.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item with nothing after it.
    ///   - mode: What is refused.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item; the mode's own limit if `nil`.
    /// - Throws: The first fault with its offset.
    public init(_ bytes: Span<UInt8>, mode: CBORMode = .valid, maximumDepth: Int? = nil) throws(WireError) {
        try self.init([UInt8](copying: bytes), mode: mode, maximumDepth: maximumDepth)
    }

    /// Reads the one item that bytes begin with, and keeps a copy of it; `self.bytes.count` says how long it is.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item and anything after it, which is not looked at.
    ///   - mode: What is refused.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item; the mode's own limit if `nil`.
    /// - Throws: The first fault with its offset from the slice's first byte.
    public init(
        prefixOf bytes: ArraySlice<UInt8>,
        mode: CBORMode = .valid,
        maximumDepth: Int? = nil
    ) throws(WireError) {
        let slice = bytes
        let (count, nodes) = try Self.scan(slice.span, CBORRules(mode, maximumDepth: maximumDepth))
        self.bytes = Array(bytes.prefix(count))
        self.nodes = nodes
    }

    /// Reads the one item that bytes begin with, and keeps a copy of it; `self.bytes.count` says how long it is.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item and anything after it, which is not looked at.
    ///   - mode: What is refused.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item; the mode's own limit if `nil`.
    /// - Throws: The first fault with its offset.
    public init(
        prefixOf bytes: [UInt8],
        mode: CBORMode = .valid,
        maximumDepth: Int? = nil
    ) throws(WireError) {
        try self.init(prefixOf: bytes[...], mode: mode, maximumDepth: maximumDepth)
    }

    private static func scan(
        _ bytes: Span<UInt8>,
        _ rules: CBORRules
    ) throws(WireError) -> (count: Int, nodes: [CBORNode]) {
        var scanner = CBORScanner(bytes, rules, nodeLimit: eagerNodes)
        try scanner.scan()
        guard scanner.nodeCount > eagerNodes else { return (scanner.offset, scanner.nodes) }
        // Nothing is left to be refused, so that the plainest rules do.
        var second = CBORScanner(bytes, CBORRules(.wellFormed, maximumDepth: .max), nodeLimit: scanner.nodeCount)
        second.reserveNodes(scanner.nodeCount)
        try second.scan()
        return (second.offset, second.nodes)
    }

    /// The item itself.
    public var root: Item { Item(self, at: 0, node: 0) }

    /// The item as a tree; text that is not UTF-8, which only ``CBORMode/wellFormed`` lets in, is repaired.
    public var value: CBOR { root.value }

    /// Diagnostic notation (RFC 8949 §8), which shows indefinite lengths as they were sent.
    ///
    /// It is Appendix A's: floats as ECMAScript writes them and always with a point, text in ASCII with `\"`, `\\` and
    /// `\uxxxx`, tags 2 and 3 over a definite byte string of more than 8 bytes without a leading zero as a decimal
    /// integer (up to 8192 bits, beyond which the bytes are shown).
    public var diagnostic: String { root.diagnostic }

    /// Whether the bytes are in the form of ``CBORMode/deterministic``; it is found out each time.
    public var isDeterministic: Bool { conforms(to: .deterministic) }

    /// Whether the bytes would be accepted in a mode; it is found out each time.
    ///
    /// - Parameter mode: Any mode, with the greatest depth that it allows.
    /// - Returns: Whether the mode refuses nothing in them.
    public func conforms(to mode: CBORMode) -> Bool {
        let slice = bytes[...]
        var scanner = CBORScanner(slice.span, CBORRules(mode, maximumDepth: .max))
        do throws(WireError) {
            try scanner.scan()
            return true
        } catch {
            return false
        }
    }

    /// The head of the item at an offset.
    func head(at offset: Int) -> CBORHead {
        let slice = bytes[...]
        return CBORHead(validated: slice.span, at: offset)
    }
}

extension CBORDocument: Equatable {
    /// Whether both are the same bytes.
    public static func == (lhs: CBORDocument, rhs: CBORDocument) -> Bool {
        lhs.bytes == rhs.bytes
    }
}

extension CBORDocument: Hashable {
    /// Hashes the bytes.
    ///
    /// - Parameter hasher: What takes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }
}

extension CBORDocument: CustomStringConvertible {
    /// The same as ``diagnostic``.
    public var description: String { diagnostic }
}
