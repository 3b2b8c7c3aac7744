import Foundation
import PasskeyVectors
import PasskeyWire
import Testing

/// One case of a file in the format of `vectors/README.md`, as far as encodings need it.
struct VectorCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Input: Decodable, Sendable {
        struct Repetition: Decodable, Sendable {
            var prefix: String
            var unit: String
            var count: Int
            var suffix: String
        }

        struct Part: Decodable, Sendable {
            var hex: String
            var times: Int
        }

        var text: String?
        var hex: String?
        var `repeat`: Repetition?
        var parts: [Part]?
        var mode: String?
        var maxDepth: Int?
        var sliceFrom: Int?
        var sliceTo: Int?
        var bignum: String?
        var simple: UInt8?
        var float: String?
        var canonicalMap: [[CaseScalar]]?
    }

    struct Value: Decodable, Sendable {
        var hex: String?
        var diagnostic: String?
        var deterministic: Bool?
        var error: String?
    }

    struct Limits: Decodable, Sendable {
        var maxSeconds: Double?
        var maxMemoryMiB: Int?
    }

    var id: String
    var operation: String
    var input: Input
    var expect: String
    var reason: String
    var value: Value?
    var limits: Limits?
    var requires: String?

    var testDescription: String { "\(id): \(reason)" }
    var isAccepted: Bool { expect == "accept" }

    /// The bytes that `hex`, `repeat` or `parts` describe.
    var bytes: [UInt8] {
        get throws {
            if let hex = input.hex { return try #require(Hex.decode(hex)) }
            var output: [UInt8] = []
            if let repetition = input.repeat {
                let unit = try #require(Hex.decode(repetition.unit))
                output += try #require(Hex.decode(repetition.prefix))
                output.reserveCapacity(unit.count * repetition.count + 64)
                for _ in 0..<repetition.count { output.append(contentsOf: unit) }
                output += try #require(Hex.decode(repetition.suffix))
                return output
            }
            for part in try #require(input.parts) {
                let unit = try #require(Hex.decode(part.hex))
                for _ in 0..<part.times { output.append(contentsOf: unit) }
            }
            return output
        }
    }

    /// The cases of a committed file with some operations.
    static func committed(_ file: String, _ operations: String...) throws -> [VectorCase] {
        try read("\(Vectors.cases)/\(file).json").filter { operations.contains($0.operation) }
    }

    static func read(_ path: String) throws -> [VectorCase] {
        struct File: Decodable {
            /// A case of another operation may have inputs of other types.
            struct Entry: Decodable {
                var value: VectorCase?

                init(from decoder: any Decoder) throws {
                    value = try? VectorCase(from: decoder)
                }
            }

            var cases: [Entry]
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try JSONDecoder().decode(File.self, from: data).cases.compactMap(\.value)
    }
}

/// A key or value of `canonicalMap`.
enum CaseScalar: Decodable, Sendable {
    case bool(Bool)
    case int(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    var cbor: CBOR {
        switch self {
        case .bool(let value): .bool(value)
        case .int(let value): CBOR(value)
        case .text(let value): .text(value)
        }
    }
}

/// A small generator (Marsaglia's xorshift, 64 bits): the same numbers in every run.
struct XorShift: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed == 0 ? 0x9e37_79b9_7f4a_7c15 : seed
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_f491_4f6c_dd1d
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}

/// The bytes of hexadecimal digits; blanks are for people.
func hex(_ digits: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [UInt8] {
    try #require(Hex.decode(digits.filter { $0 != " " }), sourceLocation: sourceLocation)
}

/// Some bytes, several times.
func repeated(_ unit: [UInt8], _ count: Int) -> [UInt8] {
    Array(repeatElement(unit, count: count).joined())
}

/// The error that a parser throws, or `nil`.
func wireError<Value>(_ body: () throws(WireError) -> Value) -> WireError? {
    do throws(WireError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// What a reader of borrowed bytes throws when it is made, or `nil`.
func readerError(_ bytes: ArraySlice<UInt8>, _ mode: CBORMode, _ maximumDepth: Int? = nil) -> WireError? {
    wireError { () throws(WireError) in
        let slice = bytes
        let reader = try CBORReader(slice.span, mode: mode, maximumDepth: maximumDepth)
        return reader.count
    }
}
