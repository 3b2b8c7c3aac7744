import PasskeyModel
import PasskeySystem

/// The authorization gesture (`#authorization-gesture`): what an operation asks of its user, and what came of it.
struct AuthorizationGesture {
    let authenticator: VirtualAuthenticator
    let options: VirtualAuthenticatorOptions
    let user: VirtualUser

    /// The number under which the authenticator knows the operation, for it may be cancelled while the user thinks.
    let operation: UInt64

    /// Collects consent, presence and, where it is required, verification.
    ///
    /// Where neither presence nor verification is required, nobody is asked.
    ///
    /// - Parameters:
    ///   - prompt: What the user is asked.
    ///   - requireUserPresence: Whether the user must be present.
    ///   - step: The step that asks.
    /// - Returns: The flags UP and UV, and the credential that the user picked; `nil` for the first of those offered.
    /// - Throws: ``AuthenticatorError``.
    func collect(
        _ prompt: VirtualUser.Prompt,
        requireUserPresence: Bool,
        step: Int
    ) throws(AuthenticatorError) -> (flags: AuthenticatorData.Flags, picked: [UInt8]?) {
        guard requireUserPresence || prompt.wantsVerification else { return ([], nil) }
        var picked: [UInt8]?
        var isVerified = prompt.wantsVerification && options.canVerifyUser && options.isUserVerified
        switch options.isUserConsenting ? user.answer(prompt) : .refuses {
        case .consents: break
        case .picks(let id) where prompt.candidates.contains { $0.id == id }: picked = id
        case .failsVerification: isVerified = false
        case .refuses, .picks: try refuse(.consentDenied, step, "the user does not consent")
        case .ignores: try refuse(.ignored, step, "the user does nothing")
        }
        // An operation can be cancelled until its user has answered.
        try requireNotCancelled(step)
        guard isVerified || !prompt.wantsVerification else {
            throw AuthenticatorError(.notAllowed, .userVerificationFailed, step: step, "user verification fails")
        }
        var flags: AuthenticatorData.Flags = []
        if requireUserPresence { flags.insert(.userPresent) }
        if isVerified { flags.insert(.userVerified) }
        return (flags, picked)
    }

    private func refuse(
        _ reason: AuthenticatorError.Reason,
        _ step: Int,
        _ detail: String
    ) throws(AuthenticatorError) {
        try requireNotCancelled(step)
        throw AuthenticatorError(.notAllowed, reason, step: step, detail)
    }

    private func requireNotCancelled(_ step: Int) throws(AuthenticatorError) {
        guard authenticator.storage.withLock({ $0.isCancelled(operation) }) else { return }
        throw AuthenticatorError(.notAllowed, .cancelled, step: step, "the client cancelled the operation")
    }
}

extension VirtualAuthenticator {
    /// Runs an operation that can be cancelled.
    func operation<Value>(
        _ user: VirtualUser,
        _ body: (AuthorizationGesture) throws(AuthenticatorError) -> Value
    ) throws(AuthenticatorError) -> Value {
        let (number, options) = storage.withLock { ($0.beginOperation(), $0.options) }
        defer { storage.withLock { $0.endOperation(number) } }
        return try body(AuthorizationGesture(authenticator: self, options: options, user: user, operation: number))
    }
}
