/// RFC 8949 Appendix C, written down as it stands there: slow, recursive, and for small inputs alone.
struct ReferenceDecoder {
    struct Failure: Error {}

    private let data: [UInt8]
    private(set) var position = 0

    init(_ data: [UInt8]) {
        self.data = data
    }

    private mutating func take(_ count: UInt64) throws -> ArraySlice<UInt8> {
        guard count <= UInt64(data.count - position) else { throw Failure() }
        defer { position += Int(count) }
        return data[position..<position + Int(count)]
    }

    private func uint(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// `well_formed(breakable)`: the major type, or -1 for a "break", or 99 for an indefinite length.
    @discardableResult
    mutating func wellFormed(breakable: Bool = false) throws -> Int {
        let initial = uint(try take(1))
        let majorType = initial >> 5
        let information = initial & 0x1f
        var value = information
        switch information {
        case 24: value = uint(try take(1))
        case 25: value = uint(try take(2))
        case 26: value = uint(try take(4))
        case 27: value = uint(try take(8))
        case 28, 29, 30: throw Failure()
        case 31: return try wellFormedIndefinite(majorType, breakable)
        default: break
        }
        switch majorType {
        case 2, 3: _ = try take(value)
        case 4:
            var index: UInt64 = 0
            while index < value {
                try wellFormed()
                index += 1
            }
        case 5:
            var index: UInt64 = 0
            while index < value {
                try wellFormed()
                try wellFormed()
                index += 1
            }
        case 6: try wellFormed()
        case 7: if information == 24, value < 32 { throw Failure() }
        default: break
        }
        return Int(majorType)
    }

    private mutating func wellFormedIndefinite(_ majorType: UInt64, _ breakable: Bool) throws -> Int {
        switch majorType {
        case 2, 3:
            while true {
                let type = try wellFormed(breakable: true)
                if type == -1 { break }
                guard type == Int(majorType) else { throw Failure() }
            }
        case 4: while try wellFormed(breakable: true) != -1 {}
        case 5: while try wellFormed(breakable: true) != -1 { try wellFormed() }
        case 7:
            guard breakable else { throw Failure() }
            return -1
        default: throw Failure()
        }
        return 99
    }
}

/// A value as the generator below makes it, with simple recursive code to compare the library's with.
indirect enum ReferenceItem: Sendable {
    case integer(isNegative: Bool, UInt64)
    case string(isText: Bool, [UInt8])
    case array([ReferenceItem])
    case map([(ReferenceItem, ReferenceItem)])
    case tag(UInt64, ReferenceItem)
    case simple(UInt8)
    /// One of `ReferenceFloat.all`.
    case float(ReferenceFloat)

    /// RFC 8949 §5.6.1, pair by pair.
    static func areEqual(_ lhs: ReferenceItem, _ rhs: ReferenceItem) -> Bool {
        switch (lhs, rhs) {
        case (.integer(let lhsSign, let lhs), .integer(let rhsSign, let rhs)): lhsSign == rhsSign && lhs == rhs
        case (.string(let lhsType, let lhs), .string(let rhsType, let rhs)): lhsType == rhsType && lhs == rhs
        case (.array(let lhs), .array(let rhs)): lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { areEqual($0, $1) }
        case (.map(let lhs), .map(let rhs)):
            lhs.count == rhs.count
                && lhs.allSatisfy { pair in rhs.contains { areEqual($0.0, pair.0) && areEqual($0.1, pair.1) } }
                && rhs.allSatisfy { pair in lhs.contains { areEqual($0.0, pair.0) && areEqual($0.1, pair.1) } }
        case (.tag(let lhsNumber, let lhs), .tag(let rhsNumber, let rhs)):
            lhsNumber == rhsNumber && areEqual(lhs, rhs)
        case (.simple(let lhs), .simple(let rhs)): lhs == rhs
        case (.float(let lhs), .float(let rhs)): lhs.value == rhs.value || lhs.value.isNaN && rhs.value.isNaN
        default: false
        }
    }

    var hasDuplicates: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasDuplicates)
        case .map(let pairs):
            pairs.contains { $0.0.hasDuplicates || $0.1.hasDuplicates }
                || pairs.indices.contains { index in pairs[..<index].contains { Self.areEqual($0.0, pairs[index].0) } }
        case .tag(_, let content): content.hasDuplicates
        default: false
        }
    }

    var hasTags: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasTags)
        case .map(let pairs): pairs.contains { $0.0.hasTags || $0.1.hasTags }
        case .tag: true
        default: false
        }
    }

    /// The levels of arrays and maps, and of tags if these count.
    func depth(countingTags: Bool) -> Int {
        switch self {
        case .array(let elements): 1 + (elements.map { $0.depth(countingTags: countingTags) }.max() ?? 0)
        case .map(let pairs):
            1 + (pairs.flatMap { [$0.0, $0.1] }.map { $0.depth(countingTags: countingTags) }.max() ?? 0)
        case .tag(_, let content): (countingTags ? 1 : 0) + content.depth(countingTags: countingTags)
        default: 0
        }
    }

    /// The form of RFC 8949 §4.2.1, or of CTAP2, which keeps the widths of floats unless they are shortest by chance.
    func canonical(ctap2: Bool, shortestFloats: Bool = false) -> [UInt8] {
        func canonical(_ item: ReferenceItem) -> [UInt8] {
            item.canonical(ctap2: ctap2, shortestFloats: shortestFloats)
        }
        switch self {
        case .integer(let isNegative, let value): return Self.head(isNegative ? 1 : 0, value)
        case .string(let isText, let content): return Self.head(isText ? 3 : 2, UInt64(content.count)) + content
        case .array(let elements):
            return Self.head(4, UInt64(elements.count)) + elements.flatMap { canonical($0) }
        case .map(let pairs):
            let encoded = pairs.map { (canonical($0.0), canonical($0.1)) }
            let sorted = encoded.sorted { lhs, rhs in
                guard ctap2 else { return lhs.0.lexicographicallyPrecedes(rhs.0) }
                if lhs.0[0] >> 5 != rhs.0[0] >> 5 { return lhs.0[0] >> 5 < rhs.0[0] >> 5 }
                if lhs.0.count != rhs.0.count { return lhs.0.count < rhs.0.count }
                return lhs.0.lexicographicallyPrecedes(rhs.0)
            }
            return Self.head(5, UInt64(pairs.count)) + sorted.flatMap { $0.0 + $0.1 }
        case .tag(let number, let content): return Self.head(6, number) + canonical(content)
        case .simple(let value): return value < 24 ? [0xe0 + value] : [0xf8, value]
        case .float(let float): return ctap2 && !shortestFloats ? float.encoded : float.shortest
        }
    }

    /// Appendix A's notation without regard to how the lengths were encoded.
    var notation: String {
        switch self {
        case .integer(false, let value): return "\(value)"
        case .integer(true, .max): return "-18446744073709551616"
        case .integer(true, let value): return "-\(value + 1)"
        case .string(false, let content):
            return "h'\(content.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
        case .string(true, let content): return "\"\(String(decoding: content, as: UTF8.self))\""
        case .array(let elements): return "[\(elements.map(\.notation).joined(separator: ", "))]"
        case .map(let pairs): return "{\(pairs.map { "\($0.0.notation): \($0.1.notation)" }.joined(separator: ", "))}"
        case .tag(let number, let content): return "\(number)(\(content.notation))"
        case .simple(20): return "false"
        case .simple(21): return "true"
        case .simple(22): return "null"
        case .simple(23): return "undefined"
        case .simple(let value): return "simple(\(value))"
        case .float(let float): return float.notation
        }
    }

    static func head(_ majorType: UInt8, _ argument: UInt64) -> [UInt8] {
        head(
            majorType,
            argument,
            width: argument < 24 ? 0 : argument < 1 << 8 ? 1 : argument < 1 << 16 ? 2 : argument < 1 << 32 ? 4 : 8
        )
    }

    static func head(_ majorType: UInt8, _ argument: UInt64, width: Int) -> [UInt8] {
        let information: UInt8 = [0: UInt8(argument & 0x1f), 1: 24, 2: 25, 4: 26, 8: 27][width] ?? 0
        return [majorType << 5 | information]
            + (0..<width).reversed().map { UInt8(truncatingIfNeeded: argument >> UInt64($0 * 8)) }
    }
}

