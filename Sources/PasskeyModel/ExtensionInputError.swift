/// Why a client refuses to begin a ceremony over an extension's input.
public struct ExtensionInputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the `DOMException` that a browser ends the ceremony with.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The input means nothing in this ceremony.
        case notSupported = "NotSupportedError"

        /// A key of `evalByCredential` names no credential that the ceremony allows.
        case syntax = "SyntaxError"
    }

    /// What a program branches on.
    public var code: Code

    /// The extension.
    public var identifier: String

    /// What goes to the log.
    public var detail: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What a program branches on.
    ///   - identifier: The extension.
    ///   - detail: What goes to the log.
    public init(_ code: Code, _ identifier: String, _ detail: String) {
        self.code = code
        self.identifier = identifier
        self.detail = detail
    }

    /// The error in one line.
    public var description: String { "\(identifier): \(detail) (\(code.rawValue))" }
}

extension AuthenticationExtensionsClientInputs {
    /// Checks the inputs as a client does that is asked for a new credential.
    ///
    /// A server can check them before it sends them; each client that knows the extension will.
    ///
    /// - Throws: ``ExtensionInputError`` for the first rule of `#prf-extension` and `#sctn-large-blob-extension` that
    ///   is broken.
    public func validateForRegistration() throws(ExtensionInputError) {
        if prf?.evalByCredential != nil {
            throw ExtensionInputError(.notSupported, "prf", "evalByCredential is for signing in")
        }
        if largeBlob?.read != nil || largeBlob?.write != nil {
            throw ExtensionInputError(.notSupported, "largeBlob", "read and write are for signing in")
        }
    }

    /// Checks the inputs as a client does that is asked to sign in.
    ///
    /// - Parameter allowCredentials: The credentials that the options list.
    /// - Throws: ``ExtensionInputError`` for the first rule of `#prf-extension` and `#sctn-large-blob-extension` that
    ///   is broken.
    public func validateForAuthentication(
        allowCredentials: [PublicKeyCredentialDescriptor]
    ) throws(ExtensionInputError) {
        if let entries = prf?.evalByCredential, !entries.isEmpty {
            guard !allowCredentials.isEmpty else {
                throw ExtensionInputError(.notSupported, "prf", "evalByCredential needs a list of credentials")
            }
            let allowed = Set(allowCredentials.map(\.id))
            guard entries.allSatisfy({ !$0.credentialID.isEmpty && allowed.contains($0.credentialID) }) else {
                throw ExtensionInputError(.syntax, "prf", "evalByCredential names a credential that is not allowed")
            }
        }
        guard let largeBlob else { return }
        if largeBlob.support != nil {
            throw ExtensionInputError(.notSupported, "largeBlob", "support is for a registration")
        }
        if largeBlob.read != nil, largeBlob.write != nil {
            throw ExtensionInputError(.notSupported, "largeBlob", "read and write exclude each other")
        }
        if largeBlob.write != nil, allowCredentials.count != 1 {
            throw ExtensionInputError(.notSupported, "largeBlob", "write needs exactly one allowed credential")
        }
    }
}
