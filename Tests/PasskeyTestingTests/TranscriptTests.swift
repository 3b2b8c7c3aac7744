import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Transcripts")
struct TranscriptTests {
    /// A recorder before a synchronised provider and a security key, which draw from the system's source.
    private func recorder(_ change: (inout VirtualClient) -> Void = { _ in }) throws -> TranscriptRecorder {
        var client = VirtualClient(
            origin: World.origin,
            authenticators: [VirtualAuthenticator(), VirtualAuthenticator(.securityKey)]
        )
        change(&client)
        return try TranscriptRecorder(client)
    }

    /// The transcript after it was written and read.
    private func stored(_ recorder: TranscriptRecorder) throws -> Transcript {
        let transcript = recorder.transcript
        let read = try JSONDecoder().decode(Transcript.self, from: JSONEncoder().encode(transcript))
        #expect(read == transcript)
        return read
    }

    private func creation(
        _ algorithm: COSEAlgorithmIdentifier,
        user: UInt8 = 1
    ) throws
        -> PublicKeyCredentialCreationOptions
    {
        try World.creationOptions(user: user) {
            $0.pubKeyCredParams = [.init(alg: algorithm)]
            $0.attestation = .direct
        }
    }

    @Test(
        "A registration and a sign-in with any key are the same again",
        arguments: [COSEAlgorithmIdentifier.es256, .es512, .edDSA, .rs256, .ps256]
    )
    func algorithms(_ algorithm: COSEAlgorithmIdentifier) throws {
        let recorder = try recorder { $0.authenticators[0].options.attestation = .packed }
        let made = try recorder.create(creation(algorithm))
        let used = try recorder.get(World.requestOptions())
        #expect(used.id == made.id)
        let transcript = try stored(recorder)
        #expect(transcript.ceremonies.map(\.kind) == [.create, .get])
        #expect(transcript.ceremonies[0].outcome == .response(String(decoding: made.jsonBytes(), as: UTF8.self)))
        #expect(transcript.replay() == nil)
        #expect(transcript.replay() == nil, "a second time, too")
        // Without the transcript nothing of it would come again.
        #expect(try self.recorder().create(creation(algorithm)).id != made.id)
    }

    @Test("What is recorded is what the client would have done by itself")
    func isTransparent() throws {
        func client() -> VirtualClient {
            var client = VirtualClient(origin: World.origin, authenticators: [VirtualAuthenticator(.securityKey)])
            client.random = SeededRandom.source(seed: "transparent")
            client.clock = { Timestamp(millisecondsSince1970: 5000) }
            return client
        }
        let recorder = try TranscriptRecorder(client())
        let plain = client()
        #expect(try recorder.create(creation(.ps256)) == plain.create(creation(.ps256)))
        #expect(try recorder.get(World.requestOptions()) == plain.get(World.requestOptions()))
        #expect(recorder.transcript.replay() == nil)
    }

    @Test("Errors, users who choose, extensions, and what was done between the ceremonies")
    func everything() throws {
        let recorder = try recorder()
        let first = try recorder.create(creation(.es256))
        let second = try recorder.create(creation(.es256, user: 2))
        // An excluded credential, and a user who refuses.
        var excluding = try creation(.es256)
        excluding.excludeCredentials = [PublicKeyCredentialDescriptor(id: first.id)]
        #expect(throws: ClientError.self) { try recorder.create(excluding) }
        recorder.client.user = .script([.refuses, .picks(first.id)])
        recorder.client.authenticators[1].options.extensions = []
        #expect(throws: ClientError.self) { try recorder.get(World.requestOptions()) }
        // The user picks the older one; the pseudo-random function is asked by CTAP, with keys of its own.
        let inputs = PRFInputs(eval: PRFValues(first: [1], second: [2]))
        let used = try recorder.get(World.requestOptions { $0.extensions.prf = inputs })
        #expect(used.id == first.id)
        // A credential goes, a page changes, a clock is another.
        recorder.client.authenticators[0].removeCredential(first.id)
        recorder.client.origin = "https://login.example.com"
        recorder.client.extraClientData = ["z": 1, "a": 2]
        recorder.client.user = .willing
        #expect(try recorder.get(World.requestOptions { $0.extensions.prf = inputs }).id == second.id)

        let transcript = try stored(recorder)
        #expect(transcript.ceremonies.count == 6)
        #expect(transcript.ceremonies.filter { $0.authenticators != nil }.count == 2)
        #expect(transcript.replay() == nil)
    }

