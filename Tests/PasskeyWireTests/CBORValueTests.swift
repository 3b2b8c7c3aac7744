import PasskeyWire
import Testing

@Suite("CBOR values")
struct CBORValueTests {
    @Test("literals")
    func literals() {
        let value: CBOR = ["a": 1, -2: [true, false, 1.5, "x"], .null: .bytes([1])]
        #expect(value.diagnostic == #"{"a": 1, -2: [true, false, 1.5, "x"], null: h'01'}"#)
        #expect(value.description == value.diagnostic)
        #expect(value["a"] == 1)
        #expect(value[-2]?.elements?.count == 4)
        #expect(value[.null]?.byteArray == [1])
        #expect(value["b"] == nil)
        #expect(CBOR.undefined.diagnostic == "undefined")
        #expect(CBOR.bool(true) == true)
    }

    @Test("asking a value for another type gives nil")
    func accessors() {
        let values: [CBOR] = [1, -1, .bytes([]), "", [], [:], .tagged(1, 0), true, .null, 0.5]
        #expect(values.map { $0.int } == [1, -1, nil, nil, nil, nil, nil, nil, nil, nil])
        #expect(values.map { $0.uint64 } == [1, nil, nil, nil, nil, nil, nil, nil, nil, nil])
        #expect(values.map { $0.byteArray } == [nil, nil, [], nil, nil, nil, nil, nil, nil, nil])
        #expect(values.map { $0.string } == [nil, nil, nil, "", nil, nil, nil, nil, nil, nil])
        #expect(values.map { $0.elements } == [nil, nil, nil, nil, [], nil, nil, nil, nil, nil])
        #expect(values.map { $0.entries } == [nil, nil, nil, nil, nil, [], nil, nil, nil, nil])
        #expect(values.map { $0.bool } == [nil, nil, nil, nil, nil, nil, nil, true, nil, nil])
        #expect(values.map { $0.double } == [nil, nil, nil, nil, nil, nil, nil, nil, nil, 0.5])
        #expect(values.map { $0.isNull } == [false, false, false, false, false, false, false, false, true, false])
        #expect(values.allSatisfy { $0["a"] == nil })
        #expect(CBOR.bool(false).bool == false)
    }

    @Test("integers over the whole range")
    func integers() throws {
        #expect(CBOR(Int.max).int == .max)
        #expect(CBOR(Int.min) == .negative(UInt64(Int.max)))
        #expect(CBOR(Int.min).int == .min)
        #expect(CBOR.unsigned(1 << 63).int == nil)
        #expect(CBOR.negative(1 << 63).int == nil)
        #expect(CBOR.negative(.max).diagnostic == "-18446744073709551616")
        #expect(CBOR.negative(.max - 1).diagnostic == "-18446744073709551615")
        for value in [0, 23, 24, 255, 256, 65535, 65536, 1 << 32 - 1, 1 << 32, Int.max] {
            #expect(try CBOR(CBOR(value).encoded(), mode: .ctap2).int == value)
            #expect(try CBOR(CBOR(~value).encoded(), mode: .ctap2).int == ~value)
        }
    }

    @Test("equality is that of RFC 8949 §5.6.1")
    func equality() throws {
        let equal: [(CBOR, CBOR)] = [
            ([1: 2, 3: 4], [3: 4, 1: 2]),
            (.float(0), .float(-0.0)),
            (.float(.nan), .float(Double(bitPattern: 0xfff8_0000_0000_0000))),
            ([[1: 2, "a": .float(0)]], [["a": .float(-0.0), 1: 2]]),
            (.tagged(1, [1: 2, 3: 4]), .tagged(1, [3: 4, 1: 2])),
            (.map([.init(1, 2), .init(1, 3)]), .map([.init(1, 3), .init(1, 2)])),
        ]
        for (left, right) in equal {
            #expect(left == right)
            #expect(left.hashValue == right.hashValue)
            #expect(Set([left, right]).count == 1)
        }
        let different: [(CBOR, CBOR)] = [
            (1, 1.0), (1, "1"), ("a", .bytes([0x61])), (1, -1), (.simple(2), 2), ([], [:]), ([1], [1, 2]),
            (.tagged(1, 1), 1), (.tagged(1, 1), .tagged(2, 1)), ("\u{e9}", "e\u{301}"),
            (.float(.nan), .float(Double(bitPattern: 0x7ff8_0000_0000_0001))), ([1: 2], [1: 3]),
            ([1: 2], [1: 2, 3: 4]),
            (.tagged(2, .bytes([1])), 1), (.tagged(2, .bytes([0, 1])), .tagged(2, .bytes([1]))), (false, .null),
            (.map([.init(1, 2), .init(1, 3)]), .map([.init(1, 2), .init(1, 2)])),
        ]
        for (left, right) in different {
            #expect(left != right)
            #expect(Set([left, right]).count == 2)
        }
    }

