import Foundation
import PasskeyVectors
import PasskeyWire
import Testing

@testable import PasskeyCrypto

/// A case of the operation `cose.key`: accepted means that Wire reads the key and that it is mathematically sound.
struct COSEKeyCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Input: Decodable, Sendable {
        var hex: String?
    }

    var id: String
    var operation: String
    var input: Input
    var expect: String
    var reason: String
    var requires: String?

    var testDescription: String { "\(id): \(reason)" }

    struct File: Decodable {
        var cases: [COSEKeyCase]
    }

    /// Checks the verdict.
    func run() throws {
        let bytes = try PasskeyCryptoTests.hex(#require(input.hex))
        var refusal: (any Error)?
        do {
            let key = try COSEKey(bytes)
            let sound = try PublicKey(key)
            #expect(sound.algorithm == key.algorithm)
            // A key that was let in can be asked.
            #expect(try !sound.verify([1, 2, 3], of: [4, 5, 6]))
            #expect(try !sound.subjectPublicKeyInfo().isEmpty)
        } catch {
            refusal = error
        }
        #expect((refusal == nil) == (expect == "accept"), "\(refusal.map { "\($0)" } ?? "accepted")")
        #expect(CryptoError.isQueueEmpty)
    }
}

@Suite("Verdicts on COSE keys: own cases")
struct OwnCOSEKeyVerdictTests {
    static let cases: [COSEKeyCase] = {
        let path = Vectors.cases + "/reports-codecs.json"
        let file = try? JSONDecoder().decode(COSEKeyCase.File.self, from: Data(Vectors.bytes(path)))
        return (file?.cases ?? []).filter { $0.operation == "cose.key" }
    }()

    @Test("The file has its cases")
    func count() {
        #expect(Self.cases.count >= 18)
        #expect(Self.cases.contains { $0.expect == "accept" })
    }

    @Test("As expected", arguments: cases)
    func verdict(_ entry: COSEKeyCase) throws { try entry.run() }
}

@Suite("Verdicts on COSE keys: the cases beside the package", .needsShared)
struct SharedCOSEKeyVerdictTests {
    @Test("As expected, each of them")
    func verdicts() throws {
        let cases = try shared("cose-keys.json", as: COSEKeyCase.File.self).cases
        var skipped = 0
        for entry in cases {
            #expect(entry.operation == "cose.key")
            if entry.requires == "ml-dsa", !SignatureAlgorithms.supportsMLDSA {
                skipped += 1
                continue
            }
            #expect(throws: Never.self, "\(entry.testDescription)") { try entry.run() }
        }
        print("cose-keys.json: \(cases.count - skipped) verdicts, \(skipped) skipped for want of ML-DSA")
        #expect(cases.count >= 90)
    }
}
