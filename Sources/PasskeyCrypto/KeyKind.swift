import PasskeyWire

/// A kind of key, the curve included.
package enum KeyKind: Hashable, Sendable, CaseIterable {
    case p256
    case p384
    case p521
    case secp256k1
    case rsa
    case ed25519
    case ed448
    case mlDSA44
    case mlDSA65
    case mlDSA87

    /// The curve as COSE numbers it, and `nil` for RSA and ML-DSA.
    var curve: COSEKey.Curve? {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        case .secp256k1: .secp256k1
        case .ed25519: .ed25519
        case .ed448: .ed448
        case .rsa, .mlDSA44, .mlDSA65, .mlDSA87: nil
        }
    }

    /// The length of a coordinate and of a scalar of an elliptic curve in bytes, of a raw public key otherwise; `nil`
    /// for RSA.
    var byteCount: Int? {
        switch self {
        case .p256, .secp256k1, .ed25519: 32
        case .p384: 48
        case .p521: 66
        case .ed448: 57
        case .mlDSA44: 1312
        case .mlDSA65: 1952
        case .mlDSA87: 2592
        case .rsa: nil
        }
    }

    /// Whether keys of this kind are points `(x, y)` with ECDSA as their signature.
    var isECDSA: Bool {
        switch self {
        case .p256, .p384, .p521, .secp256k1: true
        case .rsa, .ed25519, .ed448, .mlDSA44, .mlDSA65, .mlDSA87: false
        }
    }

    /// Whether it is one of the lattice signatures of FIPS 204.
    var isMLDSA: Bool {
        switch self {
        case .mlDSA44, .mlDSA65, .mlDSA87: true
        case .p256, .p384, .p521, .secp256k1, .rsa, .ed25519, .ed448: false
        }
    }

    /// The length of the bytes that a key pair is computed from; `nil` for EC, whose scalar is a number, and for RSA.
    var seedByteCount: Int? {
        switch self {
        case .ed25519, .mlDSA44, .mlDSA65, .mlDSA87: 32
        case .ed448: 57
        case .p256, .p384, .p521, .secp256k1, .rsa: nil
        }
    }
}
