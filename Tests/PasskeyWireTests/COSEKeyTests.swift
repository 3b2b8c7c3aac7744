import Foundation
import PasskeyVectors
import PasskeyWire
import Testing

@Suite("COSE keys")
struct COSEKeyTests {
    /// Each algorithm with parameters of the right shape.
    static let shapes: [(algorithm: COSEAlgorithmIdentifier, parameters: COSEKey.Parameters, keyType: Int)] = [
        (.es256, point(.p256), 2), (.esp256, point(.p256), 2), (.es384, point(.p384), 2), (.esp384, point(.p384), 2),
        (.es512, point(.p521), 2), (.esp512, point(.p521), 2), (.es256K, point(.secp256k1), 2),
        (.edDSA, .okp(.ed25519, x: bytes(32)), 1), (.ed25519, .okp(.ed25519, x: bytes(32)), 1),
        (.ed448, .okp(.ed448, x: bytes(57)), 1), (.rs256, rsa(256), 3), (.rs384, rsa(384), 3), (.rs512, rsa(512), 3),
        (.ps256, rsa(256), 3), (.ps384, rsa(1024), 3), (.ps512, rsa(256), 3), (.rs1, rsa(256), 3),
        (.mlDSA44, .akp(publicKey: bytes(1312)), 7), (.mlDSA65, .akp(publicKey: bytes(1952)), 7),
        (.mlDSA87, .akp(publicKey: bytes(2592)), 7),
    ]

