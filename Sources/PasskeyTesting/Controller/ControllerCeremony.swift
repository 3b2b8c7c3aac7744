import PasskeyAuthorization
import PasskeySystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// MARK: A ceremony from its beginning to its end

extension VirtualAuthorizationController {
    /// What the user is offered, in a world as it is when the ceremony comes to that.
    typealias Offering = (VirtualWorld) throws(AuthorizationError) -> [Offer]

    func run(
        _ operation: AuthorizationOperation,
        _ requests: [any AuthorizationRequest],
        _ offering: Offering
    ) async throws(AuthorizationError) -> AuthorizationResult {
        let recorder = journal.begin(operation, requests.map(CeremonyRecord.Request.init))
        do throws(AuthorizationError) {
            let result = try await ceremony(operation, requests, recorder, offering)
            recorder.end(CeremonyRecord.Response(result.credential))
            return result
        } catch {
            recorder.end(CeremonyRecord.Failure(error))
            throw error
        }
    }

    private func ceremony(
        _ operation: AuthorizationOperation,
        _ requests: [any AuthorizationRequest],
        _ recorder: CeremonyRecorder,
        _ offering: Offering
    ) async throws(AuthorizationError) -> AuthorizationResult {
        let isAutoFill = operation == .authorizeWithAutoFill
        let (ceremony, outcome, superseded) = state.withLock { state in
            let outcome = state.outcomes[operation]?.popFirst() ?? state.standing[operation] ?? .succeeds
            let ceremony = PendingCeremony(isPickable: isAutoFill && outcome.ending == .succeeds)
            let superseded = state.pending
            state.pending = ceremony
            return (ceremony, outcome, superseded)
        }
        superseded?.end(.cancelled("another ceremony began"))
        defer { state.withLock { if $0.pending === ceremony { $0.pending = nil } } }
        guard !Task.isCancelled else { throw .cancelled("the task was cancelled") }

        if outcome != .succeeds { recorder.note(.outcome(outcome)) }
        // A ceremony with autofill has no timeout.
        let timeout = isAutoFill ? nil : requests.compactMap(\.timeoutIfAny).min()
        if let timeout, outcome.delay > timeout { try await wait(ceremony, for: timeout, thenTimesOut: true) }
        if outcome.delay > .zero { try await wait(ceremony, for: outcome.delay) }
        let world = world(of: ceremony, recorder)
        if let error = outcome.error(in: operation, world.clientProfile.authorizationErrors) { throw error }
        if outcome.ending == .hangs {
            try await wait(ceremony, for: timeout.map { $0 - outcome.delay }, thenTimesOut: true)
        }
        guard isAutoFill else {
            return try await fulfil(operation, requests, ceremony, world, offering(world))
        }

        // What can never be suggested is said at once.
        _ = try offering(world)
        if outcome.delay == .zero { try await wait(ceremony, for: nil) }
        // What is suggested is what is there when the user picks.
        let now = self.world(of: ceremony, recorder)
        var offers = try offering(now)
        recorder.note(.offered(offers.map(\.candidate)))
        if let picked = ceremony.picked {
            offers.removeAll { !$0.candidate.isPasskey(picked) }
        }
        recorder.note(.chose(offers.first?.candidate))
        guard let offer = offers.first else {
            throw AuthorizationError(
                type: .noCredentialsAvailable,
                message: AuthorizationErrorTable.noCredentialsReason,
                code: now.clientProfile.authorizationErrors.code(for: .noCredentialsAvailable)
            )
        }
        return try await take(offer, ceremony)
    }

    /// The world as it is now: what happens in it is written down, and who thinks about an answer can be interrupted.
    private func world(of ceremony: PendingCeremony, _ recorder: CeremonyRecorder) -> VirtualWorld {
        var world = state.withLock { $0.world }
        world.recorder = recorder
        world.isEnded = { ceremony.end != nil || Task.isCancelled }
        return world
    }

