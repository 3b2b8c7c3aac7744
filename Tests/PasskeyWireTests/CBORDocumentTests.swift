import PasskeyWire
import Testing

@Suite("CBORDocument")
struct CBORDocumentTests {
    private let sample =
        "a7 01 02 63666d74 7f6161 6162 ff 20 83 01 81 02 9f 03 ff 05 d903e8 a1 00 f6 06 f5 07 f93e00 08 5f 4101 4102 ff"

    @Test("items show what they are and where")
    func items() throws {
        let document = try CBORDocument(hex(sample), mode: .valid)
        let root = document.root
        #expect(root.kind == .map)
        #expect(root.count == 7)
        #expect(root.range == 0..<document.bytes.count)
        #expect(Array(root.encoded) == document.bytes)
        #expect(root[1]?.int == 2)
        #expect(root[1]?.uint64 == 2)
        #expect(root[1]?.range == 2..<3)
        #expect(root["fmt"]?.string == "ab")
        #expect(root["fmt"]?.hasIndefiniteLength == true)
        #expect(root["fm"] == nil)
        #expect(root[-1]?.count == 3)
        #expect(root[-1]?.elements.map(Array.init)?.map(\.count) == [nil, 1, 1])
        #expect(root[-1]?.elements.map(Array.init)?[2].hasIndefiniteLength == true)
        let tag = try #require(root[5]?.tag)
        #expect(tag.number == 1000)
        #expect(tag.content[0]?.isNull == true)
        #expect(tag.content[0]?.bool == nil)
        #expect(Array(tag.content.encoded) == [0xa1, 0x00, 0xf6])
        #expect(root[6]?.bool == true)
        #expect(root[7]?.double == 1.5)
        #expect(root[8]?.byteArray == [1, 2])
        #expect(root[9] == nil)
        #expect(
            root.entries.map(Array.init)?.map(\.value.kind) == [
                .unsigned, .text, .array, .tag, .simple, .float, .bytes,
            ]
        )
        #expect(document.value == root.value)
        #expect(document.description == root.description)
        #expect(
            document.diagnostic.hasPrefix("{1: 2, \"fmt\": (_ \"a\", \"b\"), -1: [1, [2], [_ 3]], 5: 1000({0: null})")
        )
        #expect(!document.isDeterministic)
        #expect(document.conforms(to: .wellFormed))
    }

    @Test("asking an item for another type gives nil")
    func otherTypes() throws {
        for bytes in ["00", "20", "40", "60", "80", "a0", "c1 00", "f4", "f93c00"] {
            let item = try CBORDocument(hex(bytes)).root
            #expect((item.int != nil) == [.unsigned, .negative].contains(item.kind))
            #expect((item.uint64 != nil) == (item.kind == .unsigned))
            #expect((item.byteArray != nil) == (item.kind == .bytes))
            #expect((item.string != nil) == (item.kind == .text))
            #expect((item.elements != nil) == (item.kind == .array))
            #expect((item.entries != nil) == (item.kind == .map))
            #expect((item.count != nil) == [.array, .map].contains(item.kind))
            #expect((item.tag != nil) == (item.kind == .tag))
            #expect((item.bool != nil) == (item.kind == .simple))
            #expect((item.double != nil) == (item.kind == .float))
            #expect(item["a"] == nil)
            #expect(item[0] == nil)
            #expect(!item.isNull)
        }
    }

    @Test("integers are exact or nil")
    func integers() throws {
        #expect(try CBORDocument(hex("1b7fffffffffffffff")).root.int == .max)
        #expect(try CBORDocument(hex("1b8000000000000000")).root.int == nil)
        #expect(try CBORDocument(hex("1bffffffffffffffff")).root.uint64 == .max)
        #expect(try CBORDocument(hex("3b7fffffffffffffff")).root.int == .min)
        #expect(try CBORDocument(hex("3b8000000000000000")).root.int == nil)
    }

    @Test("keys are found by bytes, whatever their encoding, and the first of two equal ones")
    func lookUp() throws {
        // "é" in one code point and in two are two keys, though Swift calls the strings equal.
        let document = try CBORDocument(hex("a2 62c3a9 01 6365cc81 02"))
        #expect(document.root["\u{e9}"]?.int == 1)
        #expect(document.root["e\u{301}"]?.int == 2)
        #expect(document.value["\u{e9}"]?.int == 1)
        #expect(document.value["e\u{301}"]?.int == 2)
        #expect(try CBORDocument(hex("a2 1801 0a 02 0b")).root[1]?.int == 10)
        #expect(try CBORDocument(hex("a2 01 0a 01 0b"), mode: .wellFormed).root[1]?.int == 10)
        #expect(try CBOR(hex("a2 01 0a 01 0b"), mode: .wellFormed)[1]?.int == 10)
        #expect(try CBORDocument(hex("a1 41 61 01")).root["a"] == nil)
    }

    @Test("a prefix is one item, and a slice may begin anywhere")
    func prefix() throws {
        let bytes = try hex("ff ff 82 01 02 ff 00")
        let document = try CBORDocument(prefixOf: bytes[2...])
        #expect(document.bytes == [0x82, 0x01, 0x02])
        #expect(document.root.elements.map { $0.map(\.int) } == [1, 2])
        #expect(try CBORDocument(prefixOf: Array(bytes[2...])) == document)
        #expect(try CBORDocument(bytes[2..<5]) == document)
        let slice = bytes[2..<5]
        #expect(try CBORDocument(slice.span) == document)
        #expect(try CBOR(slice.span) == [1, 2])
        #expect(try CBOR(slice) == [1, 2])
        #expect(document.hashValue == (try CBORDocument(slice)).hashValue)
        #expect(throws: WireError(.truncated, at: 0)) { try CBORDocument(prefixOf: bytes[2..<4]) }
    }

    @Test("text that is not UTF-8 is nobody's string")
    func invalidText() throws {
        let document = try CBORDocument(hex("82 6180 7f 61c3 61bc ff"), mode: .wellFormed)
        #expect(document.root.elements.map { $0.map(\.string) } == [nil, "ü"])
        #expect(document.value == ["\u{fffd}", "ü"])
        #expect(document.diagnostic == #"["\ufffd", (_ "\ufffd", "\ufffd")]"#)
        #expect(throws: WireError(.invalidUTF8, at: 2)) { try CBOR(hex("82 6180 00"), mode: .wellFormed) }
    }

    @Test("conformance to each mode is found out from the bytes")
    func conformance() throws {
        let document = try CBORDocument(hex("a2 02 c1 00 01 f93c00"))
        #expect(CBORMode.allCases.map(document.conforms) == [true, true, false, false])
        #expect(try CBORDocument(hex("a1 01 c1 00")).isDeterministic)
        #expect(try CBORDocument(hex("a1 01 c1 00")).conforms(to: .ctap2) == false)
        #expect(try CBORDocument(hex("a1 01 00")).conforms(to: .ctap2))
        #expect(try CBORDocument(hex("a2 01 00 01 00"), mode: .wellFormed).conforms(to: .valid) == false)
    }
}

