import Foundation
import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("The authority that attests")
struct AttestationCertificateTests {
    static let authority = AttestationAuthority()

    private func profile(_ intermediates: Int, _ fault: AttestationChainFault? = nil) -> AttestationProfile {
        var profile = AttestationProfile(.packed)
        profile.intermediateCount = intermediates
        profile.chainFault = fault
        return profile
    }

    // MARK: Certificates

    @Test("root, intermediates and leaf are what a certificate must be", arguments: 0...2)
    func chain(_ count: Int) throws {
        let certificates = try AttestedCredential().certificates(profile(count))
        let root = try Certificate(der: Self.authority.rootCertificate())
        #expect(certificates.count == count + 1)
        #expect(try certificates.dropFirst().map(\.der) == Self.authority.intermediateCertificates(count))
        for (certificate, issuer) in zip(certificates + [root], certificates.dropFirst() + [root, root]) {
            #expect(certificate.version == 3 && certificate.issuer == issuer.subject)
            #expect(certificate.notBefore == 1_577_836_800_000 && certificate.notAfter == 2_524_607_999_000)
            let isLeaf = certificate.der == certificates[0].der
            #expect(certificate.basicConstraints?.isCA == !isLeaf && certificate.basicConstraints?.pathLength == nil)
            // The first byte keeps it positive, and at most 20 of them.
            #expect((1...20).contains(certificate.serialNumber.count) && certificate.serialNumber[0] & 0x80 == 0)
            // The signature, by the reader of DER: TBSCertificate, algorithm, BIT STRING.
            var outer = DERReader(certificate.der)
            var reader = try outer.read(.sequence).reader()
            let body = try reader.read(.sequence)
            _ = try reader.read(.sequence)
            let signature = try reader.read(.bitString).bitString()
            try reader.finish()
            try outer.finish()
            #expect(try issuer.publicKey(.es256).verify(signature, of: Array(body.encoded)))
        }
        let path = try CertificateChain.verify(
            leaf: certificates[0],
            intermediates: Array(certificates.dropFirst()),
            anchors: [root],
            at: AttestedCredential.now.millisecondsSince1970
        )
        #expect(path.certificates.count == count + 2)
    }

    @Test("everything follows from the name, and serial numbers tell certificates apart")
    func names() throws {
        let same = AttestationAuthority(name: Self.authority.name)
        let other = AttestationAuthority(name: "Another")
        #expect(same == Self.authority && other != same)
        #expect(try same.rootCertificate() == Self.authority.rootCertificate())
        #expect(try other.rootCertificate() != Self.authority.rootCertificate())
        var serials: Set<[UInt8]> = []
        for algorithm in [COSEAlgorithmIdentifier.es256, .es384] {
            for format in [AttestationStatementFormat.apple, .androidKey] {
                let credential = try AttestedCredential(algorithm)
                serials.insert(try credential.certificates(AttestationProfile(format))[0].serialNumber)
            }
        }
        #expect(serials.count == 4)
    }

