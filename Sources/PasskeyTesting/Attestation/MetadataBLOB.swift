import PasskeyCrypto
import PasskeyModel
public import PasskeyWire

/// A BLOB of metadata about virtual authenticators, in the form of FIDO's Metadata Service, signed by an own root.
///
/// A relying party under test is given ``text()`` and ``rootCertificate()``, and then trusts what the authenticators
/// with a profile of the same authority attest.
public struct MetadataBLOB: Hashable, Sendable {
    /// Who signs, in place of the FIDO Alliance.
    public var authority: AttestationAuthority

    /// `no`.
    public var number = 1

    /// The day by which the next BLOB is published.
    public var nextUpdate = "2049-12-31"

    /// What its publisher wants its readers to know.
    public var legalHeader: String?

    /// What is said of each model.
    public var entries: [Entry]

    /// How it is signed: ES256, RS256, RS384 or RS512.
    public var algorithm = COSEAlgorithmIdentifier.es256

    /// How many intermediates stand between the signing certificate and the root: 0 to 2.
    public var intermediateCount = 1

    /// Whether the header carries the certificates; without them, the root itself signs.
    public var carriesCertificates = true

    /// The fault of its chain.
    public var chainFault: AttestationChainFault?

    /// Makes a BLOB.
    ///
    /// - Parameters:
    ///   - entries: What is said of each model.
    ///   - authority: Who signs.
    public init(_ entries: [Entry], authority: AttestationAuthority = AttestationAuthority(name: "Example Metadata")) {
        self.entries = entries
        self.authority = authority
    }

    /// The certificate in DER that the signer leads to.
    ///
    /// - Returns: The root.
    /// - Throws: ``AttestationFailure`` if the cryptographic library fails.
    public func rootCertificate() throws(AttestationFailure) -> [UInt8] { try authority.rootCertificate() }

    /// The BLOB as it would be downloaded.
    ///
    /// - Returns: A JWS in the compact serialization.
    /// - Throws: ``AttestationFailure`` if the cryptographic library fails, or for another algorithm.
    public func text() throws(AttestationFailure) -> [UInt8] {
        try AttestationFailure.wrapping { () throws(CryptoError) in
            let names: [COSEAlgorithmIdentifier: JWSAlgorithm] = [
                .es256: .es256, .rs256: .rs256, .rs384: .rs384, .rs512: .rs512,
            ]
            guard let name = names[algorithm], carriesCertificates || algorithm == .es256 else {
                throw CryptoError(.unsupported, "no BLOB is signed with \(algorithm)")
            }
            let key = try carriesCertificates ? authority.key("metadata", algorithm) : authority.root().issuer.key
            var header: JSONObject = ["typ": "JWT"]
            if carriesCertificates {
                header["x5c"] = .array(try certificates(key).map { .string(Base64.encode($0)) })
            }
            return try JWS.sign(payload().serialized(), header: header, name) { (message) throws(CryptoError) in
                try key.signDeterministically(message)
            }
        }
    }

    /// The certificates of the header, the signing one first.
    func certificates(_ key: PrivateKey) throws(CryptoError) -> [[UInt8]] {
        var draft = try CertificateDraft(
            subject: DraftName(unit: "Metadata", commonName: "\(authority.name) Signer"),
            key: key.publicKey,
            serial: "\(authority.name) signer"
        )
        draft.addBasicConstraints(isCA: false)
        var profile = AttestationProfile(.packed, authority: authority)
        profile.intermediateCount = intermediateCount
        profile.chainFault = chainFault
        return try profile.chain(draft)
    }

    private func payload() -> JSONValue {
        var payload: JSONObject = [:]
        if let legalHeader { payload["legalHeader"] = .string(legalHeader) }
        payload["no"] = .number(JSONNumber(number))
        payload["nextUpdate"] = .string(nextUpdate)
        payload["entries"] = .array(entries.map(\.json))
        return .object(payload)
    }
}