    static func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x81, count: count) }

    static func point(_ curve: COSEKey.Curve) -> COSEKey.Parameters {
        .ec2(curve, x: bytes(curve.length), y: bytes(curve.length))
    }

    static func rsa(_ count: Int) -> COSEKey.Parameters { .rsa(n: bytes(count), e: [1, 0, 1]) }

    @Test("every algorithm's key is made, written and read", arguments: shapes)
    func roundTrip(
        _ algorithm: COSEAlgorithmIdentifier,
        _ parameters: COSEKey.Parameters,
        _ keyType: Int
    ) throws {
        let key = try COSEKey(algorithm: algorithm, parameters)
        #expect(key.keyType == keyType)
        #expect(try CBORDocument(key.encoded, mode: .ctap2).root[1]?.int == keyType)
        #expect(try COSEKey(key.encoded) == key)
        let followed = [0xff] + key.encoded + [0xa0]
        #expect(try COSEKey(prefixOf: followed[1...]) == key)
        #expect(throws: WireError(.trailingBytes, at: key.encoded.count)) { try COSEKey(Array(followed[1...])) }
        for length in 0..<key.encoded.count where length < 100 || length % 97 == 0 {
            #expect(throws: WireError.self) { try COSEKey(Array(key.encoded[..<length])) }
        }
        // With every other algorithm the same parameters are another key or none.
        for other in Self.shapes where other.algorithm != algorithm {
            let mixed = try? COSEKey(algorithm: other.algorithm, parameters)
            let belongs = {
                (shape: (algorithm: COSEAlgorithmIdentifier, parameters: COSEKey.Parameters, keyType: Int)) in
                switch (shape.parameters, parameters) {
                case (.ec2(let left, _, _), .ec2(let right, _, _)): left == right
                case (.okp(let left, _), .okp(let right, _)): left == right
                case (.rsa, .rsa): true
                default: false
                }
            }
            #expect((mixed != nil) == belongs(other))
        }
    }

    /// A P-256 key as a map whose entries can be exchanged.
    private static let base: [(label: CBOR, value: CBOR)] = [
        (1, 2), (3, -7), (-1, 1), (-2, .bytes(bytes(32))), (-3, .bytes(bytes(32))),
    ]

    private func key(
        _ base: [(label: CBOR, value: CBOR)] = base,
        replacing label: CBOR,
        with value: CBOR?
    ) throws -> [UInt8] {
        var entries = base.filter { $0.label != label }
        if let value { entries.append((label, value)) }
        return try CBOR.map(entries.map { CBOR.Entry($0.label, $0.value) }).encoded()
    }

    @Test("each fault of an EC key has its code")
    func ec2() throws {
        #expect(try COSEKey(key(replacing: 1, with: 2)).algorithm == .es256)
        let faults: [(CBOR, CBOR?, WireError.Code)] = [
            (1, nil, .missingParameter), (3, nil, .missingParameter), (-1, nil, .missingParameter),
            (-2, nil, .missingParameter), (-3, nil, .missingParameter), (1, "EC2", .wrongType),
            (3, "ES256", .wrongType),
            (-1, "P-256", .wrongType), (-2, "x", .wrongType), (-3, .null, .wrongType), (-3, 5, .wrongType),
            (-3, [], .wrongType),
            (1, .bytes([2]), .wrongType), (3, .negative(.max), .wrongType), (3, .unsigned(.max), .wrongType),
            (1, 0, .unsupportedKeyType), (1, 4, .unsupportedKeyType), (-1, 0, .unsupportedCurve),
            (-1, 4, .unsupportedCurve),
            (-1, 99, .unsupportedCurve), (3, 7, .unsupportedAlgorithm), (3, -25, .unsupportedAlgorithm),
            (3, -35, .algorithmMismatch), (3, -257, .algorithmMismatch), (3, -8, .algorithmMismatch),
            (3, -48, .algorithmMismatch),
            (-1, 6, .algorithmMismatch), (-1, 8, .algorithmMismatch), (-1, 2, .algorithmMismatch),
            (-2, .bytes(Self.bytes(31)), .invalidKeyLength), (-2, .bytes(Self.bytes(33)), .invalidKeyLength),
            (-3, .bytes(Self.bytes(31)), .invalidKeyLength), (-3, .bytes([]), .invalidKeyLength),
            (-3, true, .compressedPoint),
            (-3, false, .compressedPoint), (2, .bytes([1]), .unexpectedParameter), (4, [2], .unexpectedParameter),
            (5, .bytes([1]), .unexpectedParameter), (99, 0, .unexpectedParameter), ("x", 0, .unexpectedParameter),
            (.negative(.max), 0, .unexpectedParameter), (-13, 0, .unexpectedParameter),
            (-5, .bytes([1]), .unexpectedParameter),
            (-4, .bytes(Self.bytes(32)), .privateKey), (1, 1, .unexpectedParameter), (1, 3, .privateKey),
            (1, 7, .privateKey),
        ]
        for (label, value, code) in faults {
            let bytes = try key(replacing: label, with: value)
            let error = wireError { () throws(WireError) in try COSEKey(bytes) }
            #expect(error?.code == code, "\(label): \(String(describing: value))")
        }
    }

    @Test("each fault of the other types has its code")
    func others() throws {
        let okp: [(label: CBOR, value: CBOR)] = [(1, 1), (3, -8), (-1, 6), (-2, .bytes(Self.bytes(32)))]
        let rsa: [(label: CBOR, value: CBOR)] = [
            (1, 3), (3, -257), (-1, .bytes(Self.bytes(256))), (-2, .bytes([1, 0, 1])),
        ]
        let akp: [(label: CBOR, value: CBOR)] = [(1, 7), (3, -48), (-1, .bytes(Self.bytes(1312)))]
        for base in [okp, rsa, akp] { #expect(throws: Never.self) { try COSEKey(key(base, replacing: 99, with: nil)) } }
        func modulus(_ count: Int, first: UInt8 = 0x81, last: UInt8 = 0x81) -> CBOR {
            .bytes([first] + Self.bytes(count - 2) + [last])
        }
        let faults: [([(label: CBOR, value: CBOR)], CBOR, CBOR?, WireError.Code?)] = [
            (okp, -2, .bytes(Self.bytes(31)), .invalidKeyLength), (okp, -2, .bytes(Self.bytes(57)), .invalidKeyLength),
            (okp, -3, .bytes(Self.bytes(32)), .unexpectedParameter), (okp, -4, .bytes(Self.bytes(32)), .privateKey),
            (okp, 3, -53, .algorithmMismatch), (okp, -1, 7, .algorithmMismatch), (okp, -1, 1, .algorithmMismatch),
            (okp, 3, -7, .algorithmMismatch), (okp, 3, -19, nil), (okp, -1, nil, .missingParameter),
            (okp, -2, nil, .missingParameter),
            (rsa, -1, nil, .missingParameter), (rsa, -2, nil, .missingParameter), (rsa, -1, 5, .wrongType),
            (rsa, -2, 65537, .wrongType),
            (rsa, -3, .bytes([1]), .privateKey), (rsa, -12, .bytes([1]), .privateKey), (rsa, 3, -8, .algorithmMismatch),
            (rsa, -1, .bytes([]), .invalidModulus), (rsa, -1, modulus(64), .invalidModulus),
            (rsa, -1, modulus(128), .invalidModulus),
            (rsa, -1, modulus(255), .invalidModulus), (rsa, -1, modulus(256, first: 0x7f), .invalidModulus),
            (rsa, -1, modulus(256, first: 0x80), nil), (rsa, -1, modulus(257, first: 0x01), nil),
            (rsa, -1, modulus(1024), nil),
            (rsa, -1, modulus(1025, first: 0x01), .invalidModulus), (rsa, -1, modulus(2048), .invalidModulus),
            (rsa, -1, modulus(9000), .invalidModulus), (rsa, -1, modulus(256, last: 0x80), .invalidModulus),
            (rsa, -1, modulus(257, first: 0), .notMinimal), (rsa, -2, .bytes([]), .invalidExponent),
            (rsa, -2, .bytes([1]), .invalidExponent),
            (rsa, -2, .bytes([2]), .invalidExponent), (rsa, -2, .bytes([3]), nil),
            (rsa, -2, .bytes([0, 1, 0, 1]), .notMinimal),
            (rsa, -2, .bytes([0]), .notMinimal), (rsa, -2, .bytes(Self.bytes(8)), nil),
            (rsa, -2, .bytes(Self.bytes(9)), .invalidExponent),
            (rsa, -2, .bytes(Self.bytes(256)), .invalidExponent), (rsa, 3, -65535, nil),
            (akp, -1, .bytes(Self.bytes(1311)), .invalidKeyLength), (akp, -1, nil, .missingParameter),
            (akp, -2, .bytes([1]), .privateKey),
            (akp, -3, .bytes([1]), .unexpectedParameter), (akp, 3, -49, .invalidKeyLength),
            (akp, 3, -7, .algorithmMismatch),
        ]
        for (base, label, value, code) in faults {
            let bytes = try key(base, replacing: label, with: value)
            let error = wireError { () throws(WireError) in try COSEKey(bytes) }
            #expect(error?.code == code, "\(label): \(String(describing: value).prefix(60))")
        }
    }

    @Test("an error has the offset of the label, and the encoding must be canonical")
    func offsets() throws {
        let bytes = try key(replacing: -2, with: .bytes(Self.bytes(31)))
        #expect(throws: WireError(.invalidKeyLength, at: 7, detail: "x of 31 bytes, not 32")) { try COSEKey(bytes) }
        for (digits, code) in [
            ("04", WireError.Code.wrongType), ("", .truncated), ("80", .wrongType), ("a0", .missingParameter),
            ("a2 03 26 01 02", .keyOrder), ("bf 01 02 ff", .indefiniteLength), ("a1 01 1802", .notShortest),
            ("c1 a0", .tagNotAllowed),
            ("a2 01 02 01 02", .duplicateKey), ("a1 01 8181818180", .tooDeep), ("a1 01 818180", .missingParameter),
        ] {
            let bytes = try hex(digits)
            let error = wireError { () throws(WireError) in try COSEKey(bytes) }
            #expect(error?.code == code, "\(digits)")
        }
    }

    @Test("a key that is made must have the right shape, too")
    func making() {
        #expect(throws: WireError(.invalidKeyLength, at: 0, detail: "y of 31 bytes, not 32")) {
            try COSEKey(algorithm: .es256, .ec2(.p256, x: Self.bytes(32), y: Self.bytes(31)))
        }
        #expect(throws: WireError(.algorithmMismatch, at: 0, detail: "EdDSA (-8) with kty 1")) {
            try COSEKey(algorithm: .edDSA, .okp(.ed448, x: Self.bytes(57)))
        }
        #expect(throws: WireError(.unsupportedAlgorithm, at: 0, detail: "-65000")) {
            try COSEKey(algorithm: .init(rawValue: -65000), Self.rsa(256))
        }
    }
}

