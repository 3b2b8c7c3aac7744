import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension Case {
    /// Members of an entry, of its statement, of a BLOB's header, or of all of them: as much as the case has.
    func metadataParse() throws(MalformedCase) -> PreparedCase {
        guard let members = input.object, !members.isEmpty else { throw MalformedCase("the input is no object") }
        let input = CaseInput(input)
        if input["blob"] != nil { return try metadataBLOB(input) }
        var entries = input["entries"]?.array ?? []
        if let entry = input["entry"] { entries.append(entry) }
        if entries.isEmpty {
            var entry = members
            if entry["metadataStatement"] == nil { entry["metadataStatement"] = .object(members) }
            entries.append(.object(entry))
        }
        let header = CaseInput(input["header"] ?? input.json)
        let sent = header["x5c"]
        let known = [
            "aaguid", "aaid", "attestationCertificateKeyIdentifiers", "attestationRootCertificates", "attestationTypes",
            "batchCertificate", "certificate", "entries", "entry", "metadataStatement", "rogueListHash",
            "statusReports",
        ]
        guard sent != nil || known.contains(where: { members[$0] != nil }) else {
            throw MalformedCase("the input has no member of metadata that is looked at")
        }
        // Of a report: what it says beside its certificates does not matter here.
        var report = members
        report["status"] = report["status"] ?? ""
        return PreparedCase { [entries, report] in
            do {
                var certificates: [[UInt8]] = []
                var reports = [try StatusReport(.object(report))]
                for json in entries {
                    let entry = try MetadataEntry(json)
                    certificates += entry.statement?.attestationRootCertificates ?? []
                    reports += entry.statusReports
                }
                certificates += reports.flatMap { [$0.certificate, $0.batchCertificate] }.compactMap(\.self)
                if let sent { certificates += try Case.x5c(sent) }
                for certificate in certificates { _ = try Certificate(der: certificate) }
                return .accepted(value: ["certificates": .number(JSONNumber(certificates.count))])
            } catch {
                return .rejected(error: "\(error)", step: nil)
            }
        }
    }

    /// The certificates of a header, read by what reads every header.
    private static func x5c(_ x5c: JSONValue) throws(JWSError) -> [[UInt8]] {
        let members: JSONObject = ["alg": "ES256", "x5c": x5c]
        let text = Base64URL.encodedBytes(members.serialized()) + Array("..".utf8)
        return try JWS(text[...], allowing: [.es256]).x5c() ?? []
    }

    /// A whole BLOB, with the roots that it must lead to.
    private func metadataBLOB(_ input: CaseInput) throws(MalformedCase) -> PreparedCase {
        let blob = Array(try input.string("blob").utf8)
        var roots: [[UInt8]] = []
        var texts = try input.stringsIfPresent("trustAnchors") ?? []
        texts += try input.stringsIfPresent("roots") ?? []
        for text in texts {
            guard let root = try? Base64.decodeTrimmed(text) else { throw MalformedCase("a root is not base64") }
            roots.append(root)
        }
        let time = try input.dayOrTimestamp("now") ?? Timestamp.now()
        let previous = try input.intIfPresent("previous")
        return PreparedCase { [roots] in
            do throws(MetadataError) {
                let metadata = try Metadata(blob: blob, roots: roots, at: time, after: previous)
                return .accepted(value: [
                    "no": .number(JSONNumber(metadata.number)),
                    "nextUpdate": .string(metadata.nextUpdate.description),
                    "entries": .number(JSONNumber(metadata.count)),
                ])
            } catch {
                return .rejected(error: "\(error)", step: error.code.rawValue)
            }
        }
    }

    /// Whether the default policy accepts an authenticator with these reports.
    func metadataStatus() throws(MalformedCase) -> PreparedCase {
        let input = CaseInput(input)
        let entry = CaseInput(input["entry"] ?? input.json)
        let member = entry["statusReports"] ?? entry["reports"]
        // A report alone is a list of one.
        let single = entry["status"] == nil ? nil : JSONValue.array([entry.json])
        guard let list = (member ?? single)?.array else { throw MalformedCase("there is no array of reports") }
        let now = try input.dayOrTimestamp("now") ?? Timestamp.now()
        return PreparedCase {
            do throws(MetadataError) {
                var reports: [StatusReport] = []
                for report in list { reports.append(try StatusReport(report)) }
                if let fault = StatusPolicy.default.fault(of: reports, at: now) {
                    return .rejected(error: fault, step: nil)
                }
                return .accepted(value: ["reports": .number(JSONNumber(reports.count))])
            } catch {
                return .rejected(error: "\(error)", step: nil)
            }
        }
    }
}

extension CaseInput {
    /// A moment, or the beginning of a day.
    fileprivate func dayOrTimestamp(_ name: String) throws(MalformedCase) -> Timestamp? {
        if let day = self[name]?.string.flatMap({ CalendarDate($0) }) { return day.start }
        return try timestampIfPresent(name)
    }
}
