import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

/// Step 24: whom an attestation leads to, and what the store says of it.
@Suite("Trust in attestations")
struct TrustTests {
    private func stage(
        _ profile: AttestationProfile = AttestationProfile(.packed),
        _ change: (inout TrustStore) throws -> Void = { _ in }
    ) throws -> AttestationStage {
        var store = try AttestationStage.store()
        try change(&store)
        return AttestationStage(profile: profile, policy: .require(store))
    }

    private func expectTrustRefusal(_ stage: AttestationStage, _ detail: String) throws {
        let refusal = try #require(try stage.refusal())
        #expect(refusal.step == .attestationTrust && refusal.detail.contains(detail), "\(refusal)")
        #expect(refusal.rule == nil && refusal.code == .authenticatorNotAccepted)
    }

    // MARK: The registration says what was found

    @Test(
        "type, path, model and decision are told",
        arguments: [
            ("packed", AttestationType.basic, false), ("tpm", .attestationCA, true), ("android-key", .basic, true),
            ("fido-u2f", .basic, false), ("apple", .anonymizationCA, true),
        ] as [(AttestationStatementFormat, AttestationType, Bool)]
    )
    func found(_ format: AttestationStatementFormat, _ type: AttestationType, _ isCertain: Bool) throws {
        let registration = try stage(AttestationProfile(format)).run()
        let attestation = registration.attestation
        #expect(attestation.type == type && attestation.isTypeCertain == isCertain && attestation.isTrusted)
        #expect(attestation.trustPath.count == 2)
        #expect(attestation.trustPath.last?.contains("CN=Example Attestation Root") == true)
        #expect(attestation.decision.hasPrefix("trusted: leads to "))
        let finding = try #require(attestation.finding)
        #expect(finding.format == format && finding.aaguid == AttestationStage.aaguid && finding.metadata == nil)
        #expect(finding.certificates.last == (try AttestationStage.authority.rootCertificate()))
        #expect(finding.revocation == .notGiven)
        #expect(registration.credential.aaguid == AttestationStage.aaguid)
        #expect(registration.attestationType == type && registration.isAttestationTrusted)
    }

    @Test("the report shows the rules as checks of step 22")
    func report() throws {
        var stage = try stage()
        func checks() throws -> [VerificationReport.Check] {
            let relyingParty = try stage.relyingParty()
            let (response, ceremony) = try stage.response(relyingParty)
            return relyingParty.verificationReport(response, ceremony, owner: nil).checks
        }
        let good = try checks()
        #expect(good.contains { $0.step == 22 && $0.name == "packed.aaguid" && $0.verdict == .passed })
        #expect(good.contains { $0.step == 24 && $0.name == "attestationTrust" && $0.verdict == .passed })
        stage.profile.fault = AttestationFault("packed.aaguid")
        let bad = try checks()
        #expect(bad.contains { $0.step == 22 && $0.name == "packed.basicConstraints" && $0.verdict == .passed })
        let failed = bad.filter { if case .failed = $0.verdict { true } else { false } }
        #expect(failed.map(\.name) == ["packed.aaguid"] && failed.map(\.step) == [22])
    }

    @Test("an authenticator makes keys that its format can attest, whatever is preferred")
    func keysOfFormats() throws {
        var stage = try stage(AttestationProfile(.fidoU2F))
        stage.algorithm = .es384
        #expect(throws: ClientError.self) { try stage.run() }
        stage.profile.fault = AttestationFault("fido-u2f.credentialKey")
        #expect(try stage.refusal()?.rule == "fido-u2f.credentialKey")
        stage.profile = AttestationProfile(.tpm)
        #expect(try stage.run().credential.attestationFormat == .tpm)
        stage.algorithm = .edDSA
        #expect(throws: ClientError.self) { try stage.run() }
    }

    // MARK: Anchors

