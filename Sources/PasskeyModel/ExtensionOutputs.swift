public import PasskeyWire

/// What the client says that extensions gave (`#iface-authentication-extensions-client-outputs`).
///
/// Nothing of it is signed: whoever sends the response can write here what they like. A relying party ignores what it
/// did not ask for, and makes no decision of security on the rest.
public struct AuthenticationExtensionsClientOutputs: JSONRepresentable {
    /// Whether the AppID stands for the RP ID in what was signed (`#sctn-appid-extension`).
    public var appid: Bool?

    /// Whether the client looked for U2F's credentials too (`#sctn-appid-exclude-extension`).
    public var appidExclude: Bool?

    /// What the client knows of the new credential (`#sctn-authenticator-credential-properties-extension`).
    public var credProps: CredentialPropertiesOutput?

    /// Of a pseudo-random function (`#prf-extension`).
    public var prf: PRFOutputs?

    /// Of a blob stored with the credential (`#sctn-large-blob-extension`).
    public var largeBlob: LargeBlobOutputs?

    /// How the user was verified; Level 2's (`#sctn-uvm-extension`).
    public var uvm: [UserVerificationMethodEntry]?

    /// Whether the credential has a secret for CTAP's `hmac-secret`.
    public var hmacCreateSecret: Bool?

    /// Whether the bytes were stored with the new credential (CTAP 2.2, `credBlob`).
    public var credBlob: Bool?

    /// The bytes that were stored with the credential.
    public var getCredBlob: [UInt8]?

    /// Outputs of other extensions, as they came.
    ///
    /// A name that has a property above has no effect here.
    public var unknown: JSONObject

    /// Makes outputs.
    ///
    /// - Parameters:
    ///   - appid: Whether the AppID stands for the RP ID in what was signed.
    ///   - appidExclude: Whether the client looked for U2F's credentials too.
    ///   - credProps: What the client knows of the new credential.
    ///   - prf: Of a pseudo-random function.
    ///   - largeBlob: Of a blob stored with the credential.
    ///   - uvm: How the user was verified.
    ///   - hmacCreateSecret: Whether the credential has a secret for CTAP's `hmac-secret`.
    ///   - credBlob: Whether the bytes were stored with the new credential.
    ///   - getCredBlob: The bytes that were stored with the credential.
    ///   - unknown: Outputs of other extensions.
    public init(
        appid: Bool? = nil,
        appidExclude: Bool? = nil,
        credProps: CredentialPropertiesOutput? = nil,
        prf: PRFOutputs? = nil,
        largeBlob: LargeBlobOutputs? = nil,
        uvm: [UserVerificationMethodEntry]? = nil,
        hmacCreateSecret: Bool? = nil,
        credBlob: Bool? = nil,
        getCredBlob: [UInt8]? = nil,
        unknown: JSONObject = JSONObject()
    ) {
        self.appid = appid
        self.appidExclude = appidExclude
        self.credProps = credProps
        self.prf = prf
        self.largeBlob = largeBlob
        self.uvm = uvm
        self.hmacCreateSecret = hmacCreateSecret
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
        appid = try members.boolIfPresent("appid")
        appidExclude = try members.boolIfPresent("appidExclude")
        credProps = try members.readIfPresent("credProps", CredentialPropertiesOutput.init)
        prf = try members.readIfPresent("prf", PRFOutputs.init)
        largeBlob = try members.readIfPresent("largeBlob", LargeBlobOutputs.init)
        uvm = try members.readIfPresent("uvm") { (json) throws(ModelError) in
            try JSONMembers.elements(json, UserVerificationMethodEntry.init)
        }
        hmacCreateSecret = try members.boolIfPresent("hmacCreateSecret")
        credBlob = try members.boolIfPresent("credBlob")
        getCredBlob = try members.bytesIfPresent("getCredBlob")
        unknown = members.unknown(besides: Self.known)
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("appid", appid)
        object.write("appidExclude", appidExclude)
        object.write("credProps", credProps?.json)
        object.write("prf", prf?.json)
        object.write("largeBlob", largeBlob?.json)
        object.write("uvm", uvm.map { .array($0.map(\.json)) })
        object.write("hmacCreateSecret", hmacCreateSecret)
        object.write("credBlob", credBlob)
        object.write("getCredBlob", bytes: getCredBlob)
        object.write(unknown: unknown, besides: Self.known)
        return object.json
    }

