/// base64url without padding, RFC 4648 §5: what WebAuthn's JSON and JOSE use.
///
/// Decoding is strict: each sequence of bytes has exactly one text, so that two texts that differ can never mean the
/// same credential ID or challenge.
public enum Base64URL {
    /// Decodes a text.
    ///
    /// - Parameter text: Characters of the base64url alphabet; the empty text is no bytes.
    /// - Returns: The bytes.
    /// - Throws: `invalidCharacter` for padding, white space, `+`, `/` and anything else outside the alphabet,
    ///   `invalidLength` for 1 character modulo 4, `nonZeroTail` if the unused bits at the end are not zero. The offset
    ///   counts UTF-8 bytes.
    public static func decode(_ text: String) throws(WireError) -> [UInt8] {
        try decode([UInt8](text.utf8))
    }

    /// Decodes a text that is given as ASCII bytes.
    ///
    /// - Parameter text: Characters of the base64url alphabet.
    /// - Returns: The bytes.
    /// - Throws: As ``decode(_:)-(String)``.
    public static func decode(_ text: [UInt8]) throws(WireError) -> [UInt8] {
        try decode(text[...])
    }

    /// Decodes a text that is given as ASCII bytes.
    ///
    /// - Parameter text: Characters of the base64url alphabet; its first index need not be 0.
    /// - Returns: The bytes.
    /// - Throws: As ``decode(_:)-(String)``.
    public static func decode(_ text: ArraySlice<UInt8>) throws(WireError) -> [UInt8] {
        let slice = text
        return try decode(slice.span)
    }

    /// Decodes a text that is given as borrowed ASCII bytes.
    ///
    /// - Parameter text: Characters of the base64url alphabet.
    /// - Returns: The bytes.
    /// - Throws: As ``decode(_:)-(String)``.
    public static func decode(_ text: Span<UInt8>) throws(WireError) -> [UInt8] {
        try Base64Digits.decode(text, Base64Digits.urlSafe, checksTail: true)
    }

    /// Decodes what other software calls base64url.
    ///
    /// It takes either alphabet and a mixture of both, up to two padding characters, white space before and after, and
    /// unused bits that are not zero. Several texts then mean the same bytes: compare the bytes, never the texts.
    ///
    /// - Parameter text: base64 or base64url, with or without padding.
    /// - Returns: The bytes.
    /// - Throws: `invalidCharacter` or `invalidLength`. The offset counts UTF-8 bytes from the text's beginning.
    public static func decodeLeniently(_ text: String) throws(WireError) -> [UInt8] {
        let bytes = [UInt8](text.utf8)
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        var end = last + 1
        while end > first, last + 1 - end < 2, bytes[end - 1] == UInt8(ascii: "=") { end -= 1 }
        let slice = bytes[first..<end]
        do throws(WireError) {
            return try Base64Digits.decode(slice.span, Base64Digits.either, checksTail: false)
        } catch {
            throw error.shifted(by: first)
        }
    }

    /// Encodes bytes.
    ///
    /// - Parameter bytes: Any number of bytes.
    /// - Returns: The one text that ``decode(_:)-(String)`` takes back.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: encodedBytes([UInt8](bytes)), as: UTF8.self)
    }

    /// The text as ASCII bytes.
    package static func encodedBytes(_ bytes: [UInt8]) -> [UInt8] {
        Base64Digits.encode(bytes, Base64Digits.urlCharacters, isPadded: false)
    }
}

