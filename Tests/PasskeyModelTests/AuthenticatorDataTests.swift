import PasskeyModel
import PasskeyWire
import Testing

@Suite("Authenticator data and attestation objects")
struct AuthenticatorDataTests {
    private static let hash = [UInt8](0..<32)

    /// A COSE key of the right shape; nobody looks here whether it is on the curve.
    private static let key: [UInt8] =
        [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + [UInt8](repeating: 0x11, count: 32)
        + [0x22, 0x58, 0x20] + [UInt8](repeating: 0x22, count: 32)

    private static func head(_ flags: UInt8, count: [UInt8] = [0, 0, 0, 7]) -> [UInt8] { hash + [flags] + count }

    private static func credential(id: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? id.count
        return [UInt8](repeating: 0xAA, count: 16) + [UInt8(length >> 8), UInt8(length & 255)] + id + key
    }

    @Test func assertion() throws {
        let data = try AuthenticatorData(Self.head(0x1D, count: [0xFF, 0xFF, 0xFF, 0xFE]))
        #expect(data.rpIDHash == Self.hash)
        #expect(data.flags == [.userPresent, .userVerified, .backupEligible, .backupState])
        #expect(data.signCount == 0xFFFF_FFFE)
        #expect(data.attestedCredentialData == nil)
        #expect(data.extensions == nil)
    }

    @Test func registration() throws {
        let bytes = Self.head(0xC5) + Self.credential(id: [1, 2, 3]) + [0xA1, 0x61, 0x78, 0xF5]
        let data = try AuthenticatorData(bytes)
        let credential = try #require(data.attestedCredentialData)
        #expect(credential.aaguid.bytes == [UInt8](repeating: 0xAA, count: 16))
        #expect(credential.credentialID == [1, 2, 3])
        #expect(credential.credentialPublicKey == Self.key)
        #expect(data.extensions?.identifiers == ["x"])
        let written = try AuthenticatorData(
            rpIDHash: Self.hash,
            flags: [.userPresent, .userVerified],
            signCount: 7,
            attestedCredentialData: credential,
            extensions: data.extensions
        )
        #expect(written.bytes == bytes)
        #expect(written == data)
    }

    @Test func flagsFollowFromTheParts() throws {
        let data = try AuthenticatorData(
            rpIDHash: Self.hash,
            flags: [.userPresent, .attestedCredentialData, .extensionData],
            signCount: 7
        )
        #expect(data.bytes == Self.head(0x01))
        #expect(throws: WireError.self) { try AuthenticatorData(rpIDHash: [1], flags: [], signCount: 0) }
    }

    /// Every prefix of valid data is refused: nothing is optional once its flag is set.
    @Test func everyTruncationIsRefused() throws {
        let bytes = Self.head(0xC5) + Self.credential(id: [1, 2, 3]) + [0xA1, 0x61, 0x78, 0xF5]
        for count in 0..<bytes.count {
            #expect(throws: WireError.self) { try AuthenticatorData(Array(bytes[..<count])) }
        }
        let error = #expect(throws: WireError.self) { try AuthenticatorData(bytes + [0]) }
        #expect(error?.code == .trailingBytes)
        #expect(error?.offset == bytes.count)
    }

    @Test(arguments: [
        ("ED and no map", [0x81] as [UInt8], [] as [UInt8]),
        ("ED and an integer", [0x81], [0x00]),
        ("ED and an integer key", [0x81], [0xA1, 0x01, 0x01]),
        ("ED and a key twice", [0x81], [0xA2, 0x61, 0x78, 0xF5, 0x61, 0x78, 0xF5]),
        ("ED and bytes after the map", [0x81], [0xA0, 0x00]),
        ("neither flag and bytes", [0x01], [0xA0]),
    ])
    func refused(_ name: String, _ flags: [UInt8], _ tail: [UInt8]) {
        #expect(throws: WireError.self) { try AuthenticatorData(Self.head(flags[0]) + tail) }
    }

    @Test func accepted() throws {
        #expect(try AuthenticatorData(Self.head(0x81) + [0xA0]).extensions?.identifiers == [])
        #expect(try AuthenticatorData(Self.head(0x23)).flags.contains(.userPresent))
        let long = [UInt8](repeating: 5, count: 1024)
        let data = try AuthenticatorData(Self.head(0x41) + Self.credential(id: long))
        #expect(data.attestedCredentialData?.credentialID == long)
    }

    @Test func credentialIDOfWrongLength() throws {
        #expect(throws: WireError.self) { try AuthenticatorData(Self.head(0x41) + Self.credential(id: [])) }
        #expect(throws: WireError.self) {
            try AuthenticatorData(Self.head(0x41) + Self.credential(id: [1], length: 65_535))
        }
        #expect(throws: WireError.self) {
            try AttestedCredentialData(aaguid: .zero, credentialID: [], credentialPublicKey: Self.key)
        }
    }

    @Test func keyMustBeACanonicalMap() throws {
        let head = Self.head(0x41) + [UInt8](repeating: 0, count: 16) + [0, 1, 9]
        #expect(throws: Never.self) { try AuthenticatorData(head + Self.key) }
        for key in [[0x00] as [UInt8], [0xBF, 0xFF], [0xB8, 0x05] + Array(Self.key.dropFirst())] {
            #expect(throws: WireError.self) { try AuthenticatorData(head + key) }
        }
    }

    @Test func attestationObject() throws {
        let data = Self.head(0x41) + Self.credential(id: [1])
        let bytes = try AttestationObject.encode(format: .none, statement: .map([]), authenticatorData: data)
        #expect(bytes.starts(with: [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8)))
        let object = try AttestationObject(bytes)
        #expect(object.format == .none)
        #expect(object.statement.bytes == [0xA0])
        #expect(object.authenticatorData.bytes == data)
        #expect(object.bytes == bytes)
    }

    private static let objects: [(name: String, object: CBOR, isAccepted: Bool)] = {
        let data = CBOR.bytes(head(0x01))
        return [
            ("another order, one more", ["x": 1, "authData": data, "attStmt": .map([]), "fmt": "none"], true),
            ("no fmt", ["authData": data, "attStmt": .map([])], false),
            ("no attStmt", ["authData": data, "fmt": "none"], false),
            ("no authData", ["attStmt": .map([]), "fmt": "none"], false),
            ("fmt is bytes", ["fmt": .bytes([1]), "attStmt": .map([]), "authData": data], false),
            ("authData is text", ["fmt": "none", "attStmt": .map([]), "authData": "x"], false),
            ("an array", [], false),
        ]
    }()

    @Test func members() throws {
        for (name, object, isAccepted) in Self.objects {
            let bytes = try object.encoded()
            #expect(((try? AttestationObject(bytes)) != nil) == isAccepted, "\(name)")
        }
    }

    /// The offset of a fault inside the authenticator data is told in the attestation object.
    @Test func offsets() throws {
        let data = Self.head(0x01) + [0]
        let bytes = try AttestationObject.encode(format: .none, statement: .map([]), authenticatorData: data)
        let error = #expect(throws: WireError.self) { try AttestationObject(bytes) }
        #expect(error?.offset == bytes.count - 1)
        #expect(error?.code == .trailingBytes)
    }

    @Test func aaguidText() throws {
        let aaguid = try #require(AAGUID("fbfc3007-154e-4ecc-8c0b-6e020557d7bd"))
        #expect(aaguid.bytes.first == 0xFB)
        #expect(aaguid.description == "fbfc3007-154e-4ecc-8c0b-6e020557d7bd")
        #expect(try AAGUID(aaguid.json) == aaguid)
        #expect(AAGUID("fbfc3007154e4ecc8c0b6e020557d7bd") == nil)
        #expect(AAGUID("gbfc3007-154e-4ecc-8c0b-6e020557d7bd") == nil)
        #expect(throws: ModelError.self) { try AAGUID(bytes: [1]) }
        #expect(throws: ModelError.self) { try AAGUID(JSONValue.string("x")) }
    }
}
