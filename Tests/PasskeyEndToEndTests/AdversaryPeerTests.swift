import PasskeyAttestation
import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyWire
import Testing

/// The catalogue before other people's relying parties.
@Suite(
    "The adversary before other people's relying parties",
    .enabled(
        if: PeerProcess.isEnabled("PASSKEY_PEERS_PYTHON"),
        "PASSKEY_PEERS_PYTHON names no interpreter with webauthn and fido2"
    )
)
struct AdversaryPeerTests {
    /// What must be refused and no library that knows the format refuses by itself, with the reason why it is an attack.
    ///
    /// Most of it is their caller's to look at.
    private static let unrefused: [(reason: String, ids: [String])] = [
        (
            "one credential with two owners, or two keys: whoever registers a known ID takes the account over; the store is the caller's",
            ["create.credId.known-to-other-user", "create.credId.duplicate", "create.replay-in-ceremony"]
        ),
        (
            "the application learns another ID than the one that the authenticator attests, and stores it with the key",
            ["create.credId.not-attested"]
        ),
        (
            "the sign-in says that it is another user's, or nobody's; who the user is, is the caller's to know",
            [
                "get.userHandle.other-user", "get.userHandle.truncated", "get.userHandle.empty",
                "get.userHandle.missing-when-discoverable",
            ]
        ),
        (
            "a site frames the page, and its visitors register and sign in without knowing where",
            [
                "create.crossOrigin.true", "create.topOrigin.evil", "create.topOrigin.present-without-crossOrigin",
                "get.crossOrigin.true", "get.topOrigin.evil", "get.topOrigin.present-without-crossOrigin",
            ]
        ),
        (
            "one challenge has several spellings, so that a list of those that were used does not find it",
            [
                "create.challenge.padded-b64", "create.challenge.std-b64", "get.challenge.padded-b64",
                "get.challenge.std-b64",
            ]
        ),
        (
            "a key that locks its user out is stored, or one under which more verifies than should: the key is not looked at before it is used",
            [
                "create.key.point-off-curve", "create.key.point-infinity", "create.key.x-not-reduced",
                "create.key.compressed-y", "create.key.short-x", "create.key.crv-mismatch",
                "create.key.alg-mismatch-cose", "create.key.okp-low-order", "create.key.rsa-small",
                "create.key.rsa-e-1",
            ]
        ),
        ("a private key ends up in the server's database", ["create.key.with-private-part"]),
        (
            "an ID that does not fit where the specification says that it does: a database cuts it short, or a parser is kept busy",
            ["create.authData.credIdLen-1024", "create.credId.over-1023"]
        ),
        (
            "the policy is that passkeys be backed up, or may be; neither library has such a policy",
            ["create.flags.be0bs0", "create.flags.be1bs0"]
        ),
        (
            "BE never changes: another authenticator has the key, or something else than an authenticator",
            ["get.flags.be-flip-after-registration"]
        ),
        (
            "extension outputs that are no map are signed all the same, and whoever reads them later meets another type",
            ["create.ext.not-map", "get.ext.not-map"]
        ),
        (
            "the policy is that outputs be those that were asked for; neither library has such a policy",
            [
                "create.ext.unsolicited-where-refused", "create.ext.prf-result-without-request-where-refused",
                "create.ext.largeBlob-garbage-where-refused", "create.ext.appid-without-request-where-refused",
                "get.ext.unsolicited-where-refused", "get.ext.prf-result-without-request-where-refused",
                "get.ext.largeBlob-garbage-where-refused", "get.ext.appid-without-request-where-refused",
            ]
        ),
        (
            "the credential can be used without user verification, though that was to be impossible",
            [
                "create.ext.credProtect-lowered", "create.ext.credProtect-missing", "create.ext.credProtect-wrong-type",
            ]
        ),
        (
            "an authenticator that nobody vouches for passes where one is required; which types count is the caller's to say",
            ["create.att.stripped", "create.att.packed.self-in-place-of-certificates"]
        ),
        (
            "a serial number tells one person's authenticator from all others, and nobody asked for it",
            ["create.att.packed.serial-ext-unasked"]
        ),
        (
            "SHA-1 signs what the statement says, and two contents can have one hash",
            ["create.att.tpm.sha1"]
        ),
        (
            "the certificate is of another model than the authenticator claims to be, or says so in a way that is not looked at",
            ["create.att.tpm.aaguid-ext-mismatch", "create.att.tpm.aaguid-ext-malformed"]
        ),
        (
            "what is signed or certified has another form than the one prescribed: bytes that nobody reads, and text that is no code",
            [
                "create.att.tpm.certInfo-trailing", "create.att.android-key.cert-trailing",
                "create.att.packed.c-not-code", "create.att.packed.serial-ext-malformed",
            ]
        ),
    ]

