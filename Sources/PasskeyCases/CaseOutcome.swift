package import PasskeyWire

/// What the library made of a case's input, before anybody asks whether that is right.
package enum CaseOutcome: Hashable, Sendable {
    /// The input is valid; `value` has what the case asks about, under the case's names.
    case accepted(value: JSONObject)

    /// The input was refused, by the named step where a ceremony was.
    case rejected(error: String, step: String?)

    /// The case cannot be run here.
    case skipped(reason: String)

    /// The library contradicts itself, which no expectation can make right.
    case broken(reason: String)
}

/// A case's outcome, judged.
package struct CaseVerdict: Hashable, Sendable {
    /// The three ends of a case.
    package enum Status: String, Hashable, Sendable, CaseIterable {
        /// The outcome is the right one.
        case passed

        /// The outcome is another, or a limit was exceeded.
        case failed

        /// The case was not run.
        case skipped
    }

    /// How the case ended.
    package var status: Status

    /// What came out: `accept`, `reject`, `skip`, `error`, `crash`, `time-out`.
    package var got: String

    /// The step that refused, in a ceremony.
    package var step: String?

    /// Why the verdict is what it is.
    package var reason: String

    package init(_ status: Status, got: String, step: String? = nil, reason: String) {
        self.status = status
        self.got = got
        self.step = step
        self.reason = reason
    }
}

/// What an operation cost.
package struct CaseCost: Hashable, Sendable {
    /// Seconds on a monotonic clock.
    package var seconds: Double

    /// MiB by which the peak of the process grew; `nil` where the system does not tell.
    package var memoryMiB: Double?

    package init(seconds: Double, memoryMiB: Double?) {
        self.seconds = seconds
        self.memoryMiB = memoryMiB
    }
}

extension Case {
    /// Judges an outcome.
    package func judge(_ outcome: CaseOutcome) -> CaseVerdict {
        switch outcome {
        case .skipped(let reason): return CaseVerdict(.skipped, got: "skip", reason: reason)
        case .broken(let reason): return CaseVerdict(.failed, got: "error", reason: reason)
        case .rejected(let error, let step):
            guard expectation == .reject else {
                return CaseVerdict(.failed, got: "reject", step: step, reason: because(error))
            }
            return CaseVerdict(.passed, got: "reject", step: step, reason: error)
        case .accepted(let value):
            guard expectation == .accept else {
                return CaseVerdict(.failed, got: "accept", reason: because("nothing was refused"))
            }
            if let difference = difference(from: value) {
                return CaseVerdict(.failed, got: "accept", reason: difference)
            }
            return CaseVerdict(.passed, got: "accept", reason: reason)
        }
    }

    /// Judges an outcome and what it cost.
    package func judge(_ outcome: CaseOutcome, cost: CaseCost) -> CaseVerdict {
        var verdict = judge(outcome)
        guard verdict.status == .passed else { return verdict }
        if let limit = limits.maximumSeconds, cost.seconds > limit {
            verdict.status = .failed
            verdict.reason = "took \(decimal(cost.seconds, places: 3)) s, limit \(decimal(limit, places: 3)) s"
        } else if let limit = limits.maximumMemoryMiB, let memory = cost.memoryMiB, memory > limit {
            verdict.status = .failed
            verdict.reason = "grew by \(decimal(memory, places: 1)) MiB, limit \(decimal(limit, places: 1)) MiB"
        }
        return verdict
    }

    /// The names of the values that the case asks about; `error` is a hint for people.
    package var wantedValues: [String] {
        value.members.map(\.name).filter { $0 != "error" }
    }

    private func difference(from actual: JSONObject) -> String? {
        for name in wantedValues {
            let expected = value[name] ?? .null
            guard let found = actual[name] else { return "no \(name) came out, expected \(expected)" }
            guard found == expected else { return "\(name) is \(found), expected \(expected)" }
        }
        return nil
    }

    private func because(_ text: String) -> String {
        reason.isEmpty ? text : "\(text) (the case: \(reason))"
    }
}

/// A number with a fixed count of decimal places, rounded.
package func decimal(_ number: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { power, _ in power * 10 }
    let scaled = (number.magnitude * scale).rounded()
    guard scaled < 9e15 else { return "\(number)" }
    let digits = String(Int64(scaled))
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = number < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else { return sign + padded }
    return sign + padded.dropLast(places) + "." + padded.suffix(places)
}

// MARK: Between processes

extension CaseOutcome {
    /// The outcome as one JSON object.
    package var json: JSONValue {
        switch self {
        case .accepted(let value): ["outcome": "accepted", "value": .object(value)]
        case .rejected(let error, nil): ["outcome": "rejected", "error": .string(error)]
        case .rejected(let error, let step?):
            ["outcome": "rejected", "error": .string(error), "step": .string(step)]
        case .skipped(let reason): ["outcome": "skipped", "reason": .string(reason)]
        case .broken(let reason): ["outcome": "broken", "reason": .string(reason)]
        }
    }

    /// Reads ``json`` back.
    package init?(_ json: JSONValue) {
        switch json["outcome"]?.string {
        case "accepted":
            guard let value = json["value"]?.object else { return nil }
            self = .accepted(value: value)
        case "rejected":
            guard let error = json["error"]?.string else { return nil }
            self = .rejected(error: error, step: json["step"]?.string)
        case "skipped":
            guard let reason = json["reason"]?.string else { return nil }
            self = .skipped(reason: reason)
        case "broken":
            guard let reason = json["reason"]?.string else { return nil }
            self = .broken(reason: reason)
        default: return nil
        }
    }
}
