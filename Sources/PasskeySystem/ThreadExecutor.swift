#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// An actor's executor on a thread of its own, where calls may block that must never block the cooperative pool.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
package final class ThreadExecutor: SerialExecutor {
    private let queue = JobQueue()

    /// Starts the thread, which ends when nobody has the executor any more.
    package init() {
        queue.startThread()
    }

    deinit {
        queue.stop()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        queue.append(UnownedJob(job), self)
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }
}

/// Jobs in turn, and the thread that runs them.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@safe
private final class JobQueue: @unchecked Sendable {
    /// A job, and the executor, which must not go while it runs.
    private typealias Entry = (job: UnownedJob, executor: ThreadExecutor)

    private var entries: [Entry] = []
    private var isStopped = false
    /// On the heap, because neither may move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        let isMade = unsafe pthread_mutex_init(mutex, nil) == 0 && pthread_cond_init(condition, nil) == 0
        precondition(isMade, "pthread_mutex_init or pthread_cond_init failed")
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    func append(_ job: UnownedJob, _ executor: ThreadExecutor) {
        unsafe pthread_mutex_lock(mutex)
        entries.append((job, executor))
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    func stop() {
        unsafe pthread_mutex_lock(mutex)
        isStopped = true
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// The next job; `nil` once there will be no more.
    private func next() -> Entry? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while entries.isEmpty && !isStopped { unsafe pthread_cond_wait(condition, mutex) }
        return entries.isEmpty ? nil : entries.removeFirst()
    }

    private func runJobs() {
        while let entry = next() {
            unsafe entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor())
        }
    }

    func startThread() {
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let queue = unsafe Unmanaged.passRetained(self).toOpaque()
        let status = unsafe pthread_create(&thread, nil, Self.main, queue)
        precondition(status == 0, "pthread_create failed")
        #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
    }

    #if canImport(Darwin)
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { queue in
        unsafe Unmanaged<JobQueue>.fromOpaque(queue).takeRetainedValue().runJobs()
        return nil
    }
    #else
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { queue in
        if let queue = unsafe queue { unsafe Unmanaged<JobQueue>.fromOpaque(queue).takeRetainedValue().runJobs() }
        return nil
    }
    #endif
}
