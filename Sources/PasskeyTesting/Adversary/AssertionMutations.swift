import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension Mutation {
    /// What can be done to sign-ins.
    static var authentications: [Mutation] {
        clientDataMutations.filter { $0.ceremony == .get } + authenticatorDataMutations.filter { $0.ceremony == .get }
            + identityMutations + signatureMutations + ecdsaMutations + counterMutations
            + replayMutations.filter { $0.ceremony == .get }
    }

    private static var identityMutations: [Mutation] {
        let anotherID: Change = { (draft) throws(MutationError) in draft.id = try draft.otherBytes(than: draft.id) }
        let emptyUser: Change = { (draft) throws(MutationError) in
            draft.userHandle = nil
            draft.sendsEmptyUserHandle = true
        }
        let noUser: Change = { (draft) throws(MutationError) in draft.userHandle = nil }
        return [
            get(
                "credId.not-allowed",
                .allowedCredential,
                needs: [.allowedCredentials, .anotherCredentialOfAccount],
                changes: [.credentialID],
                "the credential is the account's, and none of those allowed"
            ) { (draft) throws(MutationError) in
                let (own, others) = (draft.context.source.credential, draft.context.others)
                guard let other = others.first(where: { AccountKey($0.credential) == AccountKey(own) }) else {
                    throw MutationError("the authenticator has no other credential of the account")
                }
                draft.id = other.credential.id
                draft.signer = other.privateKey
            },
            get(
                "credId.unknown",
                .credential,
                needs: [.discoverable],
                changes: [.credentialID],
                "the credential is nobody's",
                afterSign: anotherID
            ),
            get(
                "userHandle.other-user",
                .credential,
                changes: [.userHandle],
                "the user handle is another user's",
                afterSign: { (draft) throws(MutationError) in
                    let bytes = try draft.otherBytes(than: draft.userHandle?.bytes ?? [])
                    draft.userHandle = try MutationError.wrap { () throws(ModelError) in try UserHandle(bytes: bytes) }
                }
            ),
            get(
                "userHandle.truncated",
                .credential,
                changes: [.userHandle],
                "the last byte of the user handle is missing",
                afterSign: { (draft) throws(MutationError) in
                    let bytes = draft.userHandle?.bytes ?? []
                    draft.userHandle = try MutationError.wrap { () throws(ModelError) in
                        try UserHandle(bytes: bytes.dropLast())
                    }
                }
            ),
            get(
                "cross-user",
                .credential,
                needs: [.knownUserAlone, .anotherCredential],
                changes: [.credentialID, .userHandle],
                "the credential is another account's, whose user signs in here in the place of this one"
            ) { (draft) throws(MutationError) in
                let own = AccountKey(draft.context.source.credential)
                guard let other = draft.context.others.first(where: { AccountKey($0.credential) != own }) else {
                    throw MutationError("the authenticator has no credential of another account")
                }
                draft.id = other.credential.id
                draft.userHandle = other.credential.userHandle
                draft.signer = other.privateKey
            },
            get(
                "userHandle.empty",
                .credential,
                needs: [.discoverable],
                changes: [.userHandle],
                "the user handle has no bytes, and nothing else says who it is",
                afterSign: emptyUser
            ),
            get(
                "userHandle.empty-when-known",
                .credential,
                .accept,
                needs: [.knownUser],
                changes: [.userHandle],
                "the user handle has no bytes, as some clients send it, and the user is known",
                afterSign: emptyUser
            ),
            get(
                "userHandle.missing-when-discoverable",
                .credential,
                needs: [.discoverable],
                changes: [.userHandle],
                "there is no user handle, and nothing else says who it is",
                afterSign: noUser
            ),
            get(
                "userHandle.missing-when-known",
                .credential,
                .accept,
                needs: [.knownUser],
                changes: [.userHandle],
                "there is no user handle, and the user is known",
                afterSign: noUser
            ),
        ]
    }

    private static var signatureMutations: [Mutation] {
        func signature(
            _ name: String,
            _ summary: String,
            _ change: @escaping Change
        ) -> Mutation {
            get("signature.\(name)", .signature, changes: [.signature], summary, afterSign: change)
        }
        return [
            signature("bit-flip", "the last bit is another") { (draft) throws(MutationError) in
                guard !draft.signature.isEmpty else { throw MutationError("there is no signature") }
                draft.signature[draft.signature.count - 1] ^= 1
            },
            signature("empty", "there are no bytes") { (draft) throws(MutationError) in
                draft.signature = []
            },
            signature("zero", "all bytes are zero") { (draft) throws(MutationError) in
                draft.signature = [UInt8](repeating: 0, count: draft.signature.count)
            },
            signature("truncated", "the last byte is missing") { (draft) throws(MutationError) in
                draft.signature = draft.signature.dropLast()
            },
            signature("trailing", "a byte follows") { (draft) throws(MutationError) in
                draft.signature.append(0)
            },
            signature("other-key", "another key of the same kind signed") { (draft) throws(MutationError) in
                let key = try draft.makeKey(draft.signer.algorithm)
                draft.signature = try draft.sign(draft.signedBytes(), with: key)
            },
            signature("over-clientData-not-hash", "the client data is signed and not its hash") {
                (draft) throws(MutationError) in
                let message = draft.authenticatorData.bytes + draft.clientDataJSON
                draft.signature = try draft.sign(message, with: draft.signer)
            },
            signature("truncated-hash", "half of the client data's hash is signed") { (draft) throws(MutationError) in
                draft.signature = try draft.sign(draft.signedBytes().dropLast(16), with: draft.signer)
            },
            signature("over-hash-alone", "authenticator data is not signed") { (draft) throws(MutationError) in
                let message = Array(try draft.signedBytes().suffix(32))
                draft.signature = try draft.sign(message, with: draft.signer)
            },
            signature("over-authData-alone", "client data is not signed") { (draft) throws(MutationError) in
                draft.signature = try draft.sign(draft.authenticatorData.bytes, with: draft.signer)
            },
        ]
    }

    /// What can be done to the two numbers of ECDSA.
    private static var ecdsaMutations: [Mutation] {
        func ecdsa(
            _ name: String,
            _ summary: String,
            _ verdict: Verdict = .reject,
            _ change: @escaping @Sendable (inout CeremonyDraft, ECDSAGroup) throws(MutationError) -> [UInt8]
        ) -> Mutation {
            get(
                "signature.\(name)",
                .signature,
                verdict,
                needs: [.ecdsa],
                changes: [.signature],
                summary,
                afterSign: {
                    (draft) throws(MutationError) in
                    guard let group = ECDSAGroup(draft.signer.algorithm) else {
                        throw MutationError("\(draft.signer.algorithm) is not ECDSA")
                    }
                    draft.signature = try change(&draft, group)
                }
            )
        }
        return [
            ecdsa("raw-r-s", "r and s stand side by side, without DER") { (draft, group) throws(MutationError) in
                let parsed = try draft.parsedSignature()
                return group.padded(parsed.r) + group.padded(parsed.s)
            },
            ecdsa("zero-r-s", "r and s are zero, as in CVE-2022-21449") { (_, _) throws(MutationError) in
                [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00]
            },
            ecdsa("non-der", "r begins with a zero byte too many") { (draft, _) throws(MutationError) in
                let parsed = try draft.parsedSignature()
                return ECDSAGroup.der([0] + ECDSAGroup.integer(parsed.r), ECDSAGroup.integer(parsed.s))
            },
            ecdsa("der-short-length", "the sequence's length is one less than it is") {
                (draft, _) throws(MutationError) in
                var signature = draft.signature
                guard signature.count > 2 else { throw MutationError("there is no signature") }
                signature[signature[1] == 0x81 ? 2 : 1] -= 1
                return signature
            },
            ecdsa("der-extra", "a byte follows inside the sequence") { (draft, _) throws(MutationError) in
                let parsed = try draft.parsedSignature()
                return ECDSAGroup.der(ECDSAGroup.integer(parsed.r), ECDSAGroup.integer(parsed.s), trailing: [0])
            },
            ecdsa("ber-length", "the sequence's length takes a byte more than it must") {
                (draft, _) throws(MutationError) in
                let parsed = try draft.parsedSignature()
                let content = ECDSAGroup.der(ECDSAGroup.integer(parsed.r), ECDSAGroup.integer(parsed.s))
                    .dropFirst(draft.signature.count < 0x82 ? 2 : 3)
                let count = UInt8(truncatingIfNeeded: content.count)
                return (content.count < 0x80 ? [0x30, 0x81, count] : [0x30, 0x82, 0, count]) + content
            },
            ecdsa("s-not-reduced", "s is greater than the order of the group") { (draft, group) throws(MutationError) in
                let parsed = try draft.parsedSignature()
                let sum = group.plus(parsed.s)
                return ECDSAGroup.der(ECDSAGroup.integer(parsed.r), ECDSAGroup.integer(sum))
            },
            ecdsa("high-s", "s is the greater one of two, which WebAuthn does not mind", .accept) {
                (draft, group) throws(MutationError) in
                // Half of all signatures have a high s already, and are what is wanted.
                let parsed = try draft.parsedSignature()
                let opposite = group.minus(parsed.s)
                guard group.isLess(parsed.s, opposite) else { return draft.signature }
                return ECDSAGroup.der(ECDSAGroup.integer(parsed.r), ECDSAGroup.integer(opposite))
            },
        ]
    }

    private static var counterMutations: [Mutation] {
        func counter(
            _ name: String,
            _ verdict: Verdict = .policy,
            isRefusedByDefault: Bool,
            needs: Set<Need> = [.signatureCounter],
            _ summary: String,
            _ change: @escaping @Sendable (_ counter: UInt32, _ step: UInt32) -> UInt32
        ) -> Mutation {
            get(
                "signCount.\(name)",
                .signCount,
                verdict,
                isRefusedByDefault: isRefusedByDefault,
                needs: needs,
                changes: [.authenticatorData],
                summary
            ) { (draft) throws(MutationError) in
                let (count, step) = (draft.authenticatorData.signCount, draft.context.counterStep)
                guard count > step else {
                    throw MutationError("the authenticator does not count, or there was no sign-in before")
                }
                draft.authenticatorData.signCount = change(count, step)
            }
        }
        return [
            counter("same", isRefusedByDefault: true, "the counter has not moved") { $0 - $1 },
            counter("lower", isRefusedByDefault: true, "the counter went back") { $0 - $1 - 1 },
            counter("reset-to-0", isRefusedByDefault: true, "the counter is zero again") { _, _ in 0 },
            counter(
                "wrap",
                isRefusedByDefault: true,
                needs: [.signatureCounterAtEnd],
                "the counter began anew after the greatest there is"
            ) { _, step in step },
            counter("max", .accept, isRefusedByDefault: false, "the counter is the greatest there is") { _, _ in .max },
        ]
    }
}
