import Foundation
import PasskeyCases
import PasskeySystem
import PasskeyWire

/// The child process of `check`: one case in, one outcome out, a line of JSON each.
///
/// A case may make it trap, hang or grow; its parent sees that and starts another.
enum Worker {
    /// A small stack, as a thread has on macOS: what recurses as deep as its input shows here.
    private static let stackSize = 512 << 10

    static func run() -> Int32 {
        let fault = PlantedFault(ProcessInfo.processInfo.environment["PASSKEY_WORKER_FAULT"])
        while let line = readLine() {
            guard let json = try? JSONValue(json: [UInt8](line.utf8), maximumDepth: 64),
                let next = try? Case(json)
            else { return 1 }
            let prepared = next.prepare()
            let before = ProcessMemory.resetPeak()
            let clock = ContinuousClock()
            var outcome = CaseOutcome.broken(reason: "the operation gave nothing")
            let time = clock.measure {
                outcome = onSmallStack {
                    if fault?.caseID == next.id { fault?.happen() }
                    return prepared.run()
                }
            }
            let after = ProcessMemory.peakKiB()
            var memory: Double?
            if let before, let after { memory = Double(max(0, after - before)) / 1024 }
            let reply = WorkerReply(
                outcome: outcome,
                cost: CaseCost(seconds: time / .seconds(1), memoryMiB: memory)
            )
            do {
                try FileHandle.standardOutput.write(contentsOf: Data(reply.json.serialized() + [0x0A]))
            } catch {
                return 1
            }
        }
        return 0
    }

    private static func onSmallStack(_ body: @escaping @Sendable () -> CaseOutcome) -> CaseOutcome {
        let result = Lock<CaseOutcome?>(nil)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let outcome = body()
            result.withLock { $0 = outcome }
            done.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        done.wait()
        return result.withLock { $0 } ?? .broken(reason: "the operation gave nothing")
    }
}

/// What a worker answers.
struct WorkerReply {
    var outcome: CaseOutcome
    var cost: CaseCost

    init(outcome: CaseOutcome, cost: CaseCost) {
        self.outcome = outcome
        self.cost = cost
    }

    init?(line: String) {
        guard let json = try? JSONValue(json: [UInt8](line.utf8), maximumDepth: 64),
            let outcome = json["result"].flatMap(CaseOutcome.init),
            let seconds = json["seconds"]?.double
        else { return nil }
        self.outcome = outcome
        cost = CaseCost(seconds: seconds, memoryMiB: json["memoryMiB"]?.double)
    }

    var json: JSONValue {
        var object: JSONObject = ["result": outcome.json, "seconds": .number(JSONNumber(cost.seconds) ?? 0)]
        if let memory = cost.memoryMiB { object["memoryMiB"] = .number(JSONNumber(memory) ?? 0) }
        return .object(object)
    }
}

/// A fault that the tests plant in a worker: `PASSKEY_WORKER_FAULT=KIND=CASE`.
///
/// Only this shows that `check` survives what it is there for, since no case is known that does it.
struct PlantedFault: Sendable {
    enum Kind: String, Sendable {
        case trap
        case hang
        case memory
    }

    let kind: Kind
    let caseID: String

    init?(_ text: String?) {
        let parts = (text ?? "").split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = Kind(rawValue: parts[0]) else { return nil }
        self.kind = kind
        caseID = parts[1]
    }

    func happen() {
        switch kind {
        case .trap: fatalError("planted by PASSKEY_WORKER_FAULT")
        case .hang: Thread.sleep(forTimeInterval: 3600)
        case .memory:
            // Touched, or it would not be resident.
            var block = [UInt8](repeating: 1, count: 64 << 20)
            block[block.count / 2] = UInt8.random(in: 0...255)
            guard block.allSatisfy({ $0 < 255 }) else { return }
        }
    }
}

/// The memory of this process, as Linux tells it.
enum ProcessMemory {
    /// Sets the peak back to what is in use now, and returns it; `nil` where the system does not tell.
    static func resetPeak() -> Int? {
        if let handle = FileHandle(forWritingAtPath: "/proc/self/clear_refs") {
            try? handle.write(contentsOf: Data("5".utf8))
            try? handle.close()
        }
        return peakKiB()
    }

    static func peakKiB() -> Int? { statusKiB("VmHWM", process: "self") }

    /// What another process has in use now.
    static func residentKiB(of process: Int32) -> Int? { statusKiB("VmRSS", process: "\(process)") }

    private static func statusKiB(_ name: String, process: String) -> Int? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/status") else { return nil }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") where line.hasPrefix(name + ":") {
            return line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }
        }
        return nil
    }
}
