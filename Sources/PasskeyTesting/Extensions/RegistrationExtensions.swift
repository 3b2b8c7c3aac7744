import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// What extensions gave: outputs that go into authenticator data, and outputs that go beside it.
struct ExtensionOutputs {
    var signed: [CBOR.Entry] = []
    var unsigned: [CBOR.Entry] = []
}

/// Authenticator extension processing of a registration (`#sctn-op-make-cred`, step 9).
///
/// Extensions that the authenticator does not know are passed over.
struct RegistrationExtensions {
    private let inputs: CBOR
    private let options: VirtualAuthenticatorOptions
    private let rpID: String
    private let isDiscoverable: Bool
    private let isUserVerified: Bool

    init(
        _ parameters: MakeCredentialParameters,
        _ options: VirtualAuthenticatorOptions,
        isUserVerified: Bool
    ) {
        inputs = parameters.extensions
        self.options = options
        rpID = parameters.rpID
        isDiscoverable = parameters.requireResidentKey
        self.isUserVerified = isUserVerified
    }

    /// How the credential is to be guarded: as asked, or as the authenticator does by itself (CTAP 2.2 §12.1).
    var protection: CredentialProtectionPolicy {
        guard options.knows(.credProtect) else { return .userVerificationOptional }
        return inputs["credProtect"]?.int.flatMap(CredentialProtectionPolicy.init(level:))
            ?? options.defaultCredentialProtection
    }

    /// Whether the credential gets the secrets of a pseudo-random function.
    var needsSecrets: Bool {
        (options.knows(.hmacSecret) && inputs["hmac-secret"]?.bool == true)
            || (options.knows(.prf) && inputs["prf"] != nil)
    }

    /// Does to a new credential what the extensions ask for.
    ///
    /// - Parameters:
    ///   - source: The credential.
    ///   - authenticator: Who makes it.
    ///   - environment: Where bytes come from.
    /// - Returns: The outputs.
    /// - Throws: ``AuthenticatorError`` at step 9.
    func process(
        _ source: inout CredentialSource,
        _ authenticator: VirtualAuthenticator,
        _ environment: VirtualEnvironment
    ) throws(AuthenticatorError) -> ExtensionOutputs {
        var outputs = ExtensionOutputs()

        // credProtect (CTAP 2.2 §12.1): the level that counts, where one was asked for.
        if options.knows(.credProtect), inputs["credProtect"] != nil {
            outputs.signed.append(CBOR.Entry("credProtect", CBOR(protection.level)))
        }

        // credBlob (CTAP 2.2 §12.2): stored with a discoverable credential, if it is short enough.
        if options.knows(.credBlob), let blob = inputs["credBlob"]?.byteArray {
            let isStored = isDiscoverable && blob.count <= ExtensionLimits.credBlob
            if isStored { source.credential.credBlob = blob }
            outputs.signed.append(CBOR.Entry("credBlob", .bool(isStored)))
        }

        // hmac-secret and hmac-secret-mc (CTAP 2.2 §12.7, §12.8): the secrets are there; the second one uses them at once.
        if options.knows(.hmacSecret), inputs["hmac-secret"]?.bool == true {
            outputs.signed.append(CBOR.Entry("hmac-secret", true))
            if options.knows(.hmacSecretMC), let input = inputs["hmac-secret-mc"] {
                let output = try authenticator.hmacSecret(
                    input,
                    source,
                    isUserVerified: isUserVerified,
                    step: 9,
                    environment
                )
                outputs.signed.append(CBOR.Entry("hmac-secret-mc", .bytes(output)))
            }
        }

        // prf without CTAP (#prf-extension): nothing is signed.
        if options.knows(.prf), let input = inputs["prf"] {
            let results = try AuthenticatorError.operation(step: 9) { () throws(CryptoError) in
                try PRFEvaluation.results(input["eval"], source, isUserVerified: isUserVerified)
            }
            outputs.unsigned.append(
                CBOR.Entry(
                    "prf",
                    .map([CBOR.Entry("enabled", true)] + results.map { [CBOR.Entry("results", $0)] }.orEmpty)
                )
            )
        }

        // minPinLength (CTAP 2.2 §12.5): for relying parties that may know.
        if options.knows(.minPinLength), inputs["minPinLength"]?.bool == true,
            options.minPinLengthRPIDs.contains(where: { $0.hasSameBytes(as: rpID) })
        {
            outputs.signed.append(CBOR.Entry("minPinLength", CBOR(options.minPinLength)))
        }

        // largeBlob (#sctn-large-blob-extension): room for a blob, with a discoverable credential.
        if options.knows(.largeBlob), inputs["largeBlob"] != nil {
            source.credential.supportsLargeBlob = isDiscoverable
            outputs.unsigned.append(
                CBOR.Entry("largeBlob", .map([CBOR.Entry("supported", .bool(isDiscoverable))]))
            )
        }
        return outputs
    }
}

/// What authenticators take at most.
enum ExtensionLimits {
    /// maxCredBlobLength, which every authenticator that knows the extension takes (CTAP 2.2 §12.2).
    static let credBlob = 32
}

extension Optional where Wrapped == [CBOR.Entry] {
    var orEmpty: [CBOR.Entry] { self ?? [] }
}
