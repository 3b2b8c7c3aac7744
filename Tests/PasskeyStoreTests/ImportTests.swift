import Foundation
import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import Testing

/// Records in other libraries' shapes; each signs in afterwards.
@Suite("Records of other libraries")
struct ImportTests {
    /// A shape, written from a record.
    struct Shape: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var library: ForeignRecord
        /// What is in it of the backup flags.
        var keepsFlags = true
        var keepsTransports = true
        var json: @Sendable (CredentialRecord) -> String
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
    private static func url(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes) }
    private static func list(_ bytes: [UInt8]) -> String { "[\(bytes.map(String.init).joined(separator: ","))]" }
    private static func array(_ bytes: [UInt8]) -> String {
        "{\(bytes.enumerated().map { #""\#($0.offset)":\#($0.element)"# }.joined(separator: ","))}"
    }

    static let shapes: [Shape] = [
        Shape(testDescription: "SimpleWebAuthn 13, key as Uint8Array", library: .simpleWebAuthn) { record in
            #"{"id":"\#(url(record.id))","publicKey":\#(array(record.publicKey)),"counter":\#(record.signCount),"#
                + #""transports":["internal","hybrid"],"deviceType":"multiDevice","backedUp":true,"#
                + #""webauthnUserID":"\#(url(record.userHandle.bytes))","user":{"id":1}}"#
        },
        Shape(testDescription: "SimpleWebAuthn 13, key as Buffer, transports as text", library: .simpleWebAuthn) {
            record in
            #"{"id":"\#(url(record.id))","publicKey":{"type":"Buffer","data":\#(list(record.publicKey))},"#
                + #""counter":0,"transports":"internal,hybrid","deviceType":"multiDevice","backedUp":true}"#
        },
        Shape(testDescription: "SimpleWebAuthn 9", library: .simpleWebAuthn, keepsTransports: false) { record in
            #"{"credentialID":"\#(url(record.id))","credentialPublicKey":"\#(url(record.publicKey))","counter":0,"#
                + #""credentialDeviceType":"multiDevice","credentialBackedUp":true,"userVerified":true}"#
        },
        Shape(testDescription: "SimpleWebAuthn 8", library: .simpleWebAuthn, keepsTransports: false) { record in
            #"{"credentialID":\#(array(record.id)),"credentialPublicKey":\#(list(record.publicKey)),"counter":0,"#
                + #""credentialDeviceType":"multiDevice","credentialBackedUp":true}"#
        },
        Shape(testDescription: "py_webauthn", library: .pyWebAuthn) { record in
            #"{"credential_id":"\#(url(record.id))","credential_public_key":"\#(url(record.publicKey))","sign_count":0,"#
                + #""aaguid":"00000000-0000-0000-0000-000000000000","fmt":"none","credential_type":"public-key","#
                + #""user_verified":true,"credential_device_type":"multi_device","credential_backed_up":true,"#
                + #""transports":["internal","hybrid"],"attestation_object":"AQ"}"#
        },
        Shape(testDescription: "go-webauthn", library: .goWebAuthn) { record in
            #"{"id":"\#(base64(record.id))","publicKey":"\#(base64(record.publicKey))","transport":["internal","hybrid"],"#
                + #""flags":{"userPresent":true,"userVerified":true,"backupEligible":true,"backupState":true},"#
                + #""authenticator":{"AAGUID":"AAAAAAAAAAAAAAAAAAAAAA==","signCount":0,"cloneWarning":false,"attachment":""},"#
                + #""attestationFormat":"none","attestation":{"object":"AQ==","clientDataJSON":""}}"#
        },
        Shape(
            testDescription: "go-webauthn without names and flags",
            library: .goWebAuthn,
            keepsFlags: false,
            keepsTransports: false
        ) { record in
            #"{"ID":"\#(base64(record.id))","PublicKey":"\#(base64(record.publicKey))","AttestationType":"none","#
                + #""Transport":null,"Authenticator":{"AAGUID":"AAAAAAAAAAAAAAAAAAAAAA==","SignCount":0,"CloneWarning":false}}"#
        },
        Shape(testDescription: "swift-webauthn", library: .swiftWebAuthn, keepsTransports: false) { record in
            #"{"type":"public-key","id":"\#(base64(record.id))","publicKey":\#(list(record.publicKey)),"signCount":0,"#
                + #""backupEligible":true,"isBackedUp":true}"#
        },
        Shape(
            testDescription: "swift-webauthn's example",
            library: .swiftWebAuthn,
            keepsFlags: false,
            keepsTransports: false
        ) { record in
            #"{"id":"\#(url(record.id))","publicKey":"\#(url(record.publicKey))","currentSignCount":0}"#
        },
    ]

    @Test("A record is read, and signs in", arguments: shapes)
    func imports(_ shape: Shape) throws {
        let site = try Site()
        let record = try site.record()
        let json = shape.json(record)
        let imported = try CredentialRecord(
            importing: [UInt8](json.utf8),
            from: shape.library,
            userHandle: record.userHandle
        )
        #expect(imported.id == record.id)
        #expect(imported.publicKey == record.publicKey)
        #expect(imported.userHandle == record.userHandle)
        #expect(imported.backupEligible == (shape.keepsFlags ? true : nil))
        #expect(imported.backupState == (shape.keepsFlags ? true : nil))
        #expect(imported.transports == (shape.keepsTransports ? [.internal, .hybrid] : []))
        #expect(imported.attestationObject ?? [1] == [1])

        let (options, ceremony) = try site.relyingParty.beginDiscoverableAuthentication()
        let response = try site.client.get(options)
        let signedIn = try site.relyingParty.finishAuthentication(response, ceremony, imported)
        #expect(signedIn.credential.backupEligible == true)
    }

    @Test("Whose credential it is must be known, and be one", arguments: shapes)
    func owner(_ shape: Shape) throws {
        let record = try Site().record()
        let json = [UInt8](shape.json(record).utf8)
        let other = try Site.user(2).id
        let names = shape.testDescription.contains("Uint8Array")
        if names {
            #expect(try CredentialRecord(importing: json, from: shape.library).userHandle == record.userHandle)
            let error = #expect(throws: ModelError.self) {
                try CredentialRecord(importing: json, from: shape.library, userHandle: other)
            }
            #expect(error?.path == "webauthnUserID")
        } else {
            let error = #expect(throws: ModelError.self) { try CredentialRecord(importing: json, from: shape.library) }
            #expect(error?.code == .missing)
            #expect(try CredentialRecord(importing: json, from: shape.library, userHandle: other).userHandle == other)
        }
    }

    @Test("What was cut, converted or is of another library is refused, and the error says where")
    func refusals() throws {
        let record = try Site().record()
        let cases: [(Int, String, String, String)] = [
            (0, #""counter":0"#, #""counter":-1"#, "counter"),
            (0, #""counter":0"#, #""counter":4294967296"#, "counter"),
            (0, #""counter":0"#, #""counter":"0""#, "counter"),
            (0, #""0":"#, #""x":"#, "publicKey"),
            (0, "multiDevice", "twoDevices", "deviceType"),
            (0, #""backedUp":true"#, #""backedUp":1"#, "backedUp"),
            (1, #""Buffer""#, #""Blob""#, "publicKey"),
            (1, "[165,", "[265,", "publicKey"),
            (2, #""credentialPublicKey":""#, #""credentialPublicKey":"="#, "credentialPublicKey"),
            (4, "multi_device", "multiDevice", "credential_device_type"),
            (4, "00000000-0000", "0000-0000", "aaguid"),
            (5, #""signCount":0"#, #""signCount":null"#, "authenticator"),
            (5, #""publicKey":""#, #""publicKey":"-"#, "publicKey"),
            (7, "[165,", "[164,", "publicKey"),
        ]
        for (index, old, new, path) in cases {
            let shape = Self.shapes[index]
            let text = shape.json(record)
            #expect(text.contains(old), "\(shape.testDescription) has no \(old)")
            let broken = text.replacingOccurrences(of: old, with: new)
            let error = #expect(throws: ModelError.self, "\(shape.testDescription): \(new)") {
                try CredentialRecord(
                    importing: [UInt8](broken.utf8),
                    from: shape.library,
                    userHandle: record.userHandle
                )
            }
            #expect(error?.path.hasPrefix(path) == true, "\(shape.testDescription): \(String(describing: error))")
        }
        for library in ForeignRecord.allCases {
            for text in ["", "[]", "{}", #"{"id":"AQ","id":"AQ"}"#] {
                #expect(throws: ModelError.self) {
                    try CredentialRecord(importing: [UInt8](text.utf8), from: library, userHandle: record.userHandle)
                }
            }
        }
        // No library's record is another's.
        for shape in Self.shapes {
            for library in ForeignRecord.allCases where library != shape.library {
                #expect(throws: ModelError.self, "\(shape.testDescription) as \(library)") {
                    try CredentialRecord(
                        importing: [UInt8](shape.json(record).utf8),
                        from: library,
                        userHandle: record.userHandle
                    )
                }
            }
        }
    }
}
