import PasskeyCrypto
import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// The members that several formats have.
enum StatementParts {
    /// The greatest number of certificates in `x5c`.
    ///
    /// Real chains have five.
    static let greatestCertificateCount = 16

    /// The statement is a map: all formats but `compound`.
    static func map(_ statement: CBORDocument.Item) throws(RuleFault) {
        guard statement.kind == .map else { throw RuleFault("the statement is not a map", offset: 0) }
    }

    /// `alg`: a COSE algorithm.
    static func algorithm(_ statement: CBORDocument.Item) throws(RuleFault) -> COSEAlgorithmIdentifier {
        guard let item = statement["alg"] else { throw RuleFault("alg is missing") }
        guard let value = item.int else { throw RuleFault("alg is no integer", offset: item.range.lowerBound) }
        return COSEAlgorithmIdentifier(rawValue: value)
    }

    /// `sig`: bytes.
    static func signature(_ statement: CBORDocument.Item) throws(RuleFault) -> [UInt8] {
        try bytes("sig", of: statement)
    }

    /// A member that is a byte string.
    static func bytes(_ name: String, of statement: CBORDocument.Item) throws(RuleFault) -> [UInt8] {
        guard let item = statement[name] else { throw RuleFault("\(name) is missing") }
        guard let value = item.byteArray else {
            throw RuleFault("\(name) is no byte string", offset: item.range.lowerBound)
        }
        return value
    }

    /// `x5c`: certificates in DER, the attestation certificate first; at least one.
    static func x5c(_ statement: CBORDocument.Item) throws(RuleFault) -> [[UInt8]] {
        guard let item = statement["x5c"] else { throw RuleFault("x5c is missing") }
        let offset = item.range.lowerBound
        guard let elements = item.elements else { throw RuleFault("x5c is no array", offset: offset) }
        guard let count = item.count, count > 0 else { throw RuleFault("x5c is empty", offset: offset) }
        guard count <= greatestCertificateCount else {
            throw RuleFault("x5c has \(count) certificates", offset: offset)
        }
        var certificates: [[UInt8]] = []
        for element in elements {
            guard let certificate = element.byteArray else {
                throw RuleFault("an element of x5c is no byte string", offset: element.range.lowerBound)
            }
            certificates.append(certificate)
        }
        return certificates
    }
}

extension FormatContext {
    /// Parses the certificates of `x5c`.
    func certificates(_ x5c: [[UInt8]]) throws(RuleFault) -> [Certificate] {
        var certificates: [Certificate] = []
        for (index, der) in x5c.enumerated() {
            do throws(CryptoError) {
                certificates.append(try self.certificates.certificate(der: der))
            } catch {
                throw RuleFault("certificate \(index) of x5c: \(error.detail)")
            }
        }
        return certificates
    }

    /// The attestation public key of a certificate, to verify with `algorithm`.
    func attestationKey(
        _ certificate: Certificate,
        _ algorithm: COSEAlgorithmIdentifier
    ) throws(RuleFault) -> PublicKey {
        do throws(CryptoError) {
            return try certificate.publicKey(algorithm, allowingSHA1: options.allowsSHA1)
        } catch {
            throw RuleFault("the attestation certificate's key and alg \(algorithm): \(error.detail)")
        }
    }

    /// Verifies a signature.
    func verify(_ signature: [UInt8], of message: [UInt8], with key: PublicKey) throws(RuleFault) {
        let isAuthentic: Bool
        do throws(CryptoError) {
            isAuthentic = try key.verify(signature, of: message)
        } catch {
            throw RuleFault(error)
        }
        guard isAuthentic else { throw RuleFault("sig is not the signature of the attestation key") }
    }

    /// If a certificate has id-fido-gen-ce-aaguid, it is not critical and its value is the authenticator data's AAGUID.
    func requireAAGUID<Rule>(
        of certificate: Certificate,
        _ rules: inout RuleCheck<Rule>,
        encoding: Rule,
        criticality: Rule,
        value: Rule
    ) throws(AttestationVerifier.Refusal) {
        let found = try rules.run(encoding) { () throws(RuleFault) in try certificate.aaguidExtension() }
        guard let found else { return }
        try rules.require(criticality, !found.isCritical, "id-fido-gen-ce-aaguid is critical")
        try rules.require(
            value,
            found.aaguid == aaguid,
            "the certificate is of \(found.aaguid), the authenticator data of \(aaguid ?? .zero)"
        )
    }

    /// "The Basic Constraints extension MUST have the CA component set to false"; so there must be one.
    func requireNoAuthority<Rule>(
        _ certificate: Certificate,
        _ rules: inout RuleCheck<Rule>,
        _ rule: Rule
    ) throws(AttestationVerifier.Refusal) {
        try rules.require(
            rule,
            certificate.basicConstraints?.isCA == false,
            "Basic Constraints are \(certificate.basicConstraints == nil ? "absent" : "those of an authority")"
        )
    }

    /// Whether a certificate's subject public key is the credential public key.
    func requireCredentialKey(of certificate: Certificate) throws(RuleFault) {
        let parameters: COSEKey.Parameters
        do throws(CryptoError) {
            parameters = try certificate.coseKeyParameters()
        } catch {
            throw RuleFault(error)
        }
        guard parameters == credentialKey.coseKey.parameters else {
            throw RuleFault("the certificate's key is not the credential public key")
        }
    }
}

extension Certificate {
    /// The value of an extension whose octets are one OCTET STRING, as FIDO's own are.
    ///
    /// `nil` if there is none.
    func octetStringExtension(_ oid: String) throws(RuleFault) -> (octets: [UInt8], isCritical: Bool)? {
        let found: CertificateExtension?
        do throws(CryptoError) {
            found = try extensionValue(oid)
        } catch {
            throw RuleFault(error)
        }
        guard let found else { return nil }
        do throws(WireError) {
            var reader = DERReader(found.value)
            let octets = try reader.read(.octetString).octets()
            try reader.finish()
            return (octets, found.isCritical)
        } catch {
            throw RuleFault("extension \(oid): \(error.reason)", offset: error.offset)
        }
    }

    /// id-fido-gen-ce-aaguid (`#sctn-packed-attestation-cert-requirements`): 16 bytes.
    func aaguidExtension() throws(RuleFault) -> (aaguid: AAGUID, isCritical: Bool)? {
        guard let found = try octetStringExtension("1.3.6.1.4.1.45724.1.1.4") else { return nil }
        do throws(ModelError) {
            return (try AAGUID(bytes: found.octets), found.isCritical)
        } catch {
            throw RuleFault("id-fido-gen-ce-aaguid has \(found.octets.count) bytes")
        }
    }
}
