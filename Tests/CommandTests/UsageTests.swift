import Testing

@testable import PasskeyCommand

private let commandNames = Passkey.commands.map { $0.syntax.name }

@Suite("The command line: usage, help, version")
struct UsageTests {
    @Test(
        "wrong usage is one line on standard error, and status 2",
        arguments: [
            [], ["frobnicate"], ["--frobnicate"], ["help", "frobnicate"],
            ["check"], ["check", "--frobnicate", "x"], ["check", "no-such-path"], ["check", "--timeout"],
            ["check", "--timeout", "soon", "/proc/version"], ["check", "--limits", "maybe", "/proc/version"],
            ["check", "--json=yes", "x"], ["check", "--allow-skip", "a", "b"],
            ["inspect", "a", "b"], ["inspect", "no-such-file"], ["inspect", "--as", "morse", "/proc/version"],
            ["inspect", "/"],
            ["verify"], ["verify", "registration"], ["verify", "registration", "-"],
            ["verify", "login", "--expect", "x", "-"], ["verify", "registration", "--expect", "no-such-file", "-"],
            ["demo", "now"], ["demo", "--fast"],
        ]
    )
    func wrongUsage(_ arguments: [String]) throws {
        let result = try Executable.run(arguments)
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("passkey"))
        #expect(result.errors.hasSuffix("\n"))
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }

    @Test("a name from outside cannot send commands to the terminal")
    func escapesNames() throws {
        let result = try Executable.run("check", "\u{1B}[31mred")
        #expect(result.status == 2)
        #expect(!result.errors.contains("\u{1B}"))
        #expect(result.errors.contains(#"\u{1b}[31mred"#))
    }

    @Test("every command has help with examples", arguments: commandNames)
    func help(_ name: String) throws {
        let result = try Executable.run(name, "--help")
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        #expect(result.output.contains("usage: passkey \(name)"))
        #expect(result.output.contains("examples:\n  "))
        #expect(try Executable.run(name, "-h").output == result.output)
        #expect(try Executable.run("help", name).output == result.output)
        #expect(result.lines.allSatisfy { $0.count <= 120 })
        #expect(!result.output.contains("--worker"))
    }

    @Test("the overview names every command")
    func overview() throws {
        let result = try Executable.run("--help")
        #expect(result.status == 0)
        for name in commandNames { #expect(result.output.contains("\n  \(name) ")) }
        #expect(try Executable.run("-h").output == result.output)
        #expect(try Executable.run("help").output == result.output)
    }

    @Test("the version is one line, everywhere", arguments: [[]] + commandNames.map { [$0] })
    func version(_ command: [String]) throws {
        let result = try Executable.run(command + ["--version"])
        #expect(result.status == 0)
        #expect(result.output == "passkey \(Passkey.version)\n")
    }

    @Test("nothing is coloured that is not read at a terminal")
    func colour() throws {
        #expect(try !Executable.run("--help").output.contains("\u{1B}"))
        #expect(try !Executable.run("inspect", input: [UInt8]("00".utf8)).output.contains("\u{1B}"))
        let coloured = Console(isColoured: true, output: { _ in }, errors: { _ in })
        #expect(coloured.styled("x", .good) == "\u{1B}[32mx\u{1B}[0m")
        let plain = Console(isColoured: false, output: { _ in }, errors: { _ in })
        #expect(plain.styled("x", .good) == "x")
    }

    @Test("what comes from outside is shown harmlessly")
    func visibleText() {
        #expect(visible("Ünïcode 猫 ok") == "Ünïcode 猫 ok")
        #expect(visible("a\u{1B}[2J\u{7}\u{202E}\n") == #"a\u{1b}[2J\u{7}\u{202e}\u{a}"#)
    }
}

@Suite("The command line: taking arguments apart")
struct ArgumentTests {
    private let syntax = CommandSyntax(
        name: "try",
        operands: "PATH…",
        operandCount: 1...2,
        summary: "",
        discussion: "",
        options: [
            .init(name: "flag", help: ""),
            .init(name: "file", argument: .one("FILE"), help: ""),
            .init(name: "allow", argument: .words("WORD…"), help: ""),
        ],
        examples: []
    )

    private func parsed(_ words: String...) throws(CommandError) -> ParsedArguments {
        try ParsedArguments(words[...], syntax)
    }

    @Test("options may stand anywhere, with a space or with =")
    func options() throws {
        let first = try parsed("a", "--flag", "--file", "x", "b")
        #expect(first.operands == ["a", "b"])
        #expect(first.has("flag"))
        #expect(first.value("file") == "x")
        #expect(try parsed("--file=x=y", "a").value("file") == "x=y")
        #expect(try parsed("--file", "-", "-").operands == ["-"])
        #expect(try !parsed("a").has("flag"))
    }

    @Test("an option's words end at the next option and at --")
    func words() throws {
        let parsed = try parsed("a", "--allow", "x", "y", "--flag", "--allow", "z", "--", "--flag")
        #expect(parsed.words(of: "allow") == ["x", "y", "z"])
        #expect(parsed.operands == ["a", "--flag"])
        #expect(try self.parsed("a", "--allow").words(of: "allow") == [])
        #expect(try self.parsed("a").words(of: "allow") == nil)
    }

    @Test("what does not fit is refused")
    func refusals() {
        let wrong: [[String]] = [
            [], ["a", "b", "c"], ["--file"], ["--file", "x", "--file", "y", "a"], ["--flag=1", "a"], ["-x", "a"],
            ["---flag", "a"],
        ]
        for words in wrong {
            #expect(throws: CommandError.self, "\(words)") { try ParsedArguments(words[...], syntax) }
        }
    }

    @Test("help is given before anything is missed")
    func helpFirst() throws {
        #expect(try parsed("--help").has("help"))
        #expect(try parsed("-h").has("help"))
    }
}
