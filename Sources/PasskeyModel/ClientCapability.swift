public import PasskeyWire

/// Something that a client can do, as `getClientCapabilities()` names it (`#enum-clientCapability`).
///
/// Extensions are capabilities too: see ``extension(_:)``.
public struct ClientCapability: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// A passkey can be created without a dialog of its own.
    public static let conditionalCreate = ClientCapability(rawValue: "conditionalCreate")

    /// Passkeys can be offered in autofill.
    public static let conditionalGet = ClientCapability(rawValue: "conditionalGet")

    /// Authenticators can be reached over the hybrid transport.
    public static let hybridTransport = ClientCapability(rawValue: "hybridTransport")

    /// Passkeys can be made and used here: on this device, or over the hybrid transport.
    public static let passkeyPlatformAuthenticator = ClientCapability(rawValue: "passkeyPlatformAuthenticator")

    /// The device has an authenticator that verifies the user.
    public static let userVerifyingPlatformAuthenticator = ClientCapability(
        rawValue: "userVerifyingPlatformAuthenticator"
    )

    /// The client reads `/.well-known/webauthn` (`#sctn-related-origins`).
    public static let relatedOrigins = ClientCapability(rawValue: "relatedOrigins")

    /// `signalAllAcceptedCredentials()` is there (`#sctn-signalAllAcceptedCredentials`).
    public static let signalAllAcceptedCredentials = ClientCapability(rawValue: "signalAllAcceptedCredentials")

    /// `signalCurrentUserDetails()` is there (`#sctn-signalCurrentUserDetails`).
    public static let signalCurrentUserDetails = ClientCapability(rawValue: "signalCurrentUserDetails")

    /// `signalUnknownCredential()` is there (`#sctn-signalUnknownCredential`).
    public static let signalUnknownCredential = ClientCapability(rawValue: "signalUnknownCredential")

    /// A request can fail at once when no passkey is at hand (`uiMode: "immediate"`).
    public static let immediateGet = ClientCapability(rawValue: "immediateGet")

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

extension ClientCapability {
    /// Support for an extension, of which the client need not say that it is there for each authenticator.
    ///
    /// - Parameter identifier: The extension's name among the client extension inputs, such as `prf`.
    /// - Returns: The capability `extension:` and the name.
    public static func `extension`(_ identifier: String) -> ClientCapability {
        ClientCapability(rawValue: extensionPrefix + identifier)
    }

    /// The name of the extension, if this is the support for one.
    public var extensionIdentifier: String? {
        rawValue.hasPrefix(Self.extensionPrefix) ? String(rawValue.dropFirst(Self.extensionPrefix.count)) : nil
    }

    private static let extensionPrefix = "extension:"
}

/// What `getClientCapabilities()` gave: which capabilities are there and which are not (`#sctn-getClientCapabilities`).
///
/// The client's word is for choosing a page's layout and for nothing else: it is not signed.
public struct ClientCapabilities: JSONRepresentable, ExpressibleByDictionaryLiteral {
    private var values: [ClientCapability: Bool]

    /// Takes what is known.
    ///
    /// - Parameter values: `true` for what is there, `false` for what is not.
    public init(_ values: [ClientCapability: Bool] = [:]) {
        self.values = values
    }

    /// Takes a literal, of which the last of several equal keys counts.
    ///
    /// - Parameter elements: Capabilities, and whether they are there.
    public init(dictionaryLiteral elements: (ClientCapability, Bool)...) {
        values = Dictionary(elements) { $1 }
    }

    /// Whether the capability is there; `nil` where the client did not say, which means neither yes nor no.
    public subscript(capability: ClientCapability) -> Bool? {
        get { values[capability] }
        set { values[capability] = newValue }
    }

    /// The capabilities that the client spoke of, in the order of their names.
    public var named: [ClientCapability] {
        values.keys.sorted { $0.rawValue.utf16.lexicographicallyPrecedes($1.rawValue.utf16) }
    }

    /// Reads the record that `getClientCapabilities()` gave, as `JSON.stringify()` writes it.
    ///
    /// - Parameter json: An object whose members are all booleans.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        values = [:]
        for member in try JSONMembers(json).others(than: []).members where member.value != .null {
            do throws(ModelError) {
                values[ClientCapability(rawValue: member.name)] = try JSONMembers.bool(member.value)
            } catch {
                throw error.within(member.name)
            }
        }
    }

    /// The record, in the order of the names.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        for capability in named {
            object.write(capability.rawValue, self[capability])
        }
        return object.json
    }
}
