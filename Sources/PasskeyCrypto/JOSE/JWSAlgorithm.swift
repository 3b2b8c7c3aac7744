package import PasskeyWire

/// A signature algorithm of JOSE (RFC 7518 §3.1, RFC 8037).
///
/// There is no `none`, and no algorithm whose key is a shared secret: a verifier that knew both kinds could be given a
/// public key as a secret.
package enum JWSAlgorithm: String, Hashable, Sendable, CaseIterable {
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case edDSA = "EdDSA"

    /// The same algorithm in COSE.
    package var coseAlgorithm: COSEAlgorithmIdentifier {
        switch self {
        case .es256: .es256
        case .es384: .es384
        case .es512: .es512
        case .rs256: .rs256
        case .rs384: .rs384
        case .rs512: .rs512
        case .ps256: .ps256
        case .ps384: .ps384
        case .ps512: .ps512
        case .edDSA: .edDSA
        }
    }

    /// The length of each half of an ECDSA signature in bytes (RFC 7518 §3.4); `nil` for another kind.
    var halfCount: Int? {
        switch self {
        case .es256: 32
        case .es384: 48
        case .es512: 66
        default: nil
        }
    }
}
