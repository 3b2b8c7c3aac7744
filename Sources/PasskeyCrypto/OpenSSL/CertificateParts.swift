import CPasskeyOpenSSL
import PasskeyWire

/// What is read of a certificate when it is parsed, so that it is not written to afterwards.
@safe
struct CertificateParts {
    let pointer: OpaquePointer
    let version: Int
    let serialNumber: [UInt8]
    let subject: DistinguishedName
    let issuer: DistinguishedName
    let notBefore: Int64
    let notAfter: Int64
    let extensions: [CertificateExtension]
    let basicConstraints: BasicConstraints?
    let key: KeyHandle?
    let kind: KeyKind?

    /// Parses a certificate; whoever takes the parts owns the pointer.
    static func parse(_ der: [UInt8]) throws(CryptoError) -> CertificateParts {
        try withCleanErrorQueue { () throws(CryptoError) in
            let parsed = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
                var cursor = buffer.baseAddress
                let certificate = unsafe d2i_X509(nil, &cursor, buffer.count)
                let end = unsafe buffer.baseAddress.map { unsafe $0 + buffer.count }
                if unsafe certificate != nil, unsafe cursor == end { return unsafe certificate }
                unsafe X509_free(certificate)
                return nil
            }
            guard let certificate = unsafe parsed else {
                throw .takingQueue(.malformedCertificate, "not a certificate with nothing after it")
            }
            do throws(CryptoError) {
                return unsafe try CertificateParts(certificate)
            } catch {
                unsafe X509_free(certificate)
                throw error
            }
        }
    }

    private init(_ certificate: OpaquePointer) throws(CryptoError) {
        unsafe pointer = certificate
        let version = unsafe X509_get_version(certificate)
        self.version = (0...2).contains(version) ? version + 1 : 0
        serialNumber = unsafe ASN1Octets.copy(X509_get0_serialNumber(certificate))
        subject = unsafe DistinguishedName(copying: X509_get_subject_name(certificate))
        issuer = unsafe DistinguishedName(copying: X509_get_issuer_name(certificate))
        notBefore = unsafe try Self.milliseconds(X509_get0_notBefore(certificate))
        notAfter = unsafe try Self.milliseconds(X509_get0_notAfter(certificate))
        extensions = unsafe Self.extensions(of: certificate)
        var isCA: CInt = 0
        var pathLength: Int64 = -1
        let isConstrained = unsafe passkey_certificate_basic_constraints(certificate, &isCA, &pathLength) == 1
        basicConstraints =
            isConstrained
            ? BasicConstraints(isCA: isCA == 1, pathLength: pathLength < 0 ? nil : Int(pathLength)) : nil
        // A key that cannot be read is no fault yet: most certificates of a chain are never asked for theirs.
        let handle = unsafe X509_get_pubkey(certificate).map { unsafe KeyHandle(adopting: $0) }
        // But neither a key nor an extension is missing because there was no memory for it.
        try CryptoError.throwIfOutOfMemory("a certificate")
        key = handle
        kind = try handle?.kind()
    }

    private static func milliseconds(_ time: UnsafePointer<ASN1_TIME>?) throws(CryptoError) -> Int64 {
        var seconds: Int64 = 0
        guard unsafe passkey_time_seconds(time, &seconds) == 1 else {
            throw .takingQueue(.malformedCertificate, "a moment of the certificate's validity")
        }
        return seconds * 1000
    }

    private static func extensions(of certificate: OpaquePointer) -> [CertificateExtension] {
        var extensions: [CertificateExtension] = []
        for index in 0..<max(unsafe X509_get_ext_count(certificate), 0) {
            guard let found = unsafe X509_get_ext(certificate, index) else { continue }
            extensions.append(
                CertificateExtension(
                    oid: unsafe ASN1Octets.objectIdentifier(X509_EXTENSION_get_object(found)),
                    isCritical: unsafe X509_EXTENSION_get_critical(found) == 1,
                    value: unsafe ASN1Octets.copy(X509_EXTENSION_get_data(found))
                )
            )
        }
        return extensions
    }
}

extension KeyHandle {
    /// The kind of the key; `nil` for one that no passkey has.
    func kind() throws(CryptoError) -> KeyKind? {
        try withKey { key throws(CryptoError) in
            let kind = KeyKind.allCases.first { unsafe passkey_key_is(key, $0.shim) == 1 }
            if kind == nil { try CryptoError.throwIfOutOfMemory("the kind of a key") }
            return kind
        }
    }
}
