import PasskeyWire

/// What libcrypto does not check of an Edwards public key when it is imported.
///
/// Under a key of small order some signatures verify for every message: under the identity of Ed25519, `R` = identity
/// and `S` = 0. A key that is not the one encoding of its point is two credentials in one.
enum EdwardsPoint {
    /// The curve `a x² + y² = 1 + d x² y²` over the integers modulo a prime.
    private struct Curve {
        let name: String
        /// The prime, most significant byte first.
        let prime: [UInt8]
        let d: [UInt8]
        /// Whether `a` is -1; it is 1 otherwise.
        let isTwisted: Bool
        let byteCount: Int
        /// Whether there are points of order 8.
        let hasOrderEight: Bool
    }

    /// RFC 8032 section 5.1: p = 2^255 - 19, a = -1, d = -121665/121666, 8 points of small order.
    private static let ed25519 = Curve(
        name: "Ed25519",
        prime: [0x7F] + [UInt8](repeating: 0xFF, count: 30) + [0xED],
        d: [
            0x52, 0x03, 0x6C, 0xEE, 0x2B, 0x6F, 0xFE, 0x73, 0x8C, 0xC7, 0x40, 0x79, 0x77, 0x79, 0xE8, 0x98,
            0x00, 0x70, 0x0A, 0x4D, 0x41, 0x41, 0xD8, 0xAB, 0x75, 0xEB, 0x4D, 0xCA, 0x13, 0x59, 0x78, 0xA3,
        ],
        isTwisted: true,
        byteCount: 32,
        hasOrderEight: true
    )

    /// RFC 8032 section 5.2: p = 2^448 - 2^224 - 1, a = 1, d = -39081, 4 points of small order.
    private static let ed448 = Curve(
        name: "Ed448",
        prime: [UInt8](repeating: 0xFF, count: 27) + [0xFE] + [UInt8](repeating: 0xFF, count: 28),
        d: [UInt8](repeating: 0xFF, count: 27) + [0xFE] + [UInt8](repeating: 0xFF, count: 25) + [0xFF, 0x67, 0x56],
        isTwisted: false,
        byteCount: 57,
        hasOrderEight: false
    )

    /// Checks that bytes are the one encoding of a point of the curve that is not of small order (RFC 8032 sections
    /// 5.1.3 and 5.2.3).
    ///
    /// - Parameters:
    ///   - bytes: The y-coordinate, least significant byte first, with the sign of x in the highest bit.
    ///   - kind: `ed25519` or `ed448`.
    /// - Throws: `CryptoError` with `malformedKey` if they are not.
    static func check(_ bytes: [UInt8], _ kind: KeyKind) throws(CryptoError) {
        let curve = kind == .ed25519 ? ed25519 : ed448
        guard bytes.count == curve.byteCount else {
            throw CryptoError(.malformedKey, "\(curve.name) key of \(bytes.count) bytes")
        }
        let encoded = bytes.dropLast() + [bytes[curve.byteCount - 1] & 0x7F]
        let y = try BigNumber(littleEndian: Array(encoded))
        let field = try ModularArithmetic(modulo: BigNumber(curve.prime))
        guard y.isLess(than: field.modulus) else {
            throw CryptoError(.malformedKey, "\(curve.name) y is not less than p")
        }

        let one = try BigNumber([1])
        let d = try BigNumber(curve.d)
        let ySquared = try field.product(y, y)
        let dySquared = try field.product(d, ySquared)
        // x² = numerator / denominator, and the denominator is never zero, because a is a square and d is not.
        let numerator = try field.difference(one, ySquared)
        let denominator =
            curve.isTwisted
            ? try field.difference(field.difference(BigNumber(), one), dySquared)
            : try field.difference(one, dySquared)

        // Order 1 and 2: x = 0, so y = ±1. Order 4: doubling gives x = 0, so y = 0.
        // (With x = 0 the sign of x must be 0, so that two encodings are refused here that are none at all.)
        guard !numerator.isZero, !y.isZero else {
            throw CryptoError(.malformedKey, "\(curve.name) point of small order")
        }
        if curve.hasOrderEight {
            // Order 8: doubling gives y = 0, so y² = a x², and with a = -1 that is d y⁴ + 2 y² = 1.
            let left = try field.sum(field.product(dySquared, ySquared), field.sum(ySquared, ySquared))
            guard !left.isOne else { throw CryptoError(.malformedKey, "\(curve.name) point of small order") }
        }
        // x² has a root if numerator times denominator is a square.
        guard try field.isNonzeroSquare(field.product(numerator, denominator)) else {
            throw CryptoError(.malformedKey, "\(curve.name) y is on no point")
        }
    }
}
