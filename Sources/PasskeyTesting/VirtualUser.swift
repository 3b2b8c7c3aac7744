import PasskeyModel
import PasskeySystem

/// Who sits before the device: asked by each authenticator, and by the client's own dialogs.
///
/// ``VirtualAuthenticatorOptions/isUserConsenting`` and ``VirtualAuthenticatorOptions/isUserVerified`` say how a user
/// behaves before one authenticator, always; a virtual user decides case by case, and both have to agree.
public struct VirtualUser: Sendable {
    /// What the user is asked.
    public struct Prompt: Hashable, Sendable {
        /// What for.
        @nonexhaustive
        public enum Purpose: String, Hashable, Sendable, Codable, CaseIterable {
            /// An authenticator is to make a credential.
            case makeCredential

            /// An authenticator is to make one although one that is excluded is there, which is told with consent alone.
            case excludedCredential

            /// An authenticator is to sign in.
            case getAssertion

            /// The client is to make a credential without a dialog of its own (`conditional` mediation).
            case conditionalCreate

            /// A text field suggests credentials (`conditional` mediation).
            case conditionalGet
        }

        /// What for.
        public let purpose: Purpose

        /// The RP ID.
        public let relyingPartyIdentifier: String

        /// What there is to choose from, the newest first; empty where nothing is.
        public let candidates: [VirtualCredential]

        /// Whether the user is to be verified, not just present.
        public let wantsVerification: Bool

        /// Makes a prompt.
        ///
        /// - Parameters:
        ///   - purpose: What for.
        ///   - relyingPartyIdentifier: The RP ID.
        ///   - candidates: What there is to choose from.
        ///   - wantsVerification: Whether the user is to be verified.
        public init(
            _ purpose: Purpose,
            relyingPartyIdentifier: String,
            candidates: [VirtualCredential] = [],
            wantsVerification: Bool = false
        ) {
            self.purpose = purpose
            self.relyingPartyIdentifier = relyingPartyIdentifier
            self.candidates = candidates
            self.wantsVerification = wantsVerification
        }
    }

    /// What the user does.
    @nonexhaustive
    public enum Answer: Hashable, Sendable {
        /// Agrees, is verified where that is asked, and takes the first of what is offered.
        case consents

        /// The same, and takes this credential, which is offered; if it is not, the user refuses.
        case picks([UInt8])

        /// Refuses.
        case refuses

        /// Does nothing until time runs out.
        case ignores

        /// Agrees, and is not verified.
        case failsVerification
    }

    /// Decides.
    public var answer: @Sendable (Prompt) -> Answer

    /// Makes a user.
    ///
    /// - Parameter answer: Decides. It may be called from any thread.
    public init(_ answer: @escaping @Sendable (Prompt) -> Answer) {
        self.answer = answer
    }

    /// A user who agrees to everything.
    public static var willing: VirtualUser { VirtualUser { _ in .consents } }

    /// A user who follows a script.
    ///
    /// - Parameters:
    ///   - answers: The answers to the first prompts, in turn.
    ///   - rest: The answer to all that follow.
    /// - Returns: The user.
    public static func script(_ answers: [Answer], then rest: Answer = .consents) -> VirtualUser {
        let left = Lock(answers[...])
        return VirtualUser { _ in left.withLock { $0.popFirst() } ?? rest }
    }
}
