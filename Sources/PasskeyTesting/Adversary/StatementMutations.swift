import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension Mutation {
    /// What can be done to attestation: formats, statements, and whom they lead to.
    static var statementMutations: [Mutation] {
        formatMutations + noneMutations + packedMutations + faultMutations + shapeMutations + chainMutations
            + trustMutations
    }

    // MARK: Formats

    private static var formatMutations: [Mutation] {
        func format(
            _ name: String,
            _ summary: String,
            _ change: @escaping @Sendable (AttestationStatementFormat) -> AttestationStatementFormat
        ) -> Mutation {
            create(
                "fmt.\(name)",
                .attestationFormat,
                needs: [.attestationVerified],
                changes: [.attestationObject],
                summary,
                afterSign: { (draft) throws(MutationError) in
                    draft.format = change(draft.format)
                    try draft.assemble()
                }
            )
        }
        return [
            format("unknown", "the format is one that nobody knows") { _ in "example-unknown" },
            format("case", "the format is spelled with a capital") { honest in
                AttestationStatementFormat(
                    rawValue: honest.rawValue.prefix(1).uppercased() + honest.rawValue.dropFirst()
                )
            },
            format("empty", "the format is empty") { _ in "" },
            create(
                "fmt.unknown-where-unasked",
                .attestationFormat,
                .accept,
                needs: [.attestationNotAsked],
                changes: [.attestationObject],
                "the format is one that nobody knows, and nobody asked for any",
                afterSign: { (draft) throws(MutationError) in
                    draft.format = "example-unknown"
                    try draft.assemble()
                }
            ),
        ]
    }

    private static var noneMutations: [Mutation] {
        ["att.none.non-empty", "att.none.array"].enumerated().map { variant, name in
            create(
                name,
                .attestationStatement,
                rule: "none.syntax",
                needs: [.attestationVerified, .noAttestation],
                changes: [.attestationObject],
                variant == 0 ? "the format none has a statement" : "the format none has an array for a statement",
                beforeSign: { (draft) throws(MutationError) in try draft.breakRule("none.syntax", variant) }
            )
        }
    }

    // MARK: Statements

    /// What is done to a statement of `packed` with another change than of a rule.
    private static var packedMutations: [Mutation] {
        let needs: [(prefix: String, need: Need, rule: String)] = [
            ("", .packedAttestation, "packed.signature"), ("self-", .selfAttestation, "packed.selfSignature"),
        ]
        return needs.flatMap { prefix, need, rule in
            [
                create(
                    "att.packed.\(prefix)sig-bad",
                    .attestationStatement,
                    rule: rule,
                    needs: [.attestationVerified, need],
                    changes: [.attestationObject],
                    "one bit of the statement's signature is another",
                    afterSign: { (draft) throws(MutationError) in
                        try draft.editStatement("sig") { value in
                            guard var signature = value.byteArray, !signature.isEmpty else { return value }
                            signature[signature.count - 1] ^= 1
                            return .bytes(signature)
                        }
                        try draft.assemble()
                    }
                ),
                create(
                    "att.packed.\(prefix)sig-over-other-hash",
                    .attestationStatement,
                    rule: rule,
                    needs: [.attestationVerified, need],
                    changes: [.attestationObject],
                    "the statement signs the client data and not its hash",
                    beforeSign: { (draft) throws(MutationError) in draft.attestedHash = draft.clientDataJSON }
                ),
            ]
        }
    }

    private static var faultMutations: [Mutation] {
        brokenFormats.flatMap { format in
            format.rules.map { broken in
                let rule = "\(format.format.rawValue).\(broken.rule)"
                return create(
                    "\(format.prefix).\(broken.name)",
                    .attestationStatement,
                    rule: rule,
                    needs: broken.needs.union([.attestationVerified, format.need]),
                    changes: [.attestationObject],
                    broken.summary,
                    beforeSign: { (draft) throws(MutationError) in try draft.breakRule(rule, broken.variant) }
                )
            }
        }
    }

    /// What the shape of a statement makes wrong, or does not.
    private static var shapeMutations: [Mutation] {
        [
            create(
                "att.compound.one-bad",
                .attestationStatement,
                .policy,
                isRefusedByDefault: true,
                rule: "compound.substatement",
                needs: [.attestationVerified, .compoundAttestation],
                changes: [.attestationObject],
                "one part does not verify",
                beforeSign: { (draft) throws(MutationError) in try draft.breakRule("compound.substatement", 0) }
            ),
            create(
                "att.android-key.softwareEnforced-only",
                .attestationStatement,
                rule: "android-key.origin",
                needs: [.attestationVerified, .androidKeyAttestation, .androidHardwareRequired],
                changes: [.attestationObject],
                "software alone says what the key is"
            ) { (draft) throws(MutationError) in
                try draft.require(.androidKey)
                draft.profile.androidKey.enforcement = .software
            },
            create(
                "att.android-key.split",
                .attestationStatement,
                .accept,
                needs: [.attestationVerified, .androidKeyAttestation],
                changes: [.attestationObject],
                "hardware says all of the key but where it is from, and software that"
            ) { (draft) throws(MutationError) in
                try draft.require(.androidKey)
                draft.profile.androidKey.enforcement = .split
            },
            create(
                "att.u2f.credential-non-P256",
                .attestationStatement,
                rule: "fido-u2f.credentialKey",
                needs: [.attestationVerified, .fidoU2FAttestation, .es384],
                changes: [.authenticatorData],
                "the credential's key is on P-384, of which U2F knows nothing"
            ) { (draft) throws(MutationError) in
                try draft.breakRule("fido-u2f.credentialKey", 0)
                draft.signer = try draft.makeKey(.es384)
                let key = draft.signer.publicKey.encoded
                try draft.editAttested { $0.publicKey = key }
            },
            create(
                "att.u2f.aaguid-nonzero",
                .attestationStatement,
                .policy,
                isRefusedByDefault: false,
                needs: [.attestationVerified, .fidoU2FAttestation],
                changes: [.authenticatorData],
                "the authenticator says which model it is, which U2F's never do"
            ) { (draft) throws(MutationError) in
                try draft.require(.fidoU2F)
                try draft.editAttested { $0.aaguid = [UInt8](1...16) }
            },
            create(
                "att.packed.self",
                .attestationStatement,
                .accept,
                needs: [.attestationNotTrusted, .noAttestation],
                changes: [.attestationObject],
                "the statement is self attestation, whether or not that was asked for"
            ) { (draft) throws(MutationError) in
                draft.profile = AttestationProfile(.packed, isSelf: true)
            },
            create(
                "att.packed.self-nonzero-aaguid-on-none",
                .attestationStatement,
                .accept,
                needs: [.attestationNotTrusted, .noAttestation],
                changes: [.attestationObject, .authenticatorData],
                "the statement is self attestation of a model, where no attestation was asked for"
            ) { (draft) throws(MutationError) in
                draft.profile = AttestationProfile(.packed, isSelf: true)
                try draft.editAttested { $0.aaguid = [UInt8](1...16) }
            },
        ]
    }

    // MARK: Trust

    private static var chainMutations: [Mutation] {
        let faults: [(name: String, fault: AttestationChainFault, summary: String)] = [
            ("expired", .expiredLeaf, "the attestation certificate expired"),
            ("not-yet-valid", .notYetValidLeaf, "the attestation certificate is not valid yet"),
            ("intermediate-expired", .expiredIntermediate, "an intermediate certificate expired"),
            ("x5c-not-CA-chain", .otherRoot, "the certificates lead to another root of the right name"),
            ("intermediate-no-CA", .intermediateIsNoAuthority, "an intermediate certificate is of no authority"),
            ("path-length", .pathLength, "an authority issued certificates below one that allows none"),
            (
                "name-constraint", .nameConstraint,
                "the attestation certificate has a name that its authority may not give"
            ),
            ("intermediate-missing", .missingIntermediate, "an intermediate certificate is missing"),
        ]
        return faults.map { name, fault, summary in
            chain("att.packed.\(name)", .packedAttestation, fault, summary)
        } + [
            chain("att.apple.wrong-root", .appleAttestation, .otherRoot, "the certificates lead to another root"),
            chain("att.tpm.wrong-root", .tpmAttestation, .otherRoot, "the certificates lead to another root"),
            chain(
                "att.android-key.wrong-root",
                .androidKeyAttestation,
                .otherRoot,
                "the certificates lead to another root"
            ),
            chain("att.u2f.wrong-root", .fidoU2FAttestation, .otherRoot, "the certificate leads to another root"),
        ]
    }

    private static func chain(
        _ name: String,
        _ need: Need,
        _ fault: AttestationChainFault,
        _ summary: String
    ) -> Mutation {
        create(
            name,
            .attestationTrust,
            needs: [.attestationTrusted, need],
            changes: [.attestationObject],
            summary
        ) { (draft) throws(MutationError) in
            try draft.require(need.attestation?.format ?? .packed)
            draft.profile.chainFault = fault
        }
    }

    private static var trustMutations: [Mutation] {
        let needs: Set<Need> = [.attestationTrusted, .packedAttestation]
        return [
            create(
                "att.stripped",
                .attestationTrust,
                needs: needs,
                changes: [.attestationObject],
                "there is no attestation, though the authenticator attests"
            ) { (draft) throws(MutationError) in
                draft.profile = AttestationProfile(.none)
            },
            create(
                "att.packed.self-in-place-of-certificates",
                .attestationTrust,
                needs: needs,
                changes: [.attestationObject],
                "the credential attests itself, and says that it is on an authenticator of the model"
            ) { (draft) throws(MutationError) in
                draft.profile = AttestationProfile(.packed, isSelf: true)
            },
            create(
                "att.packed.own-authority",
                .attestationTrust,
                needs: needs,
                changes: [.attestationObject],
                "the statement is as right as can be, by an authority of the adversary's own"
            ) { (draft) throws(MutationError) in
                draft.profile.authority = AttestationAuthority(name: "Adversary")
            },
            create(
                "att.packed.own-root-in-x5c",
                .attestationTrust,
                needs: needs,
                changes: [.attestationObject],
                "the statement is by an authority of the adversary's own, and carries its root"
            ) { (draft) throws(MutationError) in
                draft.profile.authority = AttestationAuthority(name: "Adversary")
                draft.profile.includesRoot = true
            },
            create(
                "att.packed.root-in-x5c",
                .attestationTrust,
                .accept,
                needs: needs,
                changes: [.attestationObject],
                "the statement carries the root, too, as some authenticators do"
            ) { (draft) throws(MutationError) in
                draft.profile.includesRoot = true
            },
            create(
                "att.packed.repeated-certificates",
                .attestationTrust,
                .accept,
                needs: needs,
                changes: [.attestationObject],
                "the statement carries an intermediate and the root, each of them twice"
            ) { (draft) throws(MutationError) in
                draft.profile.intermediateCount = max(draft.profile.intermediateCount, 1)
                draft.profile.includesRoot = true
                draft.profile.repeatsCertificates = true
            },
        ]
    }
}

extension CeremonyDraft {
    /// Throws unless the ceremony is attested in a format.
    fileprivate func require(_ format: AttestationStatementFormat) throws(MutationError) {
        guard profile.format == format else {
            throw MutationError("the credential is attested in the format \(profile.format), not \(format)")
        }
    }

    /// Lets the statement break a rule of its format when it is made anew.
    fileprivate mutating func breakRule(_ rule: String, _ variant: Int) throws(MutationError) {
        guard let fault = AttestationFault(rule)?.variants.dropFirst(variant).first else {
            throw MutationError("nobody knows how to break \(rule)")
        }
        try require(fault.format)
        profile.fault = fault
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
