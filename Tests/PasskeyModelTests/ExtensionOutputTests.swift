import PasskeyModel
import PasskeyVectors
import Testing

@Suite("Client extension outputs")
struct ExtensionOutputTests {
    static let everything = """
        {"appid":false,"appidExclude":true,"credProps":{"rk":true,"authenticatorDisplayName":"Key"},\
        "prf":{"enabled":true,"results":{"first":"AA","second":"AQ"}},\
        "largeBlob":{"supported":true,"blob":"aGVsbG8","written":false},"uvm":[[2,4,2],[4,1,1]],\
        "hmacCreateSecret":true,"credBlob":true,"getCredBlob":"Ynl0ZXM","x-unknown":[1]}
        """

    @Test func everyMemberIsReadAndWrittenInOrder() throws {
        let outputs = try AuthenticationExtensionsClientOutputs(json: Self.everything)
        let expected = AuthenticationExtensionsClientOutputs(
            appid: false,
            appidExclude: true,
            credProps: CredentialPropertiesOutput(rk: true, authenticatorDisplayName: "Key"),
            prf: PRFOutputs(enabled: true, results: PRFValues(first: [0], second: [1])),
            largeBlob: LargeBlobOutputs(supported: true, blob: [UInt8]("hello".utf8), written: false),
            uvm: [
                UserVerificationMethodEntry(userVerificationMethod: 2, keyProtectionType: 4, matcherProtectionType: 2),
                UserVerificationMethodEntry(userVerificationMethod: 4, keyProtectionType: 1, matcherProtectionType: 1),
            ],
            hmacCreateSecret: true,
            credBlob: true,
            getCredBlob: [UInt8]("bytes".utf8),
            unknown: ["x-unknown": [1]]
        )
        #expect(outputs == expected)
        #expect(outputs.text == Self.everything)
        #expect(
            outputs.identifiers == [
                "appid", "appidExclude", "credProps", "prf", "largeBlob", "uvm", "hmacCreateSecret", "credBlob",
                "getCredBlob", "x-unknown",
            ]
        )
        #expect(!outputs.isEmpty)
        #expect(try outputs.roundTrips())
    }

    @Test func absentAndNullMembersAreNone() throws {
        let none = AuthenticationExtensionsClientOutputs()
        #expect(none.isEmpty)
        #expect(none.text == "{}")
        #expect(try none.roundTrips())
        let json = #"{"appid":null,"prf":null,"credProps":null,"uvm":null,"x-unknown":null}"#
        #expect(try AuthenticationExtensionsClientOutputs(json: json) == none)
        let empty = try AuthenticationExtensionsClientOutputs(json: #"{"credProps":{},"prf":{},"largeBlob":{}}"#)
        #expect(empty.identifiers == ["credProps", "prf", "largeBlob"])
        #expect(empty.credProps?.rk == nil)
    }

    @Test func aKnownNameAmongTheUnknownOnesHasNoEffect() throws {
        let outputs = AuthenticationExtensionsClientOutputs(unknown: ["appid": true, "x": 1])
        #expect(outputs.text == #"{"x":1}"#)
        #expect(outputs.appid == nil)
        #expect(outputs.identifiers == ["x"])
    }

    @Test(arguments: [
        (#"{"appid":"true"}"#, ModelError.Code.wrongType, "appid"),
        (#"{"appidExclude":1}"#, .wrongType, "appidExclude"),
        (#"{"credProps":true}"#, .wrongType, "credProps"),
        (#"{"credProps":{"rk":"true"}}"#, .wrongType, "credProps.rk"),
        (#"{"credProps":{"authenticatorDisplayName":1}}"#, .wrongType, "credProps.authenticatorDisplayName"),
        (#"{"prf":{"enabled":1}}"#, .wrongType, "prf.enabled"),
        (#"{"prf":{"results":[]}}"#, .wrongType, "prf.results"),
        (#"{"prf":{"results":{}}}"#, .missing, "prf.results.first"),
        (#"{"prf":{"results":{"first":{}}}}"#, .wrongType, "prf.results.first"),
        (#"{"prf":{"results":{"first":"AA=="}}}"#, .invalid, "prf.results.first"),
        (#"{"largeBlob":{"supported":"yes"}}"#, .wrongType, "largeBlob.supported"),
        (#"{"largeBlob":{"blob":{"0":1}}}"#, .wrongType, "largeBlob.blob"),
        (#"{"largeBlob":{"written":0}}"#, .wrongType, "largeBlob.written"),
        (#"{"uvm":{}}"#, .wrongType, "uvm"),
        (#"{"uvm":[[1,2]]}"#, .outOfRange, "uvm[0]"),
        (#"{"uvm":[[1,2,3],[1,2,3,4]]}"#, .outOfRange, "uvm[1]"),
        (#"{"uvm":[[4294967296,0,0]]}"#, .outOfRange, "uvm[0]"),
        (#"{"uvm":[[0,65536,0]]}"#, .outOfRange, "uvm[0]"),
        (#"{"uvm":[[0,0,65536]]}"#, .outOfRange, "uvm[0]"),
        (#"{"uvm":[[0,-1,0]]}"#, .outOfRange, "uvm[0][1]"),
        (#"{"uvm":[["a",1,0]]}"#, .wrongType, "uvm[0][0]"),
        (#"{"hmacCreateSecret":"x"}"#, .wrongType, "hmacCreateSecret"),
        (#"{"credBlob":"AA"}"#, .wrongType, "credBlob"),
        (#"{"getCredBlob":true}"#, .wrongType, "getCredBlob"),
        ("[]", .wrongType, ""),
    ])
    func wrongOutputsAreRefusedByPath(_ json: String, _ code: ModelError.Code, _ path: String) {
        #expect(AuthenticationExtensionsClientOutputs.refusal(of: Self.everything) == nil)
        let refusal = AuthenticationExtensionsClientOutputs.refusal(of: json)
        #expect(refusal?.code == code)
        #expect(refusal?.path == path)
    }

    @Test func largestFactorsAreRead() throws {
        let entry = try UserVerificationMethodEntry(json: "[4294967295,65535,65535]")
        #expect(entry.userVerificationMethod == .max)
        #expect(entry.keyProtectionType == .max)
        #expect(entry.matcherProtectionType == .max)
        #expect(try entry.roundTrips())
    }

    /// Reading, naming and writing are linear: with a look-up per member this takes tens of seconds.
    @Test func manyUnknownMembersTakeLittleTime() throws {
        let members = (0..<6000).map { #""x\#($0)":\#($0 % 2 == 0 ? "1" : "null")"# }
        let json = "{\(members.joined(separator: ","))}"
        let time = try ContinuousClock().measure {
            let outputs = try AuthenticationExtensionsClientOutputs(json: json)
            #expect(outputs.identifiers.count == 3000)
            #expect(try AuthenticationExtensionsClientOutputs(json: outputs.jsonBytes()) == outputs)
        }
        #expect(time < .seconds(10))
    }

    /// What two browsers gave, of every accepted case: read, and written back as it came.
    @Test(arguments: ["chromium", "firefox", "reports-ceremonies"])
    func browsersOutputsSurvive(_ file: String) throws {
        let document = try JSONValue(json: Vectors.bytes("\(Vectors.cases)/\(file).json"))
        var seen = 0
        for test in document["cases"]?.array ?? [] where test["expect"]?.string == "accept" {
            guard let results = test["input"]?["response"]?["clientExtensionResults"], results != .null else {
                continue
            }
            let outputs = try AuthenticationExtensionsClientOutputs(results)
            #expect(Set(outputs.identifiers) == Set(results.object?.members.map(\.name) ?? []))
            #expect(try AuthenticationExtensionsClientOutputs(outputs.json) == outputs)
            seen += 1
        }
        #expect(seen > 0)
    }
}
