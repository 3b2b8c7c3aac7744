public import PasskeyModel
public import PasskeyWire

/// How attestation is asked for and verified: the seam between a relying party and the formats of `#sctn-defined-attestation-formats`.
///
/// This module knows the formats `none` and packed self attestation, which need no certificates.
public struct AttestationVerifier: Sendable {
    /// What is put before a verifier: everything that a statement is about.
    public struct Evidence: Sendable {
        /// The statement's format.
        public let format: AttestationStatementFormat

        /// The statement: one CBOR item.
        public let statement: CBORDocument.Item

        /// The authenticator data, with attested credential data in it.
        public let authenticatorData: AuthenticatorData

        /// SHA-256 of the client data.
        public let clientDataHash: [UInt8]

        /// The moment to judge at.
        public let time: Timestamp

        /// The credential's key, found to be sound.
        package let credentialKey: VerifiedKey

        init(_ object: AttestationObject, _ key: VerifiedKey, _ clientDataHash: [UInt8], at time: Timestamp) {
            format = object.format
            statement = object.statement.root
            authenticatorData = object.authenticatorData
            self.clientDataHash = clientDataHash
            self.time = time
            credentialKey = key
        }

        private init(_ outer: Evidence, _ format: AttestationStatementFormat, _ statement: CBORDocument.Item) {
            self.format = format
            self.statement = statement
            authenticatorData = outer.authenticatorData
            clientDataHash = outer.clientDataHash
            time = outer.time
            credentialKey = outer.credentialKey
        }

        /// The same evidence for a statement within this one (`#sctn-compound-attestation`).
        package func within(
            format: AttestationStatementFormat,
            statement: CBORDocument.Item
        ) -> Evidence {
            Evidence(self, format, statement)
        }
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

        /// The rule of the format that is broken, such as `tpm.magic`; `nil` where it is no rule of a format.
        public var rule: String?

        /// The rules that were met before, in the order in which they were looked at.
        public var checks: [String]

        /// Makes a refusal.
        ///
        /// - Parameters:
        ///   - step: The step that refuses.
        ///   - detail: What goes to the log.
        ///   - offset: Where in the statement a parser refused.
        ///   - rule: The rule of the format that is broken.
        ///   - checks: The rules that were met before.
        public init(
            _ step: Step,
            _ detail: String,
            offset: Int? = nil,
            rule: String? = nil,
            checks: [String] = []
        ) {
            self.step = step
            self.detail = detail
            self.offset = offset
            self.rule = rule
            self.checks = checks
        }
    }

    /// What a verifier found.
    public struct Verdict: Hashable, Sendable {
        /// The type of attestation (`#sctn-attestation-types`).
        public var type: AttestationType

        /// Whether ``type`` is known, and not the more modest of two that only metadata could tell apart.
        public var isTypeCertain: Bool

        /// Whether it leads to a trust anchor.
        public var isTrusted: Bool

        /// The subjects of the certificates from the attestation certificate to the trust anchor, or, where trust was
        /// not asked for, of those that the statement carries; RFC 4514 text, for people.
        public var trustPath: [String]

        /// The rules of the format that were met, in the order in which they were looked at.
        public var checks: [String]

        /// What the policy decided, in words, for the log.
        public var decision: String

        /// What another module's verifier found beside this.
        package var details: AttestationDetails?

        /// Makes a verdict.
        ///
        /// - Parameters:
        ///   - type: The type of attestation.
        ///   - isTypeCertain: Whether the type is known.
        ///   - isTrusted: Whether it leads to a trust anchor.
        ///   - trustPath: The subjects of the certificates.
        ///   - checks: The rules of the format that were met.
        ///   - decision: What the policy decided, in words.
        public init(
            _ type: AttestationType,
            isTypeCertain: Bool = true,
            isTrusted: Bool = false,
            trustPath: [String] = [],
            checks: [String] = [],
            decision: String = ""
        ) {
            self.type = type
            self.isTypeCertain = isTypeCertain
            self.isTrusted = isTrusted
            self.trustPath = trustPath
            self.checks = checks
            self.decision = decision
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

    package func verify(_ evidence: Evidence) throws(Refusal) -> Verdict {
        try body(evidence)
    }

    /// Asks for no attestation, verifies a statement in a format that this module knows, and takes one in another
    /// format for what it is: unverified.
    ///
    /// The default: some authenticators attest though nobody asked.
    public static let optional = AttestationVerifier(conveyance: .none, requiresTrust: false) {
        (evidence) throws(Refusal) in
        try builtIn(evidence) ?? Verdict(.unverified, decision: "nobody here knows the format, and nobody asked for it")
    }

    /// Asks for no attestation and looks at none.
    public static let ignored = AttestationVerifier(conveyance: .none, requiresTrust: false) { _ in
        Verdict(.unverified, decision: "attestation is not looked at")
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

    /// Why step 24 refuses what was found, or `nil`.
    func faultOfTrust(_ verdict: Verdict) -> String? {
        verdict.isTrusted || !requiresTrust
            ? nil : "attestation of type \(verdict.type.rawValue) leads to no trust anchor"
    }

    /// Verifies `none` and packed self attestation; `nil` for what needs another module.
    package static func builtIn(_ evidence: Evidence) throws(Refusal) -> Verdict? {
        switch evidence.format {
        case .none: try verifyNone(evidence)
        case .packed where evidence.statement["x5c"] == nil: try verifyPackedSelf(evidence)
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

/// What a verifier of another module found, kept for that module to read.
package struct AttestationDetails: Hashable, Sendable {
    package let value: any Hashable & Sendable

    package init(_ value: any Hashable & Sendable) {
        self.value = value
    }

    package static func == (lhs: AttestationDetails, rhs: AttestationDetails) -> Bool {
        AnyHashable(lhs.value) == AnyHashable(rhs.value)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(AnyHashable(value))
    }
}