    /// Has the user choose until something is fulfilled.
    private func fulfil(
        _ operation: AuthorizationOperation,
        _ requests: [any AuthorizationRequest],
        _ ceremony: PendingCeremony,
        _ world: VirtualWorld,
        _ everything: [Offer]
    ) async throws(AuthorizationError) -> AuthorizationResult {
        var offers = everything
        guard !offers.isEmpty else {
            try checkNotEnded(ceremony)
            return try world.withoutOffer(requests, in: operation)
        }
        var refusal: AuthorizationError?
        while !offers.isEmpty {
            let candidates = offers.map(\.candidate)
            world.recorder?.note(.offered(candidates))
            let choice = world.chooses(candidates)
            let isChoice = choice.map(candidates.indices.contains) ?? false
            world.recorder?.note(.chose(isChoice ? choice.map { candidates[$0] } : nil))
            guard isChoice, let choice else {
                throw .cancelled("the user dismissed the dialog")
            }
            do throws(AuthorizationError) {
                return try await take(offers.remove(at: choice), ceremony)
            } catch {
                // The first refusal counts; but only where nobody could be asked is there a point in choosing again.
                refusal = refusal ?? error
                guard error.type == .noCredentialsAvailable || error.type == .deviceNotConfigured else { throw error }
            }
        }
        throw refusal ?? .notSupported("nothing was requested")
    }

    /// Takes what the user chose.
    private func take(
        _ offer: Offer,
        _ ceremony: PendingCeremony
    ) async throws(AuthorizationError) -> AuthorizationResult {
        // Once an authenticator has the user's answer, its own counts.
        try checkNotEnded(ceremony)
        let credential: any AuthorizationCredential
        switch offer.fulfilment {
        case .now(let fulfil): credential = try fulfil()
        case .later(let fulfil): credential = try await answer(ceremony, fulfil)
        }
        return AuthorizationResult(provider: offer.provider, credential: credential)
    }

    /// Waits for somebody else's answer, unless the ceremony ends before.
    private func answer(
        _ ceremony: PendingCeremony,
        _ body: @escaping @Sendable () async throws(AuthorizationError) -> any AuthorizationCredential
    ) async throws(AuthorizationError) -> any AuthorizationCredential {
        let result = Lock<Result<any AuthorizationCredential, AuthorizationError>?>(nil)
        let phase = ceremony.phase
        let task = Task {
            do throws(AuthorizationError) {
                let credential = try await body()
                result.withLock { $0 = .success(credential) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            ceremony.proceed(in: phase)
        }
        defer { task.cancel() }
        try await happens(ceremony)
        guard let answer = result.withLock({ $0 }) else { throw .cancelled("the ceremony was cancelled") }
        return try answer.get()
    }

    /// Waits for a time, or for ever, unless something else happens before.
    private func wait(
        _ ceremony: PendingCeremony,
        for duration: Duration?,
        thenTimesOut: Bool = false
    ) async throws(AuthorizationError) {
        let sleep = sleep
        let phase = ceremony.phase
        let timer = duration.map { duration in
            Task {
                try? await sleep(duration)
                guard !Task.isCancelled else { return }
                if thenTimesOut {
                    ceremony.end(.timedOut)
                } else {
                    ceremony.proceed(in: phase)
                }
            }
        }
        defer { timer?.cancel() }
        try await happens(ceremony)
    }

    private func happens(_ ceremony: PendingCeremony) async throws(AuthorizationError) {
        try raise(await ceremony.wait())
    }

    private func checkNotEnded(_ ceremony: PendingCeremony) throws(AuthorizationError) {
        if let end = ceremony.end { try raise(end) }
        guard !Task.isCancelled else { throw .cancelled("the task was cancelled") }
    }

    private func raise(_ event: PendingCeremony.Event) throws(AuthorizationError) {
        switch event {
        case .proceeds: break
        case .cancelled(let why): throw .cancelled(why)
        case .timedOut:
            let table = clientProfile.authorizationErrors
            throw AuthorizationError(
                type: .timedOut,
                message: "the request's timeout is over",
                code: table.code(for: .timedOut)
            )
        }
    }
}

extension VirtualCandidate {
    fileprivate func isPasskey(_ id: Data) -> Bool {
        guard case .passkey(_, id) = self else { return false }
        return true
    }
}

extension AuthorizationRequest {
    /// The timeout of a passkey request.
    fileprivate var timeoutIfAny: Duration? {
        (self as? AuthorizationPublicKeyCredentialRegistrationRequest)?.timeout
            ?? (self as? AuthorizationPublicKeyCredentialAssertionRequest)?.timeout
    }
}

extension Array {
    /// Removes and returns the first element, if there is one.
    fileprivate mutating func popFirst() -> Element? {
        isEmpty ? nil : removeFirst()
    }
}
