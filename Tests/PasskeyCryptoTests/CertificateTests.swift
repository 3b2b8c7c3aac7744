import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Certificates")
struct CertificateTests {
    private let key: PrivateKey
    private var draft: CertificateDraft

    init() throws {
        key = try Keys.of(.es256)
        draft = try CertificateDraft(key)
    }

    /// Makes a certificate after a change.
    private func certificate(_ change: (inout CertificateDraft) -> Void = { _ in }) throws -> Certificate {
        var draft = draft
        change(&draft)
        return try Certificate(der: draft.signed(by: key))
    }

    @Test("every field is what was written")
    func fields() throws {
        var draft = draft
        draft.serialNumber = DER.integer(0x0102_0304)
        draft.extensions = [
            basicConstraints(isCA: true, pathLength: 3), certificateExtension("1.2.3.4", [9, 8, 7]),
            certificateExtension("2.5.29.37", DER.sequence([DER.objectIdentifier("2.23.133.8.3")])),
        ]
        let der = try draft.signed(by: key)
        let certificate = try Certificate(der: der)
        #expect(certificate.der == der)
        #expect(try certificate.fingerprint == sha256(der))
        #expect(certificate.version == 3)
        #expect(certificate.serialNumber == [1, 2, 3, 4])
        #expect(certificate.subject.values("2.5.4.3") == ["Leaf"])
        #expect(certificate.issuer.text == "CN=Issuer")
        #expect(certificate.notBefore == Moments.first)
        #expect(certificate.notAfter == Moments.last)
        #expect(certificate.basicConstraints == BasicConstraints(isCA: true, pathLength: 3))
        #expect(certificate.extensions.map(\.oid) == ["2.5.29.19", "1.2.3.4", "2.5.29.37"])
        #expect(certificate.extensions.map(\.isCritical) == [true, false, false])
        #expect(try certificate.extensionValue("1.2.3.4")?.value == [9, 8, 7])
        #expect(try certificate.extensionValue("1.2.3") == nil)
        #expect(certificate.extendedKeyUsage == ["2.23.133.8.3"])
        #expect(try certificate.subjectAltNames().isEmpty)
        #expect(certificate.publicKeyKind == .p256)
    }

    @Test("bytes that are no certificate, or more than one")
    func malformed() throws {
        let der = try draft.signed(by: key)
        expectError(.malformedCertificate) { () throws(CryptoError) in try Certificate(der: []) }
        expectError(.malformedCertificate) { () throws(CryptoError) in try Certificate(der: der + [0]) }
        expectError(.malformedCertificate) { () throws(CryptoError) in try Certificate(der: der + der) }
        expectError(.malformedCertificate) { () throws(CryptoError) in try Certificate(der: Array(der.dropLast())) }
        expectError(.malformedCertificate) { () throws(CryptoError) in try Certificate(der: Array("MIIB".utf8)) }
        #expect(CryptoError.isQueueEmpty)
        #expect(try Certificate(der: der).der == der)
    }

    @Test("one that is larger than any")
    func large() throws {
        func sized(_ count: Int) throws -> [UInt8] {
            var draft = draft
            draft.extensions = [certificateExtension("1.2.3.4", [UInt8](repeating: 0, count: count))]
            return try draft.signed(by: key)
        }
        #expect(try Certificate(der: sized(60_000)).extensions.count == 1)
        let der = try sized(Certificate.greatestByteCount)
        expectError(.malformedCertificate) { () throws(CryptoError) in try Certificate(der: der) }
    }

    // MARK: What strict readers refuse

    @Test("versions, the odd ones included")
    func versions() throws {
        #expect(try certificate { $0.version = [] }.version == 1)
        #expect(try certificate { $0.version = DER.tagged(0, DER.integer(0)) }.version == 1)
        #expect(try certificate { $0.version = DER.tagged(0, DER.integer(1)) }.version == 2)
        for value in [3, -1, .max, .min] {
            #expect(try certificate { $0.version = DER.tagged(0, DER.integer(value)) }.version == 0)
        }
        let huge = DER.tagged(0, DER.integer(unsigned: [UInt8](repeating: 0xff, count: 100)))
        #expect(try certificate { $0.version = huge }.version == 0)
    }