    @Test("a hand-made tree of great depth is no danger to what works on it")
    func deepTree() throws {
        // Deeper than anything that is decoded, though not so deep that its release would be one.
        var value: CBOR = 0
        for _ in 0..<2000 { value = [value] }
        #expect(try value.encoded().count == 2001)
        #expect(value.diagnostic.utf8.count == 4001)
        #expect(value == value)
        #expect(value.hashValue == value.hashValue)
        #expect(throws: WireError(.tooDeep, at: 4)) { try value.encoded(.ctap2) }
    }
}

@Suite("CBOR encoding")
struct CBOREncodingTests {
    @Test("keys are sorted in the order asked for, at every level")
    func order() throws {
        let value: CBOR = [[-1]: 0, [100]: 1, "b": ["z": 0, "aa": 1, 100: 2, -1: 3], 1: .null]
        #expect(Hex.encode(try value.encoded()) == "a401f66162a4186402200361" + "7a0062616101811864018120" + "00")
        #expect(Hex.encode(try value.encoded(.ctap2)) == "a401f66162a418640220036" + "17a00626161018120008118" + "6401")
        #expect(try CBORDocument(value.encoded(), mode: .deterministic).value == value)
        #expect(try CBORDocument(value.encoded(.ctap2), mode: .ctap2).value == value)
    }

    @Test("what has no encoding is refused")
    func refusals() throws {
        #expect(throws: WireError(.duplicateKey, at: 3)) { try CBOR.map([.init(1, 2), .init(1, 3)]).encoded() }
        #expect(throws: WireError(.duplicateKey, at: 5)) {
            try CBOR.map([.init(1, 2), .init(2, 3), .init(1, 3)]).encoded(.ctap2)
        }
        #expect(try CBOR.map([.init(1, 2), .init(3, 3), .init(2, 3)]).encoded() == [0xa3, 1, 2, 2, 3, 3, 3])
        // An integer and the bignum of the same value become one key.
        #expect(throws: WireError.self) { try CBOR.map([.init(1, 2), .init(.tagged(2, .bytes([1])), 3)]).encoded() }
        for value in UInt8.min...UInt8.max {
            let encoded = try? CBOR.simple(value).encoded()
            #expect(encoded == ((24...31).contains(value) ? nil : value < 24 ? [0xe0 | value] : [0xf8, value]))
        }
        #expect(throws: WireError(.reservedSimpleValue, at: 1)) { try CBOR.array([.simple(24)]).encoded() }
        #expect(throws: WireError(.tagNotAllowed, at: 1)) { try CBOR.array([.tagged(1, 0)]).encoded(.ctap2) }
        #expect(try CBOR.array([.tagged(1, 0)]).encoded() == [0x81, 0xc1, 0x00])
        #expect(throws: WireError(.tooDeep, at: 4)) { try CBOR([0x81, 0x81, 0x81, 0x81, 0x80]).encoded(.ctap2) }
        #expect(try CBOR([0x81, 0x81, 0x81, 0x80]).encoded(.ctap2) == [0x81, 0x81, 0x81, 0x80])
        // Printing refuses nothing.
        #expect(CBOR.simple(24).diagnostic == "simple(24)")
        #expect(CBOR.map([.init(1, 2), .init(1, 3)]).diagnostic == "{1: 2, 1: 3}")
    }

    @Test("bignums are minimal, and integers where these can hold them")
    func bignums() throws {
        let cases: [(String, String)] = [
            ("0", "00"), ("-0", "00"), ("00", "00"), ("-1", "20"), ("24", "1818"),
            ("18446744073709551615", "1bffffffffffffffff"),
            ("18446744073709551616", "c249010000000000000000"), ("-18446744073709551616", "3bffffffffffffffff"),
            ("-18446744073709551617", "c349010000000000000000"), ("-4722366482869645213696", "c349ffffffffffffffffff"),
            ("1000000000000000000000000000000", "c24d0c9f2c9cd04674edea40000000"),
            ("-1000000000000000000000000000000", "c34d0c9f2c9cd04674edea3fffffff"),
            ("340282366920938463463374607431768211455", "c250ffffffffffffffffffffffffffffffff"),
            ("-340282366920938463463374607431768211456", "c350ffffffffffffffffffffffffffffffff"),
        ]
        for (digits, expected) in cases {
            let value = try #require(CBOR(decimalInteger: digits))
            #expect(Hex.encode(try value.encoded()) == expected)
            let document = try CBORDocument(hex(expected), mode: .deterministic)
            #expect(document.value == value)
            #expect(document.diagnostic == (digits == "-0" || digits == "00" ? "0" : digits))
        }
        for text in ["", "-", "+1", "1.0", "0x1", " 1", "١", "--1"] { #expect(CBOR(decimalInteger: text) == nil) }
        #expect(try CBOR.tagged(2, .bytes([0, 0, 1])).encoded(.ctap2) == [0x01])
        #expect(try CBOR.tagged(3, .bytes([])).encoded() == [0x20])
        #expect(
            try CBOR.tagged(2, .bytes([0] + [UInt8](repeating: 7, count: 9))).encoded() == hex("c249070707070707070707")
        )
        #expect(throws: WireError(.tagNotAllowed, at: 0)) {
            try CBOR.tagged(2, .bytes([UInt8](repeating: 7, count: 9))).encoded(.ctap2)
        }
        #expect(try CBOR.tagged(2, "x").encoded() == hex("c26178"))
    }

    @Test("8192 bits are the most that is decimal")
    func greatestBignum() throws {
        let greatest = CBOR.tagged(2, .bytes([UInt8](repeating: 0xff, count: 1024)))
        let digits = greatest.diagnostic
        #expect(digits.utf8.count == 2467)
        #expect(digits.hasPrefix("1090748135619415929462984244733782862448"))
        #expect(CBOR(decimalInteger: digits) == greatest)
        let next = CBOR.tagged(2, .bytes([1] + [UInt8](repeating: 0, count: 1024)))
        #expect(next.diagnostic.hasPrefix("2(h'0100"))
        // One more than the greatest, in as many digits.
        #expect(CBOR(decimalInteger: String(digits.dropLast()) + "6") == nil)
        #expect(CBOR(decimalInteger: digits + "0") == nil)
        let least = CBOR.tagged(3, .bytes([UInt8](repeating: 0xff, count: 1024)))
        #expect(CBOR(decimalInteger: least.diagnostic) == least)
    }

    @Test("decimal digits agree with a plain conversion", arguments: 1...3)
    func randomBignums(_ seed: UInt64) throws {
        var random = XorShift(seed: seed)
        for _ in 0..<60 {
            let bytes =
                [UInt8(1 + random.below(255))] + (0..<8 + random.below(60)).map { _ in UInt8(random.below(256)) }
            // Horner's rule on decimal digits, the least significant first.
            var digits: [Int] = [0]
            for byte in bytes {
                var carry = Int(byte)
                for index in digits.indices {
                    carry += digits[index] * 256
                    digits[index] = carry % 10
                    carry /= 10
                }
                while carry > 0 {
                    digits.append(carry % 10)
                    carry /= 10
                }
            }
            let text = digits.reversed().map(String.init).joined()
            let value = CBOR.tagged(2, .bytes(bytes))
            #expect(value.diagnostic == text)
            #expect(CBOR(decimalInteger: text) == value)
            let negative = CBOR.tagged(3, .bytes(bytes))
            #expect(CBOR(decimalInteger: negative.diagnostic) == negative)
        }
    }
}

