import Foundation

/// Where a command writes.
struct Console: Sendable {
    /// A colour that means something.
    enum Style: String {
        case good = "32"
        case bad = "31"
        case dim = "2"
        case bold = "1"
    }

    /// Whether text may be coloured: only for people, at a terminal.
    let isColoured: Bool

    private let output: @Sendable (String) -> Void
    private let errors: @Sendable (String) -> Void

    init(
        isColoured: Bool,
        output: @escaping @Sendable (String) -> Void,
        errors: @escaping @Sendable (String) -> Void
    ) {
        self.isColoured = isColoured
        self.output = output
        self.errors = errors
    }

    /// The process's own.
    static var standard: Console {
        let environment = ProcessInfo.processInfo.environment
        let refused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        return Console(
            isColoured: isatty(STDOUT_FILENO) == 1 && !refused,
            output: { Console.write($0, to: .standardOutput) },
            errors: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
        )
    }

    /// Writes text as it is; what came from outside goes through ``visible(_:)`` first.
    func write(_ text: String) { output(text) }

    /// Writes a line.
    func line(_ text: String = "") { output(text + "\n") }

    /// Writes one line to standard error.
    func complain(_ text: String) { errors(text + "\n") }

    /// Colours text where that is wanted.
    func styled(_ text: String, _ style: Style) -> String {
        isColoured ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    private static func write(_ text: String, to handle: FileHandle) {
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            // The reader has gone: what is left to say is for nobody. The status is a shell's for SIGPIPE.
            guard SystemFault.code(of: error) != EPIPE else { exit(141) }
            let reason = "passkey: standard output: \(SystemFault.reason(error))\n"
            try? FileHandle.standardError.write(contentsOf: Data(reason.utf8))
            exit(1)
        }
    }
}

/// Text from outside, made safe for a terminal.
///
/// Control characters, and those that reorder a line, are shown as `\u{…}`.
func visible(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
            result += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
