import PasskeyModel
import PasskeyWire

extension Case {
    /// Options that are made (`creation`), or read and written again (`creationJSON`, `request`).
    func options() throws(MalformedCase) -> PreparedCase {
        let make: @Sendable () throws(ModelError) -> JSONValue
        if let creation = input["creation"] {
            let parameters = try CreationParameters(CaseInput(creation))
            make = { () throws(ModelError) in try parameters.options().json }
        } else if let json = input["creationJSON"] {
            let whole = Case.completing(json, with: Case.creationDefaults)
            make = { () throws(ModelError) in try PublicKeyCredentialCreationOptions(whole).json }
        } else if let json = input["request"] {
            let whole = Case.completing(json, with: ["challenge": .string(Case.someChallenge)])
            make = { () throws(ModelError) in try PublicKeyCredentialRequestOptions(whole).json }
        } else {
            throw MalformedCase("none of creation, creationJSON and request")
        }
        let wanted = value
        return PreparedCase {
            do throws(ModelError) {
                let made = try make()
                // Options travel as text: what is looked at has been written and read.
                guard let options = try? JSONValue(json: made.serialized()) else {
                    return .broken(reason: "the options' own JSON cannot be read")
                }
                return .accepted(value: Case.observed(in: options, wanted))
            } catch {
                return .rejected(error: "\(error)", step: nil)
            }
        }
    }

    private static let someChallenge = String(repeating: "A", count: 43)

    /// A case shows the members that matter to it; the others must not be what refuses it.
    private static let creationDefaults: JSONObject = [
        "rp": ["name": "Example", "id": "example.com"],
        "user": ["id": "AAAAAAAAAAAAAAAAAAAAAA", "name": "ada@example.com", "displayName": ""],
        "challenge": .string(someChallenge),
        "pubKeyCredParams": [["type": "public-key", "alg": -7]],
    ]

    private static func completing(_ json: JSONValue, with defaults: JSONObject) -> JSONValue {
        guard case .object(var object) = json else { return json }
        for member in defaults.members where object[member.name] == nil {
            object[member.name] = member.value
        }
        return .object(object)
    }

    /// What the options have under each name that the case asks about.
    private static func observed(in options: JSONValue, _ wanted: JSONObject) -> JSONObject {
        var observed = JSONObject()
        for member in wanted.members where member.name != "error" {
            let words = member.name.split(separator: " ")
            if member.name == "no null" {
                observed[member.name] = .bool(!containsNull(options))
            } else if words.count == 2, words[1] == "length" {
                let text = at(String(words[0]), options)?.string
                observed[member.name] = text.map { .number(JSONNumber($0.count)) }
            } else if words.count == 2, words[1] == "matches" {
                // The pattern itself comes out of a match, so that it can be compared like any other value.
                let text = at(String(words[0]), options)?.string ?? ""
                let pattern = member.value.string.flatMap { try? Regex($0) }
                let matches = pattern.map { text.wholeMatch(of: $0) != nil } ?? false
                observed[member.name] = matches ? member.value : .string(text)
            } else {
                observed[member.name] = at(member.name, options)
            }
        }
        return observed
    }

    /// The member at a dotted path; a number is an index into an array.
    private static func at(_ path: String, _ json: JSONValue) -> JSONValue? {
        path.split(separator: ".").reduce(json) { (value: JSONValue?, name) in
            if let elements = value?.array, let index = Int(name) {
                return elements.indices.contains(index) ? elements[index] : nil
            }
            return value?[String(name)]
        }
    }

    private static func containsNull(_ json: JSONValue) -> Bool {
        switch json {
        case .null: true
        case .array(let elements): elements.contains(where: containsNull)
        case .object(let object): object.members.contains { containsNull($0.value) }
        case .bool, .number, .string: false
        }
    }
}

/// What a server passes to make creation options, as far as a case names it.
private struct CreationParameters: Sendable {
    private static let known: Set<String> = [
        "challenge", "userId", "userName", "displayName", "rpId", "rpName", "residentKey", "userVerification",
        "authenticatorAttachment", "attestation", "timeout", "hints", "algorithms",
    ]

    var challenge: [UInt8]
    var userID: [UInt8]
    var userName: String
    var displayName: String
    var rpID: String
    var rpName: String
    var selection: AuthenticatorSelectionCriteria
    var attestation: AttestationConveyancePreference
    var timeout: UInt32?
    var hints: [PublicKeyCredentialHint]
    var algorithms: [COSEAlgorithmIdentifier]

    init(_ input: CaseInput) throws(MalformedCase) {
        if let stranger = input.json.object?.members.first(where: { !CreationParameters.known.contains($0.name) }) {
            throw MalformedCase("creation has \(stranger.name), which the runner does not know")
        }
        challenge = input["challenge"] == nil ? [UInt8](repeating: 7, count: 32) : try input.hex("challenge")
        userID = input["userId"] == nil ? [UInt8](repeating: 9, count: 32) : try input.hex("userId")
        userName = try input.stringIfPresent("userName") ?? "ada@example.com"
        displayName = try input.stringIfPresent("displayName") ?? ""
        rpID = try input.stringIfPresent("rpId") ?? "example.com"
        rpName = try input.stringIfPresent("rpName") ?? "Example"
        selection = AuthenticatorSelectionCriteria(
            authenticatorAttachment: try input.known("authenticatorAttachment"),
            residentKey: try input.known("residentKey") ?? .discouraged,
            userVerification: try input.known("userVerification") ?? .preferred
        )
        attestation = try input.known("attestation") ?? .none
        timeout = 300_000
        if let milliseconds = try input.intIfPresent("timeout") {
            guard let fitting = UInt32(exactly: milliseconds) else { throw MalformedCase("timeout does not fit") }
            timeout = fitting
        }
        hints = try (input.stringsIfPresent("hints") ?? []).map(PublicKeyCredentialHint.init(rawValue:))
        algorithms = try input.algorithmsIfPresent("algorithms") ?? [.es256]
    }

    func options() throws(ModelError) -> PublicKeyCredentialCreationOptions {
        PublicKeyCredentialCreationOptions(
            rp: PublicKeyCredentialRpEntity(id: try RelyingPartyIdentifier(rpID).string, name: rpName),
            user: PublicKeyCredentialUserEntity(
                id: try UserHandle(bytes: userID),
                name: userName,
                displayName: displayName
            ),
            challenge: try Challenge(bytes: challenge),
            pubKeyCredParams: algorithms.map { PublicKeyCredentialParameters(alg: $0) },
            timeout: timeout,
            authenticatorSelection: selection,
            hints: hints,
            attestation: attestation
        )
    }
}

extension CaseInput {
    /// A value of one of the specification's enumerations.
    func known<Value: RawRepresentable<String>>(_ name: String) throws(MalformedCase) -> Value? {
        guard let text = try stringIfPresent(name) else { return nil }
        guard let value = Value(rawValue: text) else { throw MalformedCase("\(name) is \(text)") }
        return value
    }

    /// COSE algorithms, by number.
    func algorithmsIfPresent(_ name: String) throws(MalformedCase) -> [COSEAlgorithmIdentifier]? {
        guard let value = self[name] else { return nil }
        guard let list = value.array else { throw MalformedCase("\(name) is not an array") }
        let numbers = list.compactMap(\.int)
        guard numbers.count == list.count else { throw MalformedCase("\(name) has an element that is no integer") }
        return numbers.map(COSEAlgorithmIdentifier.init(rawValue:))
    }
}
