import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// What a client asks one authenticator of extensions, and what it must remember until the answer.
struct ExtensionRequest {
    /// Authenticator extension inputs.
    var inputs = CBOR.map([])

    /// With which `hmac-secret` was asked; `nil` if it was not.
    var sharedSecret: PINProtocol.SharedSecret?

    fileprivate mutating func add(_ identifier: CBOR, _ input: CBOR) {
        inputs = .map((inputs.entries ?? []) + [CBOR.Entry(identifier, input)])
    }

    /// Asks for `hmac-secret` with salts, by PIN/UV auth protocol two.
    fileprivate mutating func addSalts(
        _ values: PRFValues,
        as identifier: CBOR,
        of authenticator: VirtualAuthenticator,
        _ environment: VirtualEnvironment
    ) throws(CryptoError) {
        let request = try HMACSecret.request(
            PRFEvaluation.salts(values),
            .two,
            peer: PINProtocol.keyAgreement(authenticator.keyAgreementKey(in: environment)),
            in: environment
        )
        sharedSecret = request.sharedSecret
        add(identifier, request.input)
    }

    /// The results in an authenticator's answer to `hmac-secret`.
    fileprivate func results(_ output: [UInt8]?) throws(CryptoError) -> PRFValues? {
        guard let output, let sharedSecret else { return nil }
        let results = try HMACSecret.open(output, sharedSecret)
        return results.first.map { PRFValues(first: $0, second: results.count > 1 ? results[1] : nil) }
    }
}

extension PRFEvaluation {
    /// What a page's inputs become before an authenticator sees them (`#prf-extension`).
    static func salts(_ values: PRFValues) throws(CryptoError) -> [[UInt8]] {
        var salts = [try HMACSecret.salt(values.first)]
        if let second = values.second { salts.append(try HMACSecret.salt(second)) }
        return salts
    }

    /// The salts as ``AuthenticatorExtension/prf`` takes them.
    static func input(_ values: PRFValues) throws(CryptoError) -> CBOR {
        let salts = try salts(values)
        return .map(zip(["first", "second"] as [CBOR], salts).map { CBOR.Entry($0, .bytes($1)) })
    }

    /// The results as ``AuthenticatorExtension/prf`` gives them.
    static func values(_ output: CBOR?) -> PRFValues? {
        output?["first"]?.byteArray.map { PRFValues(first: $0, second: output?["second"]?.byteArray) }
    }
}

/// Client extension processing of a registration (`#sctn-createCredential`, steps 11 and 12, and the successful end).
struct RegistrationClientExtensions {
    private let inputs: AuthenticationExtensionsClientInputs

    /// Takes what the page asked for.
    ///
    /// - Parameter inputs: What the page asked for.
    /// - Throws: ``ExtensionInputError`` for an input that a registration cannot have.
    init(_ inputs: AuthenticationExtensionsClientInputs) throws(ExtensionInputError) {
        try inputs.validateForRegistration()
        guard inputs.appid == nil else {
            throw ExtensionInputError(.notSupported, "appid", "it is for signing in")
        }
        self.inputs = inputs
    }

    /// Whether an authenticator can do what must be done (step 22, "If options.authenticatorSelection is present").
    func isFulfilled(by options: VirtualAuthenticatorOptions) -> Bool {
        if inputs.largeBlob?.support == .required,
            !options.knows(.largeBlob) || !options.storesDiscoverableCredentials
        {
            return false
        }
        if inputs.enforceCredentialProtectionPolicy == true, let policy = inputs.credentialProtectionPolicy,
            policy != .userVerificationOptional, !options.knows(.credProtect)
        {
            return false
        }
        return true
    }

    /// What an authenticator is asked.
    func request(
        _ authenticator: VirtualAuthenticator,
        _ environment: VirtualEnvironment
    ) throws(AuthenticatorError) -> ExtensionRequest {
        try AuthenticatorError.operation(step: 1) { try self.makeRequest(authenticator, environment) }
    }

