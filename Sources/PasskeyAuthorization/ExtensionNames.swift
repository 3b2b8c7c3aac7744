#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Extensions by the names that AuthenticationServices has for them. What is asked stands in `extensions`, and what came of
// it in `clientExtensionResults`, once each; these are other ways to say it.

/// What a registration asks of the `largeBlob` extension (`#sctn-large-blob-extension`).
@nonexhaustive
public enum AuthorizationPublicKeyCredentialLargeBlobRegistrationInput: Hashable, Sendable {
    /// No credential is made that has no room for a blob.
    case supportRequired

    /// A credential with room for a blob is preferred.
    case supportPreferred
}

/// What a sign-in asks of the `largeBlob` extension.
@nonexhaustive
public enum AuthorizationPublicKeyCredentialLargeBlobAssertionInput: Hashable, Sendable {
    /// To read the blob.
    case read

    /// To write it; the request must name one credential.
    case write(Data)
}

/// What a registration says of the `largeBlob` extension.
public struct AuthorizationPublicKeyCredentialLargeBlobRegistrationOutput: Hashable, Sendable {
    /// Whether the credential has room for a blob.
    public let isSupported: Bool
}

/// What a sign-in says of the `largeBlob` extension.
public struct AuthorizationPublicKeyCredentialLargeBlobAssertionOutput: Hashable, Sendable {
    /// What was read.
    public let readData: Data?

    /// Whether it was written; `nil` if that was not asked.
    public let didWrite: Bool?
}

/// One or two salts of a credential's pseudo-random function (`#prf-extension`).
public struct AuthorizationPublicKeyCredentialPRFInputValues: Hashable, Sendable {
    /// The first salt, any bytes.
    public var saltInput1: Data

    /// The second salt.
    public var saltInput2: Data?

    /// Makes salts.
    ///
    /// - Parameters:
    ///   - saltInput1: The first salt.
    ///   - saltInput2: The second salt.
    public init(saltInput1: Data, saltInput2: Data? = nil) {
        self.saltInput1 = saltInput1
        self.saltInput2 = saltInput2
    }

    init(_ values: PRFValues) {
        self.init(saltInput1: Data(values.first), saltInput2: values.second.map { Data($0) })
    }

    var values: PRFValues { PRFValues(first: [UInt8](saltInput1), second: saltInput2.map { [UInt8]($0) }) }
}

/// What a registration asks of the `prf` extension.
@nonexhaustive
public enum AuthorizationPublicKeyCredentialPRFRegistrationInput: Hashable, Sendable {
    /// Whether the credential has such a function.
    case checkForSupport

    /// That, and what it makes of salts, where the authenticator can do it at once.
    case inputValues(AuthorizationPublicKeyCredentialPRFInputValues)
}

/// What a sign-in asks of the `prf` extension.
public struct AuthorizationPublicKeyCredentialPRFAssertionInput: Hashable, Sendable {
    /// Salts for credentials that have none of their own.
    public var inputValues: AuthorizationPublicKeyCredentialPRFInputValues?

    /// Salts by credential; the request must allow these.
    public var perCredentialInputValues: [Data: AuthorizationPublicKeyCredentialPRFInputValues]?

    /// Makes an input.
    ///
    /// - Parameters:
    ///   - inputValues: Salts for credentials that have none of their own.
    ///   - perCredentialInputValues: Salts by credential.
    public init(
        inputValues: AuthorizationPublicKeyCredentialPRFInputValues? = nil,
        perCredentialInputValues: [Data: AuthorizationPublicKeyCredentialPRFInputValues]? = nil
    ) {
        self.inputValues = inputValues
        self.perCredentialInputValues = perCredentialInputValues
    }
}

/// What a registration says of the `prf` extension; the outputs are keys, and no server's business.
public struct AuthorizationPublicKeyCredentialPRFRegistrationOutput: Hashable, Sendable {
    /// Whether the credential has such a function.
    public let isSupported: Bool

    /// What it made of the first salt, 32 bytes.
    public let first: Data?

    /// What it made of the second.
    public let second: Data?
}

/// What a sign-in says of the `prf` extension; the outputs are keys, and no server's business.
public struct AuthorizationPublicKeyCredentialPRFAssertionOutput: Hashable, Sendable {
    /// What it made of the first salt, 32 bytes.
    public let first: Data

    /// What it made of the second.
    public let second: Data?
}

// MARK: Requests

