import PasskeyModel
import PasskeyWire
import Testing

@Suite("Client data")
struct ClientDataTests {
    @Test func serializationByteForByte() {
        let bytes = ClientData.serialize(
            type: "webauthn.create",
            challenge: [0xFB, 0xFF],
            origin: "https://example.com",
            crossOrigin: false
        )
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"type":"webauthn.create","challenge":"-_8","origin":"https://example.com","crossOrigin":false}"#
        )
    }

    @Test func serializationOfAllMembers() throws {
        let bytes = ClientData.serialize(
            type: "webauthn.get",
            challenge: [1],
            origin: "a\"\\/\u{0}\u{1F}\u{7F}é\u{10FFFF}",
            crossOrigin: true,
            topOrigin: "https://top.example",
            extra: ["extra\n": [1, .null]]
        )
        let expected =
            #"{"type":"webauthn.get","challenge":"AQ","origin":"a\"\\/\u0000\u001f"#
            + "\u{7F}é\u{10FFFF}" + #"","crossOrigin":true,"topOrigin":"https://top.example","extra\u000a":[1,null]}"#
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
        let client = try ClientData(bytes)
        #expect(client.origin == "a\"\\/\u{0}\u{1F}\u{7F}é\u{10FFFF}")
        #expect(client.crossOrigin == true)
        #expect(client.topOrigin == "https://top.example")
        #expect(client.members["extra\n"] == [1, .null])
        #expect(client.bytes == bytes)
    }

    @Test func crossOriginMayBeLeftOut() throws {
        let bytes = ClientData.serialize(type: "t", challenge: [], origin: "o", crossOrigin: nil)
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"type":"t","challenge":"","origin":"o"}"#)
        #expect(try ClientData(bytes).crossOrigin == nil)
    }

    @Test(arguments: [
        (#"{"type":"t","challenge":"c","origin":"o"}"#, nil as WireError.Code?),
        ("\u{FEFF}" + #"{"type":"t","challenge":"c","origin":"o"}"#, nil),
        (#"{"origin":"o","x":{"type":"y"},"challenge":"c","type":"t"}"#, nil),
        ("\u{FEFF}\u{FEFF}{}", .unexpectedCharacter),
        ("[]", .wrongType),
        (#"{"challenge":"c","origin":"o"}"#, .missingParameter),
        (#"{"type":"t","origin":"o"}"#, .missingParameter),
        (#"{"type":"t","challenge":"c"}"#, .missingParameter),
        (#"{"type":1,"challenge":"c","origin":"o"}"#, .wrongType),
        (#"{"type":"t","challenge":null,"origin":"o"}"#, .wrongType),
        (#"{"type":"t","challenge":"c","origin":"o","crossOrigin":"true"}"#, .wrongType),
        (#"{"type":"t","challenge":"c","origin":"o","topOrigin":1}"#, .wrongType),
        (#"{"type":"t","type":"t","challenge":"c","origin":"o"}"#, .duplicateKey),
        (#"{"type":"t","challenge":"c","origin":"o"}x"#, .trailingBytes),
        ("", .truncated),
    ])
    func reading(_ text: String, _ code: WireError.Code?) {
        do throws(WireError) {
            let client = try ClientData([UInt8](text.utf8))
            #expect(code == nil)
            #expect((client.type, client.challenge, client.origin) == ("t", "c", "o"))
        } catch {
            #expect(error.code == code)
        }
    }

    @Test func offsetCountsTheByteOrderMark() {
        let error = #expect(throws: WireError.self) { try ClientData([0xEF, 0xBB, 0xBF, 0x7B, 0xFF]) }
        #expect(error?.offset == 4)
    }

    @Test func badUTF8HasItsOwnCode() {
        let error = #expect(throws: WireError.self) {
            try ClientData([UInt8](#"{"type":""#.utf8) + [0xC3, 0x28] + [UInt8](#""}"#.utf8))
        }
        #expect(error?.code == .invalidUTF8)
    }
}
