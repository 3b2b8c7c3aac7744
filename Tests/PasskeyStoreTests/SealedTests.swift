import PasskeyModel
import PasskeyRelyingParty
import Testing

@Suite("Sealed ceremonies")
struct SealedTests {
    private let key = [UInt8](repeating: 1, count: 32)
    private let entry = CeremonyEntry(
        purpose: .authentication,
        content: [UInt8](#"{"challenge":"secret challenge"}"#.utf8),
        session: [UInt8](repeating: 5, count: 32),
        expiresAt: Timestamp(millisecondsSince1970: 1_800_000_000_000)
    )

    @Test("Any machine with the key opens a token, and again without a guard")
    func machines() async throws {
        let (first, second) = (
            SealedCeremonyStore(keys: try SealingKeys(current: key)),
            SealedCeremonyStore(keys: try SealingKeys(current: key))
        )
        let token = try await first.put(entry)
        for _ in 0..<2 { #expect(try await second.take(token) == entry) }
        #expect((try await first.put(entry) == token) == false)
        #expect(!token.contains("secret"))
        let guarded = SealedCeremonyStore(keys: try SealingKeys(current: key), replayGuard: InMemoryReplayGuard())
        #expect(try await guarded.take(token) == entry)
        #expect(try await guarded.take(token) == nil)
    }

    @Test("A key is rotated: what it sealed opens until it is retired")
    func rotation() async throws {
        let newer = [UInt8](repeating: 2, count: 32)
        let token = try await SealedCeremonyStore(keys: SealingKeys(current: key)).put(entry)
        let rotated = SealedCeremonyStore(keys: try SealingKeys(current: newer, previous: [key]))
        #expect(try await rotated.take(token) == entry)
        let fresh = try await rotated.put(entry)
        let retired = SealedCeremonyStore(keys: try SealingKeys(current: newer))
        #expect(try await retired.take(token) == nil)
        #expect(try await retired.take(fresh) == entry)
        for keys in [[], [key, key]] as [[[UInt8]]] {
            #expect(throws: ModelError.self) { try SealingKeys(current: [], previous: keys) }
        }
        #expect(throws: ModelError.self) { try SealingKeys(current: key, previous: [key]) }
        #expect(throws: ModelError.self) { try SealingKeys(current: key + [0]) }
    }

    @Test("No changed token opens: each bit, each length")
    func alterations() async throws {
        let store = SealedCeremonyStore(keys: try SealingKeys(current: key))
        let token = try await store.put(entry)
        let bytes = try Base64URL.decode(token)
        for index in bytes.indices {
            for bit in 0..<8 {
                var altered = bytes
                altered[index] ^= 1 << bit
                #expect(try await store.take(Base64URL.encode(altered)) == nil)
            }
        }
        for count in bytes.indices {
            #expect(try await store.take(Base64URL.encode(bytes.prefix(count))) == nil)
        }
        for text in [token + "A", token + "=", " " + token, token + "\n", String(repeating: "A", count: 5_000_000)] {
            #expect(try await store.take(text) == nil)
        }
        #expect(try await store.take(token) == entry)
    }

    @Test("A guard that is full refuses, and has room again when something has expired")
    func fullGuard() async throws {
        let clock = Clock()
        let memory = InMemoryReplayGuard(capacity: 2, clock: clock.now)
        let until = clock.now().advanced(byMilliseconds: 10)
        #expect(try await memory.use([1], until: until))
        #expect(try await memory.use([2], until: until))
        await #expect(throws: StoreError.self) { try await memory.use([3], until: until) }
        clock.advance(milliseconds: 10)
        #expect(try await memory.use([3], until: until))
        let ceremonies = InMemoryCeremonyStore(capacity: 1, clock: clock.now)
        let short = CeremonyEntry(
            purpose: .registration,
            content: [],
            session: nil,
            expiresAt: clock.now().advanced(byMilliseconds: 5)
        )
        _ = try await ceremonies.put(short)
        await #expect(throws: StoreError.self) { try await ceremonies.put(short) }
        clock.advance(milliseconds: 5)
        _ = try await ceremonies.put(short)
    }
}
