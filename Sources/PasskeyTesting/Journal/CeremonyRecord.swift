public import PasskeyAuthorization
public import PasskeyModel
import PasskeyWire

/// What a ceremony was asked, what was decided in it, and what it gave.
///
/// It has what the ceremony gave in full, results of pseudo-random functions included, but no private key and no password.
public struct CeremonyRecord: Hashable, Sendable, Codable {
    /// The place in the journal, from 1 on, which no other entry has.
    public let number: Int

    /// Which ceremony it is.
    ///
    /// A client's `get()` is ``AuthorizationOperation/authorize``, and with conditional mediation
    /// ``AuthorizationOperation/authorizeWithAutoFill``.
    public let operation: AuthorizationOperation

    /// When it began.
    public let began: Timestamp

    /// When it ended; `nil` while it is in flight.
    public internal(set) var ended: Timestamp?

    /// What was asked; several requests are alternatives.
    public let requests: [Request]

    /// What was decided, in turn.
    public internal(set) var decisions: [Decision] = []

    /// What it gave; `nil` while it is in flight, and where it failed.
    public internal(set) var response: Response?

    /// Why it failed; `nil` while it is in flight, and where it did not.
    public internal(set) var failure: Failure?

    /// One request.
    public struct Request: Hashable, Sendable, Codable {
        /// Of which kind it is.
        public let kind: Kind

        /// The RP ID, of a passkey's request that names one.
        public let relyingPartyIdentifier: String?

        /// The W3C's options, as JSON text, of a passkey's request that can be written.
        public let options: String?

        /// The kinds of requests.
        @nonexhaustive
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            /// A page's `navigator.credentials.create()` or `get()`.
            case page

            /// A passkey of the device.
            case platformPublicKey

            /// A passkey of a security key.
            case securityKeyPublicKey

            /// A password.
            case password

            /// To sign in with Apple.
            case appleID

            /// A web session.
            case web

            /// An account.
            case accountCreation

            /// A request that only its maker knows.
            case other
        }

        init(_ kind: Kind, _ relyingPartyIdentifier: String? = nil, options: [UInt8]? = nil) {
            self.kind = kind
            self.relyingPartyIdentifier = relyingPartyIdentifier
            self.options = options.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// What a ceremony gave.
    public struct Response: Hashable, Sendable, Codable {
        /// The W3C's response, as JSON text, where it was a passkey.
        public let json: String?

        /// Who signed in, where it was none: the name of a password's account, or the user of an Apple ID.
        public let user: String?

        init(json: [UInt8]? = nil, user: String? = nil) {
            self.json = json.map { String(decoding: $0, as: UTF8.self) }
            self.user = user
        }
    }

    /// Why a ceremony failed, in its three layers.
    public struct Failure: Hashable, Sendable, Codable {
        /// What the application learned; `nil` where a client was asked without a controller.
        public let type: AuthorizationErrorType?

        /// The code of `ASAuthorizationError`.
        public let code: AuthorizationErrorCode?

        /// What a page would have caught.
        public let exception: ClientError.Name?

        /// Why, more exactly than a page may know.
        public let reason: ClientError.Reason?

        /// The number of the client's step that threw.
        public let step: Int?

        /// What the authenticators answered, in turn.
        public let statuses: [CTAPStatus]

        /// What goes to the log.
        public let detail: String

        init(_ error: ClientError) {
            self.init(type: nil, code: nil, error, detail: "\(error)")
        }

        init(_ error: AuthorizationError) {
            let below = error.originalError as? ClientError
            self.init(type: error.type, code: error.code, below, detail: "\(error)")
        }

        private init(
            type: AuthorizationErrorType?,
            code: AuthorizationErrorCode?,
            _ error: ClientError?,
            detail: String
        ) {
            self.type = type
            self.code = code
            exception = error?.name
            reason = error?.reason
            step = error?.step
            statuses = error?.authenticatorErrors.map(\.status) ?? []
            self.detail = detail
        }
    }
}

extension CeremonyRecord {
    /// Something that was decided in a ceremony.
    public enum Decision: Hashable, Sendable {
        /// The test had said how the ceremony goes.
        case outcome(CeremonyOutcome)

        /// The user was shown these in a dialog.
        case offered([VirtualCandidate])

        /// The user chose one of them; `nil` for one who dismissed the dialog.
        case chose(VirtualCandidate?)

        /// The user was asked, by an authenticator or by the client, and answered.
        case prompt(Transcript.Prompt)

        /// An authenticator answered; `nil` for success.
        case authenticator(AAGUID, CTAPStatus?)

        /// The adversary spoiled what came of it, by this entry of the catalogue.
        case mutation(String)
    }
}

/// As JSON a decision is an object with one member of its kind.
extension CeremonyRecord.Decision: Codable {
    private enum CodingKeys: String, CodingKey {
        case outcome, offered, chose, prompt, authenticator, mutation
    }

    private struct Choice: Codable {
        var candidate: VirtualCandidate?
    }

    private struct Answer: Codable {
        var aaguid: AAGUID
        var status: CTAPStatus?
    }

    /// Reads a decision.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch container.allKeys.first {
        case .outcome: self = .outcome(try container.decode(CeremonyOutcome.self, forKey: .outcome))
        case .offered: self = .offered(try container.decode([VirtualCandidate].self, forKey: .offered))
        case .chose: self = .chose(try container.decode(Choice.self, forKey: .chose).candidate)
        case .prompt: self = .prompt(try container.decode(Transcript.Prompt.self, forKey: .prompt))
        case .authenticator:
            let answer = try container.decode(Answer.self, forKey: .authenticator)
            self = .authenticator(answer.aaguid, answer.status)
        case .mutation: self = .mutation(try container.decode(String.self, forKey: .mutation))
        case nil:
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a decision of no known kind")
            )
        }
    }

    /// Writes the decision.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .outcome(let outcome): try container.encode(outcome, forKey: .outcome)
        case .offered(let candidates): try container.encode(candidates, forKey: .offered)
        case .chose(let candidate): try container.encode(Choice(candidate: candidate), forKey: .chose)
        case .prompt(let prompt): try container.encode(prompt, forKey: .prompt)
        case .authenticator(let aaguid, let status):
            try container.encode(Answer(aaguid: aaguid, status: status), forKey: .authenticator)
        case .mutation(let id): try container.encode(id, forKey: .mutation)
        }
    }
}
