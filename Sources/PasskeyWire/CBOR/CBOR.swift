/// A CBOR data item as a tree (RFC 8949 §2), for making items and for taking small ones apart.
///
/// For bytes that come from outside prefer ``CBORDocument``, which copies nothing, or ``CBORReader``, which allocates
/// nothing. How a number or a length was encoded is not part of the value: signed bytes must be kept as they came, and
/// never be made again from a tree.
///
/// Two values are equal as RFC 8949 §5.6.1 says of map keys: pairs in any order, strings byte by byte, -0.0 equal to
/// 0.0, NaN equal to NaN with the same payload, and an integer never equal to a float or a bignum.
///
/// ```swift
/// let statement: CBOR = ["alg": -7, "sig": .bytes(signature)]
/// let encoded = try statement.encoded(.ctap2)
/// ```
public enum CBOR: Sendable {
    /// Major type 0: the integers 0...2⁶⁴-1.
    case unsigned(UInt64)
    /// Major type 1: the integer -1 - n, so that `.negative(0)` is -1 and `.negative(.max)` is -2⁶⁴.
    case negative(UInt64)
    /// Major type 2: a byte string.
    case bytes([UInt8])
    /// Major type 3: a text string.
    case text(String)
    /// Major type 4: an array.
    case array([CBOR])
    /// Major type 5: a map, its pairs in the order in which they came or were given.
    case map([Entry])
    /// Major type 6: a tag number and what it stands before.
    indirect case tagged(UInt64, CBOR)
    /// Major type 7: a simple value; 20 to 23 are false, true, null and undefined, and 24 to 31 do not exist.
    case simple(UInt8)
    /// Major type 7: a floating-point number, whatever its width was.
    case float(Double)

    /// A key and its value.
    public struct Entry: Hashable, Sendable {
        /// The key, which may be of any type.
        public var key: CBOR
        /// The value.
        public var value: CBOR

        /// Makes a pair.
        ///
        /// - Parameters:
        ///   - key: The key.
        ///   - value: The value.
        public init(_ key: CBOR, _ value: CBOR) {
            self.key = key
            self.value = value
        }
    }

    /// What an encoded item is: the eight major types, with the two halves of the last one apart.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An integer from 0.
        case unsigned
        /// An integer below 0.
        case negative
        /// A byte string.
        case bytes
        /// A text string.
        case text
        /// An array.
        case array
        /// A map.
        case map
        /// A tag with its content.
        case tag
        /// A simple value such as `true` or `null`.
        case simple
        /// A floating-point number.
        case float
    }

    /// The depth limit that no caller can exceed, so that releasing a tree never exhausts a stack.
    public static let greatestMaximumDepth = 512

    /// The largest input in bytes, 2³¹-1: offsets are kept in 32 bits.
    public static let greatestEncodedCount = Int(Int32.max)
}

extension CBOR {
    /// The simple value `null`.
    public static var null: CBOR { .simple(22) }

    /// The simple value `undefined`.
    public static var undefined: CBOR { .simple(23) }

    /// The simple value `true` or `false`.
    ///
    /// - Parameter value: Which of them.
    /// - Returns: The simple value 20 or 21.
    public static func bool(_ value: Bool) -> CBOR { .simple(value ? 21 : 20) }

    /// An integer.
    ///
    /// - Parameter value: Any integer.
    public init(_ value: Int) {
        self = value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(~value))
    }

    /// The integer, if it is one and an `Int` can hold it exactly.
    public var int: Int? {
        switch self {
        case .unsigned(let value): Int(exactly: value)
        case .negative(let value): Int(exactly: value).map { ~$0 }
        default: nil
        }
    }

    /// The integer, if it is one and not negative.
    public var uint64: UInt64? {
        if case .unsigned(let value) = self { value } else { nil }
    }

    /// The content of a byte string.
    public var byteArray: [UInt8]? {
        if case .bytes(let value) = self { value } else { nil }
    }

    /// The content of a text string.
    public var string: String? {
        if case .text(let value) = self { value } else { nil }
    }

    /// The truth value, if it is one.
    public var bool: Bool? {
        switch self {
        case .simple(20): false
        case .simple(21): true
        default: nil
        }
    }

    /// Whether it is the simple value `null`.
    public var isNull: Bool {
        if case .simple(22) = self { true } else { false }
    }

    /// The floating-point number; an integer is none.
    public var double: Double? {
        if case .float(let value) = self { value } else { nil }
    }

    /// The elements of an array.
    public var elements: [CBOR]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The pairs of a map.
    public var entries: [Entry]? {
        if case .map(let value) = self { value } else { nil }
    }

    /// The value of a key in a map, or `nil` if this is no map or has no such key.
    ///
    /// The first of several equal keys is found, which only the mode `wellFormed` lets in.
    ///
    /// - Parameter key: A key of any type; literals are keys: `value["fmt"]`, `value[3]`.
    public subscript(key: CBOR) -> CBOR? {
        entries?.first { $0.key == key }?.value
    }
}

extension CBOR: ExpressibleByIntegerLiteral {
    /// Makes an integer.
    public init(integerLiteral value: Int) {
        self.init(value)
    }
}

extension CBOR: ExpressibleByStringLiteral {
    /// Makes a text string.
    public init(stringLiteral value: String) {
        self = .text(value)
    }
}

extension CBOR: ExpressibleByBooleanLiteral {
    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension CBOR: ExpressibleByFloatLiteral {
    /// Makes a floating-point number.
    public init(floatLiteral value: Double) {
        self = .float(value)
    }
}

extension CBOR: ExpressibleByArrayLiteral {
    /// Makes an array.
    public init(arrayLiteral elements: CBOR...) {
        self = .array(elements)
    }
}

extension CBOR: ExpressibleByDictionaryLiteral {
    /// Makes a map with the pairs in the order in which they stand.
    public init(dictionaryLiteral elements: (CBOR, CBOR)...) {
        self = .map(elements.map { Entry($0, $1) })
    }
}
