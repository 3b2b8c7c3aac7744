import PasskeyModel
import PasskeyWire

extension Mutation {
    /// What can be done to extension outputs, in both ceremonies.
    static var extensionMutations: [Mutation] {
        var list: [Mutation] = []
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
            try draft.authenticatorData.setExtension("example.unsolicited", .bool(true))
        }
        list += both(
            "ext.unsolicited",
            .extensions,
            .extensions,
            .accept,
            changes: [.authenticatorData],
            "an extension output that nobody asked for and nobody knows"
        ) { (draft) throws(MutationError) in
            try draft.authenticatorData.setExtension("example.unknown", .bool(true))
        }
        list += both(
            "ext.empty-map",
            .extensions,
            .extensions,
            .accept,
            changes: [.authenticatorData],
            "extension outputs are announced, and the map of them is empty"
        ) { (draft) throws(MutationError) in
            draft.authenticatorData.extensions = [0xA0]
            draft.authenticatorData.set(.extensionData)
        }
        list += both(
            "ext.wrong-type",
            .extensions,
            .extensions,
            .policy,
            isRefusedByDefault: false,
            changes: [.authenticatorData],
            "outputs that nobody asked for have other types than their extensions define"
        ) { (draft) throws(MutationError) in
            try draft.authenticatorData.setExtension("credProtect", .text("high"))
            try draft.authenticatorData.setExtension("hmac-secret", .array([]))
        }
        return list + clientExtensionMutations + protectionMutations
    }

    /// What the client says of extensions, which nothing signs.
    private static var clientExtensionMutations: [Mutation] {
        func client(
            _ name: String,
            _ summary: String,
            _ change: @escaping @Sendable (inout AuthenticationExtensionsClientOutputs) -> Void
        ) -> [Mutation] {
            let isRefused: [(String, Verdict, Set<Need>)] = [
                ("", .accept, []), ("-where-refused", .reject, [.unsolicitedExtensionsRefused]),
            ]
            return isRefused.flatMap { suffix, verdict, needs in
                both(
                    "ext.\(name)\(suffix)",
                    .extensions,
                    .extensions,
                    verdict,
                    needs: needs,
                    changes: [.clientExtensionResults],
                    summary,
                    afterSign: { (draft) throws(MutationError) in change(&draft.clientExtensionResults) }
                )
            }
        }
        return client("prf-result-without-request", "the client gives secrets that nobody asked for") { outputs in
            outputs.prf = PRFOutputs(enabled: true, results: PRFValues(first: [UInt8](repeating: 0xA5, count: 32)))
        }
            + client("largeBlob-garbage", "the client gives a blob that nobody asked for and that is none") { outputs in
                outputs.largeBlob = LargeBlobOutputs(supported: true, blob: [UInt8](repeating: 0xFF, count: 64))
            }
            + client("appid-without-request", "the client claims to have used an AppID that nobody named") { outputs in
                outputs.appid = true
            }
    }

    /// credProtect, whose level a relying party can insist on.
    private static var protectionMutations: [Mutation] {
        func protection(_ name: String, _ summary: String, _ output: CBOR?) -> Mutation {
            create(
                "ext.credProtect-\(name)",
                .extensions,
                needs: [.credentialProtectionRequired],
                changes: [.authenticatorData],
                summary
            ) { (draft) throws(MutationError) in
                try draft.authenticatorData.setExtension("credProtect", output)
            }
        }
        return [
            protection("lowered", "the credential is guarded less than was asked for", 1),
            protection("missing", "nothing is said of how the credential is guarded", nil),
            protection("wrong-type", "how the credential is guarded is text", .text("3")),
        ]
    }
}
