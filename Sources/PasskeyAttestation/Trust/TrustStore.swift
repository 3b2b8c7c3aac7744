import PasskeyCrypto
public import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// Whose attestations are trusted: anchors, lists of models, metadata, and what to demand of each.
///
/// A value: a server that gets a new BLOB of metadata or a new root makes another store and another relying party.
/// Verified chains are remembered, within a bound, since the certificates of a batch come again and again; copies of a
/// store share that memory.
public struct TrustStore: Sendable {
    /// What an anchor vouches for.
    public enum Scope: Hashable, Sendable {
        /// Every attestation.
        case any

        /// Those in one format, such as Apple's root for `apple`.
        case format(AttestationStatementFormat)

        /// Those of one model.
        case aaguid(AAGUID)
    }

    /// The models that are accepted; `nil` for all that are not denied.
    ///
    /// An AAGUID is only as true as the attestation: a list without anchors protects from nothing.
    public var allowedAAGUIDs: Set<AAGUID>?

    /// The models that are refused, whatever else is said of them.
    public var deniedAAGUIDs: Set<AAGUID> = []

    /// Whether self attestation is trusted, though anybody can make it.
    public var acceptsSelfAttestation = false

    /// Metadata, whose entry for a model gives anchors and says what became of it.
    public var metadata: Metadata?

    /// Whether a model without an entry in ``metadata`` is refused.
    public var requiresMetadata = false

    /// Which reports of an entry refuse.
    public var statusPolicy = StatusPolicy.default

    /// Whether a chain is refused if no revocation list tells the status of one of its certificates.
    public var requiresRevocationStatus = false

    private var anchors: [Scope: [Certificate]] = [:]
    private var revocationLists: [CertificateRevocationList] = []
    private let chains = ChainCache(capacity: 256)

    /// Makes a store.
    ///
    /// - Parameter anchors: Certificates in DER that vouch for every attestation: roots, intermediates, or attestation
    ///   certificates themselves.
    /// - Throws: ``TrustStoreError`` for a certificate that does not parse.
    public init(anchors: [[UInt8]] = []) throws(TrustStoreError) {
        for anchor in anchors { try add(anchor: anchor) }
    }

    /// Adds an anchor.
    ///
    /// - Parameters:
    ///   - der: A certificate: a root, an intermediate, or an attestation certificate itself. One that is in x5c need
    ///     not be; intermediates that an authenticator does not send may be added, too, and are then anchors.
    ///   - scope: What it vouches for.
    /// - Throws: ``TrustStoreError`` for a certificate that does not parse.
    public mutating func add(anchor der: [UInt8], for scope: Scope = .any) throws(TrustStoreError) {
        do throws(CryptoError) {
            anchors[scope, default: []].append(try Certificate(der: der))
        } catch {
            throw TrustStoreError(error.detail)
        }
    }

    /// Adds the anchors of a text in PEM (RFC 7468).
    ///
    /// - Parameters:
    ///   - pem: Text with one block `CERTIFICATE` or more; what stands between blocks is ignored.
    ///   - scope: What they vouch for.
    /// - Throws: ``TrustStoreError`` if there is none, or for one that does not parse.
    public mutating func add(pem: String, for scope: Scope = .any) throws(TrustStoreError) {
        for anchor in try PEM.certificates(in: pem) { try add(anchor: anchor, for: scope) }
    }

    /// Adds a revocation list.
    ///
    /// A list that its issuer did not sign says nothing. One that is out of date when it is asked says good of nobody,
    /// and what it names is revoked all the same.
    ///
    /// - Parameter der: The list in DER (RFC 5280 §5).
    /// - Throws: ``TrustStoreError`` for a list that does not parse.
    public mutating func add(revocationList der: [UInt8]) throws(TrustStoreError) {
        do throws(CryptoError) {
            revocationLists.append(try CertificateRevocationList(der: der))
        } catch {
            throw TrustStoreError(error.detail)
        }
    }

    /// The anchors that vouch for a statement: steps 23 of `#sctn-registering-a-new-credential`.
    private func anchors(
        _ format: AttestationStatementFormat,
        _ aaguid: AAGUID?,
        _ entry: MetadataEntry?
    ) -> [Certificate] {
        var found = anchors[.any] ?? []
        found += anchors[.format(format)] ?? []
        if let aaguid { found += anchors[.aaguid(aaguid)] ?? [] }
        for der in entry?.statement?.attestationRootCertificates ?? [] {
            // One that does not parse vouches for nobody; the others of the entry still do.
            if let certificate = try? Certificate(der: der) { found.append(certificate) }
        }
        return found
    }

