public import PasskeyWire

/// What extensions gave inside authenticator data, where it is signed (`#authdata-extensions`).
///
/// It is a CBOR map by extension identifier, and its bytes are kept as they came. A map whose keys are not all text is
/// refused at once. What is under a key is looked at by the property that reads it, which throws when the value has
/// another type than the extension gives it: a relying party that did not ask for an extension ignores what it gave,
/// and is not kept from its users by it.
public struct AuthenticatorExtensionOutputs: JSONRepresentable {
    /// The map as it came.
    public let document: CBORDocument

    /// Takes the outputs of authenticator data.
    ///
    /// - Parameter document: A map with text keys.
    /// - Throws: ``WireError`` with the offset in the document, if it is something else.
    public init(_ document: CBORDocument) throws(WireError) {
        guard let entries = document.root.entries else {
            throw WireError(.wrongType, at: 0, detail: "extension outputs are a map")
        }
        for entry in entries where entry.key.kind != .text {
            throw WireError(.wrongType, at: entry.key.range.lowerBound, detail: "an extension identifier is text")
        }
        self.document = document
    }

    /// Makes outputs, in CTAP2's canonical form.
    ///
    /// - Parameter map: A map with text keys.
    /// - Throws: ``WireError`` if it is something else, or nested too deep.
    public init(_ map: CBOR) throws(WireError) {
        try self.init(CBORDocument(map.encoded(.ctap2)))
    }

    /// The identifiers of the extensions that gave something, in the order of the map.
    public var identifiers: [String] {
        guard let entries = document.root.entries else { return [] }
        return entries.compactMap(\.key.string)
    }

    /// What an extension gave, known or not.
    ///
    /// - Parameter identifier: The extension's identifier, such as `credProtect`.
    public subscript(identifier: String) -> CBORDocument.Item? { document.root[identifier] }

    /// Whether the bytes are the same.
    ///
    /// - Parameters:
    ///   - first: Outputs.
    ///   - second: Other outputs.
    /// - Returns: Whether the bytes are the same.
    public static func == (first: Self, second: Self) -> Bool { first.document.bytes == second.document.bytes }

    /// Feeds the bytes.
    ///
    /// - Parameter hasher: What is fed.
    public func hash(into hasher: inout Hasher) { hasher.combine(document.bytes) }

    /// Reads outputs from base64url of the map.
    ///
    /// - Parameter json: A string.
    /// - Throws: ``ModelError`` if it is anything else.
    public init(_ json: JSONValue) throws(ModelError) {
        let bytes = try JSONMembers.bytes(json)
        do throws(WireError) {
            try self.init(CBORDocument(bytes))
        } catch {
            throw ModelError(.invalid, "not extension outputs: \(error)")
        }
    }

    /// The map as base64url.
    ///
    /// The specification has no JSON form of it by itself; this one is for storage, and keeps what was signed.
    public var json: JSONValue { .string(Base64URL.encode(document.bytes)) }
}

extension AuthenticatorExtensionOutputs {
    /// What `credBlob` and `hmac-secret` give: in a registration whether it worked, in a sign-in the bytes.
    @nonexhaustive
    public enum FlagOrBytes: Hashable, Sendable {
        /// In a registration: whether the bytes were stored, or the secret made.
        case flag(Bool)

        /// In a sign-in: the bytes.
        case bytes([UInt8])
    }

    /// How the credential is guarded, as ``CredentialProtectionPolicy/level`` numbers it (CTAP 2.2, `credProtect`).
    ///
    /// - Throws: ``WireError`` if the output is not 1, 2 or 3.
    public var credProtect: Int? {
        get throws(WireError) {
            try read("credProtect", "1, 2 or 3") { item in
                item.int.flatMap { (1...3).contains($0) ? $0 : nil }
            }
        }
    }

    /// Whether bytes were stored with the credential, or these bytes (CTAP 2.2, `credBlob`).
    ///
    /// - Throws: ``WireError`` if the output is neither a boolean nor a byte string.
    public var credBlob: FlagOrBytes? {
        get throws(WireError) { try read("credBlob", "a boolean or a byte string", Self.flagOrBytes) }
    }

    /// Whether the credential has a secret, or what it made of the salts, encrypted for the client (CTAP 2.2).
    ///
    /// - Throws: ``WireError`` if the output is neither a boolean nor a byte string.
    public var hmacSecret: FlagOrBytes? {
        get throws(WireError) { try read("hmac-secret", "a boolean or a byte string", Self.flagOrBytes) }
    }

    /// What a new credential's secret made of the salts, encrypted for the client (CTAP 2.2).
    ///
    /// - Throws: ``WireError`` if the output is not a byte string.
    public var hmacSecretMC: [UInt8]? {
        get throws(WireError) { try read("hmac-secret-mc", "a byte string") { $0.byteArray } }
    }

    /// How many characters a PIN has at least (CTAP 2.2, `minPinLength`).
    ///
    /// - Throws: ``WireError`` if the output is not an unsigned integer.
    public var minPinLength: UInt? {
        get throws(WireError) {
            try read("minPinLength", "an unsigned integer") { $0.uint64.flatMap(UInt.init(exactly:)) }
        }
    }

    /// How the user was verified, by one to three factors (`#sctn-uvm-extension`).
    ///
    /// - Throws: ``WireError`` if the output is something else.
    public var uvm: [UserVerificationMethodEntry]? {
        get throws(WireError) {
            try read("uvm", "one to three arrays of three unsigned integers") { item in
                guard let elements = item.elements else { return nil }
                var entries: [UserVerificationMethodEntry] = []
                for element in elements {
                    guard entries.count < 3, let entry = Self.entry(element) else { return nil }
                    entries.append(entry)
                }
                return entries.isEmpty ? nil : entries
            }
        }
    }

    private static func entry(_ item: CBORDocument.Item) -> UserVerificationMethodEntry? {
        guard let numbers = item.elements?.map(\.uint64) else { return nil }
        let present = numbers.compactMap { $0 }
        return present.count == numbers.count ? UserVerificationMethodEntry(present) : nil
    }

    private static func flagOrBytes(_ item: CBORDocument.Item) -> FlagOrBytes? {
        item.bool.map { .flag($0) } ?? item.byteArray.map { .bytes($0) }
    }

    private func read<Value>(
        _ identifier: String,
        _ expected: String,
        _ read: (CBORDocument.Item) -> Value?
    ) throws(WireError) -> Value? {
        guard let item = self[identifier] else { return nil }
        guard let value = read(item) else {
            throw WireError(.wrongType, at: item.range.lowerBound, detail: "\(identifier) is not \(expected)")
        }
        return value
    }
}
