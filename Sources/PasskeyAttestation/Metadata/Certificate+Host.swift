import PasskeyCrypto

extension Certificate {
    /// Whether the certificate is for a host: by the names of its Subject Alternative Name, or by its common name where
    /// it has no name of a host there (RFC 6125 §6.4.4).
    ///
    /// Letters of ASCII count in either case. A name with a wildcard is for nobody: it is asked for one host that is
    /// known beforehand.
    func isFor(host: String) -> Bool {
        // One whose names cannot be read is for nobody.
        guard let names = try? subjectAltNames() else { return false }
        let hosts = names.compactMap { name in if case .dns(let host) = name { host } else { nil } }
        return (hosts.isEmpty ? subject.values("2.5.4.3") : hosts).contains { name in
            name.utf8.lazy.map(Self.lowercased).elementsEqual(host.utf8.lazy.map(Self.lowercased))
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }
}
