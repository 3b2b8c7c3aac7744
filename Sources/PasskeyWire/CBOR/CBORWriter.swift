/// An append-only writer of CBOR, for what must be written exactly so.
///
/// Every head is as short as it can be, and floats are the shortest that keep the value; the rest is the caller's: as
/// many items after a head as it announces, and keys in order. ``CBOR/encoded(_:)`` sees to both; check what this type
/// has made with `CBORDocument(writer.bytes, mode: .deterministic)` where it matters.
///
/// ```swift
/// var writer = CBORWriter()
/// writer.writeMapHead(1)
/// writer.writeText("fmt")
/// writer.writeText("none")
/// ```
public struct CBORWriter: Sendable {
    /// What has been written so far.
    public private(set) var bytes: [UInt8] = []

    /// A writer that has written nothing.
    public init() {}

    /// Makes room for a number of bytes.
    ///
    /// - Parameter count: The expected length of the whole output in bytes.
    public mutating func reserveCapacity(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Writes an integer from 0.
    ///
    /// - Parameter value: The integer.
    public mutating func writeUnsigned(_ value: UInt64) {
        CBORHead.append(majorType: 0, value, to: &bytes)
    }

    /// Writes the integer -1 - n.
    ///
    /// - Parameter n: The argument, so that 0 writes -1 and `.max` writes -2⁶⁴.
    public mutating func writeNegative(_ n: UInt64) {
        CBORHead.append(majorType: 1, n, to: &bytes)
    }

    /// Writes an integer.
    ///
    /// - Parameter value: Any integer.
    public mutating func writeInt(_ value: Int) {
        if value >= 0 { writeUnsigned(UInt64(value)) } else { writeNegative(UInt64(~value)) }
    }

    /// Writes a byte string.
    ///
    /// - Parameter content: Its content.
    public mutating func writeBytes(_ content: [UInt8]) {
        writeBytes(content[...])
    }

    /// Writes a byte string.
    ///
    /// - Parameter content: Its content.
    public mutating func writeBytes(_ content: ArraySlice<UInt8>) {
        CBORHead.append(majorType: 2, UInt64(content.count), to: &bytes)
        bytes.append(contentsOf: content)
    }

    /// Writes a byte string.
    ///
    /// - Parameter content: Its content.
    public mutating func writeBytes(_ content: Span<UInt8>) {
        CBORHead.append(majorType: 2, UInt64(content.count), to: &bytes)
        for index in content.indices { bytes.append(content[index]) }
    }

    /// Writes a text string.
    ///
    /// - Parameter text: Its content.
    public mutating func writeText(_ text: String) {
        CBORHead.append(majorType: 3, UInt64(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes the head of an array; that many items must follow.
    ///
    /// - Parameter count: The number of elements, not negative.
    public mutating func writeArrayHead(_ count: Int) {
        CBORHead.append(majorType: 4, UInt64(max(count, 0)), to: &bytes)
    }

    /// Writes the head of a map; that many keys, each with its value, must follow.
    ///
    /// - Parameter count: The number of pairs, not negative.
    public mutating func writeMapHead(_ count: Int) {
        CBORHead.append(majorType: 5, UInt64(max(count, 0)), to: &bytes)
    }

    /// Writes a tag number; the content must follow.
    ///
    /// - Parameter number: The number.
    public mutating func writeTag(_ number: UInt64) {
        CBORHead.append(majorType: 6, number, to: &bytes)
    }

    /// Writes a simple value.
    ///
    /// - Parameter value: 0 to 23 or 32 to 255.
    /// - Throws: `reservedSimpleValue` for 24 to 31, which have no encoding (RFC 8949 §3.3).
    public mutating func writeSimple(_ value: UInt8) throws(WireError) {
        guard !(24...31).contains(value) else { throw WireError(.reservedSimpleValue, at: bytes.count) }
        if value < 24 { bytes.append(0xe0 | value) } else { CBORHead.append(0xf8, UInt64(value), 1, to: &bytes) }
    }

    /// Writes `true` or `false`.
    ///
    /// - Parameter value: Which of them.
    public mutating func writeBool(_ value: Bool) {
        bytes.append(value ? 0xf5 : 0xf4)
    }

    /// Writes `null`.
    public mutating func writeNull() {
        bytes.append(0xf6)
    }

    /// Writes a floating-point number in 16, 32 or 64 bits, whichever is the fewest that keep its value.
    ///
    /// - Parameter value: The number; a NaN keeps its payload.
    public mutating func writeDouble(_ value: Double) {
        CBORFloat.append(value, to: &bytes)
    }

    /// Writes bytes that are already CBOR, as they are.
    ///
    /// - Parameter encoded: One or more whole items; nothing is checked.
    public mutating func writeEncoded(_ encoded: [UInt8]) {
        bytes.append(contentsOf: encoded)
    }

    /// Writes bytes that are already CBOR, as they are.
    ///
    /// - Parameter encoded: One or more whole items; nothing is checked.
    public mutating func writeEncoded(_ encoded: ArraySlice<UInt8>) {
        bytes.append(contentsOf: encoded)
    }

    /// Writes bytes that are already CBOR, as they are.
    ///
    /// - Parameter encoded: One or more whole items; nothing is checked.
    public mutating func writeEncoded(_ encoded: Span<UInt8>) {
        for index in encoded.indices { bytes.append(encoded[index]) }
    }

    /// Writes a tree in deterministic form.
    ///
    /// - Parameters:
    ///   - value: The item.
    ///   - order: The order of keys in the maps of the tree.
    /// - Throws: As ``CBOR/encoded(_:)``; nothing is written then.
    public mutating func write(_ value: CBOR, order: CBOR.KeyOrder = .deterministic) throws(WireError) {
        bytes.append(contentsOf: try value.encoded(order))
    }

    /// Begins a byte string, text string, array or map of indefinite length, which no canonical form allows.
    ///
    /// - Parameter kind: `bytes` or `text`, after which chunks must follow, or `array` or `map`.
    /// - Throws: `indefiniteLength` for any other kind.
    public mutating func beginIndefinite(_ kind: CBOR.Kind) throws(WireError) {
        switch kind {
        case .bytes: bytes.append(0x5f)
        case .text: bytes.append(0x7f)
        case .array: bytes.append(0x9f)
        case .map: bytes.append(0xbf)
        default: throw WireError(.indefiniteLength, at: bytes.count, detail: "\(kind)")
        }
    }

    /// Writes the "break" that ends what ``beginIndefinite(_:)`` has begun.
    public mutating func endIndefinite() {
        bytes.append(CBORHead.break)
    }
}
