import CPasskeyOpenSSL

/// Why there is no path from a certificate to a trust anchor.
package struct CertificateChainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a program branches on.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// A certificate's validity is over.
        case expired
        /// A certificate's validity has not begun.
        case notYetValid = "not-yet-valid"
        /// No certificate leads to an anchor.
        case noAnchor = "no-anchor"
        /// A certificate's signature is not its issuer's.
        case badSignature = "bad-signature"
        /// A revocation list names a certificate.
        case revoked
        /// A certificate issues others and may not.
        case notACertificationAuthority = "not-a-certification-authority"
        /// More certificates follow than an issuer allows.
        case pathLength = "path-length"
        /// A name is outside what an issuer may name.
        case nameConstraint = "name-constraint"
        /// A critical extension is not understood.
        case unknownCriticalExtension = "unknown-critical-extension"
        /// Another reason.
        case other
        /// The library failed; memory ran out, for example.
        case failed
    }

    package var code: Code

    /// What goes to the log.
    package var detail: String

    /// Which certificate of the path: 0 is the first.
    package var depth: Int

    package init(_ code: Code, _ detail: String, depth: Int = 0) {
        self.code = code
        self.detail = detail
        self.depth = depth
    }

    package var description: String { "\(code.rawValue) at certificate \(depth): \(detail)" }
}

