import Foundation
import PasskeyCrypto
import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyWire
import Testing

/// Other people's relying parties and what they verify of what we make.
private struct Peer: Sendable, CustomTestStringConvertible {
    let name: String
    let algorithms: [COSEAlgorithmIdentifier]

    var testDescription: String { name }

    static let all = [
        // It knows neither ES384, ES256K, Ed448 nor the fully-specified identifiers.
        Peer(
            name: "webauthn",
            algorithms: [
                .es256, .es512, .edDSA, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .mlDSA44, .mlDSA65, .mlDSA87,
            ]
        ),
        // It knows no longer hashes with RSA.
        Peer(
            name: "fido2",
            algorithms: [
                .es256, .es384, .es512, .es256K, .edDSA, .ed448, .rs256, .ps256, .esp256, .esp384, .esp512, .ed25519,
                .mlDSA44, .mlDSA65, .mlDSA87,
            ]
        ),
    ]
}

private let peers = "PASSKEY_PEERS_PYTHON"
private let soft = "PASSKEY_SOFT_WEBAUTHN_PYTHON"

@Suite(
    "The virtual authenticator before other people's relying parties",
    .enabled(if: PeerProcess.isEnabled(peers), "PASSKEY_PEERS_PYTHON names no interpreter with webauthn and fido2")
)
struct PeerTests {
    private static let formats = [AttestationStatementFormat.none, .packed]

    /// What peer and library share is accepted, whole and with each statement; what the peer does not know is refused.
    @Test(arguments: Peer.all)
    private func acceptsWhatWeMake(_ peer: Peer) throws {
        let process = try PeerProcess("verify.py", interpreter: peers)
        var accepted = 0
        for algorithm in SignatureAlgorithms.supported {
            for format in Self.formats {
                let passkey = try Passkey(algorithm, format)
                let registered = try process.ask(passkey.registrationJob(peer.name))
                let signedIn = try process.ask(passkey.authenticationJob(peer.name, passkey.assertion))
                let isShared = peer.algorithms.contains(algorithm)
                // The table is about the algorithm; without a statement the key is stored and not used.
                if isShared || format == .packed {
                    #expect(registered["accepted"]?.bool == isShared, "\(algorithm) \(format.rawValue): \(registered)")
                }
                #expect(signedIn["accepted"]?.bool == isShared, "\(algorithm): \(signedIn)")
                if isShared { accepted += 1 }
            }
        }
        #expect(accepted == 2 * peer.algorithms.count { SignatureAlgorithms.isSupported($0) })
        print("\(peer.name): \(accepted) registrations and as many sign-ins accepted")
    }

