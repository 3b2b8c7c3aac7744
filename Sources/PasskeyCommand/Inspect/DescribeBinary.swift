import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// Takes structures apart for people and programs.
enum Describe {
    static func attestationObject(_ bytes: [UInt8], _ document: CBORDocument) -> Finding {
        let root = document.root
        var parts: [Node] = []
        if let format = root["fmt"] {
            let name = format.string
            parts.append(
                Node(
                    "fmt",
                    at: format.range.lowerBound,
                    name.map(visible) ?? format.diagnostic,
                    json: .string(name ?? format.diagnostic)
                )
            )
        }
        if let statement = root["attStmt"] { parts.append(map("attStmt", statement)) }
        if let item = root["authData"] {
            let offset = item.range.lowerBound
            if let data = item.byteArray {
                // A string of definite length stands in one piece at the end of its item; chunks have no one offset.
                let start = item.range.count <= data.count + 9 ? item.range.upperBound - data.count : nil
                let finding =
                    (try? AuthenticatorData(data)).map(authenticatorData)
                    ?? Finding("", [.bytes("bytes", at: 0, data)])
                var node = finding.node("authData", at: start, Recognition.count(data))
                if start == nil { node = finding.node("authData", Recognition.count(data) + " in chunks") }
                parts.append(node)
            } else {
                parts.append(Node("authData", at: offset, item.diagnostic, json: .string(item.diagnostic)))
            }
        }
        do throws(WireError) {
            _ = try AttestationObject(bytes)
            return Finding("attestation object", parts)
        } catch {
            return Finding("attestation object", parts, fault: "\(error)")
        }
    }

    static func authenticatorData(_ data: AuthenticatorData) -> Finding {
        var parts: [Node] = [
            .bytes("rpIdHash", at: 0, data.rpIDHash),
            flags(data.flags),
            Node("signCount", at: 33, "\(data.signCount)", json: .number(JSONNumber(Int(data.signCount)))),
        ]
        var offset = 37
        if let credential = data.attestedCredentialData {
            let id = credential.credentialID
            parts.append(.text("aaguid", at: 37, credential.aaguid.description))
            parts.append(
                Node(
                    "credentialId",
                    at: 55,
                    "\(Recognition.count(id)), base64url \(Base64URL.encode(id))",
                    json: .string(Base64URL.encode(id))
                )
            )
            offset = 55 + id.count
            let bytes = credential.credentialPublicKey
            if let document = try? CBORDocument(bytes, mode: .wellFormed, maximumDepth: Recognition.maximumDepth) {
                parts.append(
                    key(bytes, document).node("credentialPublicKey", at: offset, Recognition.count(bytes))
                )
            }
            offset += bytes.count
        }
        if let extensions = data.extensions {
            parts.append(map("extensions", extensions.document.root).moved(by: offset))
        }
        return Finding("authenticator data", parts)
    }

    static func flags(_ flags: AuthenticatorData.Flags) -> Node {
        let names = ["UP", "reserved bit 1", "UV", "BE", "BS", "reserved bit 5", "AT", "ED"]
        let set = (0..<8).filter { flags.rawValue & 1 << UInt8($0) != 0 }.map { names[$0] }
        let hex = "0x" + Hex.encode([flags.rawValue])
        return Node(
            "flags",
            at: 32,
            set.isEmpty ? "\(hex), none set" : "\(hex) = \(set.joined(separator: ", "))",
            json: .object([
                "value": .number(JSONNumber(Int(flags.rawValue))), "names": .array(set.map { .string($0) }),
            ])
        )
    }

    /// A map whose keys are names, one line each.
    static func map(_ name: String, _ item: CBORDocument.Item) -> Node {
        let offset = item.range.lowerBound
        guard item.kind == .map, let entries = item.entries else {
            return Node(name, at: offset, item.diagnostic, json: .string(item.diagnostic))
        }
        let children = entries.map { entry in
            let key = entry.key.string ?? entry.key.diagnostic
            let value = entry.value
            if key == "alg", let number = value.int {
                return Node.number(
                    key,
                    at: value.range.lowerBound,
                    number,
                    meaning: COSEAlgorithmIdentifier(rawValue: number).name
                )
            }
            if let bytes = value.byteArray {
                return .bytes(visible(key), at: value.range.lowerBound, bytes)
            }
            if key == "x5c", let elements = value.elements {
                return certificates(elements, at: value.range.lowerBound)
            }
            return Node(
                visible(key),
                at: value.range.lowerBound,
                value.diagnostic,
                json: .string(value.diagnostic)
            )
        }
        let text = children.isEmpty ? "empty" : children.count == 1 ? "1 member" : "\(children.count) members"
        return Node(name, at: offset, text, json: .object([:]), children: children)
    }

