import PasskeyCrypto
public import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// `#sctn-tpm-attestation`: a Trusted Platform Module certifies that it holds the credential's key.
public enum TPMAttestation {
    /// What the procedure and `#sctn-tpm-cert-requirements` ask for, in the order in which it is looked at.
    @nonexhaustive
    public enum Rule: String, AttestationRule {
        /// "Verify that attStmt is valid CBOR conforming to the syntax defined above."
        case syntax

        /// No `ecdaaKeyId`: ECDAA is not part of the specification any more.
        case ecdaa

        /// "ver: the version of the TPM specification to which the signature conforms", "2.0".
        case version

        /// "x5c: aikCert followed by its certificate chain", each in X.509.
        case certificate

        /// pubArea is one TPMT_PUBLIC.
        case publicArea

        /// "Verify that the public key specified by the parameters and unique fields of pubArea is identical to the
        /// credentialPublicKey in the attestedCredentialData in authenticatorData."
        case publicKey

        /// alg does not sign over SHA-1, unless an option allows it.
        case sha1

        /// "alg: the algorithm used to generate the attestation signature" is known and fits the AIK's key.
        case algorithm

        /// certInfo is one TPMS_ATTEST.
        case certInfo

        /// "Verify that magic is set to TPM_GENERATED_VALUE."
        case magic

        /// "Verify that type is set to TPM_ST_ATTEST_CERTIFY."
        case attestType

        /// "Verify that extraData is set to the hash of attToBeSigned using the hash algorithm employed in \"alg\"."
        case extraData

        /// "Verify that attested contains a TPMS_CERTIFY_INFO structure, whose name field contains a valid Name for
        /// pubArea, as computed using the procedure specified in [TPMv2-Part1] section 16 using the nameAlg in the
        /// pubArea."
        case attestedName

        /// "Verify the sig is a valid signature over certInfo using the attestation public key in aikCert with the
        /// algorithm specified in alg."
        case signature

        /// "Version MUST be set to 3."
        case certificateVersion

        /// "Subject field MUST be set to empty."
        case subject

        /// "The Subject Alternative Name extension MUST be set as defined in [TPMv2-EK-Profile] section 3.2.9":
        /// manufacturer, model and version.
        case subjectAltName

        /// The manufacturer is one that an option lists, if it lists any.
        case manufacturer

        /// "The Extended Key Usage extension MUST contain the OID 2.23.133.8.3 (tcg-kp-AIKCertificate)."
        case extendedKeyUsage

        /// "The Basic Constraints extension MUST have the CA component set to false."
        case basicConstraints

        /// id-fido-gen-ce-aaguid contains the AAGUID as a 16-byte OCTET STRING.
        case aaguidEncoding

        /// id-fido-gen-ce-aaguid is not critical.
        case aaguidCriticality

        /// "If aikCert contains an extension with OID 1.3.6.1.4.1.45724.1.1.4 (id-fido-gen-ce-aaguid) verify that the
        /// value of this extension matches the aaguid in authenticatorData."
        case aaguid

        /// The format that the rules are of.
        public static let format = AttestationStatementFormat.tpm
    }

    static func verify(_ context: FormatContext) throws(AttestationVerifier.Refusal) -> FormatFinding {
        let statement = context.statement
        var rules = RuleCheck<Rule>()
        let parts = try rules.run(.syntax) { () throws(RuleFault) in try Parts(statement) }
        try rules.require(
            .ecdaa,
            statement["ecdaaKeyId"] == nil,
            "ECDAA attestation is not part of the specification any more"
        )
        try rules.require(.version, parts.version.hasSameBytes(as: "2.0"), "ver is \(excerpt(parts.version))")
        let certificates = try rules.run(.certificate) { () throws(RuleFault) in
            try context.certificates(parts.x5c)
        }
        let aik = certificates[0]
        let publicArea = try rules.run(.publicArea) { () throws(RuleFault) in
            do throws(WireError) { return try TPMPublicArea(parts.publicArea) } catch { throw RuleFault(error) }
        }
        try rules.require(
            .publicKey,
            publicArea.isKey(of: context.credentialKey.coseKey.parameters),
            "pubArea holds another key than the credential public key"
        )
        let algorithm = parts.algorithm
        try rules.require(
            .sha1,
            algorithm != .rs1 || context.options.allowsSHA1,
            "alg is RS1, whose signatures are over SHA-1"
        )
        let key = try rules.run(.algorithm) { () throws(RuleFault) in try context.attestationKey(aik, algorithm) }
        try requireCertInfo(parts, publicArea, context, &rules)
        try rules.run(.signature) { () throws(RuleFault) in
            try context.verify(parts.signature, of: parts.certInfo, with: key)
        }
        try requireProfile(of: aik, context, &rules)
        // "attestation type AttCA and attestation trust path x5c"
        return FormatFinding(type: .attestationCA, certificates: certificates, checks: rules.checks)
    }

    /// The members of the statement.
    private struct Parts {
        let version: String
        let algorithm: COSEAlgorithmIdentifier
        let x5c: [[UInt8]]
        let signature: [UInt8]
        let certInfo: [UInt8]
        let publicArea: [UInt8]

