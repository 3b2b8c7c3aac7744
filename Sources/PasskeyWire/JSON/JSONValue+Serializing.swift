extension JSONValue {
    /// Writes the value as JSON in UTF-8.
    ///
    /// Members keep their order. Of strings only what RFC 8259 §7 demands is escaped: the quotation mark, the backslash
    /// and the characters below U+0020. Do not put the result into HTML without escaping `<`.
    ///
    /// - Parameter pretty: Whether each element and member has its own line, indented by two spaces.
    /// - Returns: The text, without a line feed at its end.
    public func serialized(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(isPretty: pretty)
        writer.write(self)
        return writer.output
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { String(decoding: serialized(), as: UTF8.self) }
}

extension JSONObject {
    /// Writes the object as JSON in UTF-8, as ``JSONValue/serialized(pretty:)`` does.
    ///
    /// - Parameter pretty: Whether each element and member has its own line, indented by two spaces.
    /// - Returns: The text, without a line feed at its end.
    public func serialized(pretty: Bool = false) -> [UInt8] {
        JSONValue.object(self).serialized(pretty: pretty)
    }
}

/// A writer without recursion.
struct JSONWriter {
    private struct Frame {
        var elements: [JSONValue] = []
        var members: [JSONObject.Member] = []
        let isObject: Bool
        var index = 0

        var count: Int { isObject ? members.count : elements.count }
    }

    private let isPretty: Bool
    private(set) var output: [UInt8] = []

    init(isPretty: Bool) {
        self.isPretty = isPretty
    }

    mutating func write(_ root: JSONValue) {
        var stack: [Frame] = []
        var value = root
        while true {
            switch value {
            case .null: append("null")
            case .bool(let value): append(value ? "true" : "false")
            case .number(let value): append(value.text)
            case .string(let value): Self.append(string: value, to: &output)
            case .array(let elements):
                append("[")
                stack.append(Frame(elements: elements, isObject: false))
            case .object(let object):
                append("{")
                stack.append(Frame(members: object.members, isObject: true))
            }
            guard let next = nextValue(&stack) else { return }
            value = next
        }
    }

    /// Closes what has ended and gives the value that follows.
    private mutating func nextValue(_ stack: inout [Frame]) -> JSONValue? {
        while let top = stack.indices.last {
            let frame = stack[top]
            guard frame.index < frame.count else {
                if frame.count > 0 { breakLine(stack.count - 1) }
                append(frame.isObject ? "}" : "]")
                stack.removeLast()
                continue
            }
            if frame.index > 0 { append(",") }
            breakLine(stack.count)
            stack[top].index += 1
            guard frame.isObject else { return frame.elements[frame.index] }
            Self.append(string: frame.members[frame.index].name, to: &output)
            append(isPretty ? ": " : ":")
            return frame.members[frame.index].value
        }
        return nil
    }

    private mutating func breakLine(_ level: Int) {
        guard isPretty else { return }
        append("\n")
        for _ in 0..<level { append("  ") }
    }

    private mutating func append(_ text: String) {
        output.append(contentsOf: text.utf8)
    }

    /// Appends a string in quotation marks.
    static func append(string: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case 0x08: output.append(contentsOf: "\\b".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0x0a: output.append(contentsOf: "\\n".utf8)
            case 0x0c: output.append(contentsOf: "\\f".utf8)
            case 0x0d: output.append(contentsOf: "\\r".utf8)
            case 0..<0x20:
                output.append(contentsOf: "\\u00".utf8)
                Hex.append(byte, to: &output)
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
