import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Keys in certificates")
struct CertificateKeyTests {
    /// A certificate with a SubjectPublicKeyInfo.
    private func certificate(_ publicKey: [UInt8]) throws -> Certificate {
        let key = try Keys.of(.es256)
        var draft = try CertificateDraft(key)
        draft.publicKey = publicKey
        return try Certificate(der: draft.signed(by: key))
    }

    @Test("a key of every kind verifies", arguments: SignatureAlgorithms.supported)
    func kinds(_ algorithm: COSEAlgorithmIdentifier) throws {
        let key = try Keys.of(algorithm)
        let information = try PublicKey(key.publicKey).subjectPublicKeyInfo()
        let certificate = try certificate(information)
        #expect(certificate.publicKeyKind != nil)
        #expect(try certificate.coseKeyParameters() == key.publicKey.parameters)
        #expect(try certificate.subjectPublicKeyInfo() == information)
        let message: [UInt8] = [1, 2, 3]
        let signature = try key.sign(message)
        let publicKey = try certificate.publicKey(algorithm)
        #expect(publicKey.algorithm == algorithm)
        #expect(try publicKey.verify(signature, of: message))
        #expect(try !publicKey.verify(signature, of: [1, 2, 4]))
    }

    @Test("an algorithm that is not the key's")
    func mismatch() throws {
        let certificate = try certificate(PublicKey(Keys.of(.es256).publicKey).subjectPublicKeyInfo())
        for algorithm in [COSEAlgorithmIdentifier.es384, .es256K, .rs256, .edDSA, .init(rawValue: 12)] {
            expectError(.malformedKey, "\(algorithm)") { () throws(CryptoError) in try certificate.publicKey(algorithm)
            }
        }
        #expect(try certificate.publicKey(.esp256).algorithm == .esp256)
    }

    @Test("RSA with SHA-1 where a policy says so")
    func sha1() throws {
        let key = try Keys.of(.rs1)
        let certificate = try certificate(PublicKey(key.publicKey, allowingSHA1: true).subjectPublicKeyInfo())
        expectError(.unsupported) { () throws(CryptoError) in try certificate.publicKey(.rs1) }
        let publicKey = try certificate.publicKey(.rs1, allowingSHA1: true)
        #expect(try publicKey.verify(key.sign([1]), of: [1]))
        #expect(certificate.publicKeyKind == .rsa)
    }

    private static let p256 = DER.sequence([
        DER.objectIdentifier("1.2.840.10045.2.1"), DER.objectIdentifier("1.2.840.10045.3.1.7"),
    ])

    /// The coordinates of a point on P-256.
    private func point() throws -> (x: [UInt8], y: [UInt8]) {
        guard case .ec2(_, let x, let y) = try Keys.of(.es256).publicKey.parameters else {
            return try #require(nil as (x: [UInt8], y: [UInt8])?)
        }
        return (x, y)
    }

    @Test("a point in a certificate may be compressed")
    func compressed() throws {
        let (x, y) = try point()
        let odd: UInt8 = y[31] & 1
        let certificate = try certificate(DER.sequence([Self.p256, DER.bitString([2 + odd] + x)]))
        #expect(try certificate.coseKeyParameters() == .ec2(.p256, x: x, y: y))
        #expect(try certificate.publicKey(.es256).algorithm == .es256)
    }

    @Test("a key that cannot be read is a fault where somebody asks for it")
    func unreadable() throws {
        let (x, y) = try point()
        var broken = [
            DER.sequence([Self.p256, DER.bitString([4] + x + y.flipping(bit: 0))]),
            DER.sequence([Self.p256, DER.bitString([])]),
            DER.sequence([DER.sequence([DER.objectIdentifier("1.2.3")]), DER.bitString([1, 2, 3])]),
        ]
        // X25519 is a key, and signs nothing.
        broken.append(
            DER.sequence([
                DER.sequence([DER.objectIdentifier("1.3.101.110")]), DER.bitString([UInt8](repeating: 9, count: 32)),
            ])
        )
        for information in broken {
            let certificate = try certificate(information)
            #expect(CryptoError.isQueueEmpty)
            #expect(certificate.publicKeyKind == nil)
            expectError(.malformedKey) { () throws(CryptoError) in try certificate.coseKeyParameters() }
            expectError(.malformedKey) { () throws(CryptoError) in try certificate.publicKey(.es256) }
            #expect(CryptoError.isQueueEmpty)
        }
        #expect(try certificate(DER.sequence([Self.p256, DER.bitString([4] + x + y)])).publicKeyKind == .p256)
    }

    @Test("a curve that only looks like P-256, with a generator of the attacker's")
    func explicitCurve() throws {
        let (x, y) = try point()
        func information(generator: [UInt8]) throws -> [UInt8] {
            let prime = try hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
            let a = try hex("ffffffff00000001000000000000000000000000fffffffffffffffffffffffc")
            let b = try hex("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b")
            let order = try hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
            let parameters = DER.sequence([
                DER.integer(1),
                DER.sequence([DER.objectIdentifier("1.2.840.10045.1.1"), DER.integer(unsigned: prime)]),
                DER.sequence([DER.octetString(a), DER.octetString(b)]),
                DER.octetString(generator), DER.integer(unsigned: order), DER.integer(1),
            ])
            let algorithm = DER.sequence([DER.objectIdentifier("1.2.840.10045.2.1"), parameters])
            return DER.sequence([algorithm, DER.bitString([4] + x + y)])
        }
        // With their own key as the generator the private key would be 1.
        let forged = try certificate(information(generator: [4] + x + y))
        #expect(forged.publicKeyKind == nil)
        expectError(.malformedKey) { () throws(CryptoError) in try forged.publicKey(.es256) }
        let generator = try hex(
            """
            046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296
            4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5
            """
        )
        let honest = try certificate(information(generator: generator))
        #expect(try honest.publicKeyKind == nil || honest.coseKeyParameters() == .ec2(.p256, x: x, y: y))
    }

    @Test("small RSA keys, and strange exponents")
    func rsa() throws {
        func certificate(_ modulus: [UInt8], _ exponent: [UInt8]) throws -> Certificate {
            let key = DER.sequence([DER.integer(unsigned: modulus), DER.integer(unsigned: exponent)])
            let algorithm = DER.sequence([DER.objectIdentifier("1.2.840.113549.1.1.1"), DER.null])
            return try self.certificate(DER.sequence([algorithm, DER.bitString(key)]))
        }
        guard case .rsa(let modulus, let exponent) = try Keys.of(.rs256).publicKey.parameters else { return }
        #expect(try certificate(modulus, exponent).publicKey(.rs256).algorithm == .rs256)
        let small = Array(modulus.prefix(127)) + [0x01]
        for bad in [
            try certificate(small, exponent), try certificate(modulus, [1]), try certificate(modulus, [2]),
            try certificate(modulus, [UInt8](repeating: 0x7f, count: 200)),
            try certificate([UInt8](repeating: 0xff, count: 2000), exponent),
        ] {
            #expect(bad.publicKeyKind == .rsa)
            expectError(.malformedKey) { () throws(CryptoError) in try bad.publicKey(.rs256) }
        }
    }

    @Test("an Edwards key of a small order")
    func smallOrder() throws {
        let identity = [1] + [UInt8](repeating: 0, count: 31)
        let certificate = try certificate(
            DER.sequence([DER.sequence([DER.objectIdentifier("1.3.101.112")]), DER.bitString(identity)])
        )
        #expect(certificate.publicKeyKind == .ed25519)
        expectError(.malformedKey) { () throws(CryptoError) in try certificate.publicKey(.edDSA) }
    }
}
