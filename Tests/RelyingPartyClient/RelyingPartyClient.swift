import PasskeyRelyingParty

/// A server that imports the relying party alone; a test looks at what it is made of.
@main
enum RelyingPartyClient {
    static func main() throws {
        let relyingParty = try RelyingParty(id: "example.com", name: "Example", origins: ["https://example.com"])
        let user = PublicKeyCredentialUserEntity(id: try UserHandle(bytes: [1]), name: "ada@example.com")
        let (options, ceremony) = try relyingParty.beginRegistration(for: user, excluding: [])
        print(options.json.description)
        guard CommandLine.arguments.count > 1 else { return }
        let response = try RegistrationResponse(json: [UInt8](CommandLine.arguments[1].utf8))
        print(try relyingParty.finishRegistration(response, ceremony, owner: nil).attestation)
    }
}
