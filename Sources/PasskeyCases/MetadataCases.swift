import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension Case {
    /// Members of an entry, of its statement, or of a BLOB's header: as much as the case has.
    func metadataParse() throws(MalformedCase) -> PreparedCase {
        guard var entry = input.object, !entry.isEmpty else { throw MalformedCase("the input is no object") }
        if entry["metadataStatement"] == nil { entry["metadataStatement"] = input }
        let json = JSONValue.object(entry)
        let sent = try CaseInput(input).stringsIfPresent("x5c") ?? []
        return PreparedCase {
            do {
                let entry = try MetadataEntry(json)
                var certificates = entry.statement?.attestationRootCertificates ?? []
                for text in sent { certificates.append(try Base64.decodeTrimmed(text)) }
                for certificate in certificates { _ = try Certificate(der: certificate) }
                return .accepted(value: ["certificates": .number(JSONNumber(certificates.count))])
            } catch {
                return .rejected(error: "\(error)", step: nil)
            }
        }
    }

    /// Whether the default policy accepts an authenticator with these reports.
    func metadataStatus() throws(MalformedCase) -> PreparedCase {
        let input = CaseInput(input)
        let member = if let reports = input["statusReports"] { reports } else { try input.required("reports") }
        guard let list = member.array else { throw MalformedCase("the reports are no array") }
        let given = try input.timestampIfPresent("now")
        let now = given ?? Timestamp.now()
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
