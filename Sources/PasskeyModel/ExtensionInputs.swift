public import PasskeyWire

/// The extensions that a relying party asks for (`#iface-authentication-extensions-client-inputs`).
///
/// The members are named as they travel. What is not asked for is `nil`; extensions that are not known are kept in
/// ``unknown`` as they came.
public struct AuthenticationExtensionsClientInputs: JSONRepresentable {
    /// The AppID of U2F, for signing in with a credential made by its JavaScript API (`#sctn-appid-extension`).
    public var appid: String?

    /// The AppID whose credentials `excludeCredentials` may name too (`#sctn-appid-exclude-extension`).
    public var appidExclude: String?

    /// Whether the client is to say if the credential is discoverable
    /// (`#sctn-authenticator-credential-properties-extension`).
    public var credProps: Bool?

    /// A pseudo-random function of the credential (`#prf-extension`).
    public var prf: PRFInputs?

    /// A blob stored with the credential (`#sctn-large-blob-extension`).
    public var largeBlob: LargeBlobInputs?

    /// How the user was verified; Level 2's, for servers that still ask (`#sctn-uvm-extension`).
    public var uvm: Bool?

    /// Whether the credential is to have a secret for CTAP's `hmac-secret`; ``prf`` is the way to use one.
    public var hmacCreateSecret: Bool?

    /// How the credential is to be guarded on its authenticator (CTAP 2.2, `credProtect`).
    public var credentialProtectionPolicy: CredentialProtectionPolicy?

    /// Whether the ceremony is to fail where the authenticator cannot guard it so.
    public var enforceCredentialProtectionPolicy: Bool?

    /// Whether the authenticator is to say how short a PIN it accepts (CTAP 2.2, `minPinLength`).
    public var minPinLength: Bool?

    /// Bytes to store with a new credential, of which every authenticator takes 32 (CTAP 2.2, `credBlob`).
    public var credBlob: [UInt8]?

    /// Whether these bytes are to be given back.
    public var getCredBlob: Bool?

    /// Other extensions, as they came.
    ///
    /// A name that has a property above has no effect here.
    public var unknown: JSONObject

    /// Makes inputs.
    ///
    /// - Parameters:
    ///   - appid: The AppID of U2F, for signing in.
    ///   - appidExclude: The AppID whose credentials `excludeCredentials` may name too.
    ///   - credProps: Whether the client is to say if the credential is discoverable.
    ///   - prf: A pseudo-random function of the credential.
    ///   - largeBlob: A blob stored with the credential.
    ///   - uvm: How the user was verified.
    ///   - hmacCreateSecret: Whether the credential is to have a secret for CTAP's `hmac-secret`.
    ///   - credentialProtectionPolicy: How the credential is to be guarded on its authenticator.
    ///   - enforceCredentialProtectionPolicy: Whether the ceremony is to fail where it cannot be guarded so.
    ///   - minPinLength: Whether the authenticator is to say how short a PIN it accepts.
    ///   - credBlob: Bytes to store with a new credential.
    ///   - getCredBlob: Whether these bytes are to be given back.
    ///   - unknown: Other extensions.
    public init(
        appid: String? = nil,
        appidExclude: String? = nil,
        credProps: Bool? = nil,
        prf: PRFInputs? = nil,
        largeBlob: LargeBlobInputs? = nil,
        uvm: Bool? = nil,
        hmacCreateSecret: Bool? = nil,
        credentialProtectionPolicy: CredentialProtectionPolicy? = nil,
        enforceCredentialProtectionPolicy: Bool? = nil,
        minPinLength: Bool? = nil,
        credBlob: [UInt8]? = nil,
        getCredBlob: Bool? = nil,
        unknown: JSONObject = JSONObject()
    ) {
        self.appid = appid
        self.appidExclude = appidExclude
        self.credProps = credProps
        self.prf = prf
        self.largeBlob = largeBlob
        self.uvm = uvm
        self.hmacCreateSecret = hmacCreateSecret
        self.credentialProtectionPolicy = credentialProtectionPolicy
        self.enforceCredentialProtectionPolicy = enforceCredentialProtectionPolicy
        self.minPinLength = minPinLength
        self.credBlob = credBlob
        self.getCredBlob = getCredBlob
        self.unknown = unknown
    }