    @Test("serial numbers: negative, zero, and longer than twenty bytes")
    func serialNumbers() throws {
        #expect(try certificate { $0.serialNumber = DER.integer(-2) }.serialNumber == [2])
        #expect(try certificate { $0.serialNumber = DER.integer(0) }.serialNumber == [0])
        let long = [UInt8](repeating: 0x7f, count: 40)
        #expect(try certificate { $0.serialNumber = DER.integer(unsigned: long) }.serialNumber == long)
    }

    @Test("Basic Constraints with an explicit FALSE, which DER leaves out")
    func explicitFalse() throws {
        let written = try certificate {
            $0.extensions = [certificateExtension("2.5.29.19", DER.sequence([DER.boolean(false)]))]
        }
        #expect(written.basicConstraints == BasicConstraints(isCA: false, pathLength: nil))
        let omitted = try certificate { $0.extensions = [basicConstraints(isCA: false)] }
        #expect(omitted.basicConstraints == written.basicConstraints)
        #expect(try certificate().basicConstraints == nil)
        // And what is none at all is as if it were not there.
        let broken = try certificate { $0.extensions = [certificateExtension("2.5.29.19", [0x30, 5])] }
        #expect(broken.basicConstraints == nil)
        let twice = try certificate {
            $0.extensions = [basicConstraints(isCA: false), basicConstraints(isCA: false)]
        }
        #expect(twice.basicConstraints == nil)
    }

    @Test("a notice in a policy that is no notice")
    func userNotice() throws {
        let notice = DER.sequence([DER.objectIdentifier("1.3.6.1.5.5.7.2.2"), DER.sequence([DER.null])])
        let policies = DER.sequence([DER.sequence([DER.objectIdentifier("1.2.3"), DER.sequence([notice])])])
        let certificate = try certificate {
            $0.extensions = [certificateExtension("2.5.29.32", policies), basicConstraints(isCA: false)]
        }
        #expect(certificate.basicConstraints?.isCA == false)
        #expect(try certificate.extensionValue("2.5.29.32")?.value == policies)
    }

    @Test("a signature with unused bits")
    func unusedBits() throws {
        #expect(try certificate { $0.unusedSignatureBits = 1 }.subject.text == "CN=Leaf")
    }

    @Test("two signature algorithms that differ")
    func algorithms() throws {
        let other = try signatureAlgorithm(Keys.of(.es384))
        #expect(try certificate { $0.algorithm = other }.version == 3)
    }

    @Test("an extension that stands there twice is a fault where somebody asks for it")
    func repeated() throws {
        let certificate = try certificate {
            $0.extensions = [
                certificateExtension("1.2.3", [1]), certificateExtension("1.2.4", [2]),
                certificateExtension("1.2.3", [1]),
            ]
        }
        expectError(.malformedCertificate) { () throws(CryptoError) in try certificate.extensionValue("1.2.3") }
        #expect(try certificate.extensionValue("1.2.4")?.value == [2])
    }

    @Test("object identifiers that are longer than any", .timeLimit(.minutes(1)))
    func longObjectIdentifiers() throws {
        func extended(_ count: Int) throws -> Certificate {
            let oid = DER.element(.objectIdentifier, [0x2a] + [UInt8](repeating: 0xff, count: count) + [0x7f])
            return try certificate { $0.extensions = [DER.sequence([oid, DER.octetString([])])] }
        }
        // An arc of 128 bits and more is a number like any other.
        #expect(try extended(18).extensions.map(\.oid) == ["1.2.10889035741470030830827987437816582766591"])
        #expect(try extended(100).extensions.map(\.oid) == [""])
        // libcrypto refuses it, or takes the square of its length.
        _ = try? extended(60_000)
    }

    // MARK: Time

