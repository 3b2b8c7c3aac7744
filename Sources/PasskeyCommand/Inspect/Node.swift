import PasskeyWire

/// A part of what is inspected: a line for people, a member for programs.
struct Node: Sendable {
    var name: String

    /// Where it begins, in the bytes that were inspected.
    var offset: Int?

    /// What follows the name on its line.
    var text: String

    /// Its value for programs, unless it has children; `nil` for a line that only helps people.
    var json: JSONValue?

    var children: [Node]

    init(_ name: String, at offset: Int? = nil, _ text: String, json: JSONValue? = nil, children: [Node] = []) {
        self.name = name
        self.offset = offset
        self.text = text
        self.json = json
        self.children = children
    }

    /// Text out of the input.
    static func text(_ name: String, at offset: Int? = nil, _ value: String) -> Node {
        Node(name, at: offset, visible(value), json: .string(value))
    }

    /// Bytes: hexadecimal for people, base64url for programs, as WebAuthn has it.
    static func bytes(_ name: String, at offset: Int? = nil, _ value: [UInt8], _ note: String = "") -> Node {
        let text = value.isEmpty ? "empty" : Hex.encode(value)
        return Node(name, at: offset, text + note, json: .string(Base64URL.encode(value)))
    }

    /// A number, with the name that stands behind it.
    static func number(_ name: String, at offset: Int? = nil, _ value: Int, meaning: String?) -> Node {
        let number = JSONValue.number(JSONNumber(value))
        guard let meaning else { return Node(name, at: offset, "\(value)", json: number) }
        return Node(
            name,
            at: offset,
            "\(value) (\(meaning))",
            json: .object(["value": number, "name": .string(meaning)])
        )
    }

    private var hasValue: Bool { json != nil || children.contains(where: \.hasValue) }

    /// The whole as JSON: the children's object, with their offsets beside them.
    var value: JSONValue {
        guard !children.isEmpty else { return json ?? .null }
        var object = JSONObject()
        var offsets = JSONObject()
        for child in children where child.hasValue {
            object[child.name] = child.value
            if let offset = child.offset { offsets[child.name] = .number(JSONNumber(offset)) }
        }
        if !offsets.members.isEmpty { object["offsets"] = .object(offsets) }
        return .object(object)
    }

    /// The lines for people: the offset in a column of its own, then the part, indented as deep as it lies.
    func lines(_ console: Console, depth: Int = 0) -> [String] {
        let place = offset.map(String.init) ?? ""
        let column = String(repeating: " ", count: max(0, 7 - place.count)) + place
        let indent = String(repeating: "  ", count: depth + 1)
        let line = console.styled(column, .dim) + indent + console.styled(name + ":", .bold)
        return [text.isEmpty ? line : line + " " + text]
            + children.flatMap { $0.lines(console, depth: depth + 1) }
    }

    /// The same part of something larger.
    func moved(by distance: Int) -> Node {
        var node = self
        node.offset = offset.map { $0 + distance }
        node.children = children.map { $0.moved(by: distance) }
        return node
    }
}

/// What was recognised.
struct Finding: Sendable {
    /// What it is, such as `attestation object`.
    var kind: String

    var parts: [Node]

    /// What is wrong with it, if it was recognised and cannot be right.
    var fault: String?

    init(_ kind: String, _ parts: [Node], fault: String? = nil) {
        self.kind = kind
        self.parts = parts
        self.fault = fault
    }

    /// The parts as those of something larger.
    func node(_ name: String, at offset: Int? = nil, _ text: String) -> Node {
        Node(name, at: offset, text, children: allParts.map { $0.moved(by: offset ?? 0) })
    }

    /// The parts, with the fault as the first.
    var allParts: [Node] {
        (fault.map { [Node("fault", visible($0), json: .string($0))] } ?? []) + parts
    }
}
