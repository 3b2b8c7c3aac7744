/// A walk over the events of an item that ``CBORScanner`` has passed.
///
/// It checks nothing again; on other bytes its results mean nothing.
struct CBORCursor: ~Escapable {
    /// The beginning of an item, or the end of a container.
    enum Event {
        case unsigned(UInt64)
        case negative(UInt64)
        /// A definite-length byte string or a chunk of one, as offsets of its content.
        case bytes(Range<Int>)
        /// A definite-length text string or a chunk of one, as offsets of its content.
        case text(Range<Int>)
        /// Chunks follow, and then `close`.
        case byteChunks
        /// Chunks follow, and then `close`.
        case textChunks
        /// That many elements follow, or any number if `nil`, and then `close`.
        case array(Int?)
        /// That many pairs follow, or any number if `nil`, and then `close`.
        case map(Int?)
        /// The content follows.
        case tag(UInt64)
        case simple(UInt8)
        case float(Double)
        case close
    }

    let bytes: Span<UInt8>

    /// The offset of the next event.
    private(set) var offset: Int

    /// The items that are to come in each open container, or -1 before a "break".
    ///
    /// The first one counts the item itself.
    private var remaining: [Int]

    /// A cursor before the item at an offset, or before several items that follow each other.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, at offset: Int = 0, items: Int = 1) {
        self.bytes = bytes
        self.offset = offset
        remaining = [items]
    }

    /// The number of containers that are open.
    var depth: Int { remaining.count - 1 }

    /// Whether the next event is the end of a container, or there is none.
    var isAtEnd: Bool {
        let count = remaining[remaining.count - 1]
        return count < 0 ? bytes[offset] == CBORHead.break : count == 0
    }

    /// The head of the next item; meaningless at an end.
    var head: CBORHead { CBORHead(validated: bytes, at: offset) }

    /// The next event, or `nil` after the item.
    mutating func next() -> Event? {
        let innermost = remaining.count - 1
        guard !isAtEnd else {
            guard innermost > 0 else { return nil }
            if remaining[innermost] < 0 { offset += 1 }
            remaining.removeLast()
            return .close
        }
        let head = head
        offset = head.end
        if head.majorType == 6 { return .tag(head.argument) }
        if remaining[innermost] > 0 { remaining[innermost] -= 1 }
        switch head.majorType {
        case 0: return .unsigned(head.argument)
        case 1: return .negative(head.argument)
        case 2, 3:
            let isText = head.majorType == 3
            guard !head.isIndefinite else {
                remaining.append(-1)
                return isText ? .textChunks : .byteChunks
            }
            let content = offset..<offset + head.count
            offset = content.upperBound
            return isText ? .text(content) : .bytes(content)
        case 4:
            remaining.append(head.isIndefinite ? -1 : head.count)
            return .array(head.isIndefinite ? nil : head.count)
        case 5:
            remaining.append(head.isIndefinite ? -1 : head.count * 2)
            return .map(head.isIndefinite ? nil : head.count)
        default:
            switch head.additionalInformation {
            case 25...27: return .float(CBORFloat.value(of: head))
            default: return .simple(UInt8(truncatingIfNeeded: head.argument))
            }
        }
    }

    /// Passes over one item with all that is in it.
    mutating func skip() {
        let head = head
        if head.majorType < 2 || head.majorType == 7 {
            pass(head, to: head.end)
            return
        }
        if head.majorType < 4, !head.isIndefinite {
            pass(head, to: head.end + head.count)
            return
        }
        let level = remaining.count
        while let event = next() {
            if case .tag = event { continue }
            if remaining.count <= level { return }
        }
    }

    private mutating func pass(_ head: CBORHead, to end: Int) {
        offset = end
        if remaining[remaining.count - 1] > 0 { remaining[remaining.count - 1] -= 1 }
    }

    /// Passes over what is left in the open container, and its end.
    mutating func skipToClose() {
        let level = remaining.count
        while remaining.count >= level, next() != nil {}
    }

    /// The content of the string that has just begun with `byteChunks` or `textChunks`, put together.
    mutating func joinChunks() -> [UInt8] {
        var joined: [UInt8] = []
        while let event = next() {
            switch event {
            case .bytes(let range), .text(let range): for index in range { joined.append(bytes[index]) }
            default: return joined  // The end of the chunks.
            }
        }
        return joined
    }
}
