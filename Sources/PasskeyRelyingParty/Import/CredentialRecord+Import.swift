public import PasskeyModel
import PasskeyWire

extension CredentialRecord {
    /// Reads a record that another library stored.
    ///
    /// - Parameters:
    ///   - json: The record.
    ///   - library: Whose it is.
    ///   - userHandle: Whose credential it is; it must be given where the record does not say so, and must be the same where
    ///     it does.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(
        importing json: JSONValue,
        from library: ForeignRecord,
        userHandle: UserHandle? = nil
    ) throws(ModelError) {
        let members = try JSONMembers(json)
        switch library {
        case .simpleWebAuthn: try self.init(simpleWebAuthn: members, userHandle)
        case .pyWebAuthn: try self.init(pyWebAuthn: members, userHandle)
        case .goWebAuthn: try self.init(goWebAuthn: members, userHandle)
        case .swiftWebAuthn: try self.init(swiftWebAuthn: members, userHandle)
        }
    }

    /// Reads a record that another library stored, from JSON text.
    ///
    /// - Parameters:
    ///   - bytes: JSON in UTF-8.
    ///   - library: Whose it is.
    ///   - userHandle: Whose credential it is, as for the other initialiser.
    /// - Throws: ``ModelError``, with an offset where the text is not JSON.
    public init(
        importing bytes: [UInt8],
        from library: ForeignRecord,
        userHandle: UserHandle? = nil
    ) throws(ModelError) {
        let json: JSONValue
        do throws(WireError) {
            json = try JSONValue(json: bytes)
        } catch {
            throw ModelError(error)
        }
        try self.init(importing: json, from: library, userHandle: userHandle)
    }

    // MARK: SimpleWebAuthn

    private init(simpleWebAuthn members: JSONMembers, _ given: UserHandle?) throws(ModelError) {
        let isOld = members["credentialID"] != nil
        let type = try members.deviceType(
            isOld ? "credentialDeviceType" : "deviceType",
            single: "singleDevice",
            multi: "multiDevice"
        )
        try self.init(
            id: members.read(isOld ? "credentialID" : "id", ForeignBytes.javaScript),
            publicKey: members.read(isOld ? "credentialPublicKey" : "publicKey", ForeignBytes.javaScript),
            signCount: members.counter("counter"),
            userHandle: members.userHandle("webauthnUserID", given),
            transports: members.transports("transports"),
            uvInitialized: members.boolIfPresent("userVerified") ?? false,
            backupEligible: type,
            backupState: members.boolIfPresent(isOld ? "credentialBackedUp" : "backedUp"),
            aaguid: members.aaguid("aaguid")
        )
    }

    // MARK: py_webauthn

    private init(pyWebAuthn members: JSONMembers, _ given: UserHandle?) throws(ModelError) {
        try self.init(
            id: members.bytes("credential_id"),
            publicKey: members.bytes("credential_public_key"),
            signCount: members.counter("sign_count"),
            userHandle: members.userHandle("user_handle", given),
            transports: members.transports("transports"),
            uvInitialized: members.boolIfPresent("user_verified") ?? false,
            backupEligible: members.deviceType(
                "credential_device_type",
                single: "single_device",
                multi: "multi_device"
            ),
            backupState: members.boolIfPresent("credential_backed_up"),
            aaguid: members.aaguid("aaguid"),
            attestationFormat: members.stringIfPresent("fmt").map(AttestationStatementFormat.init(rawValue:)),
            attestationObject: members.bytesIfPresent("attestation_object")
        )
    }

    // MARK: go-webauthn

    private init(goWebAuthn members: JSONMembers, _ given: UserHandle?) throws(ModelError) {
        // Without JSON names Go writes the names of the fields.
        let isOld = members["ID"] != nil
        let flags = try members.objectIfPresent(isOld ? "Flags" : "flags")
        let authenticator = try members.objectIfPresent(isOld ? "Authenticator" : "authenticator")
        guard let authenticator else { throw ModelError(.missing, at: "authenticator", "the member is required") }
        let attestation = try members.objectIfPresent("attestation")
        let counter = authenticator["signCount"] != nil ? "signCount" : "SignCount"
        let format = try members.stringIfPresent("attestationFormat")
        try self.init(
            id: members.read(isOld ? "ID" : "id", ForeignBytes.paddedBase64),
            publicKey: members.read(isOld ? "PublicKey" : "publicKey", ForeignBytes.paddedBase64),
            signCount: JSONMembers.within("authenticator") { () throws(ModelError) in
                try authenticator.counter(counter)
            },
            userHandle: members.userHandle(nil, given),
            transports: members.transports(isOld ? "Transport" : "transport"),
            uvInitialized: flags?.boolIfPresent("userVerified") ?? false,
            backupEligible: flags?.boolIfPresent("backupEligible"),
            backupState: flags?.boolIfPresent("backupState"),
            aaguid: JSONMembers.within("authenticator") { () throws(ModelError) in
                try authenticator.readIfPresent("AAGUID") { (json) throws(ModelError) in
                    try AAGUID(bytes: ForeignBytes.paddedBase64(json))
                }
            },
            attestationFormat: format.flatMap { $0.isEmpty ? nil : AttestationStatementFormat(rawValue: $0) },
            attestationObject: attestation?.readIfPresent("object", ForeignBytes.paddedBase64).flatMap(\.ifAny),
            attestationClientDataJSON: attestation?.readIfPresent("clientDataJSON", ForeignBytes.paddedBase64)
                .flatMap(\.ifAny)
        )
    }

    // MARK: swift-webauthn

    private init(swiftWebAuthn members: JSONMembers, _ given: UserHandle?) throws(ModelError) {
        try self.init(
            id: members.read("id", ForeignBytes.anyBase64),
            publicKey: members.read("publicKey", ForeignBytes.swift),
            signCount: members.counter(members["currentSignCount"] != nil ? "currentSignCount" : "signCount"),
            userHandle: members.userHandle(nil, given),
            backupEligible: members.boolIfPresent("backupEligible"),
            backupState: members.boolIfPresent("isBackedUp")
        )
    }
}

