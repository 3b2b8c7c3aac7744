import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import Testing

@Suite("Seeded randomness")
struct DeterminismTests {
    /// A registration and a sign-in, with one seed.
    private func run(
        _ seed: String,
        _ algorithm: COSEAlgorithmIdentifier,
        _ profile: AttestationProfile? = nil
    ) throws -> [[UInt8]] {
        var client = VirtualClient(origin: World.origin)
        client.random = SeededRandom.source(seed: seed)
        client.clock = { Timestamp(millisecondsSince1970: 0) }
        client.authenticators[0].options.attestationProfile = profile
        let registration = try client.create(
            World.creationOptions {
                $0.pubKeyCredParams = [.init(alg: algorithm)]
                $0.attestation = .direct
            }
        )
        let assertion = try client.get(World.requestOptions())
        return [registration.id, registration.attestationObject, assertion.authenticatorData, assertion.signature]
    }

    @Test("The same seed gives the same bytes, another seed others", arguments: SignatureAlgorithms.supported)
    func sameBytes(_ algorithm: COSEAlgorithmIdentifier) throws {
        let first = try run("seed", algorithm)
        #expect(try run("seed", algorithm) == first)
        let other = try run("other", algorithm)
        #expect(other[0] != first[0])
        #expect(other[1] != first[1])
        #expect(other[3] != first[3])
    }

    static let formats: [AttestationStatementFormat] = [
        .packed, .tpm, .androidKey, .androidSafetyNet, .fidoU2F, .apple, .compound,
    ]

    @Test("The same seed gives the same bytes with every attestation", arguments: formats, [false, true])
    func sameAttestations(_ format: AttestationStatementFormat, _ isSelf: Bool) throws {
        // A key of RSA takes a while, and of what signs, padding and hash function are seen with one format.
        let own: [COSEAlgorithmIdentifier] = format == .tpm ? [] : [.rs384, .rs512, .ps384, .ps512]
        let seen = AttestationProfile.credentialAlgorithms(of: format).filter { !own.contains($0) }
        guard !isSelf || format == .packed else { return }
        for algorithm in seen where SignatureAlgorithms.isSupported(algorithm) {
            let profile = AttestationProfile(format, isSelf: isSelf)
            let first = try run("seed", algorithm, profile)
            #expect(try run("seed", algorithm, profile) == first, "\(algorithm)")
        }
    }

    @Test("The keys that attest give the same bytes, whatever they sign with")
    func sameAttestationKeys() throws {
        for format in Self.formats {
            for algorithm in AttestationProfile.algorithms(of: format) {
                let profile = AttestationProfile(format, algorithm: algorithm)
                #expect(try run("seed", .es256, profile) == run("seed", .es256, profile), "\(format), \(algorithm)")
            }
        }
    }

    @Test("Different seeds share no credential ID")
    func seeds() throws {
        var seen: Set<[UInt8]> = []
        for seed in 0..<200 {
            let authenticator = VirtualAuthenticator(random: SeededRandom.source(seed: "seed \(seed)"))
            for user in UInt8(0)..<5 { _ = try authenticator.makeCredential(World.makeCredential(user: user)) }
            seen.formUnion(authenticator.credentials.map(\.id))
        }
        #expect(seen.count == 1000)
    }

    @Test("A key is drawn first, then its credential ID; an authenticator's own source counts before its client's")
    func draws() throws {
        let scalar = [UInt8](repeating: 0x11, count: 32)
        let id = [UInt8](repeating: 0x22, count: 32)
        let draws = Draws([scalar, id])
        var client = VirtualClient(origin: World.origin, authenticators: [VirtualAuthenticator(random: draws.source)])
        client.random = { _ in [] }
        let response = try client.create(World.creationOptions())
        #expect(response.id == id)
        let key = try PrivateKey(ec: .es256, scalar: scalar)
        #expect(client.authenticators[0].credentials[0].publicKey == key.publicKey.encoded)
        #expect(draws.counts == [32, 32])
    }

    @Test("P-521 draws 66 bytes and clears the highest seven bits")
    func p521() throws {
        let draws = Draws([[UInt8](repeating: 0xFE, count: 66), [UInt8](repeating: 1, count: 32)])
        let authenticator = VirtualAuthenticator(random: draws.source)
        _ = try authenticator.makeCredential(
            World.makeCredential { $0.credTypesAndPubKeyAlgs = [.init(alg: .es512)] }
        )
        let scalar = [0x00] + [UInt8](repeating: 0xFE, count: 65)
        #expect(
            authenticator.credentials[0].publicKey == (try PrivateKey(ec: .es512, scalar: scalar)).publicKey.encoded
        )
    }

    @Test("Two seeded controllers make the same passkey")
    func controllers() async throws {
        let provider = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: World.rpID)
        var passkeys: [PasskeyRegistrationCredential] = []
        for seed in ["1", "1", "2"] {
            let controller = VirtualAuthorizationController(random: SeededRandom.source(seed: seed))
            passkeys.append(
                try await controller.perform(
                    provider.createCredentialRegistrationRequest(
                        challenge: [UInt8](repeating: 1, count: 32),
                        name: "ada",
                        userID: [1]
                    )
                )
            )
        }
        #expect(passkeys[0] == passkeys[1])
        #expect(passkeys[0] != passkeys[2])
    }
}

/// Gives prepared bytes in turn, and remembers what was asked; for one thread at a time.
final class Draws: @unchecked Sendable {
    private var prepared: [[UInt8]]
    private(set) var counts: [Int] = []

    init(_ prepared: [[UInt8]]) {
        self.prepared = prepared
    }

    var source: VirtualRandomSource {
        { count in
            self.counts.append(count)
            return self.prepared.isEmpty ? [] : self.prepared.removeFirst()
        }
    }
}
