import Foundation
import PasskeyVectors
import PasskeyWire

/// A Python program that answers each line of JSON with one.
final class PeerProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer: [UInt8] = []

    /// Starts a script of this folder with the interpreter that an environment variable names.
    init(_ script: String, interpreter variable: String) throws {
        guard let interpreter = PeerProcess.interpreter(variable) else {
            throw Failure(reason: "\(variable) is not set")
        }
        process.executableURL = URL(fileURLWithPath: interpreter)
        process.arguments = ["-W", "ignore", PeerProcess.folder + "/" + script]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    struct Failure: Error {
        var reason: String
    }

    func ask(_ question: JSONValue) throws -> JSONValue {
        try input.fileHandleForWriting.write(contentsOf: Data(question.serialized() + [0x0A]))
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                return try JSONValue(json: line)
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failure(reason: "the peer ended") }
            buffer += data
        }
    }

    private static let folder = String(#filePath.dropLast("/PeerProcess.swift".count)) + "/Peers"

    static func interpreter(_ variable: String) -> String? {
        guard let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty else { return nil }
        return path
    }

    /// Whether a suite that needs this interpreter runs: it does where the peers are required, and then fails.
    static func isEnabled(_ variable: String) -> Bool {
        interpreter(variable) != nil || Vectors.requires("peers")
    }
}