/// A float in one width, with its shortest form and its notation written by hand.
struct ReferenceFloat: Sendable {
    var encoded: [UInt8]
    var shortest: [UInt8]
    var value: Double
    var notation: String

    static let all: [ReferenceFloat] = [
        .init(encoded: [0xf9, 0x3c, 0x00], shortest: [0xf9, 0x3c, 0x00], value: 1, notation: "1.0"),
        .init(encoded: [0xfa, 0x3f, 0x80, 0, 0], shortest: [0xf9, 0x3c, 0x00], value: 1, notation: "1.0"),
        .init(encoded: [0xfb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0], shortest: [0xf9, 0x3c, 0x00], value: 1, notation: "1.0"),
        .init(encoded: [0xf9, 0x00, 0x00], shortest: [0xf9, 0x00, 0x00], value: 0, notation: "0.0"),
        .init(encoded: [0xf9, 0x80, 0x00], shortest: [0xf9, 0x80, 0x00], value: -0.0, notation: "-0.0"),
        .init(encoded: [0xfa, 0x80, 0, 0, 0], shortest: [0xf9, 0x80, 0x00], value: -0.0, notation: "-0.0"),
        .init(encoded: [0xf9, 0x7e, 0x00], shortest: [0xf9, 0x7e, 0x00], value: .nan, notation: "NaN"),
        .init(encoded: [0xf9, 0xfe, 0x00], shortest: [0xf9, 0xfe, 0x00], value: .nan, notation: "NaN"),
        .init(
            encoded: [0xfa, 0x47, 0xc3, 0x50, 0x00],
            shortest: [0xfa, 0x47, 0xc3, 0x50, 0x00],
            value: 1e5,
            notation: "100000.0"
        ),
        .init(
            encoded: [0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a],
            shortest: [0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a],
            value: 1.1,
            notation: "1.1"
        ),
    ]
}

