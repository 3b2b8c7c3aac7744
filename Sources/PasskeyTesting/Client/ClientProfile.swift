public import PasskeyAuthorization
public import PasskeyModel

extension VirtualClient {
    /// What the client puts into client data, beyond type, challenge and origin (`#clientdatajson-serialization`).
    @nonexhaustive
    public enum ClientDataForm: String, Hashable, Sendable, Codable, CaseIterable {
        /// What the specification says: `crossOrigin` in any case, and `topOrigin` in a frame of another origin.
        case standard

        /// What a native application on iOS sends: there is no `crossOrigin`.
        case native

        /// What WebKit sent for years: `crossOrigin` is there only where it is true.
        case crossOriginIfTrue
    }
}

/// What distinguishes one client from another, as data.
///
/// The profiles of products follow what is known of what they do, and are there for variety in tests: they promise nothing
/// of a product, which may do otherwise in its next version. ``standard`` is the specification, and where that leaves a
/// choice, the simpler one.
public struct ClientProfile: Hashable, Sendable, Codable {
    /// What a registration does where authenticators are there and none of them can do what is required.
    @nonexhaustive
    public enum UnsuitableAuthenticator: String, Hashable, Sendable, Codable, CaseIterable {
        /// It is passed over, and the ceremony ends with the timer: step 22 of `#sctn-createCredential`.
        case isPassedOver

        /// The page catches a `ConstraintError`: the list of errors in `#sctn-createCredential`, and what some clients do.
        case isConstraintError
    }

    /// What becomes of an attestation that is asked for as `indirect`.
    @nonexhaustive
    public enum IndirectAttestation: String, Hashable, Sendable, Codable, CaseIterable {
        /// It is conveyed as it is.
        case isConveyed

        /// Statement and AAGUID are taken out.
        case isAnonymized
    }

    /// Whether the AAGUID is taken out where no attestation is wanted.
    @nonexhaustive
    public enum AAGUIDWithoutAttestation: String, Hashable, Sendable, Codable, CaseIterable {
        /// It stays: Level 3.
        case isConveyed

        /// It stays with platform authenticators alone.
        case isConveyedForPlatform

        /// It goes: Levels 1 and 2.
        case isZeroed
    }

    /// The client's name.
    public var name: String

    /// What the client puts into client data; an authenticator's own form goes before it.
    public var clientDataForm = VirtualClient.ClientDataForm.standard

    /// The timeouts that the client finds reasonable, in milliseconds (`#sctn-timeout-recommended-range`).
    public var timeoutRange: ClosedRange<UInt32> = 300_000...600_000

    /// The timeout where the options name none, in milliseconds.
    public var defaultTimeout: UInt32 = 300_000

    /// What a registration does where no authenticator can do what is required.
    public var unsuitableAuthenticator = UnsuitableAuthenticator.isPassedOver

    /// What becomes of an attestation that is asked for as `indirect`.
    public var indirectAttestation = IndirectAttestation.isConveyed

    /// Whether the AAGUID is taken out where no attestation is wanted.
    public var aaguidWithoutAttestation = AAGUIDWithoutAttestation.isConveyed

    /// Whether the user can be asked for presence and verification while a credential is made without a dialog.
    ///
    /// If not, such a credential has neither UP nor UV, and one that requires verification is a `ConstraintError`.
    public var collectsGestureInConditionalCreate = false

    /// How many registrable labels of a related origins file count: at least five (`#sctn-validating-relation-origins`).
    public var registrableLabelLimit = 5

    /// What `ASAuthorizationError` says of the client's errors, and what its codes mean.
    public var authorizationErrors = AuthorizationErrorTable.iOS26

    /// What the client can do, apart from its authenticators; what is not named it cannot.
    ///
    /// They are not only told (``VirtualClient/getClientCapabilities()``): a client without `conditionalCreate`,
    /// `conditionalGet`, `relatedOrigins` or one of the signal methods behaves so, and an extension that is named as not
    /// supported is passed over.
    public var capabilities: ClientCapabilities