        init(_ statement: CBORDocument.Item) throws(RuleFault) {
            try StatementParts.map(statement)
            guard let version = statement["ver"]?.string else { throw RuleFault("ver is missing or no text") }
            self.version = version
            algorithm = try StatementParts.algorithm(statement)
            x5c = try StatementParts.x5c(statement)
            signature = try StatementParts.signature(statement)
            certInfo = try StatementParts.bytes("certInfo", of: statement)
            publicArea = try StatementParts.bytes("pubArea", of: statement)
        }
    }

    /// What makes certInfo valid.
    private static func requireCertInfo(
        _ parts: Parts,
        _ publicArea: TPMPublicArea,
        _ context: FormatContext,
        _ rules: inout RuleCheck<Rule>
    ) throws(AttestationVerifier.Refusal) {
        let certInfo = try rules.run(.certInfo) { () throws(RuleFault) in
            do throws(WireError) { return try TPMAttest(parts.certInfo) } catch { throw RuleFault(error) }
        }
        try rules.require(
            .magic,
            certInfo.magic == TPMAttest.generatedValue,
            "magic is \(String(certInfo.magic, radix: 16))"
        )
        try rules.require(
            .attestType,
            certInfo.type == TPMAttest.certifyType,
            "type is \(String(certInfo.type, radix: 16))"
        )
        try rules.run(.extraData) { () throws(RuleFault) in
            guard let hash = HashFunction(of: parts.algorithm) else {
                throw RuleFault("alg \(parts.algorithm) employs no hash algorithm")
            }
            do throws(CryptoError) {
                guard try hash.digest(context.attestedBytes) == certInfo.extraData else {
                    throw CryptoError(.notAuthentic, "extraData is not the hash of what is attested")
                }
            } catch {
                throw RuleFault(error)
            }
        }
        // The note of the section: the other fields of certInfo may go into risk engines, and are ignored here.
        try rules.run(.attestedName) { () throws(RuleFault) in
            guard let hash = TPMHash.function(publicArea.nameAlgorithm) else {
                throw RuleFault("nameAlg \(publicArea.nameAlgorithm) is not known")
            }
            do throws(CryptoError) {
                let algorithm = publicArea.nameAlgorithm
                let prefix = [UInt8(algorithm >> 8), UInt8(truncatingIfNeeded: algorithm)]
                guard try prefix + hash.digest(parts.publicArea) == certInfo.name else {
                    throw CryptoError(.notAuthentic, "name is not that of pubArea")
                }
            } catch {
                throw RuleFault(error)
            }
        }
    }

    /// `#sctn-tpm-cert-requirements`.
    private static func requireProfile(
        of aik: Certificate,
        _ context: FormatContext,
        _ rules: inout RuleCheck<Rule>
    ) throws(AttestationVerifier.Refusal) {
        try rules.require(.certificateVersion, aik.version == 3, "the certificate's version is \(aik.version)")
        try rules.require(.subject, aik.subject.isEmpty, "the subject is \(excerpt(aik.subject.text))")
        let manufacturers = try rules.run(.subjectAltName) { () throws(RuleFault) in try Self.manufacturers(of: aik) }
        if case .only(let list) = context.options.tpmManufacturers {
            let unlisted = manufacturers.first { name in !list.contains { $0.hasSameBytes(as: name) } }
            try rules.require(
                .manufacturer,
                unlisted == nil,
                "the manufacturer \(excerpt(unlisted ?? "")) is not listed"
            )
        }
        try rules.require(
            .extendedKeyUsage,
            aik.extendedKeyUsage?.contains("2.23.133.8.3") == true,
            "Extended Key Usage lacks tcg-kp-AIKCertificate"
        )
        try context.requireNoAuthority(aik, &rules, .basicConstraints)
        try context.requireAAGUID(
            of: aik,
            &rules,
            encoding: .aaguidEncoding,
            criticality: .aaguidCriticality,
            value: .aaguid
        )
    }

    /// The TPM's manufacturer, of a name that tells model and version, too; a name with several tells them all.
    ///
    /// Vendors write the three attributes into one relative name, into three, or into several directory names.
    private static func manufacturers(of aik: Certificate) throws(RuleFault) -> [String] {
        let names: [GeneralName]
        do throws(CryptoError) {
            names = try aik.subjectAltNames()
        } catch {
            throw RuleFault(error)
        }
        func values(_ oid: String, _ attribute: String) throws(RuleFault) -> [String] {
            let found = names.flatMap { name in
                if case .directoryName(let name) = name { name.values(oid) } else { [String]() }
            }
            guard !found.isEmpty, found.allSatisfy({ !$0.isEmpty }) else {
                throw RuleFault("Subject Alternative Name tells no \(attribute)")
            }
            return found
        }
        let manufacturers = try values("2.23.133.2.1", "tpmManufacturer")
        _ = try values("2.23.133.2.2", "tpmModel")
        _ = try values("2.23.133.2.3", "tpmVersion")
        return manufacturers
    }
}