extension AuthorizationPublicKeyCredentialRegistrationRequest {
    /// What is asked of the `largeBlob` extension: `largeBlob.support` of ``extensions``.
    public var largeBlob: AuthorizationPublicKeyCredentialLargeBlobRegistrationInput? {
        get { extensions.largeBlob?.support.map { $0 == .required ? .supportRequired : .supportPreferred } }
        set {
            extensions.largeBlob = newValue.map {
                LargeBlobInputs(support: $0 == .supportRequired ? .required : .preferred)
            }
        }
    }

    /// What is asked of the `prf` extension: `prf` of ``extensions``.
    public var prf: AuthorizationPublicKeyCredentialPRFRegistrationInput? {
        get {
            extensions.prf.map { prf in
                prf.eval.map { .inputValues(.init($0)) } ?? .checkForSupport
            }
        }
        set {
            switch newValue {
            case nil: extensions.prf = nil
            case .checkForSupport: extensions.prf = PRFInputs()
            case .inputValues(let values): extensions.prf = PRFInputs(eval: values.values)
            }
        }
    }
}

extension AuthorizationPublicKeyCredentialAssertionRequest {
    /// What is asked of the `largeBlob` extension: `largeBlob.read` or `largeBlob.write` of ``extensions``.
    public var largeBlob: AuthorizationPublicKeyCredentialLargeBlobAssertionInput? {
        get {
            guard let input = extensions.largeBlob else { return nil }
            if let blob = input.write { return .write(Data(blob)) }
            return input.read == true ? .read : nil
        }
        set {
            switch newValue {
            case nil: extensions.largeBlob = nil
            case .read: extensions.largeBlob = LargeBlobInputs(read: true)
            case .write(let blob): extensions.largeBlob = LargeBlobInputs(write: [UInt8](blob))
            }
        }
    }

    /// What is asked of the `prf` extension: `prf` of ``extensions``.
    public var prf: AuthorizationPublicKeyCredentialPRFAssertionInput? {
        get {
            extensions.prf.map { prf in
                AuthorizationPublicKeyCredentialPRFAssertionInput(
                    inputValues: prf.eval.map { .init($0) },
                    // Of several entries for one credential the first counts.
                    perCredentialInputValues: prf.evalByCredential.map { entries in
                        Dictionary(
                            entries.map { (Data($0.credentialID), .init($0.values)) },
                            uniquingKeysWith: { first, _ in first }
                        )
                    }
                )
            }
        }
        set {
            extensions.prf = newValue.map { input in
                PRFInputs(
                    eval: input.inputValues?.values,
                    // In one order, so that the same request is the same bytes each time.
                    evalByCredential: input.perCredentialInputValues.map { entries in
                        entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
                            PRFInputs.CredentialValues(credentialID: [UInt8]($0.key), values: $0.value.values)
                        }
                    }
                )
            }
        }
    }

    /// The AppID under which U2F's own API made the credential: `appid` of ``extensions``, for security keys.
    public var appID: String? {
        get { extensions.appid }
        set { extensions.appid = newValue }
    }
}

// MARK: Credentials

extension PasskeyRegistrationCredential {
    /// What came of the `largeBlob` extension; `nil` if nothing did.
    public var largeBlob: AuthorizationPublicKeyCredentialLargeBlobRegistrationOutput? {
        clientExtensionResults.largeBlob?.supported.map { .init(isSupported: $0) }
    }

    /// What came of the `prf` extension; `nil` if nothing did.
    public var prf: AuthorizationPublicKeyCredentialPRFRegistrationOutput? {
        clientExtensionResults.prf.map { prf in
            AuthorizationPublicKeyCredentialPRFRegistrationOutput(
                isSupported: prf.enabled == true,
                first: prf.results.map { Data($0.first) },
                second: prf.results?.second.map { Data($0) }
            )
        }
    }
}

extension PasskeyAssertionCredential {
    /// What came of the `largeBlob` extension; `nil` if nothing did.
    public var largeBlob: AuthorizationPublicKeyCredentialLargeBlobAssertionOutput? {
        clientExtensionResults.largeBlob.map { blob in
            .init(readData: blob.blob.map { Data($0) }, didWrite: blob.written)
        }
    }

    /// What came of the `prf` extension; `nil` if nothing did.
    public var prf: AuthorizationPublicKeyCredentialPRFAssertionOutput? {
        clientExtensionResults.prf?.results.map { results in
            .init(first: Data(results.first), second: results.second.map { Data($0) })
        }
    }

    /// Whether the credential was found under the request's AppID, whose hash is in the authenticator data then.
    public var appID: Bool { clientExtensionResults.appid == true }
}
