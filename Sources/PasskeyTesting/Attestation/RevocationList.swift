import PasskeyCrypto
public import PasskeyModel
import PasskeyWire

extension AttestationAuthority {
    /// A revocation list (RFC 5280 §5) of whoever signed the certificates.
    ///
    /// A list says something of certificates of its own issuer alone: with intermediates, attestation certificates are
    /// revoked by the last one of them, that one by the one above it, and the first one by the root.
    ///
    /// - Parameters:
    ///   - certificates: What it revokes, in DER.
    ///   - level: Who signs it: 0 for the root, 1 and 2 for the intermediates from the root down.
    ///   - thisUpdate: When it was signed; 2020-01-01 if `nil`.
    ///   - nextUpdate: When the next one is due, after which this one says nothing; the end of 2049 if `nil`.
    /// - Returns: The list in DER.
    /// - Throws: ``AttestationFailure`` if a certificate does not parse.
    public func revocationList(
        revoking certificates: [[UInt8]],
        level: Int = 0,
        from thisUpdate: Timestamp? = nil,
        to nextUpdate: Timestamp? = nil
    ) throws(AttestationFailure) -> [UInt8] {
        try AttestationFailure.wrapping { () throws(CryptoError) in
            let members = try members(level)
            return try revocationList(
                revoking: certificates,
                by: members[members.count - 1].issuer,
                from: thisUpdate?.millisecondsSince1970 ?? Self.notBefore,
                to: nextUpdate?.millisecondsSince1970 ?? Self.notAfter
            )
        }
    }

    func revocationList(
        revoking certificates: [[UInt8]],
        by issuer: CertificateIssuer,
        from thisUpdate: Int64 = notBefore,
        to nextUpdate: Int64 = notAfter
    ) throws(CryptoError) -> [UInt8] {
        var entries: [[UInt8]] = []
        for der in certificates {
            let serial = try Certificate(der: der).serialNumber
            entries.append(
                DER.sequence([DER.integer(unsigned: serial), DER.time(millisecondsSince1970: thisUpdate)])
            )
        }
        let algorithm = try DraftSignature.identifier(issuer.key.algorithm)
        // cRLNumber, which version 2 must have.
        let number = DER.sequence([DER.objectIdentifier("2.5.29.20"), DER.octetString(DER.integer(1))])
        let body = DER.sequence(
            [
                DER.integer(1), algorithm, issuer.name.der, DER.time(millisecondsSince1970: thisUpdate),
                DER.time(millisecondsSince1970: nextUpdate),
            ] + (entries.isEmpty ? [] : [DER.sequence(entries)]) + [DER.tagged(0, DER.sequence([number]))]
        )
        return DER.sequence([body, algorithm, DER.bitString(try issuer.key.signDeterministically(body))])
    }
}
