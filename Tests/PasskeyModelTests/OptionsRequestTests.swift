import PasskeyModel
import Testing

@Suite("Request options, PublicKeyCredentialRequestOptionsJSON")
struct OptionsRequestTests {
    @Test func defaultsAreTheSpecifications() throws {
        let options = PublicKeyCredentialRequestOptions(challenge: try Challenge(bytes: [UInt8](0..<16)))
        #expect(
            options.text == """
                {"challenge":"AAECAwQFBgcICQoLDA0ODw","timeout":300000,"userVerification":"preferred"}
                """
        )
        #expect(try options.roundTrips())
    }

    @Test func everyMemberIsWrittenInOrder() throws {
        let options = PublicKeyCredentialRequestOptions(
            challenge: try Challenge(bytes: [UInt8](0..<16)),
            timeout: 60_000,
            rpId: "example.com",
            allowCredentials: [PublicKeyCredentialDescriptor(id: [0]), PublicKeyCredentialDescriptor(id: [1])],
            userVerification: .required,
            hints: [.clientDevice, .hybrid],
            extensions: AuthenticationExtensionsClientInputs(appid: "https://example.com")
        )
        #expect(
            options.text == """
                {"challenge":"AAECAwQFBgcICQoLDA0ODw","timeout":60000,"rpId":"example.com","allowCredentials":\
                [{"type":"public-key","id":"AA"},{"type":"public-key","id":"AQ"}],"userVerification":"required",\
                "hints":["client-device","hybrid"],"extensions":{"appid":"https://example.com"}}
                """
        )
        #expect(try options.roundTrips())
    }

    @Test func absentAndNullMembersReadAsDefaults() throws {
        let bare = try PublicKeyCredentialRequestOptions(json: OptionsFixture.request)
        #expect(bare.timeout == nil)
        #expect(bare.rpId == nil)
        #expect(bare.allowCredentials.isEmpty)
        #expect(bare.userVerification == .preferred)
        #expect(bare.hints.isEmpty)
        #expect(bare.extensions.isEmpty)
        var json = OptionsFixture.request
        for name in ["timeout", "rpId", "allowCredentials", "userVerification", "hints", "extensions", "x-unknown"] {
            json = try OptionsFixture.replacing([name], with: "null", in: json)
        }
        #expect(try PublicKeyCredentialRequestOptions(json: json) == bare)
        let unknown = try OptionsFixture.replacing(["userVerification"], with: #""twice""#, in: OptionsFixture.request)
        #expect(try PublicKeyCredentialRequestOptions(json: unknown) == bare)
    }

    @Test func descriptorsOfUnknownTypeAreKept() throws {
        let json = try OptionsFixture.replacing(
            ["allowCredentials"],
            with: #"[{"type":"x","id":"AA"}]"#,
            in: OptionsFixture.request
        )
        let options = try PublicKeyCredentialRequestOptions(json: json)
        #expect(options.allowCredentials.map(\.type) == ["x"])
        #expect(try options.roundTrips())
    }

    @Test(
        arguments: [
            ("challenge", nil, ModelError.Code.missing, "challenge"),
            ("challenge", "[]", .wrongType, "challenge"),
            ("timeout", "-1", .outOfRange, "timeout"),
            ("rpId", "{}", .wrongType, "rpId"),
            ("allowCredentials", "{}", .wrongType, "allowCredentials"),
            ("allowCredentials", "[7]", .wrongType, "allowCredentials[0]"),
            (
                "allowCredentials", #"[{"type":"public-key","id":"abcdefghijklmnopqrstuvwx1"}]"#, .invalid,
                "allowCredentials[0].id"
            ),
            ("userVerification", "0", .wrongType, "userVerification"),
            ("hints", "[{}]", .wrongType, "hints[0]"),
            ("extensions", #"{"prf":{"eval":{}}}"#, .missing, "extensions.prf.eval.first"),
        ] as [(String, String?, ModelError.Code, String)]
    )
    func wrongMembersAreRefusedByPath(
        _ member: String,
        _ text: String?,
        _ code: ModelError.Code,
        _ path: String
    ) throws {
        #expect(PublicKeyCredentialRequestOptions.refusal(of: OptionsFixture.request) == nil)
        let json = try OptionsFixture.replacing([member], with: text, in: OptionsFixture.request)
        let refusal = PublicKeyCredentialRequestOptions.refusal(of: json)
        #expect(refusal?.code == code)
        #expect(refusal?.path == path)
    }
}

@Suite("Client capabilities")
struct OptionsCapabilityTests {
    @Test func namesAreThoseOfGetClientCapabilities() {
        let all: [ClientCapability] = [
            .conditionalCreate, .conditionalGet, .hybridTransport, .immediateGet, .passkeyPlatformAuthenticator,
            .relatedOrigins, .signalAllAcceptedCredentials, .signalCurrentUserDetails, .signalUnknownCredential,
            .userVerifyingPlatformAuthenticator,
        ]
        #expect(
            all == [
                "conditionalCreate", "conditionalGet", "hybridTransport", "immediateGet",
                "passkeyPlatformAuthenticator", "relatedOrigins", "signalAllAcceptedCredentials",
                "signalCurrentUserDetails", "signalUnknownCredential", "userVerifyingPlatformAuthenticator",
            ]
        )
        #expect(ClientCapability.extension("prf") == "extension:prf")
        #expect(ClientCapability.extension("prf").extensionIdentifier == "prf")
        #expect(ClientCapability.conditionalGet.extensionIdentifier == nil)
        #expect("\(ClientCapability.conditionalGet)" == "conditionalGet")
    }

    @Test func absentMeansNeitherYesNorNo() throws {
        let json = #"{"extension:prf":true,"hybridTransport":false,"x-new":true,"conditionalGet":null}"#
        let capabilities = try ClientCapabilities(json: json)
        #expect(capabilities[.extension("prf")] == true)
        #expect(capabilities[.hybridTransport] == false)
        #expect(capabilities["x-new"] == true)
        #expect(capabilities[.conditionalGet] == nil)
        #expect(capabilities[.conditionalCreate] == nil)
        #expect(capabilities == ["hybridTransport": false, "x-new": true, "extension:prf": true])
        #expect(try capabilities.roundTrips())
    }

    @Test func namesAreWrittenInOrder() {
        var capabilities = ClientCapabilities([.relatedOrigins: true, .conditionalGet: false])
        capabilities[.extension("prf")] = true
        capabilities[.conditionalCreate] = true
        capabilities[.conditionalCreate] = nil
        #expect(capabilities.named == [.conditionalGet, .extension("prf"), .relatedOrigins])
        #expect(capabilities.text == #"{"conditionalGet":false,"extension:prf":true,"relatedOrigins":true}"#)
        let twice: ClientCapabilities = ["a": true, "a": false]
        #expect(twice["a"] == false)
    }

    @Test(arguments: [
        (#"{"hybridTransport":true}"#, nil, nil),
        (#"{"hybridTransport":"true"}"#, ModelError.Code.wrongType, "hybridTransport"),
        ("[]", .wrongType, ""),
    ])
    func onlyBooleansAreRead(_ json: String, _ code: ModelError.Code?, _ path: String?) {
        let refusal = ClientCapabilities.refusal(of: json)
        #expect(refusal?.code == code)
        #expect(refusal?.path == path)
    }
}
