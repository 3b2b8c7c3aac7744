import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension Mutation {
    /// What can be done to registrations.
    static var registrations: [Mutation] {
        clientDataMutations.filter { $0.ceremony == .create }
            + authenticatorDataMutations.filter { $0.ceremony == .create }
            + envelopeMutations + identifierMutations + claimMutations + keyMutations + statementMutations
            + replayMutations.filter { $0.ceremony == .create }
    }

    /// The attestation object's CBOR, of which nothing but authenticator data is signed.
    private static var envelopeMutations: [Mutation] {
        func envelope(
            _ name: String,
            _ summary: String,
            _ verdict: Verdict = .reject,
            _ change: @escaping Change
        ) -> Mutation {
            create(
                "cbor.\(name)",
                .attestationObject,
                verdict,
                isRefusedByDefault: verdict == .reject,
                changes: [.attestationObject],
                summary,
                afterSign: change
            )
        }
        return [
            envelope("trailing", "a byte follows the object") { (draft) throws(MutationError) in
                draft.attestationObject.append(0)
            },
            envelope("truncated", "the last byte is missing") { (draft) throws(MutationError) in
                draft.attestationObject.removeLast()
            },
            envelope("empty", "there are no bytes") { (draft) throws(MutationError) in
                draft.attestationObject = []
            },
            envelope("dup-key", "fmt is there twice") { (draft) throws(MutationError) in
                try draft.setEnvelope(head: [0xA4]) { $0 + $0[0..<1] }
            },
            envelope("missing-fmt", "fmt is not there") { (draft) throws(MutationError) in
                try draft.setEnvelope(head: [0xA2]) { $0[1...] }
            },
            envelope("missing-attStmt", "attStmt is not there") { (draft) throws(MutationError) in
                try draft.setEnvelope(head: [0xA2]) { [$0[0], $0[2]] }
            },
            envelope("missing-authData", "authData is not there") { (draft) throws(MutationError) in
                try draft.setEnvelope(head: [0xA2]) { $0[0..<2] }
            },
            envelope("array", "the object is an array") { (draft) throws(MutationError) in
                draft.attestationObject = [0x81] + draft.attestationObject
            },
            envelope("extra-key", "a member that nobody knows follows", .policy) { (draft) throws(MutationError) in
                try draft.setEnvelope(head: [0xA4]) { $0 + [[0x61, 0x78, 0xF5]] }
            },
            envelope("non-canonical", "authData comes first", .policy) { (draft) throws(MutationError) in
                try draft.setEnvelope(head: [0xA3]) { $0.reversed() }
            },
            envelope("indefinite", "the map's length is not given", .policy) { (draft) throws(MutationError) in
                try draft.setEnvelope(head: [0xBF]) { $0 + [[0xFF]] }
            },
            envelope("deep", "the statement is nested a thousand times") { (draft) throws(MutationError) in
                let deep = [UInt8](repeating: 0x81, count: 1000) + [0x00]
                try draft.setEnvelope(head: [0xA3]) { [$0[0], [0x67] + [UInt8]("attStmt".utf8) + deep, $0[2]] }
            },
            envelope("huge-len", "authData claims 2^62 bytes") { (draft) throws(MutationError) in
                let head: [UInt8] = [0x5B, 0x40, 0, 0, 0, 0, 0, 0, 0]
                let data = draft.authenticatorData.bytes
                try draft.setEnvelope(head: [0xA3]) { $0[0..<2] + [[0x68] + [UInt8]("authData".utf8) + head + data] }
            },
        ]
    }

    private static var identifierMutations: [Mutation] {
        [
            create(
                "authData.credIdLen-overflow",
                .attestationObject,
                changes: [.authenticatorData],
                "the credential ID claims more bytes than there are"
            ) { (draft) throws(MutationError) in
                try draft.editAttested { $0.claimedLength = 0xFFFF }
            },
            create(
                "authData.credIdLen-1024",
                .credentialIDLength,
                changes: [.authenticatorData, .credentialID],
                "the credential ID has 1,024 bytes"
            ) { (draft) throws(MutationError) in
                try draft.setCredentialID([UInt8](repeating: 0xA5, count: 1024))
            },
            create(
                "credId.empty",
                .attestationObject,
                changes: [.authenticatorData],
                "the credential ID has no bytes"
            ) { (draft) throws(MutationError) in
                try draft.editAttested { $0.credentialID = [] }
            },
            create(
                "credId.not-attested",
                .attestationObject,
                changes: [.credentialID],
                "the response names another credential than the attested one",
                afterSign: { (draft) throws(MutationError) in draft.id = try draft.otherBytes(than: draft.id) }
            ),
            create(
                "credId.over-1023",
                .credentialIDLength,
                changes: [.authenticatorData, .credentialID],
                "the credential ID has 4,096 bytes"
            ) { (draft) throws(MutationError) in
                try draft.setCredentialID([UInt8](repeating: 0xA5, count: 4096))
            },
            create(
                "credId.1023-bytes",
                .credentialIDLength,
                .accept,
                changes: [.authenticatorData, .credentialID],
                "the credential ID has 1,023 bytes"
            ) { (draft) throws(MutationError) in
                try draft.setCredentialID([UInt8](repeating: 0xA5, count: 1023))
            },
            create(
                "credId.known-to-other-user",
                .credentialIDUniqueness,
                needs: [.anotherCredential],
                changes: [.authenticatorData, .credentialID],
                "the credential ID is another account's"
            ) { (draft) throws(MutationError) in
                let own = AccountKey(draft.context.source.credential)
                guard let other = draft.context.others.first(where: { AccountKey($0.credential) != own }) else {
                    throw MutationError("the authenticator has no credential of another account")
                }
                try draft.setCredentialID(other.credential.id)
            },
            create(
                "credId.duplicate",
                .credentialIDUniqueness,
                needs: [.anotherCredentialOfAccount],
                changes: [.authenticatorData, .credentialID],
                "the credential ID is the account's own already, with another key"
            ) { (draft) throws(MutationError) in
                let own = AccountKey(draft.context.source.credential)
                guard let other = draft.context.others.first(where: { AccountKey($0.credential) == own }) else {
                    throw MutationError("the authenticator has no other credential of the account")
                }
                try draft.setCredentialID(other.credential.id)
            },
        ]
    }

    /// The copies beside the attestation object, which a relying party that parses no CBOR believes.
    private static var claimMutations: [Mutation] {
        func claim(
            _ name: String,
            _ step: RegistrationError.Step,
            _ summary: String,
            _ change: @escaping @Sendable (inout CeremonyDraft) throws(MutationError) -> Void
        ) -> Mutation {
            create(
                "claims.\(name)",
                step,
                .policy,
                isRefusedByDefault: true,
                changes: [.claims],
                summary,
                afterSign: change
            )
        }
        return [
            claim("authenticatorData", .attestationObject, "the JSON's authenticatorData is not the attested one") {
                (draft) throws(MutationError) in
                var other = draft.authenticatorData
                other.signCount ^= 1
                draft.claims.authenticatorData = other.bytes
            },
            claim("publicKey", .algorithm, "the JSON's publicKey is another key") { (draft) throws(MutationError) in
                let key = try draft.makeKey(draft.signer.algorithm)
                draft.claims.publicKey = try MutationError.wrap { () throws(CryptoError) in
                    try PublicKey(key.publicKey).subjectPublicKeyInfo()
                }
            },
            claim("publicKeyAlgorithm", .algorithm, "the JSON's publicKeyAlgorithm is another") {
                (draft) throws(MutationError) in
                let own = draft.signer.algorithm
                draft.claims.publicKeyAlgorithm = (own == .rs1 ? COSEAlgorithmIdentifier.rs256 : .rs1).rawValue
            },
        ]
    }
}

extension CeremonyDraft {
    /// Gives the credential another ID, attested and beside the response.
    fileprivate mutating func setCredentialID(_ id: [UInt8]) throws(MutationError) {
        self.id = id
        try editAttested { $0.credentialID = id }
    }
}
