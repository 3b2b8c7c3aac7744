/// The one place where encoded CBOR is judged: reads an item once, without recursion, and throws at the first fault.
///
/// Everything else that reads CBOR walks bytes that have passed here. The stack of open containers is explicit and
/// never exceeds the depth limit; nothing is reserved for a count that the bytes do not bear out.
struct CBORScanner: ~Escapable {
    private let bytes: Span<UInt8>
    private let rules: CBORRules
    private let nodeLimit: Int

    /// The innermost container; outermost is a frame that stands for no container.
    private var top = CBORFrame()
    private var enclosing = CBORFrameStack()

    /// How many items so far could have been written otherwise and still be equal as keys.
    private var irregularities: UInt32 = 0

    /// The offset of the next byte; after ``scan()`` the offset after the item.
    private(set) var offset = 0

    /// One node for each item whose end is not to be seen from its head, in the order of their beginnings.
    private(set) var nodes: [CBORNode] = []

    /// The number of nodes that the item has; ``nodes`` holds no more than the limit.
    private(set) var nodeCount = 0

    /// A scanner at the first byte.
    ///
    /// - Parameters:
    ///   - bytes: The input.
    ///   - rules: What is refused.
    ///   - nodeLimit: The number of nodes to record, 0 for none.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ rules: CBORRules, nodeLimit: Int = 0) {
        self.bytes = bytes
        self.rules = rules
        self.nodeLimit = nodeLimit
    }

    /// Makes room for as many nodes as an earlier scan of the same bytes has counted.
    mutating func reserveNodes(_ count: Int) {
        nodes.reserveCapacity(count)
    }

    /// Reads one item.
    mutating func scan() throws(WireError) {
        guard bytes.count <= CBOR.greatestEncodedCount else { throw WireError(.tooLarge, at: 0) }
        while true {
            guard try scanHead(), try completeItem() else { continue }
            return
        }
    }

    /// Reads a head and what belongs to it alone.
    ///
    /// - Returns: Whether an item is complete; otherwise its content follows.
    @inline(__always)
    private mutating func scanHead() throws(WireError) -> Bool {
        let start = offset
        let head = try CBORHead(bytes, at: start)
        if head.additionalInformation >= 24, head.majorType != 7 { try judgeLongHead(head, at: start) }
        offset = head.end
        switch head.majorType {
        case 0, 1: return true
        case 2, 3:
            if head.isIndefinite { try scanChunks(head) } else { try scanString(head, at: start) }
            return true
        case 4, 5: return try openContainer(head, at: start)
        case 6:
            guard rules.allowsTags else { throw WireError(.tagNotAllowed, at: start) }
            let isBignum = rules.requiresShortest && (head.argument == 2 || head.argument == 3)
            try push(isBignum ? .bignum : .tag, remaining: 1, at: start)
            return false
        default: return try scanSimple(head, at: start)
        }
    }

    /// Judges a head that is more than one byte, or of indefinite length.
    private mutating func judgeLongHead(_ head: CBORHead, at start: Int) throws(WireError) {
        if head.isIndefinite {
            guard !rules.requiresShortest, (2...5).contains(head.majorType) else {
                throw WireError(.indefiniteLength, at: start)
            }
        } else {
            guard !head.isShortest else { return }
            guard !rules.requiresShortest else { throw WireError(.notShortest, at: start) }
        }
        irregularities &+= 1
    }

    private mutating func scanString(_ head: CBORHead, at start: Int) throws(WireError) {
        guard head.argument <= UInt64(bytes.count - offset) else { throw WireError(.truncated, at: start) }
        let end = offset + head.count
        if head.majorType == 3, rules.checksUTF8, let fault = firstInvalidUTF8(in: bytes, from: offset, to: end) {
            throw WireError(.invalidUTF8, at: fault)
        }
        if top.kind == .bignum, head.majorType == 2 {
            // RFC 8949 §3.4.3: no leading zeros, and no bignum for what an integer can hold.
            guard head.argument > 8, bytes[offset] != 0 else { throw WireError(.notShortest, at: top.start) }
        }
        offset = end
    }

    private mutating func scanChunks(_ head: CBORHead) throws(WireError) {
        let node = appendNode()
        while true {
            let chunkStart = offset
            let chunk = try CBORHead(bytes, at: chunkStart)
            offset = chunk.end
            if chunk.initialByte == CBORHead.break { break }
            guard chunk.majorType == head.majorType, !chunk.isIndefinite else {
                throw WireError(.invalidChunk, at: chunkStart)
            }
            try scanString(chunk, at: chunkStart)
        }
        completeNode(node)
    }

    private mutating func openContainer(_ head: CBORHead, at start: Int) throws(WireError) -> Bool {
        let kind: CBORFrame.Kind = head.majorType == 4 ? .array : .map
        guard !head.isIndefinite else {
            try push(kind, remaining: -1, at: start)
            return false
        }
        // Each element has at least one byte, and each pair two.
        let room = UInt64(bytes.count - offset)
        guard head.argument <= (kind == .map ? room / 2 : room) else { throw WireError(.truncated, at: start) }
        guard head.argument > 0 else {
            guard enclosing.count < rules.maximumDepth else { throw WireError(.tooDeep, at: start) }
            return true
        }
        try push(kind, remaining: kind == .map ? head.count * 2 : head.count, at: start)
        return false
    }

    private mutating func scanSimple(_ head: CBORHead, at start: Int) throws(WireError) -> Bool {
        switch head.additionalInformation {
        case 24:
            guard head.argument >= 32 else { throw WireError(.reservedSimpleValue, at: start) }
            return true
        case 25, 26, 27:
            if !CBORFloat.isShortest(head) {
                guard !rules.requiresShortestFloats else { throw WireError(.notShortest, at: start) }
                irregularities &+= 1
            } else if CBORFloat.hasEquivalent(head) {
                irregularities &+= 1
            }
            return true
        case 31:
            guard top.remaining < 0, !top.expectsValue else { throw WireError(.unexpectedBreak, at: start) }
            try pop()
            return true
        default: return true
        }
    }

    /// Accounts for an item that has just ended, and for the containers that end with it.
    ///
    /// - Returns: Whether the outermost item has ended.
    @inline(__always)
    private mutating func completeItem() throws(WireError) -> Bool {
        while true {
            if top.kind == .map {
                top.itemCount &+= 1
                if top.expectsValue {
                    top.expectsValue = false
                    top.keyStart = offset
                    top.irregularitiesBefore = irregularities
                } else {
                    top.expectsValue = true
                    if rules.checksKeys { try completeKey() }
                }
            } else if top.kind == .none {
                return true
            }
            guard top.remaining >= 0 else { return false }
            top.remaining &-= 1
            guard top.remaining == 0 else { return false }
            try pop()
        }
    }

    // MARK: Keys

    /// Compares a key that has just ended with the one before it.
    ///
    /// While the keys of a map ascend and are in regular form that is enough. Otherwise they are collected when the map
    /// ends, or here if there is no doubt.
    private mutating func completeKey() throws(WireError) {
        let key = top.keyStart..<offset
        if irregularities != top.irregularitiesBefore { top.isIrregular = true }
        if let previous = top.previousKey {
            switch compareEncodings(key, previous, in: bytes, rules.keyOrder) {
            case 0:
                let keys = CBORKeys(in: bytes, from: top.contentStart, items: top.itemCount)
                throw WireError(.duplicateKey, at: keys.firstDuplicate(areIrregular: top.isIrregular) ?? key.lowerBound)
            case 1: break
            default:
                guard rules.keyOrder == .any else { throw WireError(.keyOrder, at: key.lowerBound) }
                top.isUnordered = true
            }
        }
        top.previousKey = key
    }

    /// Looks for duplicates that the order of a map that ends has not excluded.
    private mutating func judgeKeys() throws(WireError) {
        let keys = CBORKeys(in: bytes, from: top.contentStart, items: top.itemCount)
        if let duplicate = keys.firstDuplicate(areIrregular: top.isIrregular) {
            throw WireError(.duplicateKey, at: duplicate)
        }
        if top.isUnordered { irregularities &+= 1 }
    }

    // MARK: Frames and nodes

    private mutating func push(_ kind: CBORFrame.Kind, remaining: Int, at start: Int) throws(WireError) {
        guard enclosing.count < rules.maximumDepth else { throw WireError(.tooDeep, at: start) }
        enclosing.push(top)
        top = CBORFrame(
            kind: kind,
            remaining: remaining,
            start: start,
            contentStart: offset,
            node: appendNode(),
            irregularities: irregularities
        )
    }

    private mutating func pop() throws(WireError) {
        completeNode(top.node)
        if top.isUnordered || top.isIrregular, top.itemCount > 2 { try judgeKeys() }
        top = enclosing.pop()
    }

    private mutating func appendNode() -> Int {
        nodeCount += 1
        guard nodeCount <= nodeLimit else { return -1 }
        nodes.append(CBORNode(end: 0, next: 0))
        return nodes.count - 1
    }

    private mutating func completeNode(_ index: Int) {
        guard index >= 0 else { return }
        nodes[index] = CBORNode(end: UInt32(truncatingIfNeeded: offset), next: UInt32(truncatingIfNeeded: nodes.count))
    }
}

/// Where an item ends whose head does not tell, and which node comes after those inside it.
package struct CBORNode: Sendable, Hashable {
    /// The offset after the item.
    var end: UInt32
    /// The index of the first node that begins after the item.
    var next: UInt32
}