    /// Reads the JSON form; extensions that are not known are kept.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        appid = try members.stringIfPresent("appid")
        appidExclude = try members.stringIfPresent("appidExclude")
        credProps = try members.boolIfPresent("credProps")
        prf = try members.readIfPresent("prf", PRFInputs.init)
        largeBlob = try members.readIfPresent("largeBlob", LargeBlobInputs.init)
        uvm = try members.boolIfPresent("uvm")
        hmacCreateSecret = try members.boolIfPresent("hmacCreateSecret")
        credentialProtectionPolicy = try members.known("credentialProtectionPolicy")
        enforceCredentialProtectionPolicy = try members.boolIfPresent("enforceCredentialProtectionPolicy")
        minPinLength = try members.boolIfPresent("minPinLength")
        credBlob = try members.bytesIfPresent("credBlob")
        getCredBlob = try members.boolIfPresent("getCredBlob")
        unknown = members.unknown(besides: Self.known)
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("appid", appid)
        object.write("appidExclude", appidExclude)
        object.write("credProps", credProps)
        object.write("prf", prf?.json)
        object.write("largeBlob", largeBlob?.json)
        object.write("uvm", uvm)
        object.write("hmacCreateSecret", hmacCreateSecret)
        object.write("credentialProtectionPolicy", credentialProtectionPolicy)
        object.write("enforceCredentialProtectionPolicy", enforceCredentialProtectionPolicy)
        object.write("minPinLength", minPinLength)
        object.write("credBlob", bytes: credBlob)
        object.write("getCredBlob", getCredBlob)
        object.write(unknown: unknown, besides: Self.known)
        return object.json
    }

    /// Whether nothing is asked for.
    public var isEmpty: Bool { identifiers.isEmpty }

    /// The names of what is asked for, as they travel; what the client answers has one of these names.
    public var identifiers: [String] { json.object.map { $0.members.map(\.name) } ?? [] }

    /// The identifiers that what the authenticator signs may have as an answer to these inputs.
    ///
    /// Some differ from the names that a client is asked with: `credentialProtectionPolicy` is `credProtect` there. A
    /// known input that is `false` asks for nothing.
    public var authenticatorIdentifiers: Set<String> {
        var result = Set(identifiers).subtracting(Self.known)
        if uvm == true { result.insert("uvm") }
        if hmacCreateSecret == true || prf != nil { result.formUnion(["hmac-secret", "hmac-secret-mc"]) }
        if credentialProtectionPolicy != nil { result.insert("credProtect") }
        if minPinLength == true { result.insert("minPinLength") }
        if credBlob != nil || getCredBlob == true { result.insert("credBlob") }
        return result
    }

    private static let known: [String] = [
        "appid", "appidExclude", "credProps", "prf", "largeBlob", "uvm", "hmacCreateSecret",
        "credentialProtectionPolicy", "enforceCredentialProtectionPolicy", "minPinLength", "credBlob", "getCredBlob",
    ]
}

extension JSONMembers {
    /// What is to be kept of unknown extensions: all but the known members and `null`, which is as good as absent.
    package func unknown(besides known: [String]) -> JSONObject {
        var kept = JSONObjectWriter()
        kept.write(unknown: others(than: known), besides: known)
        return kept.json.object ?? JSONObject()
    }
}

extension JSONObjectWriter {
    /// Writes what is kept of unknown extensions.
    ///
    /// A known name among them is left out, even where the known member is absent: it would be read as one.
    package mutating func write(unknown: JSONObject, besides known: [String]) {
        for member in unknown.members
        where !known.contains(where: { $0.hasSameBytes(as: member.name) }) && member.value != .null {
            write(member.name, member.value)
        }
    }
}
