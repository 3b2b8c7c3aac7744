import PasskeyModel
import PasskeyWire

extension Mutation {
    /// What can be done to client data, in both ceremonies.
    static var clientDataMutations: [Mutation] {
        encodingMutations + memberMutations + challengeMutations + originMutations + frameMutations
    }

    private static var encodingMutations: [Mutation] {
        var list: [Mutation] = []
        list += both(
            "clientData.utf16",
            .jsonText,
            .jsonText,
            changes: [.clientData],
            "the text is UTF-16 with a byte order mark"
        ) { (draft) throws(MutationError) in
            draft.clientDataJSON = [0xFF, 0xFE] + draft.clientDataJSON.flatMap { [$0, 0] }
        }
        list += both(
            "clientData.invalid-utf8",
            .jsonText,
            .jsonText,
            .policy,
            isRefusedByDefault: true,
            changes: [.clientData],
            "an unknown member holds a byte that is not UTF-8, which a lenient decoder replaces"
        ) { (draft) throws(MutationError) in
            draft.appendMember([UInt8](#""x":""#.utf8) + [0xFF, UInt8(ascii: "\"")])
        }
        list += both(
            "clientData.bom",
            .jsonText,
            .jsonText,
            .accept,
            changes: [.clientData],
            "a byte order mark stands in front"
        ) { (draft) throws(MutationError) in
            draft.clientDataJSON = [0xEF, 0xBB, 0xBF] + draft.clientDataJSON
        }
        list += both(
            "clientData.not-json",
            .clientData,
            .clientData,
            changes: [.clientData],
            "the closing brace is missing"
        ) { (draft) throws(MutationError) in
            draft.clientDataJSON.removeLast()
        }
        list += both(
            "clientData.empty",
            .clientData,
            .clientData,
            changes: [.clientData],
            "there are no bytes"
        ) { (draft) throws(MutationError) in
            draft.clientDataJSON = []
        }
        list += both(
            "clientData.trailing-garbage",
            .clientData,
            .clientData,
            changes: [.clientData],
            "another object follows the object"
        ) { (draft) throws(MutationError) in
            draft.clientDataJSON += [UInt8]("{}".utf8)
        }
        list += both(
            "clientData.array",
            .clientData,
            .clientData,
            changes: [.clientData],
            "the object is the one element of an array"
        ) { (draft) throws(MutationError) in
            draft.clientDataJSON = [UInt8(ascii: "[")] + draft.clientDataJSON + [UInt8(ascii: "]")]
        }
        return list
    }

    private static var memberMutations: [Mutation] {
        var list: [Mutation] = []
        list += both(
            "clientData.duplicate-keys",
            .clientData,
            .clientData,
            changes: [.clientData],
            "a second challenge follows the right one"
        ) { (draft) throws(MutationError) in
            let other = Base64URL.encode(try draft.otherBytes(than: draft.clientDataJSON))
            draft.appendMember([UInt8](#""challenge":"\#(other)""#.utf8))
        }
        list += both(
            "clientData.extra-keys",
            .clientData,
            .clientData,
            .accept,
            changes: [.clientData],
            "members that nobody knows follow, as the specification announces"
        ) { (draft) throws(MutationError) in
            draft.appendMember([UInt8](#""other_keys_can_be_added_here":"do not compare","x":{"y":[null,1.5]}"#.utf8))
        }
        list += both(
            "clientData.reordered",
            .clientData,
            .clientData,
            .accept,
            changes: [.clientData],
            "the members stand in the opposite order, with white space"
        ) { (draft) throws(MutationError) in
            let members = try draft.clientDataMembers()
            let lines = members.members.reversed().map { member in
                JSONValue.string(member.name).serialized() + [UInt8](" : ".utf8) + member.value.serialized()
            }
            draft.clientDataJSON =
                [UInt8]("{\n".utf8) + Array(lines.joined(separator: [UInt8](" ,\r\n\t".utf8))) + [UInt8]("\n}".utf8)
        }
        list += both(
            "type.absent",
            .clientData,
            .clientData,
            changes: [.clientData],
            "the member type is missing"
        ) { (draft) throws(MutationError) in
            try draft.editClientData { $0["type"] = nil }
        }
        list += [
            create("type.get", .type, changes: [.clientData], "the type is a sign-in's") {
                (draft) throws(MutationError) in
                try draft.editClientData { $0["type"] = .string("webauthn.get") }
            },
            get("type.create", .type, changes: [.clientData], "the type is a registration's") {
                (draft) throws(MutationError) in
                try draft.editClientData { $0["type"] = .string("webauthn.create") }
            },
        ]
        list += both("type.case", .type, .type, changes: [.clientData], "the type is spelled with capitals") {
            (draft) throws(MutationError) in
            try draft.editClientData { members in
                members["type"] = .string((members["type"]?.string ?? "").uppercased())
            }
        }
        return list
    }

    private static var challengeMutations: [Mutation] {
        func challenge(
            _ name: String,
            _ summary: String,
            _ change: @escaping @Sendable (String) -> String
        ) -> [Mutation] {
            both("challenge.\(name)", .challenge, .challenge, changes: [.clientData], summary) {
                (draft) throws(MutationError) in
                try draft.editClientData { members in
                    members["challenge"] = .string(change(members["challenge"]?.string ?? ""))
                }
            }
        }
        var list = both(
            "challenge.other",
            .challenge,
            .challenge,
            changes: [.clientData],
            "the challenge is another ceremony's"
        ) { (draft) throws(MutationError) in
            let other = Base64URL.encode(try draft.otherBytes(than: draft.clientDataJSON))
            try draft.editClientData { $0["challenge"] = .string(other) }
        }
        list += challenge("truncated", "the challenge is cut short") { String($0.dropLast(4)) }
        list += challenge("extended", "the challenge begins as the right one does") { $0 + "AAAA" }
        list += challenge("padded-b64", "the challenge ends in padding") { $0 + "=" }
        list += challenge("empty", "the challenge is empty") { _ in "" }
        return list
    }

    private static var originMutations: [Mutation] {
        func origin(
            _ name: String,
            _ summary: String,
            _ change: @escaping @Sendable (_ origin: String, _ host: String) -> String
        ) -> [Mutation] {
            both("origin.\(name)", .origin, .origin, changes: [.clientData], summary) {
                (draft) throws(MutationError) in
                let honest = try draft.clientDataMembers()["origin"]?.string ?? ""
                guard let host = Origin(serialized: honest)?.host else {
                    throw MutationError("the ceremony did not run on a web page")
                }
                try draft.editClientData { $0["origin"] = .string(change(honest, host)) }
            }
        }
        var list = origin("evil", "another site") { _, _ in "https://evil.example" }
        list += origin("http", "the page without encryption") { _, host in "http://\(host)" }
        list += origin("suffix-attack", "a site whose name begins as the host's") { _, host in
            "https://\(host).evil.example"
        }
        list += origin("prefix-attack", "a site whose name ends as the host's") { _, host in "https://evil\(host)" }
        list += origin("subdomain", "a host below the right one") { _, host in "https://sub.\(host)" }
        list += origin("port", "another port of the host") { _, host in "https://\(host):8443" }
        list += origin("trailing-slash", "a slash at the end") { origin, _ in origin + "/" }
        list += origin("userinfo", "the host as another site's user name") { _, host in "https://\(host)@evil.example" }
        list += origin("case", "the host in capitals") { _, host in "https://\(host.uppercased())" }
        list += origin("null", "an opaque origin") { _, _ in "null" }
        list += origin("empty", "no text") { _, _ in "" }
        return list
    }

    private static var frameMutations: [Mutation] {
        both(
            "crossOrigin.true",
            .crossOrigin,
            .crossOrigin,
            changes: [.clientData],
            "the page was in a frame of another origin"
        ) { (draft) throws(MutationError) in
            try draft.editClientData { $0["crossOrigin"] = .bool(true) }
        }
            + both(
                "topOrigin.evil",
                .topOrigin,
                .topOrigin,
                needs: [.crossOriginAllowed],
                changes: [.clientData],
                "the page was in a frame of a site that nobody expects"
            ) { (draft) throws(MutationError) in
                try draft.editClientData { members in
                    members["crossOrigin"] = .bool(true)
                    members["topOrigin"] = .string("https://evil.example")
                }
            }
            + both(
                "topOrigin.present-without-crossOrigin",
                .topOrigin,
                .topOrigin,
                changes: [.clientData],
                "there is a page around the frame, but no frame"
            ) { (draft) throws(MutationError) in
                try draft.editClientData { members in
                    members["crossOrigin"] = .bool(false)
                    members["topOrigin"] = .string("https://evil.example")
                }
            }
    }
}

extension CeremonyDraft {
    func clientDataMembers() throws(MutationError) -> JSONObject {
        try MutationError.wrap { () throws(WireError) in try ClientData(clientDataJSON).members }
    }

    /// Changes members and writes them as the specification does.
    mutating func editClientData(_ body: (inout JSONObject) -> Void) throws(MutationError) {
        var members = try clientDataMembers()
        body(&members)
        clientDataJSON = JSONValue.object(members).serialized()
    }

    /// Writes a member in front of the closing brace, whatever it is.
    mutating func appendMember(_ text: [UInt8]) {
        clientDataJSON.removeLast()
        clientDataJSON += [UInt8(ascii: ",")] + text + [UInt8(ascii: "}")]
    }
}
