import PasskeyAttestation
import PasskeyModel
import PasskeyWire
import Testing

@Suite("FIDO metadata: payloads")
struct MetadataPayloadTests {
    private static let first = "0132d110-bf4e-4208-a403-ab4f5f12efe5"
    private static let second = "8c1f2a55-7a3e-4c7e-9a54-2f0c64d3b0aa"

    private func aaguid(_ text: String) throws -> AAGUID { try #require(AAGUID(text)) }

    // MARK: Members

    @Test(
        "what a payload must say",
        arguments: [
            #"{"no":0,"nextUpdate":"2027-02-01","entries":[]}"#,
            #"{"no":15,"nextUpdate":"2027-02-01","entries":[{}],"more":{"a":[1]},"legalHeader":7}"#,
            #" {"entries":[],"nextUpdate":"2027-02-01T00:00:00Z","no":1e1}"# + "\n",
            #"{"\u006eo":3,"nextUpdate":"2027-02-01","\u0065ntries":[]}"#,
        ]
    )
    func good(_ payload: String) throws {
        #expect(try MetadataStage(payload).refusal() == nil)
    }

    @Test(
        "and what it must not",
        arguments: [
            "", "null", "[]", "\"\"", "{}", #"{"nextUpdate":"2027-02-01","entries":[]}"#,
            #"{"no":1,"entries":[]}"#, #"{"no":1,"nextUpdate":"2027-02-01"}"#,
            #"{"no":-1,"nextUpdate":"2027-02-01","entries":[]}"#, #"{"no":"1","nextUpdate":"2027-02-01","entries":[]}"#,
            #"{"no":1.5,"nextUpdate":"2027-02-01","entries":[]}"#,
            #"{"no":99999999999999999999,"nextUpdate":"2027-02-01","entries":[]}"#,
            #"{"no":null,"nextUpdate":"2027-02-01","entries":[]}"#, #"{"no":1,"nextUpdate":"soon","entries":[]}"#,
            #"{"no":1,"nextUpdate":"2027-02-30","entries":[]}"#, #"{"no":1,"nextUpdate":20270201,"entries":[]}"#,
            #"{"no":1,"nextUpdate":"2027-02-01x","entries":[]}"#, #"{"no":1,"nextUpdate":"2027-02-01","entries":{}}"#,
            #"{"no":1,"nextUpdate":"2027-02-01","entries":null}"#,
            #"{"no":1,"no":1,"nextUpdate":"2027-02-01","entries":[]}"#,
            #"{"no":1,"nextUpdate":"2027-02-01","entries":[]} x"#, #"{"no":1,"nextUpdate":"2027-02-01","entries":[]"#,
            #"{"no":01,"nextUpdate":"2027-02-01","entries":[]}"#,
            "\u{feff}" + #"{"no":1,"nextUpdate":"2027-02-01","entries":[]}"#,
            // Nobody asks for these, and they are not JSON all the same.
            #"{"no":1,"nextUpdate":"2027-02-01","entries":[],"x":tru}"#,
            #"{"no":1,"nextUpdate":"2027-02-01","entries":[{"x":{"y":[{"z":1,"\u007a":2}]}}]}"#,
            #"{"no":1,"nextUpdate":"2027-02-01","entries":[{"x":"\ud800"}]}"#,
            #"{"no":1,"nextUpdate":"2027-02-01","entries":[{"x":1}{"x":1}]}"#,
            #"{"no":1,"nextUpdate":"2027-02-01","entries":[\#(String(repeating: "[", count: 40))]}"#,
        ]
    )
    func bad(_ payload: String) throws {
        #expect(try MetadataStage(payload).refusal() == .malformed)
    }

    @Test("an error tells where in the payload")
    func offset() throws {
        let error = #expect(throws: MetadataError.self) { try MetadataStage(entries: "{\"a\":1,}").verify() }
        #expect(error?.offset == 52 && error?.code == .malformed)
        #expect(error?.description.hasSuffix("(offset 52)") == true)
        let entry = #expect(throws: MetadataError.self) {
            try MetadataStage(entries: "{}", #"{"rogueListHash":"@@"}"#).verify().entry(at: 1)
        }
        #expect(entry?.offset == 48 && entry?.detail.hasPrefix("entry 1: ") == true)
    }

    @Test("a signed text that is no base64url is malformed")
    func base64() throws {
        let text = try MetadataStage(entries: "{}").text()
        let parts = text.split(separator: 0x2e)
        #expect(try MetadataStage(entries: "{}").refusal(text + [0x0d, 0x0a, 0x20, 0x09]) == nil)
        for bad in [
            text + [0x2e], [0x20] + text, Array(parts[0] + [0x2e] + parts[1]), [], [0x2e, 0x2e],
            Array(parts[0] + [0x3d, 0x2e] + parts[1] + [0x2e] + parts[2]),
        ] {
            #expect(try MetadataStage(entries: "{}").refusal(bad) == .malformed)
        }
    }

    @Test("legal header and number are told")
    func told() throws {
        var stage = MetadataStage(#"{"legalHeader":"é","no":7,"nextUpdate":"2027-02-01","entries":[]}"#)
        let metadata = try stage.verify()
        #expect(metadata.legalHeader == "é" && metadata.number == 7 && !metadata.hasNothingNew && metadata.count == 0)
        #expect(metadata.nextUpdate == CalendarDate("2027-02-01"))
        stage.previous = 7
        #expect(try stage.verify().hasNothingNew)
        #expect(try MetadataStage(entries: "{}").verify().legalHeader == nil)
    }

    @Test("stale is over, and no day sooner; it is refused where one asks for that")
    func stale() throws {
        var stage = MetadataStage(entries: "{}")
        stage.options.refusesStale = true
        stage.time = try day("2027-02-01").advanced(byMilliseconds: 86_399_999)
        #expect(try !stage.verify().isStale(at: stage.time))
        stage.time = try day("2027-02-02")
        #expect(try stage.refusal() == .stale)
        stage.options.refusesStale = false
        #expect(try stage.verify().isStale(at: stage.time))
    }

    // MARK: Entries

    @Test("keys are found in either case, and of two entries the first")
    func keys() throws {
        let identifier = String(repeating: "0A", count: 20)
        let metadata = try MetadataStage(
            entries: #"{"aaguid":"\#(Self.first.uppercased())","x":1}"#,
            #"{"attestationCertificateKeyIdentifiers":["\#(identifier)","\#(identifier.lowercased())"],"x":2}"#,
            #"{"aaid":"4e4e#4005","x":3}"#,
            #"{"aaguid":"\#(Self.first)","x":4}"#,
            #"{"aaid":"4e4e#4005","x":5}"#,
            #"{"attestationCertificateKeyIdentifiers":["\#(identifier)"],"x":6}"#
        ).verify()
        #expect(metadata.count == 6 && metadata.unreadableEntries.isEmpty)
        #expect(try metadata.entry(for: aaguid(Self.first))?.json["x"]?.int == 1)
        #expect(
            try metadata.entry(forCertificateKeyIdentifier: [UInt8](repeating: 10, count: 20))?.json["x"]?.int == 2
        )
        #expect(try metadata.entry(forAAID: "4e4e#4005")?.json["x"]?.int == 3)
        #expect(try (0..<6).map { try metadata.entry(at: $0).json["x"]?.int } == [1, 2, 3, 4, 5, 6])
    }

    @Test("an entry of which nothing can be read keeps no other back, and is told")
    func unreadable() throws {
        let metadata = try MetadataStage(
            entries: #"{"aaguid":"no UUID"}"#,
            "7",
            #"{"aaguid":7}"#,
            "{}",
            #"{"aaguid":null}"#,
            #"{"attestationCertificateKeyIdentifiers":["00"]}"#,
            #"{"attestationCertificateKeyIdentifiers":[]}"#,
            #"{"aaguid":"\#(Self.first)","statusReports":[{"status":1}]}"#,
            #"{"aaguid":"\#(Self.second)"}"#,
            "[[]]"
        ).verify()
        #expect(metadata.unreadableEntries == [0, 1, 2, 3, 4, 5, 6, 9])
        #expect(try metadata.entry(for: aaguid(Self.second))?.aaguid == aaguid(Self.second))
        // Found, and not to be read: that is no absence.
        #expect(throws: MetadataError.self) { try metadata.entry(for: aaguid(Self.first)) }
        for place in [0, 1, 2, 5, 9] { #expect(throws: MetadataError.self) { try metadata.entry(at: place) } }
        #expect(try metadata.entry(at: 3).aaguid == nil)
    }

    @Test("an entry without reports, or with unknown members, is one")
    func sparse() throws {
        let entry = try MetadataEntry([
            "aaguid": .string(Self.first), "new": ["x": [1, 2]], "statusReports": .null, "metadataStatement": .null,
        ])
        #expect(entry.statusReports.isEmpty && entry.statement == nil && entry.json["new"]?["x"]?.array?.count == 2)
        #expect(StatusPolicy.default.fault(of: entry.statusReports, at: MetadataStage.now) == nil)
    }

    // MARK: Hostile BLOBs

    @Test("random changes of a payload neither trap nor hang")
    func mutations() throws {
        let payload = Array(
            """
            {"legalHeader":"x","no":7,"nextUpdate":"2027-02-01","entries":[{"aaguid":"\(Self.first)","statusReports":\
            [{"status":"REVOKED","effectiveDate":"2020-01-01","certificate":"AAAA"}],"metadataStatement":{"description":\
            "d","attestationTypes":["basic_full"],"upv":[{"major":1,"minor":0}],"attestationRootCertificates":["AAAA"]}}]}
            """.utf8
        )
        var random = SystemRandomNumberGenerator()
        var stage = MetadataStage("")
        // Signed by the root itself: one signature to verify and no chain.
        stage.carriesCertificates = false
        var readable = 0
        for _ in 0..<400 {
            stage.payload = payload
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: stage.payload.indices, using: &random)
                stage.payload[place] = UInt8.random(in: 0x20...0x7e, using: &random)
            }
            guard let metadata = try? stage.verify() else { continue }
            for place in 0..<metadata.count {
                guard let entry = try? metadata.entry(at: place) else { continue }
                _ = StatusPolicy.default.fault(of: entry.statusReports, at: stage.time, certificates: [[0]])
                readable += 1
            }
            _ = metadata.difference(from: metadata)
        }
        #expect(readable > 0)
    }

    @Test("no byte of a BLOB may change")
    func changes() throws {
        let stage = MetadataStage(entries: "{}")
        let text = try stage.text()
        for place in stride(from: 0, to: text.count, by: 11) {
            var changed = text
            changed[place] ^= 1
            #expect(try stage.refusal(changed) != nil, "byte \(place)")
        }
    }
}
