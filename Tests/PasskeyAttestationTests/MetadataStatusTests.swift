import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyWire
import Testing

@testable import PasskeyTesting

@Suite("FIDO metadata: status reports")
struct MetadataStatusTests {
    private static let refused: [AuthenticatorStatus] = [
        .revoked, .attestationKeyCompromise, .userVerificationBypass, .userKeyRemoteCompromise,
        .userKeyPhysicalCompromise,
    ]

    private static let others: [AuthenticatorStatus] = [
        .notCertified, .selfAssertionSubmitted, .certified, .certifiedL1, .certifiedL1plus, .certifiedL2,
        .certifiedL2plus, .certifiedL3, .certifiedL3plus, .fips140CertifiedL1, .fips140CertifiedL2, .fips140CertifiedL3,
        .fips140CertifiedL4, .updateAvailable, .retired, "SOMETHING_NEW", "revoked", "REVOKED ", "",
    ]

    private func report(
        _ status: AuthenticatorStatus,
        _ date: String? = nil,
        _ more: JSONObject = [:]
    ) throws -> StatusReport {
        var json = more
        json["status"] = .string(status.rawValue)
        json["effectiveDate"] = date.map { .string($0) }
        return try StatusReport(.object(json))
    }

    /// Reports such as `REVOKED 2026-01-01`.
    private func reports(_ list: String...) throws -> [StatusReport] {
        try list.map { text in
            let words = text.split(separator: " ").map(String.init)
            return try report(AuthenticatorStatus(rawValue: words[0]), words.count > 1 ? words[1] : nil)
        }
    }

    private func isAccepted(_ reports: [StatusReport], _ now: String, _ policy: StatusPolicy = .default) throws -> Bool
    {
        policy.fault(of: reports, at: try day(now)) == nil
    }

    // MARK: The default

    @Test("what refuses by default, and what does not")
    func statuses() throws {
        for status in Self.refused {
            #expect(try !isAccepted([report(status)], "2026-01-01"), "\(status)")
            #expect(try !isAccepted([report(status, "2025-12-31")], "2026-01-01"), "\(status)")
        }
        for status in Self.others { #expect(try isAccepted([report(status, "2025-12-31")], "2026-01-01"), "\(status)") }
        #expect(try isAccepted([], "2026-01-01"))
    }

    @Test("in force is the latest that is not in the future, and of equal dates the later in the list")
    func inForce() throws {
        let mended = try reports("REVOKED 2025-01-01", "FIDO_CERTIFIED_L1 2026-01-01")
        for list in [mended, mended.reversed()] {
            #expect(try isAccepted(list, "2024-12-31"))
            #expect(try !isAccepted(list, "2025-01-01"))
            #expect(try !isAccepted(list, "2025-12-31"))
            #expect(try isAccepted(list, "2026-01-01"))
        }
        let equal = try reports("REVOKED 2025-01-01", "UPDATE_AVAILABLE 2025-01-01")
        #expect(try isAccepted(equal, "2025-01-01") && !isAccepted(equal.reversed(), "2025-01-01"))
        let latest = StatusPolicy.default.inForce(equal, at: try day("2026-01-01"))
        #expect(latest.map(\.status) == [.updateAvailable])
    }

    @Test("a report without a date, or with none that there is, is always in force")
    func undated() throws {
        for date in ["", "2026-02-30", "soon", "2026-1-1"] {
            let reports = try [report(.revoked, date), report(.certifiedL1, "2026-01-01")]
            #expect(try !isAccepted(reports, "2026-01-01") && !isAccepted(reports, "2000-01-01"), "\(date)")
        }
        let reports = try reports("REVOKED", "FIDO_CERTIFIED 2026-01-01", "UPDATE_AVAILABLE")
        #expect(try !isAccepted(reports, "2027-01-01"))
        let inForce = StatusPolicy.default.inForce(reports, at: try day("2027-01-01"))
        #expect(inForce.map(\.status) == [.revoked, .certified, .updateAvailable])
        #expect(
            StatusPolicy.default.inForce(reports, at: try day("2025-01-01")).map(\.status) == [
                .revoked, .updateAvailable,
            ]
        )
    }

    @Test("a moment counts, not its day alone")
    func moments() throws {
        let reports = try [report(.revoked, "2026-01-01T12:00:00Z")]
        let midnight = try day("2026-01-01")
        #expect(StatusPolicy.default.fault(of: reports, at: midnight.advanced(byMilliseconds: -1)) == nil)
        #expect(StatusPolicy.default.fault(of: reports, at: midnight) == "REVOKED since 2026-01-01")
    }

    // MARK: Stricter

