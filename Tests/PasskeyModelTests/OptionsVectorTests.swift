import PasskeyModel
import PasskeyVectors
import PasskeyWire
import Testing

/// A case of the operation `options`, as `Vectors/README.md` describes it.
struct OptionsCase: Sendable, CustomTestStringConvertible {
    var id: String
    var input: JSONValue
    var accepts: Bool
    var value: JSONObject?

    var testDescription: String { id }

    static var all: [OptionsCase] {
        get throws {
            let document = try JSONValue(json: Vectors.bytes(Vectors.cases + "/reports-ceremonies.json"))
            var cases: [OptionsCase] = []
            for test in document["cases"]?.array ?? [] where test["operation"]?.string == "options" {
                cases.append(
                    OptionsCase(
                        id: try #require(test["id"]?.string),
                        input: try #require(test["input"]),
                        accepts: test["expect"]?.string == "accept",
                        value: test["value"]?.object
                    )
                )
            }
            return cases
        }
    }

    /// The options that the input stands for, with the members filled in that it leaves open.
    func run() throws -> JSONValue {
        if let creation = input["creation"] {
            let id = try #require(creation["userId"].map { Hex.decode($0.string ?? "x") } ?? [1])
            let residentKey = try creation["residentKey"].map {
                try #require(ResidentKeyRequirement(rawValue: $0.string ?? ""))
            }
            return PublicKeyCredentialCreationOptions(
                rp: PublicKeyCredentialRpEntity(id: "example.com", name: "Example"),
                user: PublicKeyCredentialUserEntity(id: try UserHandle(bytes: id), name: "ada"),
                challenge: .random(),
                authenticatorSelection: residentKey.map { AuthenticatorSelectionCriteria(residentKey: $0) }
            ).json
        }
        if let request = input["request"] {
            return try PublicKeyCredentialRequestOptions(filled(request, from: OptionsFixture.request)).json
        }
        let json = try #require(input["creationJSON"])
        return try PublicKeyCredentialCreationOptions(filled(json, from: OptionsFixture.creation)).json
    }

    private func filled(_ given: JSONValue, from defaults: String) throws -> JSONValue {
        var result = try #require(OptionsFixture.value(defaults).object)
        for member in try #require(given.object).members { result[member.name] = member.value }
        return .object(result)
    }
}

@Suite("Case files, operation options")
struct OptionsVectorTests {
    @Test func casesAreThere() throws {
        #expect(try OptionsCase.all.count >= 9)
    }

    @Test(arguments: try OptionsCase.all)
    func verdictAndValue(_ test: OptionsCase) throws {
        guard test.accepts else {
            #expect(throws: ModelError.self) { try test.run() }
            return
        }
        let json = try test.run()
        for member in test.value?.members ?? [] {
            let isLength = member.name.hasSuffix(" length")
            let path = (isLength ? String(member.name.dropLast(" length".count)) : member.name).split(separator: ".")
            let found = path.reduce(json as JSONValue?) { $0?[String($1)] }
            if isLength {
                #expect(found?.string?.count == member.value.int)
            } else {
                #expect(found == member.value)
            }
        }
    }

    @Test func theOffendingMemberIsNamed() throws {
        let test = try #require(OptionsCase.all.first { $0.id == "b64-invalid-len-077-01" })
        let error = #expect(throws: ModelError.self) { try test.run() }
        #expect(error?.path == "allowCredentials[0].id")
    }
}
