import PasskeyCrypto
public import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// `#sctn-apple-anonymous-attestation`: Apple certifies each credential, and no certificate names a device.
///
/// There is no signature beside the certificate's own: whoever wants to be sure must ask for a trust anchor.
public enum AppleAttestation {
    /// What the procedure asks for, in the order in which it is looked at.
    @nonexhaustive
    public enum Rule: String, AttestationRule {
        /// "Verify that attStmt is valid CBOR conforming to the syntax defined above."
        case syntax

        /// credCert and its chain are in X.509.
        case certificate

        /// credCert has an extension 1.2.840.113635.100.8.2, SEQUENCE { [1] { OCTET STRING } }.
        case nonceExtension

        /// "Verify that nonce equals the value of the extension with OID 1.2.840.113635.100.8.2 in credCert."
        case nonce

        /// "Verify that the credential public key equals the Subject Public Key of credCert."
        case publicKey

        /// The format that the rules are of.
        public static let format = AttestationStatementFormat.apple
    }

    static func verify(_ context: FormatContext) throws(AttestationVerifier.Refusal) -> FormatFinding {
        let statement = context.statement
        var rules = RuleCheck<Rule>()
        // 1. `alg`, which early devices wrote, is ignored like every member that the syntax does not know.
        let x5c = try rules.run(.syntax) { () throws(RuleFault) in
            try StatementParts.map(statement)
            return try StatementParts.x5c(statement)
        }
        let certificates = try rules.run(.certificate) { () throws(RuleFault) in try context.certificates(x5c) }
        let found = try rules.run(.nonceExtension) { () throws(RuleFault) in try nonce(of: certificates[0]) }
        // 2: "Concatenate authenticatorData and clientDataHash to form nonceToHash." 3: "Perform SHA-256 hash of
        // nonceToHash to produce nonce." 4.
        try rules.run(.nonce) { () throws(RuleFault) in
            do throws(CryptoError) {
                guard try sha256(context.attestedBytes) == found else {
                    throw CryptoError(.notAuthentic, "the certificate was made for another registration")
                }
            } catch {
                throw RuleFault(error)
            }
        }
        // 5.
        try rules.run(.publicKey) { () throws(RuleFault) in try context.requireCredentialKey(of: certificates[0]) }
        // 6: "attestation type Anonymization CA and attestation trust path x5c".
        return FormatFinding(type: .anonymizationCA, certificates: certificates, checks: rules.checks)
    }

    private static func nonce(of certificate: Certificate) throws(RuleFault) -> [UInt8] {
        let found: CertificateExtension?
        do throws(CryptoError) {
            found = try certificate.extensionValue("1.2.840.113635.100.8.2")
        } catch {
            throw RuleFault(error)
        }
        guard let found else { throw RuleFault("the certificate has no extension 1.2.840.113635.100.8.2") }
        do throws(WireError) {
            var outer = DERReader(found.value)
            var sequence = try outer.read(.sequence).reader()
            var tagged = try sequence.read(.contextSpecific(1, constructed: true)).reader()
            let nonce = try tagged.read(.octetString).octets()
            try tagged.finish()
            try sequence.finish()
            try outer.finish()
            return nonce
        } catch {
            throw RuleFault("extension 1.2.840.113635.100.8.2: \(error.reason)", offset: error.offset)
        }
    }
}
