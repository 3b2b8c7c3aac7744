import PasskeyCrypto
import PasskeyModel
import PasskeySystem
import PasskeyWire

/// Why a credential could not be brought to an authenticator.
public struct CredentialImportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a program branches on.
    @nonexhaustive
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The ID is empty, or longer than 1,023 bytes.
        case credentialID

        /// The RP ID is not a domain.
        case relyingPartyIdentifier

        /// The private key is no PKCS #8 of one key, of a kind that is known and fits the algorithm.
        case privateKey

        /// A discoverable credential names no account.
        case userHandle

        /// The authenticator stores no discoverable credentials.
        case residentKeyUnsupported

        /// The authenticator has no room for another discoverable credential.
        case keyStoreFull

        /// A blob, a secret or a backup state that cannot be.
        case property
    }

    /// What a program branches on.
    public let reason: Reason

    /// What goes to the log.
    public let detail: String

    init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// The error in one line.
    public var description: String { "\(reason.rawValue): \(detail)" }
}

extension VirtualAuthenticator {
    /// Brings a credential to the authenticator (`#sctn-automation-add-credential`).
    ///
    /// It takes the place of one with the same ID, and a discoverable one that of its account's.
    ///
    /// - Parameter parameters: The credential.
    /// - Returns: The credential as it is stored.
    /// - Throws: ``CredentialImportError``; nothing is stored then.
    @discardableResult
    public func importCredential(
        _ parameters: VirtualCredentialParameters
    ) throws(CredentialImportError) -> VirtualCredential {
        let options = options
        guard (1...1023).contains(parameters.credentialID.count) else {
            throw CredentialImportError(.credentialID, "\(parameters.credentialID.count) bytes")
        }
        // A credential that U2F's own API made has its AppID there, which is a URL.
        guard
            DomainName.fault(in: parameters.relyingPartyIdentifier) == nil
                || parameters.relyingPartyIdentifier.utf8.starts(with: "https://".utf8)
        else { throw CredentialImportError(.relyingPartyIdentifier, "not a domain") }
        let key = try Self.privateKey(parameters)
        guard !parameters.isResidentCredential || parameters.userHandle != nil else {
            throw CredentialImportError(.userHandle, "a discoverable credential needs one")
        }
        guard !parameters.isResidentCredential || options.storesDiscoverableCredentials else {
            throw CredentialImportError(.residentKeyUnsupported, "nothing can be stored")
        }
        guard parameters.credBlob.map({ $0.count <= ExtensionLimits.credBlob }) ?? true,
            parameters.secrets.map({ $0.withUserVerification.count == 32 && $0.withoutUserVerification.count == 32 })
                ?? true
        else { throw CredentialImportError(.property, "a blob or a secret of a wrong length") }

        var credential = VirtualCredential(
            id: parameters.credentialID,
            relyingPartyIdentifier: parameters.relyingPartyIdentifier,
            userHandle: parameters.userHandle,
            userName: parameters.userName,
            userDisplayName: parameters.userDisplayName,
            algorithm: key.algorithm,
            publicKey: key.publicKey.encoded,
            isDiscoverable: parameters.isResidentCredential,
            createdAt: parameters.createdAt ?? environment.now,
            signCount: parameters.signCount,
            backupEligibility: parameters.backupEligibility ?? options.defaultBackupEligibility,
            backupState: parameters.backupState ?? options.defaultBackupState
        )
        // Not eligible and yet backed up is a state that no credential can be in (`#sctn-credential-backup`), unless
        // somebody says so on purpose.
        if parameters.backupState == nil, !credential.backupEligibility { credential.backupState = false }
        credential.protection = parameters.protection
        credential.credBlob = parameters.credBlob
        credential.supportsLargeBlob = parameters.supportsLargeBlob || parameters.largeBlob != nil
        credential.largeBlob = parameters.largeBlob
        credential.supportsPRF = parameters.secrets != nil
        credential.isHidden = parameters.isHidden
        let source = CredentialSource(credential: credential, privateKey: key, secrets: parameters.secrets)
        let isStored = storage.withLock { storage in
            guard !credential.isDiscoverable || storage.hasRoom(for: AccountKey(credential)) else { return false }
            storage.store(source)
            if [.global, .u2f].contains(options.counterMode), let count = parameters.signCount,
                count > storage.globalCounter ?? options.initialSignCount
            {
                storage.globalCounter = count
            }
            return true
        }
        guard isStored else { throw CredentialImportError(.keyStoreFull, "there is no room for another credential") }
        return credential
    }

