import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyWire
import Testing

@testable import PasskeyTesting

/// A BLOB of which everything may be wrong, signed by an authority of the tests.
struct MetadataStage {
    static let authority = AttestationAuthority(name: "Metadata Stage")
    static let now = AttestationStage.now

    /// The payload's text; it need not be JSON.
    var payload: [UInt8]
    /// The header's members beside `alg` and `x5c`; one with `x5c` in it takes that one's place.
    var header: JSONObject = [:]
    var algorithm = JWSAlgorithm.es256
    var intermediateCount = 1
    var carriesCertificates = true
    var roots: [[UInt8]]?
    var options = MetadataOptions()
    var previous: Int?
    var time = now

    init(_ payload: String) {
        self.payload = Array(payload.utf8)
    }

    /// A BLOB with entries, each in JSON.
    init(entries: String...) {
        self.init("{\"no\":7,\"nextUpdate\":\"2027-02-01\",\"entries\":[\(entries.joined(separator: ","))]}")
    }

    /// The signing certificate and those above it, below the root.
    func chain() throws -> [[UInt8]] {
        var blob = MetadataBLOB([], authority: Self.authority)
        blob.intermediateCount = intermediateCount
        return try blob.certificates(key())
    }

    private func key() throws -> PrivateKey { try Self.authority.key("metadata", algorithm.coseAlgorithm) }

    func text() throws -> [UInt8] {
        let key = try carriesCertificates ? key() : Self.authority.root().issuer.key
        var members = header
        if carriesCertificates, members["x5c"] == nil {
            members["x5c"] = .array(try chain().map { .string(Base64.encode($0)) })
        }
        return try JWS.sign(payload, header: members, algorithm) { (message) throws(CryptoError) in
            try key.sign(message)
        }
    }

    func verify() throws -> Metadata { try verify(text()) }

    func verify(_ text: [UInt8]) throws -> Metadata {
        try Metadata(
            blob: text,
            roots: roots ?? [Self.authority.rootCertificate()],
            at: time,
            after: previous,
            options: options
        )
    }

    /// The code of the refusal, or `nil` if there is none.
    func refusal() throws -> MetadataError.Code? { try refusal(text()) }

    func refusal(_ text: [UInt8]) throws -> MetadataError.Code? {
        do {
            _ = try verify(text)
            return nil
        } catch let error as MetadataError {
            return error.code
        }
    }
}

/// A day in UTC.
func day(_ text: String) throws -> Timestamp { try #require(CalendarDate(text)).start }