    @Test func catalogue() throws {
        let process = try PeerProcess("verify.py", interpreter: "PASSKEY_PEERS_PYTHON")
        var verdicts: [String: [Peer: Bool]] = [:]
        func isAccepted(_ exchange: Exchange, _ run: AdversaryRun, by peer: Peer) throws -> JSONValue {
            try process.ask(Self.job(exchange, run.circumstances, peer))
        }
        for run in AdversaryRun.all(isBrief: true) {
            let peers = Peer.all.filter { $0.knows(run.circumstances) }
            var scene = try AdversaryScene(run.circumstances)
            if !run.circumstances.needs.contains(.signatureCounterAtEnd) {
                let twin = try scene.twin()
                for peer in peers {
                    let answer = try isAccepted(twin, run, by: peer)
                    #expect(answer["accepted"]?.bool == true, "\(peer.name), \(run): \(answer)")
                }
            }
            for mutation in run.mutations {
                if run.isStateful { scene = try AdversaryScene(run.circumstances) }
                let exchange = try scene.attack(mutation)
                // Whoever has no record of the credential does not get as far as its library.
                guard exchange.operation == "registration" || exchange.record != nil else { continue }
                for peer in peers {
                    let isAccepted = try isAccepted(exchange, run, by: peer)["accepted"]?.bool == true
                    verdicts[mutation.id, default: [:]][peer] = isAccepted
                }
            }
        }
        for peer in Peer.all {
            let judged = Mutation.catalogue.filter { verdicts[$0.id]?[peer] != nil }
            func ids(_ verdict: Mutation.Verdict, accepted: Bool) -> [String] {
                judged.filter { $0.verdict == verdict && verdicts[$0.id]?[peer] == accepted }.map(\.id)
            }
            print("\(peer.name): \(judged.count) mutations judged")
            print("  accepts, to be refused: \(ids(.reject, accepted: true).joined(separator: " "))")
            print("  refuses, to be accepted: \(ids(.accept, accepted: false).joined(separator: " "))")
            #expect(judged.count > 250)
        }
        let passed = Mutation.catalogue.filter { mutation in
            mutation.verdict == .reject && verdicts[mutation.id]?.values.allSatisfy(\.self) == true
        }
        let listed = Self.unrefused.flatMap(\.ids)
        let found = Set(passed.map(\.id))
        #expect(found.subtracting(listed).isEmpty && Set(listed).subtracting(found).isEmpty)
        #expect(Set(listed).count == listed.count)
    }

    private static func job(_ exchange: Exchange, _ circumstances: Circumstances, _ peer: Peer) throws -> JSONValue {
        let authority = circumstances.profile.authority
        let hasCertificates = circumstances.profile.format != .none && !circumstances.profile.isSelf
        var job: JSONObject = [
            "peer": .string(peer.name), "operation": .string(exchange.operation), "response": exchange.response,
            "challenge": exchange.challenge.json, "rpId": "example.com", "origin": "https://example.com",
            "format": .string(exchange.format.rawValue),
            "algorithms": .array(exchange.algorithms.map { .number(JSONNumber($0.rawValue)) }),
            "credentials": .array(
                exchange.candidates.map { record in
                    [
                        "id": .string(Base64URL.encode(record.id)),
                        "publicKey": .string(Base64URL.encode(record.publicKey)),
                    ]
                }
            ),
        ]
        if hasCertificates {
            job["root"] = .string(try authority.rootPEM())
            job["rootDER"] = .string(Base64URL.encode(try authority.rootCertificate()))
        }
        if let record = exchange.record {
            job["publicKey"] = .string(Base64URL.encode(record.publicKey))
            job["signCount"] = .number(JSONNumber(Int(record.signCount)))
        }
        return .object(job)
    }

    /// One of the two libraries, and which formats it verifies.
    private struct Peer: Hashable {
        let name: String
        let formats: Set<AttestationStatementFormat>

        func knows(_ circumstances: Circumstances) -> Bool {
            circumstances.ceremony == .get || formats.contains(circumstances.profile.format)
        }

        static let all = [
            Peer(name: "webauthn", formats: [.none, .packed, .tpm, .androidKey, .apple, .fidoU2F]),
            Peer(name: "fido2", formats: [.none, .packed, .tpm, .apple, .fidoU2F]),
        ]
    }
}
