import PasskeyCrypto
public import PasskeyModel
import PasskeySystem
import PasskeyWire

/// Runs ceremonies as a client does, and writes them down.
///
/// ```swift
/// let recorder = try TranscriptRecorder(client)
/// let registration = try recorder.create(options)
/// try JSONEncoder().encode(recorder.transcript).write(to: file)
/// ```
///
/// Its ceremonies must follow one another.
public final class TranscriptRecorder: Sendable {
    private struct State {
        var client: VirtualClient
        var transcript: Transcript
        /// The authenticators after the last ceremony.
        var states: [VirtualAuthenticatorState]
    }

    private let state: Lock<State>
    private let log = EventLog()

    /// Makes a recorder.
    ///
    /// - Parameter client: The client. The recorder's own has copies of its authenticators, and of what they and it draw
    ///   from; what has no source of its own draws from the system's.
    /// - Throws: ``CredentialImportError`` if a credential cannot be copied.
    public init(_ client: VirtualClient) throws(CredentialImportError) {
        var copy = client
        var states: [VirtualAuthenticatorState] = []
        copy.authenticators = []
        for authenticator in client.authenticators {
            let state = authenticator.state
            let environment = log.recording(authenticator.environment.completed(by: client.environment))
            copy.authenticators.append(try VirtualAuthenticator(state, in: environment))
            states.append(state)
        }
        copy.take(log.recording(client.environment))
        state = Lock(State(client: copy, transcript: Transcript(authenticators: states), states: states))
    }

    /// What has been written down.
    public var transcript: Transcript { state.withLock { $0.transcript } }

    /// The client, whose page and user may be changed between ceremonies.
    ///
    /// Its authenticators may be changed and not replaced: they and the sources remain what they are.
    public var client: VirtualClient {
        get { state.withLock { $0.client } }
        set {
            var client = newValue
            state.withLock { state in
                client.authenticators = state.client.authenticators
                client.take(state.client.environment)
                state.client = client
            }
        }
    }

    /// Makes a credential, as ``VirtualClient/create(_:mediation:)`` does.
    ///
    /// - Parameters:
    ///   - options: What the server sent.
    ///   - mediation: How much the user sees.
    /// - Returns: What goes back to the server.
    /// - Throws: ``ClientError``.
    public func create(
        _ options: PublicKeyCredentialCreationOptions,
        mediation: CredentialMediationRequirement = .optional
    ) throws(ClientError) -> RegistrationResponse {
        try record(.create, options.jsonBytes(), mediation, \.json) { (client) throws(ClientError) in
            try client.create(options, mediation: mediation)
        }
    }

    /// Signs in with a credential, as ``VirtualClient/get(_:mediation:)`` does.
    ///
    /// - Parameters:
    ///   - options: What the server sent.
    ///   - mediation: How much the user sees.
    /// - Returns: What goes back to the server.
    /// - Throws: ``ClientError``.
    public func get(
        _ options: PublicKeyCredentialRequestOptions,
        mediation: CredentialMediationRequirement = .optional
    ) throws(ClientError) -> AuthenticationResponse {
        try record(.get, options.jsonBytes(), mediation, \.json) { (client) throws(ClientError) in
            try client.get(options, mediation: mediation)
        }
    }

    private func record<Response>(
        _ kind: Transcript.Ceremony.Kind,
        _ options: [UInt8],
        _ mediation: CredentialMediationRequirement,
        _ json: (Response) -> JSONValue,
        _ body: (VirtualClient) throws(ClientError) -> Response
    ) throws(ClientError) -> Response {
        let (client, last) = state.withLock { ($0.client, $0.states) }
        let states = client.authenticators.map(\.state)
        log.begin(client.signal)
        let result = Result { () throws(ClientError) in try body(log.recording(client)) }
        let ceremony = Transcript.Ceremony(
            kind: kind,
            options: String(decoding: options, as: UTF8.self),
            mediation: mediation,
            page: Transcript.Page(client),
            authenticators: states == last ? nil : states,
            events: log.end(),
            outcome: Transcript.Outcome { () throws(ClientError) in json(try result.get()) }
        )
        let after = client.authenticators.map(\.state)
        state.withLock { state in
            state.transcript.ceremonies.append(ceremony)
            state.states = after
        }
        return try result.get()
    }
}

/// Writes down what comes from outside.
private final class EventLog: Sendable {
    private struct State {
        var events: [Transcript.Event] = []
        var signal: AbortSignal?
    }

    private let state = Lock(State())

    func begin(_ signal: AbortSignal?) {
        state.withLock { $0 = State(signal: signal) }
        noteAbort()
    }

    func end() -> [Transcript.Event] {
        noteAbort()
        return state.withLock { $0.events }
    }

    private func append(_ event: Transcript.Event) {
        state.withLock { $0.events.append(event) }
        noteAbort()
    }

    /// Writes down once that the caller ended the ceremony: behind what came before that.
    private func noteAbort() {
        state.withLock { state in
            guard let reason = state.signal?.reason else { return }
            state.events.append(.abort(reason))
            state.signal = nil
        }
    }

    /// An environment that gives what another one gives.
    func recording(_ source: VirtualEnvironment) -> VirtualEnvironment {
        VirtualEnvironment(
            random: { count in
                let bytes = (try? source.randomBytes(count)) ?? []
                self.append(.draw(bytes))
                return bytes
            },
            clock: {
                let now = source.now
                self.append(.time(now))
                return now
            }
        )
    }

    /// A client whose user and server answer as another one's do.
    func recording(_ client: VirtualClient) -> VirtualClient {
        var copy = client
        copy.user = VirtualUser { prompt in
            let answer = client.user.answer(prompt)
            self.append(.prompt(Transcript.Prompt(prompt, answer)))
            return answer
        }
        if let fetch = client.fetch {
            copy.fetch = { url in
                let response = fetch(url)
                self.append(.fetch(url: url, response))
                return response
            }
        }
        if client.signal != nil || client.isAborted != nil {
            copy.isAborted = {
                let isAborted = client.isAborted?() ?? false
                self.append(.poll(isAborted))
                return isAborted
            }
        }
        return copy
    }
}
