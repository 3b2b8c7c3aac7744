import PasskeyModel
import PasskeyWire

extension Mutation {
    /// A rule of an attestation statement format, broken in one way: what ``AttestationFault`` breaks.
    struct BrokenRule: Sendable {
        let name: String
        let rule: String
        let variant: Int
        let needs: Set<Need>
        let summary: String

        init(_ name: String, _ rule: String, variant: Int = 0, needs: Set<Need> = [], _ summary: String) {
            self.name = name
            self.rule = rule
            self.variant = variant
            self.needs = needs
            self.summary = summary
        }
    }

    /// The rules of a format, under the names of the catalogue.
    struct BrokenFormat: Sendable {
        let prefix: String
        let format: AttestationStatementFormat
        let need: Need
        let rules: [BrokenRule]
    }

    /// Every rule of every format but `none`, in the order in which a verifier looks at them.
    static let brokenFormats: [BrokenFormat] = [
        BrokenFormat(prefix: "att.packed", format: .packed, need: .packedAttestation, rules: packedRules),
        BrokenFormat(prefix: "att.packed", format: .packed, need: .selfAttestation, rules: selfRules),
        BrokenFormat(prefix: "att.tpm", format: .tpm, need: .tpmAttestation, rules: tpmRules),
        BrokenFormat(
            prefix: "att.android-key",
            format: .androidKey,
            need: .androidKeyAttestation,
            rules: androidKeyRules
        ),
        BrokenFormat(
            prefix: "att.android-safetynet",
            format: .androidSafetyNet,
            need: .androidSafetyNetAttestation,
            rules: androidSafetyNetRules
        ),
        BrokenFormat(prefix: "att.u2f", format: .fidoU2F, need: .fidoU2FAttestation, rules: fidoU2FRules),
        BrokenFormat(prefix: "att.apple", format: .apple, need: .appleAttestation, rules: appleRules),
        BrokenFormat(prefix: "att.compound", format: .compound, need: .compoundAttestation, rules: compoundRules),
    ]

    private static let packedRules: [BrokenRule] = [
        BrokenRule("missing-sig", "syntax", "the statement has no signature"),
        BrokenRule("sig-not-bytes", "syntax", variant: 1, "the statement's signature is an array"),
        BrokenRule("missing-alg", "syntax", variant: 2, "the statement has no algorithm"),
        BrokenRule("x5c-empty", "syntax", variant: 3, "there are no certificates in x5c"),
        BrokenRule("x5c-not-array", "syntax", variant: 4, "x5c is text"),
        BrokenRule("ecdaa", "ecdaa", "the statement names an ECDAA key, too"),
        BrokenRule("cert-truncated", "certificate", "the certificate's last byte is missing"),
        BrokenRule("cert-trailing", "certificate", variant: 1, "a byte follows the certificate"),
        BrokenRule("alg-mismatch", "algorithm", "the statement's algorithm is not the certificate's"),
        BrokenRule("alg-unknown", "algorithm", variant: 1, "the statement's algorithm is one that nobody knows"),
        BrokenRule("sig-other-message", "signature", "the statement signs something else"),
        BrokenRule("sig-other-key", "signature", variant: 1, "another key than the certificate's signed the statement"),
        BrokenRule("sig-empty", "signature", variant: 2, "the statement's signature has no bytes"),
        BrokenRule("cert-v2", "version", "the certificate is of version 2"),
        BrokenRule("cert-v1", "version", variant: 1, "the certificate is of version 1"),
        BrokenRule("c-not-code", "subjectCountry", "the subject's country is no code of two letters"),
        BrokenRule("c-missing", "subjectCountry", variant: 1, "the subject has no country"),
        BrokenRule("o-missing", "subjectOrganization", "the subject has no organization"),
        BrokenRule(
            "ou-not-authenticator-attestation",
            "subjectOrganizationalUnit",
            "the subject's unit is another than \"Authenticator Attestation\""
        ),
        BrokenRule("ou-missing", "subjectOrganizationalUnit", variant: 1, "the subject has no unit"),
        BrokenRule("cn-missing", "subjectCommonName", "the subject has no common name"),
        BrokenRule(
            "basic-constraints-missing",
            "basicConstraints",
            "the certificate does not say that it is of no authority"
        ),
        BrokenRule("ca-true", "basicConstraints", variant: 1, "the certificate is of an authority"),
        BrokenRule("aaguid-ext-malformed", "aaguidEncoding", "the certificate's AAGUID is not wrapped as it has to be"),
        BrokenRule("aaguid-ext-critical", "aaguidCriticality", "the certificate's AAGUID is critical"),
        BrokenRule("aaguid-ext-mismatch", "aaguid", "the certificate's AAGUID is another model's"),
        BrokenRule(
            "serial-ext-malformed",
            "serialNumberEncoding",
            "the certificate's serial number is not wrapped as it has to be"
        ),
        BrokenRule("serial-ext-critical", "serialNumberCriticality", "the certificate's serial number is critical"),
        BrokenRule(
            "serial-ext-unasked",
            "serialNumberUnasked",
            "the certificate tells a serial number to somebody who may not know it"
        ),
    ]

