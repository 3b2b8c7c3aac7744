public import PasskeyModel

/// Departures from the strict reading, each off until it is named.
///
/// Beside these, two things are read as real devices write them and not as strictly as they might be, since no relying
/// party could refuse them: the attestation object, its statement and extension outputs may have any key order, integer
/// width and indefinite lengths (`#sctn-conforming-authenticators-cbor` says SHOULD); and a byte order mark at the
/// start of client data is dropped, as its UTF-8 decoding does.
public struct CompatibilityPolicy: Hashable, Sendable {
    /// Whether an origin may be `http` on a host that is not the machine itself.
    ///
    /// No browser runs a ceremony there.
    public var allowsInsecureOrigins: Bool

    /// No departure.
    public static let strict = CompatibilityPolicy()

    /// Makes a policy.
    ///
    /// - Parameter allowsInsecureOrigins: Whether an origin may be `http` elsewhere than on the machine itself.
    public init(allowsInsecureOrigins: Bool = false) {
        self.allowsInsecureOrigins = allowsInsecureOrigins
    }
}

/// What a relying party asks of a credential's backup flags (`#sctn-credential-backup`).
public struct BackupPolicy: JSONRepresentable {
    /// What a flag must be.
    public enum Requirement: String, Hashable, Sendable {
        /// Either.
        case any

        /// Set.
        case required

        /// Not set.
        case prohibited
    }

    /// What to do with a credential whose record says that it cannot be backed up, and which now says that it can.
    public enum Upgrade: String, Hashable, Sendable {
        /// Refuse it, as `#sctn-verifying-assertion` step 19 says: the flag never changes.
        case refused

        /// Accept and report it.
        ///
        /// For records made by software that stored false where it did not know. The change the other way is refused
        /// all the same.
        case reported
    }

    /// What BE must be: prohibited means credentials bound to one device.
    public var eligibility: Requirement

    /// What BS must be.
    public var state: Requirement

    /// What to do when BE changes from false to true.
    public var eligibilityUpgrade: Upgrade

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - eligibility: What BE must be.
    ///   - state: What BS must be.
    ///   - eligibilityUpgrade: What to do when BE changes from false to true.
    public init(eligibility: Requirement = .any, state: Requirement = .any, eligibilityUpgrade: Upgrade = .refused) {
        self.eligibility = eligibility
        self.state = state
        self.eligibilityUpgrade = eligibilityUpgrade
    }

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        eligibility = try members.choice("eligibility")
        state = try members.choice("state")
        eligibilityUpgrade = try members.choice("eligibilityUpgrade")
    }

    /// The JSON form.
    public var json: JSONValue {
        var writer = JSONObjectWriter()
        writer.write("eligibility", eligibility.rawValue)
        writer.write("state", state.rawValue)
        writer.write("eligibilityUpgrade", eligibilityUpgrade.rawValue)
        return writer.json
    }

    static func fault(of flag: Bool, _ requirement: Requirement, _ name: String) -> String? {
        switch (requirement, flag) {
        case (.required, false): "\(name) is 0 and must be 1"
        case (.prohibited, true): "\(name) is 1 and must be 0"
        default: nil
        }
    }
}

/// What to do when a signature counter has not grown (`#sctn-sign-counter`).
public enum SignCountPolicy: String, Hashable, Sendable {
    /// Refuse the sign-in: the default.
    case refuse

    /// Accept it and set ``Authentication/cloneWarning``. The record keeps the larger counter.
    case report
}

/// What to do with extension outputs that nobody asked for.
public enum UnsolicitedExtensionPolicy: String, Hashable, Sendable {
    /// Accept and report them: the default. Clients may add some at any time (`#sctn-extensions`).
    case report

    /// Refuse them.
    case refuse
}

extension JSONMembers {
    /// A member that is one of an enumeration's raw values: in what this library stores, an unknown one is a fault.
    func choice<Choice: RawRepresentable<String>>(_ name: String) throws(ModelError) -> Choice {
        try read(name) { (json) throws(ModelError) in
            let text = try JSONMembers.string(json)
            guard let choice = Choice(rawValue: text) else { throw ModelError(.invalid, "unknown value \"\(text)\"") }
            return choice
        }
    }
}
