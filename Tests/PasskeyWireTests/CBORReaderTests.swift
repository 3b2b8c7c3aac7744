import PasskeyWire
import Testing

@Suite("CBORReader")
struct CBORReaderTests {
    @Test("reads each type and passes over the rest")
    func reads() throws {
        let bytes = try hex("8e 01 20 41ff 6161 f5 f6 f7 f93e00 c1 02 82 03 04 a1 05 06 5f 4107 4108 ff 1863 f0")
        try CBORReader.read(bytes) { (reader) throws(WireError) in
            #expect(reader.kind == .array)
            #expect(try reader.enterArray() == 14)
            #expect(reader.depth == 1)
            #expect(try reader.readUnsigned() == 1)
            #expect(try reader.readInt() == -1)
            #expect(try reader.readBytes() == [0xff])
            #expect(try reader.readText() == "a")
            #expect(try reader.readBool())
            try reader.readNull()
            #expect(try reader.readSimple() == 23)
            #expect(try reader.readDouble() == 1.5)
            #expect(try reader.readTag() == 1)
            #expect(reader.kind == .unsigned)
            #expect(try reader.readInt() == 2)
            let encoded = try reader.readEncoded()
            #expect([UInt8](copying: encoded) == [0x82, 0x03, 0x04])
            #expect(try reader.enterMap() == 1)
            #expect(try reader.readInt() == 5)
            try reader.leave()
            #expect(try reader.readBytes() == [7, 8])
            #expect(reader.offset == bytes.count - 3)
            try reader.skip()
            #expect(try reader.readValue() == .simple(16))
            #expect(reader.isAtEnd == true)
            #expect(reader.kind == nil)
            try reader.leave()
        }
    }

    @Test("borrows without a copy")
    func borrows() throws {
        let bytes = try hex("82 43 010203 5f 41 00 ff")
        try CBORReader.read(bytes) { (reader) throws(WireError) in
            try reader.enterArray()
            let span = try reader.readBytesSpan()
            #expect([UInt8](copying: span) == [1, 2, 3])
            let error = wireError { () throws(WireError) in
                let span = try reader.readBytesSpan()
                return span.count
            }
            #expect(error == WireError(.indefiniteLength, at: 5))
            #expect(try reader.readBytes() == [0])
            try reader.leave()
        }
    }