    /// Makes a profile of a client that does what the specification says.
    ///
    /// - Parameters:
    ///   - name: The client's name.
    ///   - capabilities: What it can do; all that there is, without an argument.
    public init(name: String, capabilities: ClientCapabilities = ClientProfile.standardCapabilities) {
        self.name = name
        self.capabilities = capabilities
    }

    /// Whether the client can do something.
    ///
    /// - Parameter capability: What.
    /// - Returns: Whether it can.
    public func supports(_ capability: ClientCapability) -> Bool { capabilities[capability] == true }
}

extension ClientProfile {
    /// What a client can do that does all of the specification.
    public static let standardCapabilities: ClientCapabilities = [
        .conditionalCreate: true, .conditionalGet: true, .hybridTransport: true, .relatedOrigins: true,
        .signalAllAcceptedCredentials: true, .signalCurrentUserDetails: true, .signalUnknownCredential: true,
        .extension("appid"): true, .extension("appidExclude"): true, .extension("credProps"): true,
        .extension("largeBlob"): true, .extension("prf"): true,
    ]

    /// The specification.
    public static let standard = ClientProfile(name: "standard")

    /// Chromium: timeouts of 10 seconds to 20 hours, and the AAGUIDs of security keys go where no attestation is wanted.
    public static var chromium: ClientProfile {
        var profile = ClientProfile(name: "chromium")
        profile.timeoutRange = 10_000...72_000_000
        profile.defaultTimeout = 72_000_000
        profile.aaguidWithoutAttestation = .isConveyedForPlatform
        return profile
    }

    /// Firefox: timeouts of 15 to 120 seconds, `indirect` attestation is none, and no signal methods.
    public static var firefox: ClientProfile {
        var profile = ClientProfile(name: "firefox")
        profile.timeoutRange = 15_000...120_000
        profile.defaultTimeout = 30_000
        profile.indirectAttestation = .isAnonymized
        profile.capabilities[.conditionalCreate] = false
        profile.withdrawSignals()
        return profile
    }

    /// Safari: `crossOrigin` only where it is true, and timeouts of at most two minutes.
    public static var safari: ClientProfile {
        var profile = ClientProfile(name: "safari")
        profile.clientDataForm = .crossOriginIfTrue
        profile.timeoutRange = 0...120_000
        profile.defaultTimeout = 120_000
        profile.capabilities[.extension("appidExclude")] = false
        return profile
    }

    /// A native application on iOS: no `crossOrigin`, and the domain has to name the application, not the page.
    public static var iOSApplication: ClientProfile {
        var profile = ClientProfile(name: "iOS application")
        profile.clientDataForm = .native
        profile.capabilities[.relatedOrigins] = false
        for identifier in ["appid", "appidExclude", "credProps"] {
            profile.capabilities[.extension(identifier)] = false
        }
        return profile
    }

    /// The extensions that are asked for, without those that the client does not support.
    func supported(_ inputs: AuthenticationExtensionsClientInputs) -> AuthenticationExtensionsClientInputs {
        func lacks(_ identifier: String) -> Bool { capabilities[.extension(identifier)] == false }
        var result = inputs
        if lacks("appid") { result.appid = nil }
        if lacks("appidExclude") { result.appidExclude = nil }
        if lacks("credProps") { result.credProps = nil }
        if lacks("prf") { result.prf = nil }
        if lacks("largeBlob") { result.largeBlob = nil }
        if lacks("hmacCreateSecret") { result.hmacCreateSecret = nil }
        if lacks("minPinLength") { result.minPinLength = nil }
        if lacks("credBlob") { result.credBlob = nil }
        if lacks("getCredBlob") { result.getCredBlob = nil }
        if lacks("credentialProtectionPolicy") {
            result.credentialProtectionPolicy = nil
            result.enforceCredentialProtectionPolicy = nil
        }
        return result
    }

    private mutating func withdrawSignals() {
        for signal in [
            ClientCapability.signalAllAcceptedCredentials, .signalCurrentUserDetails, .signalUnknownCredential,
        ] {
            capabilities[signal] = false
        }
    }
}
