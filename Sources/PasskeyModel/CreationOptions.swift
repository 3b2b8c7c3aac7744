public import PasskeyWire

/// What a server sends to have a credential made (`#dictionary-makecredentialoptions`).
///
/// The JSON is `PublicKeyCredentialCreationOptionsJSON`, which `PublicKeyCredential.parseCreationOptionsFromJSON()`
/// reads in the browser.
public struct PublicKeyCredentialCreationOptions: JSONRepresentable {
    /// Who asks.
    public var rp: PublicKeyCredentialRpEntity

    /// The account that the credential is for.
    public var user: PublicKeyCredentialUserEntity

    /// The random bytes that the response must bring back.
    public var challenge: Challenge

    /// What is accepted, the most wanted first.
    ///
    /// Entries of a type that is not known stay here; ``acceptableAlgorithms`` is what a client makes of the list.
    public var pubKeyCredParams: [PublicKeyCredentialParameters]

    /// How many milliseconds the client may take; `nil` for as long as it likes.
    ///
    /// The default is 300,000 (`#sctn-timeout-recommended-range`).
    public var timeout: UInt32?

    /// The account's credentials, so that an authenticator that has one does not make another.
    ///
    /// It is advice to the client: that an identifier is new is for the server to check.
    public var excludeCredentials: [PublicKeyCredentialDescriptor]

    /// What is asked of the authenticator.
    public var authenticatorSelection: AuthenticatorSelectionCriteria?

    /// What the client may show the user first, the most wanted first.
    public var hints: [PublicKeyCredentialHint]

    /// What is to be learned about the authenticator.
    public var attestation: AttestationConveyancePreference

    /// The attestation statement formats that are wanted, the most wanted first; empty for no preference.
    public var attestationFormats: [AttestationStatementFormat]

    /// The extensions that are asked for.
    public var extensions: AuthenticationExtensionsClientInputs

    /// Makes options.
    ///
    /// - Parameters:
    ///   - rp: Who asks.
    ///   - user: The account that the credential is for.
    ///   - challenge: The random bytes that the response must bring back.
    ///   - pubKeyCredParams: What is accepted, the most wanted first.
    ///   - timeout: How many milliseconds the client may take; `nil` for as long as it likes.
    ///   - excludeCredentials: The account's credentials.
    ///   - authenticatorSelection: What is asked of the authenticator.
    ///   - hints: What the client may show the user first.
    ///   - attestation: What is to be learned about the authenticator.
    ///   - attestationFormats: The attestation statement formats that are wanted.
    ///   - extensions: The extensions that are asked for.
    public init(
        rp: PublicKeyCredentialRpEntity,
        user: PublicKeyCredentialUserEntity,
        challenge: Challenge,
        pubKeyCredParams: [PublicKeyCredentialParameters] = PublicKeyCredentialParameters.recommended,
        timeout: UInt32? = 300_000,
        excludeCredentials: [PublicKeyCredentialDescriptor] = [],
        authenticatorSelection: AuthenticatorSelectionCriteria? = nil,
        hints: [PublicKeyCredentialHint] = [],
        attestation: AttestationConveyancePreference = .none,
        attestationFormats: [AttestationStatementFormat] = [],
        extensions: AuthenticationExtensionsClientInputs = AuthenticationExtensionsClientInputs()
    ) {
        self.rp = rp
        self.user = user
        self.challenge = challenge
        self.pubKeyCredParams = pubKeyCredParams
        self.timeout = timeout
        self.excludeCredentials = excludeCredentials
        self.authenticatorSelection = authenticatorSelection
        self.hints = hints
        self.attestation = attestation
        self.attestationFormats = attestationFormats
        self.extensions = extensions
    }

    /// What a client passes on of ``pubKeyCredParams``, in order (`#sctn-createCredential`).
    ///
    /// Entries of a type that is not known are left out. An empty list of parameters stands for ES256 and RS256; one
    /// of which nothing is left gives an empty result, and the client answers `NotSupportedError`.
    public var acceptableAlgorithms: [COSEAlgorithmIdentifier] {
        guard !pubKeyCredParams.isEmpty else { return [.es256, .rs256] }
        return pubKeyCredParams.filter { $0.type == .publicKey }.map(\.alg)
    }

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        rp = try members.read("rp", PublicKeyCredentialRpEntity.init)
        user = try members.read("user", PublicKeyCredentialUserEntity.init)
        challenge = try members.read("challenge", Challenge.init)
        pubKeyCredParams = try members.read("pubKeyCredParams") { (json) throws(ModelError) in
            try JSONMembers.elements(json, PublicKeyCredentialParameters.init)
        }
        timeout = try members.timeout()
        excludeCredentials = try members.readElements("excludeCredentials", PublicKeyCredentialDescriptor.init)
        authenticatorSelection = try members.readIfPresent(
            "authenticatorSelection",
            AuthenticatorSelectionCriteria.init
        )
        hints = try members.openStrings("hints")
        attestation = try members.known("attestation") ?? .none
        attestationFormats = try members.openStrings("attestationFormats")
        extensions =
            try members.readIfPresent("extensions", AuthenticationExtensionsClientInputs.init)
            ?? AuthenticationExtensionsClientInputs()
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("rp", rp.json)
        object.write("user", user.json)
        object.write("challenge", challenge.json)
        object.write("pubKeyCredParams", .array(pubKeyCredParams.map(\.json)))
        object.write("timeout", timeout.map { Int($0) })
        object.write("excludeCredentials", excludeCredentials)
        object.write("authenticatorSelection", authenticatorSelection?.json)
        object.write("hints", hints)
        object.write("attestation", attestation)
        object.write("attestationFormats", attestationFormats)
        if !extensions.isEmpty { object.write("extensions", extensions.json) }
        return object.json
    }
}

extension JSONMembers {
    /// Reads `timeout`, an `unsigned long`.
    ///
    /// WebIDL wraps a number around that does not fit; that can only surprise, and it is refused here.
    package func timeout() throws(ModelError) -> UInt32? {
        try readIfPresent("timeout") { (json) throws(ModelError) in
            let number = try JSONMembers.int(json)
            guard let timeout = UInt32(exactly: number) else {
                throw ModelError(.outOfRange, "\(number) milliseconds do not fit an unsigned long")
            }
            return timeout
        }
    }
}

extension JSONObjectWriter {
    /// Writes a list of credentials, unless it is empty.
    package mutating func write(_ name: String, _ descriptors: [PublicKeyCredentialDescriptor]) {
        guard !descriptors.isEmpty else { return }
        write(name, .array(descriptors.map(\.json)))
    }
}