/// Makes items from a small set of values, so that equal keys are frequent, and encodings of every kind.
struct ReferenceGenerator {
    var random: XorShift

    mutating func item(depth: Int = 0) -> ReferenceItem {
        // The outermost item is a container, mostly.
        switch depth == 0 ? 7 + random.below(5) : random.below(depth < 4 ? 12 : 8) {
        case 0, 1: return .integer(isNegative: false, integer())
        case 2: return .integer(isNegative: true, integer())
        case 3: return .string(isText: false, string())
        case 4, 5: return .string(isText: true, string())
        case 6: return .simple([0, 19, 20, 21, 22, 23, 32, 255][random.below(8)])
        case 7: return .float(ReferenceFloat.all[random.below(ReferenceFloat.all.count)])
        case 8, 9: return .array((0..<random.below(4)).map { _ in item(depth: depth + 1) })
        case 10:
            var pairs: [(ReferenceItem, ReferenceItem)] = []
            for _ in 0..<random.below(4) {
                // One key in four is an earlier one, its own maps in another order.
                let key: ReferenceItem =
                    pairs.isEmpty || random.below(4) > 0
                    ? item(depth: depth + 1) : shuffled(pairs[random.below(pairs.count)].0)
                pairs.append((key, item(depth: depth + 1)))
            }
            return .map(pairs)
        default: return .tag(integer() | 4, item(depth: depth + 1))
        }
    }

    private mutating func shuffled(_ item: ReferenceItem) -> ReferenceItem {
        switch item {
        case .array(let elements): .array(elements.map { shuffled($0) })
        case .map(let pairs): .map(pairs.shuffled(using: &random).map { (shuffled($0.0), shuffled($0.1)) })
        case .tag(let number, let content): .tag(number, shuffled(content))
        default: item
        }
    }

    private mutating func integer() -> UInt64 {
        [0, 1, 2, 23, 24, 255, 256, 65536, 1 << 32, .max][random.below(10)]
    }

    private mutating func string() -> [UInt8] {
        (0..<random.below(4)).map { _ in UInt8(ascii: "a") + UInt8(random.below(2)) }
    }

    /// An encoding in a style: 0 is canonical but for the order of keys, higher ones vary more.
    mutating func encode(_ item: ReferenceItem, style: Int) -> [UInt8] {
        switch item {
        case .integer(let isNegative, let value): return head(isNegative ? 1 : 0, value, style)
        case .string(let isText, let content):
            let type: UInt8 = isText ? 3 : 2
            guard style > 1, random.below(3) == 0 else { return head(type, UInt64(content.count), style) + content }
            let cut = random.below(content.count + 1)
            return [type << 5 | 31] + head(type, UInt64(cut), style) + content[..<cut]
                + head(type, UInt64(content.count - cut), style) + content[cut...] + [0xff]
        case .array(let elements): return container(4, elements.map { encode($0, style: style) }, elements.count, style)
        case .map(let pairs):
            return container(
                5,
                pairs.map { encode($0.0, style: style) + encode($0.1, style: style) },
                pairs.count,
                style
            )
        case .tag(let number, let content): return head(6, number, style) + encode(content, style: style)
        case .simple, .float: return item.canonical(ctap2: true)
        }
    }

    private mutating func container(_ type: UInt8, _ parts: [[UInt8]], _ count: Int, _ style: Int) -> [UInt8] {
        guard style > 1, random.below(3) == 0 else { return head(type, UInt64(count), style) + parts.joined() }
        return [type << 5 | 31] + parts.joined() + [0xff]
    }

    private mutating func head(_ type: UInt8, _ argument: UInt64, _ style: Int) -> [UInt8] {
        let shortest = ReferenceItem.head(type, argument)
        guard style > 0, random.below(3) == 0 else { return shortest }
        let width = [1, 2, 4, 8][random.below(4)]
        return width + 1 > shortest.count ? ReferenceItem.head(type, argument, width: width) : shortest
    }
}
