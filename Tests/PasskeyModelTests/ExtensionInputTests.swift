import PasskeyModel
import Testing

@Suite("Client extension inputs")
struct ExtensionInputTests {
    static let everything = """
        {"appid":"https://example.com/appid","appidExclude":"https://example.com/old","credProps":true,\
        "prf":{"eval":{"first":"AA","second":"AQ"},"evalByCredential":{"_w":{"first":"Ag"}}},\
        "largeBlob":{"support":"preferred","read":true,"write":"aGVsbG8"},"uvm":true,"hmacCreateSecret":true,\
        "credentialProtectionPolicy":"userVerificationRequired","enforceCredentialProtectionPolicy":true,\
        "minPinLength":true,"credBlob":"Ynl0ZXM","getCredBlob":false,"x-unknown":{"deep":[1.50,null]}}
        """

    @Test func everyMemberIsReadAndWrittenInOrder() throws {
        let inputs = try AuthenticationExtensionsClientInputs(json: Self.everything)
        let expected = AuthenticationExtensionsClientInputs(
            appid: "https://example.com/appid",
            appidExclude: "https://example.com/old",
            credProps: true,
            prf: PRFInputs(
                eval: PRFValues(first: [0], second: [1]),
                evalByCredential: [PRFInputs.CredentialValues(credentialID: [255], values: PRFValues(first: [2]))]
            ),
            largeBlob: LargeBlobInputs(support: .preferred, read: true, write: [UInt8]("hello".utf8)),
            uvm: true,
            hmacCreateSecret: true,
            credentialProtectionPolicy: .userVerificationRequired,
            enforceCredentialProtectionPolicy: true,
            minPinLength: true,
            credBlob: [UInt8]("bytes".utf8),
            getCredBlob: false,
            unknown: inputs.unknown
        )
        #expect(inputs == expected)
        #expect(inputs.unknown.members.map(\.name) == ["x-unknown"])
        #expect(inputs.text == Self.everything)
        #expect(
            inputs.identifiers == [
                "appid", "appidExclude", "credProps", "prf", "largeBlob", "uvm", "hmacCreateSecret",
                "credentialProtectionPolicy", "enforceCredentialProtectionPolicy", "minPinLength", "credBlob",
                "getCredBlob", "x-unknown",
            ]
        )
        #expect(!inputs.isEmpty)
        #expect(try AuthenticationExtensionsClientInputs(json: inputs.jsonBytes()) == inputs)
    }

    @Test func nothingAskedIsEmpty() throws {
        let inputs = AuthenticationExtensionsClientInputs()
        #expect(inputs.isEmpty)
        #expect(inputs.text == "{}")
        #expect(inputs.authenticatorIdentifiers.isEmpty)
        #expect(try inputs.roundTrips())
        #expect(try AuthenticationExtensionsClientInputs(json: #"{"prf":null,"x":null}"#) == inputs)
        let values = #"{"credentialProtectionPolicy":"soon","largeBlob":{"support":"soon"}}"#
        let unknown = try AuthenticationExtensionsClientInputs(json: values)
        #expect(unknown == AuthenticationExtensionsClientInputs(largeBlob: LargeBlobInputs()))
    }

    @Test func eachMemberBridgesToFoundation() throws {
        let all: [AuthenticationExtensionsClientInputs] = [
            .init(appid: "https://example.com"), .init(appidExclude: "https://example.com"), .init(credProps: true),
            .init(prf: PRFInputs()), .init(prf: PRFInputs(evalByCredential: [])),
            .init(
                prf: PRFInputs(evalByCredential: [.init(credentialID: [1], values: PRFValues(first: [], second: []))])
            ),
            .init(largeBlob: LargeBlobInputs(read: false)), .init(largeBlob: LargeBlobInputs(write: [])),
            .init(uvm: true), .init(hmacCreateSecret: true),
            .init(credentialProtectionPolicy: .userVerificationOptionalWithCredentialIDList),
            .init(enforceCredentialProtectionPolicy: false), .init(minPinLength: true), .init(credBlob: [9]),
            .init(getCredBlob: true), .init(unknown: ["payment": ["isPayment": true]]),
        ]
        for inputs in all {
            #expect(try inputs.roundTrips(), "\(inputs.text)")
            #expect(inputs.identifiers.count == 1, "\(inputs.text)")
        }
    }

    @Test func aKnownNameAmongTheUnknownOnesHasNoEffect() throws {
        var inputs = AuthenticationExtensionsClientInputs(credProps: true)
        inputs.unknown["credProps"] = .string("not a boolean")
        inputs.unknown["uvm"] = .string("neither")
        inputs.unknown["payment"] = .bool(true)
        inputs.unknown["nothing"] = .null
        #expect(inputs.text == #"{"credProps":true,"payment":true}"#)
        #expect(inputs.identifiers == ["credProps", "payment"])
        #expect(inputs.authenticatorIdentifiers == ["payment"])
    }

    @Test(
        arguments: [
            (#"{"credentialProtectionPolicy":"userVerificationRequired"}"#, ["credProtect"]),
            (#"{"enforceCredentialProtectionPolicy":true}"#, []),
            (#"{"minPinLength":true}"#, ["minPinLength"]),
            (#"{"credBlob":"AA"}"#, ["credBlob"]),
            (#"{"getCredBlob":true}"#, ["credBlob"]),
            (#"{"hmacCreateSecret":true}"#, ["hmac-secret", "hmac-secret-mc"]),
            (#"{"prf":{}}"#, ["hmac-secret", "hmac-secret-mc"]),
            (#"{"uvm":true}"#, ["uvm"]),
            (#"{"credProps":true,"largeBlob":{},"appid":"a","appidExclude":"b"}"#, []),
            (#"{"x-unknown":1}"#, ["x-unknown"]),
            (#"{"minPinLength":false,"getCredBlob":false,"hmacCreateSecret":false,"uvm":false}"#, []),
        ] as [(String, Set<String>)]
    )
    func authenticatorsAnswerUnderTheirOwnNames(_ json: String, _ expected: Set<String>) throws {
        let inputs = try AuthenticationExtensionsClientInputs(json: json)
        #expect(inputs.authenticatorIdentifiers == expected)
    }

    @Test(arguments: [
        (#"{"appid":true}"#, ModelError.Code.wrongType, "appid"),
        (#"{"appidExclude":1}"#, .wrongType, "appidExclude"),
        (#"{"credProps":"true"}"#, .wrongType, "credProps"),
        (#"{"prf":true}"#, .wrongType, "prf"),
        (#"{"prf":{"eval":"AA"}}"#, .wrongType, "prf.eval"),
        (#"{"prf":{"eval":{"second":"AA"}}}"#, .missing, "prf.eval.first"),
        (#"{"prf":{"eval":{"first":"A+"}}}"#, .invalid, "prf.eval.first"),
        (#"{"prf":{"eval":{"first":"AA","second":{}}}}"#, .wrongType, "prf.eval.second"),
        (#"{"prf":{"evalByCredential":[]}}"#, .wrongType, "prf.evalByCredential"),
        (#"{"prf":{"evalByCredential":{"AA":{"first":1}}}}"#, .wrongType, "prf.evalByCredential.AA.first"),
        (#"{"prf":{"evalByCredential":{"AA":null}}}"#, .wrongType, "prf.evalByCredential.AA"),
        (#"{"prf":{"evalByCredential":{"A":{"first":"AA"}}}}"#, .invalid, "prf.evalByCredential.A"),
        (#"{"prf":{"evalByCredential":{"":{"first":"AA"}}}}"#, .outOfRange, "prf.evalByCredential"),
        (#"{"largeBlob":[]}"#, .wrongType, "largeBlob"),
        (#"{"largeBlob":{"support":true}}"#, .wrongType, "largeBlob.support"),
        (#"{"largeBlob":{"read":"yes"}}"#, .wrongType, "largeBlob.read"),
        (#"{"largeBlob":{"write":[1]}}"#, .wrongType, "largeBlob.write"),
        (#"{"uvm":1}"#, .wrongType, "uvm"),
        (#"{"hmacCreateSecret":1}"#, .wrongType, "hmacCreateSecret"),
        (#"{"credentialProtectionPolicy":3}"#, .wrongType, "credentialProtectionPolicy"),
        (#"{"enforceCredentialProtectionPolicy":1}"#, .wrongType, "enforceCredentialProtectionPolicy"),
        (#"{"minPinLength":4}"#, .wrongType, "minPinLength"),
        (#"{"credBlob":true}"#, .wrongType, "credBlob"),
        (#"{"getCredBlob":"AA"}"#, .wrongType, "getCredBlob"),
        (#"[]"#, .wrongType, ""),
    ])
    func wrongInputsAreRefusedByPath(_ json: String, _ code: ModelError.Code, _ path: String) {
        #expect(AuthenticationExtensionsClientInputs.refusal(of: Self.everything) == nil)
        let refusal = AuthenticationExtensionsClientInputs.refusal(of: json)
        #expect(refusal?.code == code)
        #expect(refusal?.path == path)
    }

    @Test func credentialsOwnInputsComeFirst() throws {
        let json = #"{"eval":{"first":"AA"},"evalByCredential":{"Ag":{"first":"AQ"},"AQ":{"first":"Ag"}}}"#
        let inputs = try PRFInputs(json: json)
        #expect(inputs.evalByCredential?.map(\.credentialID) == [[2], [1]])
        #expect(inputs.text == json)
        let repeated = PRFInputs(evalByCredential: (inputs.evalByCredential ?? []) + (inputs.evalByCredential ?? []))
        #expect(repeated.text == #"{"evalByCredential":{"Ag":{"first":"AQ"},"AQ":{"first":"Ag"}}}"#)
        #expect(inputs.values(for: [1]) == PRFValues(first: [2]))
        #expect(inputs.values(for: [2]) == PRFValues(first: [1]))
        #expect(inputs.values(for: [3]) == PRFValues(first: [0]))
        #expect(PRFInputs().values(for: [3]) == nil)
        let only = PRFInputs(evalByCredential: [.init(credentialID: [1], values: PRFValues(first: [2]))])
        #expect(only.values(for: [3]) == nil)
    }
}

@Suite("What a client refuses of extension inputs")
struct ExtensionRuleTests {
    private func refusal(_ body: () throws(ExtensionInputError) -> Void) -> ExtensionInputError? {
        do throws(ExtensionInputError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("{}", nil),
        (#"{"prf":{}}"#, nil),
        (#"{"prf":{"eval":{"first":"AA"}}}"#, nil),
        (#"{"prf":{"evalByCredential":{}}}"#, "prf"),
        (#"{"prf":{"evalByCredential":{"AA":{"first":"AA"}}}}"#, "prf"),
        (#"{"largeBlob":{"support":"required"}}"#, nil),
        (#"{"largeBlob":{"read":true}}"#, "largeBlob"),
        (#"{"largeBlob":{"read":false}}"#, "largeBlob"),
        (#"{"largeBlob":{"write":"AA"}}"#, "largeBlob"),
    ])
    func registration(_ json: String, _ identifier: String?) throws {
        let inputs = try AuthenticationExtensionsClientInputs(json: json)
        let refusal = refusal(inputs.validateForRegistration)
        #expect(refusal?.identifier == identifier)
        #expect(refusal?.code == (identifier == nil ? nil : .notSupported))
    }

    @Test(
        arguments: [
            (#"{}"#, [], nil),
            (#"{"prf":{"eval":{"first":"AA"}}}"#, [], nil),
            (#"{"prf":{"evalByCredential":{}}}"#, [], nil),
            (#"{"prf":{"evalByCredential":{"AA":{"first":"AA"}}}}"#, [[0], [1]], nil),
            (#"{"prf":{"evalByCredential":{"AA":{"first":"AA"}}}}"#, [], ExtensionInputError.Code.notSupported),
            (#"{"prf":{"evalByCredential":{"AA":{"first":"AA"}}}}"#, [[1]], .syntax),
            (#"{"prf":{"evalByCredential":{"AA":{"first":"AA"},"Ag":{"first":"AA"}}}}"#, [[0], [1]], .syntax),
            (#"{"largeBlob":{}}"#, [], nil),
            (#"{"largeBlob":{"read":true}}"#, [], nil),
            (#"{"largeBlob":{"support":"preferred"}}"#, [], .notSupported),
            (#"{"largeBlob":{"read":true,"write":"AA"}}"#, [[0]], .notSupported),
            (#"{"largeBlob":{"write":"AA"}}"#, [[0]], nil),
            (#"{"largeBlob":{"write":"AA"}}"#, [], .notSupported),
            (#"{"largeBlob":{"write":"AA"}}"#, [[0], [1]], .notSupported),
        ] as [(String, [[UInt8]], ExtensionInputError.Code?)]
    )
    func authentication(_ json: String, _ allowed: [[UInt8]], _ code: ExtensionInputError.Code?) throws {
        let inputs = try AuthenticationExtensionsClientInputs(json: json)
        let refusal = refusal { () throws(ExtensionInputError) in
            try inputs.validateForAuthentication(
                allowCredentials: allowed.map { PublicKeyCredentialDescriptor(id: $0) }
            )
        }
        #expect(refusal?.code == code)
    }

    @Test func anEmptyCredentialIDIsNoKey() {
        let values = PRFInputs.CredentialValues(credentialID: [], values: PRFValues(first: []))
        let inputs = AuthenticationExtensionsClientInputs(prf: PRFInputs(evalByCredential: [values]))
        let refusal = refusal { () throws(ExtensionInputError) in
            try inputs.validateForAuthentication(allowCredentials: [PublicKeyCredentialDescriptor(id: [])])
        }
        #expect(refusal?.code == .syntax)
    }

    @Test func errorsAreNamedAsTheBrowserNamesThem() {
        let error = ExtensionInputError(.syntax, "prf", "no such credential")
        #expect("\(error)" == "prf: no such credential (SyntaxError)")
        #expect(ExtensionInputError.Code.allCases.map(\.rawValue) == ["NotSupportedError", "SyntaxError"])
    }
}
