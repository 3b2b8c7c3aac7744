import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// A response, and the authenticator that it came from.
struct Answer<Response: Sendable>: Sendable {
    let response: Response
    let authenticator: VirtualAuthenticator
}

/// Client data as an authenticator is given it.
struct SerializedClientData {
    let json: [UInt8]
    let hash: [UInt8]
}

// MARK: The page

extension VirtualClient {
    /// The host of the page, which an RP ID has to fit (`#CreateCred-DetermineRpId`, `#GetAssn-DetermineRpId`).
    ///
    /// - Parameter step: The step that refuses an opaque origin; the one after it refuses a host that is no domain.
    /// - Returns: The host.
    /// - Throws: ``ClientError``.
    func effectiveDomain(step: Int) throws(ClientError) -> String {
        guard let origin = Origin(serialized: origin), let host = origin.host else {
            throw ClientError(.notAllowed, .opaqueOrigin, step: step, "\(self.origin) is not the origin of a web page")
        }
        guard DomainName.fault(in: host) == nil else {
            throw ClientError(.security, .invalidDomain, step: step + 1, "\(host) is not a domain")
        }
        // The API is not there at all where the page is not secure; here is the next place to say so.
        guard origin.isSecure else {
            throw ClientError(.security, .invalidDomain, step: step + 1, "\(origin) is not a secure context")
        }
        return host
    }

    /// The RP ID of a ceremony: the host, a registrable domain above it, or one whose file names the page's origin.
    ///
    /// An RP ID has to be spelt as a browser spells hosts: what is hashed is the text itself.
    func relyingPartyIdentifier(_ requested: String?, on host: String, step: Int) throws(ClientError) -> String {
        guard let requested, !publicSuffixes.isRegistrableSuffix(requested, ofOrEqualTo: host) else {
            return requested ?? host
        }
        guard let fetch, profile.supports(.relatedOrigins), DomainName.fault(in: requested) == nil,
            let callerOrigin = Origin(serialized: origin)
        else {
            throw ClientError(.security, .relyingPartyIdentifier, step: step, "\(requested) is not for \(host)")
        }
        let related = RelatedOrigins(fetch: fetch, suffixes: publicSuffixes, labelLimit: profile.registrableLabelLimit)
        do throws(RelatedOriginsError) {
            try related.validate(callerOrigin, for: requested)
        } catch {
            throw ClientError(.security, .relatedOrigins, step: step, error.detail)
        }
        return requested
    }

    /// The form of client data that an authenticator brings along, unless a page's browser made it.
    func formOfItsOwn(_ authenticator: VirtualAuthenticator) -> ClientDataForm? {
        overridesAuthenticatorForms ? nil : authenticator.options.clientDataForm
    }

    /// Serialized client data and its hash (`#clientdatajson-serialization`).
    ///
    /// - Parameters:
    ///   - ceremony: Which ceremony's.
    ///   - challenge: The challenge.
    ///   - form: The client's form, or that of an authenticator that has one of its own.
    ///   - step: The step that hashes.
    /// - Returns: Both.
    /// - Throws: ``ClientError``.
    func clientData(
        _ ceremony: Mutation.Ceremony,
        _ challenge: Challenge,
        form: ClientDataForm,
        step: Int
    ) throws(ClientError) -> SerializedClientData {
        let crossOrigin: Bool? =
            switch form {
            case .standard: !sameOriginWithAncestors
            case .native: nil
            case .crossOriginIfTrue: sameOriginWithAncestors ? nil : true
            }
        var extra = extraClientData
        for name in ["type", "challenge", "origin", "crossOrigin", "topOrigin"] { extra[name] = nil }
        let json = ClientData.serialize(
            type: "webauthn.\(ceremony.rawValue)",
            challenge: challenge.bytes,
            origin: origin,
            crossOrigin: crossOrigin,
            // Only a frame of another origin has one, and only beside `crossOrigin`.
            topOrigin: crossOrigin == true ? topOrigin : nil,
            extra: extra
        )
        do throws(CryptoError) {
            return SerializedClientData(json: json, hash: try sha256(json))
        } catch {
            throw ClientError(.unknown, .authenticatorFailed, step: step, "\(error)")
        }
    }
}

// MARK: The timer, the caller and the user

extension VirtualClient {
    /// The ceremony's timer in milliseconds, corrected to what is reasonable.
    func lifetimeTimer(_ timeout: UInt32?) -> UInt32 {
        guard let timeout else { return profile.defaultTimeout }
        return min(max(timeout, profile.timeoutRange.lowerBound), profile.timeoutRange.upperBound)
    }

    /// Throws if the caller has ended the ceremony, whose reason the page catches then.
    func checkAborted(step: Int) throws(ClientError) {
        guard let reason = signal?.reason ?? (isAborted?() == true ? AbortReason() : nil) else { return }
        throw ClientError(.abort, .aborted, step: step, reason.message, abortReason: reason)
    }

    /// What can end a ceremony before an authenticator is asked: the caller, the timer (`nil` for one that never ends),
    /// and the user in the client's own dialog.
    ///
    /// - Parameters:
    ///   - lifetimeTimer: The timer in milliseconds.
    ///   - hasDialog: Whether the client shows one.
    ///   - step: The number of the loop; the step after it is the one that the end of the timer leads to.
    /// - Throws: ``ClientError``.
    func checkRunning(_ lifetimeTimer: UInt32?, hasDialog: Bool, step: Int) throws(ClientError) {
        if let lifetimeTimer, userDelay > .milliseconds(lifetimeTimer) {
            throw ClientError(.notAllowed, .timedOut, step: step + 1, "the user took \(userDelay)")
        }
        guard !hasDialog || !closesDialog else {
            throw ClientError(.notAllowed, .dialogClosed, step: step, "the user closed the dialog")
        }
        try checkAborted(step: step)
    }

    /// The user before an authenticator, to whom authenticatorCancel (`#sctn-op-cancel`) is issued when the caller ends the
    /// ceremony while the user thinks.
    func user(before authenticator: VirtualAuthenticator) -> VirtualUser {
        VirtualUser { [client = self, signal, isAborted] prompt in
            let answer = client.ask(prompt)
            if signal?.isAborted == true || isAborted?() == true { authenticator.cancel() }
            return answer
        }
    }

    /// The authenticators in the order in which the user turns to them.
    ///
    /// Hints order the client's dialog (`#enum-hints`), and so go before the user's own order; nobody is left out.
    func authenticators(by hints: [PublicKeyCredentialHint]) -> [VirtualAuthenticator] {
        guard !hints.isEmpty else { return authenticators }
        let ranked = authenticators.enumerated().map { offset, authenticator in
            let options = authenticator.options
            return (hints.firstIndex { $0.fits(options) } ?? hints.count, offset, authenticator)
        }
        return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
}

extension PublicKeyCredentialHint {
    fileprivate func fits(_ options: VirtualAuthenticatorOptions) -> Bool {
        let isHybrid = options.transports.contains(.hybrid)
        switch self {
        case .clientDevice: return options.attachment == .platform
        case .hybrid: return options.attachment == .crossPlatform && isHybrid
        case .securityKey: return options.attachment == .crossPlatform && !isHybrid
        default: return false
        }
    }
}

extension UserVerificationRequirement {
    /// The effective user verification requirement for an authenticator.
    func isEffective(_ options: VirtualAuthenticatorOptions) -> Bool {
        switch self {
        case .required: true
        case .preferred: options.canVerifyUser
        case .discouraged: false
        }
    }
}
