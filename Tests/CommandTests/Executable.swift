import Foundation
import PasskeyWire
import Testing

/// The built executable `passkey`, run as a process.
enum Executable {
    /// What a process left behind.
    struct Result {
        var status: Int32
        var output: String
        var errors: String

        var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

        /// The last line that is not empty.
        var lastLine: String { lines.last { !$0.isEmpty } ?? "" }

        var json: JSONValue? { try? JSONValue(json: [UInt8](output.utf8), maximumDepth: 64) }
    }

    static let path = path(of: "passkey")

    /// Whether it is built with a sanitizer, under which memory and time say nothing about it.
    static let isSanitized: Bool = {
        let found = try? Shell.run(#"LC_ALL=C grep -aqE '__(asan|tsan)_init' "$1" && echo yes"#, path)
        return found?.hasPrefix("yes") ?? false
    }()

    /// Asked for once: Foundation never frees the list.
    private static let places = [Bundle.main.executableURL] + Bundle.allBundles.map { Optional($0.bundleURL) }

    /// Beside the test bundle, where the package manager puts every product.
    static func path(of name: String) -> String {
        for case let place? in places {
            var folder = place.deletingLastPathComponent()
            for _ in 0..<4 {
                let candidate = folder.appendingPathComponent(name)
                if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate.path }
                folder.deleteLastPathComponent()
            }
        }
        return name
    }

    static func run(
        _ arguments: String...,
        input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws -> Result {
        try run(arguments, input: input, environment: environment)
    }

    static func run(
        _ arguments: [String],
        input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws -> Result {
        // Files and not pipes: neither side ever waits for the other.
        let folder = try TemporaryFolder()
        let names = ["input", "output", "errors"]
        let urls = names.map { URL(fileURLWithPath: folder.path + "/" + $0) }
        try Data(input).write(to: urls[0])
        for url in urls[1...] { try Data().write(to: url) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        variables["PASSKEY_WORKER_FAULT"] = nil
        // A process that is killed leaves half a coverage profile, which no later step could merge.
        variables["LLVM_PROFILE_FILE"] = "/dev/null"
        process.environment = variables.merging(environment) { _, new in new }
        process.standardInput = try FileHandle(forReadingFrom: urls[0])
        process.standardOutput = try FileHandle(forWritingTo: urls[1])
        process.standardError = try FileHandle(forWritingTo: urls[2])
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: String(decoding: try Data(contentsOf: urls[1]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: urls[2]), as: UTF8.self)
        )
    }
}

/// A folder that goes when the test does.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("passkey-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: file).deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Writes a case file.
    @discardableResult
    func writeCases(_ cases: [JSONValue], named name: String = "cases.json") throws -> String {
        let file: JSONValue = ["format": "passkey-cases/1", "title": "planted", "cases": .array(cases)]
        return try write(name, String(decoding: file.serialized(), as: UTF8.self))
    }
}

/// A case that decodes base64url.
func decoding(_ text: String, id: String, expect: String = "accept", _ more: JSONObject = [:]) -> JSONValue {
    var object: JSONObject = [
        "id": .string(id), "operation": "base64url.decode", "input": ["text": .string(text)],
        "expect": .string(expect), "reason": "planted",
    ]
    for member in more.members { object[member.name] = member.value }
    return .object(object)
}
