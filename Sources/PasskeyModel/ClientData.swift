public import PasskeyWire

/// What the client says of a ceremony, signed by hash (`#dictdef-collectedclientdata`).
///
/// The bytes are what is hashed: they are kept as they came, and never written anew.
public struct ClientData: Hashable, Sendable {
    /// The bytes as they came.
    public let bytes: [UInt8]

    /// `webauthn.create` or `webauthn.get`.
    public let type: String

    /// The challenge, as the text that was sent: base64url, if the client is honest.
    public let challenge: String

    /// The origin, as the text that was sent.
    public let origin: String

    /// Whether the page was in a frame of another origin; absent means no.
    public let crossOrigin: Bool?

    /// The origin of the page around the frame, where there is one.
    public let topOrigin: String?

    /// All members, with those that this library does not know: clients may add some at any time.
    public let members: JSONObject

    /// Reads client data.
    ///
    /// It is UTF-8 decoded as `#sctn-registering-a-new-credential` step 5 says, which drops one byte order mark, and
    /// read by the strict JSON reader.
    ///
    /// - Parameter bytes: `response.clientDataJSON`, decoded from base64url.
    /// - Throws: ``WireError``; ``WireError/Code/invalidUTF8`` belongs to step 5, all others to the step after it.
    public init(_ bytes: [UInt8]) throws(WireError) {
        self.bytes = bytes
        // The whole is decoded before it is parsed: bad UTF-8 anywhere is step 5's.
        let text = bytes[...]
        if let offset = firstInvalidUTF8(in: text.span, from: 0, to: text.count) {
            throw WireError(.invalidUTF8, at: offset)
        }
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let json: JSONValue
        do throws(WireError) {
            json = try JSONValue(json: bytes[mark...])
        } catch {
            throw WireError(error.code, at: error.offset + mark, detail: error.detail)
        }
        guard case .object(let members) = json else { throw WireError(.wrongType, at: mark, detail: "not an object") }
        self.members = members
        type = try ClientData.string("type", members)
        challenge = try ClientData.string("challenge", members)
        origin = try ClientData.string("origin", members)
        switch members["crossOrigin"] {
        case nil: crossOrigin = nil
        case .bool(let flag): crossOrigin = flag
        default: throw WireError(.wrongType, at: mark, detail: "crossOrigin is not true or false")
        }
        topOrigin = members["topOrigin"] == nil ? nil : try ClientData.string("topOrigin", members)
    }

    private static func string(_ name: String, _ members: JSONObject) throws(WireError) -> String {
        switch members[name] {
        case .string(let text): return text
        case nil: throw WireError(.missingParameter, at: 0, detail: name)
        default: throw WireError(.wrongType, at: 0, detail: "\(name) is not a string")
        }
    }

    /// Writes client data byte for byte as `#clientdatajson-serialization` says.
    ///
    /// - Parameters:
    ///   - type: `webauthn.create` or `webauthn.get`.
    ///   - challenge: The raw bytes.
    ///   - origin: The origin's text.
    ///   - crossOrigin: Whether the page was in a frame of another origin. `nil` leaves the member out, as native iOS
    ///     clients do and the specification does not.
    ///   - topOrigin: The origin of the page around the frame.
    ///   - extra: Members to add at the end, in this order; their JSON is written as it is.
    /// - Returns: UTF-8.
    public static func serialize(
        type: String,
        challenge: [UInt8],
        origin: String,
        crossOrigin: Bool?,
        topOrigin: String? = nil,
        extra: JSONObject = JSONObject()
    ) -> [UInt8] {
        var text = #"{"type":"# + quoted(type)
        text += #","challenge":"# + quoted(Base64URL.encode(challenge))
        text += #","origin":"# + quoted(origin)
        if let crossOrigin { text += #","crossOrigin":"# + (crossOrigin ? "true" : "false") }
        if let topOrigin { text += #","topOrigin":"# + quoted(topOrigin) }
        var bytes = [UInt8](text.utf8)
        for member in extra.members {
            bytes += [UInt8(ascii: ",")] + [UInt8](quoted(member.name).utf8) + [UInt8(ascii: ":")]
            bytes += member.value.serialized()
        }
        return bytes + [UInt8(ascii: "}")]
    }

    /// CCDToString (`#ccdtostring`): only the quotation mark, the backslash and control characters are escaped.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20, 0x21, 0x23...0x5B, 0x5D...0x10FFFF: result.unicodeScalars.append(scalar)
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            default: result += "\\u00" + Hex.encode([UInt8(truncatingIfNeeded: scalar.value)])
            }
        }
        return result + "\""
    }
}
