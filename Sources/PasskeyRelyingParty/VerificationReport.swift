public import PasskeyModel

/// Every step of a verification and what came of it: for debugging, and to see more than the first fault.
public struct VerificationReport: Hashable, Sendable, CustomStringConvertible {
    /// What came of a check.
    public enum Verdict: Hashable, Sendable {
        /// It passed.
        case passed

        /// It refused, and would have ended the ceremony.
        case failed(String)

        /// It did not run, and why.
        case skipped(String)
    }

    /// A check of a step; a step may have several.
    public struct Check: Hashable, Sendable {
        /// The step's number in the specification.
        public let step: Int

        /// The step's name, or the name of a check beside it.
        public let name: String

        /// What came of it.
        public let verdict: Verdict
    }

    /// The checks, in the specification's order.
    public let checks: [Check]

    /// Whether nothing failed.
    public var isVerified: Bool {
        !checks.contains { if case .failed = $0.verdict { true } else { false } }
    }

    /// A line for each check.
    public var description: String {
        checks.map { check in
            let step = String(repeating: " ", count: check.step < 10 ? 1 : 0) + String(check.step)
            return switch check.verdict {
            case .passed: "pass \(step) \(check.name)"
            case .failed(let detail): "FAIL \(step) \(check.name): \(detail)"
            case .skipped(let reason): "skip \(step) \(check.name): \(reason)"
            }
        }.joined(separator: "\n")
    }
}

/// Why a check refuses.
package struct Fault: Error {
    var detail: String
    var offset: Int?
    var isUnknownCredential = false
    var rule: String?

    package init(_ detail: String, offset: Int? = nil, _ rule: String? = nil) {
        self.detail = detail
        self.offset = offset
        self.rule = rule
    }

    package init(_ error: WireError) {
        self.init(error.reason, offset: error.offset)
    }

    init(_ refusal: AttestationVerifier.Refusal) {
        let detail = refusal.rule.map { "\($0): \(refusal.detail)" } ?? refusal.detail
        self.init(detail, offset: refusal.offset, refusal.rule)
    }
}

/// An error of one of the two ceremonies, made at the step that refuses.
protocol CeremonyError: Error {
    associatedtype Step: RawRepresentable<Int> & Sendable
    static var silentSteps: [Int: String] { get }
    static func refusal(at step: Step, _ fault: Fault) -> Self
}

extension RegistrationError: CeremonyError {
    static func refusal(at step: Step, _ fault: Fault) -> RegistrationError {
        RegistrationError(step, fault.detail, offset: fault.offset, rule: fault.rule)
    }
}

extension AuthenticationError: CeremonyError {
    static func refusal(at step: Step, _ fault: Fault) -> AuthenticationError {
        AuthenticationError(step, fault.detail, offset: fault.offset, isUnknownCredential: fault.isUnknownCredential)
    }
}

/// Runs the checks of a procedure: up to the first that refuses, or all of them for a report.
///
/// A value that a failed check could not give is `nil`, and the checks that need it are skipped; when the first refusal
/// ends the procedure, that never happens.
struct Procedure<Failure: CeremonyError> {
    private let reports: Bool
    private var checks: [VerificationReport.Check] = []

    init(reports: Bool) {
        self.reports = reports
    }

    /// Runs a check that gives a value.
    mutating func run<Value>(
        _ step: Failure.Step,
        _ name: String? = nil,
        _ body: () throws(Fault) -> Value
    ) throws(Failure) -> Value? {
        do throws(Fault) {
            let value = try body()
            if reports { add(step, name, .passed) }
            return value
        } catch {
            guard reports else { throw Failure.refusal(at: step, error) }
            add(step, name, .failed(error.detail))
            return nil
        }
    }

    /// Runs a check that needs a value and may give another.
    mutating func run<Need, Value>(
        _ step: Failure.Step,
        _ name: String? = nil,
        with need: Need?,
        _ body: (Need) throws(Fault) -> Value
    ) throws(Failure) -> Value? {
        guard let need else {
            skip(step, name, "an earlier check failed")
            return nil
        }
        return try run(step, name) { () throws(Fault) in try body(need) }
    }

    /// Runs a check that says its fault, or `nil` for none.
    mutating func check<Need>(
        _ step: Failure.Step,
        _ name: String? = nil,
        with need: Need?,
        _ fault: (Need) -> String?
    ) throws(Failure) {
        _ = try run(step, name, with: need) { (need) throws(Fault) in
            if let fault = fault(need) { throw Fault(fault) }
        }
    }

    mutating func skip(_ step: Failure.Step, _ name: String? = nil, _ reason: String) {
        if reports { add(step, name, .skipped(reason)) }
    }

    /// Notes a check that passed elsewhere.
    mutating func pass(_ step: Failure.Step, _ name: String) {
        if reports { add(step, name, .passed) }
    }

    var report: VerificationReport {
        let silent = Failure.silentSteps.map {
            VerificationReport.Check(step: $0.key, name: "nothing to verify", verdict: .skipped($0.value))
        }
        // Checks ran in the order of their steps; the sort is stable and puts the silent steps between them.
        return VerificationReport(checks: (checks + silent).sorted { $0.step < $1.step })
    }

    private mutating func add(_ step: Failure.Step, _ name: String?, _ verdict: VerificationReport.Verdict) {
        checks.append(.init(step: step.rawValue, name: name ?? "\(step)", verdict: verdict))
    }
}
