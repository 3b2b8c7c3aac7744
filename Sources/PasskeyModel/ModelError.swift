package import PasskeyWire

/// Why a value, or the JSON of one, was refused, and where.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a program branches on.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text is not JSON as RFC 8259 has it, or names a member twice.
        case malformed

        /// A required member is absent.
        case missing

        /// A member has another JSON type than its own.
        case wrongType = "wrong-type"

        /// A length or a number is outside its bounds.
        case outOfRange = "out-of-range"

        /// A value of the right type that means nothing here, such as text that is not base64url.
        case invalid
    }

    /// What a program branches on.
    public var code: Code

    /// The member at fault, such as `allowCredentials[0].id`; empty for the whole value.
    public var path: String

    /// What goes to the log.
    ///
    /// It may quote the input: do not match on it.
    public var detail: String

    /// The byte offset in the JSON text, where a parser refused it.
    public var offset: Int?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What a program branches on.
    ///   - path: The member at fault.
    ///   - detail: What goes to the log.
    ///   - offset: The byte offset, where a parser refused.
    public init(_ code: Code, at path: String = "", _ detail: String, offset: Int? = nil) {
        self.code = code
        self.path = path
        self.detail = detail
        self.offset = offset
    }

    /// The error in one line.
    public var description: String {
        reason + (offset.map { " (offset \($0))" } ?? "")
    }

    /// Path and detail without the offset, for an error that carries the offset itself.
    package var reason: String {
        path.isEmpty ? detail : "\(path): \(detail)"
    }

    /// The same error seen from the value that has this one as a member.
    package func within(_ outer: String) -> ModelError {
        var error = self
        error.path = path.isEmpty ? outer : path.hasPrefix("[") ? outer + path : "\(outer).\(path)"
        return error
    }

    package init(_ error: WireError) {
        self.init(.malformed, error.reason, offset: error.offset)
    }
}

/// The beginning of a text from outside, fit for a log: no line breaks, no control characters, 100 characters at most.
///
/// Details quote what came in. Unbounded, they would let a response write lines of the log.
package func excerpt(_ text: String) -> String {
    var result = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
        guard index < 100 else { return result + "…" }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            result += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
