/// Why bytes or text were refused, and where.
///
/// Every parser and writer of this module throws this type and no other. A program branches on ``code``; ``detail`` is
/// for a log.
public struct WireError: Error, Hashable, Sendable {
    /// What is wrong.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // Any encoding

        /// The input ends before the item does, or an item claims more than the input holds.
        case truncated
        /// Something follows the one item that the input should be.
        case trailingBytes = "trailing-bytes"
        /// The items nest deeper than the limit.
        case tooDeep = "too-deep"
        /// The input is larger than the parser handles.
        case tooLarge = "too-large"
        /// A key or a member's name stands twice in one map or object.
        case duplicateKey = "duplicate-key"
        /// Text is not UTF-8.
        case invalidUTF8 = "invalid-utf8"
        /// An item has another type than the one asked for.
        case wrongType = "wrong-type"
        /// A number is outside the range that is allowed or that the result can hold.
        case outOfRange = "out-of-range"

        // CBOR, RFC 8949

        /// The additional information is one of the reserved values 28, 29 and 30 (§3).
        case reservedAdditionalInformation = "reserved-additional-information"
        /// A simple value below 32 in two bytes, which is not well-formed, or one of 24 to 31, which has no encoding.
        case reservedSimpleValue = "reserved-simple-value"
        /// A "break" stands where none may be (§3.2.1).
        case unexpectedBreak = "unexpected-break"
        /// A chunk is not a definite-length string of the major type of its string (§3.2.3).
        case invalidChunk = "invalid-chunk"
        /// An indefinite length where the mode allows none, or at an integer or a tag, where no mode does.
        case indefiniteLength = "indefinite-length"
        /// An argument, a floating-point number or a bignum is longer than it needs to be (§4.1).
        case notShortest = "not-shortest"
        /// The keys of a map are not in the order of the mode.
        case keyOrder = "key-order"
        /// A tag where the mode allows none (CTAP 2.2 §8).
        case tagNotAllowed = "tag-not-allowed"

        // JSON, RFC 8259

        /// A character that the grammar does not allow here.
        case unexpectedCharacter = "unexpected-character"
        /// A number that is not of JSON's form, such as `01`, `1.` or `+1`.
        case invalidNumber = "invalid-number"
        /// An escape that JSON does not have.
        case invalidEscape = "invalid-escape"
        /// Half of a UTF-16 surrogate pair.
        case loneSurrogate = "lone-surrogate"
        /// A control character that stands in a string without an escape.
        case controlCharacter = "control-character"

        // base64 and base64url, RFC 4648

        /// A character outside the alphabet, which includes padding and white space.
        case invalidCharacter = "invalid-character"
        /// The number of characters encodes no whole number of bytes, or the padding is not what it must be.
        case invalidLength = "invalid-length"
        /// The unused bits of the last character are not zero (RFC 4648 §3.5).
        case nonZeroTail = "non-zero-tail"

        // COSE keys and ECDSA signatures

        /// A parameter that the key type needs is absent.
        case missingParameter = "missing-parameter"
        /// A parameter that a credential public key does not have.
        case unexpectedParameter = "unexpected-parameter"
        /// Private key material, which a public key must not carry.
        case privateKey = "private-key"
        /// A key type that WebAuthn does not use.
        case unsupportedKeyType = "unsupported-key-type"
        /// A curve that no signature algorithm here uses.
        case unsupportedCurve = "unsupported-curve"
        /// An algorithm that this library does not know.
        case unsupportedAlgorithm = "unsupported-algorithm"
        /// Algorithm, key type and curve do not belong together.
        case algorithmMismatch = "algorithm-mismatch"
        /// A coordinate or key has another length than its curve or algorithm needs.
        case invalidKeyLength = "invalid-key-length"
        /// A point in compressed form, which WebAuthn forbids.
        case compressedPoint = "compressed-point"
        /// An RSA modulus that is even or outside 2048...8192 bits.
        case invalidModulus = "invalid-modulus"
        /// An RSA exponent that is even, below 3 or longer than 64 bits.
        case invalidExponent = "invalid-exponent"
        /// An integer with a leading zero that it does not need, or with a sign.
        case notMinimal = "not-minimal"
    }

    /// What a program branches on.
    public var code: Code

    /// The offset in the input of the item or character at fault, in bytes from its first one.
    ///
    /// For input that ends early it is the offset of the head that claims too much, or the input's length where an item
    /// should begin. A writer counts in its output.
    public var offset: Int

    /// What goes to the log, such as the name of a member; it may be empty.
    ///
    /// It may quote the input: do not match on it, and do not show it to the user.
    public var detail: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What is wrong.
    ///   - offset: Where, in bytes from the beginning of the input.
    ///   - detail: What goes to the log.
    public init(_ code: Code, at offset: Int, detail: String = "") {
        self.code = code
        self.offset = offset
        self.detail = detail
    }
}

extension WireError: CustomStringConvertible {
    /// The code, the offset and the detail in one line.
    public var description: String {
        "\(code.rawValue) at byte \(offset)\(detail.isEmpty ? "" : ": \(detail)")"
    }
}

extension WireError {
    /// Code and detail without the offset, for an error that carries the offset itself.
    package var reason: String {
        detail.isEmpty ? code.rawValue : "\(code.rawValue): \(detail)"
    }

    /// The same error for an input in which the parsed part begins `count` bytes later.
    package func shifted(by count: Int) -> WireError {
        WireError(code, at: offset + count, detail: detail)
    }
}
