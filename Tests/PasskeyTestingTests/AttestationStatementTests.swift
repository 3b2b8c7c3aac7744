import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

/// What stands in statements, read here field by field and not by a verifier.
@Suite("Attestation statements")
struct AttestationStatementTests {
    // MARK: Signatures

    @Test("packed: sig is the certificate key's, with each algorithm", arguments: SignatureAlgorithms.supported)
    func packed(_ algorithm: COSEAlgorithmIdentifier) throws {
        let credential = try AttestedCredential()
        let statement = try credential.statement(AttestationProfile(.packed, algorithm: algorithm))
        #expect(try statement.algorithm() == algorithm)
        let certificate = try Certificate(der: statement.x5c()[0])
        let key = try certificate.publicKey(algorithm)
        #expect(try key.verify(statement.bytes("sig"), of: credential.attestedBytes))
        #expect(certificate.subject.values("2.5.4.11") == ["Authenticator Attestation"])
        let extensions = certificate.extensions.map { "\($0.oid) \($0.isCritical)" }
        #expect(extensions == ["2.5.29.19 true", "1.3.6.1.4.1.45724.1.1.4 false"])
        let aaguid = try #require(try certificate.extensionValue("1.3.6.1.4.1.45724.1.1.4"))
        #expect(aaguid.value == [0x04, 0x10] + AttestedCredential.aaguid.bytes)
    }

    @Test("packed without a certificate: sig is the credential's")
    func packedSelf() throws {
        let credential = try AttestedCredential(.es384)
        let statement = try credential.statement(AttestationProfile(.packed, isSelf: true))
        #expect(try statement.algorithm() == .es384 && statement["x5c"] == nil)
        let key = try PublicKey(credential.key.publicKey)
        #expect(try key.verify(statement.bytes("sig"), of: credential.attestedBytes))
    }

    @Test("fido-u2f: one certificate, and its key signs U2F's own message")
    func fidoU2F() throws {
        let credential = try AttestedCredential()
        var profile = AttestationProfile(.fidoU2F)
        profile.intermediateCount = 2
        let statement = try credential.statement(profile)
        #expect(try statement.x5c().count == 1 && statement["alg"] == nil)
        guard case .ec2(_, let x, let y) = credential.key.publicKey.parameters else {
            Issue.record("not on a curve")
            return
        }
        let message = [0] + credential.data.rpIDHash + AttestedCredential.clientDataHash + [1, 2, 3] + [4] + x + y
        let key = try Certificate(der: statement.x5c()[0]).publicKey(.es256)
        #expect(try key.verify(statement.bytes("sig"), of: message))
    }

    @Test("apple: the credential's key is certified, with the hash of what is attested", arguments: 0...2)
    func apple(_ intermediates: Int) throws {
        let credential = try AttestedCredential()
        var profile = AttestationProfile(.apple)
        profile.intermediateCount = intermediates
        let statement = try credential.statement(profile)
        #expect(try statement.entries?.count == 1 && statement.x5c().count == intermediates + 1)
        let certificate = try Certificate(der: statement.x5c()[0])
        #expect(try certificate.coseKeyParameters() == credential.key.publicKey.parameters)
        let nonce = try #require(try certificate.extensionValue("1.2.840.113635.100.8.2"))
        #expect(try nonce.value == [0x30, 0x24, 0xa1, 0x22, 0x04, 0x20] + sha256(credential.attestedBytes))
    }

    @Test("android-safetynet: a JWS for attest.android.com", arguments: [COSEAlgorithmIdentifier.rs256, .es256])
    func safetyNet(_ algorithm: COSEAlgorithmIdentifier) throws {
        let credential = try AttestedCredential()
        let statement = try credential.statement(AttestationProfile(.androidSafetyNet, algorithm: algorithm))
        #expect(statement["ver"]?.string?.isEmpty == false)
        let response = try statement.bytes("response")
        let jws = try JWS(response[...], allowing: [.rs256, .es256])
        let x5c = try #require(try jws.x5c())
        let certificate = try Certificate(der: x5c[0])
        try jws.verify(with: certificate.publicKey(algorithm))
        #expect(try certificate.subjectAltNames() == [.dns("attest.android.com")])
        let payload = try JSONValue(json: jws.payload())
        #expect(payload["nonce"]?.string == Base64.encode(try sha256(credential.attestedBytes)))
        #expect(payload["ctsProfileMatch"]?.bool == true)
        #expect(payload["timestampMs"] == .number(JSONNumber(1_800_000_000_000)))
    }

    @Test("compound: two packed statements, or what the profile says")
    func compound() throws {
        let credential = try AttestedCredential()
        func formats(_ profile: AttestationProfile) throws -> [String] {
            try #require(credential.statement(profile).elements).map { try #require($0["fmt"]?.string) }
        }
        var profile = AttestationProfile(.compound)
        #expect(try formats(profile) == ["packed", "packed"])
        profile.parts = [AttestationProfile(.tpm), AttestationProfile(.fidoU2F), AttestationProfile(.apple)]
        #expect(try formats(profile) == ["tpm", "fido-u2f", "apple"])
        let parts = try #require(credential.statement(profile).elements)
        for (part, own) in zip(parts, profile.parts) {
            #expect(try part["attStmt"] == credential.statement(own))
        }
        // The first one is at fault, whatever it is of.
        profile.fault = AttestationFault("compound.substatement")
        for (first, fault) in [
            (AttestationProfile(.tpm), "tpm.signature"), (AttestationProfile(.apple), "apple.nonce"),
            (AttestationProfile(.packed, isSelf: true), "packed.selfSignature"),
        ] {
            var spoiled = first
            spoiled.fault = AttestationFault(fault)
            #expect(spoiled.fault != nil)
            profile.parts[0] = first
            let made = try #require(credential.statement(profile).elements)
            #expect(try made[0]["attStmt"] == credential.statement(spoiled), "\(fault)")
        }
    }

