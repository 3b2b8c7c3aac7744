import PasskeyWire
import Testing

@testable import PasskeyCrypto

@Suite("Hash functions")
struct HashTests {
    /// FIPS 180-4 examples, and the digests of nothing.
    static let digests: [(HashFunction, String, String)] = [
        (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            .sha384, "abc",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha384, "",
            "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"
        ),
        (
            .sha512, "abc",
            """
            ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
            2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
            """
        ),
        (
            .sha512, "",
            """
            cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
            47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
            """
        ),
    ]

    @Test("Known digests", arguments: digests)
    func known(_ function: HashFunction, _ message: String, _ digest: String) throws {
        let message = Array(message.utf8)
        let expected = try hex(digest)
        #expect(expected.count == function.byteCount)
        #expect(try function.digest(message) == expected)
        #expect(try function.digest(message, []) == expected)
        // In pieces.
        let half = message.count / 2
        #expect(try function.digest([], Array(message[..<half]), [], Array(message[half...])) == expected)
        if function == .sha256 { #expect(try sha256(message) == expected) }
    }

    @Test("A million times the letter a")
    func long() throws {
        let digest = try sha256([UInt8](repeating: 0x61, count: 1_000_000))
        #expect(try digest == hex("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"))
    }

    @Test("Random bytes have the length asked for, and are not the same twice")
    func random() throws {
        #expect(try SystemRandom.bytes(0).isEmpty)
        for count in [1, 16, 32, 1000] {
            #expect(try SystemRandom.bytes(count).count == count)
        }
        #expect(try SystemRandom.bytes(32) != SystemRandom.bytes(32))
        // Every value turns up in 16 KiB: the chance that one does not is 2^-84.
        #expect(try Set(SystemRandom.bytes(16384)).count == 256)
    }

    @Test("A number of random bytes that cannot be had is an error", arguments: [-1, Int.min, Int.max, 1 << 31])
    func impossibleRandom(_ count: Int) {
        expectError(.unsupported) { () throws(CryptoError) in try SystemRandom.bytes(count) }
    }

    @Test("Comparison in constant time compares")
    func comparison() {
        #expect(constantTimeEquals([], []))
        #expect(constantTimeEquals([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEquals([1, 2, 3], [0, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2]))
        #expect(!constantTimeEquals([], [0]))
    }
}
