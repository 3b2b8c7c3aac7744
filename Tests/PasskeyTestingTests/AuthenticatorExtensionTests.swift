import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("Authenticator extensions (CTAP 2.2 §12, WebAuthn §10)")
struct AuthenticatorExtensionTests {
    private func authenticator(_ extensions: Set<AuthenticatorExtension>) -> VirtualAuthenticator {
        VirtualAuthenticator(World.options { $0.extensions = extensions }, clock: TickingClock().now)
    }

    /// What a registration gives for inputs: signed and unsigned.
    private func create(
        _ authenticator: VirtualAuthenticator,
        _ inputs: CBOR,
        _ change: (inout MakeCredentialParameters) -> Void = { _ in }
    ) throws -> (signed: CBOR?, unsigned: CBOR, id: [UInt8]) {
        let result = try authenticator.makeCredential(
            World.makeCredential {
                $0.extensions = inputs
                change(&$0)
            }
        )
        let object = try AttestationObject(result)
        return (
            object.authenticatorData.extensions?.document.root.value, result.unsignedExtensionOutputs,
            try object.attested().credentialID
        )
    }

    private func get(
        _ authenticator: VirtualAuthenticator,
        _ inputs: CBOR = [:],
        _ change: (inout GetAssertionParameters) -> Void = { _ in }
    ) throws -> (signed: CBOR?, unsigned: CBOR) {
        let result = try authenticator.getAssertion(
            World.getAssertion {
                $0.extensions = inputs
                change(&$0)
            }
        )
        return (
            try AuthenticatorData(result.authenticatorData).extensions?.document.root.value,
            result.unsignedExtensionOutputs
        )
    }

    @Test("Without inputs there are no outputs, and the flag ED is clear")
    func none() throws {
        let authenticator = VirtualAuthenticator()
        let made = try create(authenticator, [:])
        #expect(made.signed == nil && made.unsigned == [:])
        let used = try get(authenticator)
        #expect(used.signed == nil && used.unsigned == [:])
    }

    @Test("An extension that is not known is passed over", arguments: AuthenticatorExtension.allCases)
    func passedOver(_ identifier: AuthenticatorExtension) throws {
        let authenticator = authenticator([])
        let input: CBOR = [.text(identifier.rawValue): true, "largeBlob": ["support": "preferred"]]
        #expect(try create(authenticator, input).signed == nil)
        #expect(try get(authenticator, [.text(identifier.rawValue): true]).signed == nil)
    }

    @Test("credProtect: three levels, and what each hides", arguments: CredentialProtectionPolicy.allCases)
    func credProtect(_ policy: CredentialProtectionPolicy) throws {
        let authenticator = authenticator([.credProtect])
        let made = try create(authenticator, ["credProtect": CBOR(policy.level)])
        #expect(made.signed == ["credProtect": CBOR(policy.level)])
        #expect(authenticator.credentials[0].protection == policy)
        func signs(verified: Bool, named: Bool) -> Bool {
            (try? get(authenticator) {
                $0.requireUserVerification = verified
                $0.allowCredentialDescriptorList = named ? [.init(id: made.id)] : nil
            }) != nil
        }
        #expect(signs(verified: true, named: true) && signs(verified: true, named: false))
        #expect(signs(verified: false, named: true) == (policy != .userVerificationRequired))
        #expect(signs(verified: false, named: false) == (policy == .userVerificationOptional))
        // One that needs verification does not show itself in an exclude list to a user who is not verified.
        let excluding = try World.makeCredential(user: 2) {
            $0.requireUserVerification = false
            $0.excludeCredentialDescriptorList = [.init(id: made.id)]
        }
        let isExcluded = (try? authenticator.makeCredential(excluding)) == nil
        #expect(isExcluded == (policy != .userVerificationRequired))
    }

    @Test("credProtect: the device's own level counts where none is asked for, and a wrong one is none")
    func defaultProtection() throws {
        let authenticator = VirtualAuthenticator(
            World.options { $0.defaultCredentialProtection = .userVerificationRequired }
        )
        #expect(try create(authenticator, [:]).signed == nil)
        #expect(authenticator.credentials[0].protection == .userVerificationRequired)
        #expect(try create(authenticator, ["credProtect": 4]).signed == ["credProtect": 3])
        #expect(try create(authenticator, ["credProtect": 1]).signed == ["credProtect": 1])
    }

