import PasskeySystem

/// Values by digest, the least recently used of which goes when there are too many.
struct DigestCache<Value: Sendable>: ~Copyable {
    private struct Entry {
        var value: Value
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [[UInt8]: Entry] = [:]
    private var clock: UInt64 = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    subscript(digest: [UInt8]) -> Value? {
        mutating get {
            clock += 1
            entries[digest]?.lastUse = clock
            return entries[digest]?.value
        }
    }

    mutating func insert(_ value: Value, _ digest: [UInt8]) {
        clock += 1
        if entries.count >= capacity, entries[digest] == nil,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            entries[oldest] = nil
        }
        entries[digest] = Entry(value: value, lastUse: clock)
    }
}

/// Certificates that were parsed, by the digest of their bytes: those of a batch come again and again.
package final class CertificateCache: Sendable {
    private let cache: Lock<DigestCache<Certificate>>

    /// The greatest length of a certificate that is remembered, so that the bound is one of memory, too.
    private static let greatestByteCount = 16_384

    package init(capacity: Int) {
        cache = Lock(DigestCache(capacity: capacity))
    }

    /// The certificate with these bytes.
    ///
    /// - Throws: `CryptoError` with `malformedCertificate`; failures are not remembered.
    package func certificate(der: [UInt8]) throws(CryptoError) -> Certificate {
        let digest = try sha256(der)
        if let known = cache.withLock({ $0[digest] }) { return known }
        // Not under the lock: two threads may parse the same one, and one of them wins.
        let certificate = try Certificate(der: der)
        if der.count <= Self.greatestByteCount { cache.withLock { $0.insert(certificate, digest) } }
        return certificate
    }
}

/// Paths that were verified, by the digest of everything that went into them.
///
/// Only successes are remembered, and each only for moments at which all of its certificates are valid.
package final class ChainCache: Sendable {
    private let cache: Lock<DigestCache<CertificateChain.Path>>

    package init(capacity: Int) {
        cache = Lock(DigestCache(capacity: capacity))
    }

    /// The same as ``CertificateChain/verify(leaf:intermediates:anchors:at:revocationLists:)``.
    ///
    /// Revocation lists are asked each time: what they say depends on the moment.
    package func verify(
        leaf: Certificate,
        intermediates: [Certificate],
        anchors: [Certificate],
        at milliseconds: Int64,
        revocationLists: [CertificateRevocationList] = []
    ) throws(CertificateChainError) -> CertificateChain.Path {
        let digest = try digest([leaf], intermediates, anchors)
        let known = cache.withLock { $0[digest] }
        if let known, known.isValid(at: milliseconds) {
            return try CertificateChain.ask(revocationLists, of: known.certificates, at: milliseconds)
        }
        let path = try CertificateChain.verify(
            leaf: leaf,
            intermediates: intermediates,
            anchors: anchors,
            at: milliseconds
        )
        cache.withLock { $0.insert(path, digest) }
        return try CertificateChain.ask(revocationLists, of: path.certificates, at: milliseconds)
    }

    /// The digest of lists of certificates, each with its length, so that no two share one.
    private func digest(_ lists: [Certificate]...) throws(CertificateChainError) -> [UInt8] {
        var bytes: [UInt8] = []
        for list in lists {
            bytes += littleEndian(list.count)
            for certificate in list { bytes += certificate.fingerprint }
        }
        do throws(CryptoError) {
            return try sha256(bytes)
        } catch {
            throw CertificateChainError(.failed, error.detail)
        }
    }

    private func littleEndian(_ count: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }
}
