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
    private let bytes: Span<UInt8>
    private let maximumDepth: Int
    private var offset = 0
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
        self.bytes = bytes
        self.maximumDepth = min(max(maximumDepth, 0), JSONValue.greatestMaximumDepth)
    }

    /// Parses the whole text.
    mutating func parse() throws(WireError) -> JSONValue {
        while true {
            skipWhiteSpace()
            guard var value = try parseValue() else { continue }
            // The value ends; so may the containers around it.
            while let top = stack.indices.last {
                add(value, at: top)
                skipWhiteSpace()
                let character = try peek()
                let isObject = stack[top].isObject
                if character == UInt8(ascii: ",") {
                    offset += 1
                    skipWhiteSpace()
                    if isObject { try parseName() }
                    break
                }
                guard character == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw error(.unexpectedCharacter)
                }
                offset += 1
                value = close()
            }
            guard stack.isEmpty else { continue }
            skipWhiteSpace()
            guard offset == bytes.count else { throw error(.trailingBytes) }
            return value
        }
    }

    /// Parses a value that is whole at once, or opens a container with something in it.
    private mutating func parseValue() throws(WireError) -> JSONValue? {
        switch try peek() {
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "{"):
            try open(isObject: true)
            guard try peek() != UInt8(ascii: "}") else {
                offset += 1
                return close()
            }
            try parseName()
            return nil
        case UInt8(ascii: "["):
            try open(isObject: false)
            guard try peek() != UInt8(ascii: "]") else {
                offset += 1
                return close()
            }
            return nil
        case UInt8(ascii: "t"): return try parseLiteral("true", .bool(true))
        case UInt8(ascii: "f"): return try parseLiteral("false", .bool(false))
        case UInt8(ascii: "n"): return try parseLiteral("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
        default: throw error(.unexpectedCharacter)
        }
    }

    // MARK: Containers

    private mutating func open(isObject: Bool) throws(WireError) {
        guard stack.count < maximumDepth else { throw error(.tooDeep) }
        stack.append(Frame(isObject: isObject))
        offset += 1
        skipWhiteSpace()
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
        let start = offset
        guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedCharacter) }
        let top = stack.count - 1
        stack[top].name = ""
        let name = try parseString()
        guard isNew(name, at: top) else { throw error(.duplicateKey, at: start, detail: name) }
        stack[top].name = name
        skipWhiteSpace()
        guard try peek() == UInt8(ascii: ":") else { throw error(.unexpectedCharacter) }
        offset += 1
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
        for character in text.utf8 {
            guard try peek() == character else { throw error(.unexpectedCharacter) }
            offset += 1
        }
        return value
    }

    private mutating func parseNumber() throws(WireError) -> JSONNumber {
        let start = offset
        guard let end = JSONNumber.end(in: bytes, from: start), !isNumberCharacter(at: end) else {
            throw error(.invalidNumber)
        }
        offset = end
        return JSONNumber(validated: text(start..<end))
    }

    /// Whether a character that can only belong to a number stands at an offset, as in `01`.
    private func isNumberCharacter(at index: Int) -> Bool {
        guard index < bytes.count else { return false }
        switch bytes[index] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"):
            return true
        default: return false
        }
    }

    private mutating func parseString() throws(WireError) -> String {
        offset += 1
        let start = offset
        while true {
            passPlainCharacters()
            let character = try peek()
            if character == UInt8(ascii: "\"") {
                defer { offset += 1 }
                return text(start..<offset)
            }
            if character == UInt8(ascii: "\\") { return try parseEscapedString(from: start) }
            try passCharacter(character)
        }
    }

    /// Parses a string whose first escape stands at the offset.
    private mutating func parseEscapedString(from start: Int) throws(WireError) -> String {
        var unescaped = Array(source[source.startIndex + start..<source.startIndex + offset])
        while true {
            let character = try peek()
            if character == UInt8(ascii: "\"") {
                offset += 1
                return String(decoding: unescaped, as: UTF8.self)
            }
            if character == UInt8(ascii: "\\") {
                try parseEscape(&unescaped)
                continue
            }
            let first = offset
            try passCharacter(character)
            for index in first..<offset { unescaped.append(bytes[index]) }
        }
    }

    /// Passes over ASCII characters that stand for themselves.
    private mutating func passPlainCharacters() {
        var index = offset
        while index < bytes.count {
            let character = bytes[index]
            guard character >= 0x20, character < 0x80, character != UInt8(ascii: "\""), character != UInt8(ascii: "\\")
            else { break }
            index += 1
        }
        offset = index
    }

    /// Passes over one character that stands for itself.
    private mutating func passCharacter(_ first: UInt8) throws(WireError) {
        guard first >= 0x20 else { throw error(.controlCharacter) }
        guard first >= 0x80 else {
            offset += 1
            return
        }
        let length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
        let end = min(offset + length, bytes.count)
        guard firstInvalidUTF8(in: bytes, from: offset, to: end) == nil else { throw error(.invalidUTF8) }
        offset = end
    }

    private mutating func parseEscape(_ output: inout [UInt8]) throws(WireError) {
        let start = offset
        offset += 1
        let character = try peek()
        offset += 1
        switch character {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(character)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "f"): output.append(0x0c)
        case UInt8(ascii: "n"): output.append(0x0a)
        case UInt8(ascii: "r"): output.append(0x0d)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "u"):
            var scalar = try parseCodeUnit(escape: start)
            if scalar & 0xfc00 == 0xd800 {
                guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
                    bytes[offset + 1] == UInt8(ascii: "u")
                else { throw error(.loneSurrogate, at: start) }
                offset += 2
                let low = try parseCodeUnit(escape: offset - 2)
                guard low & 0xfc00 == 0xdc00 else { throw error(.loneSurrogate, at: start) }
                scalar = 0x10000 + (scalar & 0x3ff) << 10 + low & 0x3ff
            }
            // What is no scalar is the second half of a pair without a first one.
            guard let scalar = Unicode.Scalar(scalar) else { throw error(.loneSurrogate, at: start) }
            output.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
        default: throw error(.invalidEscape, at: start)
        }
    }

    private mutating func parseCodeUnit(escape start: Int) throws(WireError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hex.value(of: try peek()) else { throw error(.invalidEscape, at: start) }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }

    // MARK: Characters

    private func peek() throws(WireError) -> UInt8 {
        guard offset < bytes.count else { throw error(.truncated) }
        return bytes[offset]
    }

    private mutating func skipWhiteSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0a, 0x0d: offset += 1
            default: return
            }
        }
    }

    private func text(_ range: Range<Int>) -> String {
        let base = source.startIndex
        return String(decoding: source[base + range.lowerBound..<base + range.upperBound], as: UTF8.self)
    }

    /// An error that says in which member or element it is, such as `allowCredentials[0].id`.
    private func error(_ code: WireError.Code, at offset: Int? = nil, detail: String = "") -> WireError {
        var path = ""
        for frame in stack {
            if !frame.isObject {
                path += "[\(frame.elements.count)]"
            } else if !frame.name.isEmpty {
                path += path.isEmpty ? frame.name : ".\(frame.name)"
            }
        }
        let place = path.isEmpty ? "" : "in \(path)"
        let separator = detail.isEmpty || place.isEmpty ? "" : " "
        return WireError(code, at: offset ?? self.offset, detail: detail + separator + place)
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
