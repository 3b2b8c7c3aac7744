import PasskeyCases
import PasskeyWire

/// Runs cases through workers.
struct CheckRun {
    /// A case and how it ended.
    struct Result {
        var file: String
        var testCase: Case
        var verdict: CaseVerdict
        var cost: CaseCost?
    }

    struct Settings {
        /// The executable that is its own worker.
        var executable: String

        /// Skips are failures unless their reason has one of these; `nil` allows all.
        var allowedSkips: [String]?

        /// Whether a case's own limits are judged.
        var judgesLimits: Bool

        /// Seconds after which a worker is given up.
        var timeout: Double

        /// KiB after which a worker is given up, whatever the case allows: the machine has others to serve.
        var ceiling = 4 << 20

        /// For tests.
        var environment: [String: String] = [:]
    }

    let settings: Settings
    private var worker: WorkerProcess?

    init(_ settings: Settings) {
        self.settings = settings
    }

    /// Runs one case.
    mutating func run(_ testCase: Case, of file: String) throws(CommandError) -> Result {
        if worker == nil { worker = try start() }
        guard let worker else { throw .failure("passkey check: there is no worker") }
        let timeout = max(settings.timeout, (testCase.limits.maximumSeconds ?? 0) * 2)
        let reply = worker.ask(testCase.json.serialized(), timeout: timeout, ceiling: settings.ceiling)
        var result = Result(file: file, testCase: testCase, verdict: failure("crash", "no reply"))
        switch reply {
        case .line(let line):
            guard let reply = WorkerReply(line: line) else {
                result.verdict = failure("error", "the worker answered with something else")
                stop()
                break
            }
            result.cost = reply.cost
            result.verdict =
                settings.judgesLimits
                ? testCase.judge(reply.outcome, cost: reply.cost) : testCase.judge(reply.outcome)
        case .ended(let cause):
            result.verdict = failure("crash", cause)
            stop()
        case .timedOut:
            result.verdict = failure("time-out", "no reply after \(decimal(timeout, places: 0)) s")
            stop()
        case .tooLarge(let size):
            result.verdict = failure("memory", "the worker had grown to \(size >> 10) MiB")
            stop()
        }
        if result.verdict.status == .skipped, let allowed = settings.allowedSkips,
            !allowed.contains(where: { result.verdict.reason.contains($0) })
        {
            result.verdict.status = .failed
            result.verdict.reason = "skipped, which is not allowed: \(result.verdict.reason)"
        }
        return result
    }

    /// Ends the last worker.
    mutating func stop() {
        worker?.stop()
        worker = nil
    }

    private func start() throws(CommandError) -> WorkerProcess {
        try WorkerProcess(
            executable: settings.executable,
            arguments: ["check", "--worker"],
            environment: settings.environment
        )
    }

    private func failure(_ got: String, _ reason: String) -> CaseVerdict {
        CaseVerdict(.failed, got: got, reason: reason)
    }
}