    @Test("credBlob: up to 32 bytes with a discoverable credential")
    func credBlob() throws {
        let authenticator = authenticator([.credBlob])
        let blob = [UInt8](repeating: 7, count: 32)
        #expect(try create(authenticator, ["credBlob": .bytes(blob)]).signed == ["credBlob": true])
        #expect(try get(authenticator, ["credBlob": true]).signed == ["credBlob": .bytes(blob)])
        #expect(try get(authenticator, ["credBlob": false]).signed == nil)
        #expect(try create(authenticator, ["credBlob": .bytes(blob + [7])]).signed == ["credBlob": false])
        #expect(try get(authenticator, ["credBlob": true]).signed == ["credBlob": .bytes([])])
        let named = try create(authenticator, ["credBlob": .bytes(blob)]) { $0.requireResidentKey = false }
        #expect(named.signed == ["credBlob": false])
    }

    @Test("minPinLength: for relying parties on the list alone")
    func minPinLength() throws {
        let authenticator = VirtualAuthenticator(
            World.options {
                $0.minPinLength = 6
                $0.minPinLengthRPIDs = [World.rpID]
            }
        )
        #expect(try create(authenticator, ["minPinLength": true]).signed == ["minPinLength": 6])
        #expect(try create(authenticator, ["minPinLength": false]).signed == nil)
        #expect(try create(authenticator, ["minPinLength": true]) { $0.rpID = "other.example" }.signed == nil)
    }

    @Test("largeBlob: written and read, within the device's room, with discoverable credentials that asked for it")
    func largeBlob() throws {
        let authenticator = VirtualAuthenticator(World.options { $0.largeBlobCapacity = 10 }, clock: TickingClock().now)
        func supported(_ made: (signed: CBOR?, unsigned: CBOR, id: [UInt8])) -> CBOR? { made.unsigned["largeBlob"] }
        #expect(try supported(create(authenticator, [:])) == nil)
        #expect(
            try get(authenticator, ["largeBlob": ["write": .bytes([1])]]).unsigned == ["largeBlob": ["written": false]]
        )
        let support: CBOR = ["largeBlob": ["support": "required"]]
        #expect(try supported(create(authenticator, support) { $0.requireResidentKey = false }) == ["supported": false])
        #expect(try supported(create(authenticator, support)) == ["supported": true])
        #expect(try get(authenticator, ["largeBlob": ["read": true]]).unsigned == ["largeBlob": [:]])
        for (count, isWritten) in [(10, true), (11, false), (4, true)] {
            let blob = CBOR.bytes([UInt8](repeating: 5, count: count))
            let written = try get(authenticator, ["largeBlob": ["write": blob]])
            #expect(written.unsigned == ["largeBlob": ["written": .bool(isWritten)]])
            #expect(written.signed == nil)
        }
        let read = try get(authenticator, ["largeBlob": ["read": true]])
        #expect(read.unsigned == ["largeBlob": ["blob": .bytes([5, 5, 5, 5])]])
        #expect(authenticator.credentials[0].largeBlob == [5, 5, 5, 5])
        // What other credentials have stored counts, too.
        let other = try World.user(2)
        _ = try create(authenticator, support) { $0.user = other }
        let rest = try get(authenticator, ["largeBlob": ["write": .bytes([UInt8](repeating: 1, count: 7))]])
        #expect(rest.unsigned == ["largeBlob": ["written": false]])
    }

    @Test("prf without CTAP: one secret with verification and one without; nothing of it is signed")
    func prf() throws {
        let authenticator = authenticator([.prf])
        let salts: CBOR = ["first": .bytes([1]), "second": .bytes([2])]
        let made = try create(authenticator, ["prf": ["eval": salts]])
        #expect(made.signed == nil)
        #expect(made.unsigned["prf"]?["enabled"] == true)
        let results = try #require(made.unsigned["prf"]?["results"])
        #expect(results["first"]?.byteArray?.count == 32 && results["second"]?.byteArray?.count == 32)
        #expect(results["first"] != results["second"])
        let used = try get(authenticator, ["prf": ["eval": salts]])
        #expect(used.signed == nil && used.unsigned == ["prf": ["results": results]])
        let unverified = try get(authenticator, ["prf": ["eval": salts]]) { $0.requireUserVerification = false }
        #expect(unverified.unsigned["prf"]?["results"]?["first"] != results["first"])
        let own: CBOR = ["prf": ["eval": ["first": .bytes([3])], "evalByCredential": [.bytes(made.id): salts]]]
        #expect(try get(authenticator, own).unsigned == ["prf": ["results": results]])
        let other: CBOR = ["prf": ["eval": salts, "evalByCredential": [.bytes([1]): ["first": .bytes([3])]]]]
        #expect(try get(authenticator, other).unsigned == ["prf": ["results": results]])
        // A credential that was made without it has none.
        _ = try create(authenticator, [:])
        #expect(try get(authenticator, ["prf": ["eval": salts]]).unsigned == ["prf": [:]])
    }
}
