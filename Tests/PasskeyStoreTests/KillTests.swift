import Foundation
import PasskeyModel
import PasskeyRelyingParty
import PasskeySQLite
import Testing

@Suite("A process that is killed", .timeLimit(.minutes(10)))
struct KillTests {
    /// How often; `.ci/long` asks for more.
    private static let rounds = ProcessInfo.processInfo.environment["PASSKEY_KILLS"].flatMap(Int.init) ?? 20

    @Test("Nothing that was acknowledged is lost, and nothing is there by half")
    func kill() async throws {
        let file = TemporaryFile()
        defer { file.remove() }
        var kept: Set<String> = []
        var between = 0
        for round in 0..<Self.rounds {
            let (lines, wasKilled) = try run(file, round, killedAfter: .milliseconds(20 + (round * 37) % 60))
            #expect(wasKilled)
            for line in lines where line.hasPrefix("kept ") { kept.insert(String(line.dropFirst(5))) }
            let begun = lines.last { $0.hasPrefix("begins ") }?.dropFirst(7)
            if let begun, !kept.contains(String(begun)) { between += 1 }

            let store = try SQLiteStore(path: file.path)
            let found = Set(try await store.credentials(of: UserHandle(bytes: [1])).map { Base64URL.encode($0.id) })
            #expect(kept.isSubset(of: found), "\(kept.subtracting(found).count) acknowledged credentials are lost")
            // What was begun and not acknowledged may be there, whole; nothing else is.
            #expect(found.count - kept.count <= round + 1)
        }
        print("killed \(Self.rounds) times, \(between) between request and answer; \(kept.count) kept")
        #expect(kept.count > Self.rounds)
        #expect(between * 10 >= Self.rounds)
    }

    private func run(
        _ file: TemporaryFile,
        _ round: Int,
        killedAfter delay: Duration
    ) throws -> (lines: [String], wasKilled: Bool) {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.client))
        process.arguments = [file.path, "\(round)"]
        // A child must not write the parent's coverage.
        process.environment = ProcessInfo.processInfo.environment.merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // It has opened the database when it says its first word.
        var text = output.fileHandleForReading.availableData
        Thread.sleep(forTimeInterval: Double(delay.components.attoseconds) / 1e18)
        Foundation.kill(process.processIdentifier, SIGKILL)
        text += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        var lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        lines.removeLast()
        return (lines.map(String.init), process.terminationReason == .uncaughtSignal)
    }

    /// Beside the test bundle, where the package manager puts every product.
    private static let client: String? = {
        // Foundation never frees the list of all bundles, so it is asked for only where the first place is the wrong one.
        find(beside: Bundle.main.executableURL)
            ?? Bundle.allBundles.lazy.compactMap { find(beside: $0.bundleURL) }.first
    }()

    private static func find(beside place: URL?) -> String? {
        guard var folder = place?.deletingLastPathComponent() else { return nil }
        for _ in 0..<4 {
            let candidate = folder.appendingPathComponent("StoreClient").path
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}
