import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension Mutation {
    /// What can be done to authenticator data, in both ceremonies.
    static var authenticatorDataMutations: [Mutation] {
        structureMutations + scopeMutations + flagMutations + extensionMutations
    }

    private static var structureMutations: [Mutation] {
        var list: [Mutation] = []
        list += both(
            "authData.trailing",
            .attestationObject,
            .authenticatorData,
            changes: [.authenticatorData],
            "one byte is left over"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.trailing = [0]
        }
        list += both(
            "authData.short",
            .attestationObject,
            .authenticatorData,
            changes: [.authenticatorData],
            "the last byte is missing"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.missing = 1
        }
        list += both(
            "authData.36-bytes",
            .attestationObject,
            .authenticatorData,
            changes: [.authenticatorData],
            "all is missing from the signature counter's last byte on"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.missing = draft.authenticatorData.bytes.count - 36
        }
        list += both(
            "authData.empty",
            .attestationObject,
            .authenticatorData,
            changes: [.authenticatorData],
            "there are no bytes"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.missing = draft.authenticatorData.bytes.count
        }
        list += both(
            "flags.ed1-without-data",
            .attestationObject,
            .authenticatorData,
            changes: [.authenticatorData],
            "extension outputs are announced, and there are none"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.extensions = []
            draft.authenticatorData.set(.extensionData)
        }
        list += [
            get(
                "authData.credIdLen-overflow",
                .authenticatorData,
                changes: [.authenticatorData],
                "a credential is attested once more, and its ID claims more bytes than there are"
            ) { (draft) throws(MutationError) in
                draft.attestOnceMore()
                try draft.editAttested { $0.claimedLength = 0xFFFF }
            },
            get(
                "authData.credIdLen-1024",
                .authenticatorData,
                .policy,
                isRefusedByDefault: false,
                changes: [.authenticatorData],
                "a credential is attested once more, and its ID has 1,024 bytes"
            ) { (draft) throws(MutationError) in
                draft.attestOnceMore()
                try draft.editAttested { $0.credentialID = [UInt8](repeating: 0xA5, count: 1024) }
            },
        ]
        return list
    }

    private static var scopeMutations: [Mutation] {
        func scope(
            _ name: String,
            _ summary: String,
            _ change: @escaping Change
        ) -> [Mutation] {
            both("rpIdHash.\(name)", .rpIDHash, .rpIDHash, changes: [.authenticatorData], summary, beforeSign: change)
        }
        var list = scope("other", "the hash of another RP ID") { (draft) throws(MutationError) in
            try draft.setRPIDHash(of: "evil.example")
        }
        list += scope("zero", "the RP ID hash is zero") { (draft) throws(MutationError) in
            draft.authenticatorData.rpIDHash = [UInt8](repeating: 0, count: 32)
        }
        list += scope("bit-flip", "the last bit of the RP ID hash is another") { (draft) throws(MutationError) in
            draft.authenticatorData.rpIDHash[31] ^= 1
        }
        list += scope("parent-domain", "the hash of the domain above the RP ID") { (draft) throws(MutationError) in
            guard let dot = draft.context.rpID.firstIndex(of: ".") else {
                throw MutationError("there is no domain above \(draft.context.rpID)")
            }
            try draft.setRPIDHash(of: String(draft.context.rpID[dot...].dropFirst()))
        }
        list += scope("subdomain", "the hash of a domain below the RP ID") { (draft) throws(MutationError) in
            try draft.setRPIDHash(of: "sub.\(draft.context.rpID)")
        }
        list += scope("of-origin", "the hash of the origin and not of the RP ID") { (draft) throws(MutationError) in
            try draft.setRPIDHash(of: draft.clientDataMembers()["origin"]?.string ?? "")
        }
        list.append(
            get(
                "rpIdHash.appid-unasked",
                .rpIDHash,
                changes: [.authenticatorData, .clientExtensionResults],
                "the hash of an AppID that nobody named, which the client claims to have used"
            ) { (draft) throws(MutationError) in
                try draft.setRPIDHash(of: "https://evil.example/app-id.json")
                draft.clientExtensionResults.appid = true
            }
        )
        return list
    }

    private static var flagMutations: [Mutation] {
        var list: [Mutation] = []
        list += both(
            "flags.reserved-bits",
            .attestationObject,
            .authenticatorData,
            .accept,
            changes: [.authenticatorData],
            "the two reserved bits are set"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.flags |= 0x22
        }
        list += both(
            "flags.up0",
            .userPresent,
            .userPresent,
            changes: [.authenticatorData],
            "UP is not set"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.clear(.userPresent)
        }
        list += both(
            "flags.uv0",
            .userVerified,
            .userVerified,
            needs: [.userVerificationRequired],
            changes: [.authenticatorData],
            "UV is not set"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.clear(.userVerified)
        }
        let backedUpAlone: Change = { (draft) throws(MutationError) in
            draft.authenticatorData.clear(.backupEligible)
            draft.authenticatorData.set(.backupState)
        }
        list += [
            create(
                "flags.be0bs1",
                .backupState,
                changes: [.authenticatorData],
                "BS is set without BE",
                beforeSign: backedUpAlone
            ),
            get(
                "flags.be0bs1",
                .backupState,
                // Otherwise BE would not be what it was, either.
                needs: [.notBackupEligible],
                changes: [.authenticatorData],
                "BS is set without BE",
                beforeSign: backedUpAlone
            ),
            create(
                "flags.at0-in-create",
                .attestationObject,
                changes: [.authenticatorData],
                "AT is not set, and nothing is attested"
            ) { (draft) throws(MutationError) in
                draft.authenticatorData.attested = nil
                draft.authenticatorData.clear(.attestedCredentialData)
            },
            create(
                "flags.be0bs0",
                .backupEligibilityPolicy,
                needs: [.backupEligibilityRequired],
                changes: [.authenticatorData],
                "neither BE nor BS is set"
            ) { (draft) throws(MutationError) in
                draft.authenticatorData.clear([.backupEligible, .backupState])
            },
            create(
                "flags.be1bs0",
                .backupStatePolicy,
                needs: [.backupRequired],
                changes: [.authenticatorData],
                "BE is set without BS"
            ) { (draft) throws(MutationError) in
                draft.authenticatorData.set(.backupEligible)
                draft.authenticatorData.clear(.backupState)
            },
            get(
                "flags.at1-in-get",
                .authenticatorData,
                .policy,
                isRefusedByDefault: false,
                changes: [.authenticatorData],
                "AT is set, and the credential attested once more"
            ) { (draft) throws(MutationError) in
                draft.attestOnceMore()
            },
            get(
                "flags.be-flip-after-registration",
                .backupConsistency,
                changes: [.authenticatorData],
                "BE is not what it was at registration"
            ) { (draft) throws(MutationError) in
                if draft.authenticatorData.has(.backupEligible) {
                    draft.authenticatorData.clear([.backupEligible, .backupState])
                } else {
                    draft.authenticatorData.set(.backupEligible)
                }
            },
            get(
                "flags.bs-flip-after-registration",
                .backupConsistency,
                .accept,
                needs: [.backupEligible],
                changes: [.authenticatorData],
                "BS is not what it was at registration, which happens"
            ) { (draft) throws(MutationError) in
                guard draft.authenticatorData.has(.backupEligible) else {
                    throw MutationError("the credential may not be backed up")
                }
                draft.authenticatorData.flags ^= AuthenticatorData.Flags.backupState.rawValue
            },
        ]
        return list
    }
}

extension CeremonyDraft {
    /// Puts attested credential data into a sign-in.
    fileprivate mutating func attestOnceMore() {
        let credential = context.source.credential
        authenticatorData.attested = AuthenticatorDataParts.Attested(
            aaguid: AAGUID.zero.bytes,
            credentialID: credential.id,
            publicKey: credential.publicKey
        )
        authenticatorData.set(.attestedCredentialData)
    }

    /// Puts the hash of a text in the place of the RP ID's.
    fileprivate mutating func setRPIDHash(of text: String) throws(MutationError) {
        authenticatorData.rpIDHash = try MutationError.wrap { () throws(CryptoError) in try sha256([UInt8](text.utf8)) }
    }
}
