import PasskeyCrypto
public import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// `#sctn-packed-attestation`: the format that WebAuthn's own authenticators use, with a certificate or without.
public enum PackedAttestation {
    /// What the procedure and `#sctn-packed-attestation-cert-requirements` ask for, in the order in which it is looked at.
    @nonexhaustive
    public enum Rule: String, AttestationRule {
        /// "Verify that attStmt is valid CBOR conforming to the syntax defined above."
        case syntax

        /// No `ecdaaKeyId`: ECDAA is not part of the specification any more.
        case ecdaa

        /// "x5c: the elements of this array contain attestnCert and its certificate chain", each in X.509.
        case certificate

        /// "alg: the algorithm used to generate the attestation signature" is known and fits the certificate's key.
        case algorithm

        /// "Verify that sig is a valid signature over the concatenation of authenticatorData and clientDataHash using
        /// the attestation public key in attestnCert with the algorithm specified in alg."
        case signature

        /// "Version MUST be set to 3."
        case version

        /// "Subject-C: ISO 3166 code specifying the country where the Authenticator vendor is incorporated."
        case subjectCountry

        /// "Subject-O: legal name of the Authenticator vendor."
        case subjectOrganization

        /// "Subject-OU: literal string 'Authenticator Attestation'."
        case subjectOrganizationalUnit

        /// "Subject-CN: a UTF8String of the vendor's choosing."
        case subjectCommonName

        /// "The Basic Constraints extension MUST have the CA component set to false"; so there must be one.
        case basicConstraints

        /// id-fido-gen-ce-aaguid contains "the AAGUID as a 16-byte OCTET STRING".
        case aaguidEncoding

        /// id-fido-gen-ce-aaguid "MUST NOT be marked as critical".
        case aaguidCriticality

        /// "If attestnCert contains an extension with OID 1.3.6.1.4.1.45724.1.1.4 (id-fido-gen-ce-aaguid) verify that
        /// the value of this extension matches the aaguid in authenticatorData."
        case aaguid

        /// id-fido-gen-ce-sernum (`#sctn-enterprise-packed-attestation-cert-requirements`) contains an OCTET STRING.
        case serialNumberEncoding

        /// id-fido-gen-ce-sernum "MUST NOT be marked as critical".
        case serialNumberCriticality

        /// id-fido-gen-ce-sernum "MUST NOT be present in non-enterprise attestations".
        case serialNumberUnasked

        /// Without x5c: "Validate that alg matches the algorithm of the credentialPublicKey in authenticatorData."
        case selfAlgorithm

        /// Without x5c: "Verify that sig is a valid signature over the concatenation of authenticatorData and
        /// clientDataHash using the credential public key with alg."
        case selfSignature

        /// The format that the rules are of.
        public static let format = AttestationStatementFormat.packed
    }

    static func verify(_ context: FormatContext) throws(AttestationVerifier.Refusal) -> FormatFinding {
        let statement = context.statement
        // "If x5c is not present, self attestation is in use."
        guard statement.kind == .map, statement["x5c"] != nil else {
            let verdict = try AttestationVerifier.verifyPackedSelf(context.evidence)
            return FormatFinding(type: verdict.type, checks: verdict.checks)
        }
        var rules = RuleCheck<Rule>()
        let (algorithm, signature, x5c) = try rules.run(.syntax) { () throws(RuleFault) in
            (
                try StatementParts.algorithm(statement), try StatementParts.signature(statement),
                try StatementParts.x5c(statement)
            )
        }
        try rules.require(
            .ecdaa,
            statement["ecdaaKeyId"] == nil,
            "ECDAA attestation is not part of the specification any more"
        )
        // "If x5c is present:"
        let certificates = try rules.run(.certificate) { () throws(RuleFault) in try context.certificates(x5c) }
        let certificate = certificates[0]
        let key = try rules.run(.algorithm) { () throws(RuleFault) in
            try context.attestationKey(certificate, algorithm)
        }
        try rules.run(.signature) { () throws(RuleFault) in
            try context.verify(signature, of: context.attestedBytes, with: key)
        }
        try requireProfile(of: certificate, &rules)
        try context.requireNoAuthority(certificate, &rules, .basicConstraints)
        try context.requireAAGUID(
            of: certificate,
            &rules,
            encoding: .aaguidEncoding,
            criticality: .aaguidCriticality,
            value: .aaguid
        )
        try requireSerialNumber(of: certificate, context, &rules)
        // "Optionally, inspect x5c and consult externally provided knowledge to determine whether attStmt conveys a
        // Basic or AttCA attestation." The statement alone cannot tell.
        return FormatFinding(type: .basic, isTypeCertain: false, certificates: certificates, checks: rules.checks)
    }

    /// `#sctn-packed-attestation-cert-requirements`.
    private static func requireProfile(
        of certificate: Certificate,
        _ rules: inout RuleCheck<Rule>
    ) throws(AttestationVerifier.Refusal) {
        try rules.require(.version, certificate.version == 3, "the certificate's version is \(certificate.version)")
        let subject = certificate.subject
        let country = subject.values("2.5.4.6")
        try rules.require(
            .subjectCountry,
            country.count == 1 && country[0].utf8.count == 2 && country[0].utf8.allSatisfy(isLetter),
            "the subject's C is \(excerpt(country.first ?? "missing"))"
        )
        try rules.require(
            .subjectOrganization,
            subject.values("2.5.4.10").contains { !$0.isEmpty },
            "the subject has no O"
        )
        let units = subject.values("2.5.4.11")
        try rules.require(
            .subjectOrganizationalUnit,
            units.contains { $0.hasSameBytes(as: "Authenticator Attestation") },
            "the subject's OU is \(excerpt(units.first ?? "missing"))"
        )
        try rules.require(
            .subjectCommonName,
            subject.values("2.5.4.3").contains { !$0.isEmpty },
            "the subject has no CN"
        )
    }

    private static func requireSerialNumber(
        of certificate: Certificate,
        _ context: FormatContext,
        _ rules: inout RuleCheck<Rule>
    ) throws(AttestationVerifier.Refusal) {
        let found = try rules.run(.serialNumberEncoding) { () throws(RuleFault) in
            try certificate.octetStringExtension("1.3.6.1.4.1.45724.1.1.2")
        }
        guard let found else { return }
        try rules.require(.serialNumberCriticality, !found.isCritical, "id-fido-gen-ce-sernum is critical")
        try rules.require(
            .serialNumberUnasked,
            context.options.conveyance == .enterprise,
            "the certificate tells the serial number, and no enterprise attestation was asked for"
        )
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5a).contains(byte & 0xdf)
    }
}
