import PasskeySystem

/// A ceremony that waits for something to happen to it, once.
final class PendingCeremony: Sendable {
    /// How the waiting ends.
    enum Ending: Sendable {
        /// The virtual user acts.
        case proceeds

        /// Somebody ended the ceremony.
        case cancelled

        /// It took too long.
        case timedOut
    }

    private struct State: Sendable {
        var ending: Ending?
        var continuation: CheckedContinuation<Ending, Never>?
    }

    private let state = Lock(State())

    /// Whether it waits for the user to pick a suggestion.
    let isPickable: Bool

    init(isPickable: Bool) {
        self.isPickable = isPickable
    }

    /// Waits for the end, which may have come already; the cancellation of the task is one.
    func wait() async -> Ending {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ending = state.withLock { state -> Ending? in
                    if state.ending == nil { state.continuation = continuation }
                    return state.ending
                }
                if let ending { continuation.resume(returning: ending) }
            }
        } onCancel: {
            end(.cancelled)
        }
    }

    /// Ends the waiting; only the first end counts.
    ///
    /// - Returns: Whether this is the first.
    @discardableResult
    func end(_ ending: Ending) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Ending, Never>?) in
            guard state.ending == nil else { return (false, nil) }
            state.ending = ending
            defer { state.continuation = nil }
            return (true, state.continuation)
        }
        continuation?.resume(returning: ending)
        return isFirst
    }
}
