import PasskeyCrypto
public import PasskeyModel
import PasskeySystem
import PasskeyWire

/// Gives as many bytes as it is asked for.
///
/// One that computes them from a seed makes keys, credential IDs and signatures the same in each run. Each call is one
/// draw: a key first, then its credential ID.
public typealias VirtualRandomSource = @Sendable (_ count: Int) -> [UInt8]

/// Gives the time.
public typealias VirtualClock = @Sendable () -> Timestamp

/// What the virtual world takes from outside.
struct VirtualEnvironment: Sendable {
    /// `nil` for the system's source.
    var random: VirtualRandomSource?

    /// `nil` for the system's clock.
    var clock: VirtualClock?

    /// Gives key pairs that were made elsewhere; where it gives none, or is `nil`, they are made.
    var keys: (@Sendable (COSEAlgorithmIdentifier) -> PrivateKey?)?

    /// This environment, with what it lacks taken from another one.
    func completed(by other: VirtualEnvironment) -> VirtualEnvironment {
        VirtualEnvironment(random: random ?? other.random, clock: clock ?? other.clock, keys: keys ?? other.keys)
    }

    /// The same for an adversary, who draws nothing: what is made after it must not depend on it.
    func forAdversary(of credentialID: [UInt8]) -> VirtualEnvironment {
        guard random != nil else { return self }
        return VirtualEnvironment(random: SeededRandom.source(seed: Base64URL.encode(credentialID)), clock: clock)
    }

    var now: Timestamp {
        clock?() ?? Timestamp(millisecondsSince1970: WallClock.millisecondsSince1970())
    }

    func randomBytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard let random else { return try SystemRandom.bytes(count) }
        let bytes = random(count)
        guard bytes.count == count else {
            throw CryptoError(.failed, "the random source gave \(bytes.count) bytes where \(count) were asked for")
        }
        return bytes
    }

    /// Makes a key pair.
    ///
    /// With a random source, the private key is its bytes: a scalar in big-endian order (P-521's highest 7 bits are
    /// cleared), the seed of RFC 8032, or the seed of FIPS 204. For RSA each prime is the next one above 128 bytes.
    func makeKey(_ algorithm: COSEAlgorithmIdentifier) throws(CryptoError) -> PrivateKey {
        if let given = keys?(algorithm) { return given }
        guard random != nil else { return try PrivateKey.generate(algorithm) }
        switch algorithm {
        case .es256, .esp256, .es256K: return try makeKey(algorithm, scalarOf: 32, highest: 0xFF)
        case .es384, .esp384: return try makeKey(algorithm, scalarOf: 48, highest: 0xFF)
        case .es512, .esp512: return try makeKey(algorithm, scalarOf: 66, highest: 0x01)
        case .edDSA, .ed25519, .mlDSA44, .mlDSA65, .mlDSA87:
            return try PrivateKey(seed: randomBytes(32), algorithm)
        case .ed448: return try PrivateKey(seed: randomBytes(57), algorithm)
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .rs1:
            return try PrivateKey(rsa: algorithm, drawing: randomBytes)
        default: throw CryptoError(.unsupported, "no key is made for \(algorithm)")
        }
    }

    /// Signs: with a random source, so that the same key and message give the same signature, but for RSASSA-PSS, whose
    /// salt is a draw.
    func sign(_ message: [UInt8], with key: PrivateKey) throws(CryptoError) -> [UInt8] {
        guard random != nil else { return try key.sign(message) }
        let salt = key.saltByteCount == 0 ? [] : try randomBytes(key.saltByteCount)
        return try key.signDeterministically(message, salt: salt)
    }

    private func makeKey(
        _ algorithm: COSEAlgorithmIdentifier,
        scalarOf count: Int,
        highest mask: UInt8
    ) throws(CryptoError) -> PrivateKey {
        // A scalar must lie between 0 and the order of the group, and nearly every draw does. A source that gives the
        // same wrong bytes each time is not asked for ever.
        for _ in 0..<16 {
            var scalar = try randomBytes(count)
            scalar[0] &= mask
            if let key = try? PrivateKey(ec: algorithm, scalar: scalar) { return key }
        }
        throw CryptoError(.failed, "the random source gives no private key")
    }
}