    @Test("a read of another type throws and consumes nothing")
    func wrongTypes() throws {
        for (bytes, kind) in [
            ("01", CBOR.Kind.unsigned), ("20", .negative), ("40", .bytes), ("60", .text), ("80", .array), ("a0", .map),
            ("c1 00", .tag), ("f5", .simple), ("f93c00", .float),
        ] {
            try CBORReader.read(hex(bytes)) { (reader) throws(WireError) in
                #expect(reader.kind == kind)
                if kind != .unsigned {
                    #expect(error { () throws(WireError) in try reader.readUnsigned() } == .wrongType)
                }
                if kind != .unsigned, kind != .negative {
                    #expect(error { () throws(WireError) in try reader.readInt() } == .wrongType)
                }
                if kind != .bytes {
                    #expect(error { () throws(WireError) in try reader.readBytes() } == .wrongType)
                    #expect(error { () throws(WireError) in try reader.readBytesSpan().count } == .wrongType)
                }
                if kind != .text { #expect(error { () throws(WireError) in try reader.readText() } == .wrongType) }
                if kind != .array { #expect(error { () throws(WireError) in try reader.enterArray() } == .wrongType) }
                if kind != .map { #expect(error { () throws(WireError) in try reader.enterMap() } == .wrongType) }
                if kind != .tag { #expect(error { () throws(WireError) in try reader.readTag() } == .wrongType) }
                if kind != .simple {
                    #expect(error { () throws(WireError) in try reader.readBool() } == .wrongType)
                    #expect(error { () throws(WireError) in try reader.readSimple() } == .wrongType)
                }
                #expect(error { () throws(WireError) in try reader.readNull() } == .wrongType)
                if kind != .float { #expect(error { () throws(WireError) in try reader.readDouble() } == .wrongType) }
                #expect(error { () throws(WireError) in try reader.leave() } == .wrongType)
                #expect(error { () throws(WireError) in try reader.finish() } == .trailingBytes)
                #expect(reader.offset == 0)
                try reader.skip()
                // And at the end there is nothing.
                #expect(error { () throws(WireError) in try reader.skip() } == .wrongType)
                #expect(error { () throws(WireError) in try reader.readEncoded().count } == .wrongType)
                #expect(error { () throws(WireError) in try reader.readInt() } == .wrongType)
            }
        }
    }

    private func error<Value>(_ body: () throws(WireError) -> Value) -> WireError.Code? {
        wireError(body)?.code
    }

    @Test("integers are exact or an error")
    func integers() throws {
        try CBORReader.read(hex("82 1b8000000000000000 3b8000000000000000")) { (reader) throws(WireError) in
            try reader.enterArray()
            #expect(error { () throws(WireError) in try reader.readInt() } == .outOfRange)
            #expect(try reader.readUnsigned() == 1 << 63)
            #expect(error { () throws(WireError) in try reader.readInt() } == .outOfRange)
            #expect(try reader.readValue() == .negative(1 << 63))
            try reader.leave()
        }
        try CBORReader.read(hex("82 1b7fffffffffffffff 3b7fffffffffffffff")) { (reader) throws(WireError) in
            try reader.enterArray()
            #expect(try reader.readInt() == .max)
            #expect(try reader.readInt() == .min)
            try reader.leave()
        }
    }

    @Test("leaving passes over what is left, however deep and however long")
    func leaving() throws {
        let bytes = try hex("82 9f 01 82 02 9f 03 ff bf 04 05 ff ff 06")
        try CBORReader.read(bytes) { (reader) throws(WireError) in
            try reader.enterArray()
            #expect(try reader.enterArray() == nil)
            try reader.skip()
            try reader.enterArray()
            #expect(reader.depth == 3)
            try reader.leave()
            #expect(reader.kind == .map)
            #expect(try reader.enterMap() == nil)
            try reader.leave()
            #expect(reader.isAtEnd == true)
            try reader.leave()
            #expect(try reader.readInt() == 6)
            try reader.leave()
        }
        // Leaving at once does the same.
        try CBORReader.read(bytes) { (reader) throws(WireError) in
            try reader.enterArray()
            try reader.enterArray()
            try reader.leave()
            #expect(try reader.readInt() == 6)
            try reader.leave()
        }
    }

    @Test("what is not read is an error")
    func unread() throws {
        let error = wireError { () throws(WireError) in
            try CBORReader.read([0x82, 0x01, 0x02]) { (reader) throws(WireError) in try reader.enterArray() }
        }
        #expect(error?.code == .trailingBytes)
        #expect(error?.offset == 1)
    }

    @Test("a reader of a prefix says how long the item is")
    func prefix() throws {
        let bytes = try hex("82 01 02 ff")[...]
        let reader = try CBORReader(prefixOf: bytes.span)
        #expect(reader.count == 3)
        #expect(readerError(bytes, .valid) == WireError(.trailingBytes, at: 3))
    }

    @Test("text that is not UTF-8 is refused and not passed over")
    func invalidText() throws {
        try CBORReader.read(hex("61 80"), mode: .wellFormed) { (reader) throws(WireError) in
            #expect(error { () throws(WireError) in try reader.readText() } == .invalidUTF8)
            #expect(reader.offset == 0)
            try reader.skip()
        }
    }
}

@Suite("CBORWriter")
struct CBORWriterTests {
    @Test("writes shortest heads")
    func writes() throws {
        var writer = CBORWriter()
        writer.reserveCapacity(64)
        writer.writeArrayHead(16)
        writer.writeUnsigned(.max)
        writer.writeNegative(.max)
        writer.writeInt(-500)
        writer.writeInt(24)
        writer.writeBytes([1, 2])
        writer.writeBytes([0, 3, 4][1...])
        let slice = [5 as UInt8, 6][...]
        writer.writeBytes(slice.span)
        writer.writeText("ü")
        writer.writeMapHead(1)
        writer.writeBool(true)
        writer.writeBool(false)
        writer.writeTag(1)
        writer.writeNull()
        try writer.writeSimple(255)
        try writer.writeSimple(0)
        writer.writeDouble(1.5)
        writer.writeEncoded([0x80])
        writer.writeEncoded([0x00, 0x81][1...])
        let encoded = [0x07 as UInt8][...]
        writer.writeEncoded(encoded.span)
        try writer.write([2: 1, 1: 2])
        #expect(
            Hex.encode(writer.bytes)
                == "901bffffffffffffffff3bffffffffffffffff3901f318184201024203044205066"
                + "2c3bca1f5f4c1f6f8ffe0f93e00808107"
                + "a201020201"
        )
        #expect(try CBORDocument(writer.bytes, mode: .deterministic).root.count == 16)
    }

    @Test("a simple value that has no encoding is refused", arguments: 24...31 as ClosedRange<UInt8>)
    func simple(_ value: UInt8) {
        var writer = CBORWriter()
        writer.writeNull()
        #expect(throws: WireError(.reservedSimpleValue, at: 1)) { try writer.writeSimple(value) }
        #expect(writer.bytes == [0xf6])
    }

    @Test("indefinite lengths")
    func indefinite() throws {
        for (kind, content) in [(CBOR.Kind.bytes, "4101"), (.text, "6161"), (.array, "01"), (.map, "0102")] {
            var writer = CBORWriter()
            try writer.beginIndefinite(kind)
            writer.writeEncoded(try hex(content))
            writer.endIndefinite()
            let item = try CBORDocument(writer.bytes).root
            #expect(item.kind == kind)
            #expect(item.hasIndefiniteLength)
        }
        var writer = CBORWriter()
        #expect(throws: WireError(.indefiniteLength, at: 0, detail: "tag")) { try writer.beginIndefinite(.tag) }
        // A count below zero is a mistake of the caller's, and no trap.
        writer.writeArrayHead(-1)
        writer.writeMapHead(-1)
        #expect(writer.bytes == [0x80, 0xa0])
    }
}
