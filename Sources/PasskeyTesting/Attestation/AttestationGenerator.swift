import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// Makes attestation statements (`#sctn-generating-an-attestation-object`).
enum AttestationGenerator {
    /// The formats that it can make.
    static let formats: [AttestationStatementFormat] = [.none, .packed]

    /// Makes a statement.
    ///
    /// - Parameters:
    ///   - format: One of ``formats``.
    ///   - authenticatorData: The authenticator data's bytes.
    ///   - clientDataHash: SHA-256 of the client data.
    ///   - key: The credential's private key.
    ///   - environment: Where randomness comes from.
    /// - Returns: The statement: a map.
    /// - Throws: `CryptoError` for another format, or if the signature fails.
    static func statement(
        _ format: AttestationStatementFormat,
        authenticatorData: [UInt8],
        clientDataHash: [UInt8],
        key: PrivateKey,
        in environment: VirtualEnvironment
    ) throws(CryptoError) -> CBOR {
        switch format {
        case .none:
            return .map([])
        case .packed:
            // Self attestation (#sctn-packed-attestation): the credential's own key signs, and there is no x5c.
            let signature = try environment.sign(authenticatorData + clientDataHash, with: key)
            return .map([
                CBOR.Entry(.text("alg"), CBOR(key.algorithm.rawValue)),
                CBOR.Entry(.text("sig"), .bytes(signature)),
            ])
        default:
            throw CryptoError(.unsupported, "no statement of format \(format) can be made")
        }
    }
}
