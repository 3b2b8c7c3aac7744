import PasskeyModel
import Testing

@Suite("Origins and RP IDs")
struct OriginTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com"),
        ("HTTPS://Example.COM:443/", "https://example.com"),
        ("http://localhost:80", "http://localhost"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("https://example.com:80", "https://example.com:80"),
        ("https://192.0.2.1", "https://192.0.2.1"),
        ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
        ("ios:bundle-id:com.example", "ios:bundle-id:com.example"),
    ])
    func configurationIsNormalised(_ text: String, _ canonical: String) throws {
        let origin = try Origin(text)
        #expect(origin.string == canonical)
        #expect(Origin(serialized: canonical) == origin)
        #expect(Origin(serialized: text) == (text == canonical ? origin : nil))
        #expect(try Origin(origin.json) == origin)
    }

    @Test(arguments: [
        "", "null", " https://example.com", "https ://a.example", "1x:a", "x:\n", "app:café", "x y:z", "example.com",
        "example.com/path", ":x", "https:", "https:example.com", "https://", "https:///",
        "https://example.com/path",
        "https://example.com//", "https://user@example.com", "https://example.com?", "https://example.com#",
        "https://example.com\\", "https://exa mple.com", "https://example..com", "https://example.com.",
        "https://example.com:", "https://example.com:0443", "https://example.com:65536", "https://example.com:0",
        "https://example.com:-1", "https://bücher.example", "https://256.0.0.1", "https://1.2.3", "https://0x7f",
        "https://[::1", "https://[]", "https://[::g]", "android:apk-key-hash:", "android:apk-key-hash:AAAA",
        "android:apk-key-hash:S2RfNYgJmQiKgd6-sdbjW7phcL_OTP4vGE8L51Q2GB0=",
    ])
    func configurationIsRefused(_ text: String) {
        #expect(throws: ModelError.self) { try Origin(text) }
        #expect(Origin(serialized: text) == nil)
    }

    @Test func kinds() throws {
        #expect(try Origin("https://a.example:8443").kind == .web(scheme: "https", host: "a.example", port: 8443))
        #expect(try Origin("https://a.example").host == "a.example")
        let text = "android:apk-key-hash:S2RfNYgJmQiKgd6-sdbjW7phcL_OTP4vGE8L51Q2GB0"
        let android = try Origin(text)
        guard case .android(let hash) = android.kind else {
            Issue.record("not an Android origin")
            return
        }
        #expect(try Origin.android(certificateHash: hash) == android)
        #expect(android.host == nil)
        #expect(throws: ModelError.self) { try Origin.android(certificateHash: [1]) }
        #expect(try Origin("ios:x").kind == .opaque)
    }

    @Test(arguments: [
        ("https://example.com", true), ("http://example.com", false), ("http://localhost:1", true),
        ("http://a.localhost", true), ("http://127.0.0.1", true), ("http://[::1]", true),
        ("http://evillocalhost", false), ("ios:x", true),
    ])
    func secure(_ text: String, _ isSecure: Bool) throws {
        #expect(try Origin(text).isSecure == isSecure)
    }

    @Test(arguments: [
        ("http://localhost:9292", "localhost"), ("https://login.example.com:1337", "login.example.com"),
    ])
    func defaultRelyingPartyIdentifier(_ origin: String, _ id: String) throws {
        #expect(try Origin(origin).defaultRelyingPartyIdentifier?.string == id)
        #expect(try Origin("https://192.0.2.1").defaultRelyingPartyIdentifier == nil)
    }

    @Test(arguments: [
        "example.com", "localhost", "a", "xn--bcher-kva.example", "a-b.c1.example", "1.example",
        String(repeating: "a", count: 63) + ".example",
    ])
    func relyingPartyIdentifiers(_ text: String) throws {
        let id = try RelyingPartyIdentifier(text)
        #expect(id.string == text)
        #expect(id.description == text)
        #expect(try RelyingPartyIdentifier(id.json) == id)
    }

    @Test(arguments: [
        "", ".", "example.com.", ".example.com", "a..b", "Example.com", "bücher.example", "https://example.com",
        "example.com:443", "exa_mple.com", "example.com/", "-a.example", "a-.example", "127.0.0.1", "1.2.3.0x7f",
        "a.123", "[::1]", String(repeating: "a", count: 64) + ".example",
        String(repeating: "abcdefg.", count: 32) + "example", " example.com",
    ])
    func relyingPartyIdentifiersRefused(_ text: String) {
        #expect(throws: ModelError.self) { try RelyingPartyIdentifier(text) }
    }

    @Test func identifierThatIsNoDomain() throws {
        let other = try RelyingPartyIdentifier(notADomain: "ssh:")
        #expect(other.string == "ssh:")
        #expect(try RelyingPartyIdentifier(other.json) == other)
        #expect(try RelyingPartyIdentifier(notADomain: "\u{212A}") != RelyingPartyIdentifier(notADomain: "K"))
        #expect(throws: ModelError.self) { try RelyingPartyIdentifier(notADomain: "") }
        #expect(throws: ModelError.self) {
            try RelyingPartyIdentifier(notADomain: String(repeating: "a", count: 256))
        }
    }
}
