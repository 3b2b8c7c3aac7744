import PasskeyAttestation
import PasskeyCases
import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyVectors
import PasskeyWire
import Testing

@Suite("FIDO metadata")
struct MetadataTests {
    static let now = AttestationStage.now

    private func entry(_ aaguid: AAGUID = AttestationStage.aaguid) throws -> MetadataBLOB.Entry {
        MetadataBLOB.Entry(
            aaguid,
            description: "Example Security Key",
            attestationRootCertificates: [try AttestationStage.authority.rootCertificate()]
        )
    }

    private func verify(
        _ blob: MetadataBLOB,
        at time: Timestamp = now,
        after previous: Int? = nil,
        _ options: MetadataOptions = MetadataOptions()
    ) throws -> Metadata {
        try Metadata(blob: blob.text(), roots: [blob.rootCertificate()], at: time, after: previous, options: options)
    }

    private func code(_ body: () throws -> Metadata) throws -> MetadataError.Code? {
        do {
            _ = try body()
            return nil
        } catch let error as MetadataError {
            return error.code
        }
    }

    // MARK: Verification

    @Test(
        "signed with each algorithm, over chains of each length",
        arguments: [
            COSEAlgorithmIdentifier.es256, .rs256, .rs384, .rs512,
        ]
    )
    func algorithms(_ algorithm: COSEAlgorithmIdentifier) throws {
        var blob = MetadataBLOB([try entry()])
        blob.algorithm = algorithm
        for count in 0...2 {
            blob.intermediateCount = count
            let metadata = try verify(blob)
            #expect(metadata.signerPath.count == count + 2 && metadata.count == 1 && metadata.revocation == .notGiven)
        }
    }

    @Test("without certificates the root itself signed")
    func withoutCertificates() throws {
        var blob = MetadataBLOB([try entry()])
        blob.carriesCertificates = false
        #expect(try verify(blob).signerPath.count == 1)
        let text = try blob.text()
        let other = try AttestationAuthority(name: "Another").rootCertificate()
        #expect(try code { try Metadata(blob: text, roots: [other], at: Self.now) } == .signature)
        #expect(try code { try Metadata(blob: text, roots: [other, blob.rootCertificate()], at: Self.now) } == nil)
        #expect(try code { try Metadata(blob: text, roots: [], at: Self.now) } == .signature)
    }

    @Test("each fault has its own code")
    func faults() throws {
        var blob = MetadataBLOB([try entry()])
        blob.number = 7
        blob.nextUpdate = "2026-01-01"
        let text = try blob.text()
        let root = try blob.rootCertificate()
        func judge(
            _ text: [UInt8],
            roots: [[UInt8]]? = nil,
            after: Int? = nil,
            _ options: MetadataOptions = MetadataOptions()
        ) throws
            -> MetadataError.Code?
        {
            try code { try Metadata(blob: text, roots: roots ?? [root], at: Self.now, after: after, options: options) }
        }
        #expect(try judge(text) == nil)
        #expect(try judge(text + [0x0a]) == nil)
        // One character of the payload, which stays base64url and JSON.
        let dot = try #require(text.firstIndex(of: 0x2e))
        var changed = text
        let place = dot + 40
        changed[place] = changed[place] == 0x41 ? 0x42 : 0x41
        #expect(try judge(changed) == .signature)
        #expect(try judge(text, roots: [try AttestationAuthority(name: "Another").rootCertificate()]) == .untrusted)
        #expect(try judge(text, after: 6) == nil)
        #expect(try judge(text, after: 7) == nil)
        #expect(try judge(text, after: 8) == .older)
        var options = MetadataOptions()
        options.refusesStale = true
        #expect(try judge(text, options) == .stale)
        options = MetadataOptions()
        options.maximumByteCount = text.count - 1
        #expect(try judge(text, options) == .tooLarge)
        options = MetadataOptions()
        options.requiresRevocationStatus = true
        #expect(try judge(text, options) == .noRevocationStatus)
        for junk: [UInt8] in [[], Array("a.b.c".utf8), Array(text.dropLast(90)), Array(text[..<dot])] {
            #expect(try judge(junk) != nil)
        }
        let faults: [(AttestationChainFault, MetadataError.Code)] = [
            (.expiredLeaf, .expiredCertificate), (.expiredIntermediate, .expiredCertificate), (.otherRoot, .untrusted),
            (.missingIntermediate, .untrusted), (.intermediateIsNoAuthority, .untrusted),
        ]
        for (fault, expected) in faults {
            blob.chainFault = fault
            #expect(try code { try verify(blob) } == expected, "\(fault)")
        }
        blob.chainFault = nil
        let late = Timestamp(millisecondsSince1970: 2_600_000_000_000)
        #expect(try code { try verify(blob, at: late) } == .expiredCertificate)
    }

