import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("Metadata about virtual authenticators")
struct AttestationMetadataTests {
    private func payload(_ blob: MetadataBLOB) throws -> JSONValue {
        let text = try blob.text()
        let jws = try JWS(text[...], allowing: [.es256, .rs256])
        let signer = try Certificate(der: try #require(try jws.x5c())[0])
        try jws.verify(with: signer)
        return try JSONValue(json: jws.payload())
    }

    @Test(
        "an entry for a profile says how it attests and what that leads to",
        arguments: [
            (.packed, "basic_full"), (.tpm, "attca"), (.androidKey, "basic_full"), (.apple, "anonca"),
            (.androidSafetyNet, "basic_full"), (.fidoU2F, "basic_full"), (.none, "none"),
        ] as [(AttestationStatementFormat, String)]
    )
    func types(_ format: AttestationStatementFormat, _ type: String) throws {
        let entry = try MetadataBLOB.Entry(of: AttestationProfile(format), AttestedCredential.aaguid)
        #expect(entry.attestationTypes == [type])
        #expect((entry.aaguid == nil) == (format == .fidoU2F))
        let root = try AttestationAuthority().rootCertificate()
        #expect(entry.attestationRootCertificates == (type == "none" ? [] : [root]))
    }

    @Test("self attestation leads nowhere, and compound to all that its parts do")
    func combinations() throws {
        let own = AttestationProfile(.packed, isSelf: true)
        let entry = try MetadataBLOB.Entry(of: own, AttestedCredential.aaguid)
        #expect(entry.attestationTypes == ["basic_surrogate"] && entry.attestationRootCertificates.isEmpty)
        let other = AttestationAuthority(name: "Another")
        var compound = AttestationProfile(.compound)
        compound.parts = [AttestationProfile(.packed), AttestationProfile(.tpm, authority: other), own]
        let both = try MetadataBLOB.Entry(of: compound, AttestedCredential.aaguid)
        #expect(both.attestationTypes == ["basic_full", "attca", "basic_surrogate"])
        #expect(
            try both.attestationRootCertificates
                == [AttestationAuthority().rootCertificate(), other.rootCertificate()]
        )
    }

    @Test("U2F's models are named by the attestation certificate's key")
    func keyIdentifiers() throws {
        let profile = AttestationProfile(.fidoU2F)
        let certificate = try AttestedCredential().certificates(profile)[0]
        let entry = try MetadataBLOB.Entry(of: profile, AttestedCredential.aaguid)
        #expect(try entry.attestationCertificateKeyIdentifiers == [certificate.keyIdentifier()])
        #expect(
            try MetadataBLOB.Entry(of: AttestationProfile(.tpm), .zero).attestationCertificateKeyIdentifiers.isEmpty
        )
    }

    @Test(
        "the payload is signed, and has what FIDO's schema demands",
        arguments: [COSEAlgorithmIdentifier.es256, .rs256]
    )
    func members(_ algorithm: COSEAlgorithmIdentifier) throws {
        var entry = try MetadataBLOB.Entry(of: AttestationProfile(.packed), AttestedCredential.aaguid)
        entry.icon = "data:image/png;base64,AAAA"
        entry.statusReports.append(.init("REVOKED", since: "2026-12-01"))
        var blob = try MetadataBLOB([entry, .init(of: AttestationProfile(.fidoU2F), .zero)])
        blob.algorithm = algorithm
        blob.number = 12
        blob.legalHeader = "Read this."
        let payload = try payload(blob)
        #expect(payload["no"] == 12 && payload["nextUpdate"] == "2049-12-31" && payload["legalHeader"] == "Read this.")
        let entries = try #require(payload["entries"]?.array)
        #expect(entries[0]["statusReports"]?.array?.last?["status"] == "REVOKED")
        #expect(entries[0]["timeOfLastStatusChange"] == "2026-12-01")
        #expect(entries[0]["metadataStatement"]?["icon"] == "data:image/png;base64,AAAA")
        #expect(entries.map { $0["metadataStatement"]?["protocolFamily"] } == ["fido2", "u2f"])
        // "Required" in FIDO Metadata Statement v3 §4.
        for name in [
            "description", "authenticatorVersion", "protocolFamily", "schema", "upv", "authenticationAlgorithms",
            "publicKeyAlgAndEncodings", "attestationTypes", "userVerificationDetails", "keyProtection",
            "matcherProtection", "attachmentHint", "tcDisplay", "attestationRootCertificates",
        ] {
            #expect(entries.allSatisfy { $0["metadataStatement"]?[name] != nil }, "\(name)")
        }
        // The same in each run.
        #expect(try blob.text() == blob.text())
    }
}
