/// Why a store could not do what it was asked.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a program branches on.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// There is a credential with this identifier already.
        case duplicate

        /// The store cannot be reached, is locked or has no room: nothing was changed, or nothing is known of it.
        case unavailable

        /// What was stored cannot be read.
        case corrupt

        /// What is to be stored is larger than the store takes.
        case tooLarge
    }

    /// What a program branches on.
    public let code: Code

    /// What goes to the log.
    public let detail: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What a program branches on.
    ///   - detail: What goes to the log; no secrets.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The error in one line.
    public var description: String { "\(code.rawValue): \(detail)" }
}
