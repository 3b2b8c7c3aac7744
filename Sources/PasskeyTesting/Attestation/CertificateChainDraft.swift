import PasskeyCrypto
import PasskeyWire

extension AttestationProfile {
    /// `x5c`: the certificate, and those above it.
    func chain(_ leaf: CertificateDraft) throws(CryptoError) -> [[UInt8]] {
        let fault = chainFault
        let root = try authority.root(keyLabel: fault == .otherRoot ? "another root" : "root")
        var issuer = root.issuer
        var above: [[UInt8]] = []
        let count = max(fault?.leastIntermediateCount ?? 0, min(intermediateCount, 2))
        for level in stride(from: 1, through: count, by: 1) {
            let member = try authority.intermediate(level, under: issuer) { draft in
                let isLast = level == count
                switch fault {
                case .expiredIntermediate where isLast: draft.notAfter = AttestationAuthority.expiry
                case .intermediateIsNoAuthority where isLast:
                    draft.remove("2.5.29.19")
                    draft.addBasicConstraints(isCA: false)
                case .pathLength where level == 1 && count == 2:
                    draft.remove("2.5.29.19")
                    draft.addBasicConstraints(isCA: true, pathLength: 0)
                case .nameConstraint where isLast: draft.add("2.5.29.30", isCritical: true, Self.nameConstraint)
                default: break
                }
            }
            issuer = member.issuer
            above.insert(member.der, at: 0)
        }
        var leaf = leaf
        try leaf.apply(authority.overrides?.leaf, issuerKey: issuer.key.publicKey)
        if fault == .expiredLeaf { leaf.notAfter = AttestationAuthority.expiry }
        if fault == .notYetValidLeaf { leaf.notBefore = AttestationAuthority.lateBeginning }
        if fault == .missingIntermediate, !above.isEmpty { above.removeFirst() }
        if includesRoot { above.append(root.der) }
        if repeatsCertificates { above = above.flatMap { [$0, $0] } }
        return [try leaf.signed(by: issuer)] + above
    }

    /// Permitted: names of the country ZZ.
    private static let nameConstraint = DER.sequence([
        DER.tagged(
            0,
            DER.sequence([DER.tagged(4, DraftName([("2.5.4.6", DER.printableString("ZZ"))]).der)])
        )
    ])
}

extension AttestationAuthority {
    /// The end of 2021, at which a certificate that is to be expired expires.
    static let expiry: Int64 = 1_640_995_199_000

    /// 2045-01-01, at which a certificate that is to be not yet valid becomes valid.
    static let lateBeginning: Int64 = 2_366_841_600_000
}
