import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension Mutation {
    /// What can be done to authenticator data, in both ceremonies.
    static var authenticatorDataMutations: [Mutation] {
        structureMutations + scopeMutations + flagMutations
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
        list += both(
            "ext.not-map",
            .attestationObject,
            .authenticatorData,
            changes: [.authenticatorData],
            "extension outputs are an array"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.extensions = [0x80]
            draft.authenticatorData.set(.extensionData)
        }
        list += both(
            "ext.dup-key",
            .attestationObject,
            .authenticatorData,
            changes: [.authenticatorData],
            "extension outputs have one identifier twice"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.extensions = [0xA2, 0x61, 0x78, 0xF5, 0x61, 0x78, 0xF4]
            draft.authenticatorData.set(.extensionData)
        }
        list += both(
            "ext.unsolicited-where-refused",
            .extensions,
            .extensions,
            needs: [.unsolicitedExtensionsRefused],
            changes: [.authenticatorData],
            "an extension output that nobody asked for, where that is not accepted"
        ) { (draft) throws(MutationError) in
            try draft.authenticatorData.addExtension("example.unsolicited", .bool(true))
        }
        list += both(
            "ext.unsolicited",
            .extensions,
            .extensions,
            .accept,
            changes: [.authenticatorData],
            "an extension output that nobody asked for and nobody knows"
        ) { (draft) throws(MutationError) in
            try draft.authenticatorData.addExtension("example.unknown", .bool(true))
        }
        return list
    }

    private static var scopeMutations: [Mutation] {
        both(
            "rpIdHash.other",
            .rpIDHash,
            .rpIDHash,
            changes: [.authenticatorData],
            "the hash of another RP ID"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.rpIDHash = try MutationError.wrap { () throws(CryptoError) in
                try sha256([UInt8]("evil.example".utf8))
            }
        }
            + both(
                "rpIdHash.zero",
                .rpIDHash,
                .rpIDHash,
                changes: [.authenticatorData],
                "the RP ID hash is zero"
            ) { (draft) throws(MutationError) in
                draft.authenticatorData.rpIDHash = [UInt8](repeating: 0, count: 32)
            }
            + both(
                "rpIdHash.bit-flip",
                .rpIDHash,
                .rpIDHash,
                changes: [.authenticatorData],
                "the last bit of the RP ID hash is another"
            ) { (draft) throws(MutationError) in
                draft.authenticatorData.rpIDHash[31] ^= 1
            }
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
                let credential = draft.context.source.credential
                draft.authenticatorData.attested = AuthenticatorDataParts.Attested(
                    aaguid: AAGUID.zero.bytes,
                    credentialID: credential.id,
                    publicKey: credential.publicKey
                )
                draft.authenticatorData.set(.attestedCredentialData)
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
