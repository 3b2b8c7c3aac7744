package import PasskeyCrypto
import PasskeyModel
package import PasskeyWire

extension AttestationVerifier {
    /// `#sctn-none-attestation`: the statement is the empty map.
    package static func verifyNone(_ evidence: Evidence) throws(Refusal) -> Verdict {
        let statement = evidence.statement
        guard statement.kind == .map, statement.count == 0 else {
            throw Refusal(.statement, "the statement of the format none is not the empty map", rule: "none.syntax")
        }
        return Verdict(.none, checks: ["none.syntax"], decision: "there is no attestation")
    }

    /// `#sctn-packed-attestation`, the branch without x5c: self attestation.
    package static func verifyPackedSelf(_ evidence: Evidence) throws(Refusal) -> Verdict {
        var checks: [String] = []
        func require(_ isMet: Bool, _ rule: String, _ detail: @autoclosure () -> String) throws(Refusal) {
            guard isMet else { throw Refusal(.statement, detail(), rule: rule, checks: checks) }
            if checks.last != rule { checks.append(rule) }
        }
        let statement = evidence.statement
        let algorithm = statement["alg"]?.int
        let signature = statement["sig"]?.byteArray
        try require(statement.kind == .map, "packed.syntax", "the statement is not a map")
        try require(algorithm != nil, "packed.syntax", "alg is missing or no integer")
        try require(signature != nil, "packed.syntax", "sig is missing or no byte string")
        try require(
            statement["ecdaaKeyId"] == nil,
            "packed.ecdaa",
            "ECDAA attestation is not part of the specification any more"
        )
        // "Validate that alg matches the algorithm of the credentialPublicKey in authenticatorData."
        let key = evidence.credentialKey
        try require(
            algorithm == key.algorithm.rawValue,
            "packed.selfAlgorithm",
            "alg is \(algorithm ?? 0), the credential's is \(key.algorithm.rawValue)"
        )
        // "Verify that sig is a valid signature over the concatenation of authenticatorData and clientDataHash using
        // the credential public key with alg."
        let isAuthentic: Bool
        do throws(CryptoError) {
            let message = evidence.authenticatorData.bytes + evidence.clientDataHash
            isAuthentic = try key.publicKey.verify(signature ?? [], of: message)
        } catch {
            throw Refusal(.statement, error.detail, rule: "packed.selfSignature", checks: checks)
        }
        try require(isAuthentic, "packed.selfSignature", "sig is not the credential's signature")
        // "If successful, return implementation-specific values representing attestation type Self."
        return Verdict(.`self`, checks: checks, decision: "self attestation says nothing of the authenticator")
    }
}

/// A credential public key that parsed and was found to be sound.
package struct VerifiedKey: Sendable {
    package let coseKey: COSEKey
    package let publicKey: PublicKey

    package var algorithm: COSEAlgorithmIdentifier { coseKey.algorithm }

    /// Reads the key: its shape, then its mathematics.
    package init(_ bytes: [UInt8]) throws(Fault) {
        do throws(WireError) {
            coseKey = try COSEKey(bytes)
        } catch {
            throw Fault(error)
        }
        do throws(CryptoError) {
            publicKey = try PublicKey(coseKey)
        } catch {
            throw Fault(error.detail)
        }
    }
}
