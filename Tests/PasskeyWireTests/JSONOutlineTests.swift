import PasskeyWire
import Testing

@Suite("Outlines of large JSON texts")
struct JSONOutlineTests {
    /// What the reader of whole texts says, and the outline of each number of levels: all must agree.
    private func expectAgreement(_ text: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let strict = wireError { () throws(WireError) in try JSONValue(json: text) }
        for levels in [0, 1, 3] {
            let outline = wireError { () throws(WireError) in try JSONOutline(text[...], levels: levels) }
            #expect(
                outline?.code == strict?.code && outline?.offset == strict?.offset,
                "\(String(decoding: text, as: UTF8.self)): \(String(describing: outline))",
                sourceLocation: sourceLocation
            )
        }
    }

    // MARK: The grammar

    @Test("it takes what the reader takes", arguments: JSONParsingTests.accepted.map(\.text))
    func accepts(_ text: String) throws {
        let bytes = [UInt8](text.utf8)
        expectAgreement(bytes)
        #expect(try JSONOutline(bytes[...], levels: 0).root.value() == JSONValue(json: bytes))
    }

    @Test("it refuses what the reader refuses, at the same place", arguments: JSONParsingTests.refused.map(\.text))
    func refuses(_ text: String) {
        expectAgreement([UInt8](text.utf8))
        // Below the levels that are kept, too.
        expectAgreement([UInt8]("[[{\"a\":\(text)}]]".utf8))
    }

    private static let samples = [
        #"{"legalHeader":"é\u00e9\ud83d\ude00","no":15,"nextUpdate":"2026-12-01","entries":[{"aaguid":"0132d110"},{}]}"#,
        #"[{"a":[1,-2.5e+3,true,false,null,"\"\\\/\b\f\n\r\t"],"b":{"":{},"c":[[],[[]]]}} , {"é":"水"}]"#,
        #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"\u006a":10,"k":{"a":[0]},"l":[{"a":{"a":{"a":1}}}]}"#,
    ]

    @Test("every truncation is judged alike", arguments: samples)
    func truncations(_ text: String) {
        let bytes = [UInt8](text.utf8)
        for count in 0...bytes.count { expectAgreement(Array(bytes[..<count])) }
    }

    @Test("random mutations are judged alike", arguments: samples)
    func mutations(_ text: String) {
        let bytes = [UInt8](text.utf8)
        // What means something to the grammar comes more often than chance would have it.
        let tokens =
            [UInt8](#"{}[],:"\/u0123456789abcdefE+-. tn"#.utf8) + [0, 0x0a, 0x1f, 0x7f, 0x80, 0xc3, 0xed, 0xff]
        var random = XorShift(seed: 0x5eed)
        var valid = 0
        for _ in 0..<1500 {
            var mutated = bytes
            for _ in 0...random.below(3) {
                let place = random.below(mutated.count)
                switch random.below(4) {
                case 0: mutated[place] = tokens[random.below(tokens.count)]
                case 1: mutated.insert(tokens[random.below(tokens.count)], at: place)
                case 2: mutated.remove(at: place)
                default:
                    let other = random.below(mutated.count)
                    mutated.insert(contentsOf: mutated[min(place, other)..<max(place, other)], at: place)
                }
                if mutated.isEmpty { mutated = bytes }
            }
            expectAgreement(mutated)
            if (try? JSONValue(json: mutated)) != nil { valid += 1 }
        }
        // Mutations that all failed would show little.
        #expect(valid > 50 && valid < 1450)
    }

    // MARK: What is kept

    private let text = [UInt8](
        """
        { "no" : 7, "entries": [ {"id":"a","x":{"y":[1,2]}}, [] , 3 , {"\\u0069d":"b"} ],
          "e\\u006ed": null }
        """.utf8
    )

    @Test("members and elements stand where they stand")
    func ranges() throws {
        let padded = [0x20, 0x20] + text + [0x20]
        for slice in [text[...], padded[2..<padded.count - 1], padded[...]] {
            let root = try JSONOutline(slice, levels: 3).root
            #expect(root.members?.map { String(decoding: $0.name, as: UTF8.self) } == ["no", "entries", "end"])
            let entries = try #require(root["entries"]?.elements)
            #expect(
                entries.map { String(decoding: slice[$0.range], as: UTF8.self) }
                    == [#"{"id":"a","x":{"y":[1,2]}}"#, "[]", "3", #"{"\u0069d":"b"}"#]
            )
            #expect(try root["no"]?.value().int == 7 && root["end"]?.value() == .null && root["none"] == nil)
            #expect(try entries.map { try $0["id"]?.value().string } == ["a", nil, nil, "b"])
            #expect(try root.value() == JSONValue(json: slice))
            #expect(entries[1].elements?.isEmpty == true && entries[1].members == nil && entries[2].elements == nil)
            #expect(entries[0].elements == nil && entries[0].members?.count == 2)
        }
    }

    @Test("below the levels that are kept nothing is")
    func levels() throws {
        let none = try JSONOutline(text[...], levels: 0).root
        #expect(none.members?.isEmpty == true && none["no"] == nil)
        #expect(try none.value()["no"]?.int == 7)
        let one = try JSONOutline(text[...], levels: 1).root
        #expect(one.members?.count == 3 && one["entries"]?.elements?.isEmpty == true)
        #expect(try one["entries"]?.value().array?.count == 4)
        let three = try JSONOutline(text[...], levels: 3).root
        #expect(three["entries"]?.elements?[0]["x"]?.members?.isEmpty == true)
        #expect(try three["entries"]?.elements?[0]["x"]?.value()["y"]?.array?.count == 2)
    }

    @Test("a value that is no container is an outline, too")
    func scalar() throws {
        let root = try JSONOutline(Array(" 5 ".utf8)[...], levels: 3).root
        #expect(root.range == 1..<2 && root.members == nil && root.elements == nil && root["a"] == nil)
        #expect(try root.value().int == 5)
    }

    // MARK: Bounds

    @Test("depth is bounded as the reader's is, and a deep text is no danger")
    func depth() {
        for depth in [31, 32, 33] {
            expectAgreement(repeated([0x5b], depth) + repeated([0x5d], depth))
            expectAgreement(repeated(Array(#"{"a":"#.utf8), depth) + [0x31] + repeated([0x7d], depth))
        }
        let deep = repeated([0x5b], 1_000_000)
        #expect(
            wireError { () throws(WireError) in try JSONOutline(deep[...], levels: 3, maximumDepth: .max) }?.offset
                == JSONValue.greatestMaximumDepth
        )
    }

    @Test("the number of values that are kept is bounded, that of the others is not")
    func count() throws {
        let flat = [0x5b] + repeated([0x30, 0x2c], JSONOutline.greatestCount) + [0x30, 0x5d]
        #expect(wireError { () throws(WireError) in try JSONOutline(flat[...], levels: 1) }?.code == .tooLarge)
        #expect(try JSONOutline(flat[...], levels: 0).root.range == 0..<flat.count)
        let fits = Array(flat[..<(2 * (JSONOutline.greatestCount - 1))]) + [0x5d]
        #expect(try JSONOutline(fits[...], levels: 1).root.elements?.count == JSONOutline.greatestCount - 1)
    }

    @Test("many names cost no square")
    func names() throws {
        // A square would be a hundred seconds and more.
        let count = 200_000
        let members = (0..<count).map { "\"\($0)\":0" }.joined(separator: ",")
        let text = Array("[{\(members)}]".utf8)
        #expect(try JSONOutline(text[...], levels: 0).root.range == 0..<text.count)
        let twice = Array("[{\(members),\"\(count / 2)\":0}]".utf8)
        #expect(wireError { () throws(WireError) in try JSONOutline(twice[...], levels: 0) }?.code == .duplicateKey)
    }
}