    private static let selfRules: [BrokenRule] = [
        BrokenRule("self-missing-sig", "syntax", "the credential's own statement has no signature"),
        BrokenRule("self-ecdaa", "ecdaa", "the credential's own statement names an ECDAA key"),
        BrokenRule("self-alg-not-cred-alg", "selfAlgorithm", "the credential's own statement names another algorithm"),
        BrokenRule("self-sig-other-message", "selfSignature", "the credential's own statement signs something else"),
        BrokenRule(
            "self-sig-other-key",
            "selfSignature",
            variant: 1,
            "another key of the same kind signed the credential's own statement"
        ),
        BrokenRule(
            "self-sig-empty",
            "selfSignature",
            variant: 2,
            "the signature of the credential's own statement has no bytes"
        ),
    ]

    private static let tpmRules: [BrokenRule] = [
        BrokenRule("missing-certInfo", "syntax", "the statement has no certInfo"),
        BrokenRule("missing-pubArea", "syntax", variant: 2, "the statement has no pubArea"),
        BrokenRule("x5c-empty", "syntax", variant: 5, "there are no certificates in x5c"),
        BrokenRule("ecdaa", "ecdaa", "the statement names an ECDAA key, too"),
        BrokenRule("ver-not-2.0", "version", "the TPM is of version 1.2"),
        BrokenRule("cert-trailing", "certificate", variant: 1, "a byte follows the certificate"),
        BrokenRule("pubArea-trailing", "publicArea", "a byte follows pubArea's structure"),
        BrokenRule("pubArea-not-credKey", "publicKey", "pubArea has another key than the credential's"),
        BrokenRule("sha1", "sha1", "the statement's signature is over SHA-1"),
        BrokenRule("alg-mismatch", "algorithm", "the statement's algorithm is not the certificate's"),
        BrokenRule("certInfo-trailing", "certInfo", "a byte follows certInfo's structure"),
        BrokenRule("magic", "magic", "certInfo was not made by a TPM"),
        BrokenRule("type-not-attest-certify", "attestType", "certInfo is a quote"),
        BrokenRule("extraData-mismatch", "extraData", "certInfo is about another ceremony"),
        BrokenRule("extraData-other-hash", "extraData", variant: 1, "certInfo has a hash by another function"),
        BrokenRule("name-mismatch", "attestedName", "certInfo is about another key than pubArea"),
        BrokenRule(
            "name-other-hash",
            "attestedName",
            variant: 1,
            "the key's name has a hash by another function than it says"
        ),
        BrokenRule("sig", "signature", "the statement signs something else"),
        BrokenRule("sig-other-key", "signature", variant: 1, "another key than the certificate's signed the statement"),
        BrokenRule("cert-v1", "certificateVersion", variant: 1, "the certificate is of version 1"),
        BrokenRule("subject-nonempty", "subject", "the certificate has a subject"),
        BrokenRule("SAN-incomplete", "subjectAltName", "the certificate does not name the TPM's model"),
        BrokenRule("SAN-missing", "subjectAltName", variant: 1, "the certificate does not name the TPM"),
        BrokenRule(
            "vendor-unknown",
            "manufacturer",
            needs: [.tpmManufacturersListed],
            "the TPM is of a manufacturer that nobody knows"
        ),
        BrokenRule("EKU-other", "extendedKeyUsage", "the certificate is for another use"),
        BrokenRule("EKU-missing", "extendedKeyUsage", variant: 1, "the certificate does not say what it is for"),
        BrokenRule("ca-true", "basicConstraints", variant: 1, "the certificate is of an authority"),
        BrokenRule("aaguid-ext-malformed", "aaguidEncoding", "the certificate's AAGUID is not wrapped as it has to be"),
        BrokenRule("aaguid-ext-critical", "aaguidCriticality", "the certificate's AAGUID is critical"),
        BrokenRule("aaguid-ext-mismatch", "aaguid", "the certificate's AAGUID is another model's"),
    ]

