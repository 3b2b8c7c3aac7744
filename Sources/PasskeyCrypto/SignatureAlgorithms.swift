package import PasskeyWire

/// The signature algorithms of this library together with the libcrypto that is linked.
package enum SignatureAlgorithms {
    /// What can be signed and verified, the most preferred first.
    ///
    /// The library is asked once. RS1 is not among them: no credential may use it.
    package static let supported: [COSEAlgorithmIdentifier] = SignatureScheme.all
        .filter { $0.kind.isAvailable }
        .map(\.algorithm)

    private static let set = Set(supported)

    /// Whether a credential may use an algorithm.
    package static func isSupported(_ algorithm: COSEAlgorithmIdentifier) -> Bool { set.contains(algorithm) }

    /// Whether the libcrypto that is linked has ML-DSA, which came with OpenSSL 3.5.
    package static var supportsMLDSA: Bool {
        KeyKind.mlDSA44.isAvailable && KeyKind.mlDSA65.isAvailable && KeyKind.mlDSA87.isAvailable
    }
}
