import Foundation
import Testing

@testable import PasskeyTesting

@Suite("A ceremony in flight", .timeLimit(.minutes(1)))
struct PendingCeremonyTests {
    private func isProceeding(_ event: PendingCeremony.Event) -> Bool {
        if case .proceeds = event { true } else { false }
    }

    @Test("What comes too late for one wait does not end the next, and changes nothing")
    func phases() async {
        let ceremony = PendingCeremony(isPickable: true)
        let first = ceremony.phase
        #expect(ceremony.proceed(in: first, picking: Data([1])))
        #expect(!ceremony.proceed(in: first, picking: Data([2])))
        #expect(isProceeding(await ceremony.wait()))
        #expect(!ceremony.proceed(in: first, picking: Data([3])))
        #expect(ceremony.picked == Data([1]))
        #expect(ceremony.proceed(in: ceremony.phase))
        #expect(isProceeding(await ceremony.wait()))
    }

    @Test("Only the first end counts, and nothing happens after it")
    func ends() async {
        let ceremony = PendingCeremony(isPickable: false)
        ceremony.end(.timedOut)
        ceremony.end(.cancelled("late"))
        #expect(!ceremony.proceed(in: ceremony.phase))
        for _ in 0..<2 {
            guard case .timedOut = await ceremony.wait() else {
                Issue.record("another end")
                return
            }
        }
    }

    @Test("An end while somebody waits, and one between two waits")
    func endWhileWaiting() async {
        let ceremony = PendingCeremony(isPickable: false)
        async let event = ceremony.wait()
        ceremony.end(.timedOut)
        guard case .timedOut = await event else {
            Issue.record("another end")
            return
        }
        let other = PendingCeremony(isPickable: false)
        other.proceed(in: other.phase)
        other.end(.timedOut)
        guard case .timedOut = await other.wait() else {
            Issue.record("an end comes before what was waited for")
            return
        }
    }
}
