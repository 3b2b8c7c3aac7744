import Foundation
import PasskeyModel
import Testing

/// What the options and extension tests share.
enum OptionsFixture {
    static let challenge = "AAECAwQFBgcICQoLDA0ODw"

    static let creation = """
        {"rp":{"name":"Example","id":"example.com"},"user":{"id":"dXNlcjEyMw","name":"ada","displayName":"Ada"},\
        "challenge":"\(challenge)","pubKeyCredParams":[{"type":"public-key","alg":-7}]}
        """

    static let request = #"{"challenge":"\#(challenge)"}"#

    /// Reads JSON text.
    static func value(_ json: String) throws -> JSONValue {
        try JSONValue(json: [UInt8](json.utf8))
    }

    /// An object with one member changed, or taken away where the text is `nil`.
    static func replacing(_ path: [String], with text: String?, in json: String) throws -> String {
        let new = try text.map(value)
        func replace(_ path: ArraySlice<String>, in value: JSONValue) -> JSONValue {
            guard let name = path.first, case .object(let object) = value else { return new ?? .null }
            var result = JSONObject()
            for member in object.members where member.name != name { result[member.name] = member.value }
            if path.count > 1 || new != nil {
                result[name] = replace(path.dropFirst(), in: object[name] ?? .object(JSONObject()))
            }
            return .object(result)
        }
        return try String(decoding: replace(path[...], in: value(json)).serialized(), as: UTF8.self)
    }
}

extension JSONRepresentable {
    /// The JSON text, for comparison.
    var text: String { String(decoding: jsonBytes(), as: UTF8.self) }

    /// What the strict reader says of a text: the error, or `nil` where it is accepted.
    static func refusal(of json: String) -> ModelError? {
        do throws(ModelError) {
            _ = try Self(json: json)
            return nil
        } catch {
            return error
        }
    }

    /// Whether the value survives its own JSON, and Foundation's coders.
    func roundTrips() throws -> Bool {
        let read = try Self(json: jsonBytes())
        let decoded = try JSONDecoder().decode(Self.self, from: Data(jsonBytes()))
        let coded = try JSONDecoder().decode(Self.self, from: JSONEncoder().encode(self))
        return read == self && decoded == self && coded == self
    }
}
