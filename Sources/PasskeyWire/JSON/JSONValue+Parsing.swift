extension JSONValue {
    /// Parses bytes that are exactly one JSON text (RFC 8259), with white space around it or not.
    ///
    /// Beyond the grammar it demands UTF-8 without a byte order mark, whole surrogate pairs in escapes, and that no
    /// object has one name twice, after unescaping.
    ///
    /// - Parameters:
    ///   - json: The text in UTF-8.
    ///   - maximumDepth: How many arrays and objects may enclose a value; at most ``greatestMaximumDepth``.
    /// - Throws: The first fault with its offset; the detail names the member where it stands.
    public init(json: [UInt8], maximumDepth: Int = 32) throws(WireError) {
        try self.init(json: json[...], maximumDepth: maximumDepth)
    }

    /// Parses bytes that are exactly one JSON text (RFC 8259), with white space around it or not.
    ///
    /// - Parameters:
    ///   - json: The text in UTF-8; the first index need not be 0.
    ///   - maximumDepth: How many arrays and objects may enclose a value; at most ``greatestMaximumDepth``.
    /// - Throws: The first fault with its offset from the slice's first byte.
    public init(json: ArraySlice<UInt8>, maximumDepth: Int = 32) throws(WireError) {
        let slice = json
        var parser = JSONParser(slice, slice.span, maximumDepth: maximumDepth)
        self = try parser.parse()
    }

    /// Parses borrowed bytes that are exactly one JSON text (RFC 8259), with white space around it or not.
    ///
    /// - Parameters:
    ///   - json: The text in UTF-8.
    ///   - maximumDepth: How many arrays and objects may enclose a value; at most ``greatestMaximumDepth``.
    /// - Throws: The first fault with its offset.
    public init(json: Span<UInt8>, maximumDepth: Int = 32) throws(WireError) {
        try self.init(json: [UInt8](copying: json), maximumDepth: maximumDepth)
    }

    /// Parses a string that is exactly one JSON text (RFC 8259), with white space around it or not.
    ///
    /// - Parameters:
    ///   - json: The text.
    ///   - maximumDepth: How many arrays and objects may enclose a value; at most ``greatestMaximumDepth``.
    /// - Throws: The first fault with its offset in the string's UTF-8.
    public init(json: String, maximumDepth: Int = 32) throws(WireError) {
        try self.init(json: [UInt8](json.utf8), maximumDepth: maximumDepth)
    }
}

/// A strict parser without recursion.
struct JSONParser: ~Escapable {
    /// An array or object that is open.
    private struct Frame {
        let isObject: Bool
        var elements: [JSONValue] = []
        var members: [JSONObject.Member] = []
        /// The name whose value comes next.
        var name = ""
        /// The names so far, once there are many.
        var names: Set<ExactName> = []
    }

    /// The number of members from which names are hashed and not compared one by one.
    private static let hashedMembers = 8

    private let source: ArraySlice<UInt8>
    private var cursor: JSONCursor
    private let maximumDepth: Int
    private var stack: [Frame] = []

    /// A parser at the first byte.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - bytes: The same bytes.
    ///   - maximumDepth: How many arrays and objects may enclose a value.
    @_lifetime(copy bytes)
    init(_ source: ArraySlice<UInt8>, _ bytes: Span<UInt8>, maximumDepth: Int) {
        self.source = source
        cursor = JSONCursor(bytes)
        self.maximumDepth = min(max(maximumDepth, 0), JSONValue.greatestMaximumDepth)
    }

    /// Parses the whole text.
    mutating func parse() throws(WireError) -> JSONValue {
        do throws(WireError) {
            return try parseText()
        } catch {
            throw located(error)
        }
    }