/// The shared keys may not be committed; without them the suite is skipped, unless `PASSKEY_REQUIRE` has `shared`.
@Suite(
    "COSE keys of several origins",
    .enabled("the folder of shared vectors is absent", { Vectors.shared != nil || Vectors.requires("shared") })
)
struct SharedCOSEKeyTests {
    static var keys: [VectorCase] {
        get throws {
            guard let shared = Vectors.shared else { return [] }
            return try VectorCase.read("\(shared)/cose-keys.json")
        }
    }

    @Test("there are some")
    func presence() throws {
        #expect(try Self.keys.count >= 100)
    }

    /// What the mathematics alone can say is left to the module that has them.
    @Test("the shape is judged", arguments: try keys)
    func shape(_ vector: VectorCase) throws {
        let bytes = try vector.bytes
        let error = wireError { () throws(WireError) in try COSEKey(bytes) }
        if vector.isAccepted {
            #expect(error == nil)
            let key = try COSEKey(bytes)
            #expect(try COSEKey(algorithm: key.algorithm, key.parameters).encoded == bytes)
        } else {
            let mathematical = [
                "key.pointNotOnCurve", "key.coordinateRange", "key.okpInvalidPoint", "key.okpNonCanonical",
                "key.okpSmallOrder",
            ]
            #expect((error == nil) == mathematical.contains { vector.reason.contains($0) })
        }
    }
}

