import PasskeyWire
import Testing

/// A refused input with its code and offset, and an accepted one that differs as little as can be.
struct Refusal: Sendable, CustomTestStringConvertible {
    var hex: String
    var mode: CBORMode
    var code: WireError.Code
    var offset: Int
    var twin: String
    var depth: Int?

    init(
        _ hex: String,
        _ mode: CBORMode,
        _ code: WireError.Code,
        at offset: Int,
        accepted twin: String,
        depth: Int? = nil
    ) {
        self.hex = hex
        self.mode = mode
        self.code = code
        self.offset = offset
        self.twin = twin
        self.depth = depth
    }

    var testDescription: String { "\(mode.rawValue) \(hex): \(code.rawValue) at \(offset), but \(twin)" }

    static let all: [Refusal] = [
        .init("", .wellFormed, .truncated, at: 0, accepted: "00"),
        .init("82 00", .wellFormed, .truncated, at: 0, accepted: "82 00 00"),
        .init("82 18 18", .wellFormed, .truncated, at: 3, accepted: "82 18 18 00"),
        .init("82 00 19 01", .wellFormed, .truncated, at: 2, accepted: "82 00 19 01 00"),
        .init("81 43 0102", .wellFormed, .truncated, at: 1, accepted: "81 43 010203"),
        .init("5f 42 01", .wellFormed, .truncated, at: 1, accepted: "5f 42 0102 ff"),
        .init("9f 00", .wellFormed, .truncated, at: 2, accepted: "9f 00 ff"),
        .init("a2 0001 02", .wellFormed, .truncated, at: 0, accepted: "a2 0001 0203"),
        .init("9b ffffffffffffffff 00", .wellFormed, .truncated, at: 0, accepted: "9b 0000000000000001 00"),
        .init("bb 8000000000000000 0000", .wellFormed, .truncated, at: 0, accepted: "bb 0000000000000001 0000"),
        .init("5b 7fffffffffffffff 00", .wellFormed, .truncated, at: 0, accepted: "5b 0000000000000001 00"),
        .init("00 00", .wellFormed, .trailingBytes, at: 1, accepted: "00"),
        .init("81 00 ff", .wellFormed, .trailingBytes, at: 2, accepted: "81 00"),
        .init("81 81 00", .wellFormed, .tooDeep, at: 1, accepted: "81 00", depth: 1),
        .init("81 80", .wellFormed, .tooDeep, at: 1, accepted: "80", depth: 1),
        .init("81 a0", .wellFormed, .tooDeep, at: 1, accepted: "a0", depth: 1),
        .init("c1 c1 00", .wellFormed, .tooDeep, at: 1, accepted: "c1 00", depth: 1),
        .init("a1 81 00 00", .wellFormed, .tooDeep, at: 1, accepted: "a1 00 00", depth: 1),
        .init("a1 00 81 00", .wellFormed, .tooDeep, at: 2, accepted: "a1 00 00", depth: 1),
        .init("9f 9f ff ff", .wellFormed, .tooDeep, at: 1, accepted: "9f ff", depth: 1),
        .init("80", .wellFormed, .tooDeep, at: 0, accepted: "00", depth: 0),
        .init("80", .wellFormed, .tooDeep, at: 0, accepted: "00", depth: -1),
        .init("8181818180", .ctap2, .tooDeep, at: 4, accepted: "81818180", depth: 16),
        .init("1c", .wellFormed, .reservedAdditionalInformation, at: 0, accepted: "17"),
        .init(
            "81 5d",
            .wellFormed,
            .reservedAdditionalInformation,
            at: 1,
            accepted: "81 57" + String(repeating: "00", count: 23)
        ),
        .init("81 fe", .wellFormed, .reservedAdditionalInformation, at: 1, accepted: "81 f4"),
        .init("f8 1f", .wellFormed, .reservedSimpleValue, at: 0, accepted: "f8 20"),
        .init("ff", .wellFormed, .unexpectedBreak, at: 0, accepted: "f7"),
        .init("81 ff", .wellFormed, .unexpectedBreak, at: 1, accepted: "9f ff"),
        .init("bf 00 ff", .wellFormed, .unexpectedBreak, at: 2, accepted: "bf 0000 ff"),
        .init("c1 ff", .wellFormed, .unexpectedBreak, at: 1, accepted: "c1 00"),
        .init("9f c1 ff", .wellFormed, .unexpectedBreak, at: 2, accepted: "9f c1 00 ff"),
        .init("5f 61 00 ff", .wellFormed, .invalidChunk, at: 1, accepted: "5f 41 00 ff"),
        .init("7f 41 00 ff", .wellFormed, .invalidChunk, at: 1, accepted: "7f 61 00 ff"),
        .init("5f 5f ff ff", .wellFormed, .invalidChunk, at: 1, accepted: "5f 40 ff"),
        .init("5f 1f", .wellFormed, .invalidChunk, at: 1, accepted: "5f ff"),
        .init("1f", .wellFormed, .indefiniteLength, at: 0, accepted: "17"),
        .init("81 3f", .wellFormed, .indefiniteLength, at: 1, accepted: "81 37"),
        .init("df 00", .wellFormed, .indefiniteLength, at: 0, accepted: "d7 00"),
        .init("81 9f ff", .deterministic, .indefiniteLength, at: 1, accepted: "81 80"),
        .init("7f ff", .ctap2, .indefiniteLength, at: 0, accepted: "60"),
        .init("81 62 6180", .valid, .invalidUTF8, at: 3, accepted: "81 62 6161"),
        .init("7f 61 c3 61 bc ff", .valid, .invalidUTF8, at: 2, accepted: "7f 62 c3bc ff"),
        .init("a2 01 00 01 00", .valid, .duplicateKey, at: 3, accepted: "a2 01 00 02 00"),
        .init("a2 01 00 1801 00", .valid, .duplicateKey, at: 3, accepted: "a2 01 00 1802 00"),
        .init("a3 01 00 02 00 01 00", .valid, .duplicateKey, at: 5, accepted: "a3 01 00 03 00 02 00"),
        .init("a4 03 00 01 00 03 00 01 00", .valid, .duplicateKey, at: 5, accepted: "a4 03 00 01 00 04 00 02 00"),
        .init("a2 6161 00 7f 6161 ff 00", .valid, .duplicateKey, at: 4, accepted: "a2 6161 00 7f 6162 ff 00"),
        .init("a2 f93c00 00 fb3ff0000000000000 00", .valid, .duplicateKey, at: 5, accepted: "a2 f93c00 00 01 00"),
        .init("a2 f90000 00 f98000 00", .valid, .duplicateKey, at: 5, accepted: "a2 f90000 00 00 00"),
        .init("a2 f90000 00 f98000 00", .deterministic, .duplicateKey, at: 5, accepted: "a2 f90000 00 f98001 00"),
        .init("a2 81f90000 00 81f98000 00", .ctap2, .duplicateKey, at: 6, accepted: "a2 81f90000 00 81f98001 00"),
        .init("a2 f97e00 00 f9fe00 00", .valid, .duplicateKey, at: 5, accepted: "a2 f97e00 00 f97e01 00"),
        .init("a2 f93c00 00 fa3f800000 00", .ctap2, .duplicateKey, at: 5, accepted: "a2 f93c00 00 fa40000000 00"),
        .init(
            "a2 a201020304 00 a203040102 00",
            .valid,
            .duplicateKey,
            at: 7,
            accepted: "a2 a201020304 00 a203020104 00"
        ),
        .init("a2 8101 00 9f01ff 00", .valid, .duplicateKey, at: 4, accepted: "a2 8101 00 9f02ff 00"),
        .init("a1 00 a2 01 00 01 00", .valid, .duplicateKey, at: 5, accepted: "a1 00 a2 01 00 02 00"),
        .init("bf 01 00 01 00 ff", .valid, .duplicateKey, at: 3, accepted: "bf 01 00 02 00 ff"),
        .init("81 18 17", .deterministic, .notShortest, at: 1, accepted: "81 17"),
        .init("19 00ff", .ctap2, .notShortest, at: 0, accepted: "18 ff"),
        .init("1a 0000ffff", .deterministic, .notShortest, at: 0, accepted: "19 ffff"),
        .init("1b 00000000ffffffff", .deterministic, .notShortest, at: 0, accepted: "1a ffffffff"),
        .init("58 01 00", .ctap2, .notShortest, at: 0, accepted: "41 00"),
        .init("fa 3f800000", .deterministic, .notShortest, at: 0, accepted: "f9 3c00"),
        .init("c2 41 01", .deterministic, .notShortest, at: 0, accepted: "01"),
        .init("81 c3 48 ffffffffffffffff", .deterministic, .notShortest, at: 1, accepted: "81 3b ffffffffffffffff"),
        .init("c2 4a 00ffffffffffffffffff", .deterministic, .notShortest, at: 0, accepted: "c2 49 ffffffffffffffffff"),
        .init("a2 02 00 01 00", .deterministic, .keyOrder, at: 3, accepted: "a2 01 00 02 00"),
        .init("a2 8120 00 811864 00", .deterministic, .keyOrder, at: 4, accepted: "a2 811864 00 8120 00"),
        .init("a2 811864 00 8120 00", .ctap2, .keyOrder, at: 5, accepted: "a2 8120 00 811864 00"),
        .init("a2 6161 00 02 00", .ctap2, .keyOrder, at: 4, accepted: "a2 02 00 6161 00"),
        .init("81 c1 00", .ctap2, .tagNotAllowed, at: 1, accepted: "81 00"),
    ]
}

