import Foundation
import PasskeyModel
import PasskeyWire
import Testing

@Suite("Responses and records as JSON")
struct ResponseTests {
    private static let registration = #"""
        {"id":"AQID","rawId":"AQID","type":"public-key","authenticatorAttachment":"platform",
        "clientExtensionResults":{"credProps":{"rk":true},"new":[1]},
        "response":{"clientDataJSON":"e30","attestationObject":"oA","transports":["internal","x-new"],
        "authenticatorData":"AA","publicKey":"MAA","publicKeyAlgorithm":-7}}
        """#

    private static let authentication = #"""
        {"id":"AQID","rawId":"AQID","type":"public-key","clientExtensionResults":{},
        "response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"MA","userHandle":"AQ"}}
        """#

    @Test func readsARegistration() throws {
        let response = try RegistrationResponse(json: Self.registration)
        #expect(response.id == [1, 2, 3])
        #expect(response.clientDataJSON == Array("{}".utf8))
        #expect(response.attestationObject == [0xA0])
        #expect(response.transports == ["internal", "x-new"])
        #expect(response.authenticatorAttachment == "platform")
        #expect(response.clientExtensionResults.credProps?.rk == true)
        #expect(response.clientExtensionResults.unknown["new"] == [1])
        #expect(response.claims == .init(authenticatorData: [0], publicKey: [0x30, 0], publicKeyAlgorithm: -7))
        #expect(try RegistrationResponse(json: response.jsonBytes()) == response)
    }

    @Test func readsASignIn() throws {
        let response = try AuthenticationResponse(json: Self.authentication)
        #expect(response.id == [1, 2, 3])
        #expect(response.authenticatorData == [0])
        #expect(response.signature == [0x30])
        #expect(response.userHandle?.bytes == [1])
        #expect(try AuthenticationResponse(json: response.jsonBytes()) == response)
    }

    /// What replaces what, and whether the rest is still a response.
    private static let changes: [(from: String, to: String, isAccepted: Bool)] = [
        (#""type":"public-key""#, #""type":"password""#, false),
        (#""type":"public-key","#, "", false),
        (#""rawId":"AQID""#, #""rawId":"AQIE""#, false),
        (#""rawId":"AQID","#, "", false),
        (#""id":"AQID","rawId":"AQID""#, #""id":"","rawId":"""#, false),
        (#""id":"AQID","rawId":"AQID""#, #""id":"AQIDB","rawId":"AQIDB""#, false),
        (#""id":"AQID""#, #""id":[1]"#, false),
        (#""clientDataJSON":"e30""#, #""clientDataJSON":"e30=""#, false),
        (#""clientDataJSON":"e30","#, "", false),
        (#""response":{"#, #""response":[],"other":{"#, false),
        (#""response":{"#, #""response":null,"other":{"#, false),
        (#""type":"public-key""#, #""type":"public-key","type":"public-key""#, false),
        (#""type":"public-key""#, #""type":"public-key","authenticatorAttachment":"future""#, true),
        (#""type":"public-key""#, #""type":"public-key","authenticatorAttachment":null"#, true),
        (#""type":"public-key""#, #""type":"public-key","authenticatorAttachment":1"#, false),
        (#""type":"public-key""#, #""type":"public-key","unknown":{}"#, true),
        (#""clientExtensionResults":{}"#, #""clientExtensionResults":null"#, true),
        (#""clientExtensionResults":{},"#, "", true),
        (#""clientExtensionResults":{}"#, #""clientExtensionResults":[]"#, false),
        (#""userHandle":"AQ""#, #""userHandle":null"#, true),
        (#","userHandle":"AQ""#, "", true),
        (#""userHandle":"AQ""#, #""userHandle":"""#, true),
        (#""userHandle":"AQ""#, #""userHandle":1"#, false),
        (#""userHandle":"AQ""#, #""userHandle":"\#(String(repeating: "A", count: 88))""#, false),
        (#""signature":"MA""#, #""signature":"M+""#, false),
        (#""signature":"MA","#, "", false),
        (#""authenticatorData":"AA","#, "", false),
    ]

    @Test func changesOfASignIn() throws {
        for (from, to, isAccepted) in Self.changes {
            let text = Self.authentication.replacingOccurrences(of: from, with: to)
            #expect(text != Self.authentication)
            do throws(AuthenticationError) {
                let response = try AuthenticationResponse(json: text)
                #expect(isAccepted, "\(from) -> \(to)")
                #expect(response.id == [1, 2, 3])
            } catch {
                #expect(!isAccepted, "\(from) -> \(to): \(error)")
                #expect(error.step == .response)
                #expect(error.code == .malformedResponse)
            }
        }
    }

    @Test func emptyUserHandleIsNone() throws {
        let text = Self.authentication.replacingOccurrences(of: #""userHandle":"AQ""#, with: #""userHandle":"""#)
        #expect(try AuthenticationResponse(json: text).userHandle == nil)
    }

    @Test(arguments: [
        (#""transports":["internal","x-new"]"#, #""transports":null"#, true),
        (#""transports":["internal","x-new"],"#, "", true),
        (#""transports":["internal","x-new"]"#, #""transports":[1]"#, false),
        (#""transports":["internal","x-new"]"#, #""transports":"internal""#, false),
        (#""attestationObject":"oA","#, "", false),
        (#""publicKeyAlgorithm":-7"#, #""publicKeyAlgorithm":"-7""#, false),
        (#""publicKey":"MAA""#, #""publicKey":null"#, true),
    ])
    func changesOfARegistration(_ from: String, _ to: String, _ isAccepted: Bool) throws {
        let text = Self.registration.replacingOccurrences(of: from, with: to)
        #expect(text != Self.registration)
        do throws(RegistrationError) {
            _ = try RegistrationResponse(json: text)
            #expect(isAccepted)
        } catch {
            #expect(!isAccepted, "\(error)")
            #expect(error.step == .response)
        }
    }

    @Test func errorsNameTheMember() {
        let text = Self.registration.replacingOccurrences(of: "x-new\"", with: "x-new\", 1")
        let error = #expect(throws: RegistrationError.self) { try RegistrationResponse(json: text) }
        #expect(error?.detail.contains("response.transports[2]") == true)
    }

    @Test func outputsOfAnotherTypeHaveAStepOfTheirOwn() {
        let text = Self.registration.replacingOccurrences(of: #"{"rk":true}"#, with: "7")
        let error = #expect(throws: RegistrationError.self) { try RegistrationResponse(json: text) }
        #expect(error?.step == .extensions)
        #expect(error?.detail.contains("clientExtensionResults.credProps") == true)
    }

    @Test func syntaxFaultsHaveAnOffset() {
        let error = #expect(throws: AuthenticationError.self) { try AuthenticationResponse(json: "{\"id\":x}") }
        #expect(error?.offset == 6)
        let text = error.map { $0.description } ?? ""
        #expect(text.components(separatedBy: "offset").count == 2 && !text.contains("at byte"), "\(text)")
    }

    @Test func codableGoesThroughTheSameReader() throws {
        let data = Data(Self.registration.utf8)
        let response = try JSONDecoder().decode(RegistrationResponse.self, from: data)
        #expect(response == (try RegistrationResponse(json: Self.registration)))
        #expect(try RegistrationResponse(json: [UInt8](JSONEncoder().encode(response))) == response)
        let signIn = try JSONDecoder().decode(AuthenticationResponse.self, from: Data(Self.authentication.utf8))
        #expect(try AuthenticationResponse(json: [UInt8](JSONEncoder().encode(signIn))) == signIn)
        #expect(throws: RegistrationError.self) {
            try JSONDecoder().decode(RegistrationResponse.self, from: Data("{}".utf8))
        }
    }

    /// The bridge's own recursion is bounded far below any stack.
    @Test func codableIsBoundedInDepth() throws {
        for (depth, isRead) in [(20, true), (400, false)] {
            let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let text = Self.registration.replacingOccurrences(of: #""new":[1]"#, with: #""new":"# + nested)
            let response = try? JSONDecoder().decode(RegistrationResponse.self, from: Data(text.utf8))
            #expect((response != nil) == isRead)
        }
    }

    private static let key: [UInt8] =
        [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + [UInt8](repeating: 0x11, count: 32)
        + [0x22, 0x58, 0x20] + [UInt8](repeating: 0x22, count: 32)

    @Test func recordsKeepEverything() throws {
        let record = try CredentialRecord(
            id: [UInt8](repeating: 7, count: 1023),
            publicKey: Self.key,
            signCount: .max,
            userHandle: UserHandle(bytes: [1]),
            transports: ["usb", "x-new"],
            uvInitialized: true,
            backupEligible: true,
            backupState: false,
            aaguid: .zero,
            attestationFormat: .packed,
            attestationObject: [1],
            attestationClientDataJSON: [2],
            createdAt: Timestamp(millisecondsSince1970: 3),
            lastUsedAt: Timestamp(millisecondsSince1970: -4)
        )
        #expect(try CredentialRecord(json: record.jsonBytes()) == record)
        #expect(record.descriptor.id == record.id)
        #expect(record.descriptor.transports == ["usb", "x-new"])
        let bare = try CredentialRecord(id: [1], publicKey: Self.key, signCount: 0, userHandle: record.userHandle)
        #expect(bare.backupEligible == nil)
        let unset = String(decoding: bare.jsonBytes(), as: UTF8.self).replacing(#""uvInitialized":false,"#, with: "")
        #expect(try CredentialRecord(json: unset) == bare)
        #expect(try CredentialRecord(json: bare.jsonBytes()) == bare)
        #expect(!String(decoding: bare.jsonBytes(), as: UTF8.self).contains("null"))
    }

    @Test func recordsAreCheckedOnLoad() throws {
        let handle = try UserHandle(bytes: [1])
        let record = try CredentialRecord(id: [1], publicKey: Self.key, signCount: 0, userHandle: handle)
        #expect(throws: ModelError.self) {
            try CredentialRecord(id: [], publicKey: Self.key, signCount: 0, userHandle: handle)
        }
        #expect(throws: ModelError.self) {
            let id = [UInt8](repeating: 7, count: 1024)
            return try CredentialRecord(id: id, publicKey: Self.key, signCount: 0, userHandle: handle)
        }
        let error = #expect(throws: ModelError.self) {
            try CredentialRecord(id: [1], publicKey: Self.key.dropLast(), signCount: 0, userHandle: handle)
        }
        #expect(error?.path == "publicKey")
        let text = String(decoding: record.jsonBytes(), as: UTF8.self)
        for (from, to) in [
            (#""version":1"#, #""version":2"#), (#""signCount":0"#, #""signCount":4294967296"#),
            (#""signCount":0"#, #""signCount":-1"#), (#""signCount":0"#, #""signCount":1.5"#),
            (#""id":"AQ","#, ""),
        ] {
            #expect(throws: ModelError.self) {
                try CredentialRecord(json: text.replacingOccurrences(of: from, with: to))
            }
        }
    }

    @Test func values() throws {
        #expect(Challenge.random() != Challenge.random())
        #expect(Challenge.random().bytes.count == 32)
        #expect(UserHandle.random().bytes.count == 32)
        #expect(throws: ModelError.self) { try Challenge(bytes: []) }
        #expect(throws: ModelError.self) { try Challenge(bytes: [UInt8](repeating: 0, count: 1025)) }
        #expect(try Challenge(bytes: [UInt8](repeating: 0, count: 1024)).bytes.count == 1024)
        #expect(throws: ModelError.self) { try UserHandle(bytes: []) }
        #expect(throws: ModelError.self) { try UserHandle(bytes: [UInt8](repeating: 0, count: 65)) }
        #expect(try UserHandle(json: UserHandle(bytes: [9]).jsonBytes()).bytes == [9])
        #expect(Timestamp.now() > Timestamp(millisecondsSince1970: 1_700_000_000_000))
        let last = Timestamp(millisecondsSince1970: .max)
        #expect(last.advanced(byMilliseconds: 1) == last)
        #expect(Timestamp(millisecondsSince1970: .min).advanced(byMilliseconds: -1).millisecondsSince1970 == .min)
    }

    @Test func errorsReadWell() {
        #expect("\(RegistrationError(.origin, "x", offset: 3))".contains("step 9 (origin): x (offset 3)"))
        #expect("\(AuthenticationError(.signature, "x"))" == "authentication refused at step 21 (signature): x")
        #expect("\(ModelError(.missing, at: "a", "b", offset: 1))" == "a: b (offset 1)")
        #expect(ModelError(.missing, at: "[0]", "b").within("a").path == "a[0]")
    }
}
