import PasskeyCrypto
public import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// `#sctn-fido-u2f-attestation`: authenticators of the time before CTAP2, and CTAP2's own for their sake.
///
/// The format has no `alg`, and the section does not look at the AAGUID: CTAP2 writes zeros, and others are accepted.
public enum FIDOU2FAttestation {
    /// What the procedure asks for, in the order in which it is looked at.
    @nonexhaustive
    public enum Rule: String, AttestationRule {
        /// "Verify that attStmt is valid CBOR conforming to the syntax defined above."
        case syntax

        /// "Check that x5c has exactly one element and let attCert be that element."
        case certificateCount

        /// attCert is in X.509.
        case certificate

        /// "If certificate public key is not an Elliptic Curve (EC) public key over the P-256 curve, terminate this
        /// algorithm and return an appropriate error."
        case certificateKey

        /// "If size differs [from 32 bytes] or \"-2\" key is not found": the credential is a P-256 key.
        case credentialKey

        /// "Verify the sig using verificationData and the certificate public key per section 4.1.4 of SEC1 with SHA-256
        /// as the hash function used in step two."
        case signature

        /// The format that the rules are of.
        public static let format = AttestationStatementFormat.fidoU2F
    }

    static func verify(_ context: FormatContext) throws(AttestationVerifier.Refusal) -> FormatFinding {
        let statement = context.statement
        var rules = RuleCheck<Rule>()
        // 1.
        let (signature, x5c) = try rules.run(.syntax) { () throws(RuleFault) in
            try StatementParts.map(statement)
            return (try StatementParts.signature(statement), try StatementParts.x5c(statement))
        }
        // 2.
        try rules.require(.certificateCount, x5c.count == 1, "x5c has \(x5c.count) elements")
        let certificates = try rules.run(.certificate) { () throws(RuleFault) in try context.certificates(x5c) }
        let key = try rules.run(.certificateKey) { () throws(RuleFault) in
            guard certificates[0].publicKeyKind == .p256 else {
                throw RuleFault("the certificate's key is not on P-256")
            }
            return try context.attestationKey(certificates[0], .es256)
        }
        // 3: rpIdHash, credentialId and credentialPublicKey. 4: "Convert the COSE_KEY formatted credentialPublicKey to
        // Raw ANSI X9.62 public key format": publicKeyU2F is 0x04 || x || y.
        let point = try rules.run(.credentialKey) { () throws(RuleFault) in
            guard case .ec2(.p256, let x, let y) = context.credentialKey.coseKey.parameters else {
                throw RuleFault("the credential public key is not on P-256")
            }
            return [4] + x + y
        }
        // 5: "Let verificationData be the concatenation of (0x00 || rpIdHash || clientDataHash || credentialId ||
        // publicKeyU2F)." 6: the signature.
        let data = context.evidence.authenticatorData
        let identifier = data.attestedCredentialData?.credentialID ?? []
        let message = [0] + data.rpIDHash + context.evidence.clientDataHash + identifier + point
        try rules.run(.signature) { () throws(RuleFault) in try context.verify(signature, of: message, with: key) }
        // 7: "Optionally, inspect x5c and consult externally provided knowledge": Basic or AttCA.
        return FormatFinding(type: .basic, isTypeCertain: false, certificates: certificates, checks: rules.checks)
    }
}