    @Test(
        "moments of the years 1 to 9999",
        arguments: [
            ("700101000000Z", Int64(0)), ("491231235959Z", 2_524_607_999_000), ("500101000000Z", -631_152_000_000),
            ("691231235959Z", -1000), ("20500101000000Z", 2_524_608_000_000), ("00010101000000Z", -62_135_596_800_000),
            ("99991231235959Z", 253_402_300_799_000), ("20000229120000Z", 951_825_600_000),
        ]
    )
    func times(_ text: String, _ milliseconds: Int64) throws {
        let time = DER.element(text.utf8.count == 13 ? .utcTime : .generalizedTime, Array(text.utf8))
        let certificate = try certificate {
            $0.notBefore = time
            $0.notAfter = time
        }
        #expect(certificate.notBefore == milliseconds)
        #expect(certificate.notAfter == milliseconds)
    }

    @Test(
        "moments that are none",
        arguments: ["", "Z", "20001301000000Z", "20010229000000Z", "20000101250000Z", "now"]
    )
    func badTimes(_ text: String) throws {
        var draft = draft
        draft.notAfter = DER.element(.generalizedTime, Array(text.utf8))
        let der = try draft.signed(by: key)
        expectError(.malformedCertificate) { () throws(CryptoError) in try Certificate(der: der) }
        #expect(CryptoError.isQueueEmpty)
    }

    // MARK: Other parts

    @Test("purposes: none, unreadable, and in an encoding that is not DER's")
    func purposes() throws {
        func purposes(_ value: [UInt8]) throws -> [String]? {
            try certificate { $0.extensions = [certificateExtension("2.5.29.37", value)] }.extendedKeyUsage
        }
        #expect(try certificate().extendedKeyUsage == nil)
        #expect(try purposes([0x30, 9]) == nil)
        #expect(try purposes(DER.null) == nil)
        #expect(try purposes(DER.sequence([])) == [])
        let purpose = DER.objectIdentifier("2.23.133.8.3")
        let long = DER.element(.objectIdentifier, [0x69] + [UInt8](repeating: 0x81, count: 18) + [0])
        #expect(try purposes(DER.sequence([long, purpose]))?.last == "2.23.133.8.3")
        #expect(try purposes([0x30, 0x81, UInt8(purpose.count)] + purpose) == ["2.23.133.8.3"])
        let twice = try certificate {
            $0.extensions = [
                certificateExtension("2.5.29.37", DER.sequence([purpose])),
                certificateExtension("2.5.29.37", DER.sequence([purpose])),
            ]
        }
        #expect(twice.extendedKeyUsage == nil)
    }

    @Test("alternative names")
    func alternativeNames() throws {
        func names(_ value: [UInt8]) throws -> [GeneralName] {
            try certificate { $0.extensions = [certificateExtension("2.5.29.17", value)] }.subjectAltNames()
        }
        let device = name([("2.23.133.2.1", DER.utf8String("id:414D4400")), ("2.23.133.2.2", DER.utf8String("AMD"))])
        let found = try names(
            DER.sequence([
                DER.element(.contextSpecific(2, constructed: false), Array("attest.android.com".utf8)),
                DER.tagged(4, device), DER.element(.contextSpecific(6, constructed: false), Array("urn:a".utf8)),
            ])
        )
        try #require(found.count == 3)
        #expect(found[0] == .dns("attest.android.com"))
        #expect(found[2] == .other(6))
        guard case .directoryName(let directory) = found[1] else {
            Issue.record("no directory name")
            return
        }
        #expect(directory.values("2.23.133.2.1") == ["id:414D4400"])
        expectError(.malformedCertificate) { () throws(CryptoError) in
            do { _ = try names([0x30, 9]) } catch let error as CryptoError { throw error } catch {}
        }
        #expect(CryptoError.isQueueEmpty)
    }

    @Test("the key's identifier is the digest of its bits")
    func keyIdentifier() throws {
        guard case .ec2(_, let x, let y) = key.publicKey.parameters else { return }
        #expect(try certificate().keyIdentifier() == HashFunction.sha1.digest([4] + x + y))
    }
}
