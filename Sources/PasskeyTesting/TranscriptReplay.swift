import PasskeyCrypto
import PasskeyModel
import PasskeySystem

extension Transcript {
    /// Runs the ceremonies again, in a world that is made anew and gives them what they were given.
    ///
    /// - Parameter base: What is no data: the list of public suffixes, and the adversary.
    /// - Returns: The first difference; `nil` if all was as it had been.
    public func replay(with base: VirtualClient = VirtualClient(origin: "https://example.com")) -> Difference? {
        let playback = Playback()
        var world: [VirtualAuthenticator] = []
        for (index, ceremony) in ceremonies.enumerated() {
            do throws(CredentialImportError) {
                if index == 0 { world = try authenticators.map(playback.authenticator) }
                if let states = ceremony.authenticators { try playback.restore(&world, states) }
            } catch {
                return Difference(ceremony: index, detail: "an authenticator cannot be made: \(error)")
            }
            var client = base
            ceremony.page.apply(to: &client)
            client.authenticators = world
            playback.begin(ceremony.events)
            playback.connect(&client, to: ceremony)
            let outcome: Outcome
            do throws(ModelError) {
                outcome = try ceremony.run(on: client)
            } catch {
                return Difference(ceremony: index, detail: "the options cannot be read: \(error)")
            }
            if let (event, detail) = playback.end() { return Difference(ceremony: index, event: event, detail: detail) }
            guard outcome == ceremony.outcome else {
                return Difference(ceremony: index, detail: "\(ceremony.outcome) was, \(outcome) is")
            }
        }
        return nil
    }
}

/// Gives a ceremony what came from outside when it was recorded, in the same order.
private final class Playback: Sendable {
    private struct State {
        var events: [Transcript.Event] = []
        var position = 0
        var controller = AbortController()
        var difference: (event: Int, detail: String)?
    }

    private let state = Lock(State())

    /// Begins a ceremony.
    func begin(_ events: [Transcript.Event]) {
        state.withLock { $0 = State(events: events) }
        abortIfDue()
    }

    /// Ends a ceremony: what was first not as it had been.
    func end() -> (event: Int, detail: String)? {
        state.withLock { state in
            guard state.difference == nil, state.position < state.events.count else { return state.difference }
            return (state.position, "\(state.events[state.position]) was, nothing is")
        }
    }

    /// The next event's value, if it is of the right kind.
    ///
    /// - Parameters:
    ///   - asked: What is asked for now.
    ///   - value: Takes the value out of the event; `nil` if it is another one.
    /// - Returns: The value.
    private func next<Value>(_ asked: String, _ value: (Transcript.Event) -> Value?) -> Value? {
        let event = state.withLock { state in
            state.position < state.events.count ? state.events[state.position] : nil
        }
        let found = event.flatMap(value)
        state.withLock { state in
            // Once something is another, nothing after it means anything.
            guard state.difference == nil else { return }
            if found == nil {
                state.difference = (state.position, "\(event.map { "\($0)" } ?? "nothing") was, \(asked) is")
            } else {
                state.position += 1
            }
        }
        abortIfDue()
        return found
    }

    /// Ends the ceremony where its caller did.
    private func abortIfDue() {
        state.withLock { state in
            guard state.position < state.events.count, case .abort(let reason) = state.events[state.position] else {
                return
            }
            state.position += 1
            state.controller.abort(reason)
        }
    }

    private var environment: VirtualEnvironment {
        VirtualEnvironment(
            random: { count in
                self.next("a draw of \(count) bytes") { event in
                    guard case .draw(let bytes) = event, bytes.count == count || bytes.isEmpty else { return nil }
                    return bytes
                } ?? []
            },
            clock: {
                self.next("a look at the clock") { event in
                    guard case .time(let time) = event else { return nil }
                    return time
                } ?? Timestamp(millisecondsSince1970: 0)
            }
        )
    }

    /// An authenticator as it was.
    func authenticator(_ state: VirtualAuthenticatorState) throws(CredentialImportError) -> VirtualAuthenticator {
        try VirtualAuthenticator(state, in: environment)
    }

    /// Does to the authenticators what was done to them between two ceremonies.
    func restore(
        _ world: inout [VirtualAuthenticator],
        _ states: [VirtualAuthenticatorState]
    ) throws(CredentialImportError) {
        guard world.count == states.count else {
            world = try states.map(authenticator)
            return
        }
        for (authenticator, state) in zip(world, states) { try authenticator.restore(state) }
    }

    /// Lets a client have what came from outside.
    func connect(_ client: inout VirtualClient, to ceremony: Transcript.Ceremony) {
        client.take(environment)
        client.user = VirtualUser { prompt in
            self.next("\(Transcript.Prompt(prompt, .refuses))") { event in
                guard case .prompt(let recorded) = event, recorded == Transcript.Prompt(prompt, recorded.answer) else {
                    return nil
                }
                return recorded.answer
            } ?? .refuses
        }
        client.signal = state.withLock { $0.controller.signal }
        if ceremony.events.contains(where: \.isPoll) {
            client.isAborted = {
                self.next("a look at the caller") { event in
                    guard case .poll(let isAborted) = event else { return nil }
                    return isAborted
                } ?? true
            }
        }
        if ceremony.events.contains(where: \.isFetch) {
            client.fetch = { url in
                self.next("a request for \(url)") { event -> RelatedOriginsResponse?? in
                    guard case .fetch(let recorded, let response) = event, recorded.hasSameBytes(as: url) else {
                        return nil
                    }
                    return .some(response)
                } ?? nil
            }
        }
    }
}

extension Transcript.Event {
    fileprivate var isPoll: Bool {
        if case .poll = self { true } else { false }
    }

    fileprivate var isFetch: Bool {
        if case .fetch = self { true } else { false }
    }
}

extension VirtualClient {
    /// Draws from an environment's sources from now on.
    mutating func take(_ environment: VirtualEnvironment) {
        random = environment.random
        clock = environment.clock
    }
}
