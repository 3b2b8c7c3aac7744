import PasskeyWire

/// Certificates as text (RFC 7468).
package enum PEM {
    /// The certificates in a text.
    package static func certificates(in text: String) throws(TrustStoreError) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        var body: String?
        for line in text.utf8.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
            let line = String(decoding: line, as: UTF8.self).filter { $0 != " " && $0 != "\t" }
            if line.hasSameBytes(as: "-----BEGINCERTIFICATE-----") {
                body = ""
            } else if line.hasSameBytes(as: "-----ENDCERTIFICATE-----") {
                guard let base64 = body else { throw TrustStoreError("PEM: a block ends that did not begin") }
                do throws(WireError) {
                    certificates.append(try Base64.decode(base64))
                } catch {
                    throw TrustStoreError("PEM: block \(certificates.count): \(error)")
                }
                body = nil
            } else {
                body?.append(line)
            }
        }
        guard body == nil else { throw TrustStoreError("PEM: a block does not end") }
        guard !certificates.isEmpty else { throw TrustStoreError("PEM: there is no certificate") }
        return certificates
    }
}
