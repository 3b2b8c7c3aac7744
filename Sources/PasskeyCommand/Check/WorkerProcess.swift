import Foundation
import PasskeySystem

/// A worker, from its parent's side.
final class WorkerProcess {
    /// How a request ended.
    enum Reply: Equatable {
        case line(String)
        case ended(String)
        case timedOut
        case tooLarge(Int)
    }

    private let process = Process()
    private let requests = Pipe()
    private let replies: LineReader
    private let complaints: LineReader

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - executable: The path of this executable.
    ///   - arguments: `check --worker`.
    ///   - environment: Added to this process's own.
    /// - Throws: ``CommandError`` if the system starts no process.
    init(executable: String, arguments: [String], environment: [String: String] = [:]) throws(CommandError) {
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        // A trap is expected to end the process at once, not after a backtrace that takes seconds.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        // Large blocks go back to the system when they are freed, so that one case's do not hide the next one's.
        variables["MALLOC_MMAP_THRESHOLD_"] = "131072"
        variables["MALLOC_TRIM_THRESHOLD_"] = "131072"
        variables.merge(environment) { _, new in new }
        process.environment = variables
        let output = Pipe()
        let errors = Pipe()
        process.standardInput = requests
        process.standardOutput = output
        process.standardError = errors
        do {
            try process.run()
        } catch {
            throw .failure("passkey check: the worker cannot be started: \(SystemFault.reason(error))")
        }
        replies = LineReader(output.fileHandleForReading)
        complaints = LineReader(errors.fileHandleForReading)
    }

    /// Sends one line and waits for one.
    ///
    /// - Parameters:
    ///   - line: The request, without the line's end.
    ///   - timeout: After so many seconds the worker is given up.
    ///   - ceiling: So is one that has more than this many KiB in use.
    /// - Returns: The worker's line, or how it ended.
    func ask(_ line: [UInt8], timeout: Double, ceiling: Int) -> Reply {
        // A worker that has died closes the pipe; its last words are read below.
        try? requests.fileHandleForWriting.write(contentsOf: Data(line + [0x0A]))
        let start = ContinuousClock.now
        while true {
            switch replies.next(within: 0.1) {
            case .line(let line): return .line(line)
            case .end: return .ended(cause())
            case .nothing: break
            }
            if (ContinuousClock.now - start) / .seconds(1) > timeout { return .timedOut }
            if let size = ProcessMemory.residentKiB(of: process.processIdentifier), size > ceiling {
                return .tooLarge(size)
            }
        }
    }

    /// Ends the worker, whatever it is doing.
    func stop() {
        try? requests.fileHandleForWriting.close()
        if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// What ended the worker: its signal, and what it said last.
    private func cause() -> String {
        process.waitUntilExit()
        let status = process.terminationStatus
        let end = process.terminationReason == .uncaughtSignal ? "signal \(status)" : "status \(status)"
        let lines = complaints.rest()
        let telling = ["Fatal error", "SUMMARY:", "overflow", "Illegal"]
        let line = lines.first { line in telling.contains { line.contains($0) } } ?? lines.last
        return "the worker ended with \(end)" + (line.map { ": \($0)" } ?? "")
    }
}

/// Reads lines on a thread of its own, so that waiting for one can have an end.
final class LineReader: Sendable {
    enum Line: Equatable {
        case line(String)
        case end
        case nothing
    }

    private struct State {
        var lines: [String] = []
        var hasEnded = false
    }

    private let state = Lock(State())
    private let arrival = DispatchSemaphore(value: 0)

    init(_ handle: FileHandle) {
        let thread = Thread { [self] in
            var buffer = Data()
            while true {
                var piece = handle.availableData[...]
                guard !piece.isEmpty else { break }
                while let end = piece.firstIndex(of: 0x0A) {
                    buffer.append(piece[..<end])
                    deliver(String(decoding: buffer, as: UTF8.self))
                    buffer = Data()
                    piece = piece[(end + 1)...]
                }
                buffer.append(piece)
            }
            if !buffer.isEmpty { deliver(String(decoding: buffer, as: UTF8.self)) }
            state.withLock { $0.hasEnded = true }
            arrival.signal()
        }
        thread.start()
    }

    /// The next line, the end, or nothing yet.
    func next(within seconds: Double) -> Line {
        _ = arrival.wait(timeout: .now() + seconds)
        return state.withLock { state in
            guard state.lines.isEmpty else { return .line(state.lines.removeFirst()) }
            return state.hasEnded ? .end : .nothing
        }
    }

    /// All lines up to the end; called once the writer has gone.
    func rest() -> [String] {
        var lines: [String] = []
        while true {
            switch next(within: 1) {
            case .line(let line): lines.append(line)
            case .end, .nothing: return lines
            }
        }
    }

    private func deliver(_ line: String) {
        state.withLock { $0.lines.append(line) }
        arrival.signal()
    }
}