    /// A credential with all its secrets.
    ///
    /// - Parameter id: The credential's ID.
    /// - Returns: The credential; `nil` if there is none of the ID.
    public func exportCredential(_ id: [UInt8]) -> VirtualCredentialParameters? {
        source(id).flatMap(VirtualCredentialParameters.init)
    }

    private static func privateKey(
        _ parameters: VirtualCredentialParameters
    ) throws(CredentialImportError) -> PrivateKey {
        do {
            let algorithm = try parameters.algorithm ?? PrivateKeyInfo.usualAlgorithm(parameters.privateKey)
            return try PrivateKey(pkcs8: parameters.privateKey, algorithm: algorithm)
        } catch {
            throw CredentialImportError(.privateKey, "\(error)")
        }
    }
}

extension VirtualCredentialParameters {
    /// A credential source with its secrets; `nil` if the cryptographic library fails.
    init?(_ source: CredentialSource) {
        guard let privateKey = try? source.privateKey.pkcs8() else { return nil }
        let credential = source.credential
        self.init(
            credentialID: credential.id,
            isResidentCredential: credential.isDiscoverable,
            relyingPartyIdentifier: credential.relyingPartyIdentifier,
            privateKey: privateKey,
            algorithm: credential.algorithm,
            userHandle: credential.userHandle,
            signCount: credential.signCount,
            userName: credential.userName,
            userDisplayName: credential.userDisplayName
        )
        backupEligibility = credential.backupEligibility
        backupState = credential.backupState
        largeBlob = credential.largeBlob
        supportsLargeBlob = credential.supportsLargeBlob
        protection = credential.protection
        credBlob = credential.credBlob
        secrets = source.secrets
        isHidden = credential.isHidden
        createdAt = credential.createdAt
    }
}

/// What a PKCS #8 PrivateKeyInfo says of its key (RFC 5958 §2).
enum PrivateKeyInfo {
    /// The algorithm that keys of its kind usually are for.
    static func usualAlgorithm(_ der: [UInt8]) throws(WireError) -> COSEAlgorithmIdentifier {
        var outer = DERReader(der)
        var sequence = try outer.read(.sequence).reader()
        _ = try sequence.read(.integer).integer()
        var identifier = try sequence.read(.sequence).reader()
        let kind = try identifier.read(.objectIdentifier)
        switch try kind.objectIdentifier() {
        case "1.2.840.10045.2.1":
            let curve = try identifier.read(.objectIdentifier)
            switch try curve.objectIdentifier() {
            case "1.2.840.10045.3.1.7": return .es256
            case "1.3.132.0.34": return .es384
            case "1.3.132.0.35": return .es512
            case "1.3.132.0.10": return .es256K
            default: throw WireError(.wrongType, at: curve.offset, detail: "a curve that no algorithm here has")
            }
        case "1.2.840.113549.1.1.1": return .rs256
        case "1.3.101.112": return .edDSA
        case "1.3.101.113": return .ed448
        case "2.16.840.1.101.3.4.3.17": return .mlDSA44
        case "2.16.840.1.101.3.4.3.18": return .mlDSA65
        case "2.16.840.1.101.3.4.3.19": return .mlDSA87
        default: throw WireError(.wrongType, at: kind.offset, detail: "a key of a kind that no algorithm here has")
        }
    }
}
