import PasskeyWire
import Testing

@Suite("Elements of DER, read")
struct DERReaderTests {
    /// The one element that bytes should be.
    private func element(_ digits: String) throws -> DERElement {
        var reader = DERReader(try hex(digits))
        let element = try reader.next()
        try reader.finish()
        return element
    }

    private func error(_ digits: String) throws -> WireError? {
        let bytes = try hex(digits)
        return wireError { () throws(WireError) in
            var reader = DERReader(bytes)
            let element = try reader.next()
            try reader.finish()
            return element
        }
    }

    @Test("tags, of one byte and of several")
    func tags() throws {
        #expect(try element("02 01 05").tag == .integer)
        #expect(try element("30 00").tag == .sequence)
        #expect(try element("61 00").tag == DERTag(1, in: .application, constructed: true))
        #expect(try element("c1 00").tag == DERTag(1, in: .private))
        #expect(try element("9e 00").tag == .contextSpecific(30, constructed: false))
        #expect(try element("9f 1f 00").tag == .contextSpecific(31, constructed: false))
        // Of Android's key description.
        #expect(try element("bf 85 3e 03 02 01 00").tag == .contextSpecific(702))
        #expect(try element("bf 8f ff ff ff 7f 00").tag == .contextSpecific(.max))
        #expect(try element("bf 85 3e 00").tag.description == "[702] constructed")
        #expect(try element("02 01 05").tag.description == "[UNIVERSAL 2]")
    }

    @Test("tags that are longer than they need to be, or than they may be, or reserved")
    func badTags() throws {
        #expect(try error("9f 1e 00") == WireError(.notMinimal, at: 0, detail: "tag"))
        #expect(try error("bf 80 85 3e 00") == WireError(.notMinimal, at: 0, detail: "tag"))
        #expect(try error("bf 90 80 80 80 00 00")?.code == .outOfRange)
        #expect(try error("bf ff ff ff ff ff ff ff ff ff ff ff 7f 00")?.code == .outOfRange)
        #expect(try error("00 00")?.code == .wrongType)
        #expect(try error("20 00")?.code == .wrongType)
    }

    @Test("lengths")
    func lengths() throws {
        #expect(try element("04 03 010203").content == [1, 2, 3])
        for (head, count) in [("04 7f", 127), ("04 81 80", 128), ("04 81 ff", 255), ("04 82 0100", 256)] {
            let bytes = try hex(head) + [UInt8](repeating: 7, count: count)
            var reader = DERReader(bytes)
            #expect(try reader.next().content.count == count)
            #expect(reader.isAtEnd)
        }
    }

    @Test("lengths that DER does not have")
    func badLengths() throws {
        #expect(try error("30 80 00 00") == WireError(.indefiniteLength, at: 1))
        #expect(try error("04 81 03 010203") == WireError(.notMinimal, at: 1, detail: "length"))
        #expect(try error("04 82 0003 010203") == WireError(.notMinimal, at: 1, detail: "length"))
        #expect(try error("04 85 0000000001 01") == WireError(.outOfRange, at: 1, detail: "length"))
        #expect(try error("04 ff")?.code == .outOfRange)
        #expect(try error("04 84 ffffffff") == WireError(.truncated, at: 0))
        #expect(try error("04 04 010203") == WireError(.truncated, at: 0))
        #expect(try error("04") == WireError(.truncated, at: 0))
        #expect(try error("") == WireError(.truncated, at: 0))
        #expect(try error("bf 85") == WireError(.truncated, at: 0))
        #expect(try error("04 82 01") == WireError(.truncated, at: 0))
        #expect(try error("05 00 05") == WireError(.trailingBytes, at: 2))
    }

    @Test("offsets are those of the whole input")
    func offsets() throws {
        let bytes = try hex("ffff 30 08 02 01 05 04 03 010203 ee")
        var outer = DERReader(bytes[2..<12])
        let sequence = try outer.read(.sequence)
        var reader = try sequence.reader()
        #expect(sequence.offset == 2)
        #expect(sequence.encoded == bytes[2..<12])
        #expect(try reader.read(.integer).content.startIndex == 6)
        let octets = try reader.read(.octetString)
        #expect(octets.offset == 7)
        #expect(octets.encoded == bytes[7..<12])
        // The byte behind the slice is not the reader's.
        #expect(reader.isAtEnd)
        #expect(outer.isAtEnd)
        #expect(throws: WireError(.truncated, at: 12)) { try reader.next() }
    }

