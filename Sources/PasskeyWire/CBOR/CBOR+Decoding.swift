extension CBOR {
    /// Decodes bytes that are exactly one item.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item with nothing after it.
    ///   - mode: What is refused. In ``CBORMode/wellFormed``, too, text must be UTF-8 here, because a tree holds strings.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item, keys and values alike; at most
    ///     ``greatestMaximumDepth``, and at most 4 in ``CBORMode/ctap2``. The mode's own limit if `nil`.
    /// - Throws: The first fault with its offset.
    public init(_ bytes: [UInt8], mode: CBORMode = .valid, maximumDepth: Int? = nil) throws(WireError) {
        try self.init(bytes[...], mode: mode, maximumDepth: maximumDepth)
    }

    /// Decodes bytes that are exactly one item.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item with nothing after it; the first index need not be 0.
    ///   - mode: What is refused.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item; the mode's own limit if `nil`.
    /// - Throws: The first fault with its offset from the slice's first byte.
    public init(_ bytes: ArraySlice<UInt8>, mode: CBORMode = .valid, maximumDepth: Int? = nil) throws(WireError) {
        let slice = bytes
        var rules = CBORRules(mode, maximumDepth: maximumDepth)
        rules.checksUTF8 = true
        var scanner = CBORScanner(slice.span, rules)
        try scanner.scan()
        guard scanner.offset == slice.count else { throw WireError(.trailingBytes, at: scanner.offset) }
        self = CBORTreeBuilder.tree(of: slice, at: 0)
    }

    /// Decodes borrowed bytes that are exactly one item.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item with nothing after it.
    ///   - mode: What is refused.
    ///   - maximumDepth: How many arrays, maps and tags may enclose an item; the mode's own limit if `nil`.
    /// - Throws: The first fault with its offset.
    public init(_ bytes: Span<UInt8>, mode: CBORMode = .valid, maximumDepth: Int? = nil) throws(WireError) {
        try self.init([UInt8](copying: bytes), mode: mode, maximumDepth: maximumDepth)
    }
}

/// Makes trees of validated bytes.
enum CBORTreeBuilder {
    private struct Frame {
        enum Kind {
            case array
            case map
            case tag(UInt64)
        }

        let kind: Kind
        var elements: [CBOR] = []
        var entries: [CBOR.Entry] = []
        var key: CBOR?
    }

    /// The tree of the item at an offset from the slice's first byte; text that is not UTF-8 is repaired.
    static func tree(of source: ArraySlice<UInt8>, at offset: Int) -> CBOR {
        let base = source.startIndex
        var cursor = CBORCursor(source.span, at: offset)
        var stack: [Frame] = []
        while let event = cursor.next() {
            var item: CBOR
            switch event {
            case .unsigned(let value): item = .unsigned(value)
            case .negative(let value): item = .negative(value)
            case .bytes(let range): item = .bytes(Array(source[base + range.lowerBound..<base + range.upperBound]))
            case .text(let range):
                item = .text(
                    String(decoding: source[base + range.lowerBound..<base + range.upperBound], as: UTF8.self)
                )
            case .byteChunks: item = .bytes(cursor.joinChunks())
            case .textChunks: item = .text(String(decoding: cursor.joinChunks(), as: UTF8.self))
            case .array(let count):
                stack.append(Frame(kind: .array))
                // Validation has seen that many elements.
                stack[stack.count - 1].elements.reserveCapacity(count ?? 0)
                continue
            case .map(let count):
                stack.append(Frame(kind: .map))
                stack[stack.count - 1].entries.reserveCapacity(count ?? 0)
                continue
            case .tag(let number):
                stack.append(Frame(kind: .tag(number)))
                continue
            case .simple(let value): item = .simple(value)
            case .float(let value): item = .float(value)
            case .close:
                let frame = stack.removeLast()
                item = if case .map = frame.kind { .map(frame.entries) } else { .array(frame.elements) }
            }
            while case .tag(let number)? = stack.last?.kind {
                item = .tagged(number, item)
                stack.removeLast()
            }
            guard let top = stack.indices.last else { return item }
            if case .array = stack[top].kind {
                stack[top].elements.append(item)
            } else if let key = stack[top].key {
                stack[top].entries.append(CBOR.Entry(key, item))
                stack[top].key = nil
            } else {
                stack[top].key = item
            }
        }
        return .undefined  // Not reached: a validated item ends.
    }
}
