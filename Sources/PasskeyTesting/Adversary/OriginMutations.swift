import PasskeyModel
import PasskeyWire

extension Mutation {
    static var originMutations: [Mutation] {
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
                let other = change(honest, host)
                guard !other.hasSameBytes(as: honest) else { throw MutationError("the origin is spelled as it was") }
                try draft.editClientData { $0["origin"] = .string(other) }
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
        list += origin("trailing-dot", "the host with a dot at the end") { _, host in "https://\(host)." }
        // U+0430 is not "a": one site, as people see it and as a browser spells it.
        list += origin("unicode", "a site that looks like another, as no browser spells it") { _, _ in
            "https://ex\u{0430}mple.com"
        }
        list += origin("punycode", "a site that looks like another, as a browser spells it") { _, _ in
            "https://xn--exmple-4nf.com"
        }
        list += origin("nul", "the origin, then a byte that ends text in C, then another site") { origin, _ in
            origin + "\u{0}.evil.example"
        }
        list += origin("android-apk-key-hash", "an Android application that nobody expects") { _, _ in
            "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 0xA5, count: 32))
        }
        list += origin("null", "an opaque origin") { _, _ in "null" }
        list += origin("empty", "no text") { _, _ in "" }
        list += both(
            "origin.default-port",
            .origin,
            .origin,
            .policy,
            isRefusedByDefault: true,
            changes: [.clientData],
            "the page with the scheme's own port, which no browser writes"
        ) { (draft) throws(MutationError) in
            try draft.editClientData { members in
                members["origin"] = .string((members["origin"]?.string ?? "") + ":443")
            }
        }
        return list
    }

    static var frameMutations: [Mutation] {
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