    private func makeRequest(
        _ authenticator: VirtualAuthenticator,
        _ environment: VirtualEnvironment
    ) throws(CryptoError) -> ExtensionRequest {
        let options = authenticator.options
        var request = ExtensionRequest()
        if let policy = inputs.credentialProtectionPolicy, options.knows(.credProtect) {
            request.add("credProtect", CBOR(policy.level))
        }
        if let blob = inputs.credBlob, options.knows(.credBlob), blob.count <= ExtensionLimits.credBlob {
            request.add("credBlob", .bytes(blob))
        }
        if inputs.prf != nil || inputs.hmacCreateSecret == true, options.knows(.hmacSecret) {
            request.add("hmac-secret", true)
            if let values = inputs.prf?.eval, options.knows(.hmacSecretMC) {
                try request.addSalts(values, as: "hmac-secret-mc", of: authenticator, environment)
            }
        } else if let prf = inputs.prf, options.knows(.prf) {
            let eval = try prf.eval.map { (values) throws(CryptoError) in try PRFEvaluation.input(values) }
            request.add("prf", .map(eval.map { [CBOR.Entry("eval", $0)] }.orEmpty))
        }
        if inputs.minPinLength == true, options.knows(.minPinLength) { request.add("minPinLength", true) }
        if let support = inputs.largeBlob?.support, options.knows(.largeBlob) {
            request.add("largeBlob", .map([CBOR.Entry("support", .text(support.rawValue))]))
        }
        return request
    }

    /// What the page is told.
    ///
    /// - Parameters:
    ///   - request: What the authenticator was asked.
    ///   - data: What it signed.
    ///   - unsigned: What it said beside that.
    ///   - requireResidentKey: What it was asked: `credProps` tells that, and not what came of it.
    /// - Returns: The client extension outputs.
    /// - Throws: ``AuthenticatorError`` if the outputs are not what the extensions give.
    func outputs(
        _ request: ExtensionRequest,
        _ data: AuthenticatorData,
        _ unsigned: CBOR,
        requireResidentKey: Bool
    ) throws(AuthenticatorError) -> AuthenticationExtensionsClientOutputs {
        try AuthenticatorError.operation(step: 9) {
            try self.makeOutputs(request, data, unsigned, requireResidentKey: requireResidentKey)
        }
    }

    private func makeOutputs(
        _ request: ExtensionRequest,
        _ data: AuthenticatorData,
        _ unsigned: CBOR,
        requireResidentKey: Bool
    ) throws -> AuthenticationExtensionsClientOutputs {
        let signed = data.extensions
        var outputs = AuthenticationExtensionsClientOutputs()
        if inputs.appidExclude != nil { outputs.appidExclude = true }
        if inputs.credProps == true { outputs.credProps = CredentialPropertiesOutput(rk: requireResidentKey) }
        let hasSecret = try signed?.hmacSecret == .flag(true)
        if inputs.prf != nil {
            outputs.prf = PRFOutputs(
                enabled: hasSecret || unsigned["prf"]?["enabled"]?.bool == true,
                results: try request.results(signed?.hmacSecretMC) ?? PRFEvaluation.values(unsigned["prf"]?["results"])
            )
        }
        if inputs.hmacCreateSecret == true { outputs.hmacCreateSecret = hasSecret }
        if inputs.credBlob != nil { outputs.credBlob = try signed?.credBlob == .flag(true) }
        if inputs.largeBlob?.support != nil {
            outputs.largeBlob = LargeBlobOutputs(supported: unsigned["largeBlob"]?["supported"]?.bool == true)
        }
        return outputs
    }
}

/// Client extension processing of a sign-in (`#sctn-getAssertion`, steps 9 and 10, and the successful end).
struct AuthenticationClientExtensions {
    private let inputs: AuthenticationExtensionsClientInputs

    /// Takes what the page asked for.
    ///
    /// - Parameters:
    ///   - inputs: What the page asked for.
    ///   - allowCredentials: The credentials that the options name.
    /// - Throws: ``ExtensionInputError`` for an input that a sign-in, or this one, cannot have.
    init(
        _ inputs: AuthenticationExtensionsClientInputs,
        allowCredentials: [PublicKeyCredentialDescriptor]
    ) throws(ExtensionInputError) {
        try inputs.validateForAuthentication(allowCredentials: allowCredentials)
        guard inputs.appidExclude == nil else {
            throw ExtensionInputError(.notSupported, "appidExclude", "it is for a registration")
        }
        self.inputs = inputs
    }

    /// The credentials that an authenticator is asked for, of those that are on it.
    ///
    /// CTAP has room for one credential's inputs: where there are inputs for each, the first credential is asked for.
    func narrowed(
        _ allowed: [PublicKeyCredentialDescriptor],
        _ options: VirtualAuthenticatorOptions
    ) -> [PublicKeyCredentialDescriptor] {
        guard let own = inputs.prf?.evalByCredential, !own.isEmpty, options.knows(.hmacSecret) else { return allowed }
        return Array(allowed.prefix(1))
    }

