import PasskeyAttestation
import PasskeyModel
import PasskeyVectors
import PasskeyWire
import Testing

@Suite("FIDO metadata: entries and what changed")
struct MetadataEntryTests {
    private static let aaguid = "0132d110-bf4e-4208-a403-ab4f5f12efe5"

    // MARK: Statements

    @Test("a statement has what it says")
    func statement() throws {
        let statement = try MetadataStatement([
            "aaguid": .string(Self.aaguid), "description": "Key", "alternativeDescriptions": ["fr-FR": "Clé", "x": 7],
            "friendlyNames": ["en-US": "My Key"], "icon": "data:image/png;base64,AAAA", "iconDark": "data:a",
            "providerLogoLight": "data:b", "providerLogoDark": "data:c", "protocolFamily": "fido2",
            "upv": [["major": 1, "minor": 1], ["major": 1], 7, ["major": 2, "minor": 0]], "authenticatorVersion": 5,
            "authenticationAlgorithms": ["secp256r1_ecdsa_sha256_raw"], "publicKeyAlgAndEncodings": ["cose"],
            "attestationTypes": ["basic_full", "attca"], "keyProtection": ["hardware", "secure_element"],
            "matcherProtection": ["on_chip"], "attachmentHint": ["external", "nfc"],
            "multiDeviceCredentialSupport": "unsupported", "attestationRootCertificates": ["\tAAAA", "AAA=\r\n"],
            "cryptoStrength": 128,
        ])
        #expect(statement.aaguid == AAGUID(Self.aaguid) && statement.description == "Key")
        #expect(statement.alternativeDescriptions.count == 1 && statement.friendlyNames["en-US"]?.string == "My Key")
        #expect(statement.icon == "data:image/png;base64,AAAA" && statement.iconDark == "data:a")
        #expect(statement.providerLogoLight == "data:b" && statement.providerLogoDark == "data:c")
        #expect(statement.protocolFamily == "fido2" && statement.authenticatorVersion == 5)
        #expect(statement.protocolVersions.map(\.description) == ["1.1", "2.0"])
        #expect(statement.authenticationAlgorithms == ["secp256r1_ecdsa_sha256_raw"])
        #expect(
            statement.publicKeyAlgAndEncodings == ["cose"] && statement.attestationTypes == ["basic_full", "attca"]
        )
        #expect(
            statement.keyProtection == ["hardware", "secure_element"] && statement.matcherProtection == ["on_chip"]
        )
        #expect(statement.attachmentHint == ["external", "nfc"])
        #expect(statement.multiDeviceCredentialSupport == "unsupported")
        #expect(statement.attestationRootCertificates == [[0, 0, 0], [0, 0]])
        #expect(statement.json["cryptoStrength"]?.int == 128)
    }

    @Test("what only describes may have another type; what trust depends on may not")
    func leniency() throws {
        let odd = try MetadataStatement([
            "aaguid": "?", "description": 7, "alternativeDescriptions": "x", "friendlyNames": [], "icon": [],
            "upv": "1.1",
            "authenticatorVersion": "5", "authenticationAlgorithms": "x", "keyProtection": [7], "attestationTypes": [],
            "attestationRootCertificates": [],
        ])
        #expect(odd.aaguid == nil && odd.description.isEmpty && odd.alternativeDescriptions.isEmpty && odd.icon == nil)
        #expect(odd.protocolVersions.isEmpty && odd.authenticatorVersion == nil && odd.keyProtection.isEmpty)
        #expect(
            odd.attestationRootCertificates.isEmpty && odd.json["attestationRootCertificates"]?.array?.isEmpty == true
        )
        #expect(try MetadataStatement([:]).attestationRootCertificates.isEmpty)
        for bad: JSONValue in [
            [], "x", ["attestationTypes": "basic_full"], ["attestationTypes": [7]],
            ["attestationRootCertificates": ["@"]], ["attestationRootCertificates": [7]],
            ["attestationRootCertificates": [:]], ["attestationRootCertificates": ["AA AA"]],
            ["attestationRootCertificates": ["AAAA\u{a0}"]], ["attestationRootCertificates": ["-_-_"]],
        ] {
            #expect(throws: MetadataError.self) { try MetadataStatement(bad) }
        }
    }

    @Test("hashes are base64url, or base64, padded or not")
    func hashes() throws {
        func hash(_ text: String) throws -> [UInt8]? {
            try MetadataEntry(["rogueListHash": .string(text)]).rogueListHash
        }
        let bytes = (0..<32).map { UInt8(0xff - $0) }
        let text = Base64URL.encode(bytes)
        for form in [text, text + "=", Base64.encode(bytes), "\n\(text)=\t"] {
            #expect(try hash(form) == bytes, "\(form)")
        }
        for bad in ["@@", text + "===", "=" + text, "A", "AA=A", "AA AA", "\u{0}\(text)"] {
            #expect(throws: MetadataError.self, "\(bad)") { try hash(bad) }
        }
        #expect(try MetadataEntry(["rogueListURL": "https://example.com/r"]).rogueListURL == "https://example.com/r")
        #expect(throws: MetadataError.self) { try MetadataEntry(["rogueListHash": 7]) }
    }

    @Test(
        "a name in the language that is wanted",
        arguments: [
            ([], "Sold Key"), (["fr-FR"], "Clé"), (["fr-CA"], "Clé"), (["FR"], "Clé"), (["pt-BR", "fr-FR"], "Clé"),
            (["de-DE"], "Verkaufter"), (["de-AT"], "Österreich"), (["zh"], "密钥"), (["ja", "en", "fr-FR"], "Sold Key"),
            (["en-GB"], "Sold Key"), (["ja"], "Sold Key"), (["", "-", "é"], "Sold Key"),
        ]
    )
    func names(_ languages: [String], _ name: String) throws {
        let statement = try MetadataStatement([
            "description": "Example Key", "friendlyNames": ["en-US": "Sold Key", "de-DE": "Verkaufter"],
            "alternativeDescriptions": ["fr-FR": "Clé", "de-AT": "Österreich", "de-DE": "Beispiel", "zh_CN": "密钥"],
        ])
        #expect(statement.name(in: languages) == name)
    }

    @Test("a name without names")
    func noNames() throws {
        #expect(try MetadataStatement(["description": "Key"]).name(in: ["fr"]) == "Key")
        #expect(try MetadataStatement([:]).name().isEmpty)
    }

    // MARK: Differences

    private func metadata(_ entries: String...) throws -> Metadata {
        var stage = MetadataStage(
            "{\"no\":7,\"nextUpdate\":\"2027-02-01\",\"entries\":[\(entries.joined(separator: ","))]}"
        )
        stage.carriesCertificates = false
        return try stage.verify()
    }

    private func entry(_ members: String) -> String { #"{"aaguid":"\#(Self.aaguid)",\#(members)}"# }

    @Test("a change tells which reports are new and which members differ")
    func change() throws {
        let before = try metadata(
            entry(
                #""statusReports":[{"status":"A"},{"status":"B"}],"x":1,"gone":2,"metadataStatement":{"description":"d","#
                    + #""icon":"i","old":1,"authenticatorVersion":2}"#
            )
        )
        let after = try metadata(
            entry(
                #""statusReports":[{"status":"B"},{"status":"C","effectiveDate":"2026-01-01"},{"status":"A"}],"x":3,"#
                    + #""metadataStatement":{"icon":"j","authenticatorVersion":2,"new":1,"description":"d"}"#
            )
        )
        let difference = after.difference(from: before)
        let change = try #require(difference.changed.first)
        #expect(difference.added.isEmpty && difference.removed.isEmpty && difference.changed.count == 1)
        #expect(change.changesStatus && change.newReports.map(\.status) == ["C"])
        #expect(change.changesStatement && change.statementMembers == ["icon", "new", "old"])
        #expect(change.members == ["statusReports", "x", "metadataStatement", "gone"])
        #expect(after.difference(from: after).isEmpty && before.difference(from: before).isEmpty)
    }

    @Test("the order of members is no change, that of reports is")
    func order() throws {
        let before = try metadata(entry(#""x":1,"statusReports":[{"status":"A","url":"u"},{"status":"B"}]"#))
        let same = try metadata(entry(#""statusReports":[{"url":"u","status":"A"},{"status":"B"}],"x":1"#))
        #expect(same.difference(from: before).isEmpty)
        let turned = try metadata(entry(#""x":1,"statusReports":[{"status":"B"},{"status":"A","url":"u"}]"#))
        let change = try #require(turned.difference(from: before).changed.first)
        #expect(change.changesStatus && change.newReports.isEmpty && !change.changesStatement)
    }

    @Test("an update that the statement does not follow is told", arguments: [(1, true), (2, true), (3, false)])
    func update(_ version: Int, _ lacks: Bool) throws {
        let before = try metadata(entry(#""statusReports":[],"metadataStatement":{"authenticatorVersion":2}"#))
        let reports = #""statusReports":[{"status":"UPDATE_AVAILABLE"}]"#
        let after = try metadata(entry(#"\#(reports),"metadataStatement":{"authenticatorVersion":\#(version)}"#))
        #expect(after.difference(from: before).changed.first?.lacksNewVersion == lacks)
        let later = try metadata(entry(#"\#(reports),"metadataStatement":{"authenticatorVersion":\#(version)},"x":1"#))
        #expect(later.difference(from: after).changed.first?.lacksNewVersion == false)
    }

    @Test("models of every kind are matched, and what cannot be read is told")
    func kinds() throws {
        let identifiers = (0..<3).map { String(repeating: "0\($0)", count: 20) }
        func u2f(_ keys: [String], _ x: Int) -> String {
            #"{"attestationCertificateKeyIdentifiers":\#(keys),"x":\#(x)}"#
        }
        let before = try metadata(
            u2f([identifiers[0], identifiers[1]], 1),
            #"{"aaid":"1#1","x":1}"#,
            #"{"aaid":"2#2"}"#,
            "{}",
            entry(#""x":1"#)
        )
        let after = try metadata(
            #"{"aaid":"1#1","x":2}"#,
            u2f([identifiers[1], identifiers[2]], 1),
            #"{"aaid":"3#3"}"#,
            "7",
            entry(#""statusReports":7"#),
            #"{"aaid":"1#1","x":3}"#
        )
        let difference = after.difference(from: before)
        #expect(difference.added.map(\.aaid) == ["3#3"] && difference.removed.map(\.aaid) == ["2#2"])
        #expect(difference.changed.map(\.after.aaid) == ["1#1", nil])
        #expect(difference.changed.last?.members == ["attestationCertificateKeyIdentifiers"])
        #expect(difference.unreadable == [3, 4])
    }
}

@Suite(
    "FIDO metadata: statements of others",
    .enabled(if: Vectors.shared != nil || Vectors.requires("shared"), "the folder shared is absent")
)
struct SharedMetadataStatementTests {
    @Test("the specification's statements")
    func example() throws {
        let path = "\(try #require(Vectors.shared))/mds/metadata-statements-spec-example.json"
        let json = try JSONValue(json: Vectors.bytes(path))
        let list = try #require(json.array ?? json["statements"]?.array ?? json.object?.members.map(\.value))
        let statements = try list.map { try MetadataStatement($0) }
        #expect(statements.count == 2 && statements.allSatisfy { !$0.description.isEmpty && $0.icon != nil })
        let fido2 = try #require(statements.first { $0.protocolFamily == "fido2" })
        #expect(fido2.name(in: ["fr-FR"]) == "Exemple FIDO2 authenticator de FIDO Alliance")
        #expect(fido2.protocolVersions.map(\.description) == ["1.0"] && !fido2.keyProtection.isEmpty)
    }
}
