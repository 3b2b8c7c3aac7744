import PasskeyModel
import PasskeyWire

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

        /// A certificate is expired at the time of the judgement.
        case expiredCertificate = "expired-certificate"

        /// The certificates do not lead to one of the roots.
        case untrusted

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

/// The members of one of metadata's objects.
///
/// Metadata is signed by others and breaks its own rules here and there: padding and white space of base64 are let be,
/// and what nobody asks for is not looked at. What is asked for must have its type.
struct MetadataMembers {
    private let json: JSONValue
    private let path: String

    init(_ json: JSONValue, _ path: String) {
        self.json = json
        self.path = path
    }

    func optional<Value>(
        _ name: String,
        _ value: (JSONValue) -> Value?
    ) throws(MetadataError) -> Value? {
        guard json.object != nil else { throw fault("not an object") }
        guard let member = json[name], !member.isNull else { return nil }
        guard let found = value(member) else { throw fault("\(name) has another type") }
        return found
    }

    func required<Value>(
        _ name: String,
        _ value: (JSONValue) -> Value?
    ) throws(MetadataError) -> Value {
        guard let found = try optional(name, value) else { throw fault("\(name) is missing") }
        return found
    }

    func strings(_ name: String) throws(MetadataError) -> [String]? {
        guard let array = try optional(name, \.array) else { return nil }
        var strings: [String] = []
        for element in array {
            guard let string = element.string else { throw fault("an element of \(name) is no text") }
            strings.append(string)
        }
        return strings
    }

    /// Certificates in base64, white space around each of which is dropped.
    func certificates(_ name: String) throws(MetadataError) -> [[UInt8]]? {
        guard let strings = try strings(name) else { return nil }
        var certificates: [[UInt8]] = []
        for string in strings { certificates.append(try base64(string, name)) }
        return certificates
    }

    func base64(_ text: String, _ name: String) throws(MetadataError) -> [UInt8] {
        do throws(WireError) {
            return try Base64.decodeTrimmed(text)
        } catch {
            throw fault("\(name): \(error)")
        }
    }

    func fault(_ detail: String) -> MetadataError {
        MetadataError(.malformed, "\(path): \(detail)")
    }
}