    @Test("revocation lists")
    func revocation() throws {
        var blob = MetadataBLOB([try entry()])
        blob.intermediateCount = 0
        let header = try #require(try blob.text().split(separator: 0x2e).first)
        let json = try JSONValue(json: Base64URL.decode(Array(header)))
        let signer = try Base64.decode(try #require(json["x5c"]?.array?.first?.string))
        var options = MetadataOptions()
        options.revocationLists = [try blob.authority.revocationList(revoking: [])]
        options.requiresRevocationStatus = true
        #expect(try verify(blob, options).revocation == .good)
        options.revocationLists = [try blob.authority.revocationList(revoking: [signer])]
        #expect(try code { try verify(blob, options) } == .revoked)
        options.revocationLists = [[0]]
        #expect(try code { try verify(blob, options) } == .malformed)
    }

    @Test("what it says: number, next update, legal header")
    func members() throws {
        var blob = MetadataBLOB([try entry()])
        blob.legalHeader = "Read this."
        blob.number = 12
        blob.nextUpdate = "2027-01-15"
        let metadata = try verify(blob, after: 12)
        #expect(metadata.number == 12 && metadata.hasNothingNew && metadata.legalHeader == "Read this.")
        #expect(metadata.nextUpdate.description == "2027-01-15")
        // 2027-01-15 is the day of the clock.
        #expect(!metadata.isStale(at: Self.now))
        #expect(metadata.isStale(at: Timestamp(millisecondsSince1970: Self.now.millisecondsSince1970 + 86_400_000)))
        #expect(try !verify(blob, after: 11).hasNothingNew)
        blob.nextUpdate = "soon"
        #expect(try code { try verify(blob) } == .malformed)
        blob.nextUpdate = "2027-01-15"
        blob.number = -1
        #expect(try code { try verify(blob) } == .malformed)
    }

    // MARK: Entries

    @Test("entries are found by model, by key identifier and by place")
    func entries() throws {
        let other = try #require(AAGUID("00000000-0000-0000-0000-000000000001"))
        var u2f = try entry()
        u2f.aaguid = nil
        u2f.description = "U2F"
        u2f.attestationCertificateKeyIdentifiers = [[UInt8](repeating: 7, count: 20)]
        let metadata = try verify(MetadataBLOB([try entry(), try entry(other), u2f]))
        #expect(metadata.count == 3)
        #expect(try metadata.entry(for: other)?.aaguid == other)
        #expect(try metadata.entry(for: .zero) == nil)
        #expect(
            try metadata.entry(forCertificateKeyIdentifier: [UInt8](repeating: 7, count: 20))?.statement?.description
                == "U2F"
        )
        #expect(try metadata.entry(forCertificateKeyIdentifier: [7]) == nil)
        #expect(try metadata.entry(forAAID: "1234#5678") == nil)
        let found = try metadata.entry(at: 0)
        #expect(found.statement?.attestationRootCertificates == [try AttestationStage.authority.rootCertificate()])
        #expect(found.statement?.attestationTypes == ["basic_full"])
        #expect(found.statusReports.map(\.status.rawValue) == ["FIDO_CERTIFIED_L1"])
        #expect(found.json["metadataStatement"]?["protocolFamily"] == "fido2")
        #expect(throws: MetadataError.self) { try metadata.entry(at: 3) }
        #expect(throws: MetadataError.self) { try metadata.entry(at: -1) }
    }

