import PasskeyWire

/// Domain labels of other scripts in their A-form (RFC 3492), for lists that are written in Unicode.
enum DomainLabels {
    /// The domain with each label that is not ASCII as `xn--…`, and ASCII in lower case.
    ///
    /// The rest of IDNA's mapping is not done: the public suffix list is in its normal form already.
    ///
    /// - Parameter domain: UTF-8.
    /// - Returns: The domain; `nil` if it is not UTF-8, or a label is too long to be one.
    static func ascii(_ domain: ArraySlice<UInt8>) -> String? {
        guard firstInvalidUTF8(in: domain.span, from: 0, to: domain.count) == nil else { return nil }
        var labels: [String] = []
        for label in domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            let text = String(decoding: label, as: UTF8.self)
            if label.allSatisfy({ $0 < 0x80 }) {
                labels.append(text.lowercased())
            } else {
                guard let encoded = punycode(text.unicodeScalars.map(\.value)) else { return nil }
                labels.append("xn--" + encoded)
            }
        }
        return labels.joined(separator: ".")
    }

    /// RFC 3492 section 6.3, for the at most 63 code points that fit a label.
    private static func punycode(_ input: [UInt32]) -> String? {
        guard input.count <= 63 else { return nil }
        var output = String(String.UnicodeScalarView(input.compactMap { $0 < 0x80 ? Unicode.Scalar($0) : nil }))
        let basic = output.utf8.count
        if basic > 0 { output += "-" }
        var (code, delta, bias, handled) = (UInt32(0x80), 0, 72, basic)
        while handled < input.count, let next = input.filter({ $0 >= code }).min() {
            // 63 code points of at most 0x10FFFF: no product here comes near the end of Int.
            delta += Int(next - code) * (handled + 1)
            code = next
            for scalar in input {
                if scalar < code { delta += 1 }
                guard scalar == code else { continue }
                output += digits(delta, bias: bias)
                bias = adapt(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return output
    }

    /// A generalized variable-length integer (RFC 3492 section 3.3).
    private static func digits(_ value: Int, bias: Int) -> String {
        var (rest, text, k) = (value, "", 36)
        while true {
            let threshold = min(max(k - bias, 1), 26)
            guard rest >= threshold else { break }
            text.unicodeScalars.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            k += 36
        }
        text.unicodeScalars.append(digit(rest))
        return text
    }

    private static func digit(_ value: Int) -> Unicode.Scalar {
        Unicode.Scalar(UInt8(truncatingIfNeeded: value < 26 ? 0x61 + value : 0x30 + value - 26))
    }

    /// RFC 3492 section 6.1.
    private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var rest = isFirst ? delta / 700 : delta / 2
        rest += rest / count
        var k = 0
        while rest > 455 {
            rest /= 35
            k += 36
        }
        return k + 36 * rest / (rest + 38)
    }
}