    /// Whether there are none.
    public var isEmpty: Bool { identifiers.isEmpty }

    /// The names of the extensions that gave something, as they travel.
    public var identifiers: [String] { json.object.map { $0.members.map(\.name) } ?? [] }

    private static let known: [String] = [
        "appid", "appidExclude", "credProps", "prf", "largeBlob", "uvm", "hmacCreateSecret", "credBlob",
        "getCredBlob",
    ]
}

/// What a client knows of a new credential (`#dictdef-credentialpropertiesoutput`).
public struct CredentialPropertiesOutput: JSONRepresentable {
    /// Whether the credential is discoverable; `nil` where the client cannot tell.
    public var rk: Bool?

    /// What the user knows the authenticator by; a member of drafts of Level 3 that some clients send.
    public var authenticatorDisplayName: String?

    /// Makes properties.
    ///
    /// - Parameters:
    ///   - rk: Whether the credential is discoverable; `nil` where the client cannot tell.
    ///   - authenticatorDisplayName: What the user knows the authenticator by.
    public init(rk: Bool? = nil, authenticatorDisplayName: String? = nil) {
        self.rk = rk
        self.authenticatorDisplayName = authenticatorDisplayName
    }

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        rk = try members.boolIfPresent("rk")
        authenticatorDisplayName = try members.stringIfPresent("authenticatorDisplayName")
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("rk", rk)
        object.write("authenticatorDisplayName", authenticatorDisplayName)
        return object.json
    }
}

/// One factor with which a user was verified (`#sctn-uvm-extension`); JSON has it as an array of three numbers.
public struct UserVerificationMethodEntry: JSONRepresentable {
    /// The method: one bit of FIDO Registry §3.1.
    public var userVerificationMethod: UInt32

    /// How the key is protected: bits of FIDO Registry §3.2.
    public var keyProtectionType: UInt16

    /// How what verifies the user is protected: one bit of FIDO Registry §3.3.
    public var matcherProtectionType: UInt16

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - userVerificationMethod: The method.
    ///   - keyProtectionType: How the key is protected.
    ///   - matcherProtectionType: How what verifies the user is protected.
    public init(userVerificationMethod: UInt32, keyProtectionType: UInt16, matcherProtectionType: UInt16) {
        self.userVerificationMethod = userVerificationMethod
        self.keyProtectionType = keyProtectionType
        self.matcherProtectionType = matcherProtectionType
    }

    package init?(_ numbers: [UInt64]) {
        guard numbers.count == 3, let method = UInt32(exactly: numbers[0]), let key = UInt16(exactly: numbers[1]),
            let matcher = UInt16(exactly: numbers[2])
        else { return nil }
        self.init(userVerificationMethod: method, keyProtectionType: key, matcherProtectionType: matcher)
    }

    /// Reads an array of three numbers.
    ///
    /// - Parameter json: An array.
    /// - Throws: ``ModelError`` if it is anything else.
    public init(_ json: JSONValue) throws(ModelError) {
        let numbers = try JSONMembers.elements(json) { (json) throws(ModelError) -> UInt64 in
            let number = try JSONMembers.int(json)
            guard let natural = UInt64(exactly: number) else { throw ModelError(.outOfRange, "\(number) is negative") }
            return natural
        }
        guard let entry = Self(numbers) else {
            throw ModelError(.outOfRange, "expected three numbers of 32, 16 and 16 bits")
        }
        self = entry
    }

    /// The three numbers.
    public var json: JSONValue {
        .array(
            [Int(userVerificationMethod), Int(keyProtectionType), Int(matcherProtectionType)].map {
                .number(JSONNumber($0))
            }
        )
    }
}
