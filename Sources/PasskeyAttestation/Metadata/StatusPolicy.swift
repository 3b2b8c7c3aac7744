import PasskeyCrypto
public import PasskeyModel

/// Which reports make a model unacceptable.
///
/// ```swift
/// trust.statusPolicy.refused.insert(.retired)
/// trust.statusPolicy.leastCertificationLevel = 2
/// ```
public struct StatusPolicy: Hashable, Sendable {
    /// The statuses that refuse.
    public var refused: Set<AuthenticatorStatus>

    /// The level of FIDO's certification that the model must have, such as 1 or 2.5; `nil` for none.
    ///
    /// It has the highest level of any report that holds, unless a later one says `NOT_FIDO_CERTIFIED`, `REVOKED` or
    /// `RETIRED`. FIPS 140 does not count.
    public var leastCertificationLevel: Double?

    /// Whether a status refuses that a later report has superseded, too.
    ///
    /// Software is mended, and devices that never get it stay as they are: a model whose keys could once be got may be
    /// unwanted even though its last report is that an update is there.
    public var judgesPastReports = false

    /// Revoked and compromised models are refused, in whatever way; certification is not asked for.
    ///
    /// A status that is not known does not refuse. What counts is the report in force: see ``inForce(_:at:)``.
    public static let `default` = StatusPolicy()

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - refused: The statuses that refuse; `nil` for those of ``default``.
    ///   - leastCertificationLevel: The level of certification that the model must have, such as 2.
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
    /// A security notification may name a certificate: then it is about the authenticators whose attestation has that
    /// certificate, its key, or an issuer of its name, and about no others. `REVOKED` is always about the whole model.
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
        let today = CalendarDate(time)
        let judged = judgesPastReports ? reports.filter { $0.isEffective(on: today) } : inForce(reports, at: time)
        for report in judged where refused.contains(report.status) {
            guard report.isAbout(certificates) else { continue }
            return excerpt(report.status.rawValue) + (report.effectiveDate.map { " since \($0)" } ?? "")
        }
        if let leastCertificationLevel {
            let level = Self.certificationLevel(reports, on: today)
            guard let level else { return "not certified, and level \(leastCertificationLevel) is asked for" }
            guard level >= leastCertificationLevel else {
                return "certified at level \(level), and level \(leastCertificationLevel) is asked for"
            }
        }
        return nil
    }

    /// The level at which a model is certified; `nil` if it is not.
    private static func certificationLevel(_ reports: [StatusReport], on today: CalendarDate) -> Double? {
        var level: Double?
        var end: CalendarDate?
        let effective = reports.filter { $0.isEffective(on: today) }
        for report in effective where report.status.endsCertification {
            // One without a date holds while it is there, whatever came before it.
            guard let date = report.effectiveDate else { return nil }
            end = max(end ?? date, date)
        }
        // Of equal dates the later in the list counts.
        let lastEnd = effective.lastIndex { $0.status.endsCertification && $0.effectiveDate == end }
        for (index, report) in effective.enumerated() {
            guard let found = report.status.certificationLevel, report.sunsetDate.map({ today < $0 }) ?? true else {
                continue
            }
            if let end, let lastEnd, let date = report.effectiveDate, (date, index) < (end, lastEnd) { continue }
            level = max(level ?? found, found)
        }
        return level
    }
}

extension StatusReport {
    /// Whether its date is not in the future.
    fileprivate func isEffective(on today: CalendarDate) -> Bool {
        effectiveDate.map { $0 <= today } ?? true
    }

    /// Whether it is about the authenticator that attests with some certificates.
    fileprivate func isAbout(_ certificates: [[UInt8]]?) -> Bool {
        guard !namedCertificates.isEmpty, let certificates, !certificates.isEmpty else { return true }
        return namedCertificates.contains { name in
            if certificates.contains(name) { return true }
            // A certificate that cannot be read cannot be told from others either.
            guard let named = try? Certificate(der: name) else { return true }
            let key = try? named.subjectPublicKeyInfo()
            return certificates.contains { der in
                guard let certificate = try? Certificate(der: der) else { return true }
                // A root need not be sent along, so that its name must do.
                if !named.subject.isEmpty, certificate.issuer == named.subject { return true }
                return key != nil && (try? certificate.subjectPublicKeyInfo()) == key
            }
        }
    }
}
