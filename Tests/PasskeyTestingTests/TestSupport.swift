import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

/// What the tests of this target share: a page, a user, and the sides of a ceremony.
enum World {
    static let rpID = "example.com"
    static let origin = "https://example.com"
    static let hash = [UInt8](repeating: 0xAB, count: 32)

    static func handle(_ byte: UInt8) throws -> UserHandle {
        try UserHandle(bytes: [UInt8](repeating: byte, count: 16))
    }

    static func user(_ byte: UInt8 = 1) throws -> PublicKeyCredentialUserEntity {
        PublicKeyCredentialUserEntity(id: try handle(byte), name: "ada\(byte)@example.com", displayName: "Ada")
    }

    static func challenge(_ byte: UInt8 = 7) throws -> Challenge {
        try Challenge(bytes: [UInt8](repeating: byte, count: 32))
    }

    static func creationOptions(
        user byte: UInt8 = 1,
        _ change: (inout PublicKeyCredentialCreationOptions) -> Void = { _ in }
    ) throws -> PublicKeyCredentialCreationOptions {
        var options = PublicKeyCredentialCreationOptions(
            rp: PublicKeyCredentialRpEntity(id: rpID, name: "Example"),
            user: try user(byte),
            challenge: try challenge(),
            authenticatorSelection: AuthenticatorSelectionCriteria(residentKey: .required, userVerification: .required)
        )
        change(&options)
        return options
    }

    static func requestOptions(
        _ change: (inout PublicKeyCredentialRequestOptions) -> Void = { _ in }
    ) throws -> PublicKeyCredentialRequestOptions {
        var options = PublicKeyCredentialRequestOptions(
            challenge: try challenge(),
            rpId: rpID,
            userVerification: .required
        )
        change(&options)
        return options
    }

    /// What an authenticator is asked for.
    static func makeCredential(
        user byte: UInt8 = 1,
        _ change: (inout MakeCredentialParameters) -> Void = { _ in }
    ) throws -> MakeCredentialParameters {
        var parameters = MakeCredentialParameters(hash: hash, rpID: rpID, user: try user(byte))
        change(&parameters)
        return parameters
    }

    static func getAssertion(
        _ change: (inout GetAssertionParameters) -> Void = { _ in }
    ) -> GetAssertionParameters {
        var parameters = GetAssertionParameters(rpID: rpID, hash: hash)
        change(&parameters)
        return parameters
    }

    static func options(
        _ change: (inout VirtualAuthenticatorOptions) -> Void
    ) -> VirtualAuthenticatorOptions {
        var options = VirtualAuthenticatorOptions()
        change(&options)
        return options
    }

    /// Whether a signature over authenticator data and hash is a credential's.
    static func verifies(
        _ signature: [UInt8],
        _ authenticatorData: [UInt8],
        _ clientDataHash: [UInt8],
        publicKey: [UInt8]
    ) throws -> Bool {
        try PublicKey(COSEKey(publicKey)).verify(signature, of: authenticatorData + clientDataHash)
    }
}

extension AttestationObject {
    /// The attestation object of an authenticator's answer.
    init(_ result: MakeCredentialResult) throws {
        try self.init(result.attestationObject)
    }

    /// The attested credential data, which a registration must have.
    func attested() throws -> AttestedCredentialData {
        try #require(authenticatorData.attestedCredentialData)
    }
}

/// A clock that is a second later each time it is read; for one thread at a time.
final class TickingClock: @unchecked Sendable {
    private var time: Int64 = 1_800_000_000_000

    var now: VirtualClock {
        {
            self.time += 1000
            return Timestamp(millisecondsSince1970: self.time)
        }
    }
}