@Suite("COSE algorithms")
struct COSEAlgorithmIdentifierTests {
    @Test("numbers and names are IANA's")
    func names() {
        let names: [(Int, String)] = [
            (-7, "ES256"), (-9, "ESP256"), (-35, "ES384"), (-51, "ESP384"), (-36, "ES512"), (-52, "ESP512"),
            (-47, "ES256K"),
            (-8, "EdDSA"), (-19, "Ed25519"), (-53, "Ed448"), (-257, "RS256"), (-258, "RS384"), (-259, "RS512"),
            (-37, "PS256"),
            (-38, "PS384"), (-39, "PS512"), (-65535, "RS1"), (-48, "ML-DSA-44"), (-49, "ML-DSA-65"), (-50, "ML-DSA-87"),
        ]
        for (number, name) in names {
            #expect(COSEAlgorithmIdentifier(rawValue: number).name == name)
            #expect(COSEAlgorithmIdentifier(rawValue: number).description == "\(name) (\(number))")
        }
        #expect(COSEAlgorithmIdentifier(rawValue: -6).name == nil)
        #expect(COSEAlgorithmIdentifier(rawValue: -6).description == "-6")
        #expect(COSEAlgorithmIdentifier.es256.rawValue == -7)
    }

    @Test("other formats see the number")
    func codable() throws {
        let algorithms: [COSEAlgorithmIdentifier] = [.es256, .init(rawValue: 5)]
        #expect(try JSONEncoder().encode(algorithms) == Data("[-7,5]".utf8))
        #expect(try JSONDecoder().decode([COSEAlgorithmIdentifier].self, from: Data("[-7,5]".utf8)) == algorithms)
    }
}

@Suite("ECDSA signatures")
struct ECDSASignatureTests {
    @Test(
        "strict DER",
        arguments: [
            ("3006 0201 01 0201 02", "01", "02"), ("3008 0202 0080 0202 00ff", "80", "ff"),
            ("3007 0202 0101 0201 7f", "0101", "7f"),
        ]
    )
    func accepts(_ der: String, _ r: String, _ s: String) throws {
        let signature = try ECDSASignature(der: hex(der))
        #expect(Hex.encode(signature.r) == r)
        #expect(Hex.encode(signature.s) == s)
        #expect(try signature.der == hex(der))
        #expect(try ECDSASignature(r: [0, 0] + hex(r), s: hex(s)) == signature)
    }

