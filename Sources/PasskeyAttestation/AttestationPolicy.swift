import PasskeyCrypto
import PasskeyModel
public import PasskeyRelyingParty

/// What a relying party wants of attestation.
public enum AttestationPolicy: Sendable {
    /// Attestation is not asked for, and not looked at.
    case none

    /// Attestation is not asked for; a statement that comes all the same must verify, unless its format is unknown.
    ///
    /// Some authenticators attest though nobody asked.
    case verifyIfPresent

    /// Attestation is asked for; every statement must verify, in a format that is known. Whom it leads to is not asked:
    /// no chain is built and no validity looked at, so that anybody can make a statement that passes.
    case verify

    /// Attestation is asked for, and must lead to one of the store's anchors (§7.1 step 24).
    case require(TrustStore)
}

extension AttestationVerifier {
    /// Makes a verifier that knows every format of `#sctn-defined-attestation-formats`.
    ///
    /// Make it once and keep it: it remembers certificates that it has parsed, within a bound.
    ///
    /// - Parameters:
    ///   - policy: What is wanted.
    ///   - options: How statements are read. Their conveyance counts where attestation is asked for.
    public init(_ policy: AttestationPolicy, _ options: AttestationOptions = AttestationOptions()) {
        let certificates = CertificateCache(capacity: 256)
        switch policy {
        case .none:
            self = .ignored
        case .verifyIfPresent:
            var unasked = options
            unasked.conveyance = .none
            self.init(conveyance: .none, requiresTrust: false) { [unasked] (evidence) throws(Refusal) in
                do throws(Refusal) {
                    return try verdict(evidence, unasked, certificates, nil)
                } catch {
                    guard error.step == .format else { throw error }
                    return Verdict(.unverified, checks: error.checks, decision: "\(error.detail); nobody asked for it")
                }
            }
        case .verify:
            self.init(conveyance: options.conveyance, requiresTrust: false) { (evidence) throws(Refusal) in
                try verdict(evidence, options, certificates, nil)
            }
        case .require(let store):
            self.init(conveyance: options.conveyance, requiresTrust: true) { (evidence) throws(Refusal) in
                try verdict(evidence, options, certificates, store)
            }
        }
    }

    /// Attestation is asked for, and must lead to one of the store's anchors.
    ///
    /// - Parameters:
    ///   - store: Whose attestations are trusted.
    ///   - options: How statements are read.
    /// - Returns: A verifier that knows every format.
    public static func require(
        _ store: TrustStore,
        _ options: AttestationOptions = AttestationOptions()
    ) -> AttestationVerifier {
        AttestationVerifier(.require(store), options)
    }
}

/// Verifies a statement, and judges it where there is somebody to ask.
private func verdict(
    _ evidence: AttestationVerifier.Evidence,
    _ options: AttestationOptions,
    _ certificates: CertificateCache,
    _ store: TrustStore?
) throws(AttestationVerifier.Refusal) -> AttestationVerifier.Verdict {
    let context = FormatContext(evidence: evidence, options: options, certificates: certificates)
    let finding = try AttestationFormats.verify(context)
    do throws(AttestationVerifier.Refusal) {
        return try judgement(finding, evidence, options, store).verdict(checks: finding.checks)
    } catch {
        var refusal = error
        refusal.checks = finding.checks
        throw refusal
    }
}

/// Asks the store: once, or of each statement within a compound one.
private func judgement(
    _ finding: FormatFinding,
    _ evidence: AttestationVerifier.Evidence,
    _ options: AttestationOptions,
    _ store: TrustStore?
) throws(AttestationVerifier.Refusal) -> AttestationFinding {
    guard let store else {
        return AttestationFinding(
            finding,
            evidence.format,
            evidence.authenticatorData.attestedCredentialData?.aaguid
        )
    }
    guard !finding.parts.isEmpty else { return try store.judge(finding, evidence.format, evidence) }
    var parts: [AttestationFinding] = []
    var refusal: AttestationVerifier.Refusal?
    for part in finding.parts {
        do throws(AttestationVerifier.Refusal) {
            parts.append(try store.judge(part.finding, part.format, evidence))
        } catch {
            guard options.compound == .any else { throw error }
            refusal = error
        }
    }
    if parts.isEmpty, let refusal { throw refusal }
    // The strongest statement speaks for all, as in the procedure of the format, if it is among the trusted.
    let speaker = parts.first { $0.type == finding.type } ?? parts[0]
    return speaker.speaking(for: parts, evidence.format)
}
