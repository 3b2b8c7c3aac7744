/// One of the commands.
protocol Command {
    /// How it is called; parser and help text are made of it.
    static var syntax: CommandSyntax { get }

    /// Runs it.
    ///
    /// - Returns: The exit status.
    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandError) -> Int32
}

/// Why a command could not do its work.
struct CommandError: Error, Hashable {
    /// One line for standard error.
    var message: String

    /// 2 for wrong usage, 1 otherwise.
    var status: Int32

    static func usage(_ message: String) -> CommandError { CommandError(message: message, status: 2) }
    static func failure(_ message: String) -> CommandError { CommandError(message: message, status: 1) }
}

/// How a command is called.
struct CommandSyntax: Sendable {
    /// An option of a command.
    struct Option: Sendable {
        /// What follows an option on the command line.
        enum Argument: Sendable {
            case none
            case one(String)

            /// Any number of words, up to the next option or `--`.
            case words(String)
        }

        var name: String
        var argument: Argument = .none
        var help: String

        /// Whether the help text keeps it to itself.
        var isInternal = false
    }

    var name: String

    /// What follows the name in the usage line, such as `PATH…`.
    var operands: String

    /// How many operands there may be.
    var operandCount: ClosedRange<Int>

    /// One line.
    var summary: String

    /// Paragraphs below the usage line.
    var discussion: String

    var options: [Option]
    var examples: [String]

    /// The options, with those that every command has.
    var allOptions: [Option] {
        options + [
            Option(name: "help", help: "print this text (also -h)"),
            Option(name: "version", help: "print the version"),
        ]
    }
}

/// A command line, taken apart by the syntax of its command.
struct ParsedArguments: Sendable {
    let operands: [String]
    private let words: [String: [String]]

    /// Takes arguments apart.
    ///
    /// `--name value` and `--name=value` are the same; `--` ends the options and an option's words; a lone `-` is an
    /// operand.
    init(_ arguments: ArraySlice<String>, _ syntax: CommandSyntax) throws(CommandError) {
        var operands: [String] = []
        var words: [String: [String]] = [:]
        var rest = arguments
        func complaint(_ text: String) -> CommandError {
            .usage("passkey \(syntax.name): \(text); see 'passkey \(syntax.name) --help'")
        }
        while let argument = rest.popFirst() {
            if argument == "--" {
                // It ends an option's words, and everything after it is an operand.
                operands += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            let pieces = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = argument == "-h" ? "help" : String(pieces[0].dropFirst(pieces[0].hasPrefix("--") ? 2 : 0))
            guard let option = syntax.allOptions.first(where: { $0.name == name }) else {
                throw complaint("unknown option \(visible(pieces[0]))")
            }
            switch option.argument {
            case .none:
                guard pieces.count == 1 else { throw complaint("--\(name) takes no value") }
                words[name] = []
            case .one(let placeholder):
                guard words[name] == nil else { throw complaint("--\(name) is given twice") }
                guard let value = pieces.count == 2 ? pieces[1] : rest.popFirst() else {
                    throw complaint("--\(name) needs \(placeholder)")
                }
                words[name] = [value]
            case .words:
                var values = pieces.count == 2 ? [pieces[1]] : []
                while pieces.count == 1, let next = rest.first, !next.hasPrefix("-") {
                    values.append(next)
                    rest = rest.dropFirst()
                }
                words[name, default: []] += values
            }
        }
        self.operands = operands
        self.words = words
        guard !has("help"), !has("version") else { return }
        guard operands.count >= syntax.operandCount.lowerBound else {
            throw complaint("expected \(syntax.operands)")
        }
        guard operands.count <= syntax.operandCount.upperBound else {
            throw complaint("unexpected argument \(visible(operands[syntax.operandCount.upperBound]))")
        }
    }

    /// Whether an option was given.
    func has(_ name: String) -> Bool { words[name] != nil }

    /// The value of an option that takes one.
    func value(_ name: String) -> String? { words[name]?.first }

    /// The words of an option that takes any number; `nil` if it was not given.
    func words(of name: String) -> [String]? { words[name] }
}
