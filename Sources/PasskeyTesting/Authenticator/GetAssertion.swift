import PasskeyCrypto
public import PasskeyModel
import PasskeySystem
public import PasskeyWire

/// What a client passes to ``VirtualAuthenticator/getAssertion(_:)``.
public struct GetAssertionParameters: Hashable, Sendable {
    /// The relying party's ID.
    public var rpID: String

    /// The hash of the serialized client data: 32 bytes.
    public var hash: [UInt8]

    /// The credentials that may sign; `nil` for any discoverable one.
    public var allowCredentialDescriptorList: [PublicKeyCredentialDescriptor]?

    /// Whether the user must be present, which WebAuthn always asks for.
    public var requireUserPresence: Bool

    /// Whether the user must be verified.
    public var requireUserVerification: Bool

    /// Authenticator extension inputs: a CBOR map.
    public var extensions: CBOR

    /// Makes parameters.
    ///
    /// - Parameters:
    ///   - rpID: The relying party's ID.
    ///   - hash: The hash of the serialized client data: 32 bytes.
    ///   - allowCredentialDescriptorList: The credentials that may sign; `nil` for any discoverable one.
    ///   - requireUserPresence: Whether the user must be present.
    ///   - requireUserVerification: Whether the user must be verified.
    ///   - extensions: Authenticator extension inputs: a CBOR map.
    public init(
        rpID: String,
        hash: [UInt8],
        allowCredentialDescriptorList: [PublicKeyCredentialDescriptor]? = nil,
        requireUserPresence: Bool = true,
        requireUserVerification: Bool = true,
        extensions: CBOR = .map([])
    ) {
        self.rpID = rpID
        self.hash = hash
        self.allowCredentialDescriptorList = allowCredentialDescriptorList
        self.requireUserPresence = requireUserPresence
        self.requireUserVerification = requireUserVerification
        self.extensions = extensions
    }
}

/// What ``VirtualAuthenticator/getAssertion(_:)`` returns to the client.
public struct GetAssertionResult: Hashable, Sendable {
    /// The ID of the credential that signed; `nil` if exactly one was allowed, which the client knows then.
    public let credentialID: [UInt8]?

    /// The authenticator data that was signed.
    public let authenticatorData: [UInt8]

    /// The signature.
    public let signature: [UInt8]

    /// Whose credential it is; `nil` for one that is not discoverable.
    public let userHandle: UserHandle?
}

extension VirtualAuthenticator {
    /// The authenticatorGetAssertion operation (`#sctn-op-get-assertion`).
    ///
    /// - Parameter parameters: What the client passes.
    /// - Returns: The assertion.
    /// - Throws: ``AuthenticatorError`` with the number of the step that failed.
    public func getAssertion(_ parameters: GetAssertionParameters) throws(AuthenticatorError) -> GetAssertionResult {
        try getAssertion(parameters, in: VirtualEnvironment())
    }

    /// The operation for a client that lends what the authenticator does not have of its own.
    func getAssertion(
        _ parameters: GetAssertionParameters,
        in client: VirtualEnvironment
    ) throws(AuthenticatorError) -> GetAssertionResult {
        let environment = environment.completed(by: client)

        // 1: the parameters are well-formed and of the correct length.
        guard parameters.hash.count == 32, !parameters.rpID.isEmpty, parameters.extensions.entries != nil else {
            throw AuthenticatorError(.unknown, .malformedParameters, step: 1, "a parameter has a wrong form or length")
        }

        // 2: the set of credential sources.
        var candidates: [CredentialSource]
        if let list = parameters.allowCredentialDescriptorList {
            // 3: those that are named. A set has each once, whatever the list repeats.
            var seen: Set<[UInt8]> = []
            candidates = list.filter { $0.type == .publicKey && seen.insert($0.id).inserted }.compactMap {
                source($0.id)
            }
        } else {
            // 4: all of the credentials map.
            candidates = state.withLock { $0.discoverableSources }
        }

        // 5: those of other relying parties go.
        candidates.removeAll { $0.credential.relyingPartyIdentifier != parameters.rpID }

        // 6: none is left. The user cannot tell it from a refusal, nor can the client.
        // 7: the user selects one (here, the newest), and makes the authorization gesture.
        guard let selected = candidates.min(by: { VirtualAuthenticator.isNewer($0.credential, $1.credential) }) else {
            throw AuthenticatorError(.notAllowed, .noCredential, step: 6, "no credential fits")
        }
        let gesture = try authorizationGesture(
            requireUserPresence: parameters.requireUserPresence,
            requireUserVerification: parameters.requireUserVerification,
            step: 7
        )

        // 8: extension processing. No extension is supported yet, and those that are not supported are passed over.

        // 9: the signature counter. What is sent is what is stored, and it is stored first: a failure after this line
        // must not let a number be sent twice.
        let signCount = state.withLock { $0.incrementCounter(of: selected.credential.id) }

        // 10: authenticator data, without attested credential data.
        let authenticatorData = try AuthenticatorError.operation(step: 10) {
            try AuthenticatorData(
                rpIDHash: sha256([UInt8](parameters.rpID.utf8)),
                flags: gesture.union(selected.credential.backupFlags),
                signCount: signCount
            ).bytes
        }

        // 11: the signature over authenticator data and hash. 12: an error on the way is an UnknownError.
        let signature = try AuthenticatorError.operation(step: 12) {
            try environment.sign(authenticatorData + parameters.hash, with: selected.privateKey)
        }

        // 13: what is returned. The ID is left out where the client knows it. A credential that is not discoverable
        // has no room for a user handle on a device that keeps it in its ID; so it tells none.
        return GetAssertionResult(
            credentialID: parameters.allowCredentialDescriptorList?.count == 1 ? nil : selected.credential.id,
            authenticatorData: authenticatorData,
            signature: signature,
            userHandle: selected.credential.isDiscoverable ? selected.credential.userHandle : nil
        )
    }
}

extension VirtualAuthenticator.State {
    /// Counts one more signature; at the end of 32 bits it wraps around, and then passes over zero.
    fileprivate mutating func incrementCounter(of id: [UInt8]) -> UInt32 {
        let step = max(options.counterStep, 1)
        switch options.counterMode {
        case .none:
            return 0
        case .global:
            globalCounter = globalCounter.counted(by: step)
            return globalCounter
        case .perCredential:
            guard var source = source(id) else { return 0 }
            source.credential.signCount = source.credential.signCount.counted(by: step)
            store(source)
            return source.credential.signCount
        }
    }
}

extension UInt32 {
    fileprivate func counted(by step: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(step)
        return overflow ? Swift.max(sum, 1) : sum
    }
}
