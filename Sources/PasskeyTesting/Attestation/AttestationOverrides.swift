import PasskeyCrypto
import PasskeyWire

/// What an authority writes in place of what follows from its name.
///
/// With it, statements that were published or captured are made again bit by bit, where their keys are known.
package struct AttestationOverrides: Hashable, Sendable, Codable {
    /// An attribute of a name.
    package struct Attribute: Hashable, Sendable, Codable {
        /// The attribute's object identifier.
        package var oid: String

        /// Its value: a PrintableString for a country, a UTF8String otherwise.
        package var text: String

        package init(_ oid: String, _ text: String) {
            self.oid = oid
            self.text = text
        }
    }

    /// The fields of a certificate.
    package struct Certificate: Hashable, Sendable, Codable {
        package var serialNumber: [UInt8]

        /// The subject, where the format does not leave it empty.
        package var subject: [Attribute]

        /// The first and the last moment of its validity, in milliseconds since 1970.
        package var notBefore: Int64
        package var notAfter: Int64

        /// Its extensions in their order, by object identifier.
        ///
        /// Those that the format has and that are not here are left out; Basic Constraints (of no authority), Key Usage
        /// (for signatures) and the key identifiers are made where the format has none.
        package var extensions: [String]

        package init(
            serialNumber: [UInt8],
            subject: [Attribute],
            notBefore: Int64,
            notAfter: Int64,
            extensions: [String]
        ) {
            self.serialNumber = serialNumber
            self.subject = subject
            self.notBefore = notBefore
            self.notAfter = notAfter
            self.extensions = extensions
        }
    }

    /// What a TPM says of itself.
    package struct TPM: Hashable, Sendable, Codable {
        /// TPMModel and TPMVersion in Subject Alternative Name.
        package var model = "Example TPM"
        package var version = "id:00020000"

        /// TPMA_OBJECT: fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, sign.
        package var objectAttributes: [UInt8] = [0x00, 0x04, 0x00, 0x72]

        /// The names of the signer and of the attested key in their hierarchies; `nil` for some of nameAlg's length.
        package var qualifiedSigner: [UInt8]?
        package var qualifiedName: [UInt8]?

        /// TPMS_CLOCK_INFO: clock, resetCount, restartCount, safe.
        package var clockInfo: [UInt8] = [0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        package var firmwareVersion: [UInt8] = [0, 7, 0, 2, 0, 0, 0, 0]

        package init() {}
    }

    /// What Android's keystore says of itself and of a key.
    package struct KeyDescription: Hashable, Sendable, Codable {
        package var keystoreVersion: Int
        package var securityLevel: Int

        /// The tags of the authorizations that are written, of those that the version has.
        package var tags: [UInt32]

        package init(keystoreVersion: Int, securityLevel: Int, tags: [UInt32]) {
            self.keystoreVersion = keystoreVersion
            self.securityLevel = securityLevel
            self.tags = tags
        }
    }

    /// Keys by their labels, `root` and `attestation`: a PKCS #8 PrivateKeyInfo for each.
    package var keys: [String: [UInt8]] = [:]

    /// The root.
    package var root: Certificate?

    /// The certificate that attests, or that is of the credential's own key.
    package var leaf: Certificate?

    /// What a TPM says of itself.
    package var tpm: TPM?

    /// What Android's keystore says.
    package var keyDescription: KeyDescription?

    package init() {}
}

extension CertificateDraft {
    /// Takes what is to be written in place of what is here.
    ///
    /// - Parameters:
    ///   - fields: What to write; `nil` for no change.
    ///   - issuerKey: The public half of the key that will sign.
    /// - Throws: `CryptoError` if the library fails.
    mutating func apply(_ fields: AttestationOverrides.Certificate?, issuerKey: COSEKey) throws(CryptoError) {
        guard let fields else { return }
        serialNumber = fields.serialNumber
        notBefore = fields.notBefore
        notAfter = fields.notAfter
        if !subject.attributes.isEmpty { subject = DraftName(given: fields.subject) }
        let own = extensions
        extensions = []
        for oid in fields.extensions {
            if let written = own.first(where: { $0.oid == oid }) {
                extensions.append(written)
                continue
            }
            switch oid {
            case "2.5.29.19": addBasicConstraints(isCA: false)
            case "2.5.29.15": addKeyUsage(0x80, unused: 7)
            case "2.5.29.14": add(oid, DER.octetString(try Self.keyIdentifier(key)))
            case "2.5.29.35":
                let identifier = try Self.keyIdentifier(issuerKey)
                add(oid, DER.sequence([DER.element(.contextSpecific(0, constructed: false), identifier)]))
            default: break
            }
        }
    }

    /// SHA-1 of the bits of a public key, as RFC 5280 §4.2.1.2 suggests.
    private static func keyIdentifier(_ key: COSEKey) throws(CryptoError) -> [UInt8] {
        let information = try PublicKey(key, allowingSHA1: true).subjectPublicKeyInfo()
        var outer = DERReader(information)
        guard let content = try? outer.read(.sequence).content else { throw CryptoError(.malformedKey, "no key") }
        var inner = DERReader(content)
        guard (try? inner.read(.sequence)) != nil, let bits = try? inner.read(.bitString).content else {
            throw CryptoError(.malformedKey, "no key")
        }
        // The first byte says how many bits of the last one do not count: none.
        return try HashFunction.sha1.digest(bits.dropFirst())
    }
}

extension DraftName {
    init(given attributes: [AttestationOverrides.Attribute]) {
        self.init(
            attributes.map { ($0.oid, $0.oid == "2.5.4.6" ? DER.printableString($0.text) : DER.utf8String($0.text)) }
        )
    }
}
