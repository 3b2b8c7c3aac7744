/// The upper levels of a large JSON text: which values there are, and where in the text they stand.
///
/// The whole text is checked as strictly as ``JSONValue`` checks it, in one pass that makes no tree: what lies deeper
/// than the levels that are kept costs nothing but the look at it. The values that are wanted are then read one by one.
package struct JSONOutline: Sendable {
    /// The greatest number of values that are kept.
    package static let greatestCount = 1 << 20

    fileprivate struct Entry {
        /// The member's name without its quotation marks; empty for an element.
        var name = JSONCursor.StringToken(content: 0..<0)
        var value: Range<Int>
        var isObject = false
        var isArray = false
        /// The entry after this one and all that it holds.
        var next = 0
    }

    private let text: ArraySlice<UInt8>
    private let entries: [Entry]

    /// Checks a text that is exactly one JSON text, and keeps its upper levels.
    ///
    /// - Parameters:
    ///   - text: The text, which is kept and not copied.
    ///   - levels: How many levels of members and elements are kept below the text's own value.
    ///   - maximumDepth: How many arrays and objects may enclose a value; at most `JSONValue.greatestMaximumDepth`.
    /// - Throws: `WireError` for what ``JSONValue`` refuses, at the same offset, and for more values than can be kept.
    package init(_ text: ArraySlice<UInt8>, levels: Int, maximumDepth: Int = 32) throws(WireError) {
        let slice = text
        var scanner = JSONScanner(slice.span, levels: levels, maximumDepth: maximumDepth)
        try scanner.scan()
        entries = scanner.entries
        self.text = text
    }

    /// The text's own value.
    package var root: Node { Node(outline: self, index: 0) }

    /// A value of the outline.
    package struct Node: Sendable {
        fileprivate let outline: JSONOutline
        fileprivate let index: Int

        private var entry: Entry { outline.entries[index] }

        /// Where the value stands in the text.
        package var range: Range<Int> {
            let base = outline.text.startIndex
            return base + entry.value.lowerBound..<base + entry.value.upperBound
        }

        /// Whether it is an object.
        package var isObject: Bool { entry.isObject }

        /// The elements in order; `nil` if it is no array.
        ///
        /// There are none in an array below the levels that were kept.
        package var elements: [Node]? { entry.isArray ? children : nil }

        /// The members in order, with their names; `nil` if it is no object.
        ///
        /// There are none in an object below the levels that were kept.
        package var members: [(name: [UInt8], value: Node)]? {
            entry.isObject ? children.map { ($0.name, $0) } : nil
        }

        /// The value of a member; `nil` if there is none.
        package subscript(name: String) -> Node? {
            guard entry.isObject else { return nil }
            return children.first { $0.name.elementsEqual(name.utf8) }
        }

        /// Reads the value.
        package func value() throws(WireError) -> JSONValue {
            do throws(WireError) {
                return try JSONValue(json: outline.text[range], maximumDepth: JSONValue.greatestMaximumDepth)
            } catch {
                throw error.shifted(by: entry.value.lowerBound)
            }
        }

        private var children: [Node] {
            var children: [Node] = []
            var child = index + 1
            while child < entry.next {
                children.append(Node(outline: outline, index: child))
                child = outline.entries[child].next
            }
            return children
        }

        private var name: [UInt8] {
            let token = entry.name
            let slice = outline.text
            // It was unescaped before, when the text was checked.
            guard token.isEscaped, let name = try? JSONCursor(slice.span).unescaped(token) else {
                let base = slice.startIndex
                return Array(slice[base + token.content.lowerBound..<base + token.content.upperBound])
            }
            return name
        }
    }
}

/// The pass over the text, without recursion.
private struct JSONScanner: ~Escapable {
    /// An array or object that is open.
    private struct Frame {
        let isObject: Bool
        /// Its place in the outline, or -1 below the levels that are kept.
        let entry: Int
        var names: [[UInt8]] = []
        /// The same names, once there are many.
        var hashed: Set<[UInt8]> = []
    }

    /// The number of members from which names are hashed and not compared one by one.
    private static let hashedMembers = 8