/// Paths of certificates (RFC 5280 §6), built and verified by libcrypto.
package enum CertificateChain {
    /// What revocation lists say of a path.
    package enum Revocation: Hashable, Sendable {
        /// Of at least one certificate no list tells the status.
        case notGiven

        /// Lists say of each certificate below the anchor that it is not revoked.
        case good
    }

    /// A path from a certificate to a trust anchor.
    package struct Path: Sendable {
        /// The certificates, the anchor last; it may be the only one.
        package let certificates: [Certificate]

        package let revocation: Revocation

        /// The first moment at which all certificates are valid, in milliseconds since 1970.
        package var notBefore: Int64 { certificates.map(\.notBefore).max() ?? .max }

        /// The moment at which the first of them is no longer valid.
        package var notAfter: Int64 { certificates.map(\.notAfter).min() ?? .min }

        /// Whether all are valid at a moment; to libcrypto a certificate's last second is over when it begins.
        package func isValid(at milliseconds: Int64) -> Bool {
            notBefore <= milliseconds && milliseconds < notAfter
        }
    }

    /// The greatest number of certificates between leaf and anchor that are looked at.
    package static let greatestIntermediateCount = 16

    /// Builds a path and verifies it.
    ///
    /// The anchor may be any certificate of the path, the leaf included, and intermediates may come from the anchors.
    /// Validity, Basic Constraints, key usage and name constraints are as RFC 5280 says.
    ///
    /// - Parameters:
    ///   - leaf: Where the path begins.
    ///   - intermediates: Certificates that it may use, in any order.
    ///   - anchors: Where it may end.
    ///   - milliseconds: The moment to judge at, since 1970.
    ///   - lists: Revocation lists. One that names a certificate below the anchor refuses, even when it is out of date;
    ///     one that is out of date, or not its issuer's, says good of nothing.
    /// - Returns: The path.
    /// - Throws: `CertificateChainError`.
    package static func verify(
        leaf: Certificate,
        intermediates: [Certificate],
        anchors: [Certificate],
        at milliseconds: Int64,
        revocationLists lists: [CertificateRevocationList] = []
    ) throws(CertificateChainError) -> Path {
        guard intermediates.count <= greatestIntermediateCount else {
            throw CertificateChainError(.pathLength, "there are \(intermediates.count) intermediates")
        }
        let seconds = wholeSeconds(milliseconds)
        let certificates: [Certificate]
        if let itself = anchors.first(where: { $0.fingerprint == leaf.fingerprint }) {
            // libcrypto would go on to its issuers, and ask of them what nobody needs.
            certificates = try path(itself, [], [itself], seconds)
        } else {
            do throws(CertificateChainError) {
                certificates = try path(leaf, intermediates, anchors, seconds)
            } catch {
                guard error.code == .badSignature else { throw error }
                certificates = try pathToNamesake(leaf, intermediates, anchors, seconds, error)
            }
        }
        return try ask(lists, of: certificates, at: milliseconds)
    }

    /// The greatest number of anchors of one name that are tried one by one.
    private static let greatestNamesakeCount = 16

    /// Tries anchors that share their name with others, each alone.
    ///
    /// Vendors have roots with one name and several keys. Where no identifier of the key tells them apart, libcrypto
    /// takes the first, and gives up when the signature is another's.
    private static func pathToNamesake(
        _ leaf: Certificate,
        _ intermediates: [Certificate],
        _ anchors: [Certificate],
        _ seconds: Int64,
        _ error: CertificateChainError
    ) throws(CertificateChainError) -> [Certificate] {
        var byName: [DistinguishedName: [Certificate]] = [:]
        for anchor in anchors { byName[anchor.subject, default: []].append(anchor) }
        let issuers = Set(([leaf] + intermediates).map(\.issuer))
        let namesakes = byName.filter { $0.value.count > 1 && issuers.contains($0.key) }.values.joined()
        for anchor in namesakes.prefix(greatestNamesakeCount) {
            if let path = try? path(leaf, intermediates, [anchor], seconds) { return path }
        }
        throw error
    }

    /// Asks revocation lists for each certificate of a verified path but the anchor.
    static func ask(
        _ lists: [CertificateRevocationList],
        of certificates: [Certificate],
        at milliseconds: Int64
    ) throws(CertificateChainError) -> Path {
        let seconds = wholeSeconds(milliseconds)
        var revocation = Revocation.good
        for (depth, pair) in zip(certificates, certificates.dropFirst()).enumerated() {
            switch try status(of: pair.0, by: pair.1, lists, seconds) {
            case .revoked:
                throw CertificateChainError(.revoked, "a revocation list names the certificate", depth: depth)
            case .good: break
            case .unknown: revocation = .notGiven
            }
        }
        return Path(certificates: certificates, revocation: revocation)
    }

    /// Seconds, rounded down.
    private static func wholeSeconds(_ milliseconds: Int64) -> Int64 {
        milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    }

    private static func path(
        _ leaf: Certificate,
        _ intermediates: [Certificate],
        _ anchors: [Certificate],
        _ seconds: Int64
    ) throws(CertificateChainError) -> [Certificate] {
        let all = [leaf] + intermediates + anchors
        // The pointers below are borrowed from these.
        defer { extendLifetime(all) }
        ERR_clear_error()
        defer { ERR_clear_error() }
        let untrusted = unsafe intermediates.map { unsafe $0.borrowedPointer }
        let trusted = unsafe anchors.map { unsafe $0.borrowedPointer }
        var path = unsafe [OpaquePointer?](repeating: nil, count: all.count + 1)
        var count = 0
        var error: CInt = 0
        var depth: CInt = 0
        let result = unsafe passkey_path_verify(
            leaf.borrowedPointer,
            untrusted,
            untrusted.count,
            trusted,
            trusted.count,
            seconds,
            &path,
            path.count,
            &count,
            &error,
            &depth
        )
        guard result == 1 else {
            try throwIfOutOfMemory()
            guard result == 0 else { throw CertificateChainError(.failed, "X509_verify_cert failed") }
            let text = unsafe String(cString: X509_verify_cert_error_string(Int(error)))
            throw CertificateChainError(.init(verifyResult: error), text, depth: Int(depth))
        }
        let found = unsafe path.prefix(count).compactMap { pointer in
            all.first { unsafe $0.borrowedPointer == pointer }
        }
        guard found.count == count, count > 0 else {
            throw CertificateChainError(.failed, "the path is not of the certificates given")
        }
        // libcrypto goes on above an anchor that is no root, as far as it finds issuers.
        let end = found.firstIndex { certificate in
            anchors.contains { $0.fingerprint == certificate.fingerprint }
        }
        return Array(found.prefix(through: end ?? found.count - 1))
    }

    private static func status(
        of certificate: Certificate,
        by issuer: Certificate,
        _ lists: [CertificateRevocationList],
        _ seconds: Int64
    ) throws(CertificateChainError) -> passkey_revocation {
        ERR_clear_error()
        defer { ERR_clear_error() }
        var best = passkey_revocation.unknown
        for list in lists {
            switch list.status(of: certificate, by: issuer, seconds) {
            case .revoked: return .revoked
            case .good: best = .good
            case .unknown: try throwIfOutOfMemory()
            }
        }
        return best
    }

    /// Tells what there was no memory for from what is not so.
    private static func throwIfOutOfMemory() throws(CertificateChainError) {
        do throws(CryptoError) {
            try CryptoError.throwIfOutOfMemory("a chain of certificates")
        } catch {
            throw CertificateChainError(.failed, error.detail)
        }
    }
}

extension CertificateChainError.Code {
    /// The code for what `X509_verify_cert` answers.
    fileprivate init(verifyResult: CInt) {
        self =
            switch verifyResult {
            case X509_V_ERR_CERT_HAS_EXPIRED: .expired
            case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
            case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
                X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED:
                .noAnchor
            case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE: .badSignature
            case X509_V_ERR_CERT_REVOKED: .revoked
            case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN, X509_V_ERR_INVALID_NON_CA:
                .notACertificationAuthority
            case X509_V_ERR_PATH_LENGTH_EXCEEDED, X509_V_ERR_CERT_CHAIN_TOO_LONG: .pathLength
            case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, X509_V_ERR_SUBTREE_MINMAX,
                X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE, X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX,
                X509_V_ERR_UNSUPPORTED_NAME_SYNTAX:
                .nameConstraint
            case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: .unknownCriticalExtension
            case X509_V_ERR_OUT_OF_MEM: .failed
            default: .other
            }
    }
}
