import Foundation
import Testing

/// A server that does not import attestation carries none of it.
@Suite("What a client is made of")
struct LinkageTests {
    /// How often a text stands in an executable; names of modules stand in every symbol and in reflection metadata.
    private func occurrences(of text: String, in executable: String) throws -> Int {
        let path = Executable.path(of: executable)
        // `grep` goes through a hundred megabytes in no time.
        let count = try Shell.run(#"LC_ALL=C grep -aoF -- "$1" "$2" | wc -l"#, text, path)
        #expect(FileManager.default.isReadableFile(atPath: path))
        return try #require(Int(count.filter(\.isNumber)))
    }

    @Test("A relying party alone contains no attestation, and nothing that is made for tests")
    func relyingPartyAlone() throws {
        #expect(try occurrences(of: "PasskeyRelyingParty", in: "RelyingPartyClient") > 100)
        #expect(try occurrences(of: "PasskeyRelyingParty", in: "passkey") > 100)
        for module in ["PasskeyAttestation", "PasskeyTesting"] {
            #expect(try occurrences(of: module, in: "RelyingPartyClient") == 0)
            // The same search finds it in the command, which imports it.
            #expect(try occurrences(of: module, in: "passkey") > 100)
        }
    }
}
