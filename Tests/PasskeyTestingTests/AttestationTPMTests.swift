import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

/// What a virtual TPM and its vendor write, by the TPM 2.0 Library's Part 2.
@Suite("tpm statements")
struct AttestationTPMTests {
    /// TPMT_PUBLIC, whose scheme is null or has a hash function.
    private struct PublicArea {
        let type: UInt16
        let nameAlgorithm: UInt16
        let attributes: UInt32
        let scheme: [UInt16]
        /// keyBits and exponent, or curveID.
        let parameters: [UInt32]
        let unique: [[UInt8]]

        init(_ reader: inout ByteReader) throws(WireError) {
            type = try reader.readUInt16()
            nameAlgorithm = try reader.readUInt16()
            attributes = try reader.readUInt32()
            guard try reader.readUInt16() == 0, try reader.readUInt16() == 0x10 else {
                throw WireError(.unsupportedAlgorithm, at: reader.offset)
            }
            let name = try reader.readUInt16()
            scheme = name == 0x10 ? [name] : [name, try reader.readUInt16()]
            if type == 1 {
                parameters = [UInt32(try reader.readUInt16()), try reader.readUInt32()]
                unique = [try Self.sized(&reader)]
            } else {
                parameters = [UInt32(try reader.readUInt16())]
                guard try reader.readUInt16() == 0x10 else { throw WireError(.unsupportedAlgorithm, at: reader.offset) }
                unique = [try Self.sized(&reader), try Self.sized(&reader)]
            }
        }

        static func sized(_ reader: inout ByteReader) throws(WireError) -> [UInt8] {
            try reader.readArray(Int(reader.readUInt16()))
        }
    }

    /// TPMS_ATTEST.
    private struct Attest {
        let head: [UInt8]
        let qualifiedSigner: [UInt8]
        let extraData: [UInt8]
        let clockAndVersion: [UInt8]
        let name: [UInt8]
        let qualifiedName: [UInt8]

        init(_ reader: inout ByteReader) throws(WireError) {
            head = try reader.readArray(6)
            qualifiedSigner = try PublicArea.sized(&reader)
            extraData = try PublicArea.sized(&reader)
            clockAndVersion = try reader.readArray(25)
            name = try PublicArea.sized(&reader)
            qualifiedName = try PublicArea.sized(&reader)
        }
    }

    private func profile(_ change: (inout AttestationProfile) -> Void = { _ in }) -> AttestationProfile {
        var profile = AttestationProfile(.tpm)
        change(&profile)
        return profile
    }

    @Test(
        "certInfo is signed by the AIK, with each algorithm of one",
        arguments: AttestationProfile.algorithms(of: .tpm) + [.rs1]
    )
    func signature(_ algorithm: COSEAlgorithmIdentifier) throws {
        let credential = try AttestedCredential()
        let statement = try credential.statement(profile { $0.algorithm = algorithm })
        #expect(try statement["ver"] == "2.0" && statement.algorithm() == algorithm)
        let certInfo = try statement.bytes("certInfo")
        let aik = try Certificate(der: statement.x5c()[0])
        let key = try aik.publicKey(algorithm, allowingSHA1: true)
        #expect(try key.verify(statement.bytes("sig"), of: certInfo))
        let attest = try certInfo.decode(Attest.init)
        // TPM_GENERATED_VALUE, TPM_ST_ATTEST_CERTIFY.
        #expect(attest.head == [0xff, 0x54, 0x43, 0x47, 0x80, 0x17])
        let hash = try #require(HashFunction(of: algorithm))
        #expect(try attest.extraData == hash.digest(credential.attestedBytes))
        // safe is a boolean.
        #expect(attest.clockAndVersion[16] == 1)
    }

