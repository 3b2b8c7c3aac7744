import PasskeyAuthorization
public import PasskeyModel
import PasskeySystem

/// What an application told of its credentials.
public struct SignalRecord: Hashable, Sendable, Codable {
    /// What it told.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A credential that the server does not know.
        case unknownCredential

        /// All credentials that the server accepts for an account.
        case allAcceptedCredentials

        /// What an account is called now.
        case currentUserDetails

        /// An account that has no password any more.
        case unusedPassword
    }

    /// The place in the journal, from 1 on, which no other entry has.
    public let number: Int

    /// When it was told.
    public let time: Timestamp

    /// What it told.
    public let kind: Kind

    /// The RP ID, or a password's domain.
    public let relyingPartyIdentifier: String

    /// The account, in base64url; of a password its name.
    public let account: String?

    /// The credentials, in base64url.
    public let credentialIds: [String]

    /// Why it was refused; `nil` if it was taken.
    public let failure: CeremonyRecord.Failure?
}

/// A list of all ceremonies and signals of a controller or a client: what was asked, decided and given.
///
/// It keeps the last ``capacity`` entries. It may be used from several threads at once.
public final class CeremonyJournal: Sendable {
    /// One entry.
    @nonexhaustive
    public enum Entry: Hashable, Sendable {
        /// A ceremony, which may be in flight.
        case ceremony(CeremonyRecord)

        /// A signal.
        case signal(SignalRecord)

        /// The entry's number.
        public var number: Int {
            switch self {
            case .ceremony(let record): record.number
            case .signal(let record): record.number
            }
        }
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var last = 0
    }

    private let state = Lock(State())
    private let clock: VirtualClock?

    /// How many entries are kept.
    public let capacity: Int

    /// Makes an empty journal.
    ///
    /// - Parameters:
    ///   - capacity: How many entries are kept; at least one is.
    ///   - clock: Where the time comes from; `nil` for the system's clock.
    public init(capacity: Int = 1000, clock: VirtualClock? = nil) {
        self.capacity = max(capacity, 1)
        self.clock = clock
    }

    /// The entries, the oldest first.
    public var entries: [Entry] { state.withLock { $0.entries.suffix(capacity) } }

    /// The entries after one of them, the oldest first.
    ///
    /// - Parameter number: The number of the last entry that is known already.
    /// - Returns: The entries.
    public func entries(after number: Int) -> [Entry] { entries.filter { $0.number > number } }

    /// The ceremonies, the oldest first.
    public var ceremonies: [CeremonyRecord] {
        entries.compactMap { entry in
            guard case .ceremony(let record) = entry else { return nil }
            return record
        }
    }

    /// The signals, the oldest first.
    public var signals: [SignalRecord] {
        entries.compactMap { entry in
            guard case .signal(let record) = entry else { return nil }
            return record
        }
    }

    /// How many entries were dropped because there was no room for them.
    public var droppedCount: Int { state.withLock { $0.last - min($0.entries.count, capacity) } }

    /// How many entries are in memory: some more than are told, so that they are dropped many at once.
    var heldCount: Int { state.withLock { $0.entries.count } }

    /// Forgets all entries; numbers go on, and what was forgotten counts as dropped.
    public func removeAll() {
        state.withLock { $0.entries.removeAll() }
    }

    // MARK: Writing

    private var now: Timestamp { VirtualEnvironment(clock: clock).now }

    /// Begins the record of a ceremony.
    func begin(_ operation: AuthorizationOperation, _ requests: [CeremonyRecord.Request]) -> CeremonyRecorder {
        let began = now
        let number = append { number in
            .ceremony(CeremonyRecord(number: number, operation: operation, began: began, requests: requests))
        }
        return CeremonyRecorder(self, number)
    }

    /// Writes down a signal.
    func note(
        _ kind: SignalRecord.Kind,
        _ relyingPartyIdentifier: String,
        account: String? = nil,
        credentialIds: [String] = [],
        failure: CeremonyRecord.Failure? = nil
    ) {
        let time = now
        append { number in
            .signal(
                SignalRecord(
                    number: number,
                    time: time,
                    kind: kind,
                    relyingPartyIdentifier: relyingPartyIdentifier,
                    account: account,
                    credentialIds: credentialIds,
                    failure: failure
                )
            )
        }
    }

    @discardableResult
    private func append(_ entry: (Int) -> Entry) -> Int {
        state.withLock { state in
            state.last += 1
            // Dropping from the front moves all that is kept, so it is done for as many at once.
            if state.entries.count / 2 >= capacity { state.entries.removeFirst(state.entries.count - capacity) }
            state.entries.append(entry(state.last))
            return state.last
        }
    }

    /// Changes a record that is still there.
    fileprivate func update(_ number: Int, _ change: (inout CeremonyRecord) -> Void) {
        state.withLock { state in
            // It is among the last, and numbers grow.
            guard let index = state.entries.lastIndex(where: { $0.number == number }),
                case .ceremony(var record) = state.entries[index]
            else { return }
            change(&record)
            state.entries[index] = .ceremony(record)
        }
    }

    fileprivate func end(_ number: Int, _ change: (inout CeremonyRecord) -> Void) {
        let ended = now
        update(number) { record in
            record.ended = ended
            change(&record)
        }
    }
}

extension CeremonyRecord {
    fileprivate init(
        number: Int,
        operation: AuthorizationOperation,
        began: Timestamp,
        requests: [Request]
    ) {
        self.number = number
        self.operation = operation
        self.began = began
        self.requests = requests
    }
}

/// Writes one ceremony's record.
struct CeremonyRecorder: Sendable {
    private let journal: CeremonyJournal
    private let number: Int

    fileprivate init(_ journal: CeremonyJournal, _ number: Int) {
        self.journal = journal
        self.number = number
    }

    func note(_ decision: CeremonyRecord.Decision) {
        journal.update(number) { $0.decisions.append(decision) }
    }

    func end(_ response: CeremonyRecord.Response) {
        journal.end(number) { $0.response = response }
    }

    func end(_ failure: CeremonyRecord.Failure) {
        journal.end(number) { $0.failure = failure }
    }
}

extension CeremonyJournal.Entry: Codable {
    private enum CodingKeys: String, CodingKey {
        case ceremony, signal
    }

    /// Reads an entry.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let record = try container.decodeIfPresent(SignalRecord.self, forKey: .signal) {
            self = .signal(record)
        } else {
            self = .ceremony(try container.decode(CeremonyRecord.self, forKey: .ceremony))
        }
    }

    /// Writes the entry.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .ceremony(let record): try container.encode(record, forKey: .ceremony)
        case .signal(let record): try container.encode(record, forKey: .signal)
        }
    }
}
