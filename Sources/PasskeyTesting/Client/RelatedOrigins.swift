import PasskeyModel
import PasskeyWire

/// Answers one request of a client for a file of related origins; `nil` for a network error.
///
/// It is called once for each hop, with a URL that begins with `https://`. Whoever asks a real server sends a GET without
/// cookies, without a referrer, and follows no redirect: that is the client's.
public typealias RelatedOriginsFetch = @Sendable (_ url: String) -> RelatedOriginsResponse?

/// What a server answered to a request for `/.well-known/webauthn` (`#sctn-related-origins`).
public struct RelatedOriginsResponse: Hashable, Sendable, Codable {
    /// The status of HTTP.
    public var status: Int

    /// The field `Content-Type`.
    public var contentType: String?

    /// The content.
    public var body: [UInt8]

    /// The field `Location`, which counts with a status that redirects.
    public var location: String?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: The status of HTTP.
    ///   - contentType: The field `Content-Type`.
    ///   - body: The content.
    ///   - location: The field `Location`.
    public init(
        status: Int = 200,
        contentType: String? = "application/json",
        body: [UInt8] = [],
        location: String? = nil
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.location = location
    }

    /// The file that names these origins.
    ///
    /// - Parameter origins: Origins, such as `https://example.de`.
    /// - Returns: The answer.
    public static func file(origins: [String]) -> RelatedOriginsResponse {
        RelatedOriginsResponse(
            body: (["origins": .array(origins.map { .string($0) })] as JSONValue).serialized()
        )
    }

    /// A redirect.
    ///
    /// - Parameter location: Where to.
    /// - Returns: The answer.
    public static func redirect(to location: String) -> RelatedOriginsResponse {
        RelatedOriginsResponse(status: 302, contentType: nil, location: location)
    }
}

/// Why an RP ID may not be used by a page of another domain.
struct RelatedOriginsError: Error {
    let detail: String
}

/// The related origins validation procedure (`#sctn-validating-relation-origins`).
struct RelatedOrigins {
    let fetch: RelatedOriginsFetch
    let suffixes: PublicSuffixList

    /// 1: maxLabels, the number of registrable labels that the client allows.
    let labelLimit: Int

    /// Throws unless the file of `rpIDRequested` names the caller's origin.
    func validate(_ callerOrigin: Origin, for rpIDRequested: String) throws(RelatedOriginsError) {
        // 2: the file, fetched without credentials and referrer. 2.1, 2.2: a JSON object. 2.3: its origins.
        let origins = try origins(in: file("https://\(rpIDRequested)/.well-known/webauthn"))
        // 3: labelsSeen.
        var labelsSeen: [String] = []
        // 4: each item.
        for item in origins {
            // 4.1: a URL. 4.2: its effective domain. 4.3, 4.4: the label in front of its public suffix.
            guard let origin = WebURL(item)?.origin, let host = origin.host,
                let domain = suffixes.registrableDomain(of: host), let end = domain.firstIndex(of: ".")
            else { continue }
            let label = String(domain[..<end])
            // 4.5: a label too many.
            let isSeen = labelsSeen.contains { $0.hasSameBytes(as: label) }
            guard isSeen || labelsSeen.count < labelLimit else { continue }
            // 4.6: the caller's.
            guard origin.string != callerOrigin.string else { return }
            // 4.7: the label counts.
            if !isSeen { labelsSeen.append(label) }
        }
        // 5: false.
        throw RelatedOriginsError(detail: "\(rpIDRequested) does not name \(callerOrigin) as related")
    }

    /// Fetches the file, hop by hop.
    private func file(_ start: String) throws(RelatedOriginsError) -> [UInt8] {
        var url = start
        for _ in 0...Self.redirectLimit {
            guard let response = fetch(url) else {
                throw RelatedOriginsError(detail: "\(excerpt(url)) does not answer")
            }
            switch response.status {
            case 200:
                guard Self.isJSON(response.contentType) else {
                    let type = response.contentType ?? "of no type"
                    throw RelatedOriginsError(detail: "\(excerpt(url)) is not application/json: \(excerpt(type))")
                }
                return response.body
            case 301, 302, 303, 307, 308:
                guard let location = response.location, let next = WebURL(url)?.resolving(location) else {
                    throw RelatedOriginsError(detail: "\(excerpt(url)) redirects to nowhere")
                }
                guard next.hasPrefix("https://") else {
                    throw RelatedOriginsError(
                        detail: "\(excerpt(url)) redirects to \(excerpt(next)), which is not https"
                    )
                }
                url = next
            default:
                throw RelatedOriginsError(detail: "\(excerpt(url)) answers \(response.status)")
            }
        }
        throw RelatedOriginsError(detail: "more than \(Self.redirectLimit) redirects")
    }

    private func origins(in body: [UInt8]) throws(RelatedOriginsError) -> [String] {
        guard body.count <= Self.lengthLimit else {
            throw RelatedOriginsError(detail: "the file has more than \(Self.lengthLimit) bytes")
        }
        let mark = body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let json: JSONValue
        do throws(WireError) {
            json = try JSONValue(json: body[mark...])
        } catch {
            throw RelatedOriginsError(detail: "the file is not JSON: \(error)")
        }
        guard let members = json.object else { throw RelatedOriginsError(detail: "the file is not a JSON object") }
        guard let array = members["origins"]?.array else {
            throw RelatedOriginsError(detail: "the file has no array of origins")
        }
        let origins = array.compactMap(\.string)
        guard origins.count == array.count else { throw RelatedOriginsError(detail: "an origin is not a string") }
        return origins
    }

    /// The limit of Fetch.
    private static let redirectLimit = 20

    /// This library's limit; browsers have one of this size.
    private static let lengthLimit = 1 << 18

    /// Whether a MIME type is JSON's, with parameters or without.
    private static func isJSON(_ contentType: String?) -> Bool {
        guard let parts = contentType?.split(separator: ";", omittingEmptySubsequences: false),
            let essence = parts.first
        else { return false }
        let text = essence.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        return text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } == Array("application/json".utf8)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }
}
