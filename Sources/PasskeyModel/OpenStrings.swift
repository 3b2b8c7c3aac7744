import PasskeyWire

// Values that grow: what is not known is kept as it came, for a server to store and send back.

/// The type of a credential (`#enum-credentialType`).
///
/// A client ignores descriptors and parameters of a type that it does not know.
public struct PublicKeyCredentialType: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The one type that WebAuthn defines.
    public static let publicKey = PublicKeyCredentialType(rawValue: "public-key")

    /// The value as it travels.
    public let rawValue: String

    /// Takes any value, known or not.
    ///
    /// - Parameter rawValue: The value as it travels.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes a literal.
    ///
    /// - Parameter value: The value as it travels.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The value as it travels.
    public var description: String { rawValue }

    /// Whether both have the same bytes; canonical equivalence is not equality here.
    public static func == (first: Self, second: Self) -> Bool {
        first.rawValue.hasSameBytes(as: second.rawValue)
    }

    /// Feeds the bytes to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: rawValue)
    }
}

/// A way in which a client reaches an authenticator (`#enum-transport`).
///
/// A relying party keeps values that it does not know, and sends them back as they are
/// (`#dom-authenticatorattestationresponse-transports-slot`).
public struct AuthenticatorTransport: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// Over USB.
    public static let usb = AuthenticatorTransport(rawValue: "usb")

    /// Over near field communication.
    public static let nfc = AuthenticatorTransport(rawValue: "nfc")

    /// Over Bluetooth Low Energy.
    public static let ble = AuthenticatorTransport(rawValue: "ble")

    /// Over ISO/IEC 7816 smart card contacts.
    public static let smartCard = AuthenticatorTransport(rawValue: "smart-card")

    /// Over a data transport with a proximity check beside it, as when a phone scans a QR code.
    public static let hybrid = AuthenticatorTransport(rawValue: "hybrid")

    /// In the client device itself.
    public static let `internal` = AuthenticatorTransport(rawValue: "internal")

    /// The value as it travels.
    public let rawValue: String

    /// Takes any value, known or not.
    ///
    /// - Parameter rawValue: The value as it travels.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes a literal.
    ///
    /// - Parameter value: The value as it travels.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The value as it travels.
    public var description: String { rawValue }

    /// Whether both have the same bytes; canonical equivalence is not equality here.
    public static func == (first: Self, second: Self) -> Bool {
        first.rawValue.hasSameBytes(as: second.rawValue)
    }

    /// Feeds the bytes to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: rawValue)
    }
}

/// What a client may show the user first (`#enum-hints`).
///
/// Hints order the dialog and enforce nothing.
public struct PublicKeyCredentialHint: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// A physical security key.
    public static let securityKey = PublicKeyCredentialHint(rawValue: "security-key")

    /// The authenticator of the client device.
    public static let clientDevice = PublicKeyCredentialHint(rawValue: "client-device")

    /// A general-purpose device such as a phone.
    public static let hybrid = PublicKeyCredentialHint(rawValue: "hybrid")

    /// The value as it travels.
    public let rawValue: String

    /// Takes any value, known or not.
    ///
    /// - Parameter rawValue: The value as it travels.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes a literal.
    ///
    /// - Parameter value: The value as it travels.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The value as it travels.
    public var description: String { rawValue }

    /// Whether both have the same bytes; canonical equivalence is not equality here.
    public static func == (first: Self, second: Self) -> Bool {
        first.rawValue.hasSameBytes(as: second.rawValue)
    }

    /// Feeds the bytes to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: rawValue)
    }
}

/// The identifier of an attestation statement format (`#sctn-attstn-fmt-ids`).
///
/// The names are those of the IANA registry "WebAuthn Attestation Statement Format Identifiers".
public struct AttestationStatementFormat: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// No statement (`#sctn-none-attestation`).
    public static let none = AttestationStatementFormat(rawValue: "none")

    /// WebAuthn's own format (`#sctn-packed-attestation`).
    public static let packed = AttestationStatementFormat(rawValue: "packed")

    /// A Trusted Platform Module's (`#sctn-tpm-attestation`).
    public static let tpm = AttestationStatementFormat(rawValue: "tpm")

    /// Android's key attestation (`#sctn-android-key-attestation`).
    public static let androidKey = AttestationStatementFormat(rawValue: "android-key")

    /// SafetyNet, which is no longer made (`#sctn-android-safetynet-attestation`).
    public static let androidSafetyNet = AttestationStatementFormat(rawValue: "android-safetynet")

    /// FIDO U2F's (`#sctn-fido-u2f-attestation`).
    public static let fidoU2F = AttestationStatementFormat(rawValue: "fido-u2f")

    /// Apple's anonymous one (`#sctn-apple-anonymous-attestation`).
    public static let apple = AttestationStatementFormat(rawValue: "apple")

    /// Several statements in one (`#sctn-compound-attestation`).
    public static let compound = AttestationStatementFormat(rawValue: "compound")

    /// The value as it travels.
    public let rawValue: String

    /// Takes any value, known or not.
    ///
    /// - Parameter rawValue: The value as it travels.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes a literal.
    ///
    /// - Parameter value: The value as it travels.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The value as it travels.
    public var description: String { rawValue }

    /// Whether both have the same bytes; canonical equivalence is not equality here.
    public static func == (first: Self, second: Self) -> Bool {
        first.rawValue.hasSameBytes(as: second.rawValue)
    }

    /// Feeds the bytes to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: rawValue)
    }
}

extension JSONMembers {
    /// Reads an array of open strings; an absent one is empty.
    package func openStrings<Value: RawRepresentable<String>>(_ name: String) throws(ModelError) -> [Value] {
        try readElements(name, JSONMembers.string).compactMap(Value.init(rawValue:))
    }
}

extension JSONObjectWriter {
    /// Writes an array of open strings, unless it is empty.
    package mutating func write(_ name: String, _ values: [some RawRepresentable<String>]) {
        guard !values.isEmpty else { return }
        write(name, .array(values.map { .string($0.rawValue) }))
    }
}