    private var cursor: JSONCursor
    private let levels: Int
    private let maximumDepth: Int
    private var stack: [Frame] = []
    private var name = JSONCursor.StringToken(content: 0..<0)
    private(set) var entries: [JSONOutline.Entry] = []

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, levels: Int, maximumDepth: Int) {
        cursor = JSONCursor(bytes)
        self.levels = levels
        self.maximumDepth = min(max(maximumDepth, 0), JSONValue.greatestMaximumDepth)
    }

    mutating func scan() throws(WireError) {
        repeat {
            cursor.skipWhiteSpace()
            guard try passValue() else { continue }
            // The value ends; so may the containers around it.
            while let top = stack.indices.last {
                cursor.skipWhiteSpace()
                let character = try cursor.peek()
                let isObject = stack[top].isObject
                if character == UInt8(ascii: ",") {
                    cursor.offset += 1
                    cursor.skipWhiteSpace()
                    if isObject { try passName() }
                    break
                }
                guard character == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw cursor.error(.unexpectedCharacter)
                }
                cursor.offset += 1
                close()
            }
        } while !stack.isEmpty
        try cursor.finish()
    }

    /// Passes over a value and says so, or opens a container with something in it.
    private mutating func passValue() throws(WireError) -> Bool {
        let start = cursor.offset
        switch try cursor.peek() {
        case UInt8(ascii: "\""): _ = try cursor.passString()
        case UInt8(ascii: "{"):
            try open(isObject: true)
            guard try cursor.peek() == UInt8(ascii: "}") else {
                try passName()
                return false
            }
            cursor.offset += 1
            close()
            return true
        case UInt8(ascii: "["):
            try open(isObject: false)
            guard try cursor.peek() == UInt8(ascii: "]") else { return false }
            cursor.offset += 1
            close()
            return true
        case UInt8(ascii: "t"): try cursor.passLiteral("true")
        case UInt8(ascii: "f"): try cursor.passLiteral("false")
        case UInt8(ascii: "n"): try cursor.passLiteral("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try cursor.passNumber()
        default: throw cursor.error(.unexpectedCharacter)
        }
        let entry = try keep(start)
        if entry >= 0 { end(entry) }
        return true
    }

    private mutating func open(isObject: Bool) throws(WireError) {
        guard stack.count < maximumDepth else { throw cursor.error(.tooDeep) }
        let entry = try keep(cursor.offset)
        if entry >= 0 {
            entries[entry].isObject = isObject
            entries[entry].isArray = !isObject
        }
        stack.append(Frame(isObject: isObject, entry: entry))
        cursor.offset += 1
        cursor.skipWhiteSpace()
    }

    private mutating func close() {
        let frame = stack.removeLast()
        if frame.entry >= 0 { end(frame.entry) }
    }

    /// Takes the value that begins at an offset into the outline, if it is of a level that is kept.
    private mutating func keep(_ start: Int) throws(WireError) -> Int {
        guard stack.count <= levels else { return -1 }
        guard entries.count < JSONOutline.greatestCount else { throw cursor.error(.tooLarge) }
        entries.append(JSONOutline.Entry(value: start..<start))
        if stack.last?.isObject == true { entries[entries.count - 1].name = name }
        return entries.count - 1
    }

    private mutating func end(_ entry: Int) {
        entries[entry].value = entries[entry].value.lowerBound..<cursor.offset
        entries[entry].next = entries.count
    }

    /// Passes over a name that is new in its object, and the colon after it.
    private mutating func passName() throws(WireError) {
        let start = cursor.offset
        guard try cursor.peek() == UInt8(ascii: "\"") else { throw cursor.error(.unexpectedCharacter) }
        name = try cursor.passString()
        let unescaped = try cursor.unescaped(name)
        guard isNew(unescaped, at: stack.count - 1) else {
            throw cursor.error(.duplicateKey, at: start, detail: String(decoding: unescaped, as: UTF8.self))
        }
        try cursor.passColon()
    }

    private mutating func isNew(_ name: [UInt8], at top: Int) -> Bool {
        guard stack[top].names.count >= Self.hashedMembers else {
            if stack[top].names.contains(name) { return false }
            stack[top].names.append(name)
            return true
        }
        if stack[top].hashed.isEmpty { stack[top].hashed = Set(stack[top].names) }
        return stack[top].hashed.insert(name).inserted
    }
}
