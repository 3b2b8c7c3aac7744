import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Signatures of every algorithm")
struct SignatureTests {
    static let algorithms = SignatureAlgorithms.supported
    static let message = Array("The quick brown fox jumps over the lazy dog.".utf8)

    @Test("What is supported: all of them, and ML-DSA where the library has it; never RS1")
    func supported() {
        let always: [COSEAlgorithmIdentifier] = [
            .es256, .es384, .es512, .es256K, .esp256, .esp384, .esp512, .edDSA, .ed25519, .ed448,
            .rs256, .rs384, .rs512, .ps256, .ps384, .ps512,
        ]
        let lattice: [COSEAlgorithmIdentifier] = [.mlDSA44, .mlDSA65, .mlDSA87]
        #expect(Set(Self.algorithms) == Set(always + (SignatureAlgorithms.supportsMLDSA ? lattice : [])))
        #expect(Self.algorithms.count == Set(Self.algorithms).count)
        #expect(Self.algorithms.first == .es256)
        for algorithm in Self.algorithms { #expect(SignatureAlgorithms.isSupported(algorithm)) }
        #expect(!SignatureAlgorithms.isSupported(.rs1))
        #expect(!SignatureAlgorithms.isSupported(COSEAlgorithmIdentifier(rawValue: -25)))
    }

    @Test("An unknown algorithm is a typed error", arguments: [0, -1, -25, 7, Int.max, Int.min])
    func unknown(_ number: Int) {
        expectError(.unsupported) { () throws(CryptoError) in
            try PrivateKey.generate(COSEAlgorithmIdentifier(rawValue: number))
        }
    }

    @Test("Signed, verified; changed, refused", arguments: algorithms)
    func roundTrip(_ algorithm: COSEAlgorithmIdentifier) throws {
        let key = try Keys.of(algorithm)
        #expect(key.algorithm == algorithm)
        #expect(key.publicKey.algorithm == algorithm)
        let verifier = try PublicKey(key.publicKey)
        #expect(verifier.algorithm == algorithm)
        var generator = SeededGenerator(1)

        for message in [[], [0], Self.message, [UInt8](repeating: 0xA5, count: 10_000)] {
            let signature = try key.sign(message)
            #expect(try verifier.verify(signature, of: message))
            #expect(CryptoError.isQueueEmpty)
            for bit in signature.sampledBits(64, &generator) {
                #expect(try !verifier.verify(signature.flipping(bit: bit), of: message), "bit \(bit)")
                #expect(CryptoError.isQueueEmpty)
            }
            for bit in message.sampledBits(16, &generator) {
                #expect(try !verifier.verify(signature, of: message.flipping(bit: bit)), "bit \(bit) of the message")
            }
            #expect(try !verifier.verify(signature, of: message + [0]))
            for malformed in [
                [], [0], Array(signature.dropLast()), Array(signature.dropFirst()), signature + [0], [0] + signature,
                signature + signature, [UInt8](repeating: 0, count: signature.count),
                [UInt8](repeating: 0xFF, count: signature.count), [UInt8](repeating: 0x30, count: 100_000),
            ] {
                #expect(try !verifier.verify(malformed, of: message), "\(malformed.count) bytes")
                #expect(CryptoError.isQueueEmpty)
            }
            // And still: what was refused has left nothing behind.
            #expect(try verifier.verify(signature, of: message))
        }
    }

    @Test("The key of somebody else refuses", arguments: algorithms)
    func otherKey(_ algorithm: COSEAlgorithmIdentifier) throws {
        let key = try Keys.of(algorithm)
        let other = try PrivateKey.generate(algorithm)
        #expect(other.publicKey != key.publicKey)
        let signature = try key.sign(Self.message)
        #expect(try PublicKey(key.publicKey).verify(signature, of: Self.message))
        #expect(try !PublicKey(other.publicKey).verify(signature, of: Self.message))
    }

    /// The same key, so that nothing but the padding and the hash function differ.
    @Test("A signature is of one RSA algorithm and of no other")
    func rsaAlgorithms() throws {
        let algorithms: [COSEAlgorithmIdentifier] = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .rs1]
        let pkcs8 = try Keys.of(.rs256).pkcs8()
        for signing in algorithms {
            let key = try PrivateKey(pkcs8: pkcs8, algorithm: signing)
            let signature = try key.sign(Self.message)
            #expect(signature.count == 256)
            for verifying in algorithms {
                let verifier = try PublicKey(
                    COSEKey(algorithm: verifying, key.publicKey.parameters),
                    allowingSHA1: true
                )
                #expect(
                    try verifier.verify(signature, of: Self.message) == (signing == verifying),
                    "\(signing) as \(verifying)"
                )
            }
        }
    }

    @Test(
        "A fully specified algorithm is the same signature under another name",
        arguments: zip(
            [COSEAlgorithmIdentifier.es256, .es384, .es512, .edDSA],
            [COSEAlgorithmIdentifier.esp256, .esp384, .esp512, .ed25519]
        )
    )
    func fullySpecified(_ polymorphic: COSEAlgorithmIdentifier, _ specified: COSEAlgorithmIdentifier) throws {
        let key = try Keys.of(polymorphic)
        let twin = try PublicKey(COSEKey(algorithm: specified, key.publicKey.parameters))
        #expect(twin.algorithm == specified)
        #expect(try twin.verify(key.sign(Self.message), of: Self.message))
        #expect(try !twin.verify(key.sign(Self.message), of: Self.message + [0]))
    }

    @Test("RS1 verifies where it is asked for, and nowhere else")
    func sha1() throws {
        let key = try Keys.of(.rs1)
        let signature = try key.sign(Self.message)
        #expect(try PublicKey(key.publicKey, allowingSHA1: true).verify(signature, of: Self.message))
        expectError(.unsupported) { () throws(CryptoError) in try PublicKey(key.publicKey) }
    }

    /// A key of OpenSSL's command line, which made the signatures over "salted" below.
    private static let smallModulus = """
        af9fbfd06a5630af23f70dbddc9183313699a616dca2c1989f6a94b6c6fd8d5b\
        1a8ea96803173ec195fd6d1563c03b29772cc25d1c2b40fa51bda8561effed6f\
        dfe9e3aff6e30c14e9a48d442031d0a3d1a2ed49f461fd2f800d155f75f0aa63\
        58bf1beb0239152c2c2e9d5058663841e49b6de5f50578ba2966e833ae91e415
        """

    @Test("The salt of PSS is as long as the digest, and MGF1 has the same hash, when it is verified too")
    func saltLength() throws {
        let modulus = try hex(Self.smallModulus)
        let key = try KeyHandle.importing(modulus: modulus, exponent: [1, 0, 1])
        for (name, isValid, signature) in [
            (
                "a salt of 0 bytes", false,
                """
                36f8a0025b6dec98c04d33d6783cd354e06f63fa1da554898daab731dd720323\
                94afc60bcec3c8977e7d63aaa7bbc32f08614be90ea214ac994fae5bcae6298f\
                f5e9f2359e07ca1e133d64f0eef532aa7f17650e20d9444d3e41b9b2fd2f9a32\
                b9f3ebf522b70c9de8c3064ca81e98f816379962515e9234c787688b74c4c42b
                """
            ),
            (
                "a salt of 20 bytes", false,
                """
                201c4124a03cf0abc4a0d3caa484a54483837c053c6ab66a4b40028030ac5781\
                8e228614a0f2b5e6a57455168b0dfb1be1f6bef62dd6163e221efb0de73d29b4\
                5bb53f48f794b73b75a7b074a9e2965c946c1e1171b7253cc82b1be40f9ac031\
                8ed61d1bb7c4045746a474363f8b4ef5f3e0edf37f7dd054dc96d5bb9d319933
                """
            ),
            (
                "a salt of 31 bytes", false,
                """
                0ad6991113d2fa09a6bc7b0e9e4d1c5edb42c7acddd81db5190e25b698dedca6\
                70c438164c15cddbce4bb0b9639a28f7ba28652826f6284e2287034b635c0459\
                4bdceb5aaefa792f859911052e8bf24f858c6f06fa7bc0cdcb5c40a5599ee16c\
                a16349258cc587c4f2ea32f0ac15e1ad2211619a5a107c809ab0fb695855359d
                """
            ),
            (
                "a salt of 32 bytes", true,
                """
                3f4e17f65cb1ce3d89f8ed9cef92c799358a3decb6745a7dc6677c068a2272d0\
                632d8b8d9ca3fdc34fda877ea50c462314b69fc6a73dca0a75da922bcf59e3a2\
                c874a92d3311b99f226c4ce99f06cad24eb7f11126c4c0a5d06599b8e807a8c6\
                41d65953bd234e4234c48ab05bf32de79390cee2fff03f7c87b849c8ebbc3ef8
                """
            ),
            (
                "a salt of 33 bytes", false,
                """
                63734a42aaec24e7a2c450bc77cb4bd2595e374ba38732a1c714d6a4f3ccece3\
                2a878ae465a9cf225c817e4923ba0e9ca40d00cacf49d492e676d21eff9f4300\
                27e219caae7d6f08a74d0c77d8ec9e117116fd76b7521cd1754f53f7c087d860\
                96600083ded07c9aac42864ac2b71e558772964b1f7404c742b82c9dc3658185
                """
            ),
            (
                "a salt of 94 bytes", false,
                """
                39862ed7edc0cc9b6072ea00cb7083970403cfd23fea67a65c482c3906b41704\
                8382069836990ec4faa397ac95e9a44a7c4da2cc7bcbaae7931b824417e89e4e\
                2eed32280ce5ffb08c2a70430c35f6d5d39a9244754be4ee498677008fad1d99\
                8293f48ef956942896918b4516adcc9a2abdd0cd2030d1ec1124639d778aa3c0
                """
            ),
            (
                "MGF1 with SHA-1", false,
                """
                192d65c83ef21719f9fca33739dc546b07e713acb399014e2495cab5295cd0c8\
                fd1da0c476f49ee7521acaef26a5a54f0b81540109caf01780eb50c739499a00\
                1a7d3a35702a9e2ce639eea3906fbb14959027cc04d8deda68cee25484e10876\
                d20a1c4b90c894a656361cf7f2210e0dca183a11bf6e8651beb61aca1db8ebd9
                """
            ),
        ] {
            let verdict = try key.verify(hex(signature), of: Array("salted".utf8), SignatureScheme(.ps256))
            #expect(verdict == isValid, "\(name)")
        }
    }

    /// libcrypto takes a PSS signature without its leading zeros, which RFC 8017 section 8.1.2 step 1 refuses.
    @Test("An RSA signature is as long as the modulus, zeros included")
    func leadingZero() throws {
        let key = try KeyHandle.importing(modulus: hex(Self.smallModulus), exponent: [1, 0, 1])
        let signature = try hex(
            """
            00ffb3942ad4361bed3691bba2ed1eb86fb1e9d24efc34c3152985a2b924c799\
            98f314385a50086925c911050ba054308d5f3040319e0f81f1b1930ebbb2360b\
            480832abf0abe11e955c95a14e017c4c726bf47998b9f8ae56ab0d2f99cd5f1e\
            15708a422395d4fd6762a3ba9452de0aef4ce2a68cb445ac5d6138e6798d48b4
            """
        )
        #expect(signature[0] == 0)
        let message = Array("salted".utf8)
        let scheme = try SignatureScheme(.ps256)
        #expect(try key.verify(signature, of: message, scheme))
        #expect(try !key.verify(Array(signature.dropFirst()), of: message, scheme))
        #expect(try !key.verify([0] + signature, of: message, scheme))
    }

    @Test("The SubjectPublicKeyInfo has the key's own encoding", arguments: algorithms)
    func subjectPublicKeyInfo(_ algorithm: COSEAlgorithmIdentifier) throws {
        let key = try Keys.of(algorithm)
        let der = try PublicKey(key.publicKey).subjectPublicKeyInfo()
        switch key.publicKey.parameters {
        case .ec2(.p256, let x, let y):
            #expect(der == (try hex("3059301306072a8648ce3d020106082a8648ce3d030107034200")) + [4] + x + y)
        case .ec2(_, let x, let y):
            #expect(der.suffix(1 + x.count + y.count) == [4] + x + y)
        case .okp(.ed25519, let x):
            #expect(der == (try hex("302a300506032b6570032100")) + x)
        case .okp(_, let x):
            #expect(der == (try hex("3043300506032b6571033a00")) + x)
        case .rsa(let n, let e):
            // A PSS key is an rsaEncryption key too.
            #expect(Hex.encode(der).contains("06092a864886f70d0101010500"))
            #expect(Hex.encode(der).contains(Hex.encode(n)))
            #expect(der.suffix(e.count) == e[...])
        case .akp(let publicKey):
            #expect(der.suffix(publicKey.count) == publicKey[...])
        }
    }

    @Test("A key under an algorithm that does not fit is refused")
    func mismatch() throws {
        // Wire refuses these already; whatever it lets through, here it stops.
        for algorithm in Self.algorithms {
            for other in Self.algorithms {
                let parameters = try Keys.of(other).publicKey.parameters
                guard let key = try? COSEKey(algorithm: algorithm, parameters) else { continue }
                let fits = try SignatureScheme(algorithm).kind == SignatureScheme(other).kind
                #expect((try? PublicKey(key)) != nil || !fits, "\(other) as \(algorithm)")
                #expect((try? PublicKey(key)) == nil || fits, "\(other) as \(algorithm)")
            }
        }
    }
}