extension [UInt8] {
    fileprivate var ifAny: [UInt8]? { isEmpty ? nil : self }
}

extension JSONMembers {
    fileprivate func counter(_ name: String) throws(ModelError) -> UInt32 {
        let value = try int(name)
        guard let counter = UInt32(exactly: value) else {
            throw ModelError(.outOfRange, at: name, "\(value) is no 32-bit counter")
        }
        return counter
    }

    /// Whose credential it is: what the record says and what the caller says must be one.
    fileprivate func userHandle(_ name: String?, _ given: UserHandle?) throws(ModelError) -> UserHandle {
        let stored = try name.flatMap { (name) throws(ModelError) in try readIfPresent(name, UserHandle.init) }
        guard let handle = stored ?? given else {
            throw ModelError(.missing, at: name ?? "", "the record does not say whose credential it is")
        }
        guard given == nil || handle == given else {
            throw ModelError(.invalid, at: name ?? "", "the record is another user's")
        }
        return handle
    }

    /// A list, or text with commas.
    fileprivate func transports(_ name: String) throws(ModelError) -> [AuthenticatorTransport] {
        if case .string(let text)? = self[name] {
            return text.split(separator: ",").map { AuthenticatorTransport(rawValue: String($0)) }
        }
        return try readElements(name) { (json) throws(ModelError) in
            AuthenticatorTransport(rawValue: try JSONMembers.string(json))
        }
    }

    /// BE, by the name that a library has for the kind of credential.
    fileprivate func deviceType(_ name: String, single: String, multi: String) throws(ModelError) -> Bool? {
        guard let text = try stringIfPresent(name) else { return nil }
        if text.hasSameBytes(as: multi) { return true }
        if text.hasSameBytes(as: single) { return false }
        throw ModelError(.invalid, at: name, "unknown value \"\(text)\"")
    }

    fileprivate func aaguid(_ name: String) throws(ModelError) -> AAGUID? {
        guard let text = try stringIfPresent(name) else { return nil }
        guard let aaguid = AAGUID(text) else { throw ModelError(.invalid, at: name, "no AAGUID") }
        return aaguid
    }

    fileprivate func objectIfPresent(_ name: String) throws(ModelError) -> JSONMembers? {
        try readIfPresent(name) { (json) throws(ModelError) in try JSONMembers(json) }
    }

    fileprivate static func within<Value>(
        _ name: String,
        _ body: () throws(ModelError) -> Value
    ) throws(ModelError) -> Value {
        do throws(ModelError) {
            return try body()
        } catch {
            throw error.within(name)
        }
    }
}

/// Bytes as other libraries write them into JSON.
private enum ForeignBytes {
    /// Base64 with padding (RFC 4648 §4), as Go writes it.
    static func paddedBase64(_ json: JSONValue) throws(ModelError) -> [UInt8] {
        let text = try JSONMembers.string(json)
        do throws(WireError) {
            return try Base64.decode(text)
        } catch {
            throw ModelError(.invalid, "not base64 with padding: \(error)")
        }
    }

    /// Base64 with padding, or base64url without.
    static func anyBase64(_ json: JSONValue) throws(ModelError) -> [UInt8] {
        if let bytes = try? paddedBase64(json) { return bytes }
        return try JSONMembers.bytes(json)
    }

    /// A list of numbers, or base64.
    static func swift(_ json: JSONValue) throws(ModelError) -> [UInt8] {
        guard json.array != nil else { return try anyBase64(json) }
        return try JSONMembers.elements(json, byte)
    }

    /// Base64url, a list of numbers, a `Buffer` (`{"type":"Buffer","data":[…]}`), or a `Uint8Array` (`{"0":…,"1":…}`).
    static func javaScript(_ json: JSONValue) throws(ModelError) -> [UInt8] {
        if json.array != nil { return try JSONMembers.elements(json, byte) }
        guard let object = json.object else { return try JSONMembers.bytes(json) }
        let members = try JSONMembers(json)
        if let type = try members.stringIfPresent("type") {
            guard type.hasSameBytes(as: "Buffer") else { throw ModelError(.invalid, at: "type", "no Buffer") }
            return try members.read("data") { (json) throws(ModelError) in
                try JSONMembers.elements(json, byte)
            }
        }
        var bytes: [UInt8] = []
        for (index, member) in object.members.enumerated() {
            guard member.name.hasSameBytes(as: String(index)) else {
                throw ModelError(.invalid, at: member.name, "no Uint8Array: \(index) is missing")
            }
            bytes.append(try byte(member.value))
        }
        return bytes
    }

    private static func byte(_ json: JSONValue) throws(ModelError) -> UInt8 {
        let value = try JSONMembers.int(json)
        guard let byte = UInt8(exactly: value) else { throw ModelError(.outOfRange, "\(value) is no byte") }
        return byte
    }
}
