import PasskeyTesting
import PasskeyWire
import Testing

@testable import PasskeyCases

@Suite("Cases: metadata")
struct MetadataCaseTests {
    /// What comes out of an input: `accept`, `reject` or `skip`.
    private func got(_ operation: String, _ input: JSONValue) throws -> String {
        let json: JSONValue = ["id": "x", "operation": .string(operation), "input": input, "expect": "accept"]
        return try Case(json).verdict().got
    }

    private let certificate: String

    init() throws {
        certificate = Base64.encode(try AttestationAuthority(name: "Cases").rootCertificate())
    }

    @Test("certificates in their text forms, wherever they stand")
    func certificates() throws {
        let places: [(String) -> JSONValue] = [
            { ["attestationRootCertificates": [.string($0)]] },
            { ["metadataStatement": ["attestationRootCertificates": [.string($0)]]] },
            { ["entry": ["metadataStatement": ["attestationRootCertificates": [.string($0)]]]] },
            { ["entries": [[:], ["metadataStatement": ["attestationRootCertificates": [.string($0)]]]]] },
            { ["x5c": [.string($0)]] }, { ["header": ["alg": "RS256", "x5c": [.string($0)]]] },
            { ["certificate": .string($0)] }, { ["batchCertificate": .string($0)] },
            { ["statusReports": [["status": "REVOKED", "certificate": .string($0)]]] },
        ]
        let unpadded = String(certificate.prefix { $0 != "=" })
        for place in places {
            for form in [certificate, "\n\(certificate)", "\t \(certificate)\r\n", unpadded] {
                #expect(try got("mds.parse", place(form)) == "accept", "\(place(form))")
            }
            for form in [
                "!!!\(certificate)", "\(certificate)!", "\u{0}\(certificate)", "\u{feff}\(certificate)",
                "\(certificate)====", String(certificate.dropLast(9)), "AAAA", "@@",
            ] {
                #expect(try got("mds.parse", place(form)) == "reject", "\(place(form))")
            }
        }
    }

    @Test("hashes, and members of another type")
    func members() throws {
        for input: JSONValue in [
            ["rogueListHash": "127BY_sh6ktCryJhMeb5KCjSPBeAeSBSgBL3RtO8H8w="],
            ["rogueListHash": "127BY_sh6ktCryJhMeb5KCjSPBeAeSBSgBL3RtO8H8w"],
            ["rogueListHash": "127BY/sh6ktCryJhMeb5KCjSPBeAeSBSgBL3RtO8H8w="], ["attestationRootCertificates": []],
            ["aaguid": "0132d110-bf4e-4208-a403-ab4f5f12efe5", "statusReports": [["status": "NEW"]]],
            ["attestationCertificateKeyIdentifiers": [.string(String(repeating: "aF", count: 20))]],
        ] {
            #expect(try got("mds.parse", input) == "accept", "\(input)")
        }
        for input: JSONValue in [
            ["rogueListHash": "@@"], ["rogueListHash": 7], ["rogueListHash": "A"], ["aaguid": "0132d110"],
            ["aaguid": 7],
            ["attestationRootCertificates": "x"], ["attestationRootCertificates": [7]], ["x5c": []], ["x5c": "x"],
            ["attestationCertificateKeyIdentifiers": ["00"]], ["statusReports": [[:]]], ["statusReports": "x"],
            ["entries": [7]], ["metadataStatement": "x"], ["attestationTypes": [7]],
        ] {
            #expect(try got("mds.parse", input) == "reject", "\(input)")
        }
        for input: JSONValue in [[:], "x", [], ["something": "else"]] {
            #expect(try got("mds.parse", input) == "skip", "\(input)")
        }
    }

    @Test("whole BLOBs")
    func blobs() throws {
        var blob = MetadataBLOB([])
        blob.number = 7
        let text = JSONValue.string(String(decoding: try blob.text(), as: UTF8.self))
        let root = JSONValue.string(Base64.encode(try blob.rootCertificate()))
        let good: JSONObject = ["blob": text, "trustAnchors": [root], "now": "2026-01-01", "previous": 7]
        #expect(try got("mds.parse", .object(good)) == "accept")
        let changes: [(String, JSONValue, String)] = [
            ("trustAnchors", [.string(certificate)], "reject"), ("now", "2060-01-01T00:00:00Z", "reject"),
            ("previous", 8, "reject"), ("blob", "a.b.c", "reject"), ("trustAnchors", ["@"], "skip"),
            ("now", "soon", "skip"),
        ]
        for (name, value, expected) in changes {
            var input = good
            input[name] = value
            #expect(try got("mds.parse", .object(input)) == expected, "\(name)")
        }
    }

    @Test("status reports under either name, of an entry, or one alone")
    func reports() throws {
        let revoked: JSONValue = ["status": "REVOKED", "effectiveDate": "2026-01-01"]
        for now: JSONValue in ["2026-01-01", "2026-01-01T00:00:00Z", 1_767_225_600] {
            for input: JSONObject in [
                ["reports": [revoked]], ["statusReports": [revoked]], ["entry": ["statusReports": [revoked]]],
            ] {
                var input = input
                input["now"] = now
                #expect(try got("mds.status", .object(input)) == "reject", "\(input)")
                input["now"] = "2025-12-31T23:59:59Z"
                #expect(try got("mds.status", .object(input)) == "accept", "\(input)")
            }
        }
        #expect(try got("mds.status", revoked) == "reject")
        #expect(try got("mds.status", ["reports": []]) == "accept")
        #expect(try got("mds.status", ["reports": [["status": "SOMETHING_NEW"]]]) == "accept")
        for bad: JSONValue in [["reports": [[:]]], ["reports": [7]], ["reports": [["status": 7]]]] {
            #expect(try got("mds.status", bad) == "reject")
        }
        for unclear: JSONValue in [[:], ["reports": "x"], ["reports": [], "now": "soon"]] {
            #expect(try got("mds.status", unclear) == "skip")
        }
    }
}
