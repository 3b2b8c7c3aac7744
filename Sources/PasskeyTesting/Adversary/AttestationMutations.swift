import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension Mutation {
    /// What can be done to registrations.
    static var registrations: [Mutation] {
        clientDataMutations.filter { $0.ceremony == .create }
            + authenticatorDataMutations.filter { $0.ceremony == .create }
            + envelopeMutations + identifierMutations + keyMutations + statementMutations
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
                "the credential ID has 1,024 bytes"
            ) { (draft) throws(MutationError) in
                let id = [UInt8](repeating: 0xA5, count: 1024)
                draft.id = id
                try draft.editAttested { $0.credentialID = id }
            },
            create(
                "credId.1023-bytes",
                .credentialIDLength,
                .accept,
                changes: [.authenticatorData, .credentialID],
                "the credential ID has 1,023 bytes"
            ) { (draft) throws(MutationError) in
                let id = [UInt8](repeating: 0xA5, count: 1023)
                draft.id = id
                try draft.editAttested { $0.credentialID = id }
            },
            create(
                "credId.known-to-other-user",
                .credentialIDUniqueness,
                needs: [.anotherCredential],
                changes: [.authenticatorData, .credentialID],
                "the credential ID is another account's"
            ) { (draft) throws(MutationError) in
                guard let other = draft.context.others.first?.credential.id else {
                    throw MutationError("the authenticator has no other credential")
                }
                draft.id = other
                try draft.editAttested { $0.credentialID = other }
            },
        ]
    }

    private static var statementMutations: [Mutation] {
        func statement(
            _ name: String,
            _ step: RegistrationError.Step,
            _ summary: String,
            beforeSign: Change? = nil,
            afterSign: @escaping Change
        ) -> Mutation {
            create(
                name,
                step,
                needs: [.attestationVerified],
                changes: [.attestationObject],
                summary,
                beforeSign: beforeSign,
                afterSign: { (draft) throws(MutationError) in
                    try afterSign(&draft)
                    try draft.assemble()
                }
            )
        }
        let packed: Change = { (draft) throws(MutationError) in draft.format = .packed }
        return [
            statement("fmt.unknown", .attestationFormat, "the format is one that nobody knows") {
                (draft) throws(MutationError) in
                draft.format = "example-unknown"
            },
            statement("fmt.case", .attestationFormat, "the format is spelled with a capital") {
                (draft) throws(MutationError) in
                draft.format = draft.format == .packed ? "Packed" : "None"
            },
            statement("fmt.empty", .attestationFormat, "the format is empty") { (draft) throws(MutationError) in
                draft.format = ""
            },
            statement("att.none.non-empty", .attestationStatement, "the format none has a statement") {
                (draft) throws(MutationError) in
                draft.format = .none
                draft.statement = .map([CBOR.Entry(.text("x"), .bool(true))])
            },
            statement("att.none.array", .attestationStatement, "the format none has an array for a statement") {
                (draft) throws(MutationError) in
                draft.format = .none
                draft.statement = .array([])
            },
            create(
                "att.packed.self",
                .attestationStatement,
                .accept,
                changes: [.attestationObject],
                "the statement is self attestation, whether or not that was asked for",
                beforeSign: packed
            ),
            statement(
                "att.packed.sig-bad",
                .attestationStatement,
                "one bit of the statement's signature is another",
                beforeSign: packed
            ) { (draft) throws(MutationError) in
                try draft.editStatement("sig") { value in
                    guard var signature = value.byteArray, !signature.isEmpty else { return value }
                    signature[signature.count - 1] ^= 1
                    return .bytes(signature)
                }
            },
            statement(
                "att.packed.sig-other-key",
                .attestationStatement,
                "another key of the same kind signed the statement",
                beforeSign: packed
            ) { (draft) throws(MutationError) in
                let key = try draft.makeKey(draft.signer.algorithm)
                let signature = try draft.sign(draft.signedBytes(), with: key)
                try draft.editStatement("sig") { _ in .bytes(signature) }
            },
            statement(
                "att.packed.sig-over-other-hash",
                .attestationStatement,
                "the statement signs the client data and not its hash",
                beforeSign: packed
            ) { (draft) throws(MutationError) in
                let message = draft.authenticatorData.bytes + draft.clientDataJSON
                let signature = try draft.sign(message, with: draft.signer)
                try draft.editStatement("sig") { _ in .bytes(signature) }
            },
            statement(
                "att.packed.alg-mismatch",
                .attestationStatement,
                "the statement's algorithm is not the credential's",
                beforeSign: packed
            ) { (draft) throws(MutationError) in
                let other: COSEAlgorithmIdentifier = draft.signer.algorithm == .es384 ? .es256 : .es384
                try draft.editStatement("alg") { _ in CBOR(other.rawValue) }
            },
            statement(
                "att.packed.missing-alg",
                .attestationStatement,
                "the statement has no algorithm",
                beforeSign: packed
            ) { (draft) throws(MutationError) in
                draft.statement = .map((draft.statement.entries ?? []).filter { $0.key != .text("alg") })
            },
            statement(
                "att.packed.missing-sig",
                .attestationStatement,
                "the statement has no signature",
                beforeSign: packed
            ) { (draft) throws(MutationError) in
                draft.statement = .map((draft.statement.entries ?? []).filter { $0.key != .text("sig") })
            },
        ]
    }
}

extension CeremonyDraft {
    /// Writes the attestation object with other members.
    ///
    /// - Parameters:
    ///   - head: The map's head.
    ///   - arrange: Gets `fmt`, `attStmt` and `authData`, each with its value, and gives what follows the head.
    /// - Throws: `MutationError` if a value cannot be written.
    fileprivate mutating func setEnvelope<Members: Sequence>(
        head: [UInt8],
        _ arrange: ([[UInt8]]) -> Members
    ) throws(MutationError) where Members.Element == [UInt8] {
        let members = try MutationError.wrap { () throws(WireError) in
            var members: [[UInt8]] = []
            let values: [(String, CBOR)] = [
                ("fmt", .text(format.rawValue)), ("attStmt", statement), ("authData", .bytes(authenticatorData.bytes)),
            ]
            for (name, value) in values {
                members.append(try CBOR.text(name).encoded(.ctap2) + value.encoded(.ctap2))
            }
            return members
        }
        attestationObject = head + Array(arrange(members).joined())
    }

    /// Changes one member of a statement.
    fileprivate mutating func editStatement(_ name: String, _ body: (CBOR) -> CBOR) throws(MutationError) {
        guard var entries = statement.entries, let index = entries.firstIndex(where: { $0.key == .text(name) }) else {
            throw MutationError("the statement has no \(name)")
        }
        entries[index].value = body(entries[index].value)
        statement = .map(entries)
    }
}