    private static let androidKeyRules: [BrokenRule] = [
        BrokenRule("missing-sig", "syntax", "the statement has no signature"),
        BrokenRule("cert-trailing", "certificate", variant: 1, "a byte follows the certificate"),
        BrokenRule("alg-mismatch", "algorithm", "the statement's algorithm is not the certificate's"),
        BrokenRule("sig", "signature", "the statement signs something else"),
        BrokenRule("sig-other-key", "signature", variant: 1, "another key than the certificate's signed the statement"),
        BrokenRule("key-mismatch", "publicKey", "the certificate has another key than the credential's"),
        BrokenRule("description-missing", "keyDescription", "the certificate does not describe the key"),
        BrokenRule("description-trailing", "keyDescription", variant: 3, "a byte follows the description of the key"),
        BrokenRule("challenge-mismatch", "challenge", "the key was made for another ceremony"),
        BrokenRule("challenge-empty", "challenge", variant: 1, "the key was made for no ceremony"),
        BrokenRule("allApplications", "allApplications", "all applications may use the key, as hardware says"),
        BrokenRule(
            "allApplications-by-software",
            "allApplications",
            variant: 1,
            "all applications may use the key, as software says"
        ),
        BrokenRule("origin-not-generated", "origin", "the key was imported"),
        BrokenRule("origin-missing", "origin", variant: 1, "nobody says where the key is from"),
        BrokenRule("purpose-not-sign", "purpose", "the key is for something else than signing"),
        BrokenRule("purpose-missing", "purpose", variant: 1, "nobody says what the key is for"),
    ]

    private static let androidSafetyNetRules: [BrokenRule] = [
        BrokenRule("missing-response", "syntax", "the statement has no response"),
        BrokenRule("version-empty", "version", "the service has no version"),
        BrokenRule("response-unsigned", "response", "the response has no signature"),
        BrokenRule("response-not-jws", "response", variant: 1, "the response is what should have been signed"),
        BrokenRule("cert-trailing", "certificate", variant: 1, "a byte follows the certificate"),
        BrokenRule("sig", "signature", "the response signs something else"),
        BrokenRule("sig-other-key", "signature", variant: 1, "another key than the certificate's signed the response"),
        BrokenRule("hostname", "hostname", "the certificate is another host's"),
        BrokenRule("nonce-mismatch", "nonce", "the response is about another ceremony"),
        BrokenRule("nonce-clientDataHash", "nonce", variant: 1, "the response is not about the credential"),
        BrokenRule("cts-false", "ctsProfileMatch", "the device is none that Google knows"),
    ]

    private static let fidoU2FRules: [BrokenRule] = [
        BrokenRule("missing-sig", "syntax", "the statement has no signature"),
        BrokenRule("two-certs", "certificateCount", "there are two certificates"),
        BrokenRule("cert-truncated", "certificate", "the certificate's last byte is missing"),
        BrokenRule("non-P256", "certificateKey", "the certificate's key is on P-384"),
        BrokenRule("non-EC", "certificateKey", variant: 1, "the certificate's key is RSA"),
        BrokenRule("sig", "signature", "the statement signs something else"),
        BrokenRule("sig-other-key", "signature", variant: 1, "another key than the certificate's signed the statement"),
        BrokenRule(
            "pubkey-form",
            "signature",
            variant: 3,
            "the statement signs the key as COSE writes it, and not the point"
        ),
    ]

    private static let appleRules: [BrokenRule] = [
        BrokenRule("missing-x5c", "syntax", "the statement has no certificates"),
        BrokenRule("cert-trailing", "certificate", variant: 1, "a byte follows the certificate"),
        BrokenRule("nonce-ext-missing", "nonceExtension", "the certificate has no nonce"),
        BrokenRule(
            "nonce-ext-unwrapped",
            "nonceExtension",
            variant: 1,
            "the certificate's nonce is not wrapped as it has to be"
        ),
        BrokenRule("nonce-mismatch", "nonce", "the certificate was made for another ceremony"),
        BrokenRule("nonce-clientDataHash", "nonce", variant: 1, "the certificate's nonce is not about the credential"),
        BrokenRule("key-mismatch", "publicKey", "the certificate has another key than the credential's"),
    ]

    private static let compoundRules: [BrokenRule] = [
        BrokenRule("not-array", "syntax", "the statement is one of its parts"),
        BrokenRule("single", "count", "there is one part"),
        BrokenRule("empty", "count", variant: 1, "there are no parts"),
        BrokenRule("nested-compound", "nested", "a part is compound itself"),
    ]
}
