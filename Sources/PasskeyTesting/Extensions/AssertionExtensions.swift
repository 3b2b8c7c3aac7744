import PasskeyCrypto
import PasskeyModel
import PasskeySystem
import PasskeyWire

/// Authenticator extension processing of a sign-in (`#sctn-op-get-assertion`, step 8).
///
/// Extensions that the authenticator does not know are passed over.
struct AssertionExtensions {
    private let inputs: CBOR
    private let options: VirtualAuthenticatorOptions
    private let isUserVerified: Bool

    init(
        _ parameters: GetAssertionParameters,
        _ options: VirtualAuthenticatorOptions,
        isUserVerified: Bool
    ) {
        inputs = parameters.extensions
        self.options = options
        self.isUserVerified = isUserVerified
    }

    /// Answers what the extensions ask of a credential.
    ///
    /// - Parameters:
    ///   - source: The credential that signs.
    ///   - authenticator: Where it is.
    ///   - environment: Where bytes come from.
    /// - Returns: The outputs.
    /// - Throws: ``AuthenticatorError`` at step 8.
    func process(
        _ source: CredentialSource,
        _ authenticator: VirtualAuthenticator,
        _ environment: VirtualEnvironment
    ) throws(AuthenticatorError) -> ExtensionOutputs {
        var outputs = ExtensionOutputs()

        // credBlob (CTAP 2.2 §12.2): what was stored, or nothing in as many bytes.
        if options.knows(.credBlob), inputs["credBlob"]?.bool == true {
            outputs.signed.append(CBOR.Entry("credBlob", .bytes(source.credential.credBlob ?? [])))
        }

        // hmac-secret (CTAP 2.2 §12.7): passed over for a credential that was made without.
        if options.knows(.hmacSecret), let input = inputs["hmac-secret"], source.secrets != nil {
            let output = try authenticator.hmacSecret(
                input,
                source,
                isUserVerified: isUserVerified,
                step: 8,
                environment
            )
            outputs.signed.append(CBOR.Entry("hmac-secret", .bytes(output)))
        }

        // prf without CTAP (#prf-extension): the credential's own inputs go before those for any.
        if options.knows(.prf), let input = inputs["prf"] {
            let own = input["evalByCredential"]?.entries?.first { $0.key.byteArray == source.credential.id }?.value
            let results = try AuthenticatorError.operation(step: 8) { () throws(CryptoError) in
                try PRFEvaluation.results(own ?? input["eval"], source, isUserVerified: isUserVerified)
            }
            outputs.unsigned.append(
                CBOR.Entry("prf", .map(results.map { [CBOR.Entry("results", $0)] }.orEmpty))
            )
        }

        // largeBlob (#sctn-large-blob-extension): read or write.
        if options.knows(.largeBlob), let input = inputs["largeBlob"] {
            var output: [CBOR.Entry] = []
            if input["read"]?.bool == true, let blob = source.credential.largeBlob {
                output = [CBOR.Entry("blob", .bytes(blob))]
            } else if let blob = input["write"]?.byteArray {
                let isWritten = authenticator.storage.withLock { $0.write(blob, with: source.credential.id) }
                output = [CBOR.Entry("written", .bool(isWritten))]
            }
            outputs.unsigned.append(CBOR.Entry("largeBlob", .map(output)))
        }
        return outputs
    }
}

extension CredentialStorage {
    /// Stores a blob with a credential, if that has room for one and the authenticator has for all.
    fileprivate mutating func write(_ blob: [UInt8], with id: [UInt8]) -> Bool {
        guard let credential = byID[id]?.credential, credential.supportsLargeBlob else { return false }
        let used = byID.values.reduce(0) { $0 + ($1.credential.largeBlob?.count ?? 0) }
        let rest = options.largeBlobCapacity - used + (credential.largeBlob?.count ?? 0)
        guard blob.count <= rest else { return false }
        return update(id) { $0.credential.largeBlob = blob } != nil
    }
}

extension VirtualAuthenticator {
    /// The authenticator's half of `hmac-secret`.
    func hmacSecret(
        _ input: CBOR,
        _ source: CredentialSource,
        isUserVerified: Bool,
        step: Int,
        _ environment: VirtualEnvironment
    ) throws(AuthenticatorError) -> [UInt8] {
        do throws(CryptoError) {
            guard let secret = source.secrets?.secret(isUserVerified: isUserVerified) else {
                throw CryptoError(.failed, "the credential has no secret")
            }
            return try HMACSecret.respond(
                to: input,
                credRandom: secret,
                key: keyAgreementKey(in: environment),
                in: environment
            )
        } catch {
            throw AuthenticatorError(.unknown, .extensionRefused, step: step, "hmac-secret: \(error)")
        }
    }

    /// The key that the platform agrees on a secret with (`getKeyAgreement` of CTAP 2.2 §6.5.5.4).
    ///
    /// It is another one after each start of a device; a virtual one starts once.
    func keyAgreementKey(in environment: VirtualEnvironment) throws(CryptoError) -> PrivateKey {
        if let key = storage.withLock({ $0.keyAgreementKey }) { return key }
        let new = try self.environment.completed(by: environment).makeKey(.es256)
        return storage.withLock { storage in
            let key = storage.keyAgreementKey ?? new
            storage.keyAgreementKey = key
            return key
        }
    }
}

/// A credential's pseudo-random function where no CTAP is between client and authenticator.
enum PRFEvaluation {
    /// What the function makes of one or two salts of 32 bytes.
    ///
    /// - Parameters:
    ///   - salts: A map with `first` and perhaps `second`; `nil` for nothing.
    ///   - source: The credential.
    ///   - isUserVerified: Which of its secrets counts.
    /// - Returns: A map with as many results; `nil` if nothing was asked, or the credential has no secrets.
    /// - Throws: `CryptoError` if the library fails.
    static func results(
        _ salts: CBOR?,
        _ source: CredentialSource,
        isUserVerified: Bool
    ) throws(CryptoError) -> CBOR? {
        guard let secret = source.secrets?.secret(isUserVerified: isUserVerified),
            let first = salts?["first"]?.byteArray
        else { return nil }
        var results = [
            CBOR.Entry("first", .bytes(try HMAC.authenticationCode(.sha256, key: secret, first)))
        ]
        if let second = salts?["second"]?.byteArray {
            results.append(CBOR.Entry("second", .bytes(try HMAC.authenticationCode(.sha256, key: secret, second))))
        }
        return .map(results)
    }
}
