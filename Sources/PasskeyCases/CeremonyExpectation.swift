import PasskeyAttestation
import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// What a ceremony is verified against: the member `expected` of `Vectors/README.md`.
///
/// It is turned into a relying party and a ceremony by the calls that a server makes. What a server gets by chance or
/// kept from long ago, such as the challenge, is then put in through the ceremony's stored form.
struct CeremonyExpectation {
    /// What is asked of attestation.
    enum Attestation: String {
        /// It is not looked at.
        case ignore

        /// The statement must verify; whom it leads to is not asked.
        case verify

        /// It must also lead to a trust anchor.
        case trusted
    }

    let attestation: Attestation
    let relyingParty: RelyingParty
    private let input: CaseInput
    private let challenge: [UInt8]
    private let userVerification: UserVerificationRequirement

    init(_ json: JSONValue) throws(MalformedCase) {
        input = CaseInput(json)
        attestation = try input.known("attestation") ?? .verify
        challenge = try input.base64URL("challenge")
        userVerification = try input.known("userVerification") ?? .preferred
        let now = try input.timestampIfPresent("now")
        let identifier = try input.string("rpId")
        let origins = try input.stringsIfPresent("origins") ?? []
        let topOrigins = try input.stringsIfPresent("topOrigins") ?? []
        let isFramed = try input.boolIfPresent("allowCrossOrigin") ?? false
        let options = try input.attestationOptions()
        let demand: AttestationPolicy =
            switch attestation {
            case .ignore: .none
            case .verify: .verify
            case .trusted: .require(try input.trustStore())
            }
        var clock: (@Sendable () -> Timestamp)?
        if let now { clock = { now } }
        do throws(ModelError) {
            var policy = OriginPolicy(try CeremonyExpectation.origins(origins))
            if isFramed { policy.framing = .allowed(topOrigins: try CeremonyExpectation.origins(topOrigins)) }
            relyingParty = try RelyingParty(
                id: CeremonyExpectation.relyingPartyIdentifier(identifier),
                name: "Example",
                origins: policy,
                attestation: AttestationVerifier(demand, options),
                // Some captures are of plain HTTP, which no browser of today runs a ceremony on.
                compatibility: CompatibilityPolicy(allowsInsecureOrigins: true),
                clock: clock
            )
        } catch {
            throw MalformedCase("expected: \(error)")
        }
    }

    func registrationCeremony() throws(MalformedCase) -> RegistrationCeremony {
        let options = RegistrationOptions(
            authenticatorSelection: AuthenticatorSelectionCriteria(
                residentKey: .preferred,
                userVerification: userVerification
            ),
            mediation: try input.known("mediation") ?? .optional
        )
        var changes: JSONObject = ["challenge": .string(Base64URL.encode(challenge))]
        // As they are listed, and not only those that can be verified here: an algorithm that was offered and is
        // refused all the same is the harder case.
        if let algorithms = try input.algorithmsIfPresent("algorithms") {
            changes["algorithms"] = .array(algorithms.map { .number(JSONNumber($0.rawValue)) })
        }
        do throws(ModelError) {
            let user = PublicKeyCredentialUserEntity(id: try UserHandle(bytes: [1]), name: "ada@example.com")
            let begun = try relyingParty.beginRegistration(for: user, excluding: [], options)
            return try RegistrationCeremony(begun.ceremony.json.replacing(changes))
        } catch {
            throw MalformedCase("expected: \(error)")
        }
    }

    /// Begins a sign-in of whoever was identified before the ceremony; `nil` if only the response says who it is.
    func authenticationCeremony(of user: UserHandle?) throws(MalformedCase) -> AuthenticationCeremony {
        var options = AuthenticationOptions(userVerification: userVerification)
        options.signCount = try input.known("signCountPolicy") ?? .refuse
        options.extensions.appid = try input.stringIfPresent("appId")
        var changes: JSONObject = ["challenge": .string(Base64URL.encode(challenge))]
        if let allowed = try input.stringsIfPresent("allowCredentials") {
            changes["allowedCredentials"] = .array(allowed.map { .string($0) })
        }
        do throws(ModelError) {
            let begun =
                if let user {
                    try relyingParty.beginAuthentication(of: user, allowing: [], options)
                } else {
                    try relyingParty.beginDiscoverableAuthentication(options)
                }
            return try AuthenticationCeremony(begun.ceremony.json.replacing(changes))
        } catch {
            throw MalformedCase("expected: \(error)")
        }
    }

    /// Whether the user was identified before the ceremony.
    func isUserKnown() throws(MalformedCase) -> Bool {
        switch try input.stringIfPresent("user") {
        case nil, "known": true
        case "discoverable": false
        case let other?: throw MalformedCase("user is \(other)")
        }
    }

    /// A server may have used something else than a domain, in a capture from long ago.
    private static func relyingPartyIdentifier(_ text: String) throws(ModelError) -> RelyingPartyIdentifier {
        if let identifier = try? RelyingPartyIdentifier(text) { return identifier }
        return try RelyingPartyIdentifier(notADomain: text)
    }

    private static func origins(_ texts: [String]) throws(ModelError) -> [Origin] {
        var origins: [Origin] = []
        for text in texts { origins.append(try Origin(text)) }
        return origins
    }
}

extension JSONValue {
    /// The same object with other values for some members.
    fileprivate func replacing(_ changes: JSONObject) -> JSONValue {
        guard case .object(var object) = self else { return self }
        for change in changes.members { object[change.name] = change.value }
        return .object(object)
    }
}

extension CaseInput {
    /// A moment, as RFC 3339 in UTC or in whole seconds since 1970.
    func timestampIfPresent(_ name: String) throws(MalformedCase) -> Timestamp? {
        guard let value = self[name] else { return nil }
        if let seconds = value.int, seconds.magnitude < 1 << 50 {
            return Timestamp(millisecondsSince1970: Int64(seconds) * 1000)
        }
        guard let milliseconds = value.string.flatMap(UTC.millisecondsSince1970) else {
            throw MalformedCase("\(name) is not a moment in UTC")
        }
        return Timestamp(millisecondsSince1970: milliseconds)
    }

    /// The leniencies that `allow` names.
    func attestationOptions() throws(MalformedCase) -> AttestationOptions {
        var options = AttestationOptions()
        for leniency in try stringsIfPresent("allow") ?? [] {
            switch leniency {
            case "rs1": options.allowsSHA1 = true
            case "android-safetynet": options.allowsAndroidSafetyNet = true
            default: throw MalformedCase("allow: there is no leniency \(excerpt(leniency))")
            }
        }
        return options
    }

    /// A store with the certificates that `trustAnchors` lists.
    func trustStore() throws(MalformedCase) -> TrustStore {
        var anchors: [[UInt8]] = []
        for text in try stringsIfPresent("trustAnchors") ?? [] {
            do throws(WireError) {
                anchors.append(try Base64.decode(text))
            } catch {
                throw MalformedCase("trustAnchors: \(error)")
            }
        }
        do throws(TrustStoreError) {
            return try TrustStore(anchors: anchors)
        } catch {
            throw MalformedCase("trustAnchors: \(error)")
        }
    }
}
