import PasskeyModel
import PasskeyWire

/// Finds out what bytes are.
enum Recognition {
    /// Deeper than any of WebAuthn's structures; printing recurses as deep.
    static let maximumDepth = 64

    /// What the bytes are: a special structure, or plain CBOR.
    ///
    /// - Throws: The reason why they are nothing, in one line.
    static func finding(in form: InputForm) throws(CommandError) -> Finding {
        if let finding = special(form.bytes) { return finding }
        if let reason = reasonAgainstJSON(form.bytes) { throw .failure("passkey inspect: \(visible(reason))") }
        do throws(WireError) {
            return Describe.plain(try CBORDocument(form.bytes, mode: .wellFormed, maximumDepth: maximumDepth))
        } catch {
            let size = "\(count(form.bytes)) (\(form.encoding.rawValue))"
            throw .failure("passkey inspect: \(size) of nothing that is known; as CBOR: \(visible("\(error)"))")
        }
    }

    /// What the bytes are, if they are more than plain CBOR.
    static func special(_ bytes: [UInt8]) -> Finding? {
        if let json = try? JSONValue(json: withoutMark(bytes)), json.object != nil { return object(json, bytes) }
        if let document = try? CBORDocument(bytes, mode: .wellFormed, maximumDepth: maximumDepth) {
            let root = document.root
            guard root.kind == .map else { return nil }
            if root["fmt"] != nil, root["authData"] != nil { return Describe.attestationObject(bytes, document) }
            if root[1] != nil, root[3] != nil { return Describe.key(bytes, document) }
            return nil
        }
        return (try? AuthenticatorData(bytes)).map(Describe.authenticatorData)
    }

    private static func object(_ json: JSONValue, _ bytes: [UInt8]) -> Finding? {
        if json["response"]?["clientDataJSON"] != nil { return Describe.response(json) }
        if json["type"] != nil, json["challenge"] != nil { return Describe.clientData(bytes) }
        return nil
    }

    /// Why text that begins like a JSON object is nothing that is known; `nil` for anything else.
    private static func reasonAgainstJSON(_ bytes: [UInt8]) -> String? {
        let text = withoutMark(bytes).drop(while: InputForm.isSpace)
        guard text.first == UInt8(ascii: "{") else { return nil }
        do throws(WireError) {
            _ = try JSONValue(json: withoutMark(bytes))
            return "a JSON object that is neither a response nor client data"
        } catch {
            return "not JSON: \(error)"
        }
    }

    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        return text
    }

    static func count(_ bytes: [UInt8]) -> String { bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes" }
}
