import PasskeyCrypto
public import PasskeyModel
public import PasskeyRelyingParty

/// What revocation lists say of a path of certificates.
public enum RevocationStatus: String, Hashable, Sendable {
    /// No path was built.
    case notAsked = "not-asked"

    /// Of at least one certificate no list tells the status.
    case notGiven = "not-given"

    /// No certificate of the path is revoked, and lists say so of each below the anchor.
    case good

    init(_ path: CertificateChain.Path) {
        self = path.revocation == .good ? .good : .notGiven
    }
}

/// What was found of an attestation, in full.
public struct AttestationFinding: Hashable, Sendable {
    /// The statement's format.
    public internal(set) var format: AttestationStatementFormat

    /// The type of attestation.
    public internal(set) var type: AttestationType

    /// Whether the type is known: `packed` and `fido-u2f` alone cannot tell basic attestation from one by a
    /// certification authority of the device's, and metadata can.
    public internal(set) var isTypeCertain: Bool

    /// The model, as the authenticator data tells it.
    public let aaguid: AAGUID?

    /// The certificates in DER: the path from the attestation certificate to the trust anchor, or, where trust was not
    /// asked for, those that the statement carries.
    public internal(set) var certificates: [[UInt8]]

    /// The subjects of ``certificates`` in RFC 4514's text, for people.
    public internal(set) var subjects: [String]

    /// Whether it leads to a trust anchor.
    public internal(set) var isTrusted = false

    /// What revocation lists say of the path.
    public internal(set) var revocation = RevocationStatus.notAsked

    /// The model's entry in the metadata.
    public internal(set) var metadata: MetadataEntry?

    /// What the policy decided, in words, for the log.
    public internal(set) var decision: String

    /// What was found of each statement within a `compound` one.
    public internal(set) var parts: [AttestationFinding] = []

    init(_ finding: FormatFinding, _ format: AttestationStatementFormat, _ aaguid: AAGUID?) {
        self.format = format
        type = finding.type
        isTypeCertain = finding.isTypeCertain
        self.aaguid = aaguid
        certificates = finding.certificates.map(\.der)
        subjects = finding.certificates.map(\.subject.text)
        decision = "the statement verifies; whom it leads to was not asked"
        parts = finding.parts.map { AttestationFinding($0.finding, $0.format, aaguid) }
    }

    /// The finding of a compound statement, for all parts of which this one speaks.
    func speaking(for parts: [AttestationFinding], _ format: AttestationStatementFormat) -> AttestationFinding {
        var finding = self
        finding.format = format
        finding.parts = parts
        return finding
    }

    mutating func take(_ path: CertificateChain.Path) {
        isTrusted = true
        certificates = path.certificates.map(\.der)
        subjects = path.certificates.map(\.subject.text)
        revocation = RevocationStatus(path)
    }

    /// Tells basic attestation from a certification authority's, where the model makes only one of them.
    mutating func refineType(by entry: MetadataEntry) {
        guard !isTypeCertain, let types = entry.statement?.attestationTypes else { return }
        switch (types.contains("basic_full"), types.contains("attca")) {
        case (true, false): (type, isTypeCertain) = (.basic, true)
        case (false, true): (type, isTypeCertain) = (.attestationCA, true)
        default: break
        }
    }

    /// The same in the words of the relying party.
    func verdict(checks: [String]) -> AttestationVerifier.Verdict {
        var verdict = AttestationVerifier.Verdict(
            type,
            isTypeCertain: isTypeCertain,
            isTrusted: isTrusted,
            trustPath: subjects,
            checks: checks,
            decision: decision
        )
        verdict.details = AttestationDetails(self)
        return verdict
    }
}

extension AttestationVerifier.Verdict {
    /// What was found in full; `nil` if a verifier of another module judged.
    public var finding: AttestationFinding? { details?.value as? AttestationFinding }
}
