/// A JSON object: members in order, no name twice.
///
/// Names are compared byte by byte after unescaping, so that `é` in one code point and in two are two names.
public struct JSONObject: Sendable {
    /// A name and its value.
    public struct Member: Hashable, Sendable {
        /// The name, unescaped.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// Makes a member.
        ///
        /// - Parameters:
        ///   - name: The name, unescaped.
        ///   - value: The value.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }

        /// Whether name and value are equal, the name byte by byte.
        public static func == (lhs: Member, rhs: Member) -> Bool {
            lhs.name.hasSameBytes(as: rhs.name) && lhs.value == rhs.value
        }
    }

    /// The members in the order in which they came or were set.
    public private(set) var members: [Member] = []

    /// An object with no members.
    public init() {}

    /// Takes members whose names are known to differ.
    package init(distinct members: [Member]) {
        self.members = members
    }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a member, or `nil` if there is none; setting `nil` removes it.
    ///
    /// A new member is added at the end, an existing one keeps its place. A member whose value is `null` is there:
    /// its value is ``JSONValue/null``.
    ///
    /// - Parameter name: The name, unescaped.
    /// - Complexity: Linear in the number of members.
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name.hasSameBytes(as: name) }?.value }
        set {
            let index = members.firstIndex { $0.name.hasSameBytes(as: name) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name, value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: Sequence {
    /// Reads the members in order.
    public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

extension JSONObject: Hashable {
    /// Whether both have the same members, in any order.
    public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
        JSONValue.object(lhs) == JSONValue.object(rhs)
    }

    /// Hashes the object so that equal ones hash equally.
    ///
    /// - Parameter hasher: What takes the bytes.
    public func hash(into hasher: inout Hasher) {
        JSONValue.object(self).hash(into: &hasher)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object; of several members with one name the last one's value is kept.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (name, value) in elements { self[name] = value }
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as compact JSON.
    public var description: String { JSONValue.object(self).description }
}