    /// The certificates of a statement, the attestation certificate first.
    private static func certificates(_ elements: CBORDocument.Item.Elements, at offset: Int) -> Node {
        let children = elements.enumerated().map { place, element in
            let start = element.range.lowerBound
            guard let der = element.byteArray, let certificate = try? Certificate(der: der) else {
                return Node("\(place)", at: start, "no certificate: \(element.diagnostic)", json: .null)
            }
            let days = [certificate.notBefore, certificate.notAfter].map { milliseconds in
                CalendarDate(Timestamp(millisecondsSince1970: milliseconds)).description
            }
            let extensions = certificate.extensions.map { $0.oid + ($0.isCritical ? " (critical)" : "") }
            return Node(
                "\(place)",
                at: start,
                "certificate, \(der.count) bytes",
                children: [
                    .text("subject", certificate.subject.text), .text("issuer", certificate.issuer.text),
                    .text("valid", days.joined(separator: " to ")),
                    .text("extensions", extensions.joined(separator: ", ")),
                    .bytes("der", der),
                ]
            )
        }
        return Node("x5c", at: offset, "\(children.count) certificates", json: .object([:]), children: children)
    }

    // MARK: COSE keys

    static func key(_ bytes: [UInt8], _ document: CBORDocument) -> Finding {
        let type = document.root[1]?.int
        var parts: [Node] = []
        for entry in document.root.entries.map({ Array($0) }) ?? [] {
            let offset = entry.value.range.lowerBound
            let name = entry.key.int.map { keyMember($0, type) } ?? visible(entry.key.diagnostic)
            if let value = entry.value.int {
                parts.append(.number(name, at: offset, value, meaning: meaning(of: value, as: name)))
            } else if let value = entry.value.byteArray {
                parts.append(.bytes(name, at: offset, value))
            } else {
                parts.append(
                    Node(name, at: offset, entry.value.diagnostic, json: .string(entry.value.diagnostic))
                )
            }
        }
        do {
            _ = try PublicKey(COSEKey(bytes))
            return Finding("COSE key", parts)
        } catch {
            return Finding("COSE key", parts, fault: "not a sound WebAuthn public key: \(error)")
        }
    }

    /// The names of RFC 9052 §7.1 and of the key types in RFC 9053 §7, RFC 8230 §4 and the AKP type of ML-DSA.
    private static func keyMember(_ label: Int, _ type: Int?) -> String {
        switch (label, type) {
        case (1, _): "kty"
        case (2, _): "kid"
        case (3, _): "alg"
        case (4, _): "key_ops"
        case (5, _): "Base IV"
        case (-1, 1), (-1, 2): "crv"
        case (-2, 1), (-2, 2): "x"
        case (-3, 2): "y"
        case (-1, 3): "n"
        case (-2, 3): "e"
        case (-1, 7): "pub"
        default: "\(label)"
        }
    }

    private static func meaning(of value: Int, as name: String) -> String? {
        switch name {
        case "kty": [1: "OKP", 2: "EC2", 3: "RSA", 7: "AKP"][value]
        case "alg": COSEAlgorithmIdentifier(rawValue: value).name
        case "crv": [1: "P-256", 2: "P-384", 3: "P-521", 6: "Ed25519", 7: "Ed448", 8: "secp256k1"][value]
        default: nil
        }
    }

    // MARK: Plain CBOR

    static func plain(_ document: CBORDocument) -> Finding {
        let notation = document.diagnostic
        var parts = [Node("diagnostic", notation, json: .string(notation)), modes(document.bytes)]
        if [.map, .array, .tag].contains(document.root.kind) { parts.append(tree("item", document.root)) }
        return Finding("CBOR", parts)
    }

    /// Which of the stricter forms the item has, and what each of the others refuses.
    private static func modes(_ bytes: [UInt8]) -> Node {
        var names = ["well-formed"]
        var json: JSONObject = ["wellFormed": true]
        for (mode, name) in [(CBORMode.valid, "valid"), (.deterministic, "deterministic"), (.ctap2, "CTAP2")] {
            // The stricter forms presuppose validity: they would only repeat the reason.
            guard mode == .valid || json["valid"] == true else { break }
            do throws(WireError) {
                // CTAP2's own depth is part of its form.
                let depth = mode == .ctap2 ? nil : Recognition.maximumDepth
                _ = try CBORDocument(bytes, mode: mode, maximumDepth: depth)
                names.append(name)
                json[mode.rawValue] = true
            } catch {
                names.append("not \(name) (\(error))")
                json[mode.rawValue] = .string("\(error)")
            }
        }
        return Node("form", names.joined(separator: ", "), json: .object(json))
    }

    /// Every item on a line with its offset.
    ///
    /// Only leaves are written out: notation at every level would be quadratic.
    private static func tree(_ name: String, _ item: CBORDocument.Item) -> Node {
        let offset = item.range.lowerBound
        if item.kind == .map, let entries = item.entries {
            let children = entries.map { tree($0.key.diagnostic, $0.value) }
            return Node(name, at: offset, "map of \(children.count)", children: children)
        }
        if item.kind == .array, let elements = item.elements {
            let children = elements.enumerated().map { tree("\($0.offset)", $0.element) }
            return Node(name, at: offset, "array of \(children.count)", children: children)
        }
        if let tag = item.tag {
            return Node(name, at: offset, "tag \(tag.number)", children: [tree("content", tag.content)])
        }
        return Node(name, at: offset, item.diagnostic)
    }
}
