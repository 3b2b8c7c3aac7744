import CPasskeyOpenSSL

/// A list of revoked certificates (RFC 5280 §5); the owner of one `X509_CRL`.
@safe
package final class CertificateRevocationList: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// SHA-256 of the bytes.
    package let fingerprint: [UInt8]

    /// Parses a list.
    ///
    /// - Parameter der: DER, with nothing after it.
    /// - Throws: `CryptoError` with `malformedCertificate`.
    package init(der: [UInt8]) throws(CryptoError) {
        let fingerprint = try sha256(der)
        let parsed = unsafe try withCleanErrorQueue { () throws(CryptoError) in
            let list = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
                var cursor = buffer.baseAddress
                let list = unsafe d2i_X509_CRL(nil, &cursor, buffer.count)
                let end = unsafe buffer.baseAddress.map { unsafe $0 + buffer.count }
                if unsafe list != nil, unsafe cursor == end { return unsafe list }
                unsafe X509_CRL_free(list)
                return nil
            }
            guard let list = unsafe list else {
                throw .takingQueue(.malformedCertificate, "not a revocation list with nothing after it")
            }
            return unsafe list
        }
        unsafe pointer = parsed
        self.fingerprint = fingerprint
    }

    deinit { unsafe X509_CRL_free(pointer) }

    /// What the list says of a certificate.
    func status(of certificate: Certificate, by issuer: Certificate, _ seconds: Int64) -> passkey_revocation {
        defer { extendLifetime((self, certificate, issuer)) }
        return unsafe passkey_revocation_status(pointer, certificate.borrowedPointer, issuer.borrowedPointer, seconds)
    }
}
