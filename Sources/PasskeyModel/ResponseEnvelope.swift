import PasskeyWire

/// Why the JSON of a response was refused.
struct ResponseFault: Error {
    var cause: ModelError

    /// Whether an extension's output is at fault, which is a step of its own.
    var isExtension = false
}

/// The members that both kinds of response have around `response` (`#dom-publickeycredential-tojson`).
struct ResponseEnvelope {
    let id: [UInt8]
    let authenticatorAttachment: String?
    let clientExtensionResults: AuthenticationExtensionsClientOutputs
    private let members: JSONMembers

    init(_ bytes: [UInt8]) throws(ResponseFault) {
        let json: JSONValue
        do throws(WireError) {
            json = try JSONValue(json: bytes)
        } catch {
            throw ResponseFault(cause: ModelError(error))
        }
        do throws(ModelError) {
            members = try JSONMembers(json)
            let type = try members.string("type")
            guard type.hasSameBytes(as: "public-key") else {
                throw ModelError(.invalid, at: "type", "expected public-key, found \(excerpt(type))")
            }
            id = try members.bytes("id")
            guard try members.bytes("rawId") == id else {
                throw ModelError(.invalid, at: "rawId", "id and rawId differ")
            }
            guard !id.isEmpty else { throw ModelError(.outOfRange, at: "id", "the credential ID is empty") }
            authenticatorAttachment = try members.stringIfPresent("authenticatorAttachment")
        } catch {
            throw ResponseFault(cause: error)
        }
        guard let results = members["clientExtensionResults"] else {
            clientExtensionResults = AuthenticationExtensionsClientOutputs()
            return
        }
        do throws(ModelError) {
            clientExtensionResults = try AuthenticationExtensionsClientOutputs(results)
        } catch {
            let isObject = if case .object = results { true } else { false }
            throw ResponseFault(cause: error.within("clientExtensionResults"), isExtension: isObject)
        }
    }

    func read<Response>(
        _ body: (JSONMembers) throws(ModelError) -> Response
    ) throws(ResponseFault) -> Response {
        do throws(ModelError) {
            return try members.read("response") { (json) throws(ModelError) in try body(JSONMembers(json)) }
        } catch {
            throw ResponseFault(cause: error)
        }
    }

    static func json(
        id: [UInt8],
        response: JSONValue,
        authenticatorAttachment: String?,
        clientExtensionResults: AuthenticationExtensionsClientOutputs
    ) -> JSONValue {
        var writer = JSONObjectWriter()
        writer.write("id", bytes: id)
        writer.write("rawId", bytes: id)
        writer.write("response", response)
        writer.write("authenticatorAttachment", authenticatorAttachment)
        writer.write("clientExtensionResults", clientExtensionResults.json)
        writer.write("type", "public-key")
        return writer.json
    }
}
