/// An array, map or tag whose content is being scanned.
struct CBORFrame {
    enum Kind {
        /// No container: what stands around the outermost item.
        case none
        case array
        case map
        case tag
        /// A tag whose content is judged as a bignum.
        case bignum
    }

    let kind: Kind

    /// Whether a key was read and its value is to come.
    var expectsValue = false
    /// Whether a key came that does not follow the one before it in the order.
    var isUnordered = false
    /// Whether a key came that could have been written otherwise.
    var isIrregular = false

    /// The items that are still to come, two for each pair, or -1 before a "break".
    var remaining: Int
    /// The items of a map that have ended.
    var itemCount = 0
    let start: Int
    let contentStart: Int
    /// The node to be completed when the container ends, or -1.
    let node: Int

    /// Where the current key begins.
    var keyStart: Int
    var previousKey: Range<Int>?
    /// The count of irregularities at the beginning of the current key.
    var irregularitiesBefore: UInt32

    /// The frame around everything.
    init() {
        self.init(kind: .none, remaining: 1, start: 0, contentStart: 0, node: -1, irregularities: 0)
    }

    init(kind: Kind, remaining: Int, start: Int, contentStart: Int, node: Int, irregularities: UInt32) {
        self.kind = kind
        self.remaining = remaining
        self.start = start
        self.contentStart = contentStart
        self.node = node
        keyStart = contentStart
        irregularitiesBefore = irregularities
    }
}

/// A stack that allocates nothing until it holds more than four frames, which is all that CTAP2 and most attestation
/// objects need.
struct CBORFrameStack {
    private var first = CBORFrame()
    private var second = CBORFrame()
    private var third = CBORFrame()
    private var fourth = CBORFrame()
    private var others: [CBORFrame] = []

    private(set) var count = 0

    @inline(__always)
    mutating func push(_ frame: CBORFrame) {
        switch count {
        case 0: first = frame
        case 1: second = frame
        case 2: third = frame
        case 3: fourth = frame
        default: others.append(frame)
        }
        count += 1
    }

    /// The frame pushed last; there must be one.
    @inline(__always)
    mutating func pop() -> CBORFrame {
        count -= 1
        switch count {
        case 0: return first
        case 1: return second
        case 2: return third
        case 3: return fourth
        default: return others.removeLast()
        }
    }
}
