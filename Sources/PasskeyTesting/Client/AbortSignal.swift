import PasskeySystem

/// Why a caller ended a ceremony: what a page passes to `abort()`, and what its promise is rejected with.
public struct AbortReason: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The reason's name: `AbortError` where the page gives no reason of its own.
    public var name: String

    /// What it says.
    public var message: String

    /// Makes a reason.
    ///
    /// - Parameters:
    ///   - name: The reason's name.
    ///   - message: What it says.
    public init(name: String = "AbortError", message: String = "the caller ended the ceremony") {
        self.name = name
        self.message = message
    }

    /// What `AbortSignal.timeout()` rejects with.
    public static let timeout = AbortReason(name: "TimeoutError", message: "the caller's time ran out")

    /// Whether the page gave a reason of its own, which it catches in place of an `AbortError`.
    public var isCustom: Bool { !name.hasSameBytes(as: "AbortError") }

    /// Name and message.
    public var description: String { "\(name): \(message)" }
}

/// What tells a ceremony that its caller ended it (`#sctn-abortoperation`).
///
/// It may be asked, and its controller used, from any thread and from within a virtual user's answer.
public final class AbortSignal: Sendable {
    private let state = Lock<AbortReason?>(nil)

    fileprivate init() {}

    /// Whether the caller ended the ceremony.
    public var isAborted: Bool { reason != nil }

    /// Why, if so.
    public var reason: AbortReason? { state.withLock { $0 } }

    /// A signal that is aborted already.
    ///
    /// - Parameter reason: Why.
    /// - Returns: The signal.
    public static func abort(_ reason: AbortReason = AbortReason()) -> AbortSignal {
        let signal = AbortSignal()
        signal.abort(reason)
        return signal
    }

    /// The first reason counts.
    fileprivate func abort(_ reason: AbortReason) {
        state.withLock { $0 = $0 ?? reason }
    }
}

/// Ends the ceremonies that its signal is given to.
public final class AbortController: Sendable {
    /// What ceremonies are given.
    public let signal = AbortSignal()

    /// Makes a controller.
    public init() {}

    /// Ends the ceremonies; a second call changes nothing.
    ///
    /// - Parameter reason: Why.
    public func abort(_ reason: AbortReason = AbortReason()) {
        signal.abort(reason)
    }
}