    @Test("an anchor may be the root, an intermediate or the attestation certificate; the root may be sent along")
    func anchors() throws {
        var profile = AttestationProfile(.packed)
        profile.intermediateCount = 2
        let sent = try #require(try AttestationStage(profile: profile, policy: .verify).run().attestation.finding)
        #expect(sent.certificates.count == 3 && !sent.isTrusted)
        for anchor in sent.certificates {
            let store = try TrustStore(anchors: [anchor])
            let found = try AttestationStage(profile: profile, policy: .require(store)).run().attestation
            #expect(found.finding?.certificates.last == anchor)
        }
        profile.includesRoot = true
        #expect(try stage(profile).run().isAttestationTrusted)
        #expect(try stage(profile).run().attestation.trustPath.count == 4)
    }

    @Test("an intermediate that the authenticator does not send may come from the store")
    func missingIntermediate() throws {
        var profile = AttestationProfile(.packed)
        profile.intermediateCount = 1
        let sent = try #require(try AttestationStage(profile: profile, policy: .verify).run().attestation.finding)
        profile.chainFault = .missingIntermediate
        try expectTrustRefusal(stage(profile), "no-anchor")
        let found = try stage(profile) { try $0.add(anchor: sent.certificates[1]) }.run()
        #expect(found.isAttestationTrusted)
    }

    @Test("anchors of a format or of a model vouch for nothing else")
    func scopes() throws {
        let root = try AttestationStage.authority.rootCertificate()
        func run(_ scope: TrustStore.Scope) throws -> RegistrationError? {
            var store = try TrustStore()
            try store.add(anchor: root, for: scope)
            return try AttestationStage(profile: AttestationProfile(.packed), policy: .require(store)).refusal()
        }
        #expect(try run(.any) == nil)
        #expect(try run(.format(.packed)) == nil)
        #expect(try run(.format(.tpm))?.step == .attestationTrust)
        #expect(try run(.aaguid(AttestationStage.aaguid)) == nil)
        #expect(try run(.aaguid(.zero))?.step == .attestationTrust)
    }

    @Test("PEM: as many certificates as there are, and none is a fault")
    func pem() throws {
        let pem = try AttestationStage.authority.rootPEM()
        var store = try TrustStore()
        try store.add(pem: "text before\r\n" + pem + "text between\n" + pem)
        #expect(try AttestationStage(profile: AttestationProfile(.tpm), policy: .require(store)).refusal() == nil)
        for text in [
            "", "-----BEGIN CERTIFICATE-----\nAAAA", pem.replacing("MII", with: "!!!"), String(pem.dropFirst(28)),
        ] {
            #expect(throws: TrustStoreError.self) { try store.add(pem: text) }
        }
        #expect(throws: TrustStoreError.self) { try store.add(anchor: [0x30, 0]) }
        #expect(throws: TrustStoreError.self) { try store.add(revocationList: [0x30, 0]) }
    }

    // MARK: Chains

    @Test(
        "each fault of a chain is refused for what it is",
        arguments: [
            (.expiredLeaf, 0, "expired"), (.notYetValidLeaf, 0, "not-yet-valid"), (.expiredIntermediate, 1, "expired"),
            (.otherRoot, 0, "bad-signature"), (.intermediateIsNoAuthority, 1, "not-a-certification-authority"),
            (.pathLength, 2, "path-length"), (.nameConstraint, 1, "name-constraint"),
            (.missingIntermediate, 1, "no-anchor"),
        ] as [(AttestationChainFault, Int, String)]
    )
    func chains(_ fault: AttestationChainFault, _ intermediates: Int, _ code: String) throws {
        var profile = AttestationProfile(.packed)
        profile.intermediateCount = intermediates
        #expect(try stage(profile).refusal() == nil)
        profile.chainFault = fault
        try expectTrustRefusal(stage(profile), code)
        // Whom it leads to is nobody's business here, and no validity is looked at.
        #expect(try AttestationStage(profile: profile, policy: .verify).refusal() == nil)
    }

