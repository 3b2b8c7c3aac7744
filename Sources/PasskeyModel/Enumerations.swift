// The specification's enumerations. In the API they are all `DOMString`s, of which a client ignores a value that it
// does not know as if the member were absent (`#sct-domstring-backwards-compatibility`); so does the reading here.

/// How much a relying party wants the authenticator to verify the user (`#enum-userVerificationRequirement`).
@nonexhaustive
public enum UserVerificationRequirement: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user must be verified, or the ceremony fails.
    case required

    /// The user is verified where the authenticator can do it.
    case preferred

    /// The user is not verified where that can be avoided.
    case discouraged
}

/// How much a relying party wants a discoverable credential (`#enum-residentKeyRequirement`).
@nonexhaustive
public enum ResidentKeyRequirement: String, Hashable, Sendable, Codable, CaseIterable {
    /// A server-side credential is made where possible.
    case discouraged

    /// A discoverable credential is made where possible.
    case preferred

    /// The credential must be discoverable, or the ceremony fails.
    case required
}

/// What a relying party wants to learn about the authenticator (`#enum-attestation-convey`).
@nonexhaustive
public enum AttestationConveyancePreference: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing: the client may drop the attestation statement.
    case none

    /// A verifiable statement, which the client may have replaced by an anonymous one.
    case indirect

    /// The statement as the authenticator made it.
    case direct

    /// A statement that may identify the one device, where client or authenticator are configured to allow it.
    case enterprise
}

/// How an authenticator is attached to the client device (`#enum-attachment`).
@nonexhaustive
public enum AuthenticatorAttachment: String, Hashable, Sendable, Codable, CaseIterable {
    /// Built into the client device.
    case platform

    /// Roaming: a security key, or a phone beside the client device.
    case crossPlatform = "cross-platform"
}

/// How much of a credential request the user sees (Credential Management, `#enumdef-credentialmediationrequirement`).
///
/// It travels beside the options and not in them, so a relying party has to remember that it asked for a conditional
/// creation: that ceremony alone may lack user presence (`#sctn-registering-a-new-credential`, step 15).
@nonexhaustive
public enum CredentialMediationRequirement: String, Hashable, Sendable, Codable, CaseIterable {
    /// No interaction at all.
    case silent

    /// Interaction where it is needed.
    case optional

    /// No dialog of its own: autofill, or a creation that rides on another sign-in.
    case conditional

    /// Interaction in each case.
    case required
}

/// How a credential is guarded on its authenticator (CTAP 2.2, `credProtect`).
@nonexhaustive
public enum CredentialProtectionPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// Usable without user verification.
    case userVerificationOptional

    /// Usable without user verification only when the request names the credential.
    case userVerificationOptionalWithCredentialIDList

    /// Usable with user verification alone.
    case userVerificationRequired

    /// The number that stands for the policy between client and authenticator, 1 to 3.
    public var level: Int {
        switch self {
        case .userVerificationOptional: 1
        case .userVerificationOptionalWithCredentialIDList: 2
        case .userVerificationRequired: 3
        }
    }

    /// Finds the policy of a level.
    ///
    /// - Parameter level: The number of an authenticator extension output.
    public init?(level: Int) {
        guard let policy = Self.allCases.first(where: { $0.level == level }) else { return nil }
        self = policy
    }
}

/// How much a relying party wants room for a large blob (`#enumdef-largeblobsupport`).
@nonexhaustive
public enum LargeBlobSupport: String, Hashable, Sendable, Codable, CaseIterable {
    /// The credential must have room for one, or the ceremony fails.
    case required

    /// The credential has room for one where the authenticator can do it.
    case preferred
}

extension JSONMembers {
    /// Reads a member of one of the enumerations above: a value that is not known is as good as absent.
    package func known<Value: RawRepresentable<String>>(
        _ name: String,
        as type: Value.Type = Value.self
    ) throws(ModelError) -> Value? {
        try stringIfPresent(name).flatMap(Value.init(rawValue:))
    }
}

extension JSONObjectWriter {
    package mutating func write(_ name: String, _ value: (some RawRepresentable<String>)?) {
        write(name, value?.rawValue)
    }
}
