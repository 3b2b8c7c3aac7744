/// Passes over the tokens of a JSON text: what a string, a number and a literal is, is said here alone.
///
/// Its errors have an offset and no path; whoever knows the containers adds that.
struct JSONCursor: ~Escapable {
    let bytes: Span<UInt8>

    /// The offset of the next character.
    var offset = 0

    /// A cursor at the first byte.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
    }

    func peek() throws(WireError) -> UInt8 {
        guard offset < bytes.count else { throw error(.truncated) }
        return bytes[offset]
    }

    mutating func skipWhiteSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0a, 0x0d: offset += 1
            default: return
            }
        }
    }

    /// Passes over the colon after a name.
    mutating func passColon() throws(WireError) {
        skipWhiteSpace()
        guard try peek() == UInt8(ascii: ":") else { throw error(.unexpectedCharacter) }
        offset += 1
    }

    /// The end of the text: nothing but white space may follow.
    mutating func finish() throws(WireError) {
        skipWhiteSpace()
        guard offset == bytes.count else { throw error(.trailingBytes) }
    }

    func error(_ code: WireError.Code, at offset: Int? = nil, detail: String = "") -> WireError {
        WireError(code, at: offset ?? self.offset, detail: detail)
    }

    // MARK: Literals and numbers

    mutating func passLiteral(_ text: String) throws(WireError) {
        for character in text.utf8 {
            guard try peek() == character else { throw error(.unexpectedCharacter) }
            offset += 1
        }
    }

    /// Passes over a number and gives where it stands.
    mutating func passNumber() throws(WireError) -> Range<Int> {
        let start = offset
        guard let end = JSONNumber.end(in: bytes, from: start), !isNumberCharacter(at: end) else {
            throw error(.invalidNumber)
        }
        offset = end
        return start..<end
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

    // MARK: Strings

    /// What stands between the quotation marks of a string.
    struct StringToken {
        var content: Range<Int>
        var isEscaped = false
    }

    /// Passes over a string, whose first quotation mark stands at the offset.
    mutating func passString() throws(WireError) -> StringToken {
        offset += 1
        var token = StringToken(content: offset..<offset)
        while true {
            passPlainCharacters()
            let character = try peek()
            switch character {
            case UInt8(ascii: "\""):
                token.content = token.content.lowerBound..<offset
                offset += 1
                return token
            case UInt8(ascii: "\\"):
                token.isEscaped = true
                _ = try passEscape()
            default: try passCharacter(character)
            }
        }
    }

    /// The bytes that a string means which was passed over.
    func unescaped(_ token: StringToken) throws(WireError) -> [UInt8] {
        var cursor = JSONCursor(bytes)
        cursor.offset = token.content.lowerBound
        var output: [UInt8] = []
        output.reserveCapacity(token.content.count)
        while cursor.offset < token.content.upperBound {
            let character = bytes[cursor.offset]
            if token.isEscaped, character == UInt8(ascii: "\\") {
                let scalar = try cursor.passEscape()
                if let encoded = UTF8.encode(scalar) { output.append(contentsOf: encoded) }
            } else {
                output.append(character)
                cursor.offset += 1
            }
        }
        return output
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

    /// Passes over one character that stands for itself and is not ASCII.
    private mutating func passCharacter(_ first: UInt8) throws(WireError) {
        guard first >= 0x20 else { throw error(.controlCharacter) }
        let length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
        let end = min(offset + length, bytes.count)
        guard firstInvalidUTF8(in: bytes, from: offset, to: end) == nil else { throw error(.invalidUTF8) }
        offset = end
    }

    private mutating func passEscape() throws(WireError) -> Unicode.Scalar {
        let start = offset
        offset += 1
        let character = try peek()
        offset += 1
        switch character {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(character)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var value = try passCodeUnit(escape: start)
            if value & 0xfc00 == 0xd800 {
                guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
                    bytes[offset + 1] == UInt8(ascii: "u")
                else { throw error(.loneSurrogate, at: start) }
                offset += 2
                let low = try passCodeUnit(escape: offset - 2)
                guard low & 0xfc00 == 0xdc00 else { throw error(.loneSurrogate, at: start) }
                value = 0x10000 + (value & 0x3ff) << 10 + low & 0x3ff
            }
            // What is no scalar is the second half of a pair without a first one.
            guard let scalar = Unicode.Scalar(value) else { throw error(.loneSurrogate, at: start) }
            return scalar
        default: throw error(.invalidEscape, at: start)
        }
    }

    private mutating func passCodeUnit(escape start: Int) throws(WireError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hex.value(of: try peek()) else { throw error(.invalidEscape, at: start) }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }
}
