public import PasskeyModel

/// One change to what a ceremony yields, made so that exactly one step of a relying party can refuse it.
///
/// A change to what is signed is made before signing, by the credential's own key and in a registration by whatever key
/// attests: only the step that it is aimed at can catch it, and a relying party that skips that step cannot hide behind
/// its signature check. Its happy twin is the same ceremony without an adversary, which must be accepted: run both, or a
/// relying party that refuses everybody passes. ``catalogue`` lists all.
public struct Mutation: Sendable, Identifiable, CustomStringConvertible {
    /// The kind of ceremony that is changed.
    public enum Ceremony: String, Hashable, Sendable, CaseIterable {
        /// A registration.
        case create

        /// A sign-in.
        case get
    }

    /// What a relying party has to make of it.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// It must refuse.
        case reject

        /// It must not mind.
        case accept

        /// The specification leaves room.
        case policy
    }

    /// A step of a relying party.
    public enum Step: Hashable, Sendable, CustomStringConvertible {
        /// A step of §7.1.
        case registration(RegistrationError.Step)

        /// A step of §7.2.
        case authentication(AuthenticationError.Step)

        /// Its number in the specification.
        public var number: Int {
            switch self {
            case .registration(let step): step.rawValue
            case .authentication(let step): step.rawValue
            }
        }

        /// Its number and name.
        public var description: String {
            switch self {
            case .registration(let step): "§7.1 step \(step.rawValue) (\(step))"
            case .authentication(let step): "§7.2 step \(step.rawValue) (\(step))"
            }
        }
    }

    /// A part of the response.
    public enum Part: String, Hashable, Sendable, CaseIterable {
        /// The client data.
        case clientData

        /// The authenticator data.
        case authenticatorData

        /// The attestation object but for the authenticator data in it: its encoding, format and statement.
        case attestationObject

        /// The credential's identifier beside the response.
        case credentialID

        /// The signature of an assertion.
        case signature

        /// The user handle.
        case userHandle

        /// What the client says of extensions.
        case clientExtensionResults

        /// The copies that stand beside the attestation object (``RegistrationResponse/claims``).
        ///
        /// Every other change takes them away, so that none of them betrays it.
        case claims
    }

    typealias Change = @Sendable (inout CeremonyDraft) throws(MutationError) -> Void

    /// A stable name, such as `get.origin.evil`: the ceremony, what is changed, and to what.
    public let id: String

    /// The kind of ceremony that is changed.
    public let ceremony: Ceremony

    /// The step that refuses the change, or that would be wrong to.
    public let step: Step

    /// What a relying party has to make of it.
    public let verdict: Verdict

    /// The rule of an attestation statement format that is broken, such as `tpm.magic`; `nil` where it is none of a format.
    ///
    /// The same name as ``AttestationFault/identifier`` has, and as a `RegistrationError` gives for its rule.
    public let rule: String?

    /// Whether this package's relying party refuses it unless told otherwise; of interest where the verdict is
    /// ``Verdict/policy``.
    public let isRefusedByDefault: Bool

    /// Under which circumstances the verdict holds.
    public let needs: Set<Need>

    /// The parts that are changed; where the ceremony ``isResigned``, what signs them changes beside them.
    public let changes: Set<Part>

    /// What is changed, for people.
    public let summary: String

    let beforeSign: Change?
    let afterSign: Change?

    /// Whether the change is made before signing, so that the signature fits it.
    ///
    /// A registration without attestation has no signature that could fit or not.
    public var isResigned: Bool { beforeSign != nil }

    /// The name, verdict, step and rule in one line.
    public var description: String { "\(id): \(verdict.rawValue) at \(step)\(rule.map { ", \($0)" } ?? "")" }

    /// All mutations, in the order of the relying party's steps.
    public static let catalogue: [Mutation] = (registrations + authentications).sorted { first, second in
        first.ceremony == second.ceremony
            ? first.step.number < second.step.number : first.ceremony == .create
    }

    /// Finds a mutation.
    ///
    /// - Parameter id: Its name.
    public init?(id: String) {
        guard let mutation = Mutation.catalogue.first(where: { $0.id == id }) else { return nil }
        self = mutation
    }

    init(
        _ name: String,
        _ step: Step,
        _ verdict: Verdict,
        isRefusedByDefault: Bool?,
        rule: String? = nil,
        needs: Set<Need>,
        changes: Set<Part>,
        _ summary: String,
        beforeSign: Change?,
        afterSign: Change?
    ) {
        ceremony = if case .registration = step { .create } else { .get }
        id = "\(ceremony.rawValue).\(name)"
        self.step = step
        self.verdict = verdict
        self.rule = rule
        self.isRefusedByDefault = isRefusedByDefault ?? (verdict == .reject)
        self.needs = needs
        self.changes = changes
        self.summary = summary
        self.beforeSign = beforeSign
        self.afterSign = afterSign
    }
}

extension Mutation: Hashable {
    /// Mutations are equal by name.
    ///
    /// - Parameters:
    ///   - first: One mutation.
    ///   - second: Another mutation.
    /// - Returns: Whether they have one name.
    public static func == (first: Mutation, second: Mutation) -> Bool { first.id == second.id }

    /// Hashes the name.
    ///
    /// - Parameter hasher: What to hash into.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Mutation {
    /// A mutation of registrations.
    static func create(
        _ name: String,
        _ step: RegistrationError.Step,
        _ verdict: Verdict = .reject,
        isRefusedByDefault: Bool? = nil,
        rule: String? = nil,
        needs: Set<Need> = [],
        changes: Set<Part>,
        _ summary: String,
        beforeSign: Change? = nil,
        afterSign: Change? = nil
    ) -> Mutation {
        Mutation(
            name,
            .registration(step),
            verdict,
            isRefusedByDefault: isRefusedByDefault,
            rule: rule,
            needs: needs,
            changes: changes,
            summary,
            beforeSign: beforeSign,
            afterSign: afterSign
        )
    }

    /// A mutation of sign-ins.
    static func get(
        _ name: String,
        _ step: AuthenticationError.Step,
        _ verdict: Verdict = .reject,
        isRefusedByDefault: Bool? = nil,
        needs: Set<Need> = [],
        changes: Set<Part>,
        _ summary: String,
        beforeSign: Change? = nil,
        afterSign: Change? = nil
    ) -> Mutation {
        Mutation(
            name,
            .authentication(step),
            verdict,
            isRefusedByDefault: isRefusedByDefault,
            needs: needs,
            changes: changes,
            summary,
            beforeSign: beforeSign,
            afterSign: afterSign
        )
    }

    /// A mutation of both ceremonies.
    static func both(
        _ name: String,
        _ create: RegistrationError.Step,
        _ get: AuthenticationError.Step,
        _ verdict: Verdict = .reject,
        isRefusedByDefault: Bool? = nil,
        needs: Set<Need> = [],
        changes: Set<Part>,
        _ summary: String,
        beforeSign: Change? = nil,
        afterSign: Change? = nil
    ) -> [Mutation] {
        [.registration(create), .authentication(get)].map { (step: Step) in
            Mutation(
                name,
                step,
                verdict,
                isRefusedByDefault: isRefusedByDefault,
                needs: needs,
                changes: changes,
                summary,
                beforeSign: beforeSign,
                afterSign: afterSign
            )
        }
    }
}
