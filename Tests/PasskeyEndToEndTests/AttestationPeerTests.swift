import PasskeyAttestation
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

/// What the virtual authenticator attests, before other people's verifiers and before ours.
@Suite(
    "Attestation before other people's relying parties",
    .enabled(
        if: PeerProcess.isEnabled("PASSKEY_PEERS_PYTHON"),
        "PASSKEY_PEERS_PYTHON names no interpreter with webauthn and fido2"
    )
)
struct AttestationPeerTests {
    /// A peer and the formats that it knows.
    private static let known: [(String, [AttestationStatementFormat])] = [
        ("webauthn", [.packed, .tpm, .androidKey, .apple, .fidoU2F]),
        ("fido2", [.packed, .tpm, .apple, .fidoU2F]),
    ]

    private static let challenge = [UInt8](repeating: 7, count: 32)

    private struct Made {
        let response: RegistrationResponse
        let creation: PublicKeyCredentialCreationOptions
        let party: RelyingParty
        let ceremony: RegistrationCeremony

        func job(
            _ peer: String,
            _ profile: AttestationProfile,
            root authority: AttestationAuthority
        ) throws -> JSONValue {
            [
                "peer": .string(peer), "operation": "registration", "response": response.json,
                "challenge": creation.challenge.json, "rpId": "example.com", "origin": "https://example.com",
                "format": .string(profile.format.rawValue), "algorithm": -7,
                "root": .string(try authority.rootPEM()),
                "rootDER": .string(Base64URL.encode(try authority.rootCertificate())),
            ]
        }
    }

    private func make(_ profile: AttestationProfile) throws -> Made {
        let party = try RelyingParty(
            id: "example.com",
            name: "Example",
            origins: ["https://example.com"],
            attestation: .require(try TrustStore(anchors: [profile.authority.rootCertificate()]))
        )
        let user = PublicKeyCredentialUserEntity(id: .random(), name: "ada@example.com", displayName: "Ada")
        let (options, ceremony) = try party.beginRegistration(
            for: user,
            excluding: [],
            RegistrationOptions(algorithms: [.es256])
        )
        var authenticator = VirtualAuthenticatorOptions.securityKey
        // U2F's authenticators have no model.
        authenticator.aaguid = profile.format == .fidoU2F ? .zero : try AAGUID(bytes: [UInt8](1...16))
        authenticator.attestationProfile = profile
        let client = VirtualClient(
            origin: "https://example.com",
            authenticators: [VirtualAuthenticator(authenticator)]
        )
        return Made(response: try client.create(options), creation: options, party: party, ceremony: ceremony)
    }

    @Test(arguments: ["webauthn", "fido2"])
    func peersAgree(_ peer: String) throws {
        let process = try PeerProcess("verify.py", interpreter: "PASSKEY_PEERS_PYTHON")
        let formats = try #require(Self.known.first { $0.0 == peer }).1
        func ask(_ profile: AttestationProfile, root: AttestationAuthority? = nil) throws -> JSONValue {
            try process.ask(make(profile).job(peer, profile, root: root ?? profile.authority))
        }
        var accepted = 0
        for format in formats {
            for intermediates in format == .fidoU2F ? [0] : [0, 1] {
                var profile = AttestationProfile(format)
                profile.intermediateCount = intermediates
                // This peer takes the last certificate of x5c for the root.
                profile.includesRoot = peer == "webauthn" && format == .androidKey
                let verdict = try ask(profile)
                #expect(verdict["accepted"]?.bool == true, "\(format): \(verdict)")
                accepted += 1
                let made = try make(profile)
                #expect(throws: Never.self) {
                    try made.party.finishRegistration(made.response, made.ceremony, owner: nil)
                }
                // The same before another root is refused, and so is what was signed over something else.
                let other = AttestationAuthority(name: "Another")
                #expect(try ask(profile, root: other)["accepted"]?.bool == false, "\(format)")
                profile.fault = AttestationFault("\(format).signature") ?? AttestationFault("\(format).nonce")
                #expect(try ask(profile)["accepted"]?.bool == false, "\(format)")
            }
        }
        print("\(peer): \(accepted) attestations with certificates accepted")
        #expect(accepted == 2 * formats.count - 1)
    }
}
