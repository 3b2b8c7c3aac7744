public import PasskeyModel
import PasskeyWire

extension Transcript {
    /// Something that a ceremony took from outside.
    public enum Event: Hashable, Sendable {
        /// Bytes were drawn.
        case draw([UInt8])

        /// The time was read.
        case time(Timestamp)

        /// The user was asked, and answered.
        case prompt(Prompt)

        /// A file was fetched; `nil` where no server answered.
        case fetch(url: String, RelatedOriginsResponse?)

        /// The caller was asked whether it had ended the ceremony.
        case poll(Bool)

        /// The caller ended the ceremony.
        case abort(AbortReason)
    }

    /// A question to the user, and the answer.
    public struct Prompt: Hashable, Sendable {
        /// What for.
        public var purpose: VirtualUser.Prompt.Purpose

        /// The RP ID.
        public var relyingPartyIdentifier: String

        /// The IDs of what there was to choose from.
        public var candidates: [[UInt8]]

        /// Whether the user was to be verified.
        public var wantsVerification: Bool

        /// What the user did.
        public var answer: VirtualUser.Answer

        init(_ prompt: VirtualUser.Prompt, _ answer: VirtualUser.Answer) {
            purpose = prompt.purpose
            relyingPartyIdentifier = prompt.relyingPartyIdentifier
            candidates = prompt.candidates.map(\.id)
            wantsVerification = prompt.wantsVerification
            self.answer = answer
        }
    }
}

/// As JSON an event is an object with one member of its kind, and bytes are base64url.
extension Transcript.Event: Codable {
    private enum CodingKeys: String, CodingKey {
        case draw, time, prompt, fetch, poll, abort
    }

    private struct Fetch: Codable {
        var url: String
        var response: RelatedOriginsResponse?
    }

    /// Reads an event.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch container.allKeys.first {
        case .draw: self = .draw(try container.decode(Base64URLBytes.self, forKey: .draw).bytes)
        case .time: self = .time(try container.decode(Timestamp.self, forKey: .time))
        case .prompt: self = .prompt(try container.decode(Transcript.Prompt.self, forKey: .prompt))
        case .fetch:
            let fetch = try container.decode(Fetch.self, forKey: .fetch)
            self = .fetch(url: fetch.url, fetch.response)
        case .poll: self = .poll(try container.decode(Bool.self, forKey: .poll))
        case .abort: self = .abort(try container.decode(AbortReason.self, forKey: .abort))
        case nil:
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an event of no known kind")
            )
        }
    }

    /// Writes the event.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .draw(let bytes): try container.encode(Base64URLBytes(bytes), forKey: .draw)
        case .time(let time): try container.encode(time, forKey: .time)
        case .prompt(let prompt): try container.encode(prompt, forKey: .prompt)
        case .fetch(let url, let response): try container.encode(Fetch(url: url, response: response), forKey: .fetch)
        case .poll(let isAborted): try container.encode(isAborted, forKey: .poll)
        case .abort(let reason): try container.encode(reason, forKey: .abort)
        }
    }
}

extension Transcript.Prompt: Codable {
    private enum CodingKeys: String, CodingKey {
        case purpose, rpId, candidates, wantsVerification, answer, credentialId
    }

    /// Reads a question and its answer.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        purpose = try container.decode(VirtualUser.Prompt.Purpose.self, forKey: .purpose)
        relyingPartyIdentifier = try container.decode(String.self, forKey: .rpId)
        candidates = try container.decode([Base64URLBytes].self, forKey: .candidates).map(\.bytes)
        wantsVerification = try container.decode(Bool.self, forKey: .wantsVerification)
        switch try container.decode(String.self, forKey: .answer) {
        case "consents": answer = .consents
        case "picks": answer = .picks(try container.decode(Base64URLBytes.self, forKey: .credentialId).bytes)
        case "refuses": answer = .refuses
        case "ignores": answer = .ignores
        case "failsVerification": answer = .failsVerification
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .answer,
                in: container,
                debugDescription: "an answer of no known kind"
            )
        }
    }

    /// Writes the question and its answer.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(purpose, forKey: .purpose)
        try container.encode(relyingPartyIdentifier, forKey: .rpId)
        try container.encode(candidates.map(Base64URLBytes.init), forKey: .candidates)
        try container.encode(wantsVerification, forKey: .wantsVerification)
        let name =
            switch answer {
            case .consents: "consents"
            case .picks: "picks"
            case .refuses: "refuses"
            case .ignores: "ignores"
            case .failsVerification: "failsVerification"
            }
        try container.encode(name, forKey: .answer)
        if case .picks(let id) = answer { try container.encode(Base64URLBytes(id), forKey: .credentialId) }
    }
}
