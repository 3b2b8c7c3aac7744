import CPasskeyOpenSSL
import PasskeyWire

/// The group of points of a curve, made once for the life of the process; libcrypto only reads it.
@safe
final class EllipticCurve: @unchecked Sendable {
    let kind: KeyKind
    /// The length of a coordinate, and of a scalar, in bytes.
    let byteCount: Int
    private let group: OpaquePointer

    private init?(_ kind: KeyKind, _ nid: CInt, _ byteCount: Int) {
        defer { ERR_clear_error() }
        guard let group = unsafe EC_GROUP_new_by_curve_name(nid) else { return nil }
        self.kind = kind
        self.byteCount = byteCount
        unsafe self.group = unsafe group
    }

    deinit { unsafe EC_GROUP_free(group) }

    private static let p256 = EllipticCurve(.p256, NID_X9_62_prime256v1, 32)
    private static let p384 = EllipticCurve(.p384, NID_secp384r1, 48)
    private static let p521 = EllipticCurve(.p521, NID_secp521r1, 66)
    private static let secp256k1 = EllipticCurve(.secp256k1, NID_secp256k1, 32)

    /// The group of a kind of key.
    static func of(_ kind: KeyKind) throws(CryptoError) -> EllipticCurve {
        let curve: EllipticCurve? =
            switch kind {
            case .p256: p256
            case .p384: p384
            case .p521: p521
            case .secp256k1: secp256k1
            case .rsa, .ed25519, .ed448, .mlDSA44, .mlDSA65, .mlDSA87: nil
            }
        guard let curve else { throw CryptoError(.unsupported, "the linked libcrypto does not have \(kind)") }
        return curve
    }

    /// The point `04 || x || y` (SEC 1 section 2.3.3) of coordinates of exact length.
    ///
    /// The octets are put together here, and never taken from outside: libcrypto reads one byte `00` as the point at
    /// infinity, and 33 bytes as a compressed point.
    func octets(x: [UInt8], y: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard x.count == byteCount, y.count == byteCount else {
            throw CryptoError(.malformedKey, "\(kind) coordinates of \(x.count) and \(y.count) bytes")
        }
        return [4] + x + y
    }

    /// Checks that octets that `octets(x:y:)` made are a point of the curve, with both coordinates less than p.
    ///
    /// The curves have cofactor 1, so that every point but infinity has the whole order.
    func check(_ octets: [UInt8]) throws(CryptoError) {
        try withCleanErrorQueue { () throws(CryptoError) in
            guard let point = unsafe EC_POINT_new(group) else { throw .takingQueue(.failed, "EC_POINT_new") }
            defer { unsafe EC_POINT_free(point) }
            guard unsafe EC_POINT_oct2point(group, point, octets, octets.count, nil) == 1 else {
                throw .takingQueue(.malformedKey, "\(kind) point")
            }
        }
    }

    /// Reads a scalar and checks that it is in `1..<n`.
    func scalar(_ bytes: [UInt8]) throws(CryptoError) -> BigNumber {
        let scalar = try BigNumber(bytes)
        let order = try order()
        guard !scalar.isZero, scalar.isLess(than: order) else {
            throw CryptoError(.malformedKey, "\(kind) scalar out of range")
        }
        return scalar
    }

    /// The number of points, n.
    func order() throws(CryptoError) -> BigNumber {
        guard let order = unsafe EC_GROUP_get0_order(group), let copy = unsafe BN_dup(order) else {
            throw .takingQueue(.failed, "EC_GROUP_get0_order")
        }
        return unsafe BigNumber(adopting: copy)
    }

    /// Multiplies the generator.
    ///
    /// - Parameter scalar: A number in `1..<n`.
    /// - Returns: The octets `04 || x || y`.
    /// - Throws: `CryptoError` if the library fails.
    func multiplyGenerator(by scalar: borrowing BigNumber) throws(CryptoError) -> [UInt8] {
        // A call with nothing but the generator runs in constant time.
        guard let point = unsafe EC_POINT_new(group) else { throw .takingQueue(.failed, "EC_POINT_new") }
        defer { unsafe EC_POINT_clear_free(point) }
        var octets = [UInt8](repeating: 0, count: 1 + 2 * byteCount)
        guard
            unsafe EC_POINT_mul(group, point, scalar.pointer, nil, nil, nil) == 1,
            unsafe EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &octets, octets.count, nil)
                == octets.count
        else { throw .takingQueue(.failed, "EC_POINT_mul") }
        return octets
    }
}
