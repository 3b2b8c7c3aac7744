/// Why metadata was refused.
public struct MetadataError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a program branches on.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Not a BLOB of metadata, or an entry that is none.
        case malformed

        /// Larger than the limit.
        case tooLarge = "too-large"

        /// Signed with an algorithm that is not allowed.
        case algorithm

        /// The signature is not the signing certificate's.
        case signature

        /// A certificate is expired at the time of the judgement, or not valid yet.
        case expiredCertificate = "expired-certificate"

        /// The certificates do not lead to one of the roots.
        case untrusted

        /// The signing certificate is not for the host that the options name.
        case otherSigner = "other-signer"

        /// A certificate is revoked.
        case revoked

        /// No revocation list tells the status of a certificate, and the options ask for it.
        case noRevocationStatus = "no-revocation-status"

        /// `x5u` is not of the origin that the BLOB came from, or could not be fetched.
        case certificateLocation = "certificate-location"

        /// The number is lower than that of a BLOB which was seen before.
        case older

        /// `nextUpdate` is over, and the options refuse that.
        case stale
    }

    /// What a program branches on.
    public var code: Code

    /// What goes to the log.
    public var detail: String

    /// Where in the payload a parser refused.
    public var offset: Int?

    package init(_ code: Code, _ detail: String, offset: Int? = nil) {
        self.code = code
        self.detail = detail
        self.offset = offset
    }

    /// Code and detail in one line.
    public var description: String {
        "\(code.rawValue): \(detail)" + (offset.map { " (offset \($0))" } ?? "")
    }
}
