import PasskeyCases
import PasskeyVectors
import PasskeyWire
import Testing

/// Each refused ceremony case is refused at the step that `Vectors/refusals.json` says, and by the rule of the format that its `rules` say, which was read against the
/// case's reason: a refusal for another reason is a fault that the verdict alone would hide.
@Suite("Refusals have the right reason")
struct RefusalTests {
    @Test(arguments: ["chromium", "firefox", "reports-ceremonies", "own-ceremonies"])
    func ownCases(_ name: String) throws {
        try check(name, Vectors.cases)
    }

    @Test(
        .enabled(if: Vectors.shared != nil || Vectors.requires("shared"), "the folder shared is absent"),
        arguments: ["devices", "webauthn-l3"]
    )
    func sharedCases(_ name: String) throws {
        try check(name, #require(Vectors.shared))
    }

    private func check(_ name: String, _ folder: String) throws {
        let recorded = try JSONValue(json: Vectors.bytes(Vectors.root + "/refusals.json"))
        let expected = recorded[name]?.object ?? [:]
        let rules = recorded["rules"]?[name]?.object ?? [:]
        let file = try CaseFile(json: Vectors.bytes("\(folder)/\(name).json"))
        var seen: Set<String> = []
        for entry in file.cases where entry.operation.hasSuffix(".verify") && entry.expectation == .reject {
            switch entry.run() {
            case .rejected(let error, let step):
                #expect(step != nil && step == expected[entry.id]?.string, "\(entry.id): \(error)")
                // Of a statement, the rule of its format, too: it stands before the detail.
                if step == "attestationStatement" {
                    let rule = try #require(rules[entry.id]?.string, "\(entry.id)")
                    #expect(error.hasPrefix(rule + ": "), "\(entry.id): \(error)")
                }
                seen.insert(entry.id)
            case .skipped where !entry.requirements.isEmpty && expected[entry.id] != nil: seen.insert(entry.id)
            case .skipped: #expect(expected[entry.id] == nil, "\(entry.id) is skipped")
            case .accepted, .broken: Issue.record("\(entry.id) is not refused")
            }
        }
        #expect(seen == Set(expected.members.map(\.name)))
    }
}
