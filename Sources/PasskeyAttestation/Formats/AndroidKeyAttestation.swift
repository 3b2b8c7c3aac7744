import PasskeyCrypto
public import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// `#sctn-android-key-attestation`: Android's keystore certifies the credential's key.
public enum AndroidKeyAttestation {
    /// What the procedure asks for, in the order in which it is looked at.
    @nonexhaustive
    public enum Rule: String, AttestationRule {
        /// "Verify that attStmt is valid CBOR conforming to the syntax defined above."
        case syntax

        /// The certificates of x5c are in X.509.
        case certificate

        /// alg is known and fits the key of the first certificate.
        case algorithm

        /// "Verify that sig is a valid signature over the concatenation of authenticatorData and clientDataHash using the
        /// public key in the first certificate in x5c with the algorithm specified in alg."
        case signature

        /// "Verify that the public key in the first certificate in x5c matches the credentialPublicKey in the
        /// attestedCredentialData in authenticatorData."
        case publicKey

        /// The first certificate has the extension 1.3.6.1.4.1.11129.2.1.17, a KeyDescription, and no other one has.
        case keyDescription

        /// "Verify that the attestationChallenge field in the attestation certificate extension data is identical to
        /// clientDataHash."
        case challenge

        /// "The AuthorizationList.allApplications field is not present on either authorization list."
        case allApplications

        /// "The value in the AuthorizationList.origin field is equal to KM_ORIGIN_GENERATED."
        case origin

        /// "The value in the AuthorizationList.purpose field is equal to KM_PURPOSE_SIGN."
        case purpose

        /// The format that the rules are of.
        public static let format = AttestationStatementFormat.androidKey
    }

    private static let originGenerated = 0
    private static let purposeSign = 2

    static func verify(_ context: FormatContext) throws(AttestationVerifier.Refusal) -> FormatFinding {
        let statement = context.statement
        var rules = RuleCheck<Rule>()
        let (algorithm, signature, x5c) = try rules.run(.syntax) { () throws(RuleFault) in
            try StatementParts.map(statement)
            return (
                try StatementParts.algorithm(statement), try StatementParts.signature(statement),
                try StatementParts.x5c(statement)
            )
        }
        let certificates = try rules.run(.certificate) { () throws(RuleFault) in try context.certificates(x5c) }
        let key = try rules.run(.algorithm) { () throws(RuleFault) in
            try context.attestationKey(certificates[0], algorithm)
        }
        try rules.run(.signature) { () throws(RuleFault) in
            try context.verify(signature, of: context.attestedBytes, with: key)
        }
        try rules.run(.publicKey) { () throws(RuleFault) in try context.requireCredentialKey(of: certificates[0]) }
        let description = try rules.run(.keyDescription) { () throws(RuleFault) in
            try Self.description(in: certificates)
        }
        try rules.require(
            .challenge,
            description.attestationChallenge == context.evidence.clientDataHash,
            "the key was made for another challenge"
        )
        try rules.require(
            .allApplications,
            !description.softwareEnforced.allowsAllApplications && !description.hardwareEnforced.allowsAllApplications,
            "the key is not bound to the relying party: every application may use it"
        )
        // "For the following, use only the teeEnforced authorization list if the RP wants to accept only keys from a
        // trusted execution environment, otherwise use the union of teeEnforced and softwareEnforced."
        let lists =
            switch context.options.androidKeys {
            case .any: [description.hardwareEnforced, description.softwareEnforced]
            case .hardwareOnly: description.isByHardware ? [description.hardwareEnforced] : []
            }
        let origins = lists.flatMap(\.origins)
        try rules.require(
            .origin,
            !origins.isEmpty && origins.allSatisfy { $0 == originGenerated },
            origins.isEmpty ? "no list that counts says where the key is from" : "the key was not generated there"
        )
        try rules.require(
            .purpose,
            lists.contains { $0.purposes.contains(purposeSign) },
            "the key is not for signing"
        )
        // "attestation type Basic and attestation trust path x5c"
        return FormatFinding(type: .basic, certificates: certificates, checks: rules.checks)
    }

    /// The description of the credential's key, by whoever made the key.
    ///
    /// "Only the first occurrence of the extension in the chain can be trusted. Any further instances of the extension
    /// have not been issued by the secure hardware and might have been issued by an attacker extending the chain"
    /// (Android, "Verify hardware-backed key pairs with key attestation"; its chains begin at the root): an attested key
    /// signs whatever its owner likes, another certificate included.
    private static func description(in certificates: [Certificate]) throws(RuleFault) -> AndroidKeyDescription {
        let oid = AndroidKeyDescription.oid
        let leaf = certificates[0]
        // The same certificate once more does no harm.
        let describesAnother = certificates.contains { certificate in
            certificate.fingerprint != leaf.fingerprint
                && certificate.extensions.contains { $0.oid.hasSameBytes(as: oid) }
        }
        guard !describesAnother else {
            throw RuleFault("a certificate above has a key description, too: the first one's is not the keystore's")
        }
        let found: CertificateExtension?
        do throws(CryptoError) {
            found = try leaf.extensionValue(oid)
        } catch {
            throw RuleFault(error)
        }
        guard let found else { throw RuleFault("the certificate has no key description") }
        do throws(WireError) {
            return try AndroidKeyDescription(found.value)
        } catch {
            throw RuleFault("the key description: \(error.reason)", offset: error.offset)
        }
    }
}
