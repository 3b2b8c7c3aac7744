import PasskeySystem

/// Objects that wait for their next user, who holds one alone between `take` and `put`.
///
/// The lock is held for one step on an array: never while an object is used or made.
final class Pool<Element: Sendable>: Sendable {
    private let capacity: Int
    private let idle: Lock<[Element]>

    /// Makes an empty pool.
    ///
    /// - Parameter capacity: How many objects may wait; more are let go.
    init(capacity: Int) {
        self.capacity = capacity
        idle = Lock([])
    }

    /// Takes the object that was used last, or `nil` if none waits.
    func take() -> Element? {
        idle.withLock { $0.popLast() }
    }

    /// Gives an object back.
    func put(_ element: Element) {
        idle.withLock { elements in
            guard elements.count < capacity else { return }
            elements.append(element)
        }
    }

    /// How many objects wait.
    var count: Int { idle.withLock { $0.count } }
}
