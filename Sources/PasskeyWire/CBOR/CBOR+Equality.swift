extension CBOR: Hashable {
    /// Whether two items are equal as RFC 8949 §5.6.1 says.
    ///
    /// - Complexity: Linear in the size of the items, but for sorting pairs that stand in another order.
    public static func == (lhs: CBOR, rhs: CBOR) -> Bool {
        switch (lhs, rhs) {
        case (.unsigned(let lhs), .unsigned(let rhs)): lhs == rhs
        case (.negative(let lhs), .negative(let rhs)): lhs == rhs
        case (.bytes(let lhs), .bytes(let rhs)): lhs == rhs
        case (.text(let lhs), .text(let rhs)): lhs.hasSameBytes(as: rhs)
        case (.simple(let lhs), .simple(let rhs)): lhs == rhs
        case (.array, .array), (.map, .map), (.tagged, .tagged), (.float, .float): lhs.normalForm == rhs.normalForm
        default: false
        }
    }

    /// Hashes the value so that equal items hash equally.
    ///
    /// - Parameter hasher: What takes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(normalForm)
    }

    /// Bytes that are the same for equal values and for no others.
    private var normalForm: [UInt8] {
        var assembler = CBORAssembler(.normal)
        try? assembler.append(self)  // This form refuses nothing.
        return assembler.bytes
    }
}
