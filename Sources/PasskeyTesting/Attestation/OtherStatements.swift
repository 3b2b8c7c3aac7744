import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension StatementMaker {
    // MARK: FIDO U2F

    /// `#sctn-fido-u2f-attestation`; `x5c` has one certificate, whatever is above it.
    func fidoU2F() throws(CryptoError) -> CBOR {
        let algorithm: COSEAlgorithmIdentifier =
            variant("certificateKey").map { $0 == 0 ? .es384 : .rs256 } ?? .es256
        let key = try profile.authority.key("attestation", algorithm)
        var point: [UInt8] = [4]
        if case .ec2(_, let x, let y) = credentialKey.publicKey.parameters { point += x + y }
        // A frequent mistake: the key as COSE writes it.
        if breaks("signature", 3) { point = subject.credentialPublicKey }
        let message = [0] + subject.rpIDHash + clientDataHash + subject.credentialID + point
        let signature =
            breaks("signature", 3)
            ? try environment.sign(message, with: key)
            : try signature(message, with: key, breaking: "signature")
        // U2F has no profile for certificates.
        let draft = try CertificateDraft(
            subject: DraftName([("2.5.4.3", DER.utf8String("Example U2F Device"))]),
            key: key.publicKey,
            serial: "u2f"
        )
        var certificates = Array(try chain(draft).prefix(1))
        if breaks("certificateCount") { certificates.append(certificates[0]) }
        return map([("x5c", x5c(certificates)), ("sig", .bytes(signature))], required: ["sig"])
    }

    // MARK: Apple

    /// `#sctn-apple-anonymous-attestation`.
    func apple() throws(CryptoError) -> CBOR {
        let key = breaks("publicKey") ? try otherKey(credentialKey.algorithm).publicKey : credentialKey.publicKey
        var draft = try CertificateDraft(
            subject: DraftName(unit: "Credential", commonName: "Example Credential"),
            key: key,
            serial: "apple"
        )
        draft.addBasicConstraints(isCA: false)
        let nonce: [UInt8] =
            switch variant("nonce") {
            case nil: try sha256(attestedBytes)
            case 0: try sha256(attestedBytes + [0])
            // What another platform writes there.
            default: clientDataHash
            }
        switch variant("nonceExtension") {
        case nil: draft.add(Self.appleNonce, DER.sequence([DER.tagged(1, DER.octetString(nonce))]))
        case 0: break
        case 1: draft.add(Self.appleNonce, DER.octetString(nonce))
        default: draft.add(Self.appleNonce, DER.sequence([DER.tagged(0, DER.octetString(nonce))]))
        }
        return map([("x5c", x5c(try chain(draft)))], required: ["x5c"])
    }

    private static let appleNonce = "1.2.840.113635.100.8.2"

    // MARK: Compound

    /// `#sctn-compound-attestation`: the profile's parts, or two `packed` statements.
    func compound() throws(CryptoError) -> CBOR {
        var profiles = profile.parts
        if profiles.isEmpty {
            profiles = [usualPart(isSelf: false), usualPart(isSelf: profile.isSelf)]
        }
        if breaks("substatement") { profiles[0].fault = profiles[0].usualFault }
        var parts: [CBOR] = []
        for profile in profiles {
            let maker = StatementMaker(
                profile: profile,
                subject: subject,
                clientDataHash: clientDataHash,
                credentialKey: credentialKey,
                environment: environment
            )
            parts.append(Self.part(profile.format, try maker.statement()))
        }
        switch variant("count") {
        case nil: break
        case 0: parts.removeLast(parts.count - 1)
        default: parts = []
        }
        if breaks("nested") { parts.append(Self.part(.compound, .array(parts))) }
        switch variant("syntax") {
        case nil: return .array(parts)
        case 0: return parts[0]
        case 1: return .array(parts + [.text("packed")])
        default: return .array(parts + [Self.map([("fmt", .text("packed"))])])
        }
    }

    private func usualPart(isSelf: Bool) -> AttestationProfile {
        var part = profile
        part.format = .packed
        part.isSelf = isSelf
        part.fault = nil
        return part
    }

    private static func part(_ format: AttestationStatementFormat, _ statement: CBOR) -> CBOR {
        map([("fmt", .text(format.rawValue)), ("attStmt", statement)])
    }
}

extension AttestationProfile {
    /// A fault that a statement of this profile can have, of what ties it to the credential where there is such a thing.
    fileprivate var usualFault: AttestationFault? {
        let rules = format == .packed && isSelf ? ["selfSignature"] : ["signature", "nonce", "substatement", "syntax"]
        return rules.lazy.compactMap { AttestationFault("\(format).\($0)") }.first
    }
}
