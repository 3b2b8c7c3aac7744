import PasskeyCrypto
import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// What a format's procedure works with.
struct FormatContext {
    let evidence: AttestationVerifier.Evidence
    let options: AttestationOptions
    let certificates: CertificateCache

    var statement: CBORDocument.Item { evidence.statement }

    var credentialKey: VerifiedKey { evidence.credentialKey }

    /// The concatenation of authenticatorData and clientDataHash, which most formats sign.
    var attestedBytes: [UInt8] { evidence.authenticatorData.bytes + evidence.clientDataHash }

    var aaguid: AAGUID? { evidence.authenticatorData.attestedCredentialData?.aaguid }
}

/// What a format's procedure found.
struct FormatFinding {
    var type: AttestationType

    /// Whether the type is known, and not the more modest of two that only metadata could tell apart.
    var isTypeCertain = true

    /// x5c: the attestation certificate first.
    var certificates: [Certificate] = []

    /// The rules that were met.
    var checks: [String]

    /// The statements within a compound one that verified.
    var parts: [Part] = []

    /// A statement within a compound one.
    struct Part {
        var format: AttestationStatementFormat
        var finding: FormatFinding
    }
}
