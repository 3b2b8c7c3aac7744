import Foundation
import PasskeyVectors
import PasskeyWire
import Testing

/// Cases out of the package's own files, as inputs of other commands.
enum VectorCases {
    /// A registration with an attestation object of the format `none`.
    static func registration() throws -> JSONValue { try input("cd-rehash-067-01") }

    /// A sign-in, with its record.
    static func authentication() throws -> JSONValue { try input("count-zero-100-01") }

    /// A registration with a packed statement, a certificate and one intermediate, and the root as trust anchor.
    static func attestation() throws -> JSONValue { try input("att-root-in-x5c-114-05") }

    static func bytes(_ path: String..., in json: JSONValue) throws -> [UInt8] {
        let value = path.reduce(json) { (value: JSONValue?, name) in value?[name] }
        return try Base64URL.decode(try #require(value?.string))
    }

    private static func input(_ id: String) throws -> JSONValue {
        let file = try JSONValue(json: Vectors.bytes(Vectors.cases + "/reports-ceremonies.json"), maximumDepth: 64)
        let found = file["cases"]?.array?.first { $0["id"]?.string == id }
        return try #require(found?["input"])
    }
}

extension JSONValue {
    /// The same value with another string at a path of members.
    func setting(_ path: String..., to text: String) -> JSONValue { setting(path[...], to: text) }

    private func setting(_ path: ArraySlice<String>, to text: String) -> JSONValue {
        guard let name = path.first else { return .string(text) }
        guard case .object(var object) = self else { return self }
        object[name] = (object[name] ?? .null).setting(path.dropFirst(), to: text)
        return .object(object)
    }

    var text: String { String(decoding: serialized(), as: UTF8.self) }
}
