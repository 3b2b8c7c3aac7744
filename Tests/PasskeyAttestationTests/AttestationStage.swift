import PasskeyAttestation
import PasskeyModel
import PasskeyTesting
import PasskeyWire

/// A relying party and an authenticator that attests, in one process.
struct AttestationStage {
    static let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)
    static let authority = AttestationAuthority()
    static let aaguid = AAGUID("8c1f2a55-7a3e-4c7e-9a54-2f0c64d3b0aa") ?? .zero

    var profile: AttestationProfile
    var policy: AttestationPolicy
    var options = AttestationOptions()
    var algorithm = COSEAlgorithmIdentifier.es256
    var time = now
    var aaguid = Self.aaguid

    /// A store that trusts the authority's root.
    static func store() throws -> TrustStore {
        try TrustStore(anchors: [authority.rootCertificate()])
    }

    func relyingParty() throws -> RelyingParty {
        try RelyingParty(
            id: "example.com",
            name: "Example",
            origins: ["https://example.com"],
            attestation: AttestationVerifier(policy, options),
            clock: { [time] in time }
        )
    }

    /// What an authenticator answers.
    func response(
        _ relyingParty: RelyingParty
    ) throws -> (response: RegistrationResponse, ceremony: RegistrationCeremony) {
        let user = PublicKeyCredentialUserEntity(id: try UserHandle(bytes: [1]), name: "ada", displayName: "Ada")
        var asked = RegistrationOptions()
        asked.algorithms = [algorithm]
        asked.attestationFormats = [profile.format]
        let (options, ceremony) = try relyingParty.beginRegistration(for: user, excluding: [], asked)
        var authenticator = VirtualAuthenticatorOptions.securityKey
        authenticator.aaguid = aaguid
        authenticator.algorithms = [algorithm]
        authenticator.attestationProfile = profile
        let client = VirtualClient(
            origin: "https://example.com",
            authenticators: [VirtualAuthenticator(authenticator, clock: { [time] in time })]
        )
        return (try client.create(options), ceremony)
    }

    /// Begins, attests and finishes.
    func run() throws -> Registration {
        let relyingParty = try relyingParty()
        let (response, ceremony) = try response(relyingParty)
        return try relyingParty.finishRegistration(response, ceremony, owner: nil)
    }

    /// The refusal of a registration that must be refused.
    func refusal() throws -> RegistrationError? {
        let relyingParty = try relyingParty()
        let (response, ceremony) = try response(relyingParty)
        do throws(RegistrationError) {
            _ = try relyingParty.finishRegistration(response, ceremony, owner: nil)
            return nil
        } catch {
            return error
        }
    }
}