    @Test("an element that is not the one asked for is not consumed")
    func expected() throws {
        var reader = DERReader(try hex("02 01 05 05 00"))
        #expect(throws: WireError(.wrongType, at: 0, detail: "[UNIVERSAL 2], not [UNIVERSAL 5]")) {
            try reader.read(.null)
        }
        #expect(try reader.readIfPresent(.null) == nil)
        #expect(throws: WireError(.trailingBytes, at: 0)) { try reader.finish() }
        #expect(try reader.read(.integer).integer() == 5)
        #expect(try reader.readIfPresent(.null) != nil)
        try reader.finish()
        #expect(try reader.readIfPresent(.null) == nil)
        // Whether something optional is there cannot be said of something broken.
        var broken = DERReader(try hex("05 01"))
        #expect(throws: WireError(.truncated, at: 0)) { try broken.readIfPresent(.null) }
    }

    @Test("what is within a primitive element is not read as elements")
    func primitive() throws {
        #expect(throws: WireError(.wrongType, at: 0, detail: "the element is primitive")) {
            try element("04 02 05 00").reader()
        }
        #expect(try element("24 02 05 00").reader().isAtEnd == false)
        #expect(throws: WireError.self) { try element("24 03 04 01 00").octets() }
        #expect(throws: WireError.self) { try element("22 03 02 01 00").integer() }
        #expect(throws: WireError.self) { try element("21 03 01 01 00").boolean() }
        #expect(throws: WireError.self) { try element("25 00").null() }
    }

    @Test(
        "integers",
        arguments: [
            ("02 01 00", 0), ("02 01 7f", 127), ("02 02 0080", 128), ("02 01 80", -128), ("02 01 ff", -1),
            ("02 02 ff7f", -129), ("02 08 7fffffffffffffff", .max), ("02 08 8000000000000000", .min), ("0a 01 02", 2),
        ]
    )
    func integers(_ digits: String, _ value: Int) throws {
        #expect(try element(digits).integer() == value)
    }

    @Test("integers that are none, too long, or too great")
    func badIntegers() throws {
        for digits in ["02 02 0001", "02 02 007f", "02 02 ff80", "02 02 ffff"] {
            #expect(throws: WireError(.notMinimal, at: 0, detail: "integer"), "\(digits)") {
                try element(digits).integerBytes()
            }
        }
        #expect(throws: WireError(.truncated, at: 0, detail: "integer")) { try element("02 00").integer() }
        #expect(throws: WireError(.outOfRange, at: 0, detail: "integer")) {
            try element("02 09 008000000000000000").integer()
        }
        #expect(try element("02 09 008000000000000000").integerBytes() == hex("008000000000000000"))
        #expect(try element("02 02 0080").integerBytes() == [0, 0x80])
    }

    @Test("truth, nothing, octets and bits")
    func others() throws {
        #expect(try element("01 01 ff").boolean())
        #expect(try !element("01 01 00").boolean())
        for digits in ["01 01 01", "01 00", "01 02 ffff"] {
            #expect(throws: WireError(.outOfRange, at: 0, detail: "boolean"), "\(digits)") {
                try element(digits).boolean()
            }
        }
        try element("05 00").null()
        #expect(throws: WireError(.trailingBytes, at: 2, detail: "null")) { try element("05 01 00").null() }
        #expect(try element("04 02 0a0b").octets() == [10, 11])
        #expect(try element("04 00").octets().isEmpty)
        #expect(try element("03 03 00 0a0b").bitString() == [10, 11])
        #expect(try element("03 01 00").bitString().isEmpty)
        for digits in ["03 00", "03 02 01 80", "03 02 08 00"] {
            #expect(throws: WireError(.outOfRange, at: 0, detail: "unused bits"), "\(digits)") {
                try element(digits).bitString()
            }
        }
    }

    @Test(
        "object identifiers",
        arguments: [
            ("06 03 55040a", "2.5.4.10"), ("06 06 2a864886f70d", "1.2.840.113549"), ("06 01 27", "0.39"),
            ("06 01 28", "1.0"), ("06 01 4f", "1.39"), ("06 01 50", "2.0"), ("06 02 8837", "2.999"),
            ("06 0b 2b0601040182e51c010104", "1.3.6.1.4.1.45724.1.1.4"),
            ("06 0b 2a 81ffffffffffffffff7f", "1.2.18446744073709551615"),
        ]
    )
    func objectIdentifiers(_ digits: String, _ text: String) throws {
        #expect(try element(digits).objectIdentifier() == text)
    }

    @Test("object identifiers that are none")
    func badObjectIdentifiers() throws {
        func code(_ digits: String) throws -> WireError.Code? {
            let element = try element(digits)
            return wireError { () throws(WireError) in try element.objectIdentifier() }?.code
        }
        #expect(try code("06 00") == .outOfRange)
        #expect(try code("06 02 5580") == .notMinimal)
        #expect(try code("06 03 558001") == .notMinimal)
        #expect(try code("06 02 5581") == .truncated)
        #expect(try code("06 0b 2a 82808080808080808000") == .outOfRange)
        #expect(try code("06 40" + String(repeating: "2a", count: 64)) == nil)
        #expect(try code("06 41" + String(repeating: "2a", count: 65)) == .outOfRange)
    }

    @Test("nesting costs no stack, and a claim no memory")
    func hostile() throws {
        var bytes: [UInt8] = []
        for _ in 0..<5000 { bytes = DER.element(.sequence, bytes) }
        var reader = DERReader(bytes)
        var depth = 0
        while !reader.isAtEnd {
            reader = try reader.next().reader()
            depth += 1
        }
        #expect(depth == 5000)
        #expect(try error("30 84 7fffffff") == WireError(.truncated, at: 0))
    }

    @Test("random bytes are read or refused, within their bounds", arguments: 1...4)
    func random(_ seed: UInt64) throws {
        var random = XorShift(seed: seed)
        for _ in 0..<3000 {
            let bytes = (0..<random.below(24)).map { _ in
                random.below(2) == 0
                    ? UInt8(random.below(256)) : [0x30, 2, 1, 0x80, 0x81, 0xa0, 0xbf, 6][random.below(8)]
            }
            walk(DERReader(bytes), bytes)
        }
    }

    /// Reads everything in every way, and checks that elements are what the input says at their offsets.
    private func walk(_ start: DERReader, _ bytes: [UInt8]) {
        var reader = start
        while let element = try? reader.next() {
            #expect(element.encoded == bytes[element.offset..<element.encoded.endIndex])
            #expect(element.content.endIndex == element.encoded.endIndex)
            // DER has one encoding of each element.
            #expect(DER.element(element.tag, Array(element.content)) == Array(element.encoded))
            if let value = try? element.integer(), element.tag == .integer {
                #expect(DER.integer(value) == Array(element.encoded))
            }
            if let text = try? element.objectIdentifier(), element.tag == .objectIdentifier {
                #expect(DER.objectIdentifier(text) == Array(element.encoded))
            }
            _ = try? element.boolean()
            _ = try? element.bitString()
            if let inner = try? element.reader() { walk(inner, bytes) }
        }
    }
}

