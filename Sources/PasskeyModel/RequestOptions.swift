public import PasskeyWire

/// What a server sends to have a user sign in (`#dictionary-assertion-options`).
///
/// The JSON is `PublicKeyCredentialRequestOptionsJSON`, which `PublicKeyCredential.parseRequestOptionsFromJSON()` reads
/// in the browser.
public struct PublicKeyCredentialRequestOptions: JSONRepresentable {
    /// The random bytes that the response must bring back.
    public var challenge: Challenge

    /// How many milliseconds the client may take; `nil` for as long as it likes.
    ///
    /// The default is 300,000 (`#sctn-timeout-recommended-range`).
    public var timeout: UInt32?

    /// The RP ID; `nil` for the effective domain of the page that asks.
    public var rpId: String?

    /// The credentials that may answer, the most wanted first; empty for any discoverable one.
    ///
    /// A list of which a client knows no entry's type is not an empty one: it can be answered by nobody.
    public var allowCredentials: [PublicKeyCredentialDescriptor]

    /// Whether the user is to be verified.
    public var userVerification: UserVerificationRequirement

    /// What the client may show the user first, the most wanted first.
    public var hints: [PublicKeyCredentialHint]

    /// The extensions that are asked for.
    public var extensions: AuthenticationExtensionsClientInputs

    /// Makes options.
    ///
    /// - Parameters:
    ///   - challenge: The random bytes that the response must bring back.
    ///   - timeout: How many milliseconds the client may take; `nil` for as long as it likes.
    ///   - rpId: The RP ID; `nil` for the effective domain of the page that asks.
    ///   - allowCredentials: The credentials that may answer; empty for any discoverable one.
    ///   - userVerification: Whether the user is to be verified.
    ///   - hints: What the client may show the user first.
    ///   - extensions: The extensions that are asked for.
    public init(
        challenge: Challenge,
        timeout: UInt32? = 300_000,
        rpId: String? = nil,
        allowCredentials: [PublicKeyCredentialDescriptor] = [],
        userVerification: UserVerificationRequirement = .preferred,
        hints: [PublicKeyCredentialHint] = [],
        extensions: AuthenticationExtensionsClientInputs = AuthenticationExtensionsClientInputs()
    ) {
        self.challenge = challenge
        self.timeout = timeout
        self.rpId = rpId
        self.allowCredentials = allowCredentials
        self.userVerification = userVerification
        self.hints = hints
        self.extensions = extensions
    }

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        challenge = try members.read("challenge", Challenge.init)
        timeout = try members.timeout()
        rpId = try members.stringIfPresent("rpId")
        allowCredentials = try members.readElements("allowCredentials", PublicKeyCredentialDescriptor.init)
        userVerification = try members.known("userVerification") ?? .preferred
        hints = try members.openStrings("hints")
        extensions =
            try members.readIfPresent("extensions", AuthenticationExtensionsClientInputs.init)
            ?? AuthenticationExtensionsClientInputs()
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("challenge", challenge.json)
        object.write("timeout", timeout.map { Int($0) })
        object.write("rpId", rpId)
        object.write("allowCredentials", allowCredentials)
        object.write("userVerification", userVerification)
        object.write("hints", hints)
        if !extensions.isEmpty { object.write("extensions", extensions.json) }
        return object.json
    }
}
