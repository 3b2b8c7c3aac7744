public import PasskeyWire

/// What an authenticator says and signs (`#sctn-authenticator-data`).
///
/// The bytes are what is signed: they are kept as they came.
public struct AuthenticatorData: Hashable, Sendable {
    /// The flags byte.
    ///
    /// Bits 1 and 5 are reserved and ignored.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The byte.
        public let rawValue: UInt8

        /// Takes a byte as it is.
        ///
        /// - Parameter rawValue: The byte.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// UP: somebody touched the authenticator.
        public static let userPresent = Flags(rawValue: 0x01)

        /// UV: the authenticator checked who it was, by PIN or biometrics.
        public static let userVerified = Flags(rawValue: 0x04)

        /// BE: the credential may be copied to other devices.
        ///
        /// It never changes.
        public static let backupEligible = Flags(rawValue: 0x08)

        /// BS: the credential is backed up now.
        public static let backupState = Flags(rawValue: 0x10)

        /// AT: attested credential data follows.
        public static let attestedCredentialData = Flags(rawValue: 0x40)

        /// ED: extension data follows.
        public static let extensionData = Flags(rawValue: 0x80)
    }

    /// The bytes as they came.
    public let bytes: [UInt8]

    /// SHA-256 of the RP ID, or of an AppID: 32 bytes.
    public let rpIDHash: [UInt8]

    /// The flags.
    public let flags: Flags

    /// The signature counter; 0 forever where there is none.
    public let signCount: UInt32

    /// The new credential, in a registration.
    public let attestedCredentialData: AttestedCredentialData?

    /// Extension outputs, if the flag ED announces any.
    public let extensions: AuthenticatorExtensionOutputs?

    /// Reads authenticator data.
    ///
    /// The credential public key is read in CTAP2's canonical form, so that its length is certain; extension outputs
    /// in CBOR's `valid` mode. Nothing may be left over.
    ///
    /// - Parameter bytes: 37 bytes or more.
    /// - Throws: ``WireError`` with the offset in `bytes`.
    public init(_ bytes: [UInt8]) throws(WireError) {
        self.bytes = bytes
        guard bytes.count >= 37 else {
            throw WireError(.truncated, at: bytes.count, detail: "authenticator data has at least 37 bytes")
        }
        rpIDHash = Array(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var offset = 37
        if flags.contains(.attestedCredentialData) {
            attestedCredentialData = try AttestedCredentialData(bytes, at: &offset)
        } else {
            attestedCredentialData = nil
        }
        if flags.contains(.extensionData) {
            let document = try AuthenticatorData.document(bytes, at: &offset, mode: .valid)
            do throws(WireError) {
                extensions = try AuthenticatorExtensionOutputs(document)
            } catch {
                throw WireError(error.code, at: offset - document.bytes.count + error.offset, detail: error.detail)
            }
        } else {
            extensions = nil
        }
        guard offset == bytes.count else {
            throw WireError(
                .trailingBytes,
                at: offset,
                detail: "\(bytes.count - offset) bytes after the authenticator data"
            )
        }
    }

    /// Makes authenticator data, with the flags AT and ED as the parts given ask for.
    ///
    /// - Parameters:
    ///   - rpIDHash: SHA-256 of the RP ID: 32 bytes.
    ///   - flags: The flags but AT and ED, which follow from the parts.
    ///   - signCount: The signature counter.
    ///   - attestedCredentialData: The new credential, in a registration.
    ///   - extensions: Extension outputs.
    /// - Throws: ``WireError`` if `rpIDHash` has not 32 bytes.
    public init(
        rpIDHash: [UInt8],
        flags: Flags,
        signCount: UInt32,
        attestedCredentialData: AttestedCredentialData? = nil,
        extensions: AuthenticatorExtensionOutputs? = nil
    ) throws(WireError) {
        guard rpIDHash.count == 32 else { throw WireError(.invalidLength, at: 0, detail: "an RP ID hash has 32 bytes") }
        var flags = flags.subtracting([.attestedCredentialData, .extensionData])
        if attestedCredentialData != nil { flags.insert(.attestedCredentialData) }
        if extensions != nil { flags.insert(.extensionData) }
        self.rpIDHash = rpIDHash
        self.flags = flags
        self.signCount = signCount
        self.attestedCredentialData = attestedCredentialData
        self.extensions = extensions
        var bytes = rpIDHash + [flags.rawValue]
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: signCount >> shift)) }
        bytes += attestedCredentialData?.bytes ?? []
        bytes += extensions?.document.bytes ?? []
        self.bytes = bytes
    }

    /// Reads one CBOR item at an offset, and moves the offset behind it.
    fileprivate static func document(
        _ bytes: [UInt8],
        at offset: inout Int,
        mode: CBORMode
    ) throws(WireError) -> CBORDocument {
        let start = offset
        do throws(WireError) {
            let document = try CBORDocument(prefixOf: bytes[start...], mode: mode)
            offset += document.bytes.count
            return document
        } catch {
            throw WireError(error.code, at: start + error.offset, detail: error.detail)
        }
    }
}

