public import PasskeyModel

/// How attestation is asked for and verified: the seam between a relying party and the formats of `#sctn-defined-attestation-formats`.
///
/// This module knows the formats `none` and packed self attestation, which need no certificates.
public struct AttestationVerifier: Sendable {
    /// What is put before a verifier: everything that a statement is about.
    public struct Evidence: Sendable {
        /// The statement's format.
        public let format: AttestationStatementFormat

        /// The statement: one CBOR item.
        public let statement: CBORDocument

        /// The authenticator data, with attested credential data in it.
        public let authenticatorData: AuthenticatorData

        /// SHA-256 of the client data.
        public let clientDataHash: [UInt8]

        /// The moment to judge at.
        public let time: Timestamp

        /// The credential's key, found to be sound.
        package let credentialKey: VerifiedKey
    }

    /// Why a statement was refused.
    public struct Refusal: Error, Hashable, Sendable {
        /// The step of `#sctn-registering-a-new-credential` that refuses.
        public enum Step: Hashable, Sendable {
            /// 21: the format is not known.
            case format

            /// 22: the statement does not verify.
            case statement

            /// 24: the attestation is not trustworthy.
            case trust
        }

        /// The step that refuses.
        public var step: Step

        /// What goes to the log.
        public var detail: String

        /// Where in the statement a parser refused.
        public var offset: Int?

        /// Makes a refusal.
        ///
        /// - Parameters:
        ///   - step: The step that refuses.
        ///   - detail: What goes to the log.
        ///   - offset: Where in the statement a parser refused.
        public init(_ step: Step, _ detail: String, offset: Int? = nil) {
            self.step = step
            self.detail = detail
            self.offset = offset
        }
    }

    /// What a verifier found.
    public struct Verdict: Hashable, Sendable {
        /// The type of attestation (`#sctn-attestation-types`).
        public var type: AttestationType

        /// Whether it leads to a trust anchor.
        public var isTrusted: Bool

        /// Makes a verdict.
        ///
        /// - Parameters:
        ///   - type: The type of attestation.
        ///   - isTrusted: Whether it leads to a trust anchor.
        public init(_ type: AttestationType, isTrusted: Bool = false) {
            self.type = type
            self.isTrusted = isTrusted
        }
    }

    /// What is asked of the client.
    public var conveyance: AttestationConveyancePreference

    /// Whether an attestation that leads to no trust anchor is refused, at step 24.
    public var requiresTrust: Bool

    private let body: @Sendable (Evidence) throws(Refusal) -> Verdict

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - conveyance: What is asked of the client.
    ///   - requiresTrust: Whether an attestation that leads to no trust anchor is refused.
    ///   - verify: Verifies a statement; throws the step that refuses.
    public init(
        conveyance: AttestationConveyancePreference,
        requiresTrust: Bool,
        verify: @escaping @Sendable (Evidence) throws(Refusal) -> Verdict
    ) {
        self.conveyance = conveyance
        self.requiresTrust = requiresTrust
        body = verify
    }

    func verify(_ evidence: Evidence) throws(Refusal) -> Verdict {
        try body(evidence)
    }

    /// Asks for no attestation, verifies a statement in a format that this module knows, and takes one in another
    /// format for what it is: unverified.
    ///
    /// The default: some authenticators attest though nobody asked.
    public static let optional = AttestationVerifier(conveyance: .none, requiresTrust: false) {
        (evidence) throws(Refusal) in
        try builtIn(evidence) ?? Verdict(.unverified)
    }

    /// Asks for no attestation and looks at none.
    public static let ignored = AttestationVerifier(conveyance: .none, requiresTrust: false) { _ in
        Verdict(.unverified)
    }

    /// Every statement must verify, and be in a format that this module knows; whom it leads to is not asked.
    public static let verified = AttestationVerifier(conveyance: .direct, requiresTrust: false) {
        (evidence) throws(Refusal) in
        guard let verdict = try builtIn(evidence) else {
            throw Refusal(.format, "the format \"\(excerpt(evidence.format.rawValue))\" is not supported here")
        }
        return verdict
    }

    /// The same verifier, but with an attestation that leads to no trust anchor refused.
    ///
    /// ``verified`` alone leads nowhere: with it, this refuses everybody.
    public func requiringTrust() -> AttestationVerifier {
        AttestationVerifier(conveyance: .direct, requiresTrust: true, verify: body)
    }

    /// Verifies `none` and packed self attestation; `nil` for what needs another module.
    package static func builtIn(_ evidence: Evidence) throws(Refusal) -> Verdict? {
        switch evidence.format {
        case .none: try verifyNone(evidence)
        case .packed where evidence.statement.root["x5c"] == nil: try verifyPackedSelf(evidence)
        default: nil
        }
    }
}

/// The types of attestation (`#sctn-attestation-types`).
@nonexhaustive
public enum AttestationType: String, Hashable, Sendable {
    /// There is none.
    case none

    /// Signed with the credential's own key: it says nothing of the authenticator.
    case `self`

    /// Signed with a key that many authenticators of one model share.
    case basic

    /// Signed with a key that a certification authority certified for this authenticator.
    case attestationCA

    /// Signed with a key that a certification authority certified for this credential.
    case anonymizationCA

    /// There is a statement, and nobody looked whether it is true.
    case unverified
}
