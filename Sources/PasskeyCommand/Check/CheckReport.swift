import PasskeyCases
import PasskeyWire

/// Prints what became of the cases.
struct CheckReport {
    let console: Console
    let isJSON: Bool
    let isVerbose: Bool
    let judgesLimits: Bool

    /// Names a case that failed.
    func tell(_ result: CheckRun.Result) {
        guard !isJSON else { return }
        let verdict = result.verdict
        let name = "\(result.testCase.id) (\(result.testCase.operation))"
        switch verdict.status {
        case .passed: return
        case .skipped:
            guard isVerbose else { return }
            console.line(console.styled("skipped", .dim) + " " + visible("\(name): \(verdict.reason)"))
        case .failed:
            let expected = result.testCase.expectation.rawValue
            let step = verdict.step.map { " at step \($0)" } ?? ""
            let text = "\(name): expected \(expected), got \(verdict.got)\(step): \(verdict.reason)"
            console.line(console.styled("FAILED", .bad) + " " + visible(text))
        }
    }

    /// Sums a file up.
    func tell(_ file: String, _ results: ArraySlice<CheckRun.Result>) {
        guard !isJSON else { return }
        let seconds = results.reduce(0) { $0 + ($1.cost?.seconds ?? 0) }
        let memory = results.compactMap { $0.cost?.memoryMiB }.max()
        var text = "\(visible(file)): \(Tally(results).text), \(decimal(seconds, places: 2)) s"
        if let memory { text += ", grew by \(decimal(memory, places: 1)) MiB at most" }
        console.line(text)
    }

    /// Ends the report.
    func conclude(_ results: [CheckRun.Result]) {
        let tally = Tally(results[...])
        guard !isJSON else {
            console.line(String(decoding: json(results, tally).serialized(pretty: true), as: UTF8.self))
            return
        }
        for (reason, count) in skips(results) {
            console.line(console.styled("\(count) skipped: \(visible(reason))", .dim))
        }
        if !judgesLimits, results.contains(where: { $0.testCase.limits != Case.Limits.none }) {
            console.line(console.styled("limits of time and memory were not judged", .dim))
        }
        console.line(console.styled(tally.text, tally.failed == 0 ? .good : .bad))
    }

    /// The reasons for skips, the commonest first.
    private func skips(_ results: [CheckRun.Result]) -> [(String, Int)] {
        let reasons = results.filter { $0.verdict.status == .skipped }.map(\.verdict.reason)
        let counts = Dictionary(reasons.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    private func json(_ results: [CheckRun.Result], _ tally: Tally) -> JSONValue {
        let cases = results.map { result in
            var object: JSONObject = [
                "file": .string(result.file),
                "id": .string(result.testCase.id),
                "operation": .string(result.testCase.operation),
                "expect": .string(result.testCase.expectation.rawValue),
                "got": .string(result.verdict.got),
                "status": .string(result.verdict.status.rawValue),
            ]
            if let step = result.verdict.step { object["step"] = .string(step) }
            object["reason"] = .string(result.verdict.reason)
            return JSONValue.object(object)
        }
        return .object([
            "passed": .number(JSONNumber(tally.passed)),
            "failed": .number(JSONNumber(tally.failed)),
            "skipped": .number(JSONNumber(tally.skipped)),
            "cases": .array(cases),
        ])
    }
}

/// How many cases ended how.
struct Tally {
    var passed = 0
    var failed = 0
    var skipped = 0

    init(_ results: ArraySlice<CheckRun.Result>) {
        for result in results {
            switch result.verdict.status {
            case .passed: passed += 1
            case .failed: failed += 1
            case .skipped: skipped += 1
            }
        }
    }

    var text: String { "\(passed) passed, \(failed) failed, \(skipped) skipped" }
}
