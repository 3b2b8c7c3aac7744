import Foundation
import PasskeySystem
import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Certificates that come again")
struct CertificateCacheTests {
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority("Root")
    }

    @Test("the same bytes are the same object")
    func same() throws {
        let cache = CertificateCache(capacity: 4)
        let (first, second) = (try authority.issue("A").der, try authority.issue("B").der)
        let found = try cache.certificate(der: first)
        #expect(try cache.certificate(der: first) === found)
        #expect(try cache.certificate(der: second) !== found)
        #expect(found.der == first)
        let changed = first.flipping(bit: first.count * 8 - 8)
        #expect(try cache.certificate(der: changed).der == changed)
    }

    @Test("a failure is not remembered, and is the same each time")
    func failure() throws {
        let cache = CertificateCache(capacity: 4)
        for _ in 0..<2 {
            expectError(.malformedCertificate) { () throws(CryptoError) in try cache.certificate(der: [0x30, 0]) }
        }
    }

    @Test("the least recently used goes")
    func eviction() throws {
        let cache = CertificateCache(capacity: 2)
        let all = try ["A", "B", "C"].map { try authority.issue($0).der }
        let first = try cache.certificate(der: all[0])
        let second = try cache.certificate(der: all[1])
        #expect(try cache.certificate(der: all[0]) === first)
        _ = try cache.certificate(der: all[2])
        #expect(try cache.certificate(der: all[0]) === first)
        #expect(try cache.certificate(der: all[1]) !== second)
        // A capacity of none is one of one.
        let small = CertificateCache(capacity: 0)
        #expect(try small.certificate(der: all[0]) === small.certificate(der: all[0]))
    }

    @Test("large certificates are not remembered")
    func large() throws {
        let cache = CertificateCache(capacity: 2)
        func sized(_ count: Int) throws -> [UInt8] {
            try authority.issue(
                extensions: [certificateExtension("1.2.3", [UInt8](repeating: 1, count: count))]
            ).der
        }
        let (small, large) = (try sized(15_000), try sized(20_000))
        #expect(try cache.certificate(der: small) === cache.certificate(der: small))
        #expect(try cache.certificate(der: large) !== cache.certificate(der: large))
    }
}

@Suite("Chains that come again")
struct ChainCacheTests {
    private let root: TestAuthority
    private let middle: TestAuthority
    private let leaf: Certificate
    private let cache = ChainCache(capacity: 4)

    init() throws {
        root = try TestAuthority("Root")
        middle = try TestAuthority("Middle", under: root)
        leaf = try middle.issue {
            $0.notAfter = DER.time(millisecondsSince1970: Moments.now + 10_000)
            $0.serialNumber = DER.integer(30)
        }
    }

    private func verify(
        _ leaf: Certificate? = nil,
        _ intermediates: [Certificate]? = nil,
        _ anchors: [Certificate]? = nil,
        at milliseconds: Int64 = Moments.now,
        _ lists: [CertificateRevocationList] = []
    ) throws(CertificateChainError) -> CertificateChain.Path {
        try cache.verify(
            leaf: leaf ?? self.leaf,
            intermediates: intermediates ?? [middle.certificate],
            anchors: anchors ?? [root.certificate],
            at: milliseconds,
            revocationLists: lists
        )
    }

    /// The same certificate, parsed once more: what is remembered has the first one.
    private func copy(_ certificate: Certificate) throws -> Certificate { try Certificate(der: certificate.der) }

    @Test("a path is remembered")
    func remembered() throws {
        #expect(try verify().certificates.first === leaf)
        #expect(try verify(copy(leaf)).certificates.first === leaf)
        #expect(try verify(at: Moments.now + 1).certificates.count == 3)
    }

    @Test("only for the moments at which it is valid")
    func validity() throws {
        _ = try verify()
        for (moment, code) in [
            (Moments.now + 9999, nil), (Moments.now + 10_000, CertificateChainError.Code.expired),
            (Moments.first - 1, .notYetValid), (Moments.first, nil),
        ] {
            #expect(chainError { () throws(CertificateChainError) in try verify(at: moment) }?.code == code)
        }
    }

