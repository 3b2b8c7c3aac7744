package import PasskeyWire

/// What an algorithm identifier stands for: a kind of key, a hash function and, for RSA, a padding.
struct SignatureScheme: Hashable, Sendable {
    /// How a digest becomes the number that RSA works on.
    enum Padding: Hashable, Sendable {
        /// RSASSA-PKCS1-v1_5.
        case pkcs1
        /// RSASSA-PSS with MGF1 over the same hash and a salt as long as its digest (RFC 8230 section 2).
        case pss
    }

    let algorithm: COSEAlgorithmIdentifier
    let kind: KeyKind
    /// `nil` where the algorithm takes the message itself.
    let hash: HashFunction?
    let padding: Padding?

    private init(
        _ algorithm: COSEAlgorithmIdentifier,
        _ kind: KeyKind,
        _ hash: HashFunction? = nil,
        _ padding: Padding? = nil
    ) {
        self.algorithm = algorithm
        self.kind = kind
        self.hash = hash
        self.padding = padding
    }

    /// Every scheme of this library, in the order of preference of a relying party that has no other wish.
    ///
    /// The polymorphic identifiers come before the fully specified ones (RFC 9864), which fewer authenticators know;
    /// elliptic curves come before RSA, whose keys and signatures are longer; ML-DSA, which is new, comes last.
    static let all: [SignatureScheme] = [
        SignatureScheme(.es256, .p256, .sha256),
        SignatureScheme(.edDSA, .ed25519),
        SignatureScheme(.es384, .p384, .sha384),
        SignatureScheme(.es512, .p521, .sha512),
        SignatureScheme(.esp256, .p256, .sha256),
        SignatureScheme(.ed25519, .ed25519),
        SignatureScheme(.esp384, .p384, .sha384),
        SignatureScheme(.esp512, .p521, .sha512),
        SignatureScheme(.ed448, .ed448),
        SignatureScheme(.es256K, .secp256k1, .sha256),
        SignatureScheme(.ps256, .rsa, .sha256, .pss),
        SignatureScheme(.ps384, .rsa, .sha384, .pss),
        SignatureScheme(.ps512, .rsa, .sha512, .pss),
        SignatureScheme(.rs256, .rsa, .sha256, .pkcs1),
        SignatureScheme(.rs384, .rsa, .sha384, .pkcs1),
        SignatureScheme(.rs512, .rsa, .sha512, .pkcs1),
        SignatureScheme(.mlDSA44, .mlDSA44),
        SignatureScheme(.mlDSA65, .mlDSA65),
        SignatureScheme(.mlDSA87, .mlDSA87),
    ]

    /// RSASSA-PKCS1-v1_5 with SHA-1, which no credential may have (RFC 8812 section 2).
    static let rs1 = SignatureScheme(.rs1, .rsa, .sha1, .pkcs1)

    private static let byAlgorithm = Dictionary(uniqueKeysWithValues: (all + [rs1]).map { ($0.algorithm, $0) })

    /// The scheme of an identifier.
    ///
    /// - Parameter algorithm: An algorithm identifier.
    /// - Throws: `CryptoError` with `unsupported` if the identifier is unknown, or known and missing from the
    ///   libcrypto that is linked.
    init(_ algorithm: COSEAlgorithmIdentifier) throws(CryptoError) {
        guard let scheme = Self.byAlgorithm[algorithm] else {
            throw CryptoError(.unsupported, "the algorithm \(algorithm) is not known")
        }
        guard scheme.kind.isAvailable else {
            throw CryptoError(.unsupported, "the linked libcrypto does not have \(algorithm)")
        }
        self = scheme
    }
}

extension HashFunction {
    /// The hash function that a signature algorithm employs; `nil` for one that takes the message itself.
    package init?(of algorithm: COSEAlgorithmIdentifier) {
        guard let scheme = try? SignatureScheme(algorithm), let hash = scheme.hash else { return nil }
        self = hash
    }
}
