public import PasskeyModel

/// Somebody between authenticator and relying party, who has the credential's key and changes one thing.
///
/// It works on what a ceremony yields, before the signature is made (again) or after it. The authenticator and the client
/// know nothing of it: their steps run as they always do.
public struct Adversary: Hashable, Sendable {
    /// What is changed: at most one mutation for each kind of ceremony.
    public let mutations: [Mutation]

    /// Responses that it kept from other ceremonies, for mutations that replay something.
    public var recording = Recording()

    /// Responses that an adversary kept: what it saw pass, or made itself in another session.
    public struct Recording: Hashable, Sendable {
        /// Of a registration.
        public var registration: RegistrationResponse?

        /// Of a sign-in.
        public var authentication: AuthenticationResponse?

        /// Makes a recording.
        ///
        /// - Parameters:
        ///   - registration: Of a registration.
        ///   - authentication: Of a sign-in.
        public init(registration: RegistrationResponse? = nil, authentication: AuthenticationResponse? = nil) {
            self.registration = registration
            self.authentication = authentication
        }
    }

    /// An adversary that makes one change, to one kind of ceremony.
    ///
    /// - Parameters:
    ///   - mutation: The change.
    ///   - recording: Responses that it kept, for a mutation that replays something.
    public init(_ mutation: Mutation, recording: Recording = Recording()) {
        mutations = [mutation]
        self.recording = recording
    }

    /// An adversary that makes the same change to registrations and sign-ins, as far as it exists for both.
    ///
    /// - Parameter attack: The change.
    public init(_ attack: Attack) {
        mutations = Mutation.Ceremony.allCases.compactMap { Mutation(id: "\($0.rawValue).\(attack.rawValue)") }
    }

    /// The mutation that applies to a ceremony.
    func mutation(of ceremony: Mutation.Ceremony) -> Mutation? {
        mutations.first { $0.ceremony == ceremony }
    }

    /// The best-known attacks by name; ``Mutation/catalogue`` has all.
    @nonexhaustive
    public enum Attack: String, Hashable, Sendable, CaseIterable {
        /// The response was made for another page: phishing.
        case originOfAnotherSite = "origin.evil"

        /// The response answers another challenge: replay.
        case challengeOfAnotherCeremony = "challenge.other"

        /// The authenticator made the response for another RP ID.
        case rpIDOfAnotherSite = "rpIdHash.other"

        /// The page was in a frame of another origin.
        case frameOfAnotherSite = "crossOrigin.true"

        /// Nobody touched the authenticator.
        case userAbsent = "flags.up0"

        /// Nobody was verified.
        case userUnverified = "flags.uv0"

        /// The credential cannot be backed up and is backed up.
        case backupStateWithoutEligibility = "flags.be0bs1"

        /// The response names another credential than the one that was made.
        ///
        /// Registrations only: the other ceremony is left as it is.
        case credentialIDNotAttested = "credId.not-attested"

        /// The credential's ID is another account's already.
        ///
        /// Registrations only: the other ceremony is left as it is.
        case credentialIDOfAnotherAccount = "credId.known-to-other-user"

        /// The new key is of a kind that was not asked for.
        ///
        /// Registrations only: the other ceremony is left as it is.
        case algorithmNotOffered = "key.alg-not-offered"

        /// One bit of the signature is another.
        ///
        /// Sign-ins only: the other ceremony is left as it is.
        case signatureBitFlipped = "signature.bit-flip"

        /// Another key signed.
        ///
        /// Sign-ins only: the other ceremony is left as it is.
        case signatureOfAnotherKey = "signature.other-key"

        /// The signature counter went back to zero: a clone.
        ///
        /// Sign-ins only: the other ceremony is left as it is.
        case signatureCounterReset = "signCount.reset-to-0"

        /// The sign-in says that it is another user's.
        ///
        /// Sign-ins only: the other ceremony is left as it is.
        case userHandleOfAnotherUser = "userHandle.other-user"
    }
}
