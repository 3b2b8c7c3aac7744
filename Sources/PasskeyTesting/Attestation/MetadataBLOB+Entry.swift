import PasskeyCrypto
public import PasskeyModel
import PasskeyWire

extension MetadataBLOB {
    /// What is said of a model.
    public struct Entry: Hashable, Sendable {
        /// A report on the model.
        public struct Report: Hashable, Sendable {
            /// What became of it, such as `REVOKED`.
            public var status: String

            /// Since when, such as `2026-12-01`.
            public var effectiveDate: String?

            /// Makes a report.
            ///
            /// - Parameters:
            ///   - status: What became of it.
            ///   - effectiveDate: Since when.
            public init(_ status: String, since effectiveDate: String? = nil) {
                self.status = status
                self.effectiveDate = effectiveDate
            }
        }

        /// The model.
        public var aaguid: AAGUID?

        /// The models of U2F authenticators: SHA-1 of their keys, 20 bytes each.
        public var attestationCertificateKeyIdentifiers: [[UInt8]] = []

        /// Its name.
        public var description: String

        /// A data URL of its icon.
        public var icon: String?

        /// How it attests, such as `basic_full` and `attca`.
        public var attestationTypes: [String]

        /// The certificates, in DER, that its attestation leads to.
        public var attestationRootCertificates: [[UInt8]]

        /// What became of it.
        public var statusReports: [Report]

        /// Makes an entry.
        ///
        /// - Parameters:
        ///   - aaguid: The model.
        ///   - description: Its name.
        ///   - attestationTypes: How it attests.
        ///   - attestationRootCertificates: The certificates, in DER, that its attestation leads to.
        ///   - statusReports: What became of it.
        public init(
            _ aaguid: AAGUID?,
            description: String,
            attestationTypes: [String] = ["basic_full"],
            attestationRootCertificates: [[UInt8]],
            statusReports: [Report] = [Report("FIDO_CERTIFIED_L1", since: "2024-01-01")]
        ) {
            self.aaguid = aaguid
            self.description = description
            self.attestationTypes = attestationTypes
            self.attestationRootCertificates = attestationRootCertificates
            self.statusReports = statusReports
        }
    }
}

extension MetadataBLOB.Entry {
    /// What a vendor says of its authenticators that attest with a profile.
    ///
    /// Authenticators of U2F have no AAGUID that tells their model: the entry names them by their attestation key.
    ///
    /// - Parameters:
    ///   - profile: How they attest.
    ///   - aaguid: Their model.
    ///   - description: Its name.
    /// - Throws: ``AttestationFailure`` if the cryptographic library fails.
    public init(
        of profile: AttestationProfile,
        _ aaguid: AAGUID,
        description: String = "Example Authenticator"
    ) throws(AttestationFailure) {
        let profiles = profile.format == .compound && !profile.parts.isEmpty ? profile.parts : [profile]
        var types: [String] = []
        var roots: [[UInt8]] = []
        for profile in profiles {
            let type = profile.metadataType
            if !types.contains(type) { types.append(type) }
            guard type != "none", type != "basic_surrogate" else { continue }
            let root = try profile.authority.rootCertificate()
            if !roots.contains(root) { roots.append(root) }
        }
        let isU2F = profile.format == .fidoU2F
        self.init(
            isU2F ? nil : aaguid,
            description: description,
            attestationTypes: types,
            attestationRootCertificates: roots
        )
        guard isU2F else { return }
        attestationCertificateKeyIdentifiers = try AttestationFailure.wrapping { () throws(CryptoError) in
            // SHA-1 of the public key's bits (RFC 5280 §4.2.1.2, method 1): here, of a point.
            var point: [UInt8] = [4]
            if case .ec2(_, let x, let y) = try profile.authority.key("attestation", .es256).publicKey.parameters {
                point += x + y
            }
            return [try HashFunction.sha1.digest(point)]
        }
    }

    /// The members of an entry, with those of its statement that FIDO's schema demands.
    var json: JSONValue {
        let isU2F = aaguid == nil
        var statement: JSONObject = ["description": .string(description), "authenticatorVersion": 1]
        statement["protocolFamily"] = isU2F ? "u2f" : "fido2"
        statement["schema"] = 3
        statement["upv"] = [isU2F ? ["major": 1, "minor": 2] : ["major": 1, "minor": 1]]
        statement["authenticationAlgorithms"] = ["secp256r1_ecdsa_sha256_raw"]
        statement["publicKeyAlgAndEncodings"] = [isU2F ? "ecc_x962_raw" : "cose"]
        statement["attestationTypes"] = .array(attestationTypes.map { .string($0) })
        statement["userVerificationDetails"] = [[["userVerificationMethod": "presence_internal"]]]
        statement["keyProtection"] = ["hardware", "secure_element"]
        statement["matcherProtection"] = ["on_chip"]
        statement["attachmentHint"] = ["external", "wired"]
        statement["tcDisplay"] = []
        statement["attestationRootCertificates"] = .array(
            attestationRootCertificates.map { .string(Base64.encode($0)) }
        )
        if let icon { statement["icon"] = .string(icon) }
        var entry: JSONObject = [:]
        if let aaguid {
            entry["aaguid"] = .string(aaguid.description)
            statement["aaguid"] = .string(aaguid.description)
        }
        if !attestationCertificateKeyIdentifiers.isEmpty {
            let identifiers = JSONValue.array(attestationCertificateKeyIdentifiers.map { .string(Hex.encode($0)) })
            entry["attestationCertificateKeyIdentifiers"] = identifiers
            statement["attestationCertificateKeyIdentifiers"] = identifiers
        }
        entry["metadataStatement"] = .object(statement)
        entry["statusReports"] = .array(
            statusReports.map { report in
                var object: JSONObject = ["status": .string(report.status)]
                if let date = report.effectiveDate { object["effectiveDate"] = .string(date) }
                return .object(object)
            }
        )
        entry["timeOfLastStatusChange"] = .string(statusReports.last?.effectiveDate ?? "2024-01-01")
        return .object(entry)
    }
}

extension AttestationProfile {
    /// The attestation type by the name that metadata has for it (FIDO Registry of Predefined Values §3.6.3).
    fileprivate var metadataType: String {
        switch format {
        case .none: "none"
        case .packed where isSelf: "basic_surrogate"
        case .tpm: "attca"
        case .apple: "anonca"
        default: "basic_full"
        }
    }
}
