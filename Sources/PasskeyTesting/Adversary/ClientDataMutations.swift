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
            "clientData.nested",
            .clientData,
            .clientData,
            changes: [.clientData],
            "the right members stand in an inner object, where a search of the text finds them"
        ) { (draft) throws(MutationError) in
            draft.clientDataJSON = [UInt8](#"{"x":"#.utf8) + draft.clientDataJSON + [UInt8(ascii: "}")]
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
        list += both(
            "type.extended",
            .type,
            .type,
            changes: [.clientData],
            "the type begins as the right one does"
        ) { (draft) throws(MutationError) in
            try draft.editClientData { members in
                members["type"] = .string((members["type"]?.string ?? "") + ".example")
            }
        }
        return list
    }

    private static var challengeMutations: [Mutation] {
        func challenge(
            _ name: String,
            needs: Set<Need> = [],
            _ summary: String,
            _ change: @escaping @Sendable (String, CeremonyDraft) throws(MutationError) -> String
        ) -> [Mutation] {
            both("challenge.\(name)", .challenge, .challenge, needs: needs, changes: [.clientData], summary) {
                (draft) throws(MutationError) in
                let honest = try draft.clientDataMembers()["challenge"]?.string ?? ""
                let other = try change(honest, draft)
                guard !other.hasSameBytes(as: honest) else {
                    throw MutationError("the challenge is spelled as it was")
                }
                try draft.editClientData { $0["challenge"] = .string(other) }
            }
        }
        var list = challenge("other", "the challenge is another ceremony's") { (_, draft) throws(MutationError) in
            Base64URL.encode(try draft.otherBytes(than: draft.clientDataJSON))
        }
        list += challenge(
            "stale",
            needs: [.finishedCeremony],
            "the challenge is that of an earlier ceremony of the account, signed anew"
        ) { (_, draft) throws(MutationError) in
            try draft.recordedChallenge()
        }
        list += challenge("truncated", "the challenge is cut short") { (text, _) in String(text.dropLast(4)) }
        list += challenge("extended", "the challenge begins as the right one does") { (text, _) in text + "AAAA" }
        list += challenge("padded-b64", "the challenge ends in padding") { (text, _) in text + "=" }
        list += challenge("std-b64", "the challenge is in Base64 of the other alphabet, with padding") {
            (text, _) throws(MutationError) in
            Base64.encode(try MutationError.wrap { () throws(WireError) in try Base64URL.decode(text) })
        }
        list += challenge("double-b64", "the challenge is encoded twice") { (text, _) in
            Base64URL.encode([UInt8](text.utf8))
        }
        list += challenge("case", "the challenge is spelled in lower case, which some databases do not mind") {
            (text, _) in text.lowercased()
        }
        list += challenge("empty", "the challenge is empty") { (_, _) in "" }
        return list
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
