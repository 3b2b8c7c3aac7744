import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("ES256 verification with contexts that are kept")
struct ES256VerifierTests {
    struct Sample: Sendable {
        var octets: [UInt8]
        var signature: [UInt8]
        var message: [UInt8]
        var isValid: Bool
    }

    /// Valid and invalid ones of many keys, in turn.
    static let samples: [Sample] = {
        var samples: [Sample] = []
        for index in 0..<16 {
            guard
                let key = try? PrivateKey.generate(.es256),
                case .ec2(_, let x, let y) = key.publicKey.parameters,
                let other = try? PrivateKey.generate(.es256),
                case .ec2(_, let otherX, let otherY) = other.publicKey.parameters
            else { continue }
            let message = [UInt8](repeating: UInt8(index), count: 37 + index)
            guard let signature = try? key.sign(message) else { continue }
            let octets = [4] + x + y
            samples.append(Sample(octets: octets, signature: signature, message: message, isValid: true))
            samples.append(
                Sample(octets: [4] + otherX + otherY, signature: signature, message: message, isValid: false)
            )
            samples.append(Sample(octets: octets, signature: signature, message: message + [0], isValid: false))
            samples.append(
                Sample(octets: octets, signature: [0x30, 0x06, 2, 1, 1, 2, 1, 1], message: message, isValid: false)
            )
            samples.append(Sample(octets: octets, signature: [0x30], message: message, isValid: false))
        }
        return samples
    }()

    @Test("Many threads, and every verdict is right")
    func concurrent() async throws {
        #expect(Self.samples.count == 80)
        let verifier = ES256Verifier(capacity: 4)
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<16 {
                group.addTask {
                    var generator = SeededGenerator(UInt64(worker))
                    var wrong = 0
                    for index in 0..<300 {
                        // Every second one is valid: that is where the key of another caller would show.
                        let choice = Self.samples.filter { $0.isValid == index.isMultiple(of: 2) }
                        guard let sample = choice.randomElement(using: &generator) else { continue }
                        let verdict = try verifier.verify(
                            sample.signature,
                            of: sample.message,
                            octets: sample.octets
                        )
                        if verdict != sample.isValid { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
        #expect((1...4).contains(verifier.idleCount))
        #expect(CryptoError.isQueueEmpty)
    }

    @Test("Through the public key, which shares the verifier of the process")
    func throughPublicKey() async throws {
        let key = try PrivateKey.generate(.es256)
        let verifier = try PublicKey(key.publicKey)
        let signature = try key.sign([1, 2, 3])
        let verdicts = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let message: [UInt8] = index.isMultiple(of: 2) ? [1, 2, 3] : [1, 2, UInt8(index)]
                    return try verifier.verify(signature, of: message) == (message == [1, 2, 3])
                }
            }
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(verdicts.count == 200)
        #expect(!verdicts.contains(false))
    }

    @Test("A context is used again, one that refused a point is not, and no more wait than may")
    func bounds() throws {
        let verifier = ES256Verifier(capacity: 1)
        let sample = try #require(Self.samples.first)
        #expect(verifier.idleCount == 1)
        #expect(try verifier.verify(sample.signature, of: sample.message, octets: sample.octets))
        #expect(verifier.idleCount == 1)
        // A point that no `PublicKey` would hold.
        let damaged = sample.octets.flipping(bit: 512)
        expectError(.malformedKey) { () throws(CryptoError) in
            try verifier.verify(sample.signature, of: sample.message, octets: damaged)
        }
        #expect(verifier.idleCount == 0)
        #expect(CryptoError.isQueueEmpty)
        #expect(try verifier.verify(sample.signature, of: sample.message, octets: sample.octets))
        #expect(verifier.idleCount == 1)

        let none = ES256Verifier(capacity: 0)
        #expect(try none.verify(sample.signature, of: sample.message, octets: sample.octets))
        #expect(none.idleCount == 0)
    }

    @Test("Where contexts may not be kept, the verdicts are the same")
    func fallback() throws {
        let verifier = ES256Verifier(capacity: 4, keepingContexts: false)
        for sample in Self.samples {
            #expect(
                try verifier.verify(sample.signature, of: sample.message, octets: sample.octets) == sample.isValid
            )
        }
        #expect(verifier.idleCount == 0)
    }

    @Test("A pool keeps what it may and gives the last one first")
    func pool() {
        let pool = Pool<Int>(capacity: 2)
        #expect(pool.take() == nil)
        for number in 1...3 { pool.put(number) }
        #expect(pool.count == 2)
        #expect(pool.take() == 2)
        #expect(pool.take() == 1)
        #expect(pool.take() == nil)
    }
}
