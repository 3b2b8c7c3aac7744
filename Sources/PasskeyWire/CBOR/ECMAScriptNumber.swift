/// A finite number's shortest decimal digits, laid out as ECMAScript's Number::toString does (ECMA-262 §6.1.6.1.20).
struct ECMAScriptNumber {
    private let isNegative: Bool
    /// Digits without zeros at either end; `[0]` for zero.
    private var digits: [UInt8] = []
    /// Where the decimal point stands: the value is 0.digits × 10^point.
    private var point = 0

    /// Takes a finite number apart.
    init(_ value: Double) {
        isNegative = value.sign == .minus
        // `description` gives the shortest digits that read back as the same number, and of these the closest; only
        // its layout is another one.
        var exponent = 0
        var hasPoint = false
        var text = value.magnitude.description.utf8[...]
        if let mark = text.firstIndex(of: UInt8(ascii: "e")) {
            exponent = Int(String(decoding: text[text.index(after: mark)...], as: UTF8.self)) ?? 0
            text = text[..<mark]
        }
        for character in text {
            if character == UInt8(ascii: ".") {
                hasPoint = true
            } else {
                digits.append(character)
                if !hasPoint { point += 1 }
            }
        }
        let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(zeros)
        point += exponent - zeros
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if digits.isEmpty { (digits, point) = ([UInt8(ascii: "0")], 1) }
    }

    /// Appends the number.
    ///
    /// - Parameters:
    ///   - output: What the characters are appended to.
    ///   - forcesPoint: Whether an integer gets `.0`, as CBOR's diagnostic notation needs it.
    func append(to output: inout [UInt8], forcesPoint: Bool) {
        if isNegative { output.append(UInt8(ascii: "-")) }
        if point > 21 || point < -5 {
            output.append(digits[0])
            if digits.count > 1 || forcesPoint { output.append(UInt8(ascii: ".")) }
            output.append(contentsOf: digits.count > 1 ? digits[1...] : forcesPoint ? [UInt8(ascii: "0")] : [])
            output.append(contentsOf: "e\(point > 0 ? "+" : "")\(point - 1)".utf8)
        } else if point <= 0 {
            output.append(contentsOf: "0.".utf8)
            output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -point))
            output.append(contentsOf: digits)
        } else if point >= digits.count {
            output.append(contentsOf: digits)
            output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: point - digits.count))
            if forcesPoint { output.append(contentsOf: ".0".utf8) }
        } else {
            output.append(contentsOf: digits[..<point])
            output.append(UInt8(ascii: "."))
            output.append(contentsOf: digits[point...])
        }
    }
}
