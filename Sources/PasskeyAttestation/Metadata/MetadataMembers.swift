import PasskeyModel
import PasskeyWire

/// The members of one of metadata's objects.
///
/// Metadata is made by many and breaks its own rules here and there. What trust depends on must have its type and its
/// encoding; white space around base64 and padding that is there or not are let be. What only describes, and has
/// another type than it should, is read as absent: it stays in the object's JSON.
struct MetadataMembers {
    private let json: JSONValue
    private let path: String

    /// Takes an object, and what it is called in errors.
    init(_ json: JSONValue, _ path: String) throws(MetadataError) {
        self.json = json
        self.path = path
        guard json.object != nil else { throw fault("not an object") }
    }

    /// A member that is there and not `null`.
    subscript(name: String) -> JSONValue? {
        guard let member = json[name], !member.isNull else { return nil }
        return member
    }

    // MARK: What trust depends on

    func optional<Value>(_ name: String, _ value: (JSONValue) -> Value?) throws(MetadataError) -> Value? {
        guard let member = self[name] else { return nil }
        guard let found = value(member) else { throw fault("\(name) has another type") }
        return found
    }

    func required<Value>(_ name: String, _ value: (JSONValue) -> Value?) throws(MetadataError) -> Value {
        guard let found = try optional(name, value) else { throw fault("\(name) is missing") }
        return found
    }

    func strings(_ name: String) throws(MetadataError) -> [String]? {
        guard let array = try optional(name, \.array) else { return nil }
        var strings: [String] = []
        for element in array {
            guard let string = element.string else { throw fault("an element of \(name) is no text") }
            strings.append(string)
        }
        return strings
    }

    /// Certificates in base64.
    func certificates(_ name: String) throws(MetadataError) -> [[UInt8]]? {
        guard let strings = try strings(name) else { return nil }
        var certificates: [[UInt8]] = []
        for string in strings { certificates.append(try base64(string, name)) }
        return certificates
    }

    /// A certificate in base64; an empty text is none.
    func certificate(_ name: String) throws(MetadataError) -> [UInt8]? {
        guard let text = try optional(name, \.string), !text.isEmpty else { return nil }
        return try base64(text, name)
    }

    private func base64(_ text: String, _ name: String) throws(MetadataError) -> [UInt8] {
        do throws(WireError) {
            return try Base64.decodeTrimmed(text)
        } catch {
            throw fault("\(name): \(error)")
        }
    }

    func fault(_ detail: String) -> MetadataError {
        MetadataError(.malformed, "\(path): \(detail)")
    }

    // MARK: What only describes

    func string(_ name: String) -> String? { self[name]?.string }

    func texts(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }

    func version(_ name: String) -> UInt64? { self[name]?.int.flatMap { UInt64(exactly: $0) } }

    /// Texts by language tag.
    func languages(_ name: String) -> JSONObject {
        JSONObject(distinct: self[name]?.object?.members.filter { $0.value.string != nil } ?? [])
    }

    /// A day; the time of day that some write after it is dropped.
    func date(_ name: String) -> CalendarDate? {
        string(name).flatMap { CalendarDate(leading: $0) }
    }
}