/// Memory is bounded by counts that do not depend on the machine.
@Suite("CBOR on large inputs")
struct CBORScaleTests {
    @Test("a node has 8 bytes, and leaves have none")
    func nodes() throws {
        #expect(MemoryLayout<CBORNode>.stride == 8)
        let zeros = try CBORDocument([0x9a, 0x00, 0x0f, 0x42, 0x40] + [UInt8](repeating: 0, count: 1_000_000))
        #expect(zeros.nodes.count == 1)
        #expect(zeros.root.count == 1_000_000)
        let empty = try CBORDocument([0x9a, 0x00, 0x07, 0xa1, 0x20] + [UInt8](repeating: 0x80, count: 500_000))
        #expect(empty.nodes.count == 1)
    }

    @Test("no more nodes are reserved than there are items", arguments: [8191, 8192, 20_000])
    func reservation(_ count: Int) throws {
        let head: [UInt8] = [0x9a, 0x00, UInt8(count >> 16), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
        let document = try CBORDocument(head + repeated([0x81, 0x00], count))
        #expect(document.nodes.count == count + 1)
        #expect(document.nodes.capacity <= 2 * (count + 1) + 16)
        if count > 8192 { #expect(document.nodes.capacity <= count + 64) }
        #expect(document.root.elements?.allSatisfy { $0.count == 1 } == true)
        // The same faults are found with the second scan as without it.
        let broken = Array(document.bytes.dropLast()) + [0x1c]
        #expect(throws: WireError(.reservedAdditionalInformation, at: broken.count - 1)) { try CBORDocument(broken) }
    }

    @Test("a million elements make a tree, and 400,000 chunks a string")
    func sizes() throws {
        let tree = try CBOR([0x9a, 0x00, 0x0f, 0x42, 0x40] + [UInt8](repeating: 0, count: 1_000_000))
        #expect(tree.elements?.count == 1_000_000)
        #expect(MemoryLayout<CBOR>.stride == 24)
        let chunks = [0x5f] + repeated([0x41, 0x07], 400_000) + [0xff]
        #expect(try CBORDocument(chunks).root.byteArray?.count == 400_000)
        #expect(try CBOR(chunks).byteArray == [UInt8](repeating: 7, count: 400_000))
    }

    /// The keys descend, so that they must be sorted; a quadratic check would take minutes.
    @Test("many keys in the worst order", arguments: [false, true])
    func keys(_ isIrregular: Bool) throws {
        let count = 65_535
        var bytes: [UInt8] = [0xb9, 0xff, 0xff]
        for key in (0..<count).reversed() {
            bytes += isIrregular ? [0x1a, 0, 0] : [0x19]
            bytes += [UInt8(key >> 8), UInt8(key & 0xff), 0x00]
        }
        #expect(try CBORDocument(bytes).root.count == count)
        // The last key is made equal to the first.
        bytes[bytes.count - 3] = 0xff
        bytes[bytes.count - 2] = 0xfe
        let width = isIrregular ? 5 : 3
        #expect(throws: WireError(.duplicateKey, at: bytes.count - 1 - width)) { try CBORDocument(bytes) }
    }

    /// Long keys, short ones and containers, so that equal ones begin at any offset and are of any length.
    @Test("equal keys are found wherever they stand", arguments: 1...3)
    func keyHashing(_ seed: UInt64) throws {
        var random = XorShift(seed: seed)
        for _ in 0..<40 {
            var keys: [CBOR] = (0..<24 + random.below(30)).map { index in
                switch index % 4 {
                case 0: .text(String(repeating: "k", count: random.below(40)) + "\(index)")
                case 1: .bytes([UInt8](repeating: 7, count: random.below(20)) + [UInt8(index)])
                case 2: [CBOR(index), .text(String(repeating: "x", count: random.below(9)))]
                default: .map([.init(CBOR(index), 1), .init("a", CBOR(random.below(9)))])
                }
            }
            keys.shuffle(using: &random)
            let encode = { (keys: [CBOR]) throws(WireError) -> [UInt8] in
                var writer = CBORWriter()
                writer.writeMapHead(keys.count)
                for key in keys {
                    try writer.write(key)
                    writer.writeNull()
                }
                return writer.bytes
            }
            let distinct = try encode(keys)
            #expect(try CBORDocument(distinct).root.count == keys.count)
            let repeated = try encode(keys + [keys[random.below(keys.count)]])
            #expect(throws: WireError(.duplicateKey, at: distinct.count)) { try CBORDocument(repeated) }
        }
    }

    @Test("the reported duplicate is the first one", arguments: 1...3)
    func firstDuplicate(_ seed: UInt64) throws {
        var random = XorShift(seed: seed)
        for isIrregular in [false, true] {
            var seen: Set<Int> = []
            var first: Int?
            var bytes: [UInt8] = isIrregular ? [0xbf] : [0xb9, 0x01, 0x00]
            for _ in 0..<256 {
                let key = random.below(2000)
                if !seen.insert(key).inserted, first == nil { first = bytes.count }
                bytes += isIrregular && random.below(2) == 0 ? [0x1a, 0, 0] : [0x19]
                bytes += [UInt8(key >> 8), UInt8(key & 0xff), 0x00]
            }
            if isIrregular { bytes.append(0xff) }
            let error = wireError { () throws(WireError) in try CBORDocument(bytes) }
            #expect(error == first.map { WireError(.duplicateKey, at: $0) })
        }
    }
}
