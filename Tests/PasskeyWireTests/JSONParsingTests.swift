import PasskeyWire
import Testing

/// Texts in the manner of JSONTestSuite: `y` must be taken, `n` must be refused.
@Suite("JSON texts, RFC 8259")
struct JSONParsingTests {
    static let accepted: [(text: String, compact: String)] = [
        ("null", "null"), ("true", "true"), (" false\n", "false"), ("0", "0"), ("-0", "-0"), ("-0.0e-1", "-0.0e-1"),
        ("123.456e+78", "123.456e+78"), ("1E5", "1E5"), ("\"\"", "\"\""), ("[]", "[]"), ("{}", "{}"), ("[ ]", "[]"),
        ("{ }", "{}"), ("\t[\r\n1 , 2 ]\t", "[1,2]"), ("[[],[[]],{}]", "[[],[[]],{}]"),
        ("{\"a\":{\"b\":[{}]}}", "{\"a\":{\"b\":[{}]}}"),
        (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#), (#""\u0041\u00e9\u6C34""#, "\"Aé水\""),
        (#""\ud83d\ude00""#, "\"😀\""),
        (#""\uDBFF\uDFFF""#, "\"\u{10ffff}\""), (#""\u0000\u001f""#, #""\u0000\u001f""#),
        (#""\u007f\u2028""#, "\"\u{7f}\u{2028}\""),
        ("\"\u{7f}\u{80}\u{ffff}\u{10ffff}\"", "\"\u{7f}\u{80}\u{ffff}\u{10ffff}\""), (#"{"":0}"#, #"{"":0}"#),
        (#"{"a":1,"A":2}"#, #"{"a":1,"A":2}"#), ("{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"\u{e9}\":1,\"e\u{301}\":2}"),
        (#"{"b":1,"a":2}"#, #"{"b":1,"a":2}"#), (#"["é\né"]"#, #"["é\né"]"#),
        ("1234567890123456789012345678901234567890", "1234567890123456789012345678901234567890"),
        (#"{"a\u0062":1}"#, #"{"ab":1}"#), (#""a\u0062c""#, #""abc""#),
    ]

    @Test("y", arguments: accepted)
    func accepts(_ text: String, _ compact: String) throws {
        let value = try JSONValue(json: text)
        #expect(value.description == compact)
        #expect(try JSONValue(json: value.serialized()) == value)
        #expect(try JSONValue(json: value.serialized(pretty: true)) == value)
        let padded = [0x5b] + [UInt8](text.utf8) + [0x5d]
        let slice = padded[1..<padded.count - 1]
        #expect(try JSONValue(json: slice) == value)
        #expect(try JSONValue(json: slice.span) == value)
        #expect(try JSONValue(json: Array(slice)) == value)
    }

    static let refused: [(text: String, code: WireError.Code, offset: Int)] = [
        ("", .truncated, 0), ("  ", .truncated, 2), ("nul", .truncated, 3), ("nulL", .unexpectedCharacter, 3),
        ("True", .unexpectedCharacter, 0), ("NaN", .unexpectedCharacter, 0), ("Infinity", .unexpectedCharacter, 0),
        ("undefined", .unexpectedCharacter, 0), ("'a'", .unexpectedCharacter, 0), ("null null", .trailingBytes, 5),
        ("nullx", .trailingBytes, 4), ("1 2", .trailingBytes, 2), ("[]]", .trailingBytes, 2),
        ("{}}", .trailingBytes, 2),
        ("[", .truncated, 1), ("[1", .truncated, 2), ("[1,", .truncated, 3), ("[,1]", .unexpectedCharacter, 1),
        ("[1,]", .unexpectedCharacter, 3), ("[1,,2]", .unexpectedCharacter, 3), ("[1 2]", .unexpectedCharacter, 3),
        ("[1}", .unexpectedCharacter, 2), ("{", .truncated, 1), ("{]", .unexpectedCharacter, 1),
        ("{1:2}", .unexpectedCharacter, 1),
        ("{\"a\"}", .unexpectedCharacter, 4), ("{\"a\" 1}", .unexpectedCharacter, 5),
        ("{\"a\":}", .unexpectedCharacter, 5),
        ("{\"a\":1,}", .unexpectedCharacter, 7), ("{\"a\":1", .truncated, 6), ("{\"a\":1]", .unexpectedCharacter, 6),
        ("{\"a\":1 \"b\":2}", .unexpectedCharacter, 7), ("{a:1}", .unexpectedCharacter, 1),
        ("{\"a\":1,'b':2}", .unexpectedCharacter, 7),
        ("[1]//", .trailingBytes, 3), ("/**/1", .unexpectedCharacter, 0), ("\u{feff}1", .unexpectedCharacter, 0),
        ("\u{a0}1", .unexpectedCharacter, 0), ("\u{b}1", .unexpectedCharacter, 0), ("+1", .unexpectedCharacter, 0),
        (".5", .unexpectedCharacter, 0), ("-", .invalidNumber, 0), ("01", .invalidNumber, 0),
        ("-01", .invalidNumber, 0),
        ("00", .invalidNumber, 0), ("1.", .invalidNumber, 0), ("1.e1", .invalidNumber, 0), ("1e", .invalidNumber, 0),
        ("1e+", .invalidNumber, 0), ("1e1.5", .invalidNumber, 0), ("--1", .invalidNumber, 0), ("1-", .invalidNumber, 0),
        ("1.2.3", .invalidNumber, 0), ("[-]", .invalidNumber, 1), ("1e1e1", .invalidNumber, 0),
        ("0x1", .trailingBytes, 1),
        ("1_000", .trailingBytes, 1), ("\"", .truncated, 1), ("\"a", .truncated, 2), ("\"\\", .truncated, 2),
        ("\"\\\"", .truncated, 3), ("\"\\x41\"", .invalidEscape, 1), ("\"\\'\"", .invalidEscape, 1),
        ("\"\\0\"", .invalidEscape, 1),
        ("\"\\U0041\"", .invalidEscape, 1), ("\"\\u004\"", .invalidEscape, 1), ("\"\\u004g\"", .invalidEscape, 1),
        ("\"\\u00", .truncated, 5), ("\"a\\u{41}\"", .invalidEscape, 2), ("\"\\ud83d\"", .loneSurrogate, 1),
        ("\"\\ude00\"", .loneSurrogate, 1), ("\"\\ud83d\\u0041\"", .loneSurrogate, 1),
        ("\"\\ud83dx\"", .loneSurrogate, 1),
        ("\"\\ud83d\\n\"", .loneSurrogate, 1), ("\"\\ud83d\\ud83d\"", .loneSurrogate, 1),
        ("\"\\ud83d\\u12\"", .invalidEscape, 7),
        ("\"\\ude00\\ud83d\"", .loneSurrogate, 1), ("\"\n\"", .controlCharacter, 1), ("\"a\tb\"", .controlCharacter, 2),
        ("\"\\n\u{0}\"", .controlCharacter, 3), ("{\"a\":1,\"a\":1}", .duplicateKey, 7),
        ("{\"a\":1,\"\\u0061\":2}", .duplicateKey, 7),
        ("{\"\":1,\"\":2}", .duplicateKey, 6), ("[{\"\u{e9}\":1,\"\\u00e9\":2}]", .duplicateKey, 9),
    ]

    @Test("n", arguments: refused)
    func refuses(_ text: String, _ code: WireError.Code, _ offset: Int) {
        let error = wireError { () throws(WireError) in try JSONValue(json: text) }
        #expect(error?.code == code)
        #expect(error?.offset == offset)
        let padded = [UInt8](" \(text)".utf8)
        let slice = wireError { () throws(WireError) in try JSONValue(json: padded[1...]) }
        #expect(slice == error)
    }

    @Test(
        "text must be UTF-8",
        arguments: ["80", "c3", "c080", "eda080", "f4908080", "f8888080", "e28c", "ff", "c328"]
    )
    func invalidUTF8(_ digits: String) throws {
        let bytes = try hex(digits)
        for prefix in [[0x61], [0x5c, 0x6e]] as [[UInt8]] {
            let text = [0x22] + prefix + bytes + [0x22]
            #expect(throws: WireError(.invalidUTF8, at: 1 + prefix.count)) { try JSONValue(json: text) }
            // And at the end of the input.
            #expect(throws: WireError.self) { try JSONValue(json: [0x22] + prefix + bytes) }
        }
        #expect(throws: WireError(.unexpectedCharacter, at: 0)) { try JSONValue(json: bytes) }
        #expect(throws: WireError(.unexpectedCharacter, at: 0)) { try JSONValue(json: [0xef, 0xbb, 0xbf, 0x31]) }
    }

    @Test("the depth limit is exact and counts arrays and objects alike")
    func depth() throws {
        #expect(try JSONValue(json: "[[0]]", maximumDepth: 2).array?.count == 1)
        #expect(throws: WireError(.tooDeep, at: 2, detail: "in [0][0]")) {
            try JSONValue(json: "[[[0]]]", maximumDepth: 2)
        }
        #expect(throws: WireError(.tooDeep, at: 6, detail: "in [0].a")) {
            try JSONValue(json: #"[{"a":[]}]"#, maximumDepth: 2)
        }
        #expect(throws: WireError(.tooDeep, at: 0)) { try JSONValue(json: "[]", maximumDepth: -1) }
        #expect(try JSONValue(json: "1", maximumDepth: 0).int == 1)
        let deep = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
        #expect(try JSONValue(json: deep(32)).array != nil)
        #expect(throws: WireError.self) { try JSONValue(json: deep(33)) }
        #expect(try JSONValue(json: deep(512), maximumDepth: .max).description.utf8.count == 1024)
        #expect(throws: WireError.self) { try JSONValue(json: deep(513), maximumDepth: .max) }
        #expect(throws: WireError.self) { try JSONValue(json: String(repeating: "[", count: 1_000_000)) }
        #expect(throws: WireError.self) { try JSONValue(json: String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test("an error says in which member it is")
    func path() throws {
        let error = wireError { () throws(WireError) in
            try JSONValue(json: #"{"x":1,"allowCredentials":[{},{"id":tru}]}"#)
        }
        #expect(error == WireError(.unexpectedCharacter, at: 39, detail: "in allowCredentials[1].id"))
        let duplicate = wireError { () throws(WireError) in try JSONValue(json: #"{"a":{"b":1,"b":2}}"#) }
        #expect(duplicate == WireError(.duplicateKey, at: 12, detail: "b in a"))
    }

    @Test("names are compared in linear time, however many and however alike")
    func manyNames() throws {
        let count = 20_000
        let members = (0..<count).map { #""name\#($0)":\#($0)"# }
        let object = try #require(try JSONValue(json: "{\(members.joined(separator: ","))}").object)
        #expect(object.count == count)
        #expect(object["name19999"]?.int == 19999)
        let duplicate = "{\(members.joined(separator: ",")),\"name12345\":0}"
        #expect(throws: WireError(.duplicateKey, at: duplicate.utf8.count - 14, detail: "name12345")) {
            try JSONValue(json: duplicate)
        }
        // Canonically equivalent names are different names and must not share a bucket.
        let marks = ["\u{301}", "\u{323}", "\u{327}", "\u{31b}", "\u{345}", "\u{5b0}", "\u{94d}"]
        var names: [String] = [""]
        for mark in marks { names += names.flatMap { name in [name + mark, mark + name] } }
        let unique = Dictionary(grouping: names) { [UInt8]($0.utf8) }.keys.map { String(decoding: $0, as: UTF8.self) }
        let text = "{\(unique.map { "\"a\($0)\":0" }.joined(separator: ","))}"
        #expect(try JSONValue(json: text).object?.count == unique.count)
    }

    @Test("random texts neither trap nor come back changed", arguments: 1...4)
    func random(_ seed: UInt64) {
        var random = XorShift(seed: seed)
        let parts = [
            "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b\"", "\\", "\\u00e9", "\\ud83d", "\\ude00", "0", "-1",
            "1.5e3", "true",
            "null", " ", "é", "\u{1}",
        ]
        for _ in 0..<4000 {
            var bytes = (0..<1 + random.below(8)).flatMap { _ in [UInt8](parts[random.below(parts.count)].utf8) }
            if random.below(4) == 0, let index = bytes.indices.randomElement(using: &random) {
                bytes[index] = UInt8(random.below(256))
            }
            guard let value = try? JSONValue(json: bytes) else { continue }
            #expect((try? JSONValue(json: value.serialized())) == value)
        }
    }
}
