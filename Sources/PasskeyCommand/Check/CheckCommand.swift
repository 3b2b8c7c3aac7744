import Foundation
import PasskeyCases
import PasskeyWire

/// The command `passkey check`: runs case files.
enum CheckCommand: Command {
    static let syntax = CommandSyntax(
        name: "check",
        operands: "PATH…",
        operandCount: 0...Int.max,
        summary: "run case files against the library",
        discussion: """
            A PATH is a case file, or a folder: its *.json whose "format" is "passkey-cases/1", in sub-folders too.
            Each case runs in a child process that is started anew after a crash or a time-out. A case that cannot be
            run here is skipped with its reason, never passed. Limits are judged in release builds.

            The last line is 'N passed, N failed, N skipped'; the exit status is 0 only if none failed.
            """,
        options: [
            .init(
                name: "allow-skip",
                argument: .words("WORD…"),
                help: "a skip whose reason has none of the words is a failure; the words end at the\n"
                    + "next option or '--', and without any no skip is allowed"
            ),
            .init(name: "json", help: "print one JSON object: passed, failed, skipped, cases"),
            .init(name: "verbose", help: "name the skipped cases too"),
            .init(
                name: "timeout",
                argument: .one("SECONDS"),
                help: "give a worker up after so long, 60 if not said"
            ),
            .init(
                name: "limits",
                argument: .one("yes|no"),
                help: "judge the cases' own limits; yes in release builds if not said"
            ),
            .init(name: "worker", help: "be the child process: cases in, outcomes out", isInternal: true),
        ],
        examples: [
            "passkey check Vectors",
            "passkey check Vectors/cases/cbor-hostile.json --json",
            "passkey check Vectors/cases --allow-skip ml-dsa",
        ]
    )

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandError) -> Int32 {
        if arguments.has("worker") { return Worker.run() }
        guard !arguments.operands.isEmpty else {
            throw .usage("passkey check: expected PATH…; see 'passkey check --help'")
        }
        let settings = try settings(arguments)
        let collection = try CaseCollection(arguments.operands)
        let report = CheckReport(
            console: console,
            isJSON: arguments.has("json"),
            isVerbose: arguments.has("verbose"),
            judgesLimits: settings.judgesLimits
        )
        var run = CheckRun(settings)
        var results: [CheckRun.Result] = []
        for file in collection.files {
            let start = results.count
            for testCase in file.content.cases {
                let result = try run.run(testCase, of: file.path)
                report.tell(result)
                results.append(result)
            }
            report.tell(file.path, results[start...])
        }
        run.stop()
        report.conclude(results)
        return results.contains { $0.verdict.status == .failed } ? 1 : 0
    }

    private static func settings(_ arguments: ParsedArguments) throws(CommandError) -> CheckRun.Settings {
        guard let executable = Bundle.main.executablePath else {
            throw .failure("passkey check: the path of this executable is unknown")
        }
        var timeout = 60.0
        if let text = arguments.value("timeout") {
            guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
                throw .usage("passkey check: --timeout takes seconds, not \(visible(text))")
            }
            timeout = seconds
        }
        return CheckRun.Settings(
            executable: executable,
            allowedSkips: arguments.words(of: "allow-skip"),
            judgesLimits: try judgesLimits(arguments.value("limits")),
            timeout: timeout
        )
    }

    private static func judgesLimits(_ text: String?) throws(CommandError) -> Bool {
        switch text {
        case "yes": return true
        case "no": return false
        case nil:
            // Without optimisation an operation takes many times as long: its limits say nothing about it.
            #if DEBUG
            return false
            #else
            return true
            #endif
        case let text?: throw .usage("passkey check: --limits takes yes or no, not \(visible(text))")
        }
    }
}
