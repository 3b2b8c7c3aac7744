/// A COSE algorithm number, as in `pubKeyCredParams` and in a credential public key (IANA "COSE Algorithms").
///
/// Any number can be made; whether this library can verify it is another matter.
public struct COSEAlgorithmIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number, negative for every signature algorithm.
    public var rawValue: Int

    /// Takes any number.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// ECDSA with SHA-256, in WebAuthn over P-256 alone (§5.8.5).
    public static let es256 = Self(rawValue: -7)
    /// ECDSA with SHA-256 over P-256, fully specified (RFC 9864).
    public static let esp256 = Self(rawValue: -9)
    /// ECDSA with SHA-384, in WebAuthn over P-384 alone.
    public static let es384 = Self(rawValue: -35)
    /// ECDSA with SHA-384 over P-384, fully specified (RFC 9864).
    public static let esp384 = Self(rawValue: -51)
    /// ECDSA with SHA-512, in WebAuthn over P-521 alone.
    public static let es512 = Self(rawValue: -36)
    /// ECDSA with SHA-512 over P-521, fully specified (RFC 9864).
    public static let esp512 = Self(rawValue: -52)
    /// ECDSA with SHA-256 over secp256k1 (RFC 8812).
    public static let es256K = Self(rawValue: -47)
    /// EdDSA, in WebAuthn over Ed25519 alone (§5.8.5).
    public static let edDSA = Self(rawValue: -8)
    /// EdDSA over Ed25519, fully specified (RFC 9864).
    public static let ed25519 = Self(rawValue: -19)
    /// EdDSA over Ed448, fully specified (RFC 9864).
    public static let ed448 = Self(rawValue: -53)
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8812).
    public static let rs256 = Self(rawValue: -257)
    /// RSASSA-PKCS1-v1_5 with SHA-384 (RFC 8812).
    public static let rs384 = Self(rawValue: -258)
    /// RSASSA-PKCS1-v1_5 with SHA-512 (RFC 8812).
    public static let rs512 = Self(rawValue: -259)
    /// RSASSA-PSS with SHA-256 (RFC 8230).
    public static let ps256 = Self(rawValue: -37)
    /// RSASSA-PSS with SHA-384 (RFC 8230).
    public static let ps384 = Self(rawValue: -38)
    /// RSASSA-PSS with SHA-512 (RFC 8230).
    public static let ps512 = Self(rawValue: -39)
    /// RSASSA-PKCS1-v1_5 with SHA-1, for old attestation statements and nothing else.
    public static let rs1 = Self(rawValue: -65535)
    /// ML-DSA-44 (RFC 9964).
    public static let mlDSA44 = Self(rawValue: -48)
    /// ML-DSA-65 (RFC 9964).
    public static let mlDSA65 = Self(rawValue: -49)
    /// ML-DSA-87 (RFC 9964).
    public static let mlDSA87 = Self(rawValue: -50)

    /// The name that IANA has registered, such as `ES256`, or `nil` for a number that this library does not know.
    public var name: String? {
        switch self {
        case .es256: "ES256"
        case .esp256: "ESP256"
        case .es384: "ES384"
        case .esp384: "ESP384"
        case .es512: "ES512"
        case .esp512: "ESP512"
        case .es256K: "ES256K"
        case .edDSA: "EdDSA"
        case .ed25519: "Ed25519"
        case .ed448: "Ed448"
        case .rs256: "RS256"
        case .rs384: "RS384"
        case .rs512: "RS512"
        case .ps256: "PS256"
        case .ps384: "PS384"
        case .ps512: "PS512"
        case .rs1: "RS1"
        case .mlDSA44: "ML-DSA-44"
        case .mlDSA65: "ML-DSA-65"
        case .mlDSA87: "ML-DSA-87"
        default: nil
        }
    }
}

extension COSEAlgorithmIdentifier: CustomStringConvertible {
    /// The name with the number, such as `ES256 (-7)`.
    public var description: String { name.map { "\($0) (\(rawValue))" } ?? "\(rawValue)" }
}

extension COSEAlgorithmIdentifier: Codable {
    /// Decodes the number.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        rawValue = try Int(from: decoder)
    }

    /// Encodes the number.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        try rawValue.encode(to: encoder)
    }
}
