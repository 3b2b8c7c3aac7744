import PasskeyModel
import PasskeyWire

extension Mutation {
    /// What an adversary can do with responses that it kept: the response is another ceremony's, as it was.
    static var replayMutations: [Mutation] {
        var list = replay(
            "replay",
            .challenge,
            .challenge,
            needs: [.finishedCeremony],
            "the response is one that was accepted before, to another challenge"
        )
        list += replay(
            "cross-session",
            .challenge,
            .challenge,
            needs: [.openCeremony],
            "the response is made for a ceremony of the account in another session"
        )
        list.append(
            create(
                "cross-user",
                .challenge,
                needs: [.openCeremonyOfAnotherAccount],
                changes: [.clientData, .authenticatorData, .credentialID],
                "the response is made for another account's ceremony",
                afterSign: replaying(isSameCeremony: false)
            )
        )
        list += [
            create(
                "replay-in-ceremony",
                .credentialIDUniqueness,
                needs: [.sameCeremony],
                changes: [.authenticatorData, .credentialID],
                "the response is one that was accepted in this ceremony already",
                afterSign: replaying(isSameCeremony: true)
            ),
            get(
                "replay-in-ceremony",
                .signCount,
                .policy,
                isRefusedByDefault: true,
                needs: [.sameCeremony, .signatureCounter],
                changes: [.authenticatorData, .signature],
                "the response is one that was accepted in this ceremony already",
                afterSign: replaying(isSameCeremony: true)
            ),
        ]
        return list
    }

    private static func replay(
        _ name: String,
        _ create: RegistrationError.Step,
        _ get: AuthenticationError.Step,
        needs: Set<Need>,
        _ summary: String
    ) -> [Mutation] {
        let change = replaying(isSameCeremony: false)
        return [
            .create(
                name,
                create,
                needs: needs,
                changes: [.clientData, .authenticatorData, .credentialID],
                summary,
                afterSign: change
            ),
            .get(name, get, needs: needs, changes: [.clientData, .signature], summary, afterSign: change),
        ]
    }

    private static func replaying(isSameCeremony: Bool) -> Change {
        { (draft) throws(MutationError) in
            let challenge = try draft.clientDataMembers()["challenge"]?.string ?? ""
            guard try draft.recordedChallenge().hasSameBytes(as: challenge) == isSameCeremony else {
                throw MutationError("the recorded response is \(isSameCeremony ? "not " : "")of this ceremony")
            }
            draft.replacement = draft.recorded
        }
    }
}

extension CeremonyDraft {
    /// What the adversary kept of a ceremony of this kind.
    fileprivate var recorded: Adversary.Recording {
        context.creation == nil
            ? Adversary.Recording(authentication: context.recording.authentication)
            : Adversary.Recording(registration: context.recording.registration)
    }

    /// The challenge of the response that the adversary kept.
    func recordedChallenge() throws(MutationError) -> String {
        guard let bytes = recorded.registration?.clientDataJSON ?? recorded.authentication?.clientDataJSON else {
            throw MutationError("the adversary kept no response of such a ceremony")
        }
        let client = try MutationError.wrap { () throws(WireError) in try ClientData(bytes) }
        guard let challenge = client.members["challenge"]?.string else {
            throw MutationError("the recorded response has no challenge")
        }
        return challenge
    }
}
