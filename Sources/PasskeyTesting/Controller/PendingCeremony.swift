import PasskeySystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A ceremony in flight: it waits for things to happen, one after the other, until one of them ends it.
final class PendingCeremony: Sendable {
    /// What happened.
    enum Event: Sendable {
        /// What was waited for.
        case proceeds

        /// Somebody ended the ceremony.
        case cancelled(String)

        /// It took too long.
        case timedOut
    }

    private struct State: Sendable {
        /// Set once, for good.
        var end: Event?
        /// Counts what was waited for, so that what comes too late for one wait does not end the next.
        var phase = 0
        var proceeds = false
        var picked: Data?
        var continuation: CheckedContinuation<Event, Never>?
    }

    private let state = Lock(State())

    /// Whether it waits for the user to pick a suggestion.
    let isPickable: Bool

    init(isPickable: Bool) {
        self.isPickable = isPickable
    }

    /// What is waited for next.
    var phase: Int { state.withLock { $0.phase } }

    /// The suggestion that the user picked; `nil` for the first.
    var picked: Data? { state.withLock { $0.picked } }

    /// How it ended, if it has.
    var end: Event? { state.withLock { $0.end } }

    /// Waits until something happens, which may have happened already; the cancellation of the task is an end.
    func wait() async -> Event {
        let event = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Event, Never>) in
                let event = state.withLock { state -> Event? in
                    if let end = state.end { return end }
                    if state.proceeds { return .proceeds }
                    state.continuation = continuation
                    return nil
                }
                if let event { continuation.resume(returning: event) }
            }
        } onCancel: {
            end(.cancelled("the task was cancelled"))
        }
        state.withLock { state in
            state.proceeds = false
            state.phase += 1
        }
        return event
    }

    /// Lets happen what is waited for.
    ///
    /// - Parameters:
    ///   - phase: What is waited for; if it is another thing by now, nothing happens.
    ///   - picked: The suggestion that the user picked.
    /// - Returns: Whether it was waited for, and had not happened yet.
    @discardableResult
    func proceed(in phase: Int, picking picked: Data? = nil) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Event, Never>?) in
            guard state.end == nil, state.phase == phase, !state.proceeds else { return (false, nil) }
            state.proceeds = true
            state.picked = picked
            defer { state.continuation = nil }
            return (true, state.continuation)
        }
        continuation?.resume(returning: .proceeds)
        return isFirst
    }

    /// Ends the ceremony; only the first end counts.
    func end(_ event: Event) {
        let continuation = state.withLock { state -> CheckedContinuation<Event, Never>? in
            guard state.end == nil else { return nil }
            state.end = event
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: event)
    }
}
