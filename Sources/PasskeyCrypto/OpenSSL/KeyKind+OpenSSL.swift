import CPasskeyOpenSSL

extension KeyKind {
    /// The shim's name of it.
    var shim: passkey_key_kind {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        case .secp256k1: .secp256k1
        case .rsa: .rsa
        case .ed25519: .ed25519
        case .ed448: .ed448
        case .mlDSA44: .mldsa44
        case .mlDSA65: .mldsa65
        case .mlDSA87: .mldsa87
        }
    }

    private static let available = Set(
        allCases.filter { kind in
            defer { ERR_clear_error() }
            return passkey_key_is_available(kind.shim) == 1
        }
    )

    /// Whether the libcrypto that is linked has it; it is asked once.
    var isAvailable: Bool { Self.available.contains(self) }
}
