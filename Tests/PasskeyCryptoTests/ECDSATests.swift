import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("ECDSA signatures: strict DER, 0 < r, s < n")
struct ECDSATests {
    static let algorithms: [COSEAlgorithmIdentifier] = [.es256, .es384, .es512, .es256K, .esp256, .esp384, .esp512]
    static let message = Array("authenticator data and the hash".utf8)

    /// An INTEGER with these very content bytes.
    private static func integer(_ content: [UInt8]) -> [UInt8] { [0x02] + length(content.count) + content }

    private static func sequence(_ content: [UInt8]) -> [UInt8] { [0x30] + length(content.count) + content }

    private static func length(_ count: Int) -> [UInt8] { count < 0x80 ? [UInt8(count)] : [0x81, UInt8(count)] }

    /// The content bytes of a nonnegative INTEGER.
    private static func content(_ number: [UInt8]) -> [UInt8] {
        let minimal = Array(number.drop { $0 == 0 })
        return (minimal.first ?? 0x80) >= 0x80 ? [0] + minimal : minimal
    }

    private static func der(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        sequence(integer(content(r)) + integer(content(s)))
    }

    /// A valid signature over the message in its two numbers, each in as many bytes as the curve has.
    private struct Sample {
        let verifier: PublicKey
        let curve: EllipticCurve
        let r: [UInt8]
        let s: [UInt8]
        let order: [UInt8]

