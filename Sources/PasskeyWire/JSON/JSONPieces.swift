/// Cuts a large JSON text into the parts that are wanted, without a tree of the whole.
///
/// The parts' own text is not looked at beyond its brackets and quotes: whoever reads a part with
/// ``JSONValue/init(json:maximumDepth:)-(ArraySlice<UInt8>,_)`` has the strict grammar, and what is not read is not
/// judged.
package struct JSONPieces {
    private let bytes: ArraySlice<UInt8>
    private var offset: Int

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        offset = bytes.startIndex
    }

    /// The members of the object that a text is, and where their values stand.
    ///
    /// - Parameter text: The text; white space around it is allowed.
    /// - Returns: Names, each once, and ranges of `text`.
    /// - Throws: `WireError` with the offset from the beginning of `text`.
    package static func members(of text: ArraySlice<UInt8>) throws(WireError) -> [(name: String, value: Range<Int>)] {
        var pieces = JSONPieces(text)
        var members: [(name: String, value: Range<Int>)] = []
        var names: Set<[UInt8]> = []
        try pieces.eachPart(UInt8(ascii: "{"), UInt8(ascii: "}")) { (pieces) throws(WireError) in
            let start = pieces.offset
            guard try pieces.peek() == UInt8(ascii: "\"") else { throw pieces.error(.unexpectedCharacter) }
            let range = try pieces.skipValue()
            let value: JSONValue
            do throws(WireError) {
                value = try JSONValue(json: text[range])
            } catch {
                throw error.shifted(by: range.lowerBound - text.startIndex)
            }
            let name = value.string ?? ""
            guard names.insert(Array(name.utf8)).inserted else {
                throw pieces.error(.duplicateKey, at: start, detail: name)
            }
            pieces.skipWhiteSpace()
            guard try pieces.peek() == UInt8(ascii: ":") else { throw pieces.error(.unexpectedCharacter) }
            pieces.offset += 1
            pieces.skipWhiteSpace()
            members.append((name, try pieces.skipValue()))
        }
        return members
    }

    /// Where the elements of the array that a text is stand.
    ///
    /// - Parameter text: The text; white space around it is allowed.
    /// - Returns: Ranges of `text`.
    /// - Throws: `WireError` with the offset from the beginning of `text`.
    package static func elements(of text: ArraySlice<UInt8>) throws(WireError) -> [Range<Int>] {
        var pieces = JSONPieces(text)
        var elements: [Range<Int>] = []
        try pieces.eachPart(UInt8(ascii: "["), UInt8(ascii: "]")) { (pieces) throws(WireError) in
            elements.append(try pieces.skipValue())
        }
        return elements
    }

    /// Reads a container whose parts stand between commas, and nothing after it.
    private mutating func eachPart(
        _ opening: UInt8,
        _ closing: UInt8,
        _ body: (inout JSONPieces) throws(WireError) -> Void
    ) throws(WireError) {
        skipWhiteSpace()
        guard try peek() == opening else { throw error(.wrongType) }
        offset += 1
        skipWhiteSpace()
        if try peek() == closing {
            offset += 1
        } else {
            while true {
                try body(&self)
                skipWhiteSpace()
                let character = try peek()
                guard character == UInt8(ascii: ",") || character == closing else {
                    throw error(.unexpectedCharacter)
                }
                offset += 1
                if character == closing { break }
                skipWhiteSpace()
            }
        }
        skipWhiteSpace()
        guard offset == bytes.endIndex else { throw error(.trailingBytes) }
    }

    /// Passes over a value: a string, a container with all that is in it, or anything up to the next separator.
    private mutating func skipValue() throws(WireError) -> Range<Int> {
        let start = offset
        var depth = 0
        repeat {
            switch try peek() {
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { throw error(.unexpectedCharacter) }
                depth -= 1
                offset += 1
            default:
                guard depth == 0 else {
                    offset += 1
                    continue
                }
                skipScalar()
                guard offset > start else { throw error(.unexpectedCharacter) }
            }
        } while depth > 0
        return start..<offset
    }

    private mutating func skipString() throws(WireError) {
        offset += 1
        while true {
            let character = try peek()
            offset += character == UInt8(ascii: "\\") ? 2 : 1
            if character == UInt8(ascii: "\"") { return }
        }
    }

    private mutating func skipScalar() {
        while offset < bytes.endIndex {
            switch bytes[offset] {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), 0x20, 0x09, 0x0a, 0x0d:
                return
            default: offset += 1
            }
        }
    }

    private mutating func skipWhiteSpace() {
        while offset < bytes.endIndex {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0a, 0x0d: offset += 1
            default: return
            }
        }
    }

    private func peek() throws(WireError) -> UInt8 {
        guard offset < bytes.endIndex else { throw error(.truncated) }
        return bytes[offset]
    }

    private func error(_ code: WireError.Code, at offset: Int? = nil, detail: String = "") -> WireError {
        WireError(code, at: min(offset ?? self.offset, bytes.endIndex) - bytes.startIndex, detail: detail)
    }
}
