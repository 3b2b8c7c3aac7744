/// A credential public key in COSE form (RFC 9052 §7, WebAuthn §6.5.1.1), checked in shape.
///
/// The encoding is CTAP2 canonical; algorithm, key type and curve belong together; lengths are exact; there is nothing
/// else in the map. Whether a point is on its curve is for whoever has the mathematics to say: a key of this type is not
/// yet one to verify with. All sizes are bounded, so that nothing hostile reaches a big-number library.
package struct COSEKey: Hashable, Sendable {
    /// A curve by its number in COSE (IANA "COSE Elliptic Curves").
    package enum Curve: Int, Hashable, Sendable, CaseIterable {
        case p256 = 1
        case p384 = 2
        case p521 = 3
        case ed25519 = 6
        case ed448 = 7
        case secp256k1 = 8

        /// The length of a coordinate or of the public key in bytes.
        package var length: Int {
            switch self {
            case .p256, .ed25519, .secp256k1: 32
            case .p384: 48
            case .p521: 66
            case .ed448: 57
            }
        }
    }

    /// What the key type (`kty`) puts into the map.
    package enum Parameters: Hashable, Sendable {
        /// kty 2: a point in affine coordinates, each as long as the curve says.
        case ec2(Curve, x: [UInt8], y: [UInt8])
        /// kty 1: a public key of RFC 8032.
        case okp(Curve, x: [UInt8])
        /// kty 3: modulus and exponent, without leading zeros (RFC 8230 §4).
        case rsa(n: [UInt8], e: [UInt8])
        /// kty 7: an opaque public key, here of ML-DSA.
        case akp(publicKey: [UInt8])
    }

    /// The sizes of an RSA modulus in bits.
    ///
    /// RFC 8812 §2 and RFC 8230 §2 demand 2048 at the least; verifying with more than 8192 costs more than it is worth.
    package static let modulusBits = 2048...8192

    /// The longest RSA exponent in bytes, which is OpenSSL's own limit for large moduli.
    package static let greatestExponentCount = 8

    /// The algorithm that signatures of this key are made with.
    package let algorithm: COSEAlgorithmIdentifier

    /// The key itself.
    package let parameters: Parameters

    /// The map as it was received, or in CTAP2 canonical form if it was made here.
    package let encoded: [UInt8]

    /// Reads bytes that are exactly one key.
    package init(_ bytes: [UInt8]) throws(WireError) {
        try self.init(prefixOf: bytes[...])
        guard encoded.count == bytes.count else { throw WireError(.trailingBytes, at: encoded.count) }
    }

    /// Reads the one key that bytes begin with; `encoded.count` bytes of them.
    package init(prefixOf bytes: ArraySlice<UInt8>) throws(WireError) {
        let slice = bytes
        var reader = try CBORReader(prefixOf: slice.span, mode: .ctap2)
        let map = try COSEKeyMap(&reader)
        let algorithm = COSEAlgorithmIdentifier(rawValue: try map.integer(3, "alg"))
        let parameters = try map.parameters()
        try Self.check(algorithm, parameters, map)
        self.algorithm = algorithm
        self.parameters = parameters
        encoded = Array(bytes.prefix(reader.count))
    }

    /// Makes a key.
    package init(algorithm: COSEAlgorithmIdentifier, _ parameters: Parameters) throws(WireError) {
        try Self.check(algorithm, parameters, nil)
        self.algorithm = algorithm
        self.parameters = parameters
        encoded = Self.encode(algorithm, parameters)
    }

    /// The number of the key type (IANA "COSE Key Types").
    package var keyType: Int { parameters.keyType }

    private static func encode(_ algorithm: COSEAlgorithmIdentifier, _ parameters: Parameters) -> [UInt8] {
        var writer = CBORWriter()
        let rest: [(Int, [UInt8])]
        var curve: Curve?
        switch parameters {
        case .ec2(let ofPoint, let x, let y): (curve, rest) = (ofPoint, [(-2, x), (-3, y)])
        case .okp(let ofKey, let x): (curve, rest) = (ofKey, [(-2, x)])
        case .rsa(let n, let e): rest = [(-1, n), (-2, e)]
        case .akp(let publicKey): rest = [(-1, publicKey)]
        }
        // In canonical order: 1, 3, -1, -2, -3.
        writer.writeMapHead(2 + (curve == nil ? 0 : 1) + rest.count)
        writer.writeInt(1)
        writer.writeInt(parameters.keyType)
        writer.writeInt(3)
        writer.writeInt(algorithm.rawValue)
        if let curve {
            writer.writeInt(-1)
            writer.writeInt(curve.rawValue)
        }
        for (label, value) in rest {
            writer.writeInt(label)
            writer.writeBytes(value)
        }
        return writer.bytes
    }
}

extension COSEKey.Parameters {
    /// The number of the key type (IANA "COSE Key Types").
    package var keyType: Int {
        switch self {
        case .okp: 1
        case .ec2: 2
        case .rsa: 3
        case .akp: 7
        }
    }
}
