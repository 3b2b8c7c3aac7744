import PasskeyWire

/// One way to read what was given as bytes.
struct InputForm: Sendable {
    enum Encoding: String, CaseIterable, Sendable {
        case hex
        case base64url
        case base64
        case raw
    }

    var encoding: Encoding
    var bytes: [UInt8]

    /// The way in which the input is most likely meant.
    ///
    /// Text that can be hex is hex, although it could be base64 too: a guess that depended on what the bytes turn out
    /// to be would call a broken structure another thing. White space inside is dropped, as are `0x`, colons between
    /// bytes, and quotation marks around the whole.
    static func guess(of input: [UInt8]) -> InputForm {
        guard let text = compact(input), text.first != UInt8(ascii: "{") else { return raw(input) }
        if let bytes = hex(text) { return InputForm(encoding: .hex, bytes: bytes) }
        return base64(text) ?? raw(input)
    }

    /// The input read in one way, or `nil` if it cannot be.
    static func one(_ encoding: Encoding, of input: [UInt8]) -> InputForm? {
        guard encoding != .raw else { return InputForm(encoding: .raw, bytes: input) }
        guard let text = compact(input) else { return nil }
        guard encoding == .hex else {
            return base64(text).map { InputForm(encoding: encoding, bytes: $0.bytes) }
        }
        return hex(text).map { InputForm(encoding: .hex, bytes: $0) }
    }

    /// The bytes as they are; but a line's end behind JSON is the editor's or the shell's, and would change its hash.
    private static func raw(_ input: [UInt8]) -> InputForm {
        var bytes = input[...]
        if bytes.drop(while: isSpace).first == UInt8(ascii: "{") {
            while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        }
        return InputForm(encoding: .raw, bytes: Array(bytes))
    }

    static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// Printable ASCII without white space and quotation marks around it; `nil` if there is anything else.
    private static func compact(_ input: [UInt8]) -> ArraySlice<UInt8>? {
        var text: [UInt8] = []
        text.reserveCapacity(input.count)
        for byte in input {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case 0x21...0x7E: text.append(byte)
            default: return nil
            }
        }
        let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
        if text.count >= 2, let first = text.first, quotes.contains(first), text.last == first {
            return text.dropFirst().dropLast()
        }
        return text.isEmpty ? nil : text[...]
    }

    private static func hex(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var digits = text
        if digits.starts(with: "0x".utf8) { digits = digits.dropFirst(2) }
        guard !digits.isEmpty else { return nil }
        return Hex.decode(String(decoding: digits.filter { $0 != UInt8(ascii: ":") }, as: UTF8.self))
    }

    private static func base64(_ text: ArraySlice<UInt8>) -> InputForm? {
        guard !text.isEmpty, let bytes = try? Base64URL.decodeLeniently(String(decoding: text, as: UTF8.self)) else {
            return nil
        }
        let isStandard = text.contains { "+/=".utf8.contains($0) }
        return InputForm(encoding: isStandard ? .base64 : .base64url, bytes: bytes)
    }
}
