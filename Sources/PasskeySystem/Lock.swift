#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// State that one thread at a time can reach.
///
/// It is a POSIX mutex and not `Synchronization.Mutex`, which needs macOS 15 and iOS 18, and whose futex the thread
/// sanitizer does not see, so that it reports races where there are none. The lock is not recursive. Hold it for a few
/// instructions: never across a call into another library, and it cannot be held across an `await`.
@safe
package final class Lock<State: ~Copyable>: @unchecked Sendable {
    private var state: State
    /// On the heap, because a mutex must not move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Makes an unlocked lock.
    package init(_ state: consuming sending State) {
        self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        let status = unsafe pthread_mutex_init(mutex, nil)
        precondition(status == 0, "pthread_mutex_init failed")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deinitialize(count: 1)
        unsafe mutex.deallocate()
    }

    /// Runs a closure with the state, alone.
    ///
    /// - Parameter body: What to do. It must not come back to this lock.
    /// - Returns: What the closure returned.
    /// - Throws: What the closure threw; the lock is open again then.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let status = unsafe pthread_mutex_lock(mutex)
        precondition(status == 0, "pthread_mutex_lock failed")
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
