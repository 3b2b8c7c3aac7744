import Foundation

/// The executable `passkey`.
@main
enum Passkey {
    static let version = "0.1.0"

    /// The commands, in the order of the help text.
    static var commands: [any Command.Type] {
        [DemoCommand.self, InspectCommand.self, VerifyCommand.self, CheckCommand.self, MetadataCommand.self]
    }

    static func main() async {
        // A reader that goes away (`passkey inspect … | head`) and a worker that dies show as an error of the write.
        _ = signal(SIGPIPE, SIG_IGN)
        exit(await run(Array(CommandLine.arguments.dropFirst()), Console.standard))
    }

    /// Runs one command line.
    ///
    /// - Returns: The exit status: 0, 1 for a refusal or a failure, 2 for wrong usage.
    static func run(_ arguments: [String], _ console: Console) async -> Int32 {
        do throws(CommandError) {
            return try await dispatch(arguments, console)
        } catch {
            console.complain(error.message)
            return error.status
        }
    }

    private static func dispatch(_ arguments: [String], _ console: Console) async throws(CommandError) -> Int32 {
        guard let first = arguments.first else { throw .usage("passkey: no command; see 'passkey --help'") }
        switch first {
        case "--help", "-h":
            console.write(Help.overview(commands))
            return 0
        case "help":
            guard let name = arguments.dropFirst().first, !name.hasPrefix("-") else {
                console.write(Help.overview(commands))
                return 0
            }
            console.write(Help.text(try command(name).syntax))
            return 0
        case "--version":
            console.write("passkey \(version)\n")
            return 0
        default:
            break
        }
        guard !first.hasPrefix("-") else {
            throw .usage("passkey: unknown option \(visible(first)); see 'passkey --help'")
        }
        let command = try command(first)
        let parsed = try ParsedArguments(arguments.dropFirst(), command.syntax)
        if parsed.has("help") {
            console.write(Help.text(command.syntax))
            return 0
        }
        if parsed.has("version") {
            console.write("passkey \(version)\n")
            return 0
        }
        return try await command.run(parsed, console)
    }

    private static func command(_ name: String) throws(CommandError) -> any Command.Type {
        guard let command = commands.first(where: { $0.syntax.name == name }) else {
            throw .usage("passkey: unknown command \(visible(name)); see 'passkey --help'")
        }
        return command
    }
}
