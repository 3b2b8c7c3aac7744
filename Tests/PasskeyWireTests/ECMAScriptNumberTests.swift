import PasskeyWire
import Testing

@Suite("Number::toString")
struct ECMAScriptNumberTests {
    /// Bits and what `String(x)` gives in a JavaScript engine.
    static let numbers: [(bits: UInt64, text: String)] = [
        (0x3ff0_0000_0000_0000, "1"),
        (0x3fb9_9999_9999_999a, "0.1"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x4415_af1d_78b5_8c40, "100000000000000000000"),
        (0x441a_c53a_7e04_bcda, "123456789012345680000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x3e7a_d7f2_9abc_af48, "1e-7"),
        (0x3eb4_b3fd_5942_cd96, "0.000001234"),
        (0x3e80_8ffd_e102_3e12, "1.234e-7"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x0010_0000_0000_0000, "2.2250738585072014e-308"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0x4011_6666_6666_6666, "4.35"),
        (0x3fd3_3333_3333_3333, "0.3"),
        (0x3fe5_5555_5555_5555, "0.6666666666666666"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0x4340_0000_0000_0001, "9007199254740994"),
        (0x434f_ffff_ffff_ffff, "18014398509481982"),
        (0x4360_0000_0000_0000, "36028797018963970"),
        (0x4330_0000_0000_0002, "4503599627370498"),
        (0x430c_6bf5_2634_0000, "1000000000000000"),
        (0x4341_c379_37e0_8000, "10000000000000000"),
        (0x4376_3457_85d8_a000, "100000000000000000"),
        (0x434a_a535_d3d0_c000, "15000000000000000"),
        (0x405e_dd2f_1a9f_be77, "123.456"),
        (0x4059_0000_0000_0000, "100"),
        (0x7e37_e43c_8800_759c, "1e+300"),
        (0x81a5_6e1f_c2f8_f359, "-1e-300"),
        (0x44df_e185_ca57_c517, "6.02214076e+23"),
        (0x0040_0000_0000_0000, "1.7800590868057611e-307"),
        (0x0080_0000_0000_0000, "2.848094538889218e-306"),
        (0x0000_0000_0000_2788, "5e-320"),
        (0x0000_0000_0000_0004, "2e-323"),
        (0x0000_0000_0000_0007, "3.5e-323"),
        (0x447c_7e83_209e_90b2, "8.41e+21"),
        (0x39b2_79a9_c807_3d8b, "9.109e-31"),
        (0x4480_f0cf_064d_d592, "1e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x47ef_ffff_e000_0000, "3.4028234663852886e+38"),
        (0x40ef_fc00_0000_0000, "65504"),
        (0x3e70_0000_0000_0000, "5.960464477539063e-8"),
        (0x3f10_0000_0000_0000, "0.00006103515625"),
        (0x433f_ffff_ffff_ffff, "9007199254740991"),
        (0x43e0_0000_0000_0000, "9223372036854776000"),
        (0x43f0_0000_0000_0000, "18446744073709552000"),
        (0x41d4_52d9_ec20_0000, "1363896240.5"),
        (0xc010_6666_6666_6666, "-4.1"),
        (0x4029_8000_0000_0000, "12.75"),
        (0x7969_0975_fbde_15b0, "6.934698245112694e+276"),
        (0x2a33_7357_ae2c_c59b, "2.1201840400810927e-105"),
        (0x2fef_107a_2752_9ad0, "8.383658838626809e-78"),
        (0xe409_3df8_432a_8be5, "-7.803913958627244e+173"),
        (0x71dd_0913_2716_87b2, "3.0251373381551392e+240"),
        (0xf70a_bb34_1875_063d, "-2.693554001703998e+265"),
        (0x61b9_7bcd_4b21_c371, "5.732426266654185e+162"),
        (0xe845_105e_d8c7_7cb7, "-1.922060169763526e+194"),
        (0xe77b_20ae_c423_3f8e, "-3.0216886841970293e+190"),
        (0xc9dd_c8f0_4277_5a71, "-6.801672438380202e+47"),
        (0xfe5d_efe9_c561_0885, "-5.012175857090046e+300"),
        (0x6ef1_4999_f811_4bd4, "2.559582258455348e+226"),
        (0xa3a0_3fe4_de4f_1c43, "-4.366508223114724e-137"),
        (0x9fde_d21c_82ca_f2bb, "-3.591744324346332e-155"),
        (0xb494_d688_0418_a99e, "-2.1245996709086885e-55"),
        (0x9557_53b5_7993_3f4d, "-7.265769856122253e-206"),
        (0x0123_9ff2_c4a0_6a73, "3.5771699383255836e-303"),
        (0x8be8_7413_a8b3_d667, "-2.6682918192826337e-251"),
        (0x2e6f_66b0_49cd_c80b, "5.051222246941584e-85"),
        (0xf991_db0c_819b_315b, "-3.956506804880179e+277"),
        (0x9426_9b57_fb8d_31f9, "-1.3430505694987311e-211"),
        (0xbe1e_defc_fabd_75da, "-1.7969314742435888e-9"),
        (0xe35a_c674_71cc_39b1, "-4.041946107752987e+170"),
        (0x7b59_baf2_b613_ed82, "1.530453622854111e+286"),
    ]

    @Test("digits and layout are ECMAScript's", arguments: numbers)
    func writes(_ bits: UInt64, _ text: String) throws {
        let value = Double(bitPattern: bits)
        #expect(JSONNumber(value)?.text == text)
        #expect(Double(text) == value)
        // Diagnostic notation is the same with a point.
        let parts = text.split(separator: "e", maxSplits: 1)
        let mantissa = parts[0].contains(".") ? String(parts[0]) : "\(parts[0]).0"
        #expect(CBOR.float(value).diagnostic == mantissa + (parts.count > 1 ? "e\(parts[1])" : ""))
    }

    @Test("zero, infinity and NaN")
    func special() {
        #expect(JSONNumber(0.0)?.text == "0")
        #expect(JSONNumber(-0.0)?.text == "-0")
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(
            [0.0, -0.0, .infinity, -.infinity, .nan].map { CBOR.float($0).diagnostic } == [
                "0.0", "-0.0", "Infinity", "-Infinity", "NaN",
            ]
        )
    }

    @Test("random numbers read back as themselves", arguments: 1...4)
    func random(_ seed: UInt64) {
        var random = XorShift(seed: seed)
        for _ in 0..<2000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            #expect(JSONNumber(value)?.double == value)
            #expect(Double(CBOR.float(value).diagnostic) == value)
        }
    }
}