    @Test("the key's Name is made with each hash function", arguments: TPMShape.NameAlgorithm.allCases)
    func names(_ algorithm: TPMShape.NameAlgorithm) throws {
        let statement = try AttestedCredential().statement(profile { $0.tpm.nameAlgorithm = algorithm })
        let publicArea = try statement.bytes("pubArea")
        let area = try publicArea.decode(PublicArea.init)
        let attest = try statement.bytes("certInfo").decode(Attest.init)
        let hashes: [UInt16: HashFunction] = [4: .sha1, 0xb: .sha256, 0xc: .sha384, 0xd: .sha512]
        let hash = try #require(hashes[algorithm.rawValue])
        let prefix = [UInt8(0), UInt8(algorithm.rawValue)]
        #expect(area.nameAlgorithm == algorithm.rawValue)
        #expect(try attest.name == prefix + hash.digest(publicArea))
        for other in [attest.qualifiedSigner, attest.qualifiedName] {
            #expect(other.count == attest.name.count && other.starts(with: prefix))
        }
    }

    @Test(
        "pubArea holds the credential's key",
        arguments: [
            (.es256, 0x23, [3], [0x18, 0xb]), (.es384, 0x23, [4], [0x18, 0xc]), (.es512, 0x23, [5], [0x18, 0xd]),
            (.rs256, 1, [2048, 0], [0x14, 0xb]), (.ps256, 1, [2048, 0], [0x16, 0xb]),
        ] as [(COSEAlgorithmIdentifier, UInt16, [UInt32], [UInt16])]
    )
    func publicArea(
        _ algorithm: COSEAlgorithmIdentifier,
        _ type: UInt16,
        _ parameters: [UInt32],
        _ scheme: [UInt16]
    ) throws {
        let credential = try AttestedCredential(algorithm)
        for states in [false, true] {
            let statement = try credential.statement(profile { $0.tpm.statesScheme = states })
            let area = try statement.bytes("pubArea").decode(PublicArea.init)
            #expect(area.type == type && area.parameters == parameters)
            #expect(area.scheme == (states ? scheme : [0x10]))
            // sign, userWithAuth, sensitiveDataOrigin, fixedParent, fixedTPM; neither restricted nor decrypt.
            #expect(area.attributes == 0x0004_0072)
            switch credential.key.publicKey.parameters {
            case .rsa(let n, let e): #expect(area.unique == [n] && e == [1, 0, 1])
            case .ec2(_, let x, let y): #expect(area.unique == [x, y])
            default: Issue.record("a TPM holds no such key")
            }
        }
    }

    @Test("the vendor names the TPM in each shape", arguments: TPMShape.SubjectAltName.allCases)
    func subjectAltName(_ shape: TPMShape.SubjectAltName) throws {
        let aik = try AttestedCredential().certificates(
            profile {
                $0.tpm.subjectAltName = shape
                $0.tpm.manufacturer = "id:414D4400"
            }
        )[0]
        #expect(aik.subject.isEmpty && aik.version == 3 && aik.basicConstraints?.isCA == false)
        #expect(aik.extendedKeyUsage == ["2.23.133.8.3"])
        let extensionValue = try #require(try aik.extensionValue("2.5.29.17"))
        #expect(extensionValue.isCritical)
        let names = try aik.subjectAltNames()
        let directories = names.compactMap { name -> DistinguishedName? in
            if case .directoryName(let name) = name { name } else { nil }
        }
        #expect(directories.flatMap { $0.values("2.23.133.2.1") } == ["id:414D4400"])
        #expect(directories.flatMap { $0.values("2.23.133.2.2") }.count == 1)
        #expect(directories.flatMap { $0.values("2.23.133.2.3") }.count == 1)
        let expected = [.separate: (1, 1), .multiValued: (1, 1), .severalNames: (3, 3), .amongOthers: (3, 2)][shape]
        #expect(names.count == expected?.0 && directories.count == expected?.1)
        // Relative names in the last directory name: three, or one of three attributes.
        var outer = DERReader(extensionValue.value)
        var general = try outer.read(.sequence).reader()
        var last = try general.next()
        while !general.isAtEnd { last = try general.next() }
        var choice = try last.reader()
        var name = try choice.read(.sequence).reader()
        var relative = 0
        while !name.isAtEnd {
            #expect(try name.next().tag == .set)
            relative += 1
        }
        #expect(relative == ([.multiValued, .severalNames].contains(shape) ? 1 : 3))
    }
}