    @Test("the root may be sent along, and certificates twice")
    func extras() throws {
        let credential = try AttestedCredential()
        var profile = profile(2)
        let plain = try credential.statement(profile).x5c()
        profile.includesRoot = true
        let root = try Self.authority.rootCertificate()
        #expect(try credential.statement(profile).x5c() == plain + [root])
        profile.repeatsCertificates = true
        #expect(
            try credential.statement(profile).x5c()
                == [plain[0], plain[1], plain[1], plain[2], plain[2], root, root]
        )
    }

    @Test("PEM is base64 of DER in lines of 64")
    func pem() throws {
        let certificates = try Self.authority.intermediateCertificates(2) + [Self.authority.rootCertificate()]
        let text = AttestationAuthority.pem(certificates)
        let blocks = text.split(separator: "-----BEGIN CERTIFICATE-----\n")
        #expect(blocks.count == 3 && text.hasSuffix("-----END CERTIFICATE-----\n"))
        for (block, der) in zip(blocks, certificates) {
            let lines = block.split(separator: "\n").dropLast()
            #expect(lines.allSatisfy { $0.count <= 64 } && lines.dropLast().allSatisfy { $0.count == 64 })
            #expect(try Base64.decode(lines.joined()) == der)
        }
        #expect(try Self.authority.rootPEM() == AttestationAuthority.pem([certificates[2]]))
    }

    // MARK: Chains with faults

    /// What libcrypto calls each fault, and the command, in its words.
    static let chainFaults: [(AttestationChainFault, CertificateChainError.Code, String)] = [
        (.expiredLeaf, .expired, "certificate has expired"),
        (.notYetValidLeaf, .notYetValid, "certificate is not yet valid"),
        (.expiredIntermediate, .expired, "certificate has expired"),
        (.otherRoot, .badSignature, "signature failure"),
        (.intermediateIsNoAuthority, .notACertificationAuthority, "invalid CA certificate"),
        (.pathLength, .pathLength, "path length constraint exceeded"),
        (.nameConstraint, .nameConstraint, "permitted subtree violation"),
        (.missingIntermediate, .noAnchor, "unable to get local issuer certificate"),
    ]

    @Test(
        "a chain with a fault leads nowhere, for the right reason; without it, it leads to the root",
        arguments: chainFaults
    )
    func faults(_ fault: AttestationChainFault, _ code: CertificateChainError.Code, _: String) throws {
        let credential = try AttestedCredential()
        func verify(_ profile: AttestationProfile) throws(CertificateChainError) -> Bool {
            guard let certificates = try? credential.certificates(profile),
                let root = try? Certificate(der: Self.authority.rootCertificate())
            else { return false }
            _ = try CertificateChain.verify(
                leaf: certificates[0],
                intermediates: Array(certificates.dropFirst()),
                anchors: [root],
                at: AttestedCredential.now.millisecondsSince1970
            )
            return true
        }
        for count in 0...2 {
            #expect(try verify(profile(count)))
            // A chain too short for the fault gets what it needs.
            do throws(CertificateChainError) {
                _ = try verify(profile(count, fault))
                Issue.record("\(fault) with \(count) intermediates")
            } catch {
                #expect(error.code == code, "\(error)")
            }
        }
        let least = try credential.certificates(profile(0, fault)).count - 1
        #expect(least == fault.leastIntermediateCount - (fault == .missingIntermediate ? 1 : 0))
    }

    @Test("all faults are tried")
    func allFaults() {
        #expect(Set(Self.chainFaults.map(\.0)) == Set(AttestationChainFault.allCases))
    }

    // MARK: Revocation

    @Test("lists revoke what their issuer signed: leaf by the last intermediate, intermediates by what is above them")
    func revocation() throws {
        let certificates = try AttestedCredential().certificates(profile(2))
        let root = try Certificate(der: Self.authority.rootCertificate())
        func judge(_ lists: [[UInt8]]) throws -> Result<CertificateChain.Revocation, CertificateChainError> {
            let parsed = try lists.map { try CertificateRevocationList(der: $0) }
            return Result { () throws(CertificateChainError) in
                try CertificateChain.verify(
                    leaf: certificates[0],
                    intermediates: Array(certificates.dropFirst()),
                    anchors: [root],
                    at: AttestedCredential.now.millisecondsSince1970,
                    revocationLists: parsed
                ).revocation
            }
        }
        let empty = try (0...2).map { try Self.authority.revocationList(revoking: [], level: $0) }
        #expect(try judge(empty).get() == .good)
        for (level, der) in [(2, certificates[0].der), (1, certificates[1].der), (0, certificates[2].der)] {
            var lists = empty
            lists[level] = try Self.authority.revocationList(revoking: [der], level: level)
            #expect(throws: CertificateChainError.self) { try judge(lists).get() }
            do {
                _ = try judge(lists).get()
            } catch let error as CertificateChainError {
                #expect(error.code == .revoked)
            }
            // A list of another issuer says nothing of it.
            lists = empty
            let wrong = (level + 1) % 3
            lists[wrong] = try Self.authority.revocationList(revoking: [der], level: wrong)
            #expect(try judge(lists).get() == .good)
        }
        // Out of date.
        let past = Timestamp(millisecondsSince1970: 1_700_000_000_000)
        let old = try (0...2).map { try Self.authority.revocationList(revoking: [], level: $0, to: past) }
        #expect(try judge(old).get() != .good)
        #expect(throws: AttestationFailure.self) { try Self.authority.revocationList(revoking: [[0x30]]) }
    }

    // MARK: The other opinion

    @Test("openssl verify agrees on chains", .enabled(if: OpenSSLCommand.isInstalled))
    func commandVerifies() throws {
        let openssl = try OpenSSLCommand()
        defer { openssl.remove() }
        let credential = try AttestedCredential()
        let root = try openssl.file("root.pem", Self.authority.rootPEM())
        func verify(_ profile: AttestationProfile, _ more: [String] = []) throws -> (isSuccess: Bool, output: String) {
            let x5c = try credential.statement(profile).x5c()
            let leaf = try openssl.file("leaf.pem", AttestationAuthority.pem([x5c[0]]))
            let above = try openssl.file("above.pem", AttestationAuthority.pem(Array(x5c.dropFirst())))
            let untrusted = x5c.count > 1 ? ["-untrusted", above] : []
            return try OpenSSLCommand.run(
                ["verify", "-attime", "1800000000", "-CAfile", root] + untrusted + more + [leaf]
            )
        }
        for count in 0...2 {
            let valid = try verify(profile(count))
            #expect(valid.isSuccess, "\(valid.output)")
        }
        for (fault, _, words) in Self.chainFaults {
            let broken = try verify(profile(fault.leastIntermediateCount, fault))
            #expect(!broken.isSuccess && broken.output.contains(words), "\(fault): \(broken.output)")
        }
        // Each format's leaf, and with each kind of key that signs for it.
        for format in AttestationFaultTests.formats where ![.none, .compound, .androidSafetyNet].contains(format) {
            let verdict = try verify(AttestationProfile(format))
            #expect(verdict.isSuccess, "\(format): \(verdict.output)")
        }
    }

    @Test("openssl crl and verify agree on revocation lists", .enabled(if: OpenSSLCommand.isInstalled))
    func commandReadsRevocationLists() throws {
        let openssl = try OpenSSLCommand()
        defer { openssl.remove() }
        let x5c = try AttestedCredential().statement(profile(1)).x5c()
        let root = try openssl.file("root.pem", Self.authority.rootPEM())
        let leaf = try openssl.file("leaf.pem", AttestationAuthority.pem([x5c[0]]))
        let above = try openssl.file("above.pem", AttestationAuthority.pem([x5c[1]]))
        func verify(_ revoked: [[UInt8]]) throws -> (isSuccess: Bool, output: String) {
            let list = try Self.authority.revocationList(revoking: revoked, level: 1)
            let text = AttestationAuthority.pem([list]).replacing("CERTIFICATE", with: "X509 CRL")
            let crl = try openssl.file("list.pem", text)
            let shown = try OpenSSLCommand.run(["crl", "-in", crl, "-noout", "-text", "-CAfile", above])
            #expect(shown.output.contains("verify OK") && shown.output.contains("CRL Number"), "\(shown.output)")
            return try OpenSSLCommand.run([
                "verify", "-attime", "1800000000", "-CAfile", root, "-untrusted", above, "-crl_check", "-CRLfile", crl,
                leaf,
            ])
        }
        let good = try verify([])
        #expect(good.isSuccess, "\(good.output)")
        let revoked = try verify([x5c[0]])
        #expect(!revoked.isSuccess && revoked.output.contains("certificate revoked"), "\(revoked.output)")
        #expect(try verify([x5c[1]]).isSuccess)
    }
}