@Suite("Elements of DER, written")
struct DERWriterTests {
    @Test("what is written is read")
    func elements() throws {
        #expect(DER.sequence([DER.integer(1), DER.null]) == (try hex("30 05 020101 0500")))
        #expect(DER.octetString([1]) == (try hex("04 01 01")))
        #expect(DER.bitString([0xe0], unusedBits: 5) == (try hex("03 02 05e0")))
        #expect(DER.boolean(true) + DER.boolean(false) == (try hex("0101ff 010100")))
        #expect(DER.enumerated(2) == (try hex("0a 01 02")))
        #expect(DER.utf8String("é") == (try hex("0c 02 c3a9")))
        #expect(DER.printableString("US") == (try hex("13 02 5553")))
        #expect(DER.ia5String("a") == (try hex("16 01 61")))
        #expect(DER.tagged(702, DER.integer(0)) == (try hex("bf853e 03 020100")))
        #expect(DER.tagged(1, DER.null, DER.null) == (try hex("a1 04 0500 0500")))
    }

    @Test("a set's elements are in the order of their octets")
    func set() throws {
        #expect(DER.set([DER.integer(3), DER.integer(2)]) == (try hex("31 06 020102 020103")))
        #expect(DER.set([DER.octetString([]), DER.integer(2)]) == (try hex("31 05 020102 0400")))
    }

    @Test("integers are as short as they can be", arguments: [0, 1, 127, 128, 255, 256, -1, -128, -129, .max, .min])
    func integers(_ value: Int) throws {
        var reader = DERReader(DER.integer(value))
        #expect(try reader.next().integer() == value)
    }

    @Test("numbers of any size")
    func unsigned() throws {
        #expect(DER.integer(unsigned: []) == (try hex("02 01 00")))
        #expect(DER.integer(unsigned: [0, 0, 0x7f]) == (try hex("02 01 7f")))
        #expect(DER.integer(unsigned: [0x80]) == (try hex("02 02 0080")))
    }

    @Test("lengths", arguments: [0, 127, 128, 255, 256, 65_535, 65_536])
    func lengths(_ count: Int) throws {
        var reader = DERReader(DER.octetString([UInt8](repeating: 1, count: count)))
        #expect(try reader.next().octets().count == count)
        #expect(reader.isAtEnd)
    }

    @Test(
        "moments as a certificate writes them",
        arguments: [
            (Int64(0), "700101000000Z"), (951_782_400_000, "000229000000Z"), (1_709_164_800_000, "240229000000Z"),
            (-1, "691231235959Z"), (999, "700101000000Z"), (-631_152_000_000, "500101000000Z"),
            (-631_152_000_001, "19491231235959Z"), (2_524_607_999_999, "491231235959Z"),
            (2_524_608_000_000, "20500101000000Z"), (4_107_542_399_000, "21000228235959Z"),
            (4_107_542_400_000, "21000301000000Z"), (253_402_300_799_000, "99991231235959Z"),
            (.max, "99991231235959Z"), (.min, "00010101000000Z"),
        ]
    )
    func times(_ milliseconds: Int64, _ text: String) throws {
        var reader = DERReader(DER.time(millisecondsSince1970: milliseconds))
        let element = try reader.next()
        #expect(element.tag == (text.utf8.count == 13 ? .utcTime : .generalizedTime))
        #expect(String(decoding: element.content, as: UTF8.self) == text)
    }
}
