import PasskeyWire
import Testing

@Suite("base64url")
struct Base64URLTests {
    @Test("errors name the character")
    func errors() throws {
        #expect(throws: WireError(.invalidCharacter, at: 3)) { try Base64URL.decode("Zm9=") }
        #expect(throws: WireError(.invalidCharacter, at: 0)) { try Base64URL.decode("éé") }
        #expect(throws: WireError(.invalidLength, at: 5)) { try Base64URL.decode("Zm9vY") }
        #expect(throws: WireError(.nonZeroTail, at: 1)) { try Base64URL.decode("Zh") }
        #expect(throws: WireError(.nonZeroTail, at: 2)) { try Base64URL.decode("Zm9") }
        #expect(try Base64URL.decode("Zm8") == [0x66, 0x6f])
        #expect(try Base64URL.decode("Zg") == [0x66])
    }

    @Test("arrays, slices and spans decode alike")
    func twins() throws {
        let padded = [UInt8]("==-_-_==".utf8)
        let slice = padded[2..<6]
        let expected: [UInt8] = [0xfb, 0xff, 0xbf]
        #expect(try Base64URL.decode(slice) == expected)
        #expect(try Base64URL.decode(slice.span) == expected)
        #expect(try Base64URL.decode(Array(slice)) == expected)
        #expect(try Base64URL.decode("-_-_") == expected)
        #expect(throws: WireError(.invalidCharacter, at: 4)) { try Base64URL.decode(padded[2..<7]) }
    }

    @Test("one text for each sequence of bytes", arguments: 1...3)
    func roundTrip(_ seed: UInt64) throws {
        var random = XorShift(seed: seed)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8(random.below(256)) }
            let text = Base64URL.encode(bytes)
            #expect(text.utf8.count == (count * 4 + 2) / 3)
            #expect(try Base64URL.decode(text) == bytes)
            #expect(Base64URL.encode(bytes[...]) == text)
            let standard = Base64.encode(bytes)
            #expect(standard.utf8.count == (count + 2) / 3 * 4)
            #expect(try Base64.decode(standard) == bytes)
            #expect(try Base64URL.decodeLeniently(standard) == bytes)
            #expect(try Base64URL.decodeLeniently(" \(text)\r\n") == bytes)
            // Every other last character is another text for no bytes, or has bits that are not zero.
            guard count % 3 != 0, let last = text.last else { continue }
            for other in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" where other != last {
                if let decoded = try? Base64URL.decode(text.dropLast() + String(other)) {
                    #expect(decoded != bytes)
                }
            }
        }
    }

    @Test("leniency has limits")
    func lenient() throws {
        for (text, expected) in [
            ("Zg==", "66"), ("Zg=", "66"), ("Zh", "66"), ("+/-_", "fbffbf"), ("\n Zm9v \t", "666f6f"), ("  ", ""),
            ("", ""),
            ("==", ""), ("Zm8=", "666f"),
        ] {
            #expect(Hex.encode(try Base64URL.decodeLeniently(text)) == expected)
        }
        #expect(throws: WireError(.invalidCharacter, at: 2)) { try Base64URL.decodeLeniently("Zg===") }
        #expect(throws: WireError(.invalidCharacter, at: 3)) { try Base64URL.decodeLeniently(" Zm 9v") }
        #expect(throws: WireError(.invalidLength, at: 2)) { try Base64URL.decodeLeniently(" Z=") }
    }

    @Test("padded base64 is strict")
    func standard() throws {
        #expect(try Base64.decode("") == [])
        #expect(try Base64.decode("Zg==") == [0x66])
        #expect(try Base64.decode("+/8=") == [0xfb, 0xff])
        for text in ["Zg", "Zg=", "Zg===", "=", "====", "Zh==", "Zm9vZg", "Z===", "-_8=", "Zg= =", "Zm 8", "Zg==Zg=="] {
            #expect(throws: WireError.self) { try Base64.decode(text) }
        }
    }
}

@Suite("hexadecimal and UTF-8")
struct HexAndUTF8Tests {
    @Test("hexadecimal digits")
    func digits() {
        #expect(Hex.decode("00ffA5a5") == [0x00, 0xff, 0xa5, 0xa5])
        #expect(Hex.decode("") == [])
        for text in ["0", "0g", "0x00", "00 ", "٠٠"] { #expect(Hex.decode(text) == nil) }
        #expect(Hex.encode([0x00, 0xff, 0xa5]) == "00ffa5")
    }

    @Test("every sequence of up to three bytes is judged as the standard library does")
    func utf8() {
        // The boundaries of Unicode's table 3-7, and one byte beside each.
        let bytes: [UInt8] = [
            0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
            0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
        ]
        for first in bytes {
            for second in bytes {
                for third in bytes {
                    for sequence in [
                        [first, second, third], [first, second, third, 0x80], [first, second, third, 0x41],
                    ] {
                        let slice = sequence[...]
                        let fault = firstInvalidUTF8(in: slice.span, from: 0, to: sequence.count)
                        #expect((fault == nil) == (String(validating: sequence, as: UTF8.self) != nil))
                        if let fault {
                            #expect(String(validating: sequence[..<fault], as: UTF8.self) != nil)
                        }
                    }
                }
            }
        }
    }
}

@Suite("ByteReader")
struct ByteReaderTests {
    /// What a parser looks like.
    private struct Record: Equatable {
        var byte: UInt8
        var short: UInt16
        var long: UInt32
        var longest: UInt64
        var rest: [UInt8]

        init(_ reader: inout ByteReader) throws(WireError) {
            byte = try reader.readUInt8()
            short = try reader.readUInt16()
            long = try reader.readUInt32()
            longest = try reader.readUInt64()
            rest = try reader.readArray(2)
        }
    }

    @Test("fields are big-endian, and nothing may be left")
    func fields() throws {
        let bytes = [UInt8](1...17)
        let record = try bytes.decode(Record.init)
        #expect(record.byte == 1)
        #expect(record.short == 0x0203)
        #expect(record.long == 0x0405_0607)
        #expect(record.longest == 0x0809_0a0b_0c0d_0e0f)
        #expect(record.rest == [16, 17])
        #expect(try ([0, 0] + bytes)[2...].decode(Record.init) == record)
        #expect(throws: WireError(.trailingBytes, at: 17)) { try (bytes + [0]).decode(Record.init) }
        for (count, offset) in [(0, 0), (2, 1), (6, 3), (14, 7), (16, 15)] {
            #expect(throws: WireError(.truncated, at: offset)) { try bytes[..<count].decode(Record.init) }
        }
    }

    @Test("a read that fails consumes nothing")
    func failure() throws {
        let bytes: [UInt8] = [1, 2, 3]
        try bytes.decode { (reader) throws(WireError) in
            for count in [-1, 4, .max, .min] {
                #expect(
                    wireError { () throws(WireError) in try reader.readArray(count) } == WireError(.truncated, at: 0)
                )
            }
            #expect(wireError { () throws(WireError) in try reader.readUInt32() } == WireError(.truncated, at: 0))
            #expect(reader.remaining == 3)
            let span = try reader.readSpan(1)
            #expect(span[0] == 1)
            #expect(reader.offset == 1)
            let rest = reader.readRemaining()
            #expect([UInt8](copying: rest) == [2, 3])
            #expect(reader.remaining == 0)
            #expect(try reader.readArray(0) == [])
        }
    }
}
