import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Names in certificates")
struct CertificateNameTests {
    private func subject(_ name: [UInt8]) throws -> DistinguishedName {
        let key = try Keys.of(.es256)
        var draft = try CertificateDraft(key)
        draft.subject = name
        return try Certificate(der: draft.signed(by: key)).subject
    }

    private func value(_ string: [UInt8]) throws -> String? {
        try subject(name([("2.5.4.3", string)])).values("2.5.4.3").first
    }

    @Test("the old types of string are text, too")
    func types() throws {
        #expect(try value(DER.utf8String("Zoë")) == "Zoë")
        #expect(try value(DER.printableString("US")) == "US")
        #expect(try value(DER.ia5String("a@b")) == "a@b")
        #expect(try value(DER.element(DERTag(30), [0, 0x5a, 0, 0x6f, 0, 0xeb])) == "Zoë")
        #expect(try value(DER.element(DERTag(28), [0, 1, 0xf5, 0x11])) == "\u{1f511}")
        // T61String, which everybody reads as ISO 8859-1.
        #expect(try value(DER.element(DERTag(20), [0x5a, 0x6f, 0xeb])) == "Zoë")
        #expect(try value(DER.element(DERTag(18), Array("12 3".utf8))) == "12 3")
        #expect(try value(DER.utf8String("")) == "")
    }

    @Test("what is no text of its type does no harm")
    func broken() throws {
        for string in [
            DER.element(.utf8String, [0x41, 0xff, 0x42]), DER.element(DERTag(30), [0, 0x41, 0]),
            DER.element(DERTag(30), [0xd8, 0]),
            DER.element(DERTag(28), [0, 1, 0xf5]), DER.element(DERTag(28), [0xff, 0xff, 0xff, 0xff]),
        ] {
            expectError(.malformedCertificate) { () throws(CryptoError) in
                do { _ = try value(string) } catch let error as CryptoError { throw error } catch {}
            }
        }
        #expect(try value(DER.bitString([1, 2])) != nil)
        #expect(try value(DER.sequence([DER.null])) != nil)
        #expect(CryptoError.isQueueEmpty)
    }

    @Test("a name does not end at a NUL")
    func null() throws {
        let found = try value(DER.utf8String("example.com\0.evil.example"))
        #expect(found?.utf8.count == 25)
        #expect(found?.hasSameBytes(as: "example.com\0.evil.example") == true)
        #expect(try subject(name("a\0b")).text == "CN=a\\00b")
    }

    @Test("attributes in one relative name and in several")
    func multiple() throws {
        let one = DER.sequence([
            DER.set([attribute("2.5.4.6", DER.printableString("US")), attribute("2.5.4.10", DER.utf8String("A"))]),
            DER.set([attribute("2.5.4.10", DER.utf8String("B"))]),
        ])
        let found = try subject(one)
        #expect(found.values("2.5.4.10") == ["A", "B"])
        #expect(found.values("2.5.4.6") == ["US"])
        #expect(found.values("2.5.4.7").isEmpty)
        #expect(found.attributes.count == 3)
        #expect(!found.isEmpty)
        #expect(try subject(DER.sequence([])).isEmpty)
        #expect(try subject(DER.sequence([])).text == "")
    }

    @Test("text is that of RFC 4514, and obeyed by no terminal")
    func text() throws {
        let long = name([
            ("2.5.4.6", DER.printableString("US")), ("2.5.4.10", DER.utf8String("Example, Inc.")),
            ("2.23.133.2.1", DER.utf8String("id:0")),
        ])
        #expect(try subject(long).text == "2.23.133.2.1=id:0,O=Example\\, Inc.,C=US")
        #expect(try subject(name(" a\"+;<>\\ ")).text == "CN=\\ a\\\"\\+\\;\\<\\>\\\\\\ ")
        #expect(try subject(name("#a#")).text == "CN=\\#a#")
        #expect(try subject(name("\u{1b}[2J\n\u{9b}\u{202e}")).text == "CN=\\1b[2J\\0a\\c2\\9b\\e2\\80\\ae")
        #expect(try subject(name("é")).text == "CN=é")
    }

    @Test("names that look alike are not the same")
    func equality() throws {
        let composed = try subject(name("\u{e9}"))
        let decomposed = try subject(name("e\u{301}"))
        #expect(composed != decomposed)
        #expect(composed == (try subject(name("\u{e9}"))))
        #expect(Set([composed, decomposed, composed]).count == 2)
    }

    @Test("many attributes take no longer than their bytes", .timeLimit(.minutes(1)))
    func many() throws {
        let small = DER.set([attribute("1.2", DER.utf8String("\u{301}"))])
        let subject = DER.element(.sequence, Array(repeatElement(small, count: 4000).joined()))
        let key = try Keys.of(.es256)
        var draft = try CertificateDraft(key)
        draft.subject = subject
        draft.extensions = [
            certificateExtension("2.5.29.17", DER.sequence([DER.tagged(4, name("a"))]))
        ]
        let der = try draft.signed(by: key)
        let certificate = try Certificate(der: der)
        #expect(certificate.subject.attributes.count == 4000)
        _ = certificate.subject.text
        _ = certificate.subject == certificate.subject
        _ = certificate.subject.hashValue
    }
}
