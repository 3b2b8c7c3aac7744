import CPasskeyOpenSSL

/// An extension of a certificate.
package struct CertificateExtension: Hashable, Sendable {
    /// The object identifier in dotted form.
    package let oid: String
    package let isCritical: Bool

    /// What stands in the extension's OCTET STRING.
    package let value: [UInt8]
}

/// RFC 5280 §4.2.1.9.
package struct BasicConstraints: Hashable, Sendable {
    package let isCA: Bool
    package let pathLength: Int?
}

/// A name of Subject Alternative Name (RFC 5280 §4.2.1.6).
package enum GeneralName: Hashable, Sendable {
    case directoryName(DistinguishedName)
    case dns(String)

    /// One that nobody here asks for, with its tag.
    case other(UInt32)
}

/// Values of extensions that libcrypto knows, read as leniently as it reads them: in BER, and whatever follows.
enum ExtensionValue {
    /// The purposes of Extended Key Usage.
    static func purposes(_ value: [UInt8]) throws(CryptoError) -> [String] {
        try withCleanErrorQueue { () throws(CryptoError) in
            let parsed = unsafe value.withUnsafeBufferPointer { buffer in
                var cursor = buffer.baseAddress
                return unsafe d2i_EXTENDED_KEY_USAGE(nil, &cursor, buffer.count)
            }
            guard let purposes = unsafe parsed else {
                throw .takingQueue(.malformedCertificate, "Extended Key Usage")
            }
            defer { unsafe EXTENDED_KEY_USAGE_free(purposes) }
            return (0..<max(unsafe passkey_purposes_count(purposes), 0)).map { index in
                unsafe ASN1Octets.objectIdentifier(passkey_purposes_at(purposes, index))
            }
        }
    }

    /// The names of Subject Alternative Name.
    static func names(_ value: [UInt8]) throws(CryptoError) -> [GeneralName] {
        try withCleanErrorQueue { () throws(CryptoError) in
            let parsed = unsafe value.withUnsafeBufferPointer { buffer in
                var cursor = buffer.baseAddress
                return unsafe d2i_GENERAL_NAMES(nil, &cursor, buffer.count)
            }
            guard let names = unsafe parsed else {
                throw .takingQueue(.malformedCertificate, "Subject Alternative Name")
            }
            defer { unsafe GENERAL_NAMES_free(names) }
            return (0..<max(unsafe passkey_names_count(names), 0)).compactMap { index in
                unsafe passkey_names_at(names, index).map { unsafe GeneralName($0) }
            }
        }
    }
}

extension GeneralName {
    fileprivate init(_ name: UnsafePointer<GENERAL_NAME>) {
        switch unsafe name.pointee.type {
        case GEN_DNS:
            self = .dns(String(decoding: unsafe ASN1Octets.copy(name.pointee.d.dNSName), as: UTF8.self))
        case GEN_DIRNAME:
            self = .directoryName(unsafe DistinguishedName(copying: name.pointee.d.directoryName))
        case let type:
            self = .other(UInt32(truncatingIfNeeded: type))
        }
    }
}
