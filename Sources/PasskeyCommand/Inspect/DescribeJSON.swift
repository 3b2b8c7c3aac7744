import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension Describe {
    /// Client data, with the hash that is signed.
    static func clientData(_ bytes: [UInt8]) -> Finding {
        var parts: [Node] = []
        var fault: String?
        do throws(WireError) {
            let data = try ClientData(bytes)
            for member in data.members.members { parts.append(self.member(member)) }
        } catch {
            fault = "\(error)"
            parts.append(.text("text", String(decoding: bytes, as: UTF8.self)))
        }
        if let hash = try? sha256(bytes) { parts.append(.bytes("hash", hash, ", SHA-256 of the whole")) }
        return Finding("client data", parts, fault: fault)
    }

    private static func member(_ member: JSONObject.Member) -> Node {
        let name = visible(member.name)
        guard let text = member.value.string else {
            return Node(name, visible(member.value.description), json: member.value)
        }
        guard member.name == "challenge" else { return .text(name, text) }
        let note = (try? Base64URL.decode(text)).map { ", \(Recognition.count($0))" } ?? ", not base64url"
        return Node(name, visible(text) + note, json: .string(text))
    }

    /// A registration or authentication response as `toJSON()` gives it.
    static func response(_ json: JSONValue) -> Finding {
        let isRegistration = json["response"]?["attestationObject"] != nil
        var parts: [Node] = []
        for member in json.object?.members ?? [] {
            switch member.name {
            case "response": parts.append(Node("response", "", children: responseParts(member.value)))
            case "clientExtensionResults" where member.value.object?.members.isEmpty == true:
                parts.append(Node(member.name, "none", json: member.value))
            case "id", "rawId": parts.append(identifier(member))
            default: parts.append(self.member(member))
            }
        }
        return Finding(
            isRegistration ? "registration response" : "authentication response",
            parts,
            fault: fault(of: json, isRegistration: isRegistration)
        )
    }

    private static func responseParts(_ json: JSONValue) -> [Node] {
        (json.object?.members ?? []).map { member in
            guard let text = member.value.string, let bytes = try? Base64URL.decode(text) else {
                return Node(visible(member.name), visible(member.value.description), json: member.value)
            }
            let size = Recognition.count(bytes)
            switch member.name {
            case "clientDataJSON": return clientData(bytes).node(member.name, size)
            case "attestationObject", "authenticatorData":
                return Recognition.special(bytes)?.node(member.name, at: 0, size) ?? .bytes(member.name, bytes)
            default: return .bytes(visible(member.name), bytes)
            }
        }
    }

    private static func identifier(_ member: JSONObject.Member) -> Node {
        guard let text = member.value.string, let bytes = try? Base64URL.decode(text) else {
            return self.member(member)
        }
        return Node(member.name, "\(Recognition.count(bytes)), base64url \(text)", json: member.value)
    }

    private static func fault(of json: JSONValue, isRegistration: Bool) -> String? {
        let bytes = json.serialized()
        do {
            if isRegistration {
                _ = try RegistrationResponse(json: bytes)
            } else {
                _ = try AuthenticationResponse(json: bytes)
            }
            return nil
        } catch {
            return "\(error)"
        }
    }
}
