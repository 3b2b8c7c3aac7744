import PasskeyModel
import Testing

@Suite("Authenticator extension outputs")
struct ExtensionAuthenticatorTests {
    private func outputs(_ map: CBOR) throws -> AuthenticatorExtensionOutputs {
        try AuthenticatorExtensionOutputs(map)
    }

    /// The offset at which an accessor refuses.
    private func offset<Value>(_ read: () throws(WireError) -> Value?) -> Int? {
        do throws(WireError) {
            _ = try read()
            return nil
        } catch {
            #expect(error.code == .wrongType)
            return error.offset
        }
    }

    @Test func everyKnownOutputIsRead() throws {
        let outputs = try outputs([
            "credProtect": 3, "credBlob": true, "hmac-secret": true, "minPinLength": 4,
            "uvm": [[2, 4, 2], [4, 1, 1]],
            "hmac-secret-mc": .bytes([1, 2]), "x-unknown": [1],
        ])
        #expect(try outputs.credProtect == 3)
        #expect(try outputs.credBlob == .flag(true))
        #expect(try outputs.hmacSecret == .flag(true))
        #expect(try outputs.hmacSecretMC == [1, 2])
        #expect(try outputs.minPinLength == 4)
        #expect(
            try outputs.uvm == [
                UserVerificationMethodEntry(userVerificationMethod: 2, keyProtectionType: 4, matcherProtectionType: 2),
                UserVerificationMethodEntry(userVerificationMethod: 4, keyProtectionType: 1, matcherProtectionType: 1),
            ]
        )
        #expect(outputs["x-unknown"]?.value == [1])
        #expect(outputs["absent"] == nil)
        #expect(
            outputs.identifiers == [
                "uvm", "credBlob", "x-unknown", "credProtect", "hmac-secret", "minPinLength", "hmac-secret-mc",
            ]
        )
    }

    @Test func bytesOfASignInAreRead() throws {
        let outputs = try outputs(["credBlob": .bytes([7]), "hmac-secret": .bytes([UInt8](repeating: 1, count: 32))])
        #expect(try outputs.credBlob == .bytes([7]))
        #expect(try outputs.hmacSecret == .bytes([UInt8](repeating: 1, count: 32)))
    }

    @Test func absentOutputsAreNil() throws {
        let outputs = try outputs([:])
        #expect(outputs.identifiers.isEmpty)
        #expect(try outputs.credProtect == nil)
        #expect(try outputs.credBlob == nil)
        #expect(try outputs.hmacSecret == nil)
        #expect(try outputs.hmacSecretMC == nil)
        #expect(try outputs.minPinLength == nil)
        #expect(try outputs.uvm == nil)
    }

    @Test(arguments: [1, 2, 3])
    func protectionLevels(_ level: Int) throws {
        #expect(try outputs(["credProtect": CBOR(level)]).credProtect == level)
    }

    @Test(arguments: [CBOR(0), CBOR(4), CBOR(-1), "userVerificationRequired", true, .float(1)])
    func otherProtectionLevelsAreRefusedWhenRead(_ value: CBOR) throws {
        let outputs = try outputs(["credProtect": value])
        #expect(offset { () throws(WireError) in try outputs.credProtect } == 13)
    }

    @Test func wrongTypesAreRefusedWhenReadAndNotBefore() throws {
        let outputs = try outputs([
            "credBlob": 1, "hmac-secret": "yes", "hmac-secret-mc": true, "minPinLength": -4,
        ])
        #expect(outputs.identifiers.count == 4)
        #expect(offset { () throws(WireError) in try outputs.credBlob } != nil)
        #expect(offset { () throws(WireError) in try outputs.hmacSecret } != nil)
        #expect(offset { () throws(WireError) in try outputs.hmacSecretMC } != nil)
        #expect(offset { () throws(WireError) in try outputs.minPinLength } != nil)
        #expect(try outputs.credProtect == nil)
    }

    @Test(
        arguments: [
            ([[2, 4, 2]], true),
            ([[2, 4, 2], [2, 4, 2], [2, 4, 2]], true),
            ([], false),
            ([[2, 4, 2], [2, 4, 2], [2, 4, 2], [2, 4, 2]], false),
            ([[2, 4]], false),
            ([[2, 4, 2, 1]], false),
            ([[2, 65_536, 2]], false),
            ([[2, -1, 2]], false),
            ([["a", 4, 2]], false),
            ([2, 4, 2], false),
            ("x", false),
        ] as [(CBOR, Bool)]
    )
    func factorsAreOneToThreeOfThreeNumbers(_ value: CBOR, _ isRead: Bool) throws {
        let outputs = try outputs(["uvm": value])
        #expect((offset { () throws(WireError) in try outputs.uvm } == nil) == isRead)
    }

    @Test func onlyMapsWithTextKeysAreTaken() throws {
        #expect(throws: Never.self) { try outputs(["a": 1]) }
        let array = #expect(throws: WireError.self) { try AuthenticatorExtensionOutputs(CBOR.array([])) }
        #expect(array?.code == .wrongType)
        #expect(array?.offset == 0)
        let mixed = try CBORDocument([0xa2, 0x61, 0x61, 0x01, 0x01, 0x02])
        let refusal = #expect(throws: WireError.self) { try AuthenticatorExtensionOutputs(mixed) }
        #expect(refusal?.code == .wrongType)
        #expect(refusal?.offset == 4)
    }

    @Test func bytesAreKeptAsTheyCame() throws {
        // An indefinite map with a level in five bytes instead of one.
        let bytes: [UInt8] =
            [0xbf, 0x6b] + [UInt8]("credProtect".utf8) + [0x1a, 0, 0, 0, 2, 0xff]
        let outputs = try AuthenticatorExtensionOutputs(CBORDocument(bytes))
        #expect(try outputs.credProtect == 2)
        #expect(outputs.document.bytes == bytes)
        #expect(try outputs.roundTrips())
        #expect(outputs.json == .string(Base64URL.encode(bytes)))
        let canonical = try self.outputs(["credProtect": 2])
        #expect(outputs != canonical)
        #expect(Set([outputs, canonical, outputs]).count == 2)
    }

    @Test(arguments: [
        (#""oA""#, nil),
        (#""gA""#, ModelError.Code.invalid),
        (#""oAA""#, .invalid),
        (#""o""#, .invalid),
        ("{}", .wrongType),
    ])
    func jsonIsBase64URLOfTheMap(_ json: String, _ code: ModelError.Code?) {
        #expect(AuthenticatorExtensionOutputs.refusal(of: json)?.code == code)
    }
}
