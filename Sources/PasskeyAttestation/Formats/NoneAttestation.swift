public import PasskeyModel
import PasskeyRelyingParty

/// `#sctn-none-attestation`: there is no attestation.
public enum NoneAttestation {
    /// What the section asks for.
    @nonexhaustive
    public enum Rule: String, AttestationRule {
        /// "attStmt: emptyMap".
        case syntax

        /// The format that the rules are of.
        public static let format = AttestationStatementFormat.none
    }

    static func verify(_ context: FormatContext) throws(AttestationVerifier.Refusal) -> FormatFinding {
        let verdict = try AttestationVerifier.verifyNone(context.evidence)
        return FormatFinding(type: verdict.type, checks: verdict.checks)
    }
}
