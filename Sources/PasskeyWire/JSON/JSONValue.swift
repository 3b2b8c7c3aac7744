/// A JSON value (RFC 8259).
///
/// ```swift
/// let options = try JSONValue(json: body)
/// let identifier = options["rp"]?["id"]?.string
/// ```
///
/// Two values are equal if their texts mean the same: members in any order, strings byte by byte, numbers by their
/// digits.
public enum JSONValue: Sendable {
    /// `null`, which is not the same as an absent member.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, with its digits as they were sent.
    case number(JSONNumber)
    /// A string, unescaped.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, its members in order.
    case object(JSONObject)

    /// The depth limit that no caller can exceed, so that releasing a value never exhausts a stack.
    public static let greatestMaximumDepth = 512
}

extension JSONValue {
    /// A number that is an integer.
    ///
    /// - Parameter value: Any integer.
    public init(_ value: Int) {
        self = .number(JSONNumber(value))
    }

    /// Whether it is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The string, if it is one.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The truth value, if it is one.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, if it is one.
    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The integer, if it is a number whose value is one and an `Int` can hold it exactly.
    public var int: Int? { number?.int }

    /// The nearest double, if it is a number and not too large.
    public var double: Double? { number?.double }

    /// The elements, if it is an array.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, if it is an object.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The value of a member, or `nil` if this is no object or has no such member.
    ///
    /// - Parameter name: The name, unescaped.
    public subscript(name: String) -> JSONValue? { object?[name] }
}

extension JSONValue: Hashable {
    /// Whether two values are equal.
    ///
    /// - Complexity: Linear, but for sorting members that stand in another order.
    public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
        // A list of what is still to be compared in place of recursion.
        var pending = [(lhs, rhs)]
        while let pair = pending.popLast() {
            switch pair {
            case (.null, .null): break
            case (.bool(let lhs), .bool(let rhs)): guard lhs == rhs else { return false }
            case (.number(let lhs), .number(let rhs)): guard lhs == rhs else { return false }
            case (.string(let lhs), .string(let rhs)): guard lhs.hasSameBytes(as: rhs) else { return false }
            case (.array(let lhs), .array(let rhs)):
                guard lhs.count == rhs.count else { return false }
                pending.append(contentsOf: zip(lhs, rhs))
            case (.object(let lhs), .object(let rhs)):
                guard lhs.count == rhs.count else { return false }
                var members = (lhs.members, rhs.members)
                if !zip(members.0, members.1).allSatisfy({ $0.name.hasSameBytes(as: $1.name) }) {
                    members = (sorted(members.0), sorted(members.1))
                }
                for (lhs, rhs) in zip(members.0, members.1) {
                    guard lhs.name.hasSameBytes(as: rhs.name) else { return false }
                    pending.append((lhs.value, rhs.value))
                }
            default: return false
            }
        }
        return true
    }

    private static func sorted(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
        members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Hashes the value so that equal values hash equally; of containers the kind and the size alone.
    ///
    /// - Parameter hasher: What takes the bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value.count)
        case .object(let value):
            hasher.combine(1)
            hasher.combine(value.count)
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral {
    /// Makes `null`.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// Makes a number.
    public init(integerLiteral value: Int) {
        self.init(value)
    }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Makes a number, or `null` for one that JSON cannot hold.
    public init(floatLiteral value: Double) {
        self = JSONNumber(value).map { .number($0) } ?? .null
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    /// Makes a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// Makes an array.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Makes an object; of several members with one name the last one's value is kept.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
}
