/// Diagnostic notation (RFC 8949 §8) in the form of Appendix A, written without recursion.
///
/// Floats as ECMAScript writes them and always with a point, no width suffixes, text in ASCII with `\"`, `\\` and
/// `\uxxxx`. Tags 2 and 3 over a definite byte string of more than 8 bytes without a leading zero are decimal integers,
/// up to 8192 bits. Text that is not UTF-8, which only `wellFormed` lets in, is repaired.
struct CBORDiagnostic {
    private enum Frame {
        /// An array, or the chunks of a string, with the number of items so far.
        case list(count: Int, closer: UInt8)
        case map(count: Int)
        case tag
    }

    private var output: [UInt8] = []
    private var stack: [Frame] = []

    /// The notation of the validated item at an offset.
    static func text(of encoded: Span<UInt8>, at offset: Int) -> String {
        var notation = CBORDiagnostic()
        notation.write(encoded, at: offset)
        return String(decoding: notation.output, as: UTF8.self)
    }

    private mutating func write(_ encoded: Span<UInt8>, at offset: Int) {
        var cursor = CBORCursor(encoded, at: offset)
        while let event = cursor.next() {
            if case .close = event {
                close()
                endItem()
                continue
            }
            separate()
            if writeItem(event, encoded, &cursor) { endItem() }
        }
    }

    /// Writes a whole leaf, or opens what has content.
    ///
    /// - Returns: Whether the item is complete.
    private mutating func writeItem(
        _ event: CBORCursor.Event,
        _ encoded: Span<UInt8>,
        _ cursor: inout CBORCursor
    ) -> Bool {
        switch event {
        case .unsigned(let value): append("\(value)")
        case .negative(let value): appendNegative(value)
        case .bytes(let range): appendBytes(encoded, range)
        case .text(let range): appendText(encoded, range)
        case .byteChunks: return openChunks(&cursor, empty: "''_")
        case .textChunks: return openChunks(&cursor, empty: "\"\"_")
        case .array(let count): return open(count == nil ? "[_ " : "[", .list(count: 0, closer: UInt8(ascii: "]")))
        case .map(let count): return open(count == nil ? "{_ " : "{", .map(count: 0))
        case .tag(let number): return openTag(number, encoded, &cursor)
        case .simple(let value): append(Self.name(ofSimple: value))
        case .float(let value): append(value)
        case .close: break  // Taken before.
        }
        return true
    }

    // MARK: Structure

    /// Writes what stands between the item before and the next one.
    private mutating func separate() {
        switch stack.last {
        case .list(let count, let closer)?:
            if count > 0 { append(", ") }
            stack[stack.count - 1] = .list(count: count + 1, closer: closer)
        case .map(let count)?:
            if count > 0 { append(count.isMultiple(of: 2) ? ", " : ": ") }
            stack[stack.count - 1] = .map(count: count + 1)
        case .tag?, nil: break
        }
    }

    private mutating func open(_ text: String, _ frame: Frame) -> Bool {
        append(text)
        stack.append(frame)
        return false
    }

    private mutating func close() {
        switch stack.popLast() {
        case .list(_, let closer)?: output.append(closer)
        default: append("}")
        }
    }

    /// Ends the tags whose content has just ended.
    private mutating func endItem() {
        while case .tag? = stack.last {
            append(")")
            stack.removeLast()
        }
    }

    private mutating func openChunks(_ cursor: inout CBORCursor, empty: String) -> Bool {
        guard cursor.isAtEnd else { return open("(_ ", .list(count: 0, closer: UInt8(ascii: ")"))) }
        _ = cursor.next()
        append(empty)
        return true
    }

    /// Writes a bignum, or opens a tag.
    private mutating func openTag(_ number: UInt64, _ encoded: Span<UInt8>, _ cursor: inout CBORCursor) -> Bool {
        let head = cursor.head
        guard number == 2 || number == 3, head.majorType == 2, !head.isIndefinite,
            (9...UInt64(CBOR.greatestDecimalBignum)).contains(head.argument), encoded[head.end] != 0
        else {
            return open("\(number)(", .tag)
        }
        let bytes = [UInt8](copying: encoded.extracting(head.end..<head.end + head.count))
        output.append(contentsOf: CBOR.decimalDigits(of: bytes, isNegative: number == 3))
        _ = cursor.next()
        return true
    }

    // MARK: Leaves

    private mutating func append(_ text: String) {
        output.append(contentsOf: text.utf8)
    }

    private mutating func appendNegative(_ value: UInt64) {
        let (magnitude, overflow) = value.addingReportingOverflow(1)
        append(overflow ? "-18446744073709551616" : "-\(magnitude)")
    }

    private mutating func appendBytes(_ encoded: Span<UInt8>, _ range: Range<Int>) {
        append("h'")
        for index in range { Hex.append(encoded[index], to: &output) }
        append("'")
    }

    private mutating func appendText(_ encoded: Span<UInt8>, _ range: Range<Int>) {
        let text = String(decoding: [UInt8](copying: encoded.extracting(range)), as: UTF8.self)
        append("\"")
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5c:
                append("\\")
                output.append(UInt8(truncatingIfNeeded: unit))
            case 0x20...0x7e: output.append(UInt8(truncatingIfNeeded: unit))
            default:
                append("\\u")
                Hex.append(UInt8(truncatingIfNeeded: unit >> 8), to: &output)
                Hex.append(UInt8(truncatingIfNeeded: unit), to: &output)
            }
        }
        append("\"")
    }

    private mutating func append(_ value: Double) {
        if value.isNaN {
            append("NaN")
        } else if value.isInfinite {
            append(value < 0 ? "-Infinity" : "Infinity")
        } else {
            ECMAScriptNumber(value).append(to: &output, forcesPoint: true)
        }
    }

    private static func name(ofSimple value: UInt8) -> String {
        switch value {
        case 20: "false"
        case 21: "true"
        case 22: "null"
        case 23: "undefined"
        default: "simple(\(value))"
        }
    }
}

extension CBOR: CustomStringConvertible {
    /// Diagnostic notation (RFC 8949 §8), as ``CBORDocument/diagnostic`` writes it.
    public var diagnostic: String {
        let encoded = encodedAsGiven[...]
        return CBORDiagnostic.text(of: encoded.span, at: 0)
    }

    /// The same as ``diagnostic``.
    public var description: String { diagnostic }
}
