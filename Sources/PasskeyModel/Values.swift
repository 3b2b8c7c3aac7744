import PasskeySystem
public import PasskeyWire

/// The random bytes that tie a response to the one request that asked for it.
///
/// Make one for each ceremony, keep it on the server, and discard it when the ceremony ends, whether or not it
/// succeeded. A challenge that is accepted twice allows replay.
public struct Challenge: JSONRepresentable {
    /// The raw bytes, 1 to 1024 of them; JSON carries them as base64url without padding.
    public let bytes: [UInt8]

    /// Takes a challenge back from storage.
    ///
    /// An older record or another library may have made a short one; new ones have at least 16 bytes
    /// (`#sctn-cryptographic-challenges`). The upper bound is this library's.
    ///
    /// - Parameter bytes: The bytes as ``bytes`` gave them, not base64url text.
    /// - Throws: ``ModelError`` if there are not 1 to 1024 of them.
    public init(bytes: [UInt8]) throws(ModelError) {
        guard (1...1024).contains(bytes.count) else {
            throw ModelError(.outOfRange, "a challenge has 1 to 1024 bytes, not \(bytes.count)")
        }
        self.bytes = bytes
    }

    /// Makes a challenge of 32 bytes from the system's random source.
    public static func random() -> Challenge {
        Challenge(unchecked: randomBytes(32))
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        try self.init(bytes: JSONMembers.bytes(json))
    }

    /// The JSON form.
    public var json: JSONValue { .string(Base64URL.encode(bytes)) }
}

/// What an account is called between server and authenticator: opaque bytes, the same for all its passkeys.
///
/// It must not be an e-mail address or anything else that tells who the user is (`#sctn-user-handle-privacy`).
public struct UserHandle: JSONRepresentable {
    /// The raw bytes, 1 to 64 of them (`#dom-publickeycredentialuserentity-id`).
    public let bytes: [UInt8]

    /// Takes a handle back from storage.
    ///
    /// - Parameter bytes: The bytes, not base64url text.
    /// - Throws: ``ModelError`` if there are not 1 to 64 of them.
    public init(bytes: [UInt8]) throws(ModelError) {
        guard (1...64).contains(bytes.count) else {
            throw ModelError(.outOfRange, "a user handle has 1 to 64 bytes, not \(bytes.count)")
        }
        self.bytes = bytes
    }

    /// Makes a handle of 32 bytes from the system's random source.
    public static func random() -> UserHandle {
        UserHandle(unchecked: randomBytes(32))
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        try self.init(bytes: JSONMembers.bytes(json))
    }

    /// The JSON form.
    public var json: JSONValue { .string(Base64URL.encode(bytes)) }
}

/// A moment: whole milliseconds since 1970 began in UTC, leap seconds not counted.
public struct Timestamp: JSONRepresentable, Comparable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var millisecondsSince1970: Int64

    /// Makes a moment.
    ///
    /// - Parameter millisecondsSince1970: Milliseconds since 1970-01-01T00:00:00Z; negative ones are earlier.
    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    /// The moment by the system's clock.
    public static func now() -> Timestamp {
        Timestamp(millisecondsSince1970: WallClock.millisecondsSince1970())
    }

    /// Whether the first is the earlier one.
    public static func < (first: Timestamp, second: Timestamp) -> Bool {
        first.millisecondsSince1970 < second.millisecondsSince1970
    }

    /// The moment this much later; it stops at the ends of `Int64` rather than trap.
    ///
    /// - Parameter milliseconds: How much later; negative is earlier.
    /// - Returns: That moment.
    public func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
        let (sum, overflow) = millisecondsSince1970.addingReportingOverflow(milliseconds)
        return Timestamp(millisecondsSince1970: overflow ? (milliseconds < 0 ? .min : .max) : sum)
    }

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        self.init(millisecondsSince1970: Int64(try JSONMembers.int(json)))
    }

    /// The JSON form.
    public var json: JSONValue { .number(JSONNumber(Int(millisecondsSince1970))) }
}

/// The identifier of an authenticator's model (`#aaguid`); all zero where it does not tell.
public struct AAGUID: JSONRepresentable, CustomStringConvertible {
    /// The 16 bytes, in the order of the UUID's text.
    public let bytes: [UInt8]

    /// An authenticator that does not tell its model.
    public static let zero = AAGUID(unchecked: [UInt8](repeating: 0, count: 16))

    /// Takes the bytes.
    ///
    /// - Parameter bytes: 16 of them.
    /// - Throws: ``ModelError`` if there are not 16.
    public init(bytes: [UInt8]) throws(ModelError) {
        guard bytes.count == 16 else { throw ModelError(.outOfRange, "an AAGUID has 16 bytes, not \(bytes.count)") }
        self.bytes = bytes
    }

    /// Reads a UUID's text.
    ///
    /// - Parameter text: 8-4-4-4-12 hexadecimal digits.
    public init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], let bytes = Hex.decode(groups.joined()) else { return nil }
        self.bytes = bytes
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The UUID's text in lower case.
    public var description: String {
        let digits = Array(Hex.encode(bytes))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let text = try JSONMembers.string(json)
        guard let aaguid = AAGUID(text) else { throw ModelError(.invalid, "not a UUID: \(text)") }
        self = aaguid
    }

    /// The JSON form.
    public var json: JSONValue { .string(description) }
}

/// Bytes from the system's cryptographically secure source.
private func randomBytes(_ count: Int) -> [UInt8] {
    var source = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) }
}
