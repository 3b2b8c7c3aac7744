import Foundation
import PasskeyModel
import Testing

@Suite("Entities, parameters and descriptors of options")
struct OptionsEntityTests {
    @Test func relyingPartyIsWrittenInTheSpecificationsOrder() throws {
        let entity = PublicKeyCredentialRpEntity(id: "example.com", name: "Example")
        #expect(entity.text == #"{"name":"Example","id":"example.com"}"#)
        #expect(try entity.roundTrips())
        let unnamed = PublicKeyCredentialRpEntity(name: "Example")
        #expect(unnamed.text == #"{"name":"Example"}"#)
        #expect(try unnamed.roundTrips())
    }

    @Test(arguments: [
        (#"{"name":"E","id":"e"}"#, nil, nil),
        (#"{"name":"E","id":null,"icon":"https://e/"}"#, nil, nil),
        (#"{"id":"e"}"#, ModelError.Code.missing, "name"),
        (#"{"name":null,"id":"e"}"#, .missing, "name"),
        (#"{"name":1}"#, .wrongType, "name"),
        (#"{"name":"E","id":1}"#, .wrongType, "id"),
        ("[]", .wrongType, ""),
    ])
    func readsRelyingParties(_ json: String, _ code: ModelError.Code?, _ path: String?) {
        let refusal = PublicKeyCredentialRpEntity.refusal(of: json)
        #expect(refusal?.code == code)
        #expect(refusal?.path == path)
    }

    @Test func userHandleIsWrittenAsBase64URL() throws {
        let handle = try UserHandle(bytes: [UInt8]("user123".utf8))
        let user = PublicKeyCredentialUserEntity(id: handle, name: "ada")
        #expect(user.text == #"{"id":"dXNlcjEyMw","name":"ada","displayName":""}"#)
        #expect(try user.roundTrips())
    }

    @Test(arguments: [
        (#"{"id":"AA","name":"a","displayName":""}"#, nil, nil),
        (#"{"id":"","name":"a","displayName":""}"#, ModelError.Code.outOfRange, "id"),
        (#"{"id":"AA==","name":"a","displayName":""}"#, .invalid, "id"),
        (#"{"id":"alice@example.com","name":"a","displayName":""}"#, .invalid, "id"),
        (#"{"id":[0],"name":"a","displayName":""}"#, .wrongType, "id"),
        (#"{"id":null,"name":"a","displayName":""}"#, .missing, "id"),
        (#"{"id":"AA","displayName":""}"#, .missing, "name"),
        (#"{"id":"AA","name":"a"}"#, .missing, "displayName"),
        (#"{"id":"AA","name":"a","displayName":false}"#, .wrongType, "displayName"),
    ])
    func readsUsers(_ json: String, _ code: ModelError.Code?, _ path: String?) {
        let refusal = PublicKeyCredentialUserEntity.refusal(of: json)
        #expect(refusal?.code == code)
        #expect(refusal?.path == path)
    }

    @Test(arguments: [(64, nil), (65, ModelError.Code.outOfRange), (1, nil)])
    func userHandleHasAtMost64Bytes(_ count: Int, _ code: ModelError.Code?) {
        let id = Base64URL.encode([UInt8](repeating: 7, count: count))
        let refusal = PublicKeyCredentialUserEntity.refusal(of: #"{"id":"\#(id)","name":"a","displayName":""}"#)
        #expect(refusal?.code == code)
    }

    @Test func parametersAreWritten() throws {
        let parameters = PublicKeyCredentialParameters(alg: .rs256)
        #expect(parameters.text == #"{"type":"public-key","alg":-257}"#)
        #expect(try parameters.roundTrips())
        #expect(PublicKeyCredentialParameters.recommended.map(\.alg) == [.es256, .edDSA, .rs256])
        #expect(PublicKeyCredentialParameters.recommended.allSatisfy { $0.type == .publicKey })
    }

    @Test(arguments: [
        (#"{"type":"public-key","alg":-7}"#, nil, nil),
        (#"{"type":"other","alg":-7}"#, nil, nil),
        (#"{"type":"public-key","alg":-2147483648}"#, nil, nil),
        (#"{"type":"public-key","alg":-2147483649}"#, ModelError.Code.outOfRange, "alg"),
        (#"{"type":"public-key","alg":2147483648}"#, .outOfRange, "alg"),
        (#"{"type":"public-key","alg":-7.5}"#, .outOfRange, "alg"),
        (#"{"type":"public-key","alg":"ES256"}"#, .wrongType, "alg"),
        (#"{"type":"public-key"}"#, .missing, "alg"),
        (#"{"alg":-7}"#, .missing, "type"),
        (#"{"type":7,"alg":-7}"#, .wrongType, "type"),
    ])
    func readsParameters(_ json: String, _ code: ModelError.Code?, _ path: String?) {
        let refusal = PublicKeyCredentialParameters.refusal(of: json)
        #expect(refusal?.code == code)
        #expect(refusal?.path == path)
    }

    @Test func descriptorKeepsTransportsThatAreNotKnown() throws {
        let json = #"{"type":"public-key","id":"AAE","transports":["internal","cable","x-new"]}"#
        let descriptor = try PublicKeyCredentialDescriptor(json: json)
        #expect(descriptor.id == [0, 1])
        #expect(descriptor.transports == [.internal, "cable", "x-new"])
        #expect(descriptor.text == json)
        #expect(try descriptor.roundTrips())
        let bare = PublicKeyCredentialDescriptor(id: [255])
        #expect(bare.text == #"{"type":"public-key","id":"_w"}"#)
        #expect(try bare.roundTrips())
    }

    @Test(arguments: [
        (#"{"type":"public-key","id":"AA"}"#, nil, nil),
        (#"{"type":"public-key","id":"AA","transports":null}"#, nil, nil),
        (#"{"type":"public-key","id":""}"#, ModelError.Code.outOfRange, "id"),
        (#"{"type":"public-key","id":"abcdefghijklmnopqrstuvwx1"}"#, .invalid, "id"),
        (#"{"type":"public-key"}"#, .missing, "id"),
        (#"{"id":"AA"}"#, .missing, "type"),
        (#"{"type":"public-key","id":"AA","transports":"usb"}"#, .wrongType, "transports"),
        (#"{"type":"public-key","id":"AA","transports":["usb",null]}"#, .wrongType, "transports[1]"),
    ])
    func readsDescriptors(_ json: String, _ code: ModelError.Code?, _ path: String?) {
        let refusal = PublicKeyCredentialDescriptor.refusal(of: json)
        #expect(refusal?.code == code)
        #expect(refusal?.path == path)
    }

    @Test(arguments: [(1023, nil), (1024, ModelError.Code.outOfRange)])
    func credentialIDHasAtMost1023Bytes(_ count: Int, _ code: ModelError.Code?) {
        let id = Base64URL.encode([UInt8](repeating: 7, count: count))
        #expect(PublicKeyCredentialDescriptor.refusal(of: #"{"type":"public-key","id":"\#(id)"}"#)?.code == code)
    }

    @Test func openStringsAreCodedAsStrings() throws {
        let transports: [AuthenticatorTransport] = [.usb, .nfc, .ble, .smartCard, .hybrid, .internal, "x"]
        let data = try JSONEncoder().encode(transports)
        #expect(String(decoding: data, as: UTF8.self) == #"["usb","nfc","ble","smart-card","hybrid","internal","x"]"#)
        #expect(try JSONDecoder().decode([AuthenticatorTransport].self, from: data) == transports)
        #expect(PublicKeyCredentialType.publicKey.description == "public-key")
        #expect(PublicKeyCredentialHint.securityKey.description == "security-key")
        #expect([PublicKeyCredentialHint.clientDevice, .hybrid] == ["client-device", "hybrid"])
        #expect("\(AuthenticatorTransport.smartCard)" == "smart-card")
        #expect("\(AttestationStatementFormat.androidKey)" == "android-key")
        let formats: [AttestationStatementFormat] = [
            .none, .packed, .tpm, .androidKey, .androidSafetyNet, .fidoU2F, .apple, .compound,
        ]
        #expect(
            formats == [
                "none", "packed", "tpm", "android-key", "android-safetynet", "fido-u2f", "apple", "compound",
            ]
        )
        #expect(PublicKeyCredentialType.publicKey == "public-key")
    }

    @Test func enumerationsHaveTheSpecificationsValues() {
        #expect(UserVerificationRequirement.allCases.map(\.rawValue) == ["required", "preferred", "discouraged"])
        #expect(ResidentKeyRequirement.allCases.map(\.rawValue) == ["discouraged", "preferred", "required"])
        #expect(
            AttestationConveyancePreference.allCases.map(\.rawValue) == ["none", "indirect", "direct", "enterprise"]
        )
        #expect(AuthenticatorAttachment.allCases.map(\.rawValue) == ["platform", "cross-platform"])
        #expect(
            CredentialMediationRequirement.allCases.map(\.rawValue) == [
                "silent", "optional", "conditional", "required",
            ]
        )
        #expect(LargeBlobSupport.allCases.map(\.rawValue) == ["required", "preferred"])
        #expect(
            CredentialProtectionPolicy.allCases.map(\.rawValue) == [
                "userVerificationOptional", "userVerificationOptionalWithCredentialIDList", "userVerificationRequired",
            ]
        )
    }

    @Test func protectionPoliciesHaveLevels() {
        #expect(CredentialProtectionPolicy.allCases.map(\.level) == [1, 2, 3])
        #expect(CredentialProtectionPolicy(level: 2) == .userVerificationOptionalWithCredentialIDList)
        #expect(CredentialProtectionPolicy(level: 0) == nil)
        #expect(CredentialProtectionPolicy(level: 4) == nil)
    }
}
