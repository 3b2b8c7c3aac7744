import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Chains of certificates")
struct CertificateChainTests {
    private let root: TestAuthority
    private let middle: TestAuthority
    private let leaf: Certificate

    init() throws {
        root = try TestAuthority("Root")
        middle = try TestAuthority("Middle", under: root)
        leaf = try middle.issue()
    }

    private func verify(
        _ leaf: Certificate? = nil,
        _ intermediates: [Certificate]? = nil,
        _ anchors: [Certificate]? = nil,
        at milliseconds: Int64 = Moments.now
    ) throws(CertificateChainError) -> CertificateChain.Path {
        defer { #expect(CryptoError.isQueueEmpty) }
        return try CertificateChain.verify(
            leaf: leaf ?? self.leaf,
            intermediates: intermediates ?? [middle.certificate],
            anchors: anchors ?? [root.certificate],
            at: milliseconds
        )
    }

    private func code(
        _ leaf: Certificate? = nil,
        _ intermediates: [Certificate]? = nil,
        _ anchors: [Certificate]? = nil,
        at milliseconds: Int64 = Moments.now
    ) -> CertificateChainError.Code? {
        chainError { () throws(CertificateChainError) in try verify(leaf, intermediates, anchors, at: milliseconds) }?
            .code
    }

    private func names(_ path: CertificateChain.Path) -> [String] { path.certificates.map(\.subject.text) }

    // MARK: Paths

    @Test("a path of no, one and two intermediates")
    func lengths() throws {
        let direct = try root.issue("Direct")
        #expect(try names(verify(direct, [])) == ["CN=Direct", "CN=Root"])
        #expect(try names(verify()) == ["CN=Leaf", "CN=Middle", "CN=Root"])
        let low = try TestAuthority("Low", under: middle)
        let far = try low.issue("Far")
        let path = try verify(far, [low.certificate, middle.certificate])
        #expect(names(path) == ["CN=Far", "CN=Low", "CN=Middle", "CN=Root"])
        #expect(path.revocation == .notGiven)
        #expect(path.notBefore == Moments.first)
        #expect(path.notAfter == Moments.last)
    }

    @Test("intermediates in any order, twice, with the root, with the leaf, and with strangers")
    func extras() throws {
        let low = try TestAuthority("Low", under: middle)
        let far = try low.issue("Far")
        let stranger = try TestAuthority("Stranger").certificate
        let expected = ["CN=Far", "CN=Low", "CN=Middle", "CN=Root"]
        for intermediates in [
            [middle.certificate, low.certificate],
            [low.certificate, low.certificate, middle.certificate, middle.certificate],
            [low.certificate, middle.certificate, root.certificate],
            [root.certificate, stranger, middle.certificate, far, low.certificate],
        ] {
            #expect(try names(verify(far, intermediates)) == expected)
        }
        #expect(code(far, [low.certificate]) == .noAnchor)
    }

    @Test("an anchor may be an intermediate, or the certificate itself")
    func partial() throws {
        #expect(try names(verify(nil, [], [middle.certificate])) == ["CN=Leaf", "CN=Middle"])
        #expect(try names(verify(nil, [], [leaf])) == ["CN=Leaf"])
        #expect(try names(verify(root.certificate, [])) == ["CN=Root"])
        // Parsed again, it is the same certificate.
        let again = try Certificate(der: leaf.der)
        #expect(try names(verify(nil, [], [again])) == ["CN=Leaf"])
        // What else there is does no harm, even when it is no longer valid.
        let old = try TestAuthority("Middle", under: root, key: middle.key) {
            $0.notAfter = DER.time(millisecondsSince1970: Moments.now - 1000)
        }
        #expect(try names(verify(nil, [old.certificate], [old.certificate, leaf])) == ["CN=Leaf"])
        #expect(try names(verify(nil, nil, [root.certificate, leaf, middle.certificate])) == ["CN=Leaf"])
        #expect(code(nil, [old.certificate], [old.certificate]) == .expired)
        // The certificate's key in another certificate is not that certificate.
        let twin = try middle.issue { $0.serialNumber = DER.integer(7) }
        #expect(code(nil, [], [twin]) == .noAnchor)
    }

    @Test("anchors give the intermediates that are missing")
    func fromAnchors() throws {
        #expect(code(nil, []) == .noAnchor)
        let path = try verify(nil, [], [root.certificate, middle.certificate])
        #expect(names(path).first == "CN=Leaf")
        #expect(try names(verify(nil, nil, [root.certificate, root.certificate, middle.certificate])).count >= 2)
    }

    @Test("no anchor, another anchor, and a certificate that signs itself")
    func noAnchor() throws {
        let stranger = try TestAuthority("Stranger").certificate
        #expect(code(nil, nil, []) == .noAnchor)
        #expect(code(nil, nil, [stranger]) == .noAnchor)
        #expect(code(nil, [middle.certificate, root.certificate], [stranger]) == .noAnchor)
        #expect(code(stranger, []) == .noAnchor)
        #expect(try names(verify(nil, nil, [stranger, root.certificate])).count == 3)
    }

    @Test("an anchor with the right name and another key")
    func namesake() throws {
        let other = try TestAuthority("Root")
        #expect(code(nil, nil, [other.certificate]) == .badSignature)
        // In either order one of the two is the right one.
        #expect(try verify(nil, nil, [other.certificate, root.certificate]).certificates.last === root.certificate)
        #expect(try verify(nil, nil, [root.certificate, other.certificate]).certificates.last === root.certificate)
        #expect(code(nil, nil, [other.certificate, try TestAuthority("Root").certificate]) == .badSignature)
        // With other names between, and enough of them that the search ends.
        let many = try (0..<40).map { _ in try TestAuthority("Root", key: other.key).certificate }
        #expect(code(nil, nil, many) == .badSignature)
    }

    @Test("a root that was issued anew, for the same key")
    func renewed() throws {
        let old = try TestAuthority("Root", key: root.key) {
            $0.notAfter = DER.time(millisecondsSince1970: Moments.now - 1000)
        }
        #expect(code(nil, nil, [old.certificate]) == .expired)
        #expect(try verify(nil, nil, [old.certificate, root.certificate]).certificates.last === root.certificate)
        #expect(try verify(nil, nil, [root.certificate, old.certificate]).certificates.last === root.certificate)
    }

    @Test("a signature that was changed, at each certificate but the anchor")
    func signatures() throws {
        func changed(_ certificate: Certificate) throws -> Certificate {
            // A bit of s, which keeps the signature well-formed.
            try Certificate(der: certificate.der.flipping(bit: certificate.der.count * 8 - 8))
        }
        #expect(code(try changed(leaf)) == .badSignature)
        #expect(code(nil, [try changed(middle.certificate)]) == .badSignature)
        // Nobody asks who signed the anchor.
        #expect(try names(verify(nil, nil, [changed(root.certificate)])).count == 3)
        #expect(code() == nil)
    }

    @Test("authorities with other kinds of key", arguments: [COSEAlgorithmIdentifier.es384, .rs256, .edDSA])
    func algorithms(_ algorithm: COSEAlgorithmIdentifier) throws {
        let authority = try TestAuthority("Other", key: Keys.of(algorithm))
        #expect(try verify(authority.issue(), [], [authority.certificate]).certificates.count == 2)
    }

    // MARK: Time

    @Test("each certificate of the path is valid, the anchor included")
    func validity() throws {
        let end = Moments.now - 1000
        let old = { (draft: inout CertificateDraft) in draft.notAfter = DER.time(millisecondsSince1970: end) }
        let new = { (draft: inout CertificateDraft) in
            draft.notBefore = DER.time(millisecondsSince1970: Moments.now + 1000)
        }
        for (change, expected) in [(old, CertificateChainError.Code.expired), (new, .notYetValid)] {
            #expect(code(try middle.issue(change: change)) == expected)
            let middle = try TestAuthority("Middle", under: root, change: change)
            #expect(code(try middle.issue(), [middle.certificate]) == expected)
            let root = try TestAuthority("Root", change: change)
            #expect(code(try root.issue(), [], [root.certificate]) == expected)
        }
        let path = try verify(middle.issue(change: old), at: end - 1000)
        #expect(path.notAfter == end)
        #expect(path.isValid(at: end - 1) && !path.isValid(at: end))
    }

    @Test("the first and the last moment")
    func boundaries() throws {
        #expect(code(at: Moments.first) == nil)
        #expect(code(at: Moments.first - 1) == .notYetValid)
        #expect(code(at: Moments.last - 1) == nil)
        #expect(code(at: Moments.last) == .expired)
        let path = try verify()
        for moment in [Moments.first, Moments.first - 1, Moments.last - 1, Moments.last] {
            #expect(path.isValid(at: moment) == (code(at: moment) == nil))
        }
    }

    @Test("a moment before 1970 is not rounded up")
    func beforeEpoch() throws {
        let change = { (draft: inout CertificateDraft) in draft.notBefore = DER.time(millisecondsSince1970: 0) }
        let root = try TestAuthority("Root", change: change)
        #expect(code(root.certificate, [], [root.certificate], at: 0) == nil)
        #expect(code(root.certificate, [], [root.certificate], at: -1) == .notYetValid)
    }

    @Test("moments that no certificate is of", arguments: [Int64.min, -62_135_596_800_001, 253_402_300_800_000, .max])
    func extremes(_ milliseconds: Int64) throws {
        #expect(code(at: milliseconds) != nil)
    }

    @Test("a certificate of the years 1 to 9999")
    func always() throws {
        let change = { (draft: inout CertificateDraft) in
            draft.notBefore = DER.time(millisecondsSince1970: .min)
            draft.notAfter = DER.time(millisecondsSince1970: .max)
        }
        let root = try TestAuthority("Root", change: change)
        let leaf = try root.issue(change: change)
        for moment in [Moments.first, Moments.now, -62_135_596_800_000, 253_402_300_798_000] {
            #expect(code(leaf, [], [root.certificate], at: moment) == nil)
        }
    }

    // MARK: What an issuer may

    @Test("an issuer is a certification authority")
    func authority() throws {
        for extensions in [
            [], [basicConstraints(isCA: false)],
            [
                basicConstraints(isCA: true),
                certificateExtension("2.5.29.15", isCritical: true, DER.bitString([0x80], unusedBits: 7)),
            ],
        ] {
            let middle = try TestAuthority("Middle", under: root, extensions: extensions)
            #expect(code(try middle.issue(), [middle.certificate]) == .notACertificationAuthority)
        }
        let signing = certificateExtension("2.5.29.15", isCritical: true, DER.bitString([0x04], unusedBits: 2))
        let middle = try TestAuthority("Middle", under: root, extensions: [basicConstraints(isCA: true), signing])
        #expect(code(try middle.issue(), [middle.certificate]) == nil)
    }

    @Test("a root of version 1, and a leaf of version 1")
    func versionOne() throws {
        let root = try TestAuthority("Root", extensions: []) { $0.version = [] }
        let leaf = try root.issue(extensions: []) { $0.version = [] }
        #expect(code(leaf, [], [root.certificate]) == nil)
    }

    @Test("the length of a path")
    func pathLength() throws {
        let root = try TestAuthority("Root", extensions: [basicConstraints(isCA: true, pathLength: 0)])
        let middle = try TestAuthority("Middle", under: root)
        #expect(code(try root.issue(), [], [root.certificate]) == nil)
        #expect(code(try middle.issue(), [middle.certificate], [root.certificate]) == .pathLength)
    }

    @Test("name constraints")
    func nameConstraints() throws {
        func constrained(_ subtree: UInt32) throws -> TestAuthority {
            let constraint = DER.sequence([
                DER.tagged(subtree, DER.sequence([DER.tagged(4, name("Leaf"))]))
            ])
            return try TestAuthority(
                "Root",
                extensions: [
                    basicConstraints(isCA: true), certificateExtension("2.5.29.30", isCritical: true, constraint),
                ]
            )
        }
        let permitted = try constrained(0)
        let excluded = try constrained(1)
        #expect(code(try permitted.issue("Leaf"), [], [permitted.certificate]) == nil)
        #expect(code(try permitted.issue("Other"), [], [permitted.certificate]) == .nameConstraint)
        #expect(code(try excluded.issue("Leaf"), [], [excluded.certificate]) == .nameConstraint)
        #expect(code(try excluded.issue("Other"), [], [excluded.certificate]) == nil)
    }

    @Test("critical extensions that nobody knows")
    func criticalExtension() throws {
        let critical = certificateExtension("1.2.3.4", isCritical: true, [5, 0])
        #expect(code(try middle.issue(extensions: [critical])) == .unknownCriticalExtension)
        #expect(code(try middle.issue(extensions: [certificateExtension("1.2.3.4", [5, 0])])) == nil)
    }

    // MARK: What strict readers refuse

    @Test("what was lenient in parsing does not change the verdict")
    func lenient() throws {
        let explicit = certificateExtension("2.5.29.19", DER.sequence([DER.boolean(false)]))
        #expect(code(try middle.issue(extensions: [explicit])) == nil)
        let notice = DER.sequence([DER.objectIdentifier("1.3.6.1.5.5.7.2.2"), DER.sequence([DER.null])])
        let policies = DER.sequence([DER.sequence([DER.objectIdentifier("1.2.3"), DER.sequence([notice])])])
        #expect(code(try middle.issue(extensions: [certificateExtension("2.5.29.32", policies)])) == nil)
        #expect(code(try middle.issue { $0.serialNumber = DER.integer(-5) }) == nil)
        let twice = certificateExtension("1.2.3", [1])
        #expect(code(try middle.issue(extensions: [twice, twice])) == nil)
        let unused = try middle.issue { $0.unusedSignatureBits = 1 }
        #expect(code(unused) == .badSignature)
        #expect(code(unused, [], [unused]) == nil)
    }

    // MARK: Bounds

    @Test("no more intermediates than real chains have")
    func bounds() throws {
        let many = [Certificate](repeating: middle.certificate, count: CertificateChain.greatestIntermediateCount)
        #expect(code(nil, many) == nil)
        #expect(code(nil, many + [middle.certificate]) == .pathLength)
    }

    @Test("errors tell which certificate")
    func depth() throws {
        let old = try TestAuthority("Middle", under: root) {
            $0.notAfter = DER.time(millisecondsSince1970: Moments.now - 1000)
        }
        let leaf = try old.issue()
        let error = chainError { () throws(CertificateChainError) in try verify(leaf, [old.certificate]) }
        #expect(error == CertificateChainError(.expired, "certificate has expired", depth: 1))
        #expect(error?.description == "expired at certificate 1: certificate has expired")
    }
}
