extension CBOR {
    /// The order of the keys in an encoded map.
    public enum KeyOrder: Hashable, Sendable {
        /// RFC 8949 §4.2.1: the bytewise order of the encoded keys.
        case deterministic
        /// CTAP 2.2 §8: by major type, then by length, then by bytes.
        ///
        /// The two differ only where a key is itself an array or a map.
        case ctap2
    }

    /// Encodes the item in the one form that the order allows.
    ///
    /// Heads and floats are as short as they can be, lengths definite, keys sorted, and bignums (tags 2 and 3) have no
    /// leading zeros and are integers where these can hold them (RFC 8949 §3.4.3). The result passes the mode of the
    /// same name.
    ///
    /// - Parameter order: The order of keys; with ``KeyOrder/ctap2`` the other limits of that form hold, too.
    /// - Returns: The encoded item.
    /// - Throws: `duplicateKey`; `reservedSimpleValue` for the simple values 24 to 31; with ``KeyOrder/ctap2`` also
    ///   `tagNotAllowed` and, beyond 4 levels, `tooDeep`. The offset counts in the output.
    public func encoded(_ order: KeyOrder = .deterministic) throws(WireError) -> [UInt8] {
        var assembler = CBORAssembler(order == .ctap2 ? .ctap2 : .deterministic)
        try assembler.append(self)
        return assembler.bytes
    }

    /// The item with its pairs in their own order and every head in its shortest form.
    var encodedAsGiven: [UInt8] {
        var assembler = CBORAssembler(.asGiven)
        try? assembler.append(self)  // This form refuses nothing.
        return assembler.bytes
    }
}

extension CBORAssembler {
    private struct Cursor {
        var elements: [CBOR] = []
        var entries: [CBOR.Entry] = []
        let isMap: Bool
        /// The items that were taken, two for each pair.
        var taken = 0
    }

    /// Appends a tree, without recursion.
    mutating func append(_ root: CBOR) throws(WireError) {
        var stack: [Cursor] = []
        var item = root
        while true {
            switch item {
            case .unsigned(let value): append(majorType: 0, value)
            case .negative(let value): append(majorType: 1, value)
            case .bytes(let value): append(majorType: 2, content: value)
            case .text(let value): append(majorType: 3, content: value.utf8)
            case .array(let elements):
                try openContainer(isMap: false, elements.count)
                stack.append(Cursor(elements: elements, isMap: false))
            case .map(let entries):
                try openContainer(isMap: true, entries.count)
                stack.append(Cursor(entries: entries, isMap: true))
            case .tagged(let number, let content):
                if let integer = preferredInteger(number, content) {
                    item = integer
                    continue
                }
                guard form != .ctap2 else { throw WireError(.tagNotAllowed, at: bytes.count) }
                append(majorType: 6, number)
                item = content
                continue
            case .simple(let value):
                guard form == .asGiven || form == .normal || !(24...31).contains(value) else {
                    throw WireError(.reservedSimpleValue, at: bytes.count)
                }
                append(simple: value)
            case .float(let value): append(float: value)
            }
            guard let next = try nextItem(&stack) else { return }
            item = next
        }
    }

    private mutating func openContainer(isMap: Bool, _ count: Int) throws(WireError) {
        guard form != .ctap2 || depth < 4 else { throw WireError(.tooDeep, at: bytes.count) }
        open(isMap: isMap, count: count)
    }

    /// Ends what has ended and gives the item that follows.
    private mutating func nextItem(_ stack: inout [Cursor]) throws(WireError) -> CBOR? {
        while let top = stack.indices.last {
            let taken = stack[top].taken
            stack[top].taken += 1
            if stack[top].isMap {
                if taken > 0 { if taken.isMultiple(of: 2) { endPair() } else { beginValue() } }
                if taken / 2 < stack[top].entries.count {
                    let entry = stack[top].entries[taken / 2]
                    guard taken.isMultiple(of: 2) else { return entry.value }
                    beginKey()
                    return entry.key
                }
            } else if taken < stack[top].elements.count {
                return stack[top].elements[taken]
            }
            stack.removeLast()
            try close()
        }
        return nil
    }

    /// The preferred form of a bignum, if it is another one than that given; only encodings prefer one.
    private func preferredInteger(_ number: UInt64, _ content: CBOR) -> CBOR? {
        guard form == .deterministic || form == .ctap2, number == 2 || number == 3, case .bytes(let value) = content,
            value.count <= 8 || value[0] == 0
        else { return nil }
        return CBOR(bignum: value, isNegative: number == 3)
    }
}
