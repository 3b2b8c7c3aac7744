import PasskeyCrypto
public import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// A sentence of a format's verification procedure, or of its certificate requirements, that a statement must meet.
///
/// Its ``identifier`` stands in ``RegistrationError/rule`` and in the report of a verification.
public protocol AttestationRule: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The format that it belongs to.
    static var format: AttestationStatementFormat { get }
}

extension AttestationRule {
    /// The format and the rule, such as `tpm.magic`.
    public var identifier: String { "\(Self.format.rawValue).\(rawValue)" }
}

/// Why a rule is not met.
struct RuleFault: Error {
    var detail: String
    var offset: Int?

    init(_ detail: String, offset: Int? = nil) {
        self.detail = detail
        self.offset = offset
    }

    init(_ error: WireError) {
        self.init(error.reason, offset: error.offset)
    }

    init(_ error: CryptoError) {
        self.init(error.detail)
    }
}

/// Runs the rules of a format and remembers which were met, up to the first that is not.
struct RuleCheck<Rule: AttestationRule> {
    /// The rules that were met, in the order in which they were looked at.
    private(set) var checks: [String] = []

    /// Asks whether a rule is met.
    mutating func require(
        _ rule: Rule,
        _ isMet: Bool,
        _ detail: @autoclosure () -> String
    ) throws(AttestationVerifier.Refusal) {
        guard isMet else { throw refusal(rule, RuleFault(detail())) }
        note(rule)
    }

    /// Runs what a rule asks for, and gives what it found.
    mutating func run<Value>(
        _ rule: Rule,
        _ body: () throws(RuleFault) -> Value
    ) throws(AttestationVerifier.Refusal) -> Value {
        do throws(RuleFault) {
            let value = try body()
            note(rule)
            return value
        } catch {
            throw refusal(rule, error)
        }
    }

    /// The refusal for a rule that is not met.
    func refusal(_ rule: Rule, _ fault: RuleFault) -> AttestationVerifier.Refusal {
        AttestationVerifier.Refusal(
            .statement,
            fault.detail,
            offset: fault.offset,
            rule: rule.identifier,
            checks: checks
        )
    }

    /// A rule of several sentences is noted once.
    private mutating func note(_ rule: Rule) {
        if checks.last != rule.identifier { checks.append(rule.identifier) }
    }
}
