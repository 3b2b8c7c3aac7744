import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyWire
import Testing

@testable import PasskeyTesting

@Suite("FIDO metadata: who signed it")
struct MetadataSignerTests {
    private var stage: MetadataStage { MetadataStage(entries: "{}") }

    // MARK: The header

    @Test("algorithms that the service does not use are refused before anything else", arguments: JWSAlgorithm.allCases)
    func algorithms(_ algorithm: JWSAlgorithm) throws {
        let used: [JWSAlgorithm] = [.es256, .rs256, .rs384, .rs512]
        var stage = stage
        stage.algorithm = algorithm
        #expect(try stage.refusal() == (used.contains(algorithm) ? nil : .algorithm))
        // What the header says beside it was not looked at.
        stage.header = ["x5c": ["?"]]
        #expect(try stage.refusal() == (used.contains(algorithm) ? .malformed : .algorithm))
    }

    @Test("a header that cannot be followed is malformed")
    func header() throws {
        let other = Base64.encode(try AttestationAuthority(name: "Other").rootCertificate())
        var stage = stage
        for members: JSONObject in [
            ["x5c": []], ["x5c": "AAAA"], ["x5c": ["AAAA"]], ["x5c": [7]], ["x5c": ["@"]], ["crit": ["exp"]],
            ["x5u": 7],
            ["x5c": .array(.init(repeating: .string(other), count: 17))],
        ] {
            stage.header = members
            #expect(try stage.refusal() == .malformed, "\(members)")
        }
        stage.header = ["kid": "x", "typ": 7, "x5t": "x", "cty": .null, "jwk": [:]]
        #expect(try stage.refusal() == nil)
    }

    // MARK: Certificates

    @Test("the chain may come in any order behind the signer, with the root and others in it")
    func order() throws {
        var stage = stage
        stage.intermediateCount = 2
        let chain = try stage.chain()
        let root = try MetadataStage.authority.rootCertificate()
        let other = try AttestationAuthority(name: "Other").rootCertificate()
        for list in [
            chain, chain + [root], [chain[0], chain[2], chain[1]], [chain[0], other, chain[1], chain[2], root],
            [chain[0], root, root, chain[1], chain[1], chain[2]],
        ] {
            stage.header["x5c"] = .array(list.map { .string("\n\t" + Base64.encode($0) + " ") })
            #expect(try stage.verify().signerPath.count == 4)
        }
        // Another certificate first, however good: the signature is not its key's.
        stage.header["x5c"] = .array([chain[1], chain[2]].map { .string(Base64.encode($0)) })
        #expect(try stage.refusal() == .signature)
        stage.header["x5c"] = .array([chain[0], chain[2]].map { .string(Base64.encode($0)) })
        #expect(try stage.refusal() == .untrusted)
        stage.roots = [chain[1]]
        #expect(try stage.verify().signerPath.count == 2)
    }

    @Test("roots may be several; one that is no certificate is an error")
    func roots() throws {
        var stage = stage
        let own = try MetadataStage.authority.rootCertificate()
        let other = try AttestationAuthority(name: "Other").rootCertificate()
        stage.roots = [other, own]
        #expect(try stage.verify().signerPath.first?.contains("CN=Metadata Stage Signer") == true)
        stage.roots = [other]
        #expect(try stage.refusal() == .untrusted)
        stage.roots = []
        #expect(try stage.refusal() == .untrusted)
        stage.roots = [own, [1, 2, 3]]
        #expect(try stage.refusal() == .malformed)
    }

    /// A stage whose signing certificate is for hosts.
    private func stage(hosts: [String]?, commonName: String = "mds.example") throws -> MetadataStage {
        var stage = stage
        let key = try MetadataStage.authority.key("metadata", .es256)
        let subject = DraftName(unit: "x", commonName: commonName)
        var draft = try CertificateDraft(subject: subject, key: key.publicKey, serial: "host")
        if let hosts {
            let names = hosts.map { DER.element(.contextSpecific(2, constructed: false), Array($0.utf8)) }
            draft.add("2.5.29.17", names.isEmpty ? [0x30] : DER.sequence(names))
        }
        let profile = AttestationProfile(.packed, authority: MetadataStage.authority)
        stage.header["x5c"] = .array(try profile.chain(draft).map { .string(Base64.encode($0)) })
        return stage
    }

    @Test("the signing certificate must be for the host that is named")
    func host() throws {
        let signers: [([String]?, String, Bool)] = [
            (["mds.example"], "x", true), (["other.example", "MDS.Example"], "x", true), (nil, "Mds.example", true),
            (["other.example"], "mds.example", false), (nil, "other.example", false), (["*.example"], "x", false),
            (["mds.example."], "x", false), (["mds.example.org", "xmds.example", "example"], "x", false),
            (["mds.example\0.other.example"], "x", false), (nil, "mds.exampl\u{e9}", false),
        ]
        for (hosts, name, isRight) in signers {
            var stage = try stage(hosts: hosts, commonName: name)
            #expect(try stage.refusal() == nil, "\(hosts ?? []) \(name)")
            stage.options.signerHost = "mds.example"
            #expect(try stage.refusal() == (isRight ? nil : .otherSigner), "\(hosts ?? []) \(name)")
        }
        // Names that cannot be read are no names, and no chain either.
        #expect(try self.stage(hosts: []).refusal() == .untrusted)
        // The root itself signs, and is for no host.
        var stage = stage
        stage.carriesCertificates = false
        #expect(try stage.refusal() == nil)
        stage.options.signerHost = "mds.example"
        #expect(try stage.refusal() == .otherSigner)
    }

