import PasskeyModel
import PasskeyWire

/// Authenticator data taken apart; put together again, it need not make sense.
struct AuthenticatorDataParts {
    /// Attested credential data.
    struct Attested {
        var aaguid: [UInt8]

        /// What stands in front of the ID as its length, if that is not its length.
        var claimedLength: Int?
        var credentialID: [UInt8]
        var publicKey: [UInt8]

        var bytes: [UInt8] {
            let length = claimedLength ?? credentialID.count
            return aaguid + [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + credentialID
                + publicKey
        }
    }

    var rpIDHash: [UInt8]
    var flags: UInt8
    var signCount: UInt32
    var attested: Attested?

    /// Extension outputs; the flag ED is not set with them.
    var extensions: [UInt8]
    var trailing: [UInt8] = []

    /// How many bytes are cut off at the end.
    var missing = 0

    init(_ data: AuthenticatorData) {
        rpIDHash = data.rpIDHash
        flags = data.flags.rawValue
        signCount = data.signCount
        attested = data.attestedCredentialData.map {
            Attested(aaguid: $0.aaguid.bytes, credentialID: $0.credentialID, publicKey: $0.credentialPublicKey)
        }
        extensions = data.extensions?.document.bytes ?? []
    }

    var bytes: [UInt8] {
        var bytes = rpIDHash + [flags]
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: signCount >> shift)) }
        bytes += attested?.bytes ?? []
        bytes += extensions + trailing
        return Array(bytes.dropLast(missing))
    }

    mutating func set(_ flags: AuthenticatorData.Flags) { self.flags |= flags.rawValue }
    mutating func clear(_ flags: AuthenticatorData.Flags) { self.flags &= ~flags.rawValue }
    func has(_ flags: AuthenticatorData.Flags) -> Bool { self.flags & flags.rawValue == flags.rawValue }

    /// Puts an extension output in the place of whatever there is of it; `nil` for nothing.
    mutating func setExtension(_ identifier: String, _ output: CBOR?) throws(MutationError) {
        let present = extensions
        (extensions, flags) = try MutationError.wrap { () throws(WireError) in
            var entries = present.isEmpty ? [] : try CBOR(present).entries ?? []
            entries.removeAll { $0.key == .text(identifier) }
            if let output { entries.append(CBOR.Entry(.text(identifier), output)) }
            let flag = AuthenticatorData.Flags.extensionData.rawValue
            return entries.isEmpty ? ([], flags & ~flag) : (try CBOR.map(entries).encoded(.ctap2), flags | flag)
        }
    }
}

extension StatementSubject {
    init(_ parts: AuthenticatorDataParts) {
        authenticatorData = parts.bytes
        rpIDHash = parts.rpIDHash
        guard let attested = parts.attested else { return }
        aaguid = (try? AAGUID(bytes: attested.aaguid)) ?? .zero
        credentialID = attested.credentialID
        credentialPublicKey = attested.publicKey
    }
}

extension CeremonyDraft {
    /// The attested credential data of a registration.
    mutating func editAttested(_ body: (inout AuthenticatorDataParts.Attested) -> Void) throws(MutationError) {
        guard var attested = authenticatorData.attested else { throw MutationError("nothing is attested") }
        body(&attested)
        authenticatorData.attested = attested
    }

    /// Puts another COSE_Key map in place of the credential's.
    mutating func setPublicKey(_ entries: [CBOR.Entry]) throws(MutationError) {
        let key = try MutationError.wrap { () throws(WireError) in try CBOR.map(entries).encoded(.ctap2) }
        try editAttested { $0.publicKey = key }
    }
}
