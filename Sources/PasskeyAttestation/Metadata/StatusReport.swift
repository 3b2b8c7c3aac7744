import PasskeyModel
public import PasskeyWire

/// A report on an authenticator model (FIDO Metadata Service §3.1.3).
public struct StatusReport: Hashable, Sendable {
    /// What became of it.
    public let status: AuthenticatorStatus

    /// Since when; `nil` if the report does not say, or not by a date that there is.
    ///
    /// Such a report is always in force.
    public let effectiveDate: CalendarDate?

    /// Until when, where that was settled beforehand (3.1): the first day on which it is over.
    public let sunsetDate: CalendarDate?

    /// The version of the authenticator's software that it is about.
    ///
    /// A certification holds for later versions, too, until there is another report.
    public let authenticatorVersion: UInt64?

    /// A certificate in DER that it is about: of a compromised attestation key, for example, its own or a root.
    public let certificate: [UInt8]?

    /// The certificate in DER of the batch that it is about (3.1).
    public let batchCertificate: [UInt8]?

    /// Where one can read more.
    public let url: String?

    /// What was certified, in words.
    public let certificationDescriptor: String?

    /// The number of the certification's certificate.
    public let certificateNumber: String?

    /// The version of the certification's policy.
    public let certificationPolicyVersion: String?

    /// The profiles that were certified: `consumer`, `enterprise` (3.1).
    public let certificationProfiles: [String]

    /// The version of the requirements that were met.
    public let certificationRequirementsVersion: String?

    /// The report with all its members.
    public let json: JSONValue

    /// Reads a report.
    ///
    /// - Parameter json: The object.
    /// - Throws: ``MetadataError`` with ``MetadataError/Code/malformed`` if it has no status, or a certificate that is
    ///   not base64.
    public init(_ json: JSONValue) throws(MetadataError) {
        self.json = json
        let members = try MetadataMembers(json, "statusReports")
        status = AuthenticatorStatus(rawValue: try members.required("status", \.string))
        certificate = try members.certificate("certificate")
        batchCertificate = try members.certificate("batchCertificate")
        effectiveDate = members.date("effectiveDate")
        sunsetDate = members.date("sunsetDate")
        authenticatorVersion = members.version("authenticatorVersion")
        url = members.string("url")
        certificationDescriptor = members.string("certificationDescriptor")
        certificateNumber = members.string("certificateNumber")
        certificationPolicyVersion = members.string("certificationPolicyVersion")
        certificationProfiles = members.texts("certificationProfiles")
        certificationRequirementsVersion = members.string("certificationRequirementsVersion")
    }

    /// The certificates that tell which authenticators of the model a security notification is about; none if it is
    /// about all of them (§3.1.4.2).
    var namedCertificates: [[UInt8]] {
        switch status {
        case .attestationKeyCompromise: [certificate, batchCertificate].compactMap(\.self)
        case .userVerificationBypass, .userKeyRemoteCompromise, .userKeyPhysicalCompromise:
            [batchCertificate].compactMap(\.self)
        default: []
        }
    }
}