    static let refused: [(der: String, code: WireError.Code, offset: Int)] = [
        ("", .truncated, 0), ("30", .truncated, 1), ("3000", .truncated, 2), ("3006 0201 01 0201", .truncated, 2),
        ("3106 0201 01 0201 02", .wrongType, 0), ("3006 0301 01 0201 02", .wrongType, 2),
        ("3006 0201 01 0301 02", .wrongType, 5),
        ("3006 0201 01 0201 02 00", .trailingBytes, 8), ("3007 0201 01 0201 02 00", .trailingBytes, 8),
        ("3009 0201 01 0201 02 0201 03", .trailingBytes, 8), ("3003 0201 01", .truncated, 5),
        ("3003 0201 01 0201 02", .truncated, 5),
        ("3005 0201 01 0201 02", .truncated, 5), ("3080 0201 01 0201 02 0000", .indefiniteLength, 1),
        ("308106 0201 01 0201 02", .notShortest, 1), ("30820006 0201 01 0201 02", .outOfRange, 1),
        ("30ff", .outOfRange, 1), ("3006 0281 01 01 0201 02", .notShortest, 3),
        ("3006 0200 0202 0102", .invalidLength, 2),
        ("3006 0201 00 0201 02", .outOfRange, 2), ("3006 0201 01 0201 00", .outOfRange, 5),
        ("3006 0201 80 0201 02", .outOfRange, 2),
        ("3006 0201 01 0201 ff", .outOfRange, 5), ("3007 0202 0001 0201 02", .notMinimal, 2),
        ("3007 0201 01 0202 007f", .notMinimal, 5),
        ("3007 0202 0000 0201 02", .notMinimal, 2), ("3006 0202 0101 0201", .truncated, 6),
        ("3006 02ff 01 0201 02", .outOfRange, 3),
        ("3006 027f 01 0201 02", .truncated, 2),
    ]

    @Test("nothing but DER", arguments: refused)
    func refuses(_ der: String, _ code: WireError.Code, _ offset: Int) throws {
        let bytes = try hex(der)
        let error = wireError { () throws(WireError) in try ECDSASignature(der: bytes) }
        #expect(error?.code == code)
        #expect(error?.offset == offset)
    }

    @Test("integers of each curve", arguments: [20, 32, 48, 66])
    func sizes(_ count: Int) throws {
        let integer = [0x7f] + [UInt8](repeating: 1, count: count - 1)
        let signature = ECDSASignature(r: integer, s: integer)
        #expect(try ECDSASignature(der: signature.der) == signature)
        let high = ECDSASignature(r: [0xff] + integer.dropFirst(), s: integer)
        #expect(try ECDSASignature(der: high.der) == high)
    }

    @Test("longer integers never reach a big-number library")
    func bounds() throws {
        let integer = [0x01] + [UInt8](repeating: 1, count: 66)
        #expect(throws: WireError(.outOfRange, at: 2, detail: "integer of 67 bytes")) {
            try ECDSASignature(der: ECDSASignature(r: integer, s: [1]).der)
        }
        let long = ECDSASignature(r: [UInt8](repeating: 1, count: 300), s: [])
        #expect(Array(long.der.prefix(8)) == [0x30, 0x82, 0x01, 0x33, 0x02, 0x82, 0x01, 0x2c])
        #expect(Array(long.der.suffix(3)) == [0x02, 0x01, 0x00])
        #expect(throws: WireError(.outOfRange, at: 1, detail: "length")) { try ECDSASignature(der: long.der) }
    }

    @Test("one signature has one text", arguments: 1...2)
    func random(_ seed: UInt64) throws {
        var random = XorShift(seed: seed)
        let valid = ECDSASignature(r: (0..<32).map { _ in UInt8(random.below(256)) } + [1], s: [0x80, 1]).der
        for _ in 0..<3000 {
            var bytes = valid
            bytes[random.below(bytes.count)] = UInt8(random.below(256))
            if random.below(3) == 0 { bytes.remove(at: random.below(bytes.count)) }
            guard let signature = try? ECDSASignature(der: bytes) else { continue }
            #expect(signature.der == bytes)
        }
    }
}
