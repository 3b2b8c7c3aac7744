import Foundation
import PasskeyVectors
import PasskeyWire
import Testing

@testable import PasskeyCrypto

/// The bytes of hexadecimal text, in which white space does not count.
func hex(_ text: String) throws -> [UInt8] {
    try #require(Hex.decode(text.filter { !$0.isWhitespace }), "not hexadecimal: \(text)")
}

extension Trait where Self == ConditionTrait {
    /// Skips a suite that reads the folder beside the package, unless `PASSKEY_REQUIRE` says that it must be there.
    static var needsShared: Self {
        .enabled(
            if: Vectors.shared != nil || Vectors.requires("shared"),
            "the folder ../shared/vectors is not there"
        )
    }
}

/// Decodes a JSON file of the folder beside the package.
func shared<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
    let folder = try #require(Vectors.shared, "the folder ../shared/vectors is not there")
    return try JSONDecoder().decode(type, from: Data(Vectors.bytes(folder + "/" + name)))
}

/// Random numbers that are the same in every run: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension [UInt8] {
    /// The same bytes with one bit changed.
    func flipping(bit: Int) -> [UInt8] {
        var copy = self
        copy[bit / 8] ^= 1 << UInt8(bit % 8)
        return copy
    }

    /// The bits to flip: all of a short string, as many as asked for of a longer one.
    func sampledBits(_ count: Int, _ generator: inout SeededGenerator) -> [Int] {
        let bits = 0..<self.count * 8
        guard bits.count > count else { return [Int](bits) }
        return (0..<count).map { _ in Int.random(in: bits, using: &generator) }
    }
}

/// Keys that are made once for all tests; an RSA key takes a tenth of a second and more.
enum Keys {
    static let all: [COSEAlgorithmIdentifier: PrivateKey] = {
        var keys: [COSEAlgorithmIdentifier: PrivateKey] = [:]
        for algorithm in SignatureAlgorithms.supported + [.rs1] {
            keys[algorithm] = try? PrivateKey.generate(algorithm)
        }
        return keys
    }()

    static func of(_ algorithm: COSEAlgorithmIdentifier) throws -> PrivateKey {
        try #require(all[algorithm], "no key for \(algorithm)")
    }
}

/// Expects a typed error with a code.
func expectError<Value>(
    _ code: CryptoError.Code,
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws(CryptoError) -> Value
) {
    do throws(CryptoError) {
        _ = try body()
        Issue.record(comment ?? "no error where \(code) was expected", sourceLocation: sourceLocation)
    } catch {
        #expect(error.code == code, comment, sourceLocation: sourceLocation)
    }
}