@Suite("CBOR refusals")
struct CBORErrorTests {
    @Test(arguments: Refusal.all)
    func refuses(_ refusal: Refusal) throws {
        let bytes = try hex(refusal.hex)
        let expected = (refusal.code, refusal.offset)
        let document = wireError { () throws(WireError) in
            try CBORDocument(bytes, mode: refusal.mode, maximumDepth: refusal.depth)
        }
        #expect(try #require(document).code == expected.0)
        #expect(try #require(document).offset == expected.1)
        #expect(readerError(bytes[...], refusal.mode, refusal.depth) == document)
        let tree = wireError { () throws(WireError) in
            try CBOR(bytes, mode: refusal.mode, maximumDepth: refusal.depth)
        }
        #expect(tree == document)
        // Offsets count from the beginning of a slice.
        let padded = [0xff, 0xff] + bytes + [0xff]
        let slice = wireError { () throws(WireError) in
            try CBORDocument(padded[2..<2 + bytes.count], mode: refusal.mode, maximumDepth: refusal.depth)
        }
        #expect(slice == document)
    }

    @Test(arguments: Refusal.all)
    func acceptsTheTwin(_ refusal: Refusal) throws {
        let bytes = try hex(refusal.twin)
        let document = try CBORDocument(bytes, mode: refusal.mode, maximumDepth: refusal.depth)
        #expect(document.bytes == bytes)
        #expect(readerError(bytes[...], refusal.mode, refusal.depth) == nil)
        #expect(try CBOR(bytes, mode: refusal.mode, maximumDepth: refusal.depth) == document.value)
    }

