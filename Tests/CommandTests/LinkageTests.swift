import Foundation
import Testing

/// A server that does not import attestation carries none of it.
@Suite("What a client is made of")
struct LinkageTests {
    /// How often a text stands in an executable; names of modules stand in every symbol and in reflection metadata.
    private func occurrences(of text: String, in executable: String) throws -> Int {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Executable.path(of: executable)))
        let sought = Data(text.utf8)
        var count = 0
        var start = bytes.startIndex
        while let range = bytes.range(of: sought, in: start..<bytes.endIndex) {
            count += 1
            start = range.upperBound
        }
        return count
    }

    @Test func aRelyingPartyAloneContainsNoAttestation() throws {
        // The same search finds both in the command, which imports both.
        #expect(try occurrences(of: "PasskeyRelyingParty", in: "RelyingPartyClient") > 100)
        #expect(try occurrences(of: "PasskeyAttestation", in: "RelyingPartyClient") == 0)
        #expect(try occurrences(of: "PasskeyRelyingParty", in: "passkey") > 100)
        #expect(try occurrences(of: "PasskeyAttestation", in: "passkey") > 100)
    }
}
