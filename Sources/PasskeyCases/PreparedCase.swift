import PasskeyCrypto
import PasskeyWire

/// A case whose input has been laid out, so that running it costs what the operation costs and nothing else.
package struct PreparedCase: Sendable {
    private let operation: @Sendable () -> CaseOutcome

    init(_ operation: @escaping @Sendable () -> CaseOutcome) {
        self.operation = operation
    }

    /// Runs the operation.
    package func run() -> CaseOutcome { operation() }
}

extension Case {
    /// Lays out the input.
    ///
    /// A case that cannot be run here becomes one that says so: it is never guessed at.
    package func prepare() -> PreparedCase {
        if let missing = requirements.first(where: { !Case.isPresent($0) }) {
            return .skipping("requires \(missing), which the linked libcrypto lacks")
        }
        do throws(MalformedCase) {
            return try laidOut()
        } catch {
            return .skipping("the case cannot be read: \(error.reason)")
        }
    }

    /// Runs the case in this process.
    package func run() -> CaseOutcome { prepare().run() }

    /// Runs the case in this process and judges it; limits are not looked at.
    package func verdict() -> CaseVerdict { judge(run()) }

    private func laidOut() throws(MalformedCase) -> PreparedCase {
        switch operation {
        case "base64url.decode": try base64URLDecode()
        case "cbor.decode": try cborDecode()
        case "cbor.encode": try cborEncode()
        case "cose.key": try coseKey()
        case "authenticatorData": try authenticatorData()
        case "clientData": try clientData()
        case "relyingParty.id": try relyingPartyID()
        case "relyingParty.defaultId": try relyingPartyDefaultID()
        case "options": try options()
        case "registration.verify": try registration()
        case "authentication.verify": try authentication()
        case "mds.parse": try metadataParse()
        case "mds.status": try metadataStatus()
        default: .skipping("the operation \(operation) is not built")
        }
    }

    private static func isPresent(_ requirement: String) -> Bool {
        switch requirement {
        case "ml-dsa": SignatureAlgorithms.supportsMLDSA
        default: false
        }
    }
}

extension PreparedCase {
    /// A case that is not run.
    static func skipping(_ reason: String) -> PreparedCase {
        PreparedCase { .skipped(reason: reason) }
    }
}

/// A case whose input does not say what its operation needs.
package struct MalformedCase: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in one line.
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    /// The reason.
    package var description: String { reason }
}

/// The members of an input, read with their types.
struct CaseInput {
    let json: JSONValue

    init(_ json: JSONValue) {
        self.json = json
    }

    /// The member, if it is there and not `null`.
    subscript(name: String) -> JSONValue? {
        guard let value = json[name], value != .null else { return nil }
        return value
    }

    func required(_ name: String) throws(MalformedCase) -> JSONValue {
        guard let value = self[name] else { throw MalformedCase("no \(name)") }
        return value
    }

    func string(_ name: String) throws(MalformedCase) -> String {
        guard let text = try required(name).string else { throw MalformedCase("\(name) is not text") }
        return text
    }

    func stringIfPresent(_ name: String) throws(MalformedCase) -> String? {
        self[name] == nil ? nil : try string(name)
    }

    func intIfPresent(_ name: String) throws(MalformedCase) -> Int? {
        guard let value = self[name] else { return nil }
        guard let int = value.int else { throw MalformedCase("\(name) is not an integer") }
        return int
    }

    func boolIfPresent(_ name: String) throws(MalformedCase) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let bool = value.bool else { throw MalformedCase("\(name) is neither true nor false") }
        return bool
    }

    func stringsIfPresent(_ name: String) throws(MalformedCase) -> [String]? {
        guard let value = self[name] else { return nil }
        guard let list = value.array else { throw MalformedCase("\(name) is not an array") }
        let texts = list.compactMap(\.string)
        guard texts.count == list.count else { throw MalformedCase("\(name) has an element that is not text") }
        return texts
    }

    func hex(_ name: String) throws(MalformedCase) -> [UInt8] {
        guard let bytes = Hex.decode(try string(name)) else { throw MalformedCase("\(name) is not hexadecimal") }
        return bytes
    }

    func base64URL(_ name: String) throws(MalformedCase) -> [UInt8] {
        guard let bytes = try? Base64URL.decode(try string(name)) else {
            throw MalformedCase("\(name) is not base64url")
        }
        return bytes
    }

    func base64URLIfPresent(_ name: String) throws(MalformedCase) -> [UInt8]? {
        self[name] == nil ? nil : try base64URL(name)
    }
}
