import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

/// What one key or signature in a hundred has, and what only many of them show.
@Suite("Many credentials")
struct ManyCredentialsTests {
    /// What was met among many credentials.
    private struct Tally {
        var identifiers: Set<[UInt8]> = []
        var shortCoordinates = 0
        var shortIntegers = 0
        var paddedIntegers = 0
    }

    @Test("Of ten thousand registrations no two have one ID, and short coordinates and integers are written right")
    func tenThousand() throws {
        var tally = Tally()
        // Not discoverable, so that the accounts are none of the authenticator's business.
        let authenticator = VirtualAuthenticator(random: SeededRandom.source(seed: "ten thousand"))
        let registration = try World.makeCredential { $0.requireResidentKey = false }
        for _ in 0..<10_000 {
            let made = try AttestationObject(authenticator.makeCredential(registration).attestationObject)
            let attested = try made.attested()
            tally.identifiers.insert(attested.credentialID)
            let key = attested.credentialPublicKey
            #expect(key.count == 77)
            let hasZero = key[10] == 0 || key[45] == 0
            if hasZero { tally.shortCoordinates += 1 }

            // Every tenth signs, and each whose key is out of the ordinary.
            guard hasZero || tally.identifiers.count.isMultiple(of: 10) else { continue }
            let assertion = try authenticator.getAssertion(
                World.getAssertion {
                    $0.allowCredentialDescriptorList = [PublicKeyCredentialDescriptor(id: attested.credentialID)]
                }
            )
            try look(at: assertion, key, &tally)
        }
        #expect(tally.identifiers.count == 10_000)
        // One in 128 of the keys, and of the signatures; half of all integers.
        #expect((40...130).contains(tally.shortCoordinates), "\(tally.shortCoordinates)")
        #expect(tally.shortIntegers >= 2, "\(tally.shortIntegers)")
        #expect(tally.paddedIntegers > 500, "\(tally.paddedIntegers)")
    }

    private func look(at assertion: GetAssertionResult, _ key: [UInt8], _ tally: inout Tally) throws {
        #expect(
            try World.verifies(assertion.signature, assertion.authenticatorData, World.hash, publicKey: key),
            "\(Hex.encode(key))"
        )
        // SEQUENCE { INTEGER, INTEGER }: no longer and no shorter than the numbers need.
        var outer = DERReader(assertion.signature)
        var reader = DERReader(try outer.read(.sequence).content)
        try outer.finish()
        for _ in 0..<2 {
            let content = Array(try reader.read(.integer).content)
            #expect((1...33).contains(content.count))
            #expect(content[0] & 0x80 == 0)
            if content[0] == 0 {
                #expect(content.count > 1 && content[1] & 0x80 != 0)
                tally.paddedIntegers += 1
            }
            if content.count < 32 || (content.count == 32 && content[0] == 0) { tally.shortIntegers += 1 }
        }
        try reader.finish()
    }

    @Test("An x that begins with zero keeps its length, and so do y, r and s")
    func leadingZero() throws {
        var client = VirtualClient(origin: World.origin)
        client.random = SeededRandom.source(seed: "seed 5")
        let registration = try client.create(World.creationOptions())
        let key = try AttestationObject(registration.attestationObject).attested().credentialPublicKey
        #expect(key.count == 77)
        #expect(key[8..<11] == [0x58, 0x20, 0x00])
        let assertion = try client.get(World.requestOptions())
        #expect(
            try World.verifies(
                assertion.signature,
                assertion.authenticatorData,
                sha256(assertion.clientDataJSON),
                publicKey: key
            )
        )
    }
}
