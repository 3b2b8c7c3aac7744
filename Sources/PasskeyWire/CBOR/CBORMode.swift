/// How strictly CBOR is read.
public enum CBORMode: String, Hashable, Sendable, CaseIterable {
    /// RFC 8949 §1.2 "well-formed", and no more: text need not be UTF-8, and keys may stand twice.
    ///
    /// For tools that show what was sent. Do not take decisions from it: two readers of such a map may see two values.
    case wellFormed
    /// Well-formed, text is UTF-8, and no map has one key twice (RFC 8949 §5.3.1).
    ///
    /// Keys are compared by value as §5.6.1 says, so that `01` and `1801` are one key. What a tag means is not looked at.
    case valid
    /// Valid, and the Core Deterministic Encoding of RFC 8949 §4.2.1.
    ///
    /// Shortest heads, floats and bignums, definite lengths, keys in the bytewise order of their encodings.
    case deterministic
    /// Valid, and the CTAP2 canonical form of CTAP 2.2 §8.
    ///
    /// Shortest heads, definite lengths, no tags, at most 4 levels of maps and arrays, keys ordered by major type, then
    /// length, then bytes. Floats stay as they are.
    case ctap2

    /// How many containers may enclose an item when nobody says otherwise: 4 in ``ctap2``, 16 elsewhere.
    public var defaultMaximumDepth: Int { self == .ctap2 ? 4 : 16 }

    /// The limit that holds when `requested` is asked for.
    ///
    /// It never exceeds 512 (so that no tree can exhaust a thread's stack when it is released) nor CTAP2's own limit.
    func maximumDepth(_ requested: Int?) -> Int {
        min(max(requested ?? defaultMaximumDepth, 0), self == .ctap2 ? 4 : CBOR.greatestMaximumDepth)
    }
}

/// The rules that a mode consists of.
struct CBORRules {
    /// The order that the keys of a map must have.
    enum KeyOrder {
        case any
        case bytewise
        case ctap2
    }

    var checksUTF8: Bool
    var checksKeys: Bool
    var requiresShortest: Bool
    var requiresShortestFloats: Bool
    var allowsTags: Bool
    var keyOrder: KeyOrder
    var maximumDepth: Int

    init(_ mode: CBORMode, maximumDepth: Int?) {
        checksUTF8 = mode != .wellFormed
        checksKeys = mode != .wellFormed
        requiresShortest = mode == .deterministic || mode == .ctap2
        requiresShortestFloats = mode == .deterministic
        allowsTags = mode != .ctap2
        keyOrder =
            switch mode {
            case .wellFormed, .valid: .any
            case .deterministic: .bytewise
            case .ctap2: .ctap2
            }
        self.maximumDepth = mode.maximumDepth(maximumDepth)
    }
}