    /// 64 seeded bits flipped in each signed part: nobody accepts one of them.
    @Test(arguments: ["webauthn", "fido2", "ours"])
    func refusesFlippedBits(_ verifier: String) throws {
        let process = verifier == "ours" ? nil : try PeerProcess("verify.py", interpreter: peers)
        let passkey = try Passkey(.es256, .none)
        func isAccepted(_ response: AuthenticationResponse) throws -> Bool {
            guard let process else { return passkey.isAccepted(response) }
            return try process.ask(passkey.authenticationJob(verifier, response))["accepted"]?.bool == true
        }
        #expect(try isAccepted(passkey.assertion))
        let parts: [WritableKeyPath<AuthenticationResponse, [UInt8]>] = [
            \.signature, \.authenticatorData, \.clientDataJSON,
        ]
        var generator = SplitMix(state: 2)
        for part in parts {
            var flipped: Set<Int> = []
            while flipped.count < 64 {
                let bit = Int(generator.next() % UInt64(passkey.assertion[keyPath: part].count * 8))
                guard flipped.insert(bit).inserted else { continue }
                var response = passkey.assertion
                response[keyPath: part][bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(try !isAccepted(response), "bit \(bit) of \(part)")
            }
        }
    }
}

@Suite(
    "The relying party before an authenticator of other people",
    .enabled(if: PeerProcess.isEnabled(soft), "PASSKEY_SOFT_WEBAUTHN_PYTHON names no interpreter with soft-webauthn")
)
struct SoftAuthenticatorTests {
    @Test func registersAndSignsIn() throws {
        let device = try PeerProcess("soft.py", interpreter: soft)
        let party = try RelyingParty(id: "example.com", name: "Example", origins: ["https://example.com"])
        let user = PublicKeyCredentialUserEntity(id: .random(), name: "ada@example.com", displayName: "Ada")
        let selection = AuthenticatorSelectionCriteria(userVerification: .preferred)
        let (options, ceremony) = try party.beginRegistration(
            for: user,
            excluding: [],
            RegistrationOptions(authenticatorSelection: selection)
        )
        let made = try device.ask([
            "operation": "registration", "origin": "https://example.com", "options": options.json,
        ])
        let response = try RegistrationResponse(json: made.serialized())
        var record = try party.finishRegistration(response, ceremony, owner: nil).credential
        #expect(record.id == response.id)
        for count in 1...3 {
            let (request, signIn) = try party.beginAuthentication(
                of: user.id,
                allowing: [record],
                AuthenticationOptions(userVerification: .preferred)
            )
            let answer = try device.ask([
                "operation": "authentication", "origin": "https://example.com", "options": request.json,
            ])
            let assertion = try AuthenticationResponse(json: answer.serialized())
            let authentication = try party.finishAuthentication(assertion, signIn, record)
            record = authentication.credential
            #expect(record.signCount == UInt32(count))
            // The same response again is of another ceremony, and its counter is spent.
            #expect(throws: AuthenticationError.self) { try party.finishAuthentication(assertion, signIn, record) }
        }
    }
}

/// A passkey that the virtual authenticator made, and one sign-in with it.
private struct Passkey {
    let party: RelyingParty
    let registration: RegistrationResponse
    let record: CredentialRecord
    let assertion: AuthenticationResponse
    let algorithm: COSEAlgorithmIdentifier
    let format: AttestationStatementFormat
    private let creation: PublicKeyCredentialCreationOptions
    private let request: PublicKeyCredentialRequestOptions
    private let signIn: AuthenticationCeremony

    init(_ algorithm: COSEAlgorithmIdentifier, _ format: AttestationStatementFormat) throws {
        self.algorithm = algorithm
        self.format = format
        var options = VirtualAuthenticatorOptions()
        options.attestation = format
        let client = VirtualClient(origin: "https://example.com", authenticators: [VirtualAuthenticator(options)])
        party = try RelyingParty(
            id: "example.com",
            name: "Example",
            origins: ["https://example.com"],
            attestation: .verified
        )
        let user = PublicKeyCredentialUserEntity(id: .random(), name: "ada@example.com", displayName: "Ada")
        let begun = try party.beginRegistration(
            for: user,
            excluding: [],
            RegistrationOptions(algorithms: [algorithm])
        )
        creation = begun.options
        registration = try client.create(creation)
        record = try party.finishRegistration(registration, begun.ceremony, owner: nil).credential
        (request, signIn) = try party.beginAuthentication(of: user.id, allowing: [record])
        assertion = try client.get(request)
        _ = try party.finishAuthentication(assertion, signIn, record)
    }

    func isAccepted(_ response: AuthenticationResponse) -> Bool {
        (try? party.finishAuthentication(response, signIn, record)) != nil
    }

    func registrationJob(_ peer: String) -> JSONValue {
        job(peer, "registration", registration.json, creation.challenge)
    }

    func authenticationJob(_ peer: String, _ response: AuthenticationResponse) -> JSONValue {
        job(peer, "authentication", response.json, request.challenge)
    }

    private func job(_ peer: String, _ operation: String, _ response: JSONValue, _ challenge: Challenge) -> JSONValue {
        [
            "peer": .string(peer), "operation": .string(operation), "response": response, "challenge": challenge.json,
            "rpId": "example.com", "origin": "https://example.com", "format": .string(format.rawValue),
            "algorithm": .number(JSONNumber(algorithm.rawValue)), "signCount": .number(JSONNumber(0)),
            "publicKey": .string(Base64URL.encode(record.publicKey)),
        ]
    }
}

/// SplitMix64: the same sequence everywhere.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
