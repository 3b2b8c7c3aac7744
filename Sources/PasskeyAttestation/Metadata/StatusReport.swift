public import PasskeyModel
public import PasskeyWire

/// What became of an authenticator model (FIDO Metadata Service §3.1.4, AuthenticatorStatus).
///
/// Values that this library does not know are kept.
public struct AuthenticatorStatus: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// Nothing is certified.
    public static let notCertified: AuthenticatorStatus = "NOT_FIDO_CERTIFIED"

    /// Its maker says that it is certified, and the certificate is on its way.
    public static let selfAssertionSubmitted: AuthenticatorStatus = "SELF_ASSERTION_SUBMITTED"

    /// It passed functional certification.
    public static let certified: AuthenticatorStatus = "FIDO_CERTIFIED"

    /// It must not be trusted any more.
    public static let revoked: AuthenticatorStatus = "REVOKED"

    /// Its attestation key is known to others.
    public static let attestationKeyCompromise: AuthenticatorStatus = "ATTESTATION_KEY_COMPROMISE"

    /// Its user verification can be got round.
    public static let userVerificationBypass: AuthenticatorStatus = "USER_VERIFICATION_BYPASS"

    /// Its users' keys can be got from afar.
    public static let userKeyRemoteCompromise: AuthenticatorStatus = "USER_KEY_REMOTE_COMPROMISE"

    /// Its users' keys can be got by whoever holds it.
    public static let userKeyPhysicalCompromise: AuthenticatorStatus = "USER_KEY_PHYSICAL_COMPROMISE"

    /// Its software can be updated.
    public static let updateAvailable: AuthenticatorStatus = "UPDATE_AVAILABLE"

    /// The value as it travels.
    public let rawValue: String

    /// Takes any value, known or not.
    ///
    /// - Parameter rawValue: The value as it travels.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes a literal.
    ///
    /// - Parameter value: The value as it travels.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The value as it travels.
    public var description: String { rawValue }

    /// Whether both have the same bytes.
    ///
    /// - Parameters:
    ///   - first: A status.
    ///   - second: Another one.
    /// - Returns: Whether they have.
    public static func == (first: Self, second: Self) -> Bool {
        first.rawValue.hasSameBytes(as: second.rawValue)
    }

    /// Feeds the bytes to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytesOf: rawValue)
    }

    /// The level of certification, from 1 to 3, with a half for a "plus"; `nil` for what is no certification.
    ///
    /// `FIDO_CERTIFIED`, of the time before there were levels, is level 1.
    public var certificationLevel: Double? {
        switch rawValue {
        case "FIDO_CERTIFIED", "FIDO_CERTIFIED_L1": 1
        case "FIDO_CERTIFIED_L1plus": 1.5
        case "FIDO_CERTIFIED_L2": 2
        case "FIDO_CERTIFIED_L2plus": 2.5
        case "FIDO_CERTIFIED_L3": 3
        case "FIDO_CERTIFIED_L3plus": 3.5
        default: nil
        }
    }
}

/// A report on an authenticator model (FIDO Metadata Service §3.1.3).
public struct StatusReport: Hashable, Sendable {
    /// What became of it.
    public let status: AuthenticatorStatus

    /// Since when; `nil` if the report does not say, or not by a date that there is.
    ///
    /// Such a report is always in force.
    public let effectiveDate: CalendarDate?

    /// The version of the authenticator from which on it holds.
    public let authenticatorVersion: UInt64?

    /// The certificates that it is about, in DER: of `certificate` and `batchCertificate`.
    public let certificates: [[UInt8]]

    /// The report with all its members.
    public let json: JSONValue

    /// Reads a report.
    ///
    /// - Parameter json: The object.
    /// - Throws: ``MetadataError`` with ``MetadataError/Code/malformed``.
    public init(_ json: JSONValue) throws(MetadataError) {
        self.json = json
        let members = MetadataMembers(json, "statusReports")
        status = AuthenticatorStatus(rawValue: try members.required("status", \.string))
        effectiveDate = try members.optional("effectiveDate", \.string).flatMap { CalendarDate($0) }
        authenticatorVersion = try members.optional("authenticatorVersion", \.int).flatMap { UInt64(exactly: $0) }
        var certificates: [[UInt8]] = []
        for name in ["certificate", "batchCertificate"] {
            guard let text = try members.optional(name, \.string), !text.isEmpty else { continue }
            certificates.append(try members.base64(text, name))
        }
        self.certificates = certificates
    }
}

/// Which reports make a model unacceptable.
public struct StatusPolicy: Hashable, Sendable {
    /// The statuses that refuse.
    public var refused: Set<AuthenticatorStatus>

    /// The level of certification that some report in force must tell; `nil` for none.
    public var leastCertificationLevel: Double?

    /// Revoked and compromised models are refused, in whatever way; certification is not asked for.
    public static let `default` = StatusPolicy()

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - refused: The statuses that refuse; `nil` for those of ``default``.
    ///   - leastCertificationLevel: The level of certification that some report in force must tell, such as 2.
    public init(refused: Set<AuthenticatorStatus>? = nil, leastCertificationLevel: Double? = nil) {
        self.refused =
            refused ?? [
                .revoked, .attestationKeyCompromise, .userVerificationBypass, .userKeyRemoteCompromise,
                .userKeyPhysicalCompromise,
            ]
        self.leastCertificationLevel = leastCertificationLevel
    }

    /// The reports that are in force: the one with the latest effective date that is not in the future (of equal dates
    /// the later in the list), and every one without a date.
    ///
    /// - Parameters:
    ///   - reports: All reports of a model, in their order.
    ///   - time: The moment to judge at.
    /// - Returns: Those in force, in their order.
    public func inForce(_ reports: [StatusReport], at time: Timestamp) -> [StatusReport] {
        let today = CalendarDate(time)
        var latest: (index: Int, date: CalendarDate)?
        for (index, report) in reports.enumerated() {
            guard let date = report.effectiveDate, date <= today else { continue }
            if let found = latest, found.date > date { continue }
            latest = (index, date)
        }
        return reports.enumerated().compactMap { index, report in
            report.effectiveDate == nil || index == latest?.index ? report : nil
        }
    }

    /// Why a model is not acceptable.
    ///
    /// A report that an attestation key is compromised, and which names certificates, is about those batches alone.
    ///
    /// - Parameters:
    ///   - reports: All reports of the model, in their order.
    ///   - time: The moment to judge at.
    ///   - certificates: The attestation's certificates in DER; `nil` if they are not known, and then every batch is
    ///     taken to be meant.
    /// - Returns: The reason, or `nil` if it is acceptable.
    public func fault(
        of reports: [StatusReport],
        at time: Timestamp,
        certificates: [[UInt8]]? = nil
    ) -> String? {
        let inForce = inForce(reports, at: time)
        for report in inForce where refused.contains(report.status) {
            let isOfABatch = report.status == .attestationKeyCompromise && !report.certificates.isEmpty
            if isOfABatch, let certificates, !certificates.contains(where: report.certificates.contains) { continue }
            return excerpt(report.status.rawValue) + (report.effectiveDate.map { " since \($0)" } ?? "")
        }
        if let leastCertificationLevel {
            let level = inForce.compactMap(\.status.certificationLevel).max()
            guard let level, level >= leastCertificationLevel else {
                return "certified at level \(level.map { "\($0)" } ?? "none"), and not \(leastCertificationLevel)"
            }
        }
        return nil
    }
}