    /// Judges one statement that verified: steps 23 and 24.
    func judge(
        _ finding: FormatFinding,
        _ format: AttestationStatementFormat,
        _ evidence: AttestationVerifier.Evidence
    ) throws(AttestationVerifier.Refusal) -> AttestationFinding {
        let aaguid = evidence.authenticatorData.attestedCredentialData?.aaguid
        let entry = try entry(for: aaguid, finding.certificates)
        var result = AttestationFinding(finding, format, aaguid)
        result.metadata = entry
        try requireModel(aaguid, entry, finding, at: evidence.time)
        switch finding.type {
        case .none:
            throw refusal("there is no attestation, and one is required")
        case .`self`:
            guard acceptsSelfAttestation else {
                throw refusal("self attestation leads to no trust anchor")
            }
            result.isTrusted = true
            result.decision = "self attestation is accepted by policy"
        default:
            let path = try path(of: finding, anchors(format, aaguid, entry), at: evidence.time)
            result.take(path)
            result.decision = "trusted: leads to \(excerpt(path.certificates.last?.subject.text ?? ""))"
        }
        if let entry { result.refineType(by: entry) }
        return result
    }

    private func entry(
        for aaguid: AAGUID?,
        _ certificates: [Certificate]
    ) throws(AttestationVerifier.Refusal) -> MetadataEntry? {
        guard let metadata else { return nil }
        do throws(MetadataError) {
            if let aaguid, aaguid != .zero { return try metadata.entry(for: aaguid) }
            // U2F's authenticators have no AAGUID; metadata knows them by the keys of their certificates.
            for certificate in certificates {
                guard let identifier = try? certificate.keyIdentifier() else { continue }
                if let entry = try metadata.entry(forCertificateKeyIdentifier: identifier) { return entry }
            }
            return nil
        } catch {
            throw refusal("the metadata entry cannot be read: \(error)")
        }
    }

    private func requireModel(
        _ aaguid: AAGUID?,
        _ entry: MetadataEntry?,
        _ finding: FormatFinding,
        at time: Timestamp
    ) throws(AttestationVerifier.Refusal) {
        let model = aaguid ?? .zero
        guard !deniedAAGUIDs.contains(model) else { throw refusal("the model \(model) is denied") }
        if let allowedAAGUIDs, !allowedAAGUIDs.contains(model) {
            throw refusal("the model \(model) is not one of those that are allowed")
        }
        guard let entry else {
            if requiresMetadata { throw refusal("metadata has no entry for the model \(model)") }
            return
        }
        if let fault = statusPolicy.fault(
            of: entry.statusReports,
            at: time,
            certificates: finding.certificates.map(\.der)
        ) {
            throw refusal("metadata of the model \(model): \(fault)")
        }
    }

    private func path(
        of finding: FormatFinding,
        _ anchors: [Certificate],
        at time: Timestamp
    ) throws(AttestationVerifier.Refusal) -> CertificateChain.Path {
        guard let leaf = finding.certificates.first else { throw refusal("there is no certificate") }
        guard !anchors.isEmpty else { throw refusal("there is no trust anchor for this attestation") }
        let path: CertificateChain.Path
        do throws(CertificateChainError) {
            path = try chains.verify(
                leaf: leaf,
                intermediates: Array(finding.certificates.dropFirst()),
                anchors: anchors,
                at: time.millisecondsSince1970,
                revocationLists: revocationLists
            )
        } catch {
            throw refusal("\(error.code.rawValue): \(error.detail), at certificate \(error.depth)")
        }
        guard path.revocation == .good || !requiresRevocationStatus else {
            throw refusal("no revocation list tells the status of the certificates")
        }
        return path
    }

    private func refusal(_ detail: String) -> AttestationVerifier.Refusal {
        AttestationVerifier.Refusal(.trust, detail)
    }
}

/// Why something cannot be put into a trust store.
public struct TrustStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What goes to the log.
    public var detail: String

    init(_ detail: String) {
        self.detail = detail
    }

    /// The detail.
    public var description: String { detail }
}