    @Test("white space around certificates and padding are let be, junk is not")
    func leniency() throws {
        func parse(_ statement: JSONValue, _ more: JSONObject = [:]) throws -> MetadataEntry {
            var object: JSONObject = ["metadataStatement": statement]
            for member in more.members { object[member.name] = member.value }
            return try MetadataEntry(.object(object))
        }
        let parsed = try parse(["attestationRootCertificates": ["\n AAAA\t", "AAA="]])
        #expect(parsed.statement?.attestationRootCertificates == [[0, 0, 0], [0, 0]])
        #expect(try parse([:], ["rogueListHash": "AAA="]).rogueListHash == [0, 0])
        #expect(
            try parse([:], ["statusReports": [["status": "NEW", "effectiveDate": "soon"]]]).statusReports.count == 1
        )
        for bad: (JSONValue, JSONObject) in [
            (["attestationRootCertificates": ["!AAAA"]], [:]), (["attestationRootCertificates": [1]], [:]),
            (["attestationRootCertificates": "AAAA"], [:]), ([:], ["rogueListHash": "@@"]),
            ([:], ["aaguid": "8c1f2a55"]), ([:], ["attestationCertificateKeyIdentifiers": ["zz"]]),
            ([:], ["statusReports": [[:]]]), ([:], ["statusReports": [["status": 1]]]), ("text", [:]),
        ] {
            #expect(throws: MetadataError.self) { try parse(bad.0, bad.1) }
        }
    }

    @Test("the difference of two BLOBs")
    func difference() throws {
        let ids = try (1...4).map { try #require(AAGUID("00000000-0000-0000-0000-00000000000\($0)")) }
        let before = MetadataBLOB(try ids[0...2].map { try entry($0) })
        var after = MetadataBLOB(try ids[1...3].map { try entry($0) })
        after.entries[0].statusReports.append(.init("REVOKED", since: "2026-12-01"))
        after.entries[1].description = "Another name"
        let difference = try verify(after).difference(from: verify(before))
        #expect(difference.added.map(\.aaguid) == [ids[3]] && difference.removed.map(\.aaguid) == [ids[0]])
        #expect(difference.changed.map(\.after.aaguid) == [ids[1], ids[2]])
        #expect(difference.changed.map(\.changesStatus) == [true, false])
        #expect(difference.changed.map(\.changesStatement) == [false, true])
        #expect(try verify(before).difference(from: verify(before)).isEmpty && !difference.isEmpty)
    }

    // MARK: In a registration

    private func stage(
        _ entry: MetadataBLOB.Entry,
        _ change: (inout TrustStore) -> Void = { _ in }
    ) throws -> AttestationStage {
        var store = try TrustStore()
        store.metadata = try verify(MetadataBLOB([entry]))
        change(&store)
        return AttestationStage(profile: AttestationProfile(.packed), policy: .require(store))
    }

    @Test("an entry gives the anchors, tells the type and the name, and its reports refuse")
    func registration() throws {
        var entry = try entry()
        let attestation = try stage(entry).run().attestation
        #expect(attestation.isTrusted && attestation.isTypeCertain && attestation.type == .basic)
        #expect(attestation.finding?.metadata?.statement?.description == "Example Security Key")
        entry.attestationTypes = ["attca"]
        #expect(try stage(entry).run().attestationType == .attestationCA)
        entry.attestationTypes = ["basic_full", "attca"]
        #expect(try !stage(entry).run().attestation.isTypeCertain)
        entry.statusReports.append(.init("REVOKED", since: "2027-01-15"))
        let refusal = try #require(try stage(entry).refusal())
        #expect(refusal.step == .attestationTrust && refusal.detail.contains("REVOKED"))
        var early = try stage(entry)
        early.time = Timestamp(millisecondsSince1970: Self.now.millisecondsSince1970 - 86_400_000)
        #expect(try early.refusal() == nil)
        entry = try self.entry(.zero)
        #expect(try stage(entry).refusal()?.detail.contains("no trust anchor") == true)
        #expect(try stage(entry) { $0.requiresMetadata = true }.refusal()?.detail.contains("no entry") == true)
    }

    @Test("U2F's models are found by the keys of their certificates")
    func u2f() throws {
        let u2f = AttestationProfile(.fidoU2F)
        let sent = try #require(
            try AttestationStage(profile: u2f, policy: .verify).run().attestation.finding?.certificates
        )
        var entry = try entry()
        entry.aaguid = nil
        entry.attestationCertificateKeyIdentifiers = [try Certificate(der: sent[0]).keyIdentifier()]
        var stage = try stage(entry)
        stage.profile = u2f
        stage.aaguid = .zero
        #expect(try stage.run().attestation.finding?.metadata?.aaguid == nil)
        #expect(try stage.run().isAttestationTrusted)
    }
}

