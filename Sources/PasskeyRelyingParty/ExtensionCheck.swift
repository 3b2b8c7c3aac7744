import PasskeyModel
import PasskeyWire

/// Extension outputs against what was asked (`#sctn-extensions`).
///
/// An authenticator may ignore any extension, so an output that is missing is no fault unless the relying party
/// demanded its effect.
struct ExtensionCheck {
    let inputs: AuthenticationExtensionsClientInputs
    let client: AuthenticationExtensionsClientOutputs
    let authenticator: AuthenticatorExtensionOutputs?

    /// Outputs that nobody asked for, of client and authenticator, by identifier; each once.
    var unsolicited: [String] {
        // As bytes: hashing a hostile string would cost the square of its length.
        let asked = Set(inputs.identifiers.map { [UInt8]($0.utf8) })
        let askedOfAuthenticator = Set(inputs.authenticatorIdentifiers.map { [UInt8]($0.utf8) })
        var seen: Set<[UInt8]> = []
        var found: [String] = []
        func collect(_ identifiers: [String], besides asked: Set<[UInt8]>) {
            for identifier in identifiers {
                let bytes = [UInt8](identifier.utf8)
                if !asked.contains(bytes), seen.insert(bytes).inserted { found.append(identifier) }
            }
        }
        collect(client.identifiers, besides: asked)
        collect(authenticator?.identifiers ?? [], besides: askedOfAuthenticator)
        return found
    }

    func faultOfRegistration(_ policy: UnsolicitedExtensionPolicy) -> String? {
        if let fault = faultOfUnsolicited(policy) { return fault }
        // credProtect (CTAP 2.2 §12.1): with `enforceCredentialProtectionPolicy` the level is not to be lowered.
        if let wanted = inputs.credentialProtectionPolicy, inputs.enforceCredentialProtectionPolicy == true {
            let output = Result { () throws(WireError) in try authenticator?.credProtect }
            guard case .success(let level) = output else { return "credProtect is no level" }
            // An authenticator without the extension guards nothing, which is the lowest level.
            guard level ?? 1 >= wanted.level else {
                return "credProtect is \(level ?? 1) and must be at least \(wanted.level)"
            }
        }
        if inputs.largeBlob?.support == .required, client.largeBlob?.supported != true {
            return "largeBlob is required and not supported"
        }
        return nil
    }

    func faultOfAuthentication(_ policy: UnsolicitedExtensionPolicy) -> String? {
        faultOfUnsolicited(policy)
    }

    private func faultOfUnsolicited(_ policy: UnsolicitedExtensionPolicy) -> String? {
        let unsolicited = unsolicited
        guard policy == .refuse, !unsolicited.isEmpty else { return nil }
        return "nobody asked for \(unsolicited.prefix(8).map(excerpt).joined(separator: ", "))"
    }
}