/// A new credential inside authenticator data (`#sctn-attested-credential-data`).
public struct AttestedCredentialData: Hashable, Sendable {
    /// The authenticator's model.
    public let aaguid: AAGUID

    /// The credential's identifier: 1 to 65,535 bytes here; a relying party refuses more than 1,023.
    public let credentialID: [UInt8]

    /// The public key: a COSE_Key map, as it came.
    ///
    /// Store these bytes.
    public let credentialPublicKey: [UInt8]

    /// The whole as it stands in authenticator data.
    public var bytes: [UInt8] {
        let count = credentialID.count
        return aaguid.bytes + [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)] + credentialID
            + credentialPublicKey
    }

    /// Makes the data of a credential.
    ///
    /// - Parameters:
    ///   - aaguid: The authenticator's model.
    ///   - credentialID: 1 to 65,535 bytes.
    ///   - credentialPublicKey: A COSE_Key map.
    /// - Throws: ``WireError`` if the identifier's length does not fit.
    public init(aaguid: AAGUID, credentialID: [UInt8], credentialPublicKey: [UInt8]) throws(WireError) {
        guard (1...65_535).contains(credentialID.count) else {
            throw WireError(
                .invalidLength,
                at: 0,
                detail: "a credential ID has 1 to 65,535 bytes, not \(credentialID.count)"
            )
        }
        self.aaguid = aaguid
        self.credentialID = credentialID
        self.credentialPublicKey = credentialPublicKey
    }

    fileprivate init(_ bytes: [UInt8], at offset: inout Int) throws(WireError) {
        guard bytes.count - offset >= 18 else {
            throw WireError(.truncated, at: bytes.count, detail: "attested credential data ends early")
        }
        guard let aaguid = try? AAGUID(bytes: Array(bytes[offset..<offset + 16])) else {
            throw WireError(.invalidLength, at: offset, detail: "an AAGUID has 16 bytes")
        }
        let count = Int(bytes[offset + 16]) << 8 | Int(bytes[offset + 17])
        guard count > 0 else { throw WireError(.invalidLength, at: offset + 16, detail: "the credential ID is empty") }
        offset += 18
        guard bytes.count - offset >= count else {
            throw WireError(.truncated, at: bytes.count, detail: "the credential ID claims \(count) bytes")
        }
        let credentialID = Array(bytes[offset..<offset + count])
        offset += count
        let start = offset
        let key = try AuthenticatorData.document(bytes, at: &offset, mode: .ctap2)
        guard key.root.kind == .map else {
            throw WireError(.wrongType, at: start, detail: "the public key is not a map")
        }
        try self.init(aaguid: aaguid, credentialID: credentialID, credentialPublicKey: key.bytes)
    }
}
