import PasskeyAttestation
import PasskeyCases
import PasskeyModel
import PasskeyWire

/// What the options of `passkey metadata` say of the verification.
struct MetadataRequest {
    let time: Timestamp
    private let roots: [[UInt8]]
    private let previous: Int?
    private let options: MetadataOptions

    init(_ arguments: ParsedArguments) throws(CommandError) {
        var roots: [[UInt8]] = []
        for file in arguments.words(of: "root") ?? [] { roots += try Self.certificates(file) }
        guard !roots.isEmpty else {
            throw .usage("passkey metadata: expected --root FILE…; see 'passkey metadata --help'")
        }
        self.roots = roots
        time = try Self.time(arguments.value("at"))
        previous = try arguments.value("after").map { (text) throws(CommandError) in
            guard let number = Int(text), number >= 0 else {
                throw .usage("passkey metadata: --after \(visible(text)) is no number")
            }
            return number
        }
        var options = MetadataOptions()
        options.refusesStale = arguments.has("refuse-stale")
        options.signerHost = arguments.value("signer")
        for file in arguments.words(of: "crl") ?? [] {
            options.revocationLists.append(try Input.bytes(file, for: "metadata"))
        }
        self.options = options
    }

    func verify(_ blob: [UInt8]) throws(MetadataError) -> Metadata {
        try Metadata(blob: blob, roots: roots, at: time, after: previous, options: options)
    }

    func read(_ file: String) throws(CommandError) -> Metadata {
        let blob = try Input.bytes(file, for: "metadata")
        do throws(MetadataError) {
            return try verify(blob)
        } catch {
            throw .failure("passkey metadata: \(visible(file)): refused: \(visible("\(error)"))")
        }
    }

    private static func certificates(_ file: String) throws(CommandError) -> [[UInt8]] {
        let bytes = try Input.bytes(file, for: "metadata")
        // DER begins with the tag of a SEQUENCE.
        guard bytes.first != 0x30 else { return [bytes] }
        do throws(TrustStoreError) {
            return try PEM.certificates(in: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw .usage("passkey metadata: \(visible(file)): \(visible(error.detail))")
        }
    }

    private static func time(_ text: String?) throws(CommandError) -> Timestamp {
        guard let text else { return Timestamp.now() }
        let whole = CalendarDate(text) == nil ? text : text + "T00:00:00Z"
        guard let milliseconds = UTC.millisecondsSince1970(whole) else {
            throw .usage("passkey metadata: --at \(visible(text)) is no moment in UTC")
        }
        return Timestamp(millisecondsSince1970: milliseconds)
    }
}