/// base64 with padding, RFC 4648 §4: what `x5c` and PEM use.
package enum Base64 {
    /// Decodes a text that is padded to a multiple of four characters, strictly: no white space, no unused bits.
    package static func decode(_ text: String) throws(WireError) -> [UInt8] {
        let bytes = [UInt8](text.utf8)
        guard bytes.count % 4 == 0 else { throw WireError(.invalidLength, at: bytes.count) }
        return try decode(padded: bytes[...])
    }

    /// Decodes a text with ASCII white space around it, as some of real metadata has, and with or without padding.
    package static func decodeTrimmed(_ text: String) throws(WireError) -> [UInt8] {
        func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
        let bytes = [UInt8](text.utf8)
        let trimmed = bytes.drop(while: isWhiteSpace)
        let end = trimmed.lastIndex { !isWhiteSpace($0) }.map { $0 + 1 } ?? trimmed.startIndex
        let content = trimmed[..<end]
        do throws(WireError) {
            // What is padded, is padded in full.
            guard content.count % 4 != 0 else { return try decode(padded: content) }
            return try Base64Digits.decode(content.span, Base64Digits.standard, checksTail: true)
        } catch {
            throw error.shifted(by: content.startIndex)
        }
    }

    private static func decode(padded bytes: ArraySlice<UInt8>) throws(WireError) -> [UInt8] {
        var end = bytes.endIndex
        while end > bytes.startIndex, bytes.endIndex - end < 2, bytes[end - 1] == UInt8(ascii: "=") { end -= 1 }
        let slice = bytes[..<end]
        return try Base64Digits.decode(slice.span, Base64Digits.standard, checksTail: true)
    }

    /// Encodes bytes, with padding.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(
            decoding: Base64Digits.encode([UInt8](bytes), Base64Digits.standardCharacters, isPadded: true),
            as: UTF8.self
        )
    }
}

/// What both alphabets share.
private enum Base64Digits {
    static let urlCharacters = alphabet("-_")
    static let standardCharacters = alphabet("+/")

    /// The value of each character, or 255.
    static let urlSafe = values(urlCharacters)
    static let standard = values(standardCharacters)
    static let either = zip(urlSafe, standard).map { min($0, $1) }

    static func alphabet(_ lastTwo: String) -> [UInt8] {
        [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(lastTwo)".utf8)
    }

    static func values(_ characters: [UInt8]) -> [UInt8] {
        var table = [UInt8](repeating: 255, count: 256)
        for (value, character) in characters.enumerated() { table[Int(character)] = UInt8(value) }
        return table
    }

    static func decode(_ text: Span<UInt8>, _ values: [UInt8], checksTail: Bool) throws(WireError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 4 * 3 + 2)
        var group: UInt32 = 0
        for index in text.indices {
            let value = values[Int(text[index])]
            guard value < 64 else { throw WireError(.invalidCharacter, at: index) }
            group = group << 6 | UInt32(value)
            guard index & 3 == 3 else { continue }
            output.append(UInt8(truncatingIfNeeded: group >> 16))
            output.append(UInt8(truncatingIfNeeded: group >> 8))
            output.append(UInt8(truncatingIfNeeded: group))
            group = 0
        }
        let unused: UInt32
        switch text.count & 3 {
        case 0: return output
        case 1: throw WireError(.invalidLength, at: text.count)
        case 2:
            output.append(UInt8(truncatingIfNeeded: group >> 4))
            unused = group & 0xf
        default:
            output.append(UInt8(truncatingIfNeeded: group >> 10))
            output.append(UInt8(truncatingIfNeeded: group >> 2))
            unused = group & 3
        }
        guard !checksTail || unused == 0 else { throw WireError(.nonZeroTail, at: text.count - 1) }
        return output
    }

    static func encode(_ bytes: [UInt8], _ characters: [UInt8], isPadded: Bool) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group = UInt32(bytes[index]) << 16
            if count > 1 { group |= UInt32(bytes[index + 1]) << 8 }
            if count > 2 { group |= UInt32(bytes[index + 2]) }
            output.append(characters[Int(group >> 18)])
            output.append(characters[Int(group >> 12 & 63)])
            if count > 1 { output.append(characters[Int(group >> 6 & 63)]) }
            if count > 2 { output.append(characters[Int(group & 63)]) }
            if isPadded { for _ in count..<3 { output.append(UInt8(ascii: "=")) } }
            index += 3
        }
        return output
    }
}
