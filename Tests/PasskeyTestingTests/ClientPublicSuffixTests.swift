import PasskeyTesting
import Testing

@Suite("Public suffixes")
struct ClientPublicSuffixTests {
    static let list = PublicSuffixList(
        parsing: """
            // The rules of the example in the list's own documentation, and more.
            com
            *.jp
            *.hokkaido.jp
            *.tokyo.jp
            !pref.hokkaido.jp
            !metro.tokyo.jp
              // not a rule, for the space
            uk\tand more\r
            co.uk and more
            公司.cn
            食狮.公司.cn
            Appspot.COM

            !*.both
            a..b
            -a.b
            1.2
            """
    )

    @Test(
        "The prevailing rule: an exception, or the longest one, or the last label",
        arguments: [
            ("example.com", "com", "example.com"), ("com", "com", nil), ("www.example.com", "com", "example.com"),
            ("foo.bar.jp", "bar.jp", "foo.bar.jp"), ("bar.jp", "bar.jp", nil), ("jp", "jp", nil),
            ("a.foo.bar.hokkaido.jp", "bar.hokkaido.jp", "foo.bar.hokkaido.jp"),
            ("pref.hokkaido.jp", "hokkaido.jp", "pref.hokkaido.jp"),
            ("a.pref.hokkaido.jp", "hokkaido.jp", "pref.hokkaido.jp"),
            ("metro.tokyo.jp", "tokyo.jp", "metro.tokyo.jp"), ("b.example.co.uk", "co.uk", "example.co.uk"),
            ("example.uk", "uk", "example.uk"), ("host.unlisted", "unlisted", "host.unlisted"),
            ("app.appspot.com", "appspot.com", "app.appspot.com"),
            ("a.xn--55qx5d.cn", "xn--55qx5d.cn", "a.xn--55qx5d.cn"),
            ("x.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn", "x.xn--85x722f.xn--55qx5d.cn"),
        ]
    )
    func rules(_ domain: String, _ suffix: String, _ registrable: String?) {
        #expect(Self.list.publicSuffix(of: domain) == suffix)
        #expect(Self.list.registrableDomain(of: domain) == registrable)
    }

    @Test(
        "What is no domain has no suffix",
        arguments: ["", "1.2.3.4", "EXAMPLE.com", "example.com.", ".com", "[::1]"]
    )
    func noDomain(_ text: String) {
        #expect(Self.list.publicSuffix(of: text) == nil)
        #expect(Self.list.registrableDomain(of: text) == nil)
    }

    @Test("Lines that are no rules are skipped, and the others count")
    func count() {
        #expect(Self.list.count == 11)
        #expect(PublicSuffixList(parsing: "").count == 0)
        #expect(PublicSuffixList(parsing: [0xFF, 0x0A, 0x63, 0x6F, 0x6D]).count == 1)
    }

    @Test(
        "A registrable suffix, or the same host",
        arguments: [
            ("example.com", "example.com", true), ("example.com", "www.example.com", true),
            ("www.example.com", "example.com", false), ("com", "example.com", false), ("com", "com", true),
            ("ample.com", "example.com", false), ("", "example.com", false), ("co.uk", "example.co.uk", false),
            ("uk", "example.co.uk", false), ("example.co.uk", "a.b.example.co.uk", true),
            ("bar.jp", "foo.bar.jp", false), ("tokyo.jp", "metro.tokyo.jp", false),
            ("metro.tokyo.jp", "a.metro.tokyo.jp", true), ("0.0.1", "127.0.0.1", false),
            ("127.0.0.1", "127.0.0.1", true), ("example.com.", "example.com", false),
        ]
    )
    func registrableSuffix(_ suffix: String, _ host: String, _ isOne: Bool) {
        #expect(Self.list.isRegistrableSuffix(suffix, ofOrEqualTo: host) == isOne)
    }

    @Test("The list that is built in refuses what it is there for")
    func builtIn() {
        let list = PublicSuffixList.builtIn
        for suffix in [
            "com", "co.uk", "github.io", "appspot.com", "co.jp", "any.ck", "any.kawasaki.jp", "xn--55qx5d.cn",
        ] {
            #expect(list.registrableDomain(of: suffix) == nil, "\(suffix)")
            #expect(!list.isRegistrableSuffix(suffix, ofOrEqualTo: "a." + suffix), "\(suffix)")
            #expect(list.isRegistrableSuffix("a." + suffix, ofOrEqualTo: "b.a." + suffix), "\(suffix)")
        }
        #expect(list.registrableDomain(of: "www.ck") == "www.ck")
        #expect(list.registrableDomain(of: "a.city.kawasaki.jp") == "city.kawasaki.jp")
    }

    @Test("A hostile list is read in linear time")
    func hostile() {
        // Labels at every bound, a rule of dots, one without an end, and a line of the greatest code points.
        let wide = String(repeating: "\u{10FFFF}", count: 63)
        let text = [
            String(repeating: ".", count: 1000), String(repeating: "a", count: 100_000), wide, "!", "*.", "*", "!*.",
            String(repeating: "a.", count: 100) + "com",
        ].joined(separator: "\n")
        let list = PublicSuffixList(parsing: text)
        #expect(list.count == 1)
        #expect(list.registrableDomain(of: String(repeating: "a.", count: 120) + "com") != nil)
        #expect(PublicSuffixList(parsing: String(repeating: "x\n", count: 100_000)).count == 1)
    }
}