@Suite("CBOR floats")
struct CBORFloatTests {
    /// Values by hand from RFC 8949 and IEEE 754.
    static let shortest: [(bits: UInt64, encoded: String)] = [
        (0x0000_0000_0000_0000, "f90000"), (0x8000_0000_0000_0000, "f98000"), (0x3ff0_0000_0000_0000, "f93c00"),
        (0x40ef_fc00_0000_0000, "f97bff"), (0x40f0_0000_0000_0000, "fa47800000"), (0x40ef_fe00_0000_0000, "fa477ff000"),
        (0x3f10_0000_0000_0000, "f90400"), (0x3f0f_f800_0000_0000, "f903ff"), (0x3e70_0000_0000_0000, "f90001"),
        (0x3e60_0000_0000_0000, "fa33000000"), (0x3e78_0000_0000_0000, "fa33c00000"), (0x3e80_0000_0000_0000, "f90002"),
        (0x7ff0_0000_0000_0000, "f97c00"), (0xfff0_0000_0000_0000, "f9fc00"), (0x7ff8_0000_0000_0000, "f97e00"),
        (0x7ff4_0000_0000_0000, "f97d00"), (0x7ff0_0400_0000_0000, "f97c01"), (0x7ff0_0200_0000_0000, "fa7f801000"),
        (0x7ff8_0000_2000_0000, "fa7fc00001"), (0xfff8_0000_1000_0000, "fbfff8000010000000"),
        (0x47ef_ffff_e000_0000, "fa7f7fffff"), (0x47f0_0000_0000_0000, "fb47f0000000000000"),
        (0x36a0_0000_0000_0000, "fa00000001"), (0x3690_0000_0000_0000, "fb3690000000000000"),
        (0x3810_0000_0000_0000, "fa00800000"), (0x380f_ffff_c000_0000, "fa007fffff"),
        (0x380f_ffff_e000_0000, "fb380fffffe0000000"), (0x0000_0000_0000_0001, "fb0000000000000001"),
        (0x000f_ffff_ffff_ffff, "fb000fffffffffffff"), (0x3ff1_9999_9999_999a, "fb3ff199999999999a"),
        (0xc010_6666_6666_6666, "fbc010666666666666"), (0x3ff0_0000_2000_0000, "fa3f800001"),
    ]

