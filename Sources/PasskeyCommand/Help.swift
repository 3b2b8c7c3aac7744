/// Help texts, made of the commands' syntax so that the two cannot part.
enum Help {
    static func overview(_ commands: [any Command.Type]) -> String {
        var text = """
            passkey \(Passkey.version): verify, inspect and simulate passkeys (W3C Web Authentication)

            usage: passkey COMMAND [ARGUMENT…]


            """
        text += table(commands.map { ("  " + $0.syntax.name, $0.syntax.summary) })
        text += """

              --help, -h    this text; 'passkey COMMAND --help' tells of one command
              --version     the version

            exit status: 0 success, 1 a refusal or a failure, 2 wrong usage or an input that cannot be read

            examples:

            """
        for command in commands {
            text += command.syntax.examples.first.map { "  \($0)\n" } ?? ""
        }
        return text
    }

    static func text(_ syntax: CommandSyntax) -> String {
        let operands = syntax.operands.isEmpty ? "" : " " + syntax.operands
        var text = "passkey \(syntax.name): \(syntax.summary)\n\n"
        text += "usage: passkey \(syntax.name)\(operands) [OPTION…]\n\n"
        if !syntax.discussion.isEmpty { text += syntax.discussion + "\n\n" }
        text += "options:\n"
        text += table(
            syntax.allOptions.filter { !$0.isInternal }.map { option in
                switch option.argument {
                case .none: ("  --\(option.name)", option.help)
                case .one(let placeholder), .words(let placeholder): ("  --\(option.name) \(placeholder)", option.help)
                }
            }
        )
        text += "\nexamples:\n" + syntax.examples.map { "  \($0)\n" }.joined()
        return text
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { left, right in
            let lines = right.split(separator: "\n", omittingEmptySubsequences: false)
            let margin = String(repeating: " ", count: width + 4)
            return left + String(repeating: " ", count: width - left.count + 4)
                + lines.joined(separator: "\n" + margin) + "\n"
        }.joined()
    }
}
