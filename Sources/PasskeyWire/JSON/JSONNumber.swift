/// A JSON number with its digits as they were sent (RFC 8259 §6).
///
/// `1.0`, `1` and `1e0` are three numbers to this type: equality is that of the text. Ask ``int`` or ``double`` for the
/// value.
public struct JSONNumber: Hashable, Sendable {
    /// The digits in JSON's form.
    public let text: String

    /// Takes a text that is a JSON number and nothing else.
    ///
    /// - Parameter text: Such as `-12`, `0.5` or `1e3`; anything else gives `nil`.
    public init?(_ text: String) {
        let bytes = [UInt8](text.utf8)[...]
        guard Self.end(in: bytes.span, from: 0) == bytes.count else { return nil }
        self.text = text
    }

    /// An integer.
    ///
    /// - Parameter value: Any integer.
    public init(_ value: Int) {
        text = "\(value)"
    }

    /// A finite number in the shortest form that reads back as the same, as ECMAScript writes it.
    ///
    /// - Parameter value: The number; infinity and NaN give `nil`, because JSON has neither.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        var output: [UInt8] = []
        ECMAScriptNumber(value).append(to: &output, forcesPoint: false)
        text = String(decoding: output, as: UTF8.self)
    }

    /// Takes a text whose form was checked.
    init(validated text: String) {
        self.text = text
    }

    /// The value, if it is an integer that an `Int` can hold, in whatever form it was sent: `6e4` is 60000.
    public var int: Int? {
        let characters = [UInt8](text.utf8)
        let isNegative = characters.first == UInt8(ascii: "-")
        var digits: [UInt8] = []
        var fractionDigits = 0
        var exponent = 0
        var isInFraction = false
        for (index, character) in characters.enumerated() {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits.append(character)
                if isInFraction { fractionDigits += 1 }
            case UInt8(ascii: "."): isInFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                // An exponent that no `Int` holds belongs to no integer but zero.
                let text = String(decoding: characters[(index + 1)...], as: UTF8.self)
                let limit = characters[index + 1] == UInt8(ascii: "-") ? Int.min / 2 : Int.max / 2
                exponent = Int(text) ?? limit
            default: break
            }
            if character | 0x20 == UInt8(ascii: "e") { break }
        }
        digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
        guard !digits.isEmpty else { return 0 }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            fractionDigits -= 1
        }
        let (zeros, overflow) = exponent.subtractingReportingOverflow(fractionDigits)
        guard !overflow, zeros >= 0, zeros <= 19 - digits.count else { return nil }
        let sign = isNegative ? "-" : ""
        return Int(sign + String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: zeros))
    }

    /// The nearest double, or `nil` if the number is too large for one.
    public var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The offset after the number that begins at `start`, or `nil` if none does.
    static func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        func passDigits(_ bytes: Span<UInt8>) -> Bool {
            let first = index
            while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
            return index > first
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: "0") {
            index += 1
        } else {
            guard passDigits(bytes) else { return nil }
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard passDigits(bytes) else { return nil }
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            guard passDigits(bytes) else { return nil }
        }
        return index
    }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
    /// Makes an integer.
    public init(integerLiteral value: Int) {
        self.init(value)
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The same as ``text``.
    public var description: String { text }
}