    @Test("only for the same certificates in the same parts")
    func parts() throws {
        _ = try verify()
        let stranger = try TestAuthority("Root").certificate
        func code(_ intermediates: [Certificate], _ anchors: [Certificate]) -> CertificateChainError.Code? {
            chainError { () throws(CertificateChainError) in try verify(nil, intermediates, anchors) }?.code
        }
        #expect(code([middle.certificate, root.certificate], []) == .noAnchor)
        #expect(code([], [root.certificate]) == .noAnchor)
        #expect(code([middle.certificate], [stranger]) == .badSignature)
        #expect(code([middle.certificate], []) == .noAnchor)
        #expect(code([middle.certificate], [root.certificate]) == nil)
    }

    @Test("a failure is not remembered")
    func failure() throws {
        let early = chainError { () throws(CertificateChainError) in try verify(at: Moments.first - 1) }
        #expect(early?.code == .notYetValid)
        #expect(try verify().certificates.count == 3)
    }

    @Test("revocation lists are asked each time")
    func revocation() throws {
        #expect(try verify().revocation == .notGiven)
        let lists = [try middle.revocationList([]), try root.revocationList([])]
        #expect(try verify(nil, nil, nil, at: Moments.now, lists).revocation == .good)
        #expect(try verify().revocation == .notGiven)
        let revoked = [try middle.revocationList([30])]
        let error = chainError { () throws(CertificateChainError) in
            try verify(nil, nil, nil, at: Moments.now, revoked)
        }
        #expect(error?.code == .revoked)
        #expect(try verify(copy(leaf)).certificates.first === leaf)
    }

    @Test("the least recently used goes")
    func eviction() throws {
        let small = ChainCache(capacity: 1)
        func verify(_ leaf: Certificate) throws -> Certificate? {
            try small.verify(
                leaf: leaf,
                intermediates: [middle.certificate],
                anchors: [root.certificate],
                at: Moments.now
            ).certificates.first
        }
        #expect(try verify(leaf) === leaf)
        #expect(try verify(copy(leaf)) === leaf)
        _ = try verify(middle.issue("Other"))
        let again = try copy(leaf)
        #expect(try verify(again) === again)
    }

    @Test("eight threads verify one chain, and ask its certificates for everything")
    func threads() throws {
        let certificates = CertificateCache(capacity: 2)
        let lists = [try middle.revocationList([1, 2, 3]), try root.revocationList([7, 5, 6])]
        let (leaf, middle, root, cache) = (leaf, middle.certificate, root.certificate, cache)
        let failures = Lock(0)
        let finished = DispatchSemaphore(value: 0)
        for thread in 0..<8 {
            Thread {
                for round in 0..<20 {
                    do {
                        let path = try CertificateChain.verify(
                            leaf: leaf,
                            intermediates: [middle],
                            anchors: [root],
                            at: Moments.now,
                            revocationLists: lists
                        )
                        let again = try cache.verify(
                            leaf: certificates.certificate(der: leaf.der),
                            intermediates: [middle],
                            anchors: [root],
                            at: Moments.now + Int64(thread + round),
                            revocationLists: lists
                        )
                        _ = try (leaf.publicKey(.es256), leaf.keyIdentifier(), leaf.subjectPublicKeyInfo())
                        _ = try (leaf.subjectAltNames(), leaf.extendedKeyUsage, leaf.subject.text)
                        if path.certificates.count != 3 || path.revocation != .good || again.revocation != .good {
                            failures.withLock { $0 += 1 }
                        }
                    } catch {
                        failures.withLock { $0 += 1 }
                    }
                }
                finished.signal()
            }.start()
        }
        for _ in 0..<8 { finished.wait() }
        #expect(failures.withLock { $0 } == 0)
    }
}