    @Test("a policy may refuse other statuses, and what was before")
    func stricter() throws {
        var policy = StatusPolicy.default
        policy.refused.insert(.retired)
        policy.refused.insert("SOMETHING_NEW")
        #expect(try !isAccepted(reports("RETIRED 2025-01-01"), "2026-01-01", policy))
        #expect(try !isAccepted(reports("SOMETHING_NEW"), "2026-01-01", policy))
        #expect(try !isAccepted(reports("REVOKED 2025-01-01"), "2026-01-01", policy))
        #expect(try isAccepted(reports("REVOKED"), "2026-01-01", StatusPolicy(refused: [])))
        let updated = try reports("USER_VERIFICATION_BYPASS 2025-01-01", "UPDATE_AVAILABLE 2025-06-01")
        #expect(try isAccepted(updated, "2026-01-01", policy))
        policy.judgesPastReports = true
        #expect(try !isAccepted(updated, "2026-01-01", policy))
        #expect(try isAccepted(updated, "2024-12-31", policy))
    }

    @Test("a level of certification may be asked for")
    func levels() throws {
        func level(_ reports: [StatusReport], _ now: String = "2026-01-01") throws -> Double? {
            let levels = [1, 1.5, 2, 2.5, 3, 3.5]
            return try levels.last { try isAccepted(reports, now, StatusPolicy(leastCertificationLevel: $0)) }
        }
        #expect(try level([]) == nil)
        #expect(try level(reports("FIDO_CERTIFIED 2020-01-01")) == 1)
        #expect(try level(reports("FIDO_CERTIFIED_L1plus 2020-01-01")) == 1.5)
        #expect(try level(reports("FIDO_CERTIFIED_L3plus")) == 3.5)
        // Another report is in force, and the certification stands.
        #expect(try level(reports("FIDO_CERTIFIED_L2 2020-01-01", "UPDATE_AVAILABLE 2021-01-01")) == 2)
        #expect(try level(reports("FIDO_CERTIFIED_L1 2021-01-01", "FIDO_CERTIFIED_L2 2020-01-01")) == 2)
        #expect(try level(reports("FIDO_CERTIFIED_L2 2027-01-01", "FIDO_CERTIFIED 2020-01-01")) == 1)
        #expect(try level(reports("FIPS140_CERTIFIED_L3 2020-01-01", "SELF_ASSERTION_SUBMITTED")) == nil)
        // It was taken away, and given again.
        let ended = try reports(
            "FIDO_CERTIFIED_L2 2020-01-01",
            "NOT_FIDO_CERTIFIED 2022-01-01",
            "FIDO_CERTIFIED 2023-01-01"
        )
        #expect(try level(ended, "2021-01-01") == 2 && level(ended, "2022-01-01") == nil && level(ended) == 1)
        #expect(try level(reports("NOT_FIDO_CERTIFIED 2022-01-01", "FIDO_CERTIFIED 2022-01-01")) == 1)
        #expect(try level(reports("FIDO_CERTIFIED 2022-01-01", "NOT_FIDO_CERTIFIED 2022-01-01")) == nil)
        #expect(try level(reports("FIDO_CERTIFIED_L1 2022-01-01", "RETIRED 2023-01-01")) == nil)
        #expect(try level(reports("FIDO_CERTIFIED_L1 2022-01-01", "NOT_FIDO_CERTIFIED")) == nil)
        let sunset = try [
            report(.certifiedL2, "2020-01-01", ["sunsetDate": "2026-01-01"]), report(.certified, "2019-01-01"),
        ]
        #expect(try level(sunset, "2025-12-31") == 2 && level(sunset, "2026-01-01") == 1)
        // A certified model that is revoked is refused for that.
        let policy = StatusPolicy(leastCertificationLevel: 1)
        let revoked = try reports("FIDO_CERTIFIED_L1 2022-01-01", "REVOKED 2023-01-01")
        #expect(policy.fault(of: revoked, at: try day("2026-01-01")) == "REVOKED since 2023-01-01")
        #expect(
            StatusPolicy(leastCertificationLevel: 3).fault(
                of: try reports("FIDO_CERTIFIED_L2"),
                at: try day("2026-01-01")
            )
                == "certified at level 2.0, and level 3.0 is asked for"
        )
    }

    @Test("a reason is fit for a log")
    func reason() throws {
        let policy = StatusPolicy(refused: ["A\nB"])
        #expect(policy.fault(of: [try report("A\nB")], at: try day("2026-01-01")) == "A\\u{a}B")
    }

    // MARK: Batches

    /// A signer and its issuers, of an authority with a name.
    private func chain(_ name: String) throws -> [[UInt8]] {
        let authority = AttestationAuthority(name: name)
        var blob = MetadataBLOB([], authority: authority)
        blob.intermediateCount = 1
        return try blob.certificates(authority.key("metadata", .es256)) + [authority.rootCertificate()]
    }

    private func base64(_ der: [UInt8]) -> JSONValue { .string(Base64.encode(der)) }

    @Test("a notification that names a certificate is about whoever attests under it")
    func batches() throws {
        let meant = try chain("Batch")
        let other = try chain("Another")
        let now = try day("2026-01-01")
        let status = AuthenticatorStatus.attestationKeyCompromise
        // The attestation certificate itself, its issuer, and the root, which is not sent along.
        for named in meant {
            for member in ["certificate", "batchCertificate"] {
                let reports = try [report(status, "2025-01-01", [member: base64(named)])]
                let sent = Array(meant.dropLast())
                #expect(StatusPolicy.default.fault(of: reports, at: now, certificates: sent) != nil)
                #expect(StatusPolicy.default.fault(of: reports, at: now, certificates: Array(other.dropLast())) == nil)
                // Nobody knows whose it is.
                #expect(StatusPolicy.default.fault(of: reports, at: now) != nil)
                #expect(StatusPolicy.default.fault(of: reports, at: now, certificates: []) != nil)
            }
        }
        // Another certificate over the same key.
        let key = try AttestationAuthority(name: "Batch").key("metadata", .es256)
        let draft = try CertificateDraft(
            subject: DraftName(unit: "x", commonName: "Another name"),
            key: key.publicKey,
            serial: "x"
        )
        let issuer = CertificateIssuer(name: DraftName(unit: "y", commonName: "y"), key: key)
        let again = try draft.signed(by: issuer)
        let reports = try [report(status, nil, ["certificate": base64(again)])]
        #expect(StatusPolicy.default.fault(of: reports, at: now, certificates: [meant[0]]) != nil)
        #expect(StatusPolicy.default.fault(of: reports, at: now, certificates: [other[0]]) == nil)
    }

    @Test("which statuses a batch limits")
    func limits() throws {
        let named = base64(try chain("Batch")[0])
        let other = try chain("Another")
        let now = try day("2026-01-01")
        for status in Self.refused {
            let batch = try report(status, nil, ["batchCertificate": named])
            let certificate = try report(status, nil, ["certificate": named])
            let isLimited = status != .revoked
            #expect(
                (StatusPolicy.default.fault(of: [batch], at: now, certificates: other) == nil) == isLimited,
                "\(status)"
            )
            #expect(
                (StatusPolicy.default.fault(of: [certificate], at: now, certificates: other) == nil)
                    == (status == .attestationKeyCompromise),
                "\(status)"
            )
            let both = try report(status, nil, ["batchCertificate": named, "certificate": base64(other[0])])
            #expect(
                (StatusPolicy.default.fault(of: [both], at: now, certificates: other) != nil)
                    == [.revoked, .attestationKeyCompromise].contains(status)
            )
        }
    }

    @Test("a certificate that cannot be read limits nothing")
    func unreadable() throws {
        let now = try day("2026-01-01")
        let other = try chain("Another")
        let odd = try report(.attestationKeyCompromise, nil, ["certificate": "AAAA"])
        #expect(StatusPolicy.default.fault(of: [odd], at: now, certificates: other) != nil)
        let empty = try report(.attestationKeyCompromise, nil, ["certificate": ""])
        #expect(
            empty.certificate == nil && StatusPolicy.default.fault(of: [empty], at: now, certificates: other) != nil
        )
        let named = try report(.attestationKeyCompromise, nil, ["certificate": base64(chain("Batch")[0])])
        #expect(StatusPolicy.default.fault(of: [named], at: now, certificates: [[1, 2, 3]]) != nil)
    }

    // MARK: Reports

    @Test("a report has what it says")
    func members() throws {
        let report = try StatusReport([
            "status": "FIDO_CERTIFIED_L1", "effectiveDate": "2020-11-19", "sunsetDate": "2030-01-01",
            "authenticatorVersion": 5, "certificate": " AAAA\n", "batchCertificate": "AAA=",
            "url": "https://example.com",
            "certificationDescriptor": "d", "certificateNumber": "n", "certificationPolicyVersion": "1.0.1",
            "certificationProfiles": ["consumer", 7, "enterprise"], "certificationRequirementsVersion": "1.0.0",
            "fipsRevision": 3,
        ])
        #expect(report.status == .certifiedL1 && report.effectiveDate?.description == "2020-11-19")
        #expect(report.sunsetDate?.description == "2030-01-01" && report.authenticatorVersion == 5)
        #expect(
            report.certificate == [0, 0, 0] && report.batchCertificate == [0, 0] && report.url == "https://example.com"
        )
        #expect(report.certificationDescriptor == "d" && report.certificateNumber == "n")
        #expect(report.certificationPolicyVersion == "1.0.1" && report.certificationRequirementsVersion == "1.0.0")
        #expect(report.certificationProfiles == ["consumer", "enterprise"] && report.json["fipsRevision"]?.int == 3)
        let bare = try StatusReport(["status": "X", "effectiveDate": 7, "authenticatorVersion": -1, "url": []])
        #expect(bare.effectiveDate == nil && bare.authenticatorVersion == nil && bare.url == nil)
        for bad: JSONValue in [
            [:], ["status": 7], ["status": .null], [], "X", ["status": "X", "certificate": "@"],
            ["status": "X", "batchCertificate": 7], ["status": "X", "certificate": "A"],
        ] {
            #expect(throws: MetadataError.self) { try StatusReport(bad) }
        }
    }
}
