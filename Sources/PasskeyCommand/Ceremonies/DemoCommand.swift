import PasskeyAuthorization
import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyWire

/// The command `passkey demo`: both halves in one process, every message shown.
enum DemoCommand: Command {
    static let syntax = CommandSyntax(
        name: "demo",
        operands: "",
        operandCount: 0...0,
        summary: "register a passkey and sign in with it, in one process, and show every message",
        discussion: """
            A virtual authenticator makes a passkey and signs in with it; a relying party verifies both, and refuses
            the sign-in once one bit of its signature is another. The bytes are what a browser would send. The exit
            status is 0 if all three went as they must.
            """,
        options: [],
        examples: ["passkey demo"]
    )

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandError) -> Int32 {
        do {
            return try await Demo(console).run()
        } catch {
            throw .failure("passkey demo: \(error)")
        }
    }
}

/// The server, the application and what they say to each other.
private struct Demo {
    private let console: Console
    private let relyingParty: RelyingParty
    private let controller = VirtualAuthorizationController()
    private let provider = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")

    init(_ console: Console) throws {
        self.console = console
        relyingParty = try RelyingParty(
            id: "example.com",
            name: "Example",
            origins: ["https://example.com"],
            attestation: .verified
        )
    }

    func run() async throws -> Int32 {
        let user = PublicKeyCredentialUserEntity(id: .random(), name: "ada@example.com", displayName: "Ada Lovelace")
        guard let record = try await register(user) else { return 1 }
        return try await signIn(user.id, record) ? 0 : 1
    }

    private func register(_ user: PublicKeyCredentialUserEntity) async throws -> CredentialRecord? {
        let (options, ceremony) = try relyingParty.beginRegistration(for: user, excluding: [])
        show("creation options, from the server", options.json)
        let passkey = try await controller.perform(provider.createCredentialRegistrationRequest(options: options))
        let response = passkey.registrationResponse
        title("registration response, from the authenticator")
        show(response.json)
        let object = try CBORDocument(response.attestationObject)
        line("attestation object in diagnostic notation", object.diagnostic)
        report("registration report", relyingParty.verificationReport(response, ceremony, owner: nil))
        do throws(RegistrationError) {
            let registration = try relyingParty.finishRegistration(response, ceremony, owner: nil)
            verdict("registration: verified", isGood: true)
            return registration.credential
        } catch {
            verdict("registration: refused at step \(error.step)", isGood: false)
            return nil
        }
    }

    private func signIn(_ user: UserHandle, _ record: CredentialRecord) async throws -> Bool {
        let (options, ceremony) = try relyingParty.beginAuthentication(of: user, allowing: [record])
        show("request options, from the server", options.json)
        let passkey = try await controller.perform(provider.createCredentialAssertionRequest(options: options))
        let response = passkey.authenticationResponse
        title("authentication response, from the authenticator")
        show(response.json)
        report("authentication report", relyingParty.verificationReport(response, ceremony, record))
        do throws(AuthenticationError) {
            _ = try relyingParty.finishAuthentication(response, ceremony, record)
            verdict("authentication: verified", isGood: true)
        } catch {
            verdict("authentication: refused at step \(error.step)", isGood: false)
            return false
        }
        // The last bit of a DER signature is the last of s: what remains is a signature still, but not this one.
        var forged = response
        if let last = forged.signature.popLast() { forged.signature.append(last ^ 1) }
        do throws(AuthenticationError) {
            _ = try relyingParty.finishAuthentication(forged, ceremony, record)
            verdict("one bit of the signature flipped: accepted", isGood: false)
            return false
        } catch {
            verdict("one bit of the signature flipped: refused at step \(error.step)", isGood: error.step == .signature)
            return error.step == .signature
        }
    }

    // MARK: What is shown

    private func title(_ text: String) {
        console.line(console.styled(text, .bold))
    }

    private func show(_ text: String, _ options: JSONValue) {
        title(text)
        let members = (options.object?.members ?? []).map { "  \"\($0.name)\": \($0.value)" }
        console.line("{\n" + members.joined(separator: ",\n") + "\n}")
        console.line()
    }

    /// A response, taken apart as `passkey inspect` does.
    private func show(_ response: JSONValue) {
        for part in Describe.response(response).allParts {
            for line in part.lines(console) { console.line(line) }
        }
        console.line()
    }

    private func line(_ name: String, _ text: String) {
        title(name)
        console.line("  " + text)
        console.line()
    }

    private func report(_ name: String, _ report: VerificationReport) {
        title(name)
        console.write(ReportText.text(report, console))
    }

    private func verdict(_ text: String, isGood: Bool) {
        console.line(console.styled(text, isGood ? .good : .bad))
        console.line()
    }
}