    /// What an authenticator is asked.
    ///
    /// - Parameters:
    ///   - authenticator: The authenticator.
    ///   - allowed: The credentials that it is asked for; `nil` for any.
    ///   - environment: Where bytes come from.
    /// - Returns: The request.
    /// - Throws: ``AuthenticatorError`` if the cryptographic library fails.
    func request(
        _ authenticator: VirtualAuthenticator,
        _ allowed: [PublicKeyCredentialDescriptor]?,
        _ environment: VirtualEnvironment
    ) throws(AuthenticatorError) -> ExtensionRequest {
        try AuthenticatorError.operation(step: 1) { try self.makeRequest(authenticator, allowed, environment) }
    }

    private func makeRequest(
        _ authenticator: VirtualAuthenticator,
        _ allowed: [PublicKeyCredentialDescriptor]?,
        _ environment: VirtualEnvironment
    ) throws(CryptoError) -> ExtensionRequest {
        let options = authenticator.options
        var request = ExtensionRequest()
        if inputs.getCredBlob == true, options.knows(.credBlob) { request.add("credBlob", true) }
        if let prf = inputs.prf {
            if options.knows(.hmacSecret) {
                let own = allowed?.count == 1 ? allowed.map { $0[0].id }.flatMap { prf.values(for: $0) } : prf.eval
                if let values = own ?? prf.eval {
                    try request.addSalts(values, as: "hmac-secret", of: authenticator, environment)
                }
            } else if options.knows(.prf) {
                request.add("prf", try Self.input(prf))
            }
        }
        if let largeBlob = inputs.largeBlob, options.knows(.largeBlob) {
            if largeBlob.read == true {
                request.add("largeBlob", .map([CBOR.Entry("read", true)]))
            } else if let blob = largeBlob.write {
                request.add("largeBlob", .map([CBOR.Entry("write", .bytes(blob))]))
            }
        }
        return request
    }

    private static func input(_ prf: PRFInputs) throws(CryptoError) -> CBOR {
        var members: [CBOR.Entry] = []
        if let eval = prf.eval { members.append(CBOR.Entry("eval", try PRFEvaluation.input(eval))) }
        var own: [CBOR.Entry] = []
        for entry in prf.evalByCredential ?? [] {
            own.append(CBOR.Entry(.bytes(entry.credentialID), try PRFEvaluation.input(entry.values)))
        }
        if !own.isEmpty { members.append(CBOR.Entry("evalByCredential", .map(own))) }
        return .map(members)
    }

    /// What the page is told.
    ///
    /// - Parameters:
    ///   - request: What the authenticator was asked.
    ///   - authenticatorData: What it signed.
    ///   - unsigned: What it said beside that.
    ///   - usedAppID: Whether the AppID stood for the RP ID.
    /// - Returns: The client extension outputs.
    /// - Throws: ``AuthenticatorError`` if the outputs are not what the extensions give.
    func outputs(
        _ request: ExtensionRequest,
        _ authenticatorData: [UInt8],
        _ unsigned: CBOR,
        usedAppID: Bool
    ) throws(AuthenticatorError) -> AuthenticationExtensionsClientOutputs {
        try AuthenticatorError.operation(step: 8) {
            try self.makeOutputs(request, AuthenticatorData(authenticatorData), unsigned, usedAppID: usedAppID)
        }
    }

    private func makeOutputs(
        _ request: ExtensionRequest,
        _ data: AuthenticatorData,
        _ unsigned: CBOR,
        usedAppID: Bool
    ) throws -> AuthenticationExtensionsClientOutputs {
        var outputs = AuthenticationExtensionsClientOutputs()
        if inputs.appid != nil { outputs.appid = usedAppID }
        if inputs.prf != nil {
            var output: [UInt8]?
            if case .bytes(let bytes) = try data.extensions?.hmacSecret { output = bytes }
            outputs.prf = PRFOutputs(
                results: try request.results(output) ?? PRFEvaluation.values(unsigned["prf"]?["results"])
            )
        }
        if inputs.getCredBlob == true, case .bytes(let blob) = try data.extensions?.credBlob, !blob.isEmpty {
            outputs.getCredBlob = blob
        }
        if let largeBlob = inputs.largeBlob {
            let output = unsigned["largeBlob"]
            outputs.largeBlob = LargeBlobOutputs(
                blob: output?["blob"]?.byteArray,
                written: largeBlob.write == nil ? nil : output?["written"]?.bool == true
            )
        }
        return outputs
    }
}
