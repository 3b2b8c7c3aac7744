import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// An ID that holds the key of its credential, as authenticators without storage make them (`#credential-id`).
///
/// It is `nonce ‖ AES-256-GCM(CBOR)` with the hash of the RP ID as additional data. Inside is a seed, and the key pair
/// follows from it, so that an ID of any algorithm is short.
struct WrappedCredential {
    private static let nonceCount = 12

    let seed: [UInt8]
    let algorithm: COSEAlgorithmIdentifier
    var backupEligibility: Bool
    var backupState: Bool
    var protection: CredentialProtectionPolicy
    var supportsPRF: Bool
    var signCount: UInt32?

    /// Makes the ID.
    func seal(
        for relyingPartyIdentifier: String,
        with wrappingKey: [UInt8],
        in environment: VirtualEnvironment
    ) throws(CryptoError) -> [UInt8] {
        let flags = [backupEligibility, backupState, supportsPRF].map { CBOR.bool($0) }
        let content = CBOR.array([
            CBOR(algorithm.rawValue), .bytes(seed), CBOR(protection.level), .array(flags),
            signCount.map { CBOR(Int($0)) } ?? .null,
        ])
        let nonce = try environment.randomBytes(Self.nonceCount)
        return try nonce
            + AESGCM.seal(
                Self.encoded(content),
                key: wrappingKey,
                nonce: nonce,
                authenticating: sha256([UInt8](relyingPartyIdentifier.utf8))
            )
    }

    /// Reads an ID; `nil` if this authenticator did not make it for this relying party.
    init?(_ id: [UInt8], for relyingPartyIdentifier: String, with wrappingKey: [UInt8]) {
        guard id.count > Self.nonceCount,
            let additional = try? sha256([UInt8](relyingPartyIdentifier.utf8)),
            let content = try? AESGCM.open(
                Array(id.dropFirst(Self.nonceCount)),
                key: wrappingKey,
                nonce: Array(id.prefix(Self.nonceCount)),
                authenticating: additional
            ),
            let members = (try? CBOR(content))?.elements, members.count == 5,
            let algorithm = members[0].int, let seed = members[1].byteArray,
            let protection = members[2].int.flatMap(CredentialProtectionPolicy.init(level:)),
            let flags = members[3].elements?.compactMap(\.bool), flags.count == 3
        else { return nil }
        self.init(
            seed: seed,
            algorithm: COSEAlgorithmIdentifier(rawValue: algorithm),
            backupEligibility: flags[0],
            backupState: flags[1],
            protection: protection,
            supportsPRF: flags[2],
            signCount: members[4].uint64.flatMap(UInt32.init(exactly:))
        )
    }

    init(
        seed: [UInt8],
        algorithm: COSEAlgorithmIdentifier,
        backupEligibility: Bool,
        backupState: Bool,
        protection: CredentialProtectionPolicy,
        supportsPRF: Bool,
        signCount: UInt32?
    ) {
        self.seed = seed
        self.algorithm = algorithm
        self.backupEligibility = backupEligibility
        self.backupState = backupState
        self.protection = protection
        self.supportsPRF = supportsPRF
        self.signCount = signCount
    }

    /// What the key pair and the secrets of the credential are drawn from.
    func environment(_ clock: VirtualClock?) -> VirtualEnvironment {
        VirtualEnvironment(random: SeededRandom.source(seed: Hex.encode(seed)), clock: clock)
    }

    /// The credential source of an ID.
    func source(
        id: [UInt8],
        relyingPartyIdentifier: String,
        _ clock: VirtualClock?
    ) throws(CryptoError) -> CredentialSource {
        let environment = environment(clock)
        let key = try environment.makeKey(algorithm)
        var credential = VirtualCredential(
            id: id,
            relyingPartyIdentifier: relyingPartyIdentifier,
            userHandle: nil,
            userName: "",
            userDisplayName: "",
            algorithm: algorithm,
            publicKey: key.publicKey.encoded,
            isDiscoverable: false,
            createdAt: environment.now,
            signCount: signCount,
            backupEligibility: backupEligibility,
            backupState: backupState
        )
        credential.protection = protection
        credential.supportsPRF = supportsPRF
        return CredentialSource(
            credential: credential,
            privateKey: key,
            secrets: supportsPRF ? try CredentialSecrets(from: environment) : nil
        )
    }

    private static func encoded(_ content: CBOR) throws(CryptoError) -> [UInt8] {
        do throws(WireError) {
            return try content.encoded(.ctap2)
        } catch {
            throw CryptoError(.failed, "\(error)")
        }
    }
}
