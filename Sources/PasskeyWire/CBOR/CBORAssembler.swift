/// A writer that brings the pairs of each map into order when the map ends, without recursion.
struct CBORAssembler {
    /// What the output is for.
    enum Form {
        /// As it is given, even if it is no CBOR that a validator passes.
        case asGiven
        /// RFC 8949 §4.2.1.
        case deterministic
        /// CTAP 2.2 §8.
        case ctap2
        /// Bytes that are equal exactly when the values are (RFC 8949 §5.6.1): containers of indefinite length, sorted
        /// maps, 0.0 for -0.0 and no sign on NaN. At most twice as long as what it is made of.
        case normal
    }

    private struct Pair {
        let start: Int
        var valueStart: Int
        var end: Int

        /// What the pair is ordered by: in normal form pairs with equal keys, which an invalid map may have, are ordered
        /// by their values.
        func sortRange(_ form: Form) -> Range<Int> { start..<(form == .normal ? end : valueStart) }
    }

    private struct Frame {
        let isMap: Bool
        let firstPair: Int
    }

    let form: Form
    private(set) var bytes: [UInt8] = []
    private var frames: [Frame] = []
    private var pairs: [Pair] = []

    init(_ form: Form) {
        self.form = form
    }

    var depth: Int { frames.count }

    mutating func append(majorType: UInt8, _ argument: UInt64) {
        CBORHead.append(majorType: majorType, argument, to: &bytes)
    }

    mutating func append(majorType: UInt8, content: some Collection<UInt8>) {
        append(majorType: majorType, UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    mutating func append(majorType: UInt8, content: Span<UInt8>, _ range: Range<Int>) {
        append(majorType: majorType, UInt64(range.count))
        for index in range { bytes.append(content[index]) }
    }

    mutating func append(simple value: UInt8) {
        if value < 24 { bytes.append(0xe0 | value) } else { CBORHead.append(0xf8, UInt64(value), 1, to: &bytes) }
    }

    mutating func append(float value: Double) {
        let hasSign = form != .normal || !(value.isZero || value.isNaN)
        CBORFloat.append(hasSign ? value : value.magnitude, to: &bytes)
    }

    mutating func open(isMap: Bool, count: Int) {
        if form == .normal {
            bytes.append(isMap ? 0xbf : 0x9f)
        } else {
            append(majorType: isMap ? 5 : 4, UInt64(count))
        }
        frames.append(Frame(isMap: isMap, firstPair: pairs.count))
    }

    /// Says that the next item is a key.
    mutating func beginKey() {
        pairs.append(Pair(start: bytes.count, valueStart: bytes.count, end: bytes.count))
    }

    /// Says that the key is complete and its value follows.
    mutating func beginValue() {
        pairs[pairs.count - 1].valueStart = bytes.count
    }

    /// Says that the value is complete.
    mutating func endPair() {
        pairs[pairs.count - 1].end = bytes.count
    }

    /// Ends the innermost container, and sorts its pairs.
    ///
    /// - Throws: `duplicateKey`, if the form is an encoding and two keys are equal in it.
    mutating func close() throws(WireError) {
        let frame = frames.removeLast()
        if frame.isMap, form != .asGiven {
            try sortPairs(from: frame.firstPair)
        }
        pairs.removeSubrange(frame.firstPair...)
        if form == .normal { bytes.append(CBORHead.break) }
    }

    private mutating func sortPairs(from first: Int) throws(WireError) {
        let form = form
        let output = bytes[...]
        let span = output.span
        func compare(_ lhs: Pair, _ rhs: Pair, _ span: Span<UInt8>) -> Int {
            let order: CBORRules.KeyOrder = form == .ctap2 ? .ctap2 : .bytewise
            return compareEncodings(lhs.sortRange(form), rhs.sortRange(form), in: span, order)
        }
        /// Whether each pair follows the one before it, where equal ones do not matter or are refused.
        func areAscending(_ pairs: ArraySlice<Pair>, _ span: Span<UInt8>) throws(WireError) -> Bool {
            for index in pairs.indices.dropFirst() {
                let comparison = compare(pairs[index - 1], pairs[index], span)
                guard comparison != 0 || form == .normal else {
                    throw WireError(.duplicateKey, at: pairs[index].start)
                }
                guard comparison <= 0 else { return false }
            }
            return true
        }
        guard try !areAscending(pairs[first...], span) else { return }
        var sorted = Array(pairs[first...])
        sorted.sort { compare($0, $1, span) < 0 }
        _ = try areAscending(sorted[...], span)
        let start = pairs[first].start
        var reordered: [UInt8] = []
        reordered.reserveCapacity(bytes.count - start)
        for pair in sorted { reordered.append(contentsOf: output[pair.start..<pair.end]) }
        bytes.replaceSubrange(start..., with: reordered)
    }

    /// Appends the normal form of a validated item.
    mutating func appendNormalForm(of encoded: Span<UInt8>, at offset: Int) {
        var cursor = CBORCursor(encoded, at: offset)
        // For each open map the number of items so far; -1 for an array.
        var items: [Int] = []
        var isTagContent = false
        while let event = cursor.next() {
            if case .close = event {
                // The form has no duplicates to refuse, so nothing is thrown.
                try? close()
                items.removeLast()
                endItem(&items)
                continue
            }
            if !isTagContent, let count = items.last, count >= 0, count.isMultiple(of: 2) { beginKey() }
            isTagContent = false
            switch event {
            case .unsigned(let value): append(majorType: 0, value)
            case .negative(let value): append(majorType: 1, value)
            case .bytes(let range): append(majorType: 2, content: encoded, range)
            case .text(let range): append(majorType: 3, content: encoded, range)
            case .byteChunks: append(majorType: 2, content: cursor.joinChunks())
            case .textChunks: append(majorType: 3, content: cursor.joinChunks())
            case .array, .map:
                let isMap = if case .map = event { true } else { false }
                open(isMap: isMap, count: 0)
                items.append(isMap ? 0 : -1)
                continue
            case .tag(let number):
                append(majorType: 6, number)
                isTagContent = true
                continue
            case .simple(let value): append(simple: value)
            case .float(let value): append(float: value)
            case .close: break
            }
            endItem(&items)
        }
    }

    private mutating func endItem(_ items: inout [Int]) {
        guard let count = items.last, count >= 0 else { return }
        if count.isMultiple(of: 2) { beginValue() } else { endPair() }
        items[items.count - 1] = count + 1
    }
}