    @Test("every code that CBOR has is met")
    func codes() {
        let met = Set(Refusal.all.map(\.code))
        let all: Set<WireError.Code> = [
            .truncated, .trailingBytes, .tooDeep, .duplicateKey, .invalidUTF8, .reservedAdditionalInformation,
            .reservedSimpleValue, .unexpectedBreak, .invalidChunk, .indefiniteLength, .notShortest, .keyOrder,
            .tagNotAllowed,
        ]
        #expect(met == all)
    }

    @Test("the weaker modes take what only the stronger ones refuse")
    func weakerModes() throws {
        for refusal in Refusal.all where refusal.mode != .wellFormed && refusal.code != .truncated {
            #expect(throws: Never.self) { try CBORDocument(hex(refusal.hex), mode: .wellFormed) }
        }
    }

    @Test("a limit beyond the greatest is the greatest")
    func greatestDepth() throws {
        let deepest = [UInt8](repeating: 0x81, count: CBOR.greatestMaximumDepth) + [0x00]
        #expect(try CBORDocument(deepest, maximumDepth: .max).bytes == deepest)
        let value = try CBOR(deepest, maximumDepth: .max)
        #expect(value.diagnostic.utf8.count == 2 * CBOR.greatestMaximumDepth + 1)
        #expect(try value.encoded() == deepest)
        #expect(value == (try CBOR(deepest, maximumDepth: .max)))
        let error = wireError { () throws(WireError) in try CBORDocument([0x81] + deepest, maximumDepth: .max) }
        #expect(error == WireError(.tooDeep, at: CBOR.greatestMaximumDepth))
        #expect(CBORMode.ctap2.defaultMaximumDepth == 4)
        #expect(CBORMode.valid.defaultMaximumDepth == 16)
    }

    @Test("an error is one line")
    func description() {
        #expect(WireError(.tooDeep, at: 7).description == "too-deep at byte 7")
        #expect(WireError(.wrongType, at: 0, detail: "alg").description == "wrong-type at byte 0: alg")
        #expect(Set(WireError.Code.allCases.map(\.rawValue)).count == WireError.Code.allCases.count)
    }
}