    @Test("the shortest form that keeps the bits", arguments: shortest)
    func narrows(_ bits: UInt64, _ encoded: String) throws {
        let value = CBOR.float(Double(bitPattern: bits))
        #expect(Hex.encode(try value.encoded()) == encoded)
        let document = try CBORDocument(hex(encoded), mode: .deterministic)
        #expect(document.root.double?.bitPattern == bits)
        // The longer forms are the same value and not deterministic.
        let long = [0xfb] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> UInt64($0 * 8)) }
        let double = try CBORDocument(long)
        #expect(double.root.double?.bitPattern == bits)
        #expect(double.isDeterministic == (encoded.count == 18))
        #expect(double.conforms(to: .ctap2))
    }

    @Test("every half has its value")
    func halves() throws {
        for bits in UInt16.min...UInt16.max {
            let bytes = [0xf9, UInt8(bits >> 8), UInt8(bits & 0xff)]
            // RFC 8949 Appendix D, in C.
            let exponent = Int(bits >> 10 & 0x1f)
            let significand = Double(bits & 0x3ff)
            let power = { (exponent: Int) in Double(sign: .plus, exponent: exponent, significand: 1) }
            let magnitude =
                exponent == 0
                ? significand * power(-24)
                : exponent != 31 ? (significand + 1024) * power(exponent - 25) : significand == 0 ? .infinity : .nan
            let expected = bits & 0x8000 != 0 ? -magnitude : magnitude
            let value = try CBORDocument(bytes, mode: .wellFormed).root.double
            #expect(value?.bitPattern == expected.bitPattern || magnitude.isNaN && value?.isNaN == true)
            #expect(try CBOR(bytes, mode: .deterministic).encoded() == bytes)
        }
    }

    @Test("every single comes back as it was", arguments: 1...2)
    func singles(_ seed: UInt64) throws {
        var random = XorShift(seed: seed)
        for _ in 0..<3000 {
            let bits = UInt32(truncatingIfNeeded: random.next())
            let bytes = [0xfa] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: bits >> UInt32($0 * 8)) }
            let value = try CBOR(bytes)
            let single = Float(bitPattern: bits)
            if !single.isNaN { #expect(value.double == Double(single)) }
            let encoded = try value.encoded()
            #expect(try encoded == bytes || (encoded.count == 3 && value == CBOR(encoded)))
        }
    }
}

@Suite("Diagnostic notation")
struct CBORDiagnosticTests {
    static let notations: [(encoded: String, text: String)] = [
        ("9fff", "[_ ]"), ("bfff", "{_ }"), ("5fff", "''_"), ("7fff", "\"\"_"), ("5f40ff", "(_ h'')"),
        ("bf0102ff", "{_ 1: 2}"), ("9f9fff0102ff", "[_ [_ ], 1, 2]"), ("825fff7fff", "[''_, \"\"_]"),
        ("c15f4101ff", "1((_ h'01'))"), ("c15fff", "1(''_)"), ("c1c2c300", "1(2(3(0)))"), ("82c1008100", "[1(0), [0]]"),
        ("a2c1009f01ff02c103", "{1(0): [_ 1], 2: 1(3)}"), ("a1a1010203", "{{1: 2}: 3}"),
        ("c24101", "2(h'01')"), ("c2480100000000000000", "2(h'0100000000000000')"),
        ("c249000000000000000001", "2(h'000000000000000001')"),
        ("c25f49010000000000000000ff", "2((_ h'010000000000000000'))"),
        ("c26a61616161616161616161", "2(\"aaaaaaaaaa\")"),
        ("c282c2490100000000000000000a", "2([18446744073709551616, 10])"),
        ("62220a", "\"\\\"\\u000a\""), ("637f2f5c", "\"\\u007f/\\\\\""), ("64f09f9880", "\"\\ud83d\\ude00\""),
        ("f8ff", "simple(255)"), ("3bffffffffffffffff", "-18446744073709551616"), ("d9d9f700", "55799(0)"),
    ]

    @Test("is Appendix A's", arguments: notations)
    func notation(_ encoded: String, _ text: String) throws {
        let document = try CBORDocument(hex(encoded))
        #expect(document.diagnostic == text)
    }
}
