import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Revocation lists")
struct CertificateRevocationTests {
    private let root: TestAuthority
    private let middle: TestAuthority
    private let leaf: Certificate

    init() throws {
        root = try TestAuthority("Root")
        middle = try TestAuthority("Middle", under: root) { $0.serialNumber = DER.integer(20) }
        leaf = try middle.issue { $0.serialNumber = DER.integer(30) }
    }

    private func verify(_ lists: [CertificateRevocationList]) throws(CertificateChainError) -> CertificateChain.Path {
        defer { #expect(CryptoError.isQueueEmpty) }
        return try CertificateChain.verify(
            leaf: leaf,
            intermediates: [middle.certificate],
            anchors: [root.certificate],
            at: Moments.now,
            revocationLists: lists
        )
    }

    /// What the lists say, with one of the root's that says good of the intermediate.
    private func status(_ lists: CertificateRevocationList...) throws -> CertificateChain.Revocation {
        try verify(lists + [root.revocationList([])]).revocation
    }

    private func error(_ lists: CertificateRevocationList...) -> CertificateChainError? {
        chainError { () throws(CertificateChainError) in try verify(lists) }
    }

    @Test("a path is good where a list says so of each certificate below the anchor")
    func good() throws {
        #expect(try verify([]).revocation == .notGiven)
        #expect(try status() == .notGiven)
        #expect(try verify([middle.revocationList([])]).revocation == .notGiven)
        #expect(try status(middle.revocationList([])) == .good)
        #expect(try status(middle.revocationList([1, 2, 31, -30])) == .good)
        // The root's list has a certificate with the leaf's number.
        #expect(try verify([root.revocationList([30, 1]), middle.revocationList([20])]).revocation == .good)
    }

    @Test("a revoked certificate, at each place")
    func revoked() throws {
        let text = "a revocation list names the certificate"
        #expect(try error(middle.revocationList([30])) == CertificateChainError(.revoked, text, depth: 0))
        #expect(try error(root.revocationList([1, 20, 3])) == CertificateChainError(.revoked, text, depth: 1))
        // One list of several is enough, in either order.
        let (good, bad) = (try middle.revocationList([]), try middle.revocationList([30]))
        #expect(error(good, bad)?.code == .revoked)
        #expect(error(bad, good)?.code == .revoked)
        #expect(try error(good, root.revocationList([])) == nil)
    }

    @Test("nobody asks about the anchor")
    func anchor() throws {
        let path = try CertificateChain.verify(
            leaf: leaf,
            intermediates: [],
            anchors: [middle.certificate],
            at: Moments.now,
            revocationLists: [root.revocationList([20]), middle.revocationList([])]
        )
        #expect(path.revocation == .good)
    }

    @Test("a list with another signature says nothing")
    func signature() throws {
        let other = try PrivateKey.generate(.es256)
        #expect(try status(middle.revocationList([30], signedBy: other)) == .notGiven)
        #expect(try status(middle.revocationList([], signedBy: other)) == .notGiven)
        // And another authority's list is about that authority's certificates.
        #expect(try status(TestAuthority("Stranger").revocationList([30])) == .notGiven)
    }

    @Test("a list that is out of date says good of nothing")
    func outOfDate() throws {
        let past = Moments.now - 1000
        #expect(try status(middle.revocationList([], to: past)) == .notGiven)
        #expect(try status(middle.revocationList([], to: Moments.now)) == .notGiven)
        #expect(try status(middle.revocationList([], to: Moments.now + 1000)) == .good)
        #expect(try status(middle.revocationList([], to: nil)) == .notGiven)
        // What was revoked then is revoked now.
        #expect(try error(middle.revocationList([30], to: past))?.code == .revoked)
    }

    @Test("a list of the future says nothing")
    func future() throws {
        let next = Moments.now + 1000
        #expect(try status(middle.revocationList([], from: next)) == .notGiven)
        #expect(try status(middle.revocationList([30], from: next)) == .notGiven)
        #expect(try status(middle.revocationList([], from: Moments.now)) == .good)
    }

    @Test("a list whose extensions change its meaning says good of nothing")
    func critical() throws {
        let part = certificateExtension("2.5.29.28", isCritical: true, DER.sequence([]))
        let number = certificateExtension("2.5.29.20", DER.integer(7))
        #expect(try status(middle.revocationList([], extensions: [part])) == .notGiven)
        #expect(try status(middle.revocationList([], extensions: [number])) == .good)
        #expect(try error(middle.revocationList([30], extensions: [part]))?.code == .revoked)
    }

    @Test("an entry about another issuer's certificate")
    func indirect() throws {
        let issuer = certificateExtension(
            "2.5.29.29",
            isCritical: true,
            DER.sequence([DER.tagged(4, name("Somebody"))])
        )
        #expect(try error(middle.revocationList([30], entryExtensions: [issuer])) == nil)
        let reason = certificateExtension("2.5.29.21", DER.enumerated(1))
        #expect(try error(middle.revocationList([30], entryExtensions: [reason]))?.code == .revoked)
        let unknown = certificateExtension("1.2.3", isCritical: true, [5, 0])
        #expect(try error(middle.revocationList([30], entryExtensions: [unknown]))?.code == .revoked)
    }

    @Test("an issuer that may not sign lists")
    func keyUsage() throws {
        func authority(_ usage: UInt8) throws -> (TestAuthority, Certificate) {
            let bits = certificateExtension("2.5.29.15", isCritical: true, DER.bitString([usage], unusedBits: 1))
            let authority = try TestAuthority("Root", extensions: [basicConstraints(isCA: true), bits])
            return (authority, try authority.issue())
        }
        for (usage, expected) in [(UInt8(0x04), CertificateChain.Revocation.notGiven), (0x06, .good)] {
            let (authority, leaf) = try authority(usage)
            let path = try CertificateChain.verify(
                leaf: leaf,
                intermediates: [],
                anchors: [authority.certificate],
                at: Moments.now,
                revocationLists: [authority.revocationList([])]
            )
            #expect(path.revocation == expected)
        }
    }

    @Test("bytes that are no list, or more than one")
    func malformed() throws {
        expectError(.malformedCertificate) { () throws(CryptoError) in try CertificateRevocationList(der: []) }
        let der = leaf.der
        expectError(.malformedCertificate) { () throws(CryptoError) in try CertificateRevocationList(der: der) }
        let list = try middle.revocationListBytes([1])
        expectError(.malformedCertificate) { () throws(CryptoError) in
            try CertificateRevocationList(der: list + [0])
        }
        #expect(try CertificateRevocationList(der: list).fingerprint == sha256(list))
        #expect(CryptoError.isQueueEmpty)
    }
}
