import Foundation
import PasskeyWire
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test("literals and accessors")
    func literals() {
        let value: JSONValue = ["a": [1, -2.5, "x", true, nil], "b": ["c": .init(floatLiteral: .infinity)]]
        #expect(value.description == #"{"a":[1,-2.5,"x",true,null],"b":{"c":null}}"#)
        #expect(value["a"]?.array?.map(\.int) == [1, nil, nil, nil, nil])
        #expect(value["a"]?.array?[1].double == -2.5)
        #expect(value["a"]?.array?[2].string == "x")
        #expect(value["a"]?.array?[3].bool == true)
        #expect(value["a"]?.array?[4].isNull == true)
        #expect(value["b"]?["c"]?.isNull == true)
        #expect(value["b"]?["d"] == nil)
        #expect(value["a"]?["a"] == nil)
        #expect(value.object?.count == 2)
        #expect(value.isNull == false)
        #expect(value.string == nil)
        #expect(value.bool == nil)
        #expect(value.number == nil)
        #expect(value.array == nil)
        #expect(JSONValue(7).number == 7)
        #expect(JSONValue.string("").object == nil)
    }

    @Test("pretty and compact text")
    func serializing() throws {
        let value: JSONValue = ["a": [1, [:], []], "b": ["c": "\u{1}\u{8}\u{c}\"\\/é\u{2028}"]]
        let expected = """
            {
              "a": [
                1,
                {},
                []
              ],
              "b": {
                "c": "\\u0001\\b\\f\\"\\\\/é\u{2028}"
              }
            }
            """
        #expect(String(decoding: value.serialized(pretty: true), as: UTF8.self) == expected)
        #expect(value.description == "{\"a\":[1,{},[]],\"b\":{\"c\":\"\\u0001\\b\\f\\\"\\\\/é\u{2028}\"}}")
        #expect(value.object?.serialized() == value.serialized())
        #expect(value.object?.description == value.description)
    }

    @Test("equality is by meaning, and by bytes")
    func equality() {
        #expect(["a": 1, "b": [2, ["c": 3, "d": 4]]] as JSONValue == ["b": [2, ["d": 4, "c": 3]], "a": 1])
        #expect((["a": 1, "b": 2] as JSONValue).hashValue == (["b": 2, "a": 1] as JSONValue).hashValue)
        #expect((["a": 1, "b": 2] as JSONObject) == ["b": 2, "a": 1])
        #expect((["a": 1, "b": 2] as JSONObject).hashValue == (["b": 2, "a": 1] as JSONObject).hashValue)
        let different: [(JSONValue, JSONValue)] = [
            (nil, false), (true, false), (1, 2), (1, "1"), ("\u{e9}", "e\u{301}"), ([], [:]), ([1], [2]),
            ([1], [1, 1]),
            (["a": 1], ["b": 1]), (["a": 1], ["a": 2]), (["a": 1], ["a": 1, "b": 1]), (["\u{e9}": 1], ["e\u{301}": 1]),
            (.number(JSONNumber(1)), 1.5),
        ]
        for (left, right) in different { #expect(left != right) }
        let same: [JSONValue] = [nil, true, 1, "a", [1], ["a": 1]]
        for value in same { #expect(Set([value, value]).count == 1) }
        #expect(JSONObject.Member("a", 1) == JSONObject.Member("a", 1))
        #expect(JSONObject.Member("\u{e9}", 1) != JSONObject.Member("e\u{301}", 1))
    }

    @Test("a deep value is compared, hashed and written without recursion")
    func deep() {
        var value: JSONValue = 0
        for _ in 0..<2000 { value = ["a": [value]] }
        #expect(value == value)
        #expect(value.hashValue == value.hashValue)
        #expect(value.serialized().count == 2000 * 8 + 1)
    }

    @Test("members keep their order")
    func object() {
        var object: JSONObject = ["b": 1, "a": 2, "b": 3]
        #expect(object.members.map(\.name) == ["b", "a"])
        #expect(object["b"] == 3)
        object["c"] = .null
        object["a"] = 4
        #expect(object.map(\.name) == ["b", "a", "c"])
        object["b"] = nil
        object["x"] = nil
        #expect(object.members == [.init("a", 4), .init("c", nil)])
        #expect(object["c"]?.isNull == true)
        #expect(!object.isEmpty)
        #expect(JSONObject().isEmpty)
        // Names are told apart by their bytes.
        object["e\u{301}"] = 1
        object["\u{e9}"] = 2
        #expect(object.count == 4)
    }

    @Test("Codable is a bridge to other formats")
    func codable() throws {
        let text = #"{"a":[1,-2,18446744073709551615,1.5,"x",true,null,{},[]],"b":{"c":[[1]]}}"#
        let value = try JSONValue(json: text)
        let decoded = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(decoded == value)
        #expect(try JSONDecoder().decode(JSONObject.self, from: Data(text.utf8)) == value.object)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try JSONValue(json: [UInt8](encoder.encode(value))) == value)
        #expect(try encoder.encode(value.object) == encoder.encode(value))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONObject.self, from: Data("[]".utf8)) }
        #expect(throws: EncodingError.self) { try encoder.encode([JSONValue(json: "1e400")]) }
        let lenient = JSONDecoder()
        lenient.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        #expect(try lenient.decode(JSONValue.self, from: Data("\"inf\"".utf8)) == "inf")
        // A decoder that knows infinity, which JSON does not.
        #expect(throws: DecodingError.self) { try JSONValue(from: SingleValueDecoder(value: .infinity)) }
        #expect(try JSONValue(from: SingleValueDecoder(value: 0.5)) == 0.5)
    }

    /// A decoder of one double.
    private struct SingleValueDecoder: Decoder, SingleValueDecodingContainer {
        let value: Double
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw mismatch }
        func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch }
        func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
        func decodeNil() -> Bool { false }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            guard let value = value as? Value else { throw mismatch }
            return value
        }

        private var mismatch: DecodingError {
            .typeMismatch(Double.self, DecodingError.Context(codingPath: [], debugDescription: ""))
        }
    }
}