@Suite(
    "FIDO metadata: BLOBs of others",
    .enabled(if: Vectors.shared != nil || Vectors.requires("shared"), "the folder shared is absent")
)
struct SharedMetadataTests {
    private func read(_ name: String) throws -> [UInt8] {
        try Vectors.bytes("\(#require(Vectors.shared))/mds/\(name)")
    }

    private func root(_ name: String) throws -> [UInt8] {
        try #require(try PEM.certificates(in: String(decoding: read(name), as: UTF8.self)).first)
    }

    private func day(_ text: String) throws -> Timestamp {
        try #require(UTC.millisecondsSince1970(text + "T00:00:00Z").map(Timestamp.init(millisecondsSince1970:)))
    }

    @Test(
        "the specification's example and the conformance tools' BLOB verify, and are stale",
        arguments: [
            ("mds3-spec-example.jwt", "mds3-spec-example-root.pem", 15, 2),
            ("mds3-conformance-good.jwt", "fido-conformance-fake-root.pem", 42, 200),
        ]
    )
    func good(_ file: String, _ root: String, _ number: Int, _ count: Int) throws {
        let blob = try read(file)
        let anchor = try self.root(root)
        for clock in ["2022-12-01", "2026-12-01"] {
            let metadata = try Metadata(blob: blob, roots: [anchor], at: day(clock))
            #expect(metadata.number == number && metadata.count == count)
            #expect(try metadata.isStale(at: day(clock)))
            for place in 0..<count { _ = try metadata.entry(at: place) }
        }
        func code(
            _ blob: [UInt8],
            _ roots: [[UInt8]],
            _ clock: String,
            _ previous: Int? = nil
        ) throws -> MetadataError.Code? {
            let time = try day(clock)
            do throws(MetadataError) {
                _ = try Metadata(blob: blob, roots: roots, at: time, after: previous)
                return nil
            } catch {
                return error.code
            }
        }
        var changed = blob
        let place = blob.count / 2
        changed[place] = changed[place] == 0x41 ? 0x42 : 0x41
        #expect(try code(changed, [anchor], "2026-12-01") == .signature)
        #expect(try code(blob, [AttestationAuthority().rootCertificate()], "2026-12-01") == .untrusted)
        #expect(try code(blob, [anchor], "2060-01-01") == .expiredCertificate)
        #expect(try code(blob, [anchor], "2026-12-01", number + 1) == .older)
    }

    @Test("the example's entries")
    func example() throws {
        let metadata = try Metadata(
            blob: read("mds3-spec-example.jwt"),
            roots: [root("mds3-spec-example-root.pem")],
            at: day("2026-12-01")
        )
        let aaguid = try #require(AAGUID("0132d110-bf4e-4208-a403-ab4f5f12efe5"))
        let entry = try #require(try metadata.entry(for: aaguid))
        #expect(entry.statement?.description == "FIDO Alliance Sample FIDO2 Authenticator")
        #expect(entry.statement?.alternativeDescriptions.count == 3)
        #expect(entry.statement?.attestationRootCertificates.count == 1)
        #expect(try metadata.entry(forAAID: "1234#5678")?.statement?.protocolFamily == "uaf")
        #expect(metadata.legalHeader?.hasPrefix("Retrieval and use of this BLOB") == true)
    }
}
