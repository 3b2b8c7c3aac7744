public import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// `#sctn-compound-attestation`: several statements about one credential.
public enum CompoundAttestation {
    /// What the syntax and the procedure ask for, in the order in which it is looked at.
    @nonexhaustive
    public enum Rule: String, AttestationRule {
        /// "attStmt" is an array of maps with "fmt" and "attStmt".
        case syntax

        /// "[2* nonCompoundAttStmt]": there are at least two statements.
        case count

        /// "fmt: text .ne \"compound\"": none is compound itself.
        case nested

        /// "Verify all (or a subset, according to Relying Party policy) of the attestation statements."
        case substatement

        /// The format that the rules are of.
        public static let format = AttestationStatementFormat.compound
    }

    /// The greatest number of statements that are looked at.
    static let greatestCount = 16

    static func verify(_ context: FormatContext) throws(AttestationVerifier.Refusal) -> FormatFinding {
        var rules = RuleCheck<Rule>()
        let statements = try rules.run(.syntax) { () throws(RuleFault) in
            try Self.statements(of: context.statement)
        }
        try rules.require(
            .count,
            (2...greatestCount).contains(statements.count),
            "there are \(statements.count) statements, and not 2 to \(greatestCount)"
        )
        try rules.require(.nested, !statements.contains { $0.format == .compound }, "a statement is compound itself")
        var parts: [FormatFinding.Part] = []
        var checks: [String] = []
        var refusal: AttestationVerifier.Refusal?
        for (index, statement) in statements.enumerated() {
            let evidence = context.evidence.within(format: statement.format, statement: statement.item)
            let inner = FormatContext(evidence: evidence, options: context.options, certificates: context.certificates)
            do throws(AttestationVerifier.Refusal) {
                let finding = try AttestationFormats.verify(inner)
                checks += finding.checks.map { "compound[\(index)].\($0)" }
                parts.append(FormatFinding.Part(format: statement.format, finding: finding))
            } catch {
                checks += error.checks.map { "compound[\(index)].\($0)" }
                let fault = RuleFault(
                    "statement \(index) (\(excerpt(statement.format.rawValue))): "
                        + (error.rule.map { "\($0): " } ?? "") + error.detail,
                    offset: error.offset
                )
                if refusal == nil {
                    refusal = rules.refusal(.substatement, fault)
                    // A format that nobody knows is refused, or let be, as it is outside.
                    refusal?.step = error.step
                }
            }
            if refusal != nil, context.options.compound == .all { break }
        }
        if var refusal, context.options.compound == .all || parts.isEmpty {
            refusal.checks += checks
            throw refusal
        }
        try rules.require(.substatement, true, "")
        // "implementation-specific values representing any combination of outputs from successful verification
        // procedures": the certificates and the type are those of the strongest statement.
        let strongest = parts.map(\.finding).max { $0.type.strength < $1.type.strength }
        return FormatFinding(
            type: strongest?.type ?? .none,
            isTypeCertain: strongest?.isTypeCertain ?? true,
            certificates: strongest?.certificates ?? [],
            checks: rules.checks + checks,
            parts: parts
        )
    }

    private static func statements(
        of statement: CBORDocument.Item
    ) throws(RuleFault) -> [(format: AttestationStatementFormat, item: CBORDocument.Item)] {
        guard let elements = statement.elements else { throw RuleFault("the statement is no array", offset: 0) }
        var statements: [(format: AttestationStatementFormat, item: CBORDocument.Item)] = []
        for element in elements {
            let offset = element.range.lowerBound
            guard element.kind == .map else { throw RuleFault("a statement is no map", offset: offset) }
            guard let format = element["fmt"]?.string else {
                throw RuleFault("fmt is missing or no text", offset: offset)
            }
            guard let item = element["attStmt"] else { throw RuleFault("attStmt is missing", offset: offset) }
            statements.append((AttestationStatementFormat(rawValue: format), item))
        }
        return statements
    }
}

extension AttestationType {
    /// How much a type tells of the authenticator.
    fileprivate var strength: Int {
        switch self {
        case .none, .unverified: 0
        case .`self`: 1
        case .anonymizationCA: 2
        case .basic: 3
        case .attestationCA: 4
        @unknown default: 0
        }
    }
}
