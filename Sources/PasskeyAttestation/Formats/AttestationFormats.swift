import PasskeyModel
import PasskeyRelyingParty

/// The formats of `#sctn-defined-attestation-formats`.
enum AttestationFormats {
    /// Verifies a statement in any of them.
    static func verify(_ context: FormatContext) throws(AttestationVerifier.Refusal) -> FormatFinding {
        // "fmt": a USASCII case-sensitive match.
        switch context.evidence.format {
        case .none: try NoneAttestation.verify(context)
        case .packed: try PackedAttestation.verify(context)
        case .tpm: try TPMAttestation.verify(context)
        case .androidKey: try AndroidKeyAttestation.verify(context)
        case .androidSafetyNet where context.options.allowsAndroidSafetyNet:
            try AndroidSafetyNetAttestation.verify(context)
        case .fidoU2F: try FIDOU2FAttestation.verify(context)
        case .apple: try AppleAttestation.verify(context)
        case .compound: try CompoundAttestation.verify(context)
        default: throw unknown(context.evidence.format)
        }
    }

    private static func unknown(_ format: AttestationStatementFormat) -> AttestationVerifier.Refusal {
        AttestationVerifier.Refusal(
            .format,
            format == .androidSafetyNet
                ? "the format android-safetynet, whose service has ended, is known only by name of an option"
                : "the format \"\(excerpt(format.rawValue))\" is not known"
        )
    }
}