    // MARK: Android's KeyDescription

    private struct KeyDescription {
        var head: [Int]
        var challenge: [UInt8]
        /// Tags in the order in which they stand.
        var software: [UInt32]
        var hardware: [UInt32]
        var values: [UInt32: [UInt8]] = [:]

        init(_ certificate: Certificate) throws {
            let found = try #require(try certificate.extensionValue("1.3.6.1.4.1.11129.2.1.17"))
            var outer = DERReader(found.value)
            var reader = try outer.read(.sequence).reader()
            try outer.finish()
            head = try [
                reader.read(.integer).integer(), reader.read(.enumerated).integer(), reader.read(.integer).integer(),
                reader.read(.enumerated).integer(),
            ]
            challenge = try reader.read(.octetString).octets()
            #expect(try reader.read(.octetString).octets().isEmpty)
            (software, hardware) = ([], [])
            for isHardware in [false, true] {
                var list = try reader.read(.sequence).reader()
                while !list.isAtEnd {
                    let member = try list.next()
                    #expect(member.tag == .contextSpecific(member.tag.number))
                    if isHardware { hardware.append(member.tag.number) } else { software.append(member.tag.number) }
                    values[member.tag.number] = Array(member.content)
                }
            }
            try reader.finish()
        }
    }

    @Test("android-key: each version of the schema", arguments: AndroidKeyShape.Version.allCases)
    func androidVersions(_ version: AndroidKeyShape.Version) throws {
        let credential = try AttestedCredential()
        var profile = AttestationProfile(.androidKey)
        profile.androidKey.version = version
        let statement = try credential.statement(profile)
        let certificate = try Certificate(der: statement.x5c()[0])
        let key = try certificate.publicKey(statement.algorithm())
        #expect(try key.verify(statement.bytes("sig"), of: credential.attestedBytes))
        #expect(try certificate.coseKeyParameters() == credential.key.publicKey.parameters)
        let description = try KeyDescription(certificate)
        let keystore = [1: 2, 2: 3, 3: 4, 4: 41][version.rawValue] ?? version.rawValue
        #expect(description.head == [version.rawValue, 1, keystore, 1])
        #expect(description.challenge == AttestedCredential.clientDataHash)
        // SET { SIGN }, GENERATED.
        #expect(description.values[1] == [0x31, 3, 2, 1, 2] && description.values[702] == [2, 1, 0])
        #expect(description.hardware == description.hardware.sorted())
        #expect(description.software == description.software.sorted())
        // What came with a version is not in those before it.
        let all = Set(description.hardware + description.software)
        for (tag, first) in [(10, 2), (709, 2), (303, 3), (718, 3), (719, 3), (724, 400)] as [(UInt32, Int)] {
            #expect(all.contains(tag) == (version.rawValue >= first), "\(tag)")
        }
        #expect(all.contains(703) == (version.rawValue < 3))
        #expect(!all.contains(600))
    }

    @Test("android-key: who enforces what", arguments: AndroidKeyShape.Enforcement.allCases)
    func androidEnforcement(_ enforcement: AndroidKeyShape.Enforcement) throws {
        var profile = AttestationProfile(.androidKey)
        profile.androidKey.enforcement = enforcement
        let description = try KeyDescription(AttestedCredential().certificates(profile)[0])
        let level = [.software: 0, .strongBox: 2][enforcement] ?? 1
        #expect(description.head[1] == level && description.head[3] == level)
        #expect(description.software.contains(1) == (enforcement == .software))
        #expect(description.hardware.contains(1) == (enforcement != .software))
        #expect(description.software.contains(702) == [.software, .split].contains(enforcement))
        #expect(description.hardware.contains(702) == ![.software, .split].contains(enforcement))
        #expect(description.software.contains(701))
    }

    @Test(
        "android-key: the description fits the key",
        arguments: [(.es256, 3, 256, 4), (.es384, 3, 384, 5), (.es512, 3, 521, 6), (.rs256, 1, 2048, 4)]
            as [(COSEAlgorithmIdentifier, UInt8, Int, UInt8)]
    )
    func androidKeys(_ algorithm: COSEAlgorithmIdentifier, _ kind: UInt8, _ size: Int, _ digest: UInt8) throws {
        let certificate = try AttestedCredential(algorithm).certificates(AttestationProfile(.androidKey))[0]
        let description = try KeyDescription(certificate)
        #expect(description.values[2] == [2, 1, kind])
        #expect(description.values[3] == DER.integer(size))
        #expect(description.values[5] == [0x31, 3, 2, 1, digest])
        // An exponent, or a curve.
        #expect(description.values[200] == (kind == 1 ? DER.integer(65_537) : nil))
        #expect((description.values[10] == nil) == (kind == 1))
    }
}
