package import PasskeyWire

/// The members of a JSON object, read with their types.
///
/// `null` is an absent member: WebIDL's JSON forms never need the difference, and clients send either.
package struct JSONMembers {
    private let object: JSONObject

    package init(_ json: JSONValue) throws(ModelError) {
        guard case .object(let object) = json else {
            throw ModelError(.wrongType, "expected an object, found \(json.kindName)")
        }
        self.object = object
    }

    /// The member, if it is there and not `null`.
    package subscript(name: String) -> JSONValue? {
        guard let value = object[name], value != .null else { return nil }
        return value
    }

    package func required(_ name: String) throws(ModelError) -> JSONValue {
        guard let value = self[name] else { throw ModelError(.missing, at: name, "the member is required") }
        return value
    }

    /// Members other than the named ones, as they came, `null` and all.
    package func others(than names: [String]) -> JSONObject {
        JSONObject(
            distinct: object.members.filter { member in !names.contains { $0.hasSameBytes(as: member.name) } }
        )
    }

    /// Reads a member with `read`, whose error then names the member.
    package func read<Value>(
        _ name: String,
        _ read: (JSONValue) throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        try JSONMembers.within(name, required(name), read)
    }

    package func readIfPresent<Value>(
        _ name: String,
        _ read: (JSONValue) throws(ModelError) -> Value
    ) throws(ModelError) -> Value? {
        guard let value = self[name] else { return nil }
        return try JSONMembers.within(name, value, read)
    }

    /// Reads the elements of an array member; an absent one has none.
    package func readElements<Value>(
        _ name: String,
        _ read: (JSONValue) throws(ModelError) -> Value
    ) throws(ModelError) -> [Value] {
        guard let value = self[name] else { return [] }
        return try JSONMembers.within(name, value) { (value) throws(ModelError) in
            try JSONMembers.elements(value, read)
        }
    }

    package func string(_ name: String) throws(ModelError) -> String { try read(name, JSONMembers.string) }
    package func bytes(_ name: String) throws(ModelError) -> [UInt8] { try read(name, JSONMembers.bytes) }
    package func int(_ name: String) throws(ModelError) -> Int { try read(name, JSONMembers.int) }
    package func bool(_ name: String) throws(ModelError) -> Bool { try read(name, JSONMembers.bool) }
    package func stringIfPresent(_ name: String) throws(ModelError) -> String? {
        try readIfPresent(name, JSONMembers.string)
    }
    package func bytesIfPresent(_ name: String) throws(ModelError) -> [UInt8]? {
        try readIfPresent(name, JSONMembers.bytes)
    }
    package func intIfPresent(_ name: String) throws(ModelError) -> Int? { try readIfPresent(name, JSONMembers.int) }
    package func boolIfPresent(_ name: String) throws(ModelError) -> Bool? {
        try readIfPresent(name, JSONMembers.bool)
    }

    package static func elements<Value>(
        _ value: JSONValue,
        _ read: (JSONValue) throws(ModelError) -> Value
    ) throws(ModelError) -> [Value] {
        guard case .array(let elements) = value else { throw wrongType("an array", value) }
        var result: [Value] = []
        for (index, element) in elements.enumerated() {
            result.append(try within("[\(index)]", element, read))
        }
        return result
    }

    package static func string(_ value: JSONValue) throws(ModelError) -> String {
        guard case .string(let text) = value else { throw wrongType("a string", value) }
        return text
    }

    package static func bool(_ value: JSONValue) throws(ModelError) -> Bool {
        guard case .bool(let flag) = value else { throw wrongType("true or false", value) }
        return flag
    }

    package static func int(_ value: JSONValue) throws(ModelError) -> Int {
        guard case .number(let number) = value else { throw wrongType("an integer", value) }
        guard let int = number.int else {
            throw ModelError(.outOfRange, "\(excerpt(number.text)) is not an integer that fits")
        }
        return int
    }

    /// Reads base64url without padding.
    package static func bytes(_ value: JSONValue) throws(ModelError) -> [UInt8] {
        let text = try string(value)
        do throws(WireError) {
            return try Base64URL.decode(text)
        } catch {
            throw ModelError(.invalid, "not base64url: \(error)")
        }
    }

    private static func within<Value>(
        _ name: String,
        _ value: JSONValue,
        _ read: (JSONValue) throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        do throws(ModelError) {
            return try read(value)
        } catch {
            throw error.within(name)
        }
    }

    private static func wrongType(_ expected: String, _ value: JSONValue) -> ModelError {
        ModelError(.wrongType, "expected \(expected), found \(value.kindName)")
    }
}

/// Collects the members of an object that is written: what is absent is left out, never `null`.
package struct JSONObjectWriter {
    private var members: [JSONObject.Member] = []

    package init() {}

    package mutating func write(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        members.append(JSONObject.Member(name, value))
    }

    package mutating func write(_ name: String, _ value: String?) {
        write(name, value.map { .string($0) })
    }

    package mutating func write(_ name: String, _ value: Bool?) {
        write(name, value.map { .bool($0) })
    }

    package mutating func write(_ name: String, _ value: Int?) {
        write(name, value.map { .number(JSONNumber($0)) })
    }

    package mutating func write(_ name: String, bytes: [UInt8]?) {
        write(name, bytes.map { .string(Base64URL.encode($0)) })
    }

    package var json: JSONValue { .object(JSONObject(distinct: members)) }
}

extension JSONValue {
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
