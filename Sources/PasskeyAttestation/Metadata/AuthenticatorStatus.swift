import PasskeyModel
import PasskeyWire

/// What became of an authenticator model (FIDO Metadata Service §3.1.4, AuthenticatorStatus).
///
/// Values that this library does not know are kept.
public struct AuthenticatorStatus: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    // MARK: Certification

    /// It is not certified.
    public static let notCertified: AuthenticatorStatus = "NOT_FIDO_CERTIFIED"

    /// Its maker submitted the checklist of self-certification.
    public static let selfAssertionSubmitted: AuthenticatorStatus = "SELF_ASSERTION_SUBMITTED"

    /// It passed functional certification, which was before there were levels.
    public static let certified: AuthenticatorStatus = "FIDO_CERTIFIED"

    /// It is certified at level 1.
    public static let certifiedL1: AuthenticatorStatus = "FIDO_CERTIFIED_L1"

    /// It is certified at level 1+.
    public static let certifiedL1plus: AuthenticatorStatus = "FIDO_CERTIFIED_L1plus"

    /// It is certified at level 2.
    public static let certifiedL2: AuthenticatorStatus = "FIDO_CERTIFIED_L2"

    /// It is certified at level 2+.
    public static let certifiedL2plus: AuthenticatorStatus = "FIDO_CERTIFIED_L2plus"

    /// It is certified at level 3.
    public static let certifiedL3: AuthenticatorStatus = "FIDO_CERTIFIED_L3"

    /// It is certified at level 3+.
    public static let certifiedL3plus: AuthenticatorStatus = "FIDO_CERTIFIED_L3plus"

    /// It is certified under FIPS 140 at level 1 (3.1).
    public static let fips140CertifiedL1: AuthenticatorStatus = "FIPS140_CERTIFIED_L1"

    /// It is certified under FIPS 140 at level 2 (3.1).
    public static let fips140CertifiedL2: AuthenticatorStatus = "FIPS140_CERTIFIED_L2"

    /// It is certified under FIPS 140 at level 3 (3.1).
    public static let fips140CertifiedL3: AuthenticatorStatus = "FIPS140_CERTIFIED_L3"

    /// It is certified under FIPS 140 at level 4 (3.1).
    public static let fips140CertifiedL4: AuthenticatorStatus = "FIPS140_CERTIFIED_L4"

    /// It must not be trusted any more: it is a fraud, for example, or has a back door.
    public static let revoked: AuthenticatorStatus = "REVOKED"

    /// Its maker gave it up, and it should not be accepted any more (3.1.1).
    ///
    /// ``StatusPolicy/default`` does not refuse it.
    public static let retired: AuthenticatorStatus = "RETIRED"

    // MARK: Security notifications

    /// An attestation key is known to others.
    public static let attestationKeyCompromise: AuthenticatorStatus = "ATTESTATION_KEY_COMPROMISE"

    /// User verification can be got round.
    public static let userVerificationBypass: AuthenticatorStatus = "USER_VERIFICATION_BYPASS"

    /// Users' keys can be got from afar.
    public static let userKeyRemoteCompromise: AuthenticatorStatus = "USER_KEY_REMOTE_COMPROMISE"

    /// Users' keys can be got by whoever holds it.
    public static let userKeyPhysicalCompromise: AuthenticatorStatus = "USER_KEY_PHYSICAL_COMPROMISE"

    // MARK: Information

    /// Its software can be updated.
    public static let updateAvailable: AuthenticatorStatus = "UPDATE_AVAILABLE"

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

    /// Whether both have the same bytes.
    ///
    /// - Parameters:
    ///   - first: A status.
    ///   - second: Another one.
    /// - Returns: Whether they have.
    public static func == (first: Self, second: Self) -> Bool {
        first.rawValue.hasSameBytes(as: second.rawValue)
    }

    /// Feeds the bytes to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: rawValue)
    }

    /// The level of FIDO's certification, from 1 to 3, with a half for a "plus"; `nil` for what is none.
    ///
    /// `FIDO_CERTIFIED`, of the time before there were levels, is level 1.
    public var certificationLevel: Double? {
        switch self {
        case .certified, .certifiedL1: 1
        case .certifiedL1plus: 1.5
        case .certifiedL2: 2
        case .certifiedL2plus: 2.5
        case .certifiedL3: 3
        case .certifiedL3plus: 3.5
        default: nil
        }
    }

    /// Whether it ends a certification that was there before.
    var endsCertification: Bool {
        [.notCertified, .revoked, .retired].contains(self)
    }
}