    @Test("all faults of chains are tried")
    func allChainFaults() {
        #expect(AttestationChainFault.allCases.count == 8)
    }

    @Test("the moment is the ceremony's; a chain that is remembered is judged anew")
    func clock() throws {
        var stage = try stage()
        for (milliseconds, isValid) in [
            (1_577_836_799_000, false), (1_577_836_800_000, true), (2_524_607_998_999, true),
            (2_524_607_999_000, false),
        ] as [(Int64, Bool)] {
            stage.time = AttestationStage.now
            #expect(try stage.refusal() == nil)
            stage.time = Timestamp(millisecondsSince1970: milliseconds)
            #expect((try stage.refusal() == nil) == isValid, "\(milliseconds)")
        }
    }

    // MARK: Policy

    @Test("none and self attestation lead nowhere; self may be accepted by name")
    func withoutCertificates() throws {
        try expectTrustRefusal(stage(AttestationProfile(.none)), "one is required")
        let own = AttestationProfile(.packed, isSelf: true)
        try expectTrustRefusal(stage(own), "self attestation")
        let accepted = try stage(own) { $0.acceptsSelfAttestation = true }.run()
        #expect(accepted.isAttestationTrusted && accepted.attestationType == .`self`)
        try expectTrustRefusal(stage(AttestationProfile(.none)) { $0.acceptsSelfAttestation = true }, "required")
        try expectTrustRefusal(
            AttestationStage(profile: AttestationProfile(.packed), policy: .require(TrustStore())),
            "anchor"
        )
    }

    @Test("lists of models")
    func models() throws {
        let aaguid = AttestationStage.aaguid
        #expect(try stage { $0.allowedAAGUIDs = [aaguid] }.refusal() == nil)
        try expectTrustRefusal(stage { $0.allowedAAGUIDs = [.zero] }, "not one of those")
        #expect(try stage { $0.deniedAAGUIDs = [.zero] }.refusal() == nil)
        try expectTrustRefusal(stage { ($0.allowedAAGUIDs, $0.deniedAAGUIDs) = ([aaguid], [aaguid]) }, "denied")
    }

    @Test("serial numbers: told where enterprise attestation is asked for, and refused elsewhere")
    func enterprise() throws {
        var profile = AttestationProfile(.packed)
        profile.isEnterprise = true
        // The authenticator tells it to nobody who did not ask.
        #expect(try stage(profile).refusal() == nil)
        var asking = try stage(profile)
        asking.options.conveyance = .enterprise
        #expect(try asking.refusal() == nil)
        profile.fault = AttestationFault("packed.serialNumberUnasked")
        #expect(try stage(profile).refusal()?.rule == "packed.serialNumberUnasked")
        asking.profile = profile
        #expect(try asking.refusal() == nil)
    }

    @Test("compound: all by default, one where an option says so")
    func compound() throws {
        var stage = try stage(AttestationProfile(.compound))
        let both = try stage.run().attestation
        #expect(both.isTrusted && both.type == .basic && both.finding?.parts.count == 2)
        #expect(both.finding?.format == .compound)
        stage.profile.isSelf = true
        try expectTrustRefusal(stage, "self attestation")
        stage.options.compound = .any
        #expect(try stage.run().attestation.finding?.parts.count == 1)
        stage.profile.fault = AttestationFault("compound.substatement")
        try expectTrustRefusal(stage, "self attestation")
        stage.policy = .verify
        #expect(try stage.run().attestationType == .`self`)
        stage.options.compound = .all
        #expect(try stage.refusal()?.rule == "compound.substatement")
    }

    // MARK: Revocation