    private mutating func parseText() throws(WireError) -> JSONValue {
        while true {
            cursor.skipWhiteSpace()
            guard var value = try parseValue() else { continue }
            // The value ends; so may the containers around it.
            while let top = stack.indices.last {
                add(value, at: top)
                cursor.skipWhiteSpace()
                let character = try cursor.peek()
                let isObject = stack[top].isObject
                if character == UInt8(ascii: ",") {
                    cursor.offset += 1
                    cursor.skipWhiteSpace()
                    if isObject { try parseName() }
                    break
                }
                guard character == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw cursor.error(.unexpectedCharacter)
                }
                cursor.offset += 1
                value = close()
            }
            guard stack.isEmpty else { continue }
            try cursor.finish()
            return value
        }
    }

    /// Parses a value that is whole at once, or opens a container with something in it.
    private mutating func parseValue() throws(WireError) -> JSONValue? {
        switch try cursor.peek() {
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "{"):
            try open(isObject: true)
            guard try cursor.peek() != UInt8(ascii: "}") else {
                cursor.offset += 1
                return close()
            }
            try parseName()
            return nil
        case UInt8(ascii: "["):
            try open(isObject: false)
            guard try cursor.peek() != UInt8(ascii: "]") else {
                cursor.offset += 1
                return close()
            }
            return nil
        case UInt8(ascii: "t"): return try parseLiteral("true", .bool(true))
        case UInt8(ascii: "f"): return try parseLiteral("false", .bool(false))
        case UInt8(ascii: "n"): return try parseLiteral("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(JSONNumber(validated: text(try cursor.passNumber())))
        default: throw cursor.error(.unexpectedCharacter)
        }
    }

    // MARK: Containers

    private mutating func open(isObject: Bool) throws(WireError) {
        guard stack.count < maximumDepth else { throw cursor.error(.tooDeep) }
        stack.append(Frame(isObject: isObject))
        cursor.offset += 1
        cursor.skipWhiteSpace()
    }

    private mutating func close() -> JSONValue {
        let frame = stack.removeLast()
        return frame.isObject ? .object(JSONObject(distinct: frame.members)) : .array(frame.elements)
    }

    private mutating func add(_ value: JSONValue, at top: Int) {
        if stack[top].isObject {
            stack[top].members.append(JSONObject.Member(stack[top].name, value))
        } else {
            stack[top].elements.append(value)
        }
    }

    /// Parses a name and the colon after it.
    private mutating func parseName() throws(WireError) {
        let start = cursor.offset
        guard try cursor.peek() == UInt8(ascii: "\"") else { throw cursor.error(.unexpectedCharacter) }
        let top = stack.count - 1
        stack[top].name = ""
        let name = try parseString()
        guard isNew(name, at: top) else { throw cursor.error(.duplicateKey, at: start, detail: name) }
        stack[top].name = name
        try cursor.passColon()
    }

    private mutating func isNew(_ name: String, at top: Int) -> Bool {
        guard stack[top].members.count >= Self.hashedMembers else {
            return !stack[top].members.contains { $0.name.hasSameBytes(as: name) }
        }
        if stack[top].names.isEmpty {
            stack[top].names = Set(stack[top].members.map { ExactName(name: $0.name) })
        }
        return stack[top].names.insert(ExactName(name: name)).inserted
    }

    // MARK: Leaves

    private mutating func parseLiteral(_ text: String, _ value: JSONValue) throws(WireError) -> JSONValue {
        try cursor.passLiteral(text)
        return value
    }

    private mutating func parseString() throws(WireError) -> String {
        let token = try cursor.passString()
        guard token.isEscaped else { return text(token.content) }
        return String(decoding: try cursor.unescaped(token), as: UTF8.self)
    }

    private func text(_ range: Range<Int>) -> String {
        let base = source.startIndex
        return String(decoding: source[base + range.lowerBound..<base + range.upperBound], as: UTF8.self)
    }

    /// The error with the member or element where it is, such as `allowCredentials[0].id`.
    private func located(_ error: WireError) -> WireError {
        var path = ""
        for frame in stack {
            if !frame.isObject {
                path += "[\(frame.elements.count)]"
            } else if !frame.name.isEmpty {
                path += path.isEmpty ? frame.name : ".\(frame.name)"
            }
        }
        let place = path.isEmpty ? "" : "in \(path)"
        let separator = error.detail.isEmpty || place.isEmpty ? "" : " "
        return WireError(error.code, at: error.offset, detail: error.detail + separator + place)
    }
}

/// A name that is equal to another one only if their bytes are.
private struct ExactName: Hashable {
    let name: String

    static func == (lhs: ExactName, rhs: ExactName) -> Bool {
        lhs.name.hasSameBytes(as: rhs.name)
    }

    func hash(into hasher: inout Hasher) {
        // Not `String`'s hash: names that are canonically equivalent would all share one.
        for byte in name.utf8 { hasher.combine(byte) }
    }
}