    @Test("a BLOB that was kept verifies at the moment when it came")
    func kept() throws {
        var stage = stage
        stage.time = try day("2051-01-01")
        #expect(try stage.refusal() == .expiredCertificate)
        stage.time = try day("2019-12-31")
        #expect(try stage.refusal() == .expiredCertificate)
        stage.time = try day("2020-01-02")
        #expect(try stage.refusal() == nil)
    }

    // MARK: Revocation

    @Test("each certificate below the root may be revoked, and each list must be there for the status to be good")
    func revocation() throws {
        var stage = stage
        stage.intermediateCount = 2
        let chain = try stage.chain()
        // From the signer up, each is issued by the one of the next lower level; 0 is the root.
        let levels = [2, 1, 0]
        func lists(revoking place: Int?) throws -> [[UInt8]] {
            try levels.indices.map { index in
                try MetadataStage.authority.revocationList(
                    revoking: index == place ? [chain[index]] : [],
                    level: levels[index]
                )
            }
        }
        let good = try lists(revoking: nil)
        stage.options.revocationLists = good
        #expect(try stage.verify().revocation == .good)
        for place in levels.indices {
            stage.options.requiresRevocationStatus = false
            stage.options.revocationLists = try lists(revoking: place)
            #expect(try stage.refusal() == .revoked, "\(place)")
            stage.options.revocationLists = good
            stage.options.revocationLists.remove(at: place)
            #expect(try stage.verify().revocation == .notGiven)
            stage.options.requiresRevocationStatus = true
            #expect(try stage.refusal() == .noRevocationStatus)
        }
    }

    // MARK: x5u

    /// Addresses that were asked for; all happens on the thread of one test.
    private final class Journal: @unchecked Sendable {
        private(set) var all: [String] = []

        func add(_ address: String) { all.append(address) }
    }

    private static func pem(_ certificates: [[UInt8]]) -> [UInt8] {
        certificates.flatMap { der in
            Array("-----BEGIN CERTIFICATE-----\n\(Base64.encode(der))\n-----END CERTIFICATE-----\n".utf8)
        }
    }

    /// A stage whose certificates are at an address, and not in the header.
    private func stage(
        at address: String,
        from location: String? = "https://mds.example/blob.jwt",
        _ journal: Journal = Journal(),
        answer: [UInt8]? = nil
    ) throws -> MetadataStage {
        var stage = stage
        let body = try answer ?? Self.pem(stage.chain())
        stage.header = ["x5u": .string(address), "x5c": ["nobody looks at it"]]
        stage.options.location = location
        stage.options.fetch = { address in
            journal.add(address)
            return body
        }
        return stage
    }

    @Test("certificates at an address of the BLOB's own origin are fetched, and come before x5c")
    func fetched() throws {
        let journal = Journal()
        for address in [
            "https://mds.example/chain.pem", "https://mds.example/", "https://mds.example:443/a/b?c=d#e",
            "https://MDS.example/chain.pem",
        ] {
            let stage = try stage(at: address, journal)
            #expect(try stage.verify().signerPath.count == 3)
            #expect(journal.all.last == address)
        }
        let stage = try stage(at: "https://mds.example:8443/c", from: "https://mds.example:8443/", journal)
        #expect(try stage.refusal() == nil && journal.all.count == 5)
    }

    @Test(
        "nothing is fetched from another origin",
        arguments: [
            "https://other.example/chain.pem", "https://mds.example.other.example/", "https://mds.example:444/",
            "http://mds.example/chain.pem", "https://user@mds.example/", "https://mds.example@other.example/",
            "https://other.example\\@mds.example/", "//mds.example/", "/chain.pem", "", "file:///etc/passwd",
            "https://", "https:///mds.example", "HTTPS://mds.example/", "https://mds.example.:443/",
            " https://mds.example/",
            "https://mds.exam\u{200b}ple/", "https://mds.example%2f/",
        ]
    )
    func foreign(_ address: String) throws {
        let journal = Journal()
        #expect(try stage(at: address, journal).refusal() == .certificateLocation)
        #expect(journal.all.isEmpty)
    }

    @Test("without an own address, or somebody who fetches, there is none")
    func unasked() throws {
        let journal = Journal()
        for location in [nil, "", "http://mds.example/", "mds.example"] {
            #expect(try stage(at: "https://mds.example/", from: location, journal).refusal() == .certificateLocation)
        }
        var stage = try stage(at: "https://mds.example/", journal)
        stage.options.fetch = nil
        #expect(try stage.refusal() == .certificateLocation)
        struct Unreachable: Error {}
        stage.options.fetch = { _ in throw Unreachable() }
        #expect(try stage.refusal() == .certificateLocation)
        #expect(journal.all.isEmpty)
    }

    @Test("what was fetched is judged as x5c is")
    func fetchedFaults() throws {
        let address = "https://mds.example/"
        let chain = try stage.chain()
        let other = try AttestationAuthority(name: "Other").rootCertificate()
        let answers: [([UInt8], MetadataError.Code?)] = [
            (Self.pem(chain), nil), (Array("text before\r\n".utf8) + Self.pem(chain), nil), ([], .malformed),
            (Array("<html>".utf8), .malformed), (chain[0], .malformed), (Self.pem([[1, 2, 3]]), .malformed),
            (Self.pem([chain[0]]), .untrusted), (Self.pem([other]), .untrusted), (Self.pem([chain[1]]), .signature),
            (Self.pem(.init(repeating: other, count: 17)), .malformed),
            ([UInt8](repeating: 0x20, count: 300_000), .tooLarge),
        ]
        for (index, (answer, code)) in answers.enumerated() {
            #expect(try stage(at: address, answer: answer).refusal() == code, "answer \(index)")
        }
    }
}
