import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension Mutation {
    /// What can be done to the credential public key of a registration.
    static var keyMutations: [Mutation] {
        [
            create(
                "key.alg-not-offered",
                .algorithm,
                changes: [.authenticatorData],
                "a sound key of an algorithm that was not asked for"
            ) { (draft) throws(MutationError) in
                let offered = draft.context.acceptableAlgorithms
                let able = draft.profile.credentialAlgorithms
                // Where every algorithm was asked for, there is still the one that none should ask for.
                let algorithm = able.first { !offered.contains($0) } ?? .rs1
                let key = try draft.makeKey(algorithm)
                draft.signer = key
                try draft.editAttested { $0.publicKey = key.publicKey.encoded }
            },
            create(
                "key.non-canonical",
                .attestationObject,
                .policy,
                isRefusedByDefault: true,
                changes: [.authenticatorData],
                "the key's members stand in another order than CTAP2's"
            ) { (draft) throws(MutationError) in
                try draft.editAttested { attested in
                    guard let entries = try? CBOR(attested.publicKey).entries else { return }
                    let members = entries.reversed().compactMap { entry -> [UInt8]? in
                        guard let key = try? entry.key.encoded(), let value = try? entry.value.encoded() else {
                            return nil
                        }
                        return key + value
                    }
                    attested.publicKey = Array(attested.publicKey.prefix(1)) + Array(members.joined())
                }
            },
        ] + curveMutations + otherKeyMutations
    }

    /// Keys on P-256, which all relying parties know.
    private static var curveMutations: [Mutation] {
        func curve(
            _ name: String,
            _ summary: String,
            _ change: @escaping @Sendable (inout [CBOR.Entry]) -> Void
        ) -> Mutation {
            create("key.\(name)", .algorithm, needs: [.es256], changes: [.authenticatorData], summary) {
                (draft) throws(MutationError) in
                guard draft.context.acceptableAlgorithms.contains(.es256) else {
                    throw MutationError("ES256 was not asked for")
                }
                let key = try draft.makeKey(.es256)
                var entries = try MutationError.wrap { () throws(WireError) in
                    try CBOR(key.publicKey.encoded).entries ?? []
                }
                change(&entries)
                try draft.setPublicKey(entries)
            }
        }
        return [
            curve("point-off-curve", "the point is not on its curve") { entries in
                entries.edit(-3) { value in
                    guard var y = value.byteArray, !y.isEmpty else { return value }
                    y[y.count - 1] ^= 1
                    return .bytes(y)
                }
            },
            curve("point-infinity", "both coordinates are zero") { entries in
                entries.edit(-2) { _ in .bytes([UInt8](repeating: 0, count: 32)) }
                entries.edit(-3) { _ in .bytes([UInt8](repeating: 0, count: 32)) }
            },
            curve("x-not-reduced", "a coordinate is not reduced") { entries in
                entries.edit(-2) { _ in .bytes([UInt8](repeating: 0xFF, count: 32)) }
            },
            curve("compressed-y", "y is a sign") { entries in
                entries.edit(-3) { _ in .bool(true) }
            },
            curve("missing-x", "x is not there") { entries in
                entries.removeAll { $0.key == CBOR(-2) }
            },
            curve("short-x", "x has 31 bytes") { entries in
                entries.edit(-2) { value in .bytes(Array((value.byteArray ?? []).dropFirst())) }
            },
            curve("crv-mismatch", "the curve is not the algorithm's") { entries in
                entries.edit(-1) { _ in CBOR(2) }
            },
            curve("alg-mismatch-cose", "the algorithm is for another kind of key") { entries in
                entries.edit(3) { _ in CBOR(COSEAlgorithmIdentifier.rs256.rawValue) }
            },
            curve("missing-alg", "the algorithm is not there") { entries in
                entries.removeAll { $0.key == CBOR(3) }
            },
            curve("with-private-part", "the private key is in it, too") { entries in
                entries.append(CBOR.Entry(-4, .bytes([UInt8](repeating: 0x11, count: 32))))
            },
            curve("unknown-kty", "the kind of key is one that nobody knows") { entries in
                entries.edit(1) { _ in CBOR(99) }
            },
        ]
    }

    private static var otherKeyMutations: [Mutation] {
        func key(_ name: String, _ summary: String, _ entries: [CBOR.Entry]) -> Mutation {
            create("key.\(name)", .algorithm, changes: [.authenticatorData], summary) { (draft) throws(MutationError) in
                try draft.setPublicKey(entries)
            }
        }
        // RFC 8032 §5.1.2: the encoding of the neutral element is 1 followed by zeros.
        let neutral: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
        let modulus = [UInt8](repeating: 0xFF, count: 256)
        @Sendable func rsa(_ n: [UInt8], _ e: [UInt8]) -> [CBOR.Entry] {
            [
                CBOR.Entry(1, 3), CBOR.Entry(3, CBOR(COSEAlgorithmIdentifier.rs256.rawValue)),
                CBOR.Entry(-1, .bytes(n)), CBOR.Entry(-2, .bytes(e)),
            ]
        }
        return [
            key(
                "okp-low-order",
                "an Ed25519 key under which anything verifies",
                [
                    CBOR.Entry(1, 1), CBOR.Entry(3, CBOR(COSEAlgorithmIdentifier.edDSA.rawValue)), CBOR.Entry(-1, 6),
                    CBOR.Entry(-2, .bytes(neutral)),
                ]
            ),
            key("rsa-small", "an RSA key of 512 bits", rsa([UInt8](repeating: 0xFF, count: 64), [1, 0, 1])),
            key("rsa-e-1", "an RSA key under which anything verifies", rsa(modulus, [1])),
            create(
                "key.rsa-e-3",
                .algorithm,
                .policy,
                isRefusedByDefault: false,
                // A statement would be about a key that nobody has.
                needs: [.noAttestation],
                changes: [.authenticatorData],
                "an RSA key of 2,048 bits with the exponent 3, which is legitimate and seldom made well"
            ) { (draft) throws(MutationError) in
                guard draft.context.acceptableAlgorithms.contains(.rs256) else {
                    throw MutationError("RS256 was not asked for")
                }
                try draft.setPublicKey(rsa(modulus, [3]))
            },
            key("empty", "a map without members", []),
        ]
    }
}

extension [CBOR.Entry] {
    /// Changes the value of one label.
    fileprivate mutating func edit(_ label: Int, _ body: (CBOR) -> CBOR) {
        guard let index = firstIndex(where: { $0.key == CBOR(label) }) else { return }
        self[index].value = body(self[index].value)
    }
}