    @Test("revocation: revoked refuses, good is told, and a list of nobody says nothing")
    func revocation() throws {
        let authority = AttestationStage.authority
        let leaf = try #require(try stage().run().attestation.finding?.certificates.first)
        let empty = try authority.revocationList(revoking: [])
        let revoking = try authority.revocationList(revoking: [leaf])
        let foreign = try AttestationAuthority(name: "Another").revocationList(revoking: [leaf])
        func run(_ lists: [[UInt8]], demanding: Bool = false) throws -> AttestationStage {
            try stage {
                for list in lists { try $0.add(revocationList: list) }
                $0.requiresRevocationStatus = demanding
            }
        }
        #expect(try run([empty]).run().attestation.finding?.revocation == .good)
        #expect(try run([empty], demanding: true).refusal() == nil)
        try expectTrustRefusal(run([revoking]), "revoked")
        try expectTrustRefusal(run([empty, revoking]), "revoked")
        #expect(try run([foreign]).run().attestation.finding?.revocation == .notGiven)
        try expectTrustRefusal(run([foreign], demanding: true), "status")
        try expectTrustRefusal(run([], demanding: true), "status")
    }

    // MARK: Unknown formats, and later

    @Test("what nobody asked for: known formats must verify, unknown ones are let be")
    func unasked() throws {
        var stage = AttestationStage(profile: AttestationProfile(.tpm), policy: .verifyIfPresent)
        let relyingParty = try stage.relyingParty()
        #expect(relyingParty.attestation.conveyance == AttestationConveyancePreference.none)
        // The client takes out what was not asked for.
        #expect(try stage.run().attestationType == AttestationType.none)
        let verifier = relyingParty.attestation
        stage.policy = .verify
        let good = try stage.run().credential
        #expect(try verifier.verify(good, at: stage.time).type == .attestationCA)
        let object = try AttestationObject(try #require(good.attestationObject))
        let clientData = try #require(good.attestationClientDataJSON)
        func judge(_ format: AttestationStatementFormat) throws -> AttestationVerifier.Verdict {
            let bytes = try AttestationObject.encode(
                format: format,
                statement: object.statement.value,
                authenticatorData: object.authenticatorData.bytes
            )
            return try verifier.verify(attestationObject: bytes, clientDataHash: sha256(clientData), at: stage.time)
        }
        #expect(try judge(.tpm).type == .attestationCA)
        for format: AttestationStatementFormat in ["vendor-x", "TPM", .androidSafetyNet] {
            #expect(try judge(format).type == .unverified)
        }
        #expect(throws: RegistrationError.self) { try judge(.packed) }
        let asked = AttestationVerifier(.verify)
        do {
            _ = try asked.verify(
                attestationObject: AttestationObject.encode(
                    format: "vendor-x",
                    statement: .map([]),
                    authenticatorData: object.authenticatorData.bytes
                ),
                clientDataHash: sha256(clientData),
                at: stage.time
            )
            Issue.record("an unknown format that was asked for")
        } catch {
            #expect((error as? RegistrationError)?.step == .attestationFormat)
        }
    }

    @Test("a stored attestation is judged again, by newer trust and at another time")
    func later() throws {
        let record = try stage().run().credential
        let store = try AttestationStage.store()
        #expect(try AttestationVerifier.require(store).verify(record, at: AttestationStage.now).isTrusted)
        func refusal(
            _ verifier: AttestationVerifier,
            at time: Timestamp = AttestationStage.now
        ) throws -> RegistrationError? {
            do throws(RegistrationError) {
                _ = try verifier.verify(record, at: time)
                return nil
            } catch {
                return error
            }
        }
        let late = Timestamp(millisecondsSince1970: 2_600_000_000_000)
        #expect(try refusal(.require(store), at: late)?.step == .attestationTrust)
        #expect(try refusal(AttestationVerifier(.verify), at: late) == nil)
        var newer = store
        newer.deniedAAGUIDs = [AttestationStage.aaguid]
        #expect(try refusal(.require(newer))?.step == .attestationTrust)
        #expect(try refusal(.verified.requiringTrust())?.step == .attestationFormat)
        var empty = record
        empty.attestationObject = nil
        #expect(throws: RegistrationError.self) { try AttestationVerifier(.verify).verify(empty, at: late) }
    }
}
