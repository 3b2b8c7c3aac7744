extension CBORDocument {
    /// An item in a document, which it keeps alive.
    public struct Item: Sendable {
        /// What an item is.
        public typealias Kind = CBOR.Kind

        let document: CBORDocument
        let start: Int
        /// The node of this item if it has one, otherwise that of the first one after it.
        let node: Int
        let head: CBORHead

        init(_ document: CBORDocument, at start: Int, node: Int) {
            self.document = document
            self.start = start
            self.node = node
            head = document.head(at: start)
        }

        var end: Int {
            if head.opensNode { return Int(document.nodes[node].end) }
            return head.majorType == 2 || head.majorType == 3 ? head.end + head.count : head.end
        }

        var nextNode: Int { head.opensNode ? Int(document.nodes[node].next) : node }

        /// What the item is.
        public var kind: Kind {
            switch head.majorType {
            case 0: .unsigned
            case 1: .negative
            case 2: .bytes
            case 3: .text
            case 4: .array
            case 5: .map
            case 6: .tag
            default: (25...27).contains(head.additionalInformation) ? .float : .simple
            }
        }

        /// Where the item stands in ``CBORDocument/bytes``.
        public var range: Range<Int> { start..<end }

        /// The bytes of the item as they were sent, for signatures and hashes.
        public var encoded: ArraySlice<UInt8> { document.bytes[range] }

        /// Whether the length of a string, an array or a map is indefinite.
        public var hasIndefiniteLength: Bool { head.majorType != 7 && head.isIndefinite }

        /// The integer, if it is one and an `Int` can hold it exactly.
        public var int: Int? {
            switch head.majorType {
            case 0: Int(exactly: head.argument)
            case 1: Int(exactly: head.argument).map { ~$0 }
            default: nil
            }
        }

        /// The integer, if it is one and not negative.
        public var uint64: UInt64? { head.majorType == 0 ? head.argument : nil }

        /// A copy of the content of a byte string, its chunks put together.
        public var byteArray: [UInt8]? {
            head.majorType == 2 ? stringContent : nil
        }

        /// The content of a text string, its chunks put together; `nil` also if it is not UTF-8.
        public var string: String? {
            guard head.majorType == 3 else { return nil }
            let content = stringContent[...]
            guard firstInvalidUTF8(in: content.span, from: 0, to: content.count) == nil else { return nil }
            return String(decoding: content, as: UTF8.self)
        }

        /// The truth value, if it is one.
        public var bool: Bool? {
            switch head.initialByte {
            case 0xf4: false
            case 0xf5: true
            default: nil
            }
        }

        /// Whether it is the simple value `null`.
        public var isNull: Bool { head.initialByte == 0xf6 }

        /// The floating-point number; an integer is none.
        public var double: Double? { kind == .float ? CBORFloat.value(of: head) : nil }

        /// The tag's number and what it stands before.
        public var tag: (number: UInt64, content: Item)? {
            guard head.majorType == 6 else { return nil }
            return (head.argument, Item(document, at: head.end, node: node + 1))
        }

        /// The item as a tree; text that is not UTF-8, which only ``CBORMode/wellFormed`` lets in, is repaired.
        public var value: CBOR { CBORTreeBuilder.tree(of: document.bytes[...], at: start) }

        /// Diagnostic notation (RFC 8949 §8), as ``CBORDocument/diagnostic`` writes it.
        public var diagnostic: String {
            let slice = document.bytes[...]
            return CBORDiagnostic.text(of: slice.span, at: start)
        }

        private var stringContent: [UInt8] {
            guard head.isIndefinite else { return Array(document.bytes[head.end..<end]) }
            let slice = document.bytes[...]
            var cursor = CBORCursor(slice.span, at: start)
            _ = cursor.next()
            return cursor.joinChunks()
        }
    }
}

extension CBORDocument.Item {
    /// The elements of an array, in order.
    public var elements: Elements? {
        head.majorType == 4 ? Elements(children: Children(of: self)) : nil
    }

    /// The pairs of a map, in the order in which they were sent.
    public var entries: Entries? {
        head.majorType == 5 ? Entries(children: Children(of: self)) : nil
    }

    /// The number of elements of an array or of pairs of a map.
    ///
    /// - Complexity: Linear if the length is indefinite.
    public var count: Int? {
        guard head.majorType == 4 || head.majorType == 5 else { return nil }
        guard head.isIndefinite else { return head.count }
        return elements.map { $0.reduce(0) { count, _ in count + 1 } }
            ?? entries.map { $0.reduce(0) { count, _ in count + 1 } }
    }

    /// The value of a text key in a map, or `nil` if this is no map or has no such key.
    ///
    /// Keys are compared byte by byte, however they are encoded. The first of several equal keys is found, which only
    /// ``CBORMode/wellFormed`` lets in.
    ///
    /// - Parameter key: The key.
    /// - Complexity: Linear in the number of pairs.
    public subscript(key: String) -> CBORDocument.Item? {
        entries?.first { $0.key.isText(key) }?.value
    }

    /// The value of an integer key in a map, or `nil` if this is no map or has no such key.
    ///
    /// - Parameter label: The key.
    /// - Complexity: Linear in the number of pairs.
    public subscript(label: Int) -> CBORDocument.Item? {
        entries?.first { $0.key.int == label }?.value
    }

    private func isText(_ key: String) -> Bool {
        guard head.majorType == 3 else { return false }
        guard head.isIndefinite else { return document.bytes[head.end..<end].elementsEqual(key.utf8) }
        return stringContent.elementsEqual(key.utf8)
    }

    /// The items inside a container, one after the other.
    struct Children: Sequence, IteratorProtocol, Sendable {
        private let document: CBORDocument
        private var start: Int
        private var node: Int
        /// The items that are left, or -1 before a "break".
        private var remaining: Int

        init(of container: CBORDocument.Item) {
            document = container.document
            let head = container.head
            start = head.end
            node = container.node + (head.opensNode ? 1 : 0)
            remaining = head.isIndefinite ? -1 : head.majorType == 5 ? head.count * 2 : head.count
        }

        mutating func next() -> CBORDocument.Item? {
            guard remaining < 0 ? document.bytes[start] != CBORHead.break : remaining > 0 else { return nil }
            if remaining > 0 { remaining -= 1 }
            let item = CBORDocument.Item(document, at: start, node: node)
            start = item.end
            node = item.nextNode
            return item
        }
    }

    /// The elements of an array; they are read as they are asked for.
    public struct Elements: Sequence, Sendable {
        let children: Children

        /// Reads them from the first one.
        public func makeIterator() -> Iterator { Iterator(children: children) }

        /// A position in an array.
        public struct Iterator: IteratorProtocol, Sendable {
            var children: Children

            /// The next element.
            public mutating func next() -> CBORDocument.Item? { children.next() }
        }
    }

    /// The pairs of a map; they are read as they are asked for.
    public struct Entries: Sequence, Sendable {
        let children: Children

        /// Reads them from the first one.
        public func makeIterator() -> Iterator { Iterator(children: children) }

        /// A position in a map.
        public struct Iterator: IteratorProtocol, Sendable {
            var children: Children

            /// The next pair.
            public mutating func next() -> (key: CBORDocument.Item, value: CBORDocument.Item)? {
                guard let key = children.next(), let value = children.next() else { return nil }
                return (key, value)
            }
        }
    }
}

extension CBORDocument.Item: CustomStringConvertible {
    /// The same as ``diagnostic``.
    public var description: String { diagnostic }
}
