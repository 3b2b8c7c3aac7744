import Foundation
import PasskeyModel
import Testing

@Suite("Creation options, PublicKeyCredentialCreationOptionsJSON")
struct OptionsCreationTests {
    private func options() throws -> PublicKeyCredentialCreationOptions {
        PublicKeyCredentialCreationOptions(
            rp: PublicKeyCredentialRpEntity(id: "example.com", name: "Example"),
            user: PublicKeyCredentialUserEntity(id: try UserHandle(bytes: [1]), name: "ada", displayName: "Ada"),
            challenge: try Challenge(bytes: [UInt8](0..<16))
        )
    }

    @Test func defaultsAreTheSpecifications() throws {
        let options = try options()
        #expect(options.timeout == 300_000)
        #expect(
            options.text == """
                {"rp":{"name":"Example","id":"example.com"},"user":{"id":"AQ","name":"ada","displayName":"Ada"},\
                "challenge":"AAECAwQFBgcICQoLDA0ODw","pubKeyCredParams":[{"type":"public-key","alg":-7},\
                {"type":"public-key","alg":-8},{"type":"public-key","alg":-257}],"timeout":300000,"attestation":"none"}
                """
        )
        #expect(try options.roundTrips())
    }

    @Test func everyMemberIsWrittenInOrder() throws {
        var options = try options()
        options.pubKeyCredParams = [PublicKeyCredentialParameters(alg: .es256)]
        options.timeout = nil
        options.excludeCredentials = [PublicKeyCredentialDescriptor(id: [0, 1], transports: [.hybrid, .internal])]
        options.authenticatorSelection = AuthenticatorSelectionCriteria(
            authenticatorAttachment: .crossPlatform,
            residentKey: .required,
            userVerification: .required
        )
        options.hints = [.securityKey]
        options.attestation = .direct
        options.attestationFormats = [.packed, .tpm]
        options.extensions.credProps = true
        #expect(
            options.text == """
                {"rp":{"name":"Example","id":"example.com"},"user":{"id":"AQ","name":"ada","displayName":"Ada"},\
                "challenge":"AAECAwQFBgcICQoLDA0ODw","pubKeyCredParams":[{"type":"public-key","alg":-7}],\
                "excludeCredentials":[{"type":"public-key","id":"AAE","transports":["hybrid","internal"]}],\
                "authenticatorSelection":{"authenticatorAttachment":"cross-platform","residentKey":"required",\
                "requireResidentKey":true,"userVerification":"required"},"hints":["security-key"],\
                "attestation":"direct","attestationFormats":["packed","tpm"],"extensions":{"credProps":true}}
                """
        )
        #expect(try options.roundTrips())
    }

    @Test func absentAndNullMembersReadAsDefaults() throws {
        let bare = try PublicKeyCredentialCreationOptions(json: OptionsFixture.creation)
        #expect(bare.timeout == nil)
        #expect(bare.excludeCredentials.isEmpty)
        #expect(bare.authenticatorSelection == nil)
        #expect(bare.hints.isEmpty)
        #expect(bare.attestation == .none)
        #expect(bare.attestationFormats.isEmpty)
        #expect(bare.extensions.isEmpty)
        var json = OptionsFixture.creation
        for name in [
            "timeout", "excludeCredentials", "authenticatorSelection", "hints", "attestation", "attestationFormats",
            "extensions", "x-unknown",
        ] {
            json = try OptionsFixture.replacing([name], with: "null", in: json)
        }
        #expect(try PublicKeyCredentialCreationOptions(json: json) == bare)
        #expect(!bare.text.contains("null"))
    }

    @Test func unknownEnumerationValuesReadAsAbsent() throws {
        let json = try OptionsFixture.replacing(["attestation"], with: #""future""#, in: OptionsFixture.creation)
        let options = try PublicKeyCredentialCreationOptions(
            json: OptionsFixture.replacing(
                ["authenticatorSelection"],
                with: #"{"authenticatorAttachment":"implant","residentKey":"maybe","userVerification":"twice"}"#,
                in: json
            )
        )
        #expect(options.attestation == .none)
        #expect(options.authenticatorSelection == AuthenticatorSelectionCriteria())
    }

    @Test func openValuesAreKept() throws {
        let json = try OptionsFixture.replacing(["hints"], with: #"["x-hint","hybrid"]"#, in: OptionsFixture.creation)
        let options = try PublicKeyCredentialCreationOptions(
            json: OptionsFixture.replacing(["attestationFormats"], with: #"["x-format"]"#, in: json)
        )
        #expect(options.hints == ["x-hint", .hybrid])
        #expect(options.attestationFormats == ["x-format"])
        #expect(try options.roundTrips())
    }

    @Test func parametersOfUnknownTypeAreLeftOutByTheClientAlone() throws {
        func read(_ parameters: String) throws -> PublicKeyCredentialCreationOptions {
            try PublicKeyCredentialCreationOptions(
                json: OptionsFixture.replacing(["pubKeyCredParams"], with: parameters, in: OptionsFixture.creation)
            )
        }
        let mixed = try read(#"[{"type":"x","alg":-8},{"type":"public-key","alg":-7}]"#)
        #expect(mixed.pubKeyCredParams.map(\.type) == ["x", .publicKey])
        #expect(mixed.acceptableAlgorithms == [.es256])
        #expect(try read("[]").acceptableAlgorithms == [.es256, .rs256])
        #expect(try read(#"[{"type":"x","alg":-8}]"#).acceptableAlgorithms.isEmpty)
    }

    @Test(arguments: [
        ("0", nil), ("4294967295", nil), ("4294967296", ModelError.Code.outOfRange), ("-1", .outOfRange),
        ("0.5", .outOfRange), (#""300000""#, .wrongType), ("true", .wrongType),
    ])
    func timeoutIsAnUnsignedLong(_ number: String, _ code: ModelError.Code?) throws {
        let json = try OptionsFixture.replacing(["timeout"], with: number, in: OptionsFixture.creation)
        let refusal = PublicKeyCredentialCreationOptions.refusal(of: json)
        #expect(refusal?.code == code)
        #expect(refusal?.path == (code == nil ? nil : "timeout"))
    }

    @Test(
        arguments: [
            (["rp"], nil, ModelError.Code.missing, "rp"),
            (["rp", "name"], nil, .missing, "rp.name"),
            (["rp"], #""example.com""#, .wrongType, "rp"),
            (["user"], nil, .missing, "user"),
            (["user", "id"], #""alice@example.com""#, .invalid, "user.id"),
            (["user", "id"], #""""#, .outOfRange, "user.id"),
            (["challenge"], nil, .missing, "challenge"),
            (["challenge"], #""a b""#, .invalid, "challenge"),
            (["challenge"], #""""#, .outOfRange, "challenge"),
            (["pubKeyCredParams"], nil, .missing, "pubKeyCredParams"),
            (["pubKeyCredParams"], "{}", .wrongType, "pubKeyCredParams"),
            (["pubKeyCredParams"], #"[{"type":"public-key","alg":"-7"}]"#, .wrongType, "pubKeyCredParams[0].alg"),
            (["excludeCredentials"], "{}", .wrongType, "excludeCredentials"),
            (
                ["excludeCredentials"], #"[{"type":"public-key","id":"AA"},{"type":"public-key","id":"A"}]"#, .invalid,
                "excludeCredentials[1].id"
            ),
            (["authenticatorSelection"], "[]", .wrongType, "authenticatorSelection"),
            (
                ["authenticatorSelection"], #"{"userVerification":true}"#, .wrongType,
                "authenticatorSelection.userVerification"
            ),
            (["hints"], #""hybrid""#, .wrongType, "hints"),
            (["hints"], "[1]", .wrongType, "hints[0]"),
            (["attestation"], "false", .wrongType, "attestation"),
            (["attestationFormats"], "[null]", .wrongType, "attestationFormats[0]"),
            (["extensions"], "[]", .wrongType, "extensions"),
            (["extensions"], #"{"credProps":1}"#, .wrongType, "extensions.credProps"),
        ] as [([String], String?, ModelError.Code, String)]
    )
    func wrongMembersAreRefusedByPath(
        _ member: [String],
        _ text: String?,
        _ code: ModelError.Code,
        _ path: String
    ) throws {
        #expect(PublicKeyCredentialCreationOptions.refusal(of: OptionsFixture.creation) == nil)
        let json = try OptionsFixture.replacing(member, with: text, in: OptionsFixture.creation)
        let refusal = PublicKeyCredentialCreationOptions.refusal(of: json)
        #expect(refusal?.code == code)
        #expect(refusal?.path == path)
    }

    @Test func duplicateMembersAreRefused() {
        let json = #"{"rp":{"name":"a"},"rp":{"name":"b"}}"#
        #expect(PublicKeyCredentialCreationOptions.refusal(of: json)?.code == .malformed)
    }

    @Test func foundationsDecoderNamesThePathToo() throws {
        let json = try OptionsFixture.replacing(["user", "id"], with: #""""#, in: OptionsFixture.creation)
        let error = #expect(throws: ModelError.self) {
            try JSONDecoder().decode(PublicKeyCredentialCreationOptions.self, from: Data(json.utf8))
        }
        #expect(error?.path == "user.id")
    }
}

@Suite("Authenticator selection criteria")
struct OptionsSelectionTests {
    @Test(arguments: [
        (ResidentKeyRequirement.discouraged, false), (.preferred, false), (.required, true),
    ])
    func bothMembersAreWritten(_ requirement: ResidentKeyRequirement, _ required: Bool) throws {
        let criteria = AuthenticatorSelectionCriteria(residentKey: requirement)
        #expect(criteria.requireResidentKey == required)
        #expect(
            criteria.text == """
                {"residentKey":"\(requirement.rawValue)","requireResidentKey":\(required),\
                "userVerification":"preferred"}
                """
        )
        #expect(try criteria.roundTrips())
    }

    @Test(arguments: [
        ("{}", ResidentKeyRequirement.discouraged),
        (#"{"requireResidentKey":true}"#, .required),
        (#"{"requireResidentKey":false}"#, .discouraged),
        (#"{"requireResidentKey":true,"residentKey":null}"#, .required),
        (#"{"requireResidentKey":true,"residentKey":"maybe"}"#, .required),
        (#"{"requireResidentKey":true,"residentKey":"discouraged"}"#, .discouraged),
        (#"{"requireResidentKey":false,"residentKey":"required"}"#, .required),
        (#"{"residentKey":"preferred"}"#, .preferred),
    ])
    func residentKeyWins(_ json: String, _ expected: ResidentKeyRequirement) throws {
        #expect(try AuthenticatorSelectionCriteria(json: json).residentKey == expected)
    }

    @Test(arguments: [
        (#"{"requireResidentKey":"true"}"#, "requireResidentKey"),
        (#"{"requireResidentKey":1,"residentKey":"required"}"#, "requireResidentKey"),
        (#"{"residentKey":true}"#, "residentKey"),
        (#"{"authenticatorAttachment":0}"#, "authenticatorAttachment"),
        (#"{"userVerification":[]}"#, "userVerification"),
    ])
    func wrongTypesAreRefused(_ json: String, _ path: String) {
        #expect(AuthenticatorSelectionCriteria.refusal(of: "{}") == nil)
        let refusal = AuthenticatorSelectionCriteria.refusal(of: json)
        #expect(refusal?.code == .wrongType)
        #expect(refusal?.path == path)
    }
}