        init(_ algorithm: COSEAlgorithmIdentifier) throws {
            let key = try Keys.of(algorithm)
            verifier = try PublicKey(key.publicKey)
            curve = try EllipticCurve.of(SignatureScheme(algorithm).kind)
            let signature = try key.sign(message)
            order = try curve.order().bytes()
            // By hand, so that the reader of the library is not its own witness.
            var rest = signature[...]
            #expect(rest.popFirst() == 0x30)
            if rest.first == 0x81 { rest.removeFirst() }
            rest.removeFirst()
            var numbers: [[UInt8]] = []
            while rest.popFirst() == 0x02 {
                let first = rest.popFirst()
                let count = try Int(#require(first))
                numbers.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            let width = curve.byteCount
            let padded = numbers.map { number in
                let minimal = number.drop { $0 == 0 }
                return [UInt8](repeating: 0, count: width - minimal.count) + minimal
            }
            try #require(padded.count == 2)
            r = padded[0]
            s = padded[1]
            #expect(ECDSATests.der(r, s) == signature)
        }

        func verifies(_ signature: [UInt8]) throws -> Bool {
            defer { #expect(CryptoError.isQueueEmpty) }
            return try verifier.verify(signature, of: message)
        }

        /// n minus a number, and n plus a number.
        func reflected(_ number: [UInt8]) throws -> [UInt8] {
            let field = try ModularArithmetic(modulo: curve.order())
            return try field.difference(BigNumber(), BigNumber(number)).bytes(count: curve.byteCount)
        }
    }

    /// The sum of two numbers of the same length.
    private static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var carry = 0
        for (a, b) in zip(left.reversed(), right.reversed()) {
            let total = Int(a) + Int(b) + carry
            result.append(UInt8(total & 0xFF))
            carry = total >> 8
        }
        return [UInt8(carry)] + result.reversed()
    }

    @Test("A high s is as good as a low one", arguments: algorithms)
    func highAndLow(_ algorithm: COSEAlgorithmIdentifier) throws {
        let sample = try Sample(algorithm)
        #expect(try sample.verifies(Self.der(sample.r, sample.s)))
        #expect(try sample.verifies(Self.der(sample.r, sample.reflected(sample.s))))
        // But r has no twin.
        #expect(try !sample.verifies(Self.der(sample.reflected(sample.r), sample.s)))
    }

    @Test("Numbers out of range are refused", arguments: algorithms)
    func range(_ algorithm: COSEAlgorithmIdentifier) throws {
        let sample = try Sample(algorithm)
        let (r, s, n) = (sample.r, sample.s, sample.order)
        #expect(try sample.verifies(Self.der(r, s)))
        let overN = Self.sum(n, [UInt8](repeating: 0, count: n.count - 1) + [1])
        for (name, first, second) in [
            ("r = 0", [0], s), ("s = 0", r, [0]), ("both 0", [0], [0]),
            ("r = n", n, s), ("s = n", r, n), ("both n", n, n),
            ("r = n + 1", overN, s), ("s = n + 1", r, overN),
            ("r + n", Self.sum(r, n), s), ("s + n", r, Self.sum(s, n)),
            ("r = 1, s = 1", [1], [1]), ("a huge r", [UInt8](repeating: 0x7F, count: 100), s),
        ] {
            #expect(try !sample.verifies(Self.der(first, second)), "\(name)")
        }
        // -r and -s, as two's complement.
        let minusR = Self.integer([0xFF] + Self.negated(r))
        let minusS = Self.integer([0xFF] + Self.negated(s))
        #expect(try !sample.verifies(Self.sequence(minusR + Self.integer(Self.content(s)))))
        #expect(try !sample.verifies(Self.sequence(Self.integer(Self.content(r)) + minusS)))
    }

    private static func negated(_ number: [UInt8]) -> [UInt8] {
        Array(sum(number.map { ~$0 }, [UInt8](repeating: 0, count: number.count - 1) + [1]).dropFirst())
    }

    @Test("Anything but the one DER encoding is refused", arguments: algorithms)
    func encoding(_ algorithm: COSEAlgorithmIdentifier) throws {
        let sample = try Sample(algorithm)
        let r = Self.integer(Self.content(sample.r))
        let s = Self.integer(Self.content(sample.s))
        let body = r + s
        #expect(try sample.verifies(Self.sequence(body)))

        let widerR = Self.integer([0] + Self.content(sample.r))
        let widerS = Self.integer([0] + Self.content(sample.s))
        var refused: [(String, [UInt8])] = [
            ("r || s", sample.r + sample.s),
            ("a byte after the sequence", Self.sequence(body) + [0]),
            ("the signature twice", Self.sequence(body) + Self.sequence(body)),
            ("a byte inside, after s", Self.sequence(body + [0])),
            ("NULL inside, after s", Self.sequence(body + [0x05, 0x00])),
            ("a third number", Self.sequence(body + Self.integer([1]))),
            ("r alone", Self.sequence(r)),
            ("an empty sequence", Self.sequence([])),
            ("r with a zero before it", Self.sequence(widerR + s)),
            ("s with a zero before it", Self.sequence(r + widerS)),
            ("an empty r", Self.sequence([0x02, 0x00] + s)),
            ("an empty s", Self.sequence(r + [0x02, 0x00])),
            ("a length in one byte more", [0x30] + Self.longer(body.count) + body),
            ("a length in four bytes", [0x30, 0x84, 0, 0, 0, UInt8(body.count)] + body),
            ("a length that says more", [0x30] + Self.length(body.count + 1) + body),
            ("a length that says less", [0x30] + Self.length(body.count - 1) + body),
            ("a length of 2^63", [0x30, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0] + body),
            ("the length of r in a long form", Self.sequence([0x02] + Self.longer(r.count - 2) + r.dropFirst(2) + s)),
            ("an indefinite length", [0x30, 0x80] + body + [0, 0]),
            ("a primitive sequence", [0x10] + Self.sequence(body).dropFirst()),
            ("a set", [0x31] + Self.sequence(body).dropFirst()),
            ("r as an octet string", Self.sequence([0x04] + r.dropFirst() + s)),
            ("r as a bit string", Self.sequence([0x03] + r.dropFirst() + s)),
            ("in an octet string", [0x04] + Self.length(Self.sequence(body).count) + Self.sequence(body)),
            ("a sequence in a sequence", Self.sequence(Self.sequence(body))),
            ("r and s the other way round", Self.sequence(s + r)),
        ]
        // A number whose first bit is set needs the zero before it.
        if sample.r[0] >= 0x80 {
            refused.append(("a negative r", Self.sequence(Self.integer(sample.r) + s)))
        }
        if sample.s[0] >= 0x80 {
            refused.append(("a negative s", Self.sequence(r + Self.integer(sample.s))))
        }
        for (name, signature) in refused {
            #expect(try !sample.verifies(signature), "\(name)")
        }
        for count in 0..<Self.sequence(body).count {
            #expect(try !sample.verifies(Array(Self.sequence(body).prefix(count))), "cut after \(count)")
        }
        #expect(try sample.verifies(Self.sequence(body)))
    }

    /// The length in one byte more than it needs.
    private static func longer(_ count: Int) -> [UInt8] {
        count < 0x80 ? [0x81, UInt8(count)] : [0x82, 0, UInt8(count)]
    }

    @Test("A point must be on its curve, in full length and reduced", arguments: algorithms)
    func points(_ algorithm: COSEAlgorithmIdentifier) throws {
        let key = try Keys.of(algorithm).publicKey
        guard case .ec2(let curve, let x, let y) = key.parameters else {
            Issue.record("no point")
            return
        }
        func isRefused(_ x: [UInt8], _ y: [UInt8]) -> Bool {
            defer { #expect(CryptoError.isQueueEmpty) }
            // Where Wire refuses a length, that is as good.
            guard let key = try? COSEKey(algorithm: algorithm, .ec2(curve, x: x, y: y)) else { return true }
            do throws(CryptoError) {
                _ = try PublicKey(key)
                return false
            } catch {
                return error.code == .malformedKey
            }
        }
        #expect(!isRefused(x, y))
        let zero = [UInt8](repeating: 0, count: x.count)
        let ones = [UInt8](repeating: 0xFF, count: x.count)
        #expect(isRefused(y, x))
        #expect(isRefused(zero, zero))
        #expect(isRefused(ones, y))
        #expect(isRefused(x, ones))
        #expect(isRefused(x, y.flipping(bit: 8 * (y.count - 1))))
        #expect(isRefused(Array(x.dropFirst()), y))
        #expect(isRefused([0] + x, y))
        #expect(isRefused([], []))
        #expect(isRefused(x, []))
        for bit in 0..<32 { #expect(isRefused(x, y.flipping(bit: bit * 8 % (y.count * 8)))) }
    }
}