    @Test("A caller who ends the ceremony while the user thinks, or before, or when asked")
    func aborts() throws {
        let controller = AbortController()
        let reason = AbortReason(name: "TimeoutError", message: "enough")
        let recorder = try recorder { client in
            client.signal = controller.signal
            client.user = VirtualUser { _ in
                controller.abort(reason)
                return .consents
            }
        }
        #expect(throws: ClientError.self) { try recorder.create(creation(.es256)) }
        #expect(throws: ClientError.self) { try recorder.create(creation(.es256)) }
        recorder.client.signal = nil
        let polls = TickingClock()
        recorder.client.isAborted = { polls.now().millisecondsSince1970 > 1_800_000_001_000 }
        #expect(throws: ClientError.self) { try recorder.create(creation(.es256)) }
        recorder.client.isAborted = { false }
        recorder.client.user = .willing
        _ = try recorder.create(creation(.es256))

        let transcript = try stored(recorder)
        #expect(transcript.ceremonies[0].events.last == .abort(reason))
        #expect(transcript.ceremonies[1].events == [.abort(reason)])
        #expect(transcript.ceremonies[2].events == [.poll(false), .poll(true)])
        #expect(transcript.replay() == nil)
    }

    @Test("Files that were fetched are not fetched again")
    func fetches() throws {
        let body = Array(#"{"origins":["https://example.com"]}"#.utf8)
        let recorder = try recorder { client in
            client.fetch = { url in
                url.hasPrefix("https://example.org/")
                    ? RelatedOriginsResponse(status: 200, contentType: "application/json", body: body) : nil
            }
        }
        var options = try creation(.es256)
        options.rp.id = "example.org"
        _ = try recorder.create(options)
        options.rp.id = "example.net"
        #expect(throws: ClientError.self) { try recorder.create(options) }
        let transcript = try stored(recorder)
        #expect(transcript.replay() == nil)
    }

    @Test("What is not as it was is told, the first thing first")
    func differences() throws {
        let recorder = try recorder { $0.authenticators[0].options.attestation = .packed }
        _ = try recorder.create(creation(.es256))
        _ = try recorder.get(World.requestOptions())
        let transcript = recorder.transcript
        #expect(transcript.replay() == nil)

        func difference(_ change: (inout Transcript) -> Void) -> Transcript.Difference? {
            var changed = transcript
            change(&changed)
            return changed.replay()
        }
        let draws = transcript.ceremonies[0].events.indices.filter { index in
            if case .draw = transcript.ceremonies[0].events[index] { true } else { false }
        }
        let first = try #require(draws.first)
        // Other bytes of the same length come to another outcome; other lengths, kinds and places are told themselves.
        let bytes = difference { $0.ceremonies[0].events[first] = .draw([UInt8](repeating: 1, count: 32)) }
        #expect(bytes?.ceremony == 0)
        #expect(bytes?.event == nil)
        let short = difference { $0.ceremonies[0].events[first] = .draw([1]) }
        #expect(short?.ceremony == 0)
        #expect(short?.event == first)
        #expect(difference { $0.ceremonies[0].events.remove(at: first) }?.event != nil)
        let count = transcript.ceremonies[0].events.count
        #expect(difference { $0.ceremonies[0].events.append(.draw([])) }?.event == count)
        #expect(difference { $0.ceremonies[1].events = [] }?.ceremony == 1)
        #expect(
            difference { $0.ceremonies[1].events.insert(.time(.init(millisecondsSince1970: 0)), at: 0) }?.event == 0
        )
        // What was asked, where, and what came of it.
        #expect(difference { $0.ceremonies[1].mediation = .silent }?.ceremony == 1)
        #expect(difference { $0.ceremonies[1].options = "{}" }?.ceremony == 1)
        #expect(difference { $0.ceremonies[0].outcome = .response("{}") }?.ceremony == 0)
        #expect(difference { $0.authenticators[0].options.isUserVerified = false }?.ceremony == 0)
        #expect(difference { $0.authenticators = [] }?.ceremony == 0)
        #expect(difference { $0.ceremonies.remove(at: 0) }?.ceremony == 0)
        #expect(difference { $0.ceremonies = [] } == nil)
    }

    @Test("An adversary is no data, and comes with the client that replays")
    func adversary() throws {
        let attack = Adversary(.signatureBitFlipped)
        let recorder = try recorder { $0.adversary = attack }
        _ = try recorder.create(creation(.es256))
        _ = try recorder.get(World.requestOptions())
        var base = VirtualClient(origin: World.origin)
        #expect(recorder.transcript.replay(with: base)?.ceremony == 1)
        base.adversary = attack
        #expect(recorder.transcript.replay(with: base) == nil)
    }
}
