import Foundation
import PasskeySystem
import Testing

@Suite("The lock and the clock")
struct SystemTests {
    private struct Counter: ~Copyable {
        var value = 0
    }

    private struct Refusal: Error {}

    @Test("Nothing that is done under the lock is lost")
    func contention() async {
        let lock = Lock(Counter())
        await withTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<1000 { lock.withLock { $0.value += 1 } }
                }
            }
        }
        #expect(lock.withLock { $0.value } == 16_000)
    }

    @Test("An error that is thrown under the lock leaves it unlocked")
    func throwing() {
        let lock = Lock(1)
        for _ in 0..<2 {
            do throws(Refusal) {
                try lock.withLock { value throws(Refusal) in
                    value += 1
                    throw Refusal()
                }
                Issue.record("no error")
            } catch {}
        }
        #expect(lock.withLock { $0 } == 3)
    }

    @Test("The state ends with the lock")
    func lifetime() {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let lock = Lock(Token())
            token = lock.withLock { $0 }
            #expect(token != nil)
        }
        #expect(token == nil)
    }

    @Test("The clock has the time of day in milliseconds")
    func clock() {
        let before = Int64(Date().timeIntervalSince1970 * 1000)
        let now = WallClock.millisecondsSince1970()
        let after = Int64(Date().timeIntervalSince1970 * 1000)
        #expect((before - 1...after + 1).contains(now))
    }
}
