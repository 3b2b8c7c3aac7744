public import PasskeyWire

/// A value that travels as JSON, with one strict reader and one writer.
///
/// `init(json:)` on bytes or text is the strict way: it sees duplicate members. `Codable` is a bridge for web
/// frameworks: it decodes a ``JSONValue``, writes it, and reads that with the strict reader. A framework's own parser
/// has dropped duplicate members by then.
public protocol JSONRepresentable: Codable, Hashable, Sendable {
    /// Reads the value.
    ///
    /// - Parameter json: A parsed JSON value.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    init(_ json: JSONValue) throws(ModelError)

    /// The value as JSON.
    var json: JSONValue { get }
}

extension JSONRepresentable {
    /// Reads the value from JSON text.
    ///
    /// - Parameter bytes: UTF-8, no byte order mark, nothing after the value.
    /// - Throws: ``ModelError``, with an offset where the text is not JSON.
    public init(json bytes: [UInt8]) throws(ModelError) {
        let value: JSONValue
        do throws(WireError) {
            value = try JSONValue(json: bytes)
        } catch {
            throw ModelError(error)
        }
        try self.init(value)
    }

    /// Reads the value from JSON text.
    ///
    /// - Parameter text: One JSON value.
    /// - Throws: ``ModelError``, with an offset where the text is not JSON.
    public init(json text: String) throws(ModelError) {
        try self.init(json: [UInt8](text.utf8))
    }

    /// The value as JSON text in UTF-8.
    public func jsonBytes() -> [UInt8] {
        json.serialized()
    }

    /// Decodes the value through a ``JSONValue``.
    ///
    /// - Parameter decoder: Any decoder of a self-describing format.
    /// - Throws: The decoder's error, or ``ModelError``.
    public init(from decoder: any Decoder) throws {
        try self.init(json: JSONValue(from: decoder).serialized())
    }

    /// Encodes the value through a ``JSONValue``.
    ///
    /// - Parameter encoder: Any encoder.
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}