@Suite("JSON numbers")
struct JSONNumberTests {
    static let integers: [(text: String, value: Int?)] = [
        ("0", 0), ("-0", 0), ("-0.000e99", 0), ("1", 1), ("-1", -1), ("6e4", 60000), ("60000.0", 60000),
        ("6.0E+4", 60000),
        ("600000e-1", 60000), ("1.5", nil), ("15e-1", nil), ("1.5e1", 15), ("0.00015e5", 15), ("0.00015e4", nil),
        ("9223372036854775807", .max), ("9223372036854775808", nil), ("-9223372036854775808", .min),
        ("-9223372036854775809", nil), ("9.223372036854775807e18", .max), ("1e18", 1_000_000_000_000_000_000),
        ("1e19", nil),
        ("1e999999999999999999999", nil), ("1e-999999999999999999999", nil), ("0e999999999999999999999", 0),
        ("1000000000000000000000e-21", 1), ("0.000000000000000000001e21", 1), ("123456789012345678901234567890", nil),
        ("1e9223372036854775807", nil), ("1.5e-9223372036854775808", nil), ("10e-9223372036854775807", nil),
        ("100e9223372036854775807", nil),
    ]

    @Test("an integer in any form, exactly or not at all", arguments: integers)
    func int(_ text: String, _ value: Int?) throws {
        let number = try #require(JSONNumber(text))
        #expect(number.int == value)
        #expect(try JSONValue(json: text).int == value)
        #expect(number.text == text)
        #expect(number.description == text)
    }

    @Test("only JSON's form is a number")
    func form() {
        for text in ["", "-", "+1", "01", "1.", ".5", "1e", "1e+", " 1", "1 ", "0x1", "NaN", "١", "1,0", "1e1.0"] {
            #expect(JSONNumber(text) == nil)
        }
        for text in ["0", "-0.0", "1e5", "1E-5", "10.01e+10"] { #expect(JSONNumber(text)?.text == text) }
    }

    @Test("doubles")
    func double() {
        #expect(JSONNumber("1e400")?.double == nil)
        #expect(JSONNumber("-1.5e3")?.double == -1500)
        #expect(JSONNumber("0.1")?.double == 0.1)
        #expect(JSONNumber(42) == 42)
        #expect(JSONNumber(1) != JSONNumber("1.0"))
    }
}
