import PasskeyTesting
import Testing

/// The attacks that the catalogue has to have whatever becomes of it, in the order of the relying party's steps.
///
/// Where a name in prose has a sign that no identifier has, a word stands for it: `ver-not-2.0`, `ca-true`, `rsa-e-1`.
@Suite("The list that the catalogue was made by")
struct MutationListTests {
    private static let both: [String: [String]] = [
        "type": ["absent", "case"],
        "challenge": ["other", "stale", "truncated", "padded-b64", "std-b64", "empty"],
        "origin": [
            "http", "evil", "suffix-attack", "subdomain", "port", "trailing-slash", "userinfo", "unicode", "punycode",
            "case", "null", "android-apk-key-hash",
        ],
        "crossOrigin": ["true"],
        "topOrigin": ["evil", "present-without-crossOrigin"],
        "clientData": [
            "bom", "duplicate-keys", "trailing-garbage", "not-json", "utf16", "extra-keys", "reordered",
        ],
        "rpIdHash": ["other", "zero", "parent-domain"],
        "flags": ["up0", "uv0", "be0bs1", "ed1-without-data", "reserved-bits"],
        "authData": ["short", "trailing", "36-bytes", "credIdLen-overflow", "credIdLen-1024"],
        "ext": ["unsolicited", "wrong-type", "prf-result-without-request", "largeBlob-garbage"],
    ]

    private static let create: [String: [String]] = [
        "type": ["get"],
        "cbor": [
            "trailing", "indefinite", "dup-key", "non-canonical", "missing-fmt", "extra-key", "deep", "huge-len",
        ],
        "flags": ["at0-in-create"],
        "key": [
            "alg-not-offered", "alg-mismatch-cose", "crv-mismatch", "point-off-curve", "point-infinity", "compressed-y",
            "missing-x", "rsa-small", "rsa-e-1", "rsa-e-3", "okp-low-order", "unknown-kty",
        ],
        "fmt": ["unknown", "case", "empty"],
        "att.packed": [
            "sig-bad", "sig-over-other-hash", "alg-mismatch", "x5c-empty", "x5c-not-CA-chain", "cert-v1",
            "ou-not-authenticator-attestation", "c-missing", "ca-true", "aaguid-ext-mismatch", "aaguid-ext-critical",
            "expired", "not-yet-valid", "self-alg-not-cred-alg", "self-nonzero-aaguid-on-none",
        ],
        "att.tpm": [
            "ver-not-2.0", "magic", "type-not-attest-certify", "extraData-mismatch", "name-mismatch",
            "pubArea-not-credKey", "EKU-missing", "SAN-missing", "vendor-unknown", "subject-nonempty",
        ],
        "att.android-key": [
            "challenge-mismatch", "key-mismatch", "allApplications", "origin-not-generated", "purpose-not-sign",
            "softwareEnforced-only",
        ],
        "att.apple": ["nonce-mismatch", "key-mismatch", "wrong-root"],
        "att.u2f": ["two-certs", "non-P256", "pubkey-form", "aaguid-nonzero", "sig"],
        "att.compound": ["one-bad", "empty", "single", "nested-compound"],
        "credId": ["known-to-other-user", "empty", "over-1023", "duplicate"],
    ]

    private static let get: [String: [String]] = [
        "type": ["create"],
        "flags": ["at1-in-get", "be-flip-after-registration"],
        "credId": ["not-allowed", "unknown"],
        "userHandle": ["missing-when-discoverable", "other-user", "empty"],
        "signature": [
            "bit-flip", "zero", "empty", "other-key", "high-s", "non-der", "der-extra", "raw-r-s", "zero-r-s",
            "over-clientData-not-hash", "truncated-hash",
        ],
        "signCount": ["same", "lower", "reset-to-0", "max", "wrap"],
    ]

    /// What needs a second session or account.
    private static let stateful = [
        "create.replay", "get.replay", "create.cross-session", "get.cross-session", "create.cross-user",
        "get.cross-user",
    ]

    private static let all: [String] = {
        func names(_ list: [String: [String]], _ ceremony: String) -> [String] {
            list.flatMap { part, names in names.map { "\(ceremony).\(part).\($0)" } }
        }
        return names(both, "create") + names(both, "get") + names(create, "create") + names(get, "get") + stateful
    }()

    @Test("nothing of it is missing")
    func complete() {
        let present = Set(Mutation.catalogue.map(\.id))
        #expect(Set(Self.all).subtracting(present) == [])
        #expect(Self.all.count == 196 && Set(Self.all).count == Self.all.count)
    }

    @Test("what is a matter of policy, and what must be accepted, is said to be so")
    func verdicts() {
        func ids(_ verdict: Mutation.Verdict) -> Set<String> {
            Set(Mutation.catalogue.filter { $0.verdict == verdict }.map(\.id)).intersection(Self.all)
        }
        #expect(
            ids(.policy) == [
                "create.cbor.indefinite", "create.cbor.non-canonical", "create.cbor.extra-key", "create.key.rsa-e-3",
                "create.att.u2f.aaguid-nonzero", "create.att.compound.one-bad", "create.ext.wrong-type",
                "get.ext.wrong-type", "get.flags.at1-in-get", "get.authData.credIdLen-1024", "get.signCount.same",
                "get.signCount.lower", "get.signCount.reset-to-0", "get.signCount.wrap",
            ]
        )
        #expect(
            ids(.accept) == [
                "create.clientData.bom", "get.clientData.bom", "create.clientData.extra-keys",
                "get.clientData.extra-keys", "create.clientData.reordered", "get.clientData.reordered",
                "create.flags.reserved-bits", "get.flags.reserved-bits", "create.ext.unsolicited",
                "get.ext.unsolicited",
                "create.ext.prf-result-without-request", "get.ext.prf-result-without-request",
                "create.ext.largeBlob-garbage", "get.ext.largeBlob-garbage",
                "create.att.packed.self-nonzero-aaguid-on-none", "get.signature.high-s", "get.signCount.max",
            ]
        )
        // The user that is known needs no handle.
        #expect(Mutation(id: "get.userHandle.empty")?.needs == [.discoverable])
        #expect(Mutation(id: "get.userHandle.empty-when-known")?.verdict == .accept)
    }
}
