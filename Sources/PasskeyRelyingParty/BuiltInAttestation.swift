package import PasskeyCrypto
import PasskeyModel
package import PasskeyWire

extension AttestationVerifier {
    /// `#sctn-none-attestation`: the statement is the empty map.
    static func verifyNone(_ evidence: Evidence) throws(Refusal) -> Verdict {
        let statement = evidence.statement.root
        guard statement.kind == .map, statement.count == 0 else {
            throw Refusal(.statement, "the statement of the format none is not the empty map")
        }
        return Verdict(.none)
    }

    /// `#sctn-packed-attestation`, the branch without x5c: self attestation.
    package static func verifyPackedSelf(_ evidence: Evidence) throws(Refusal) -> Verdict {
        let statement = evidence.statement.root
        guard statement.kind == .map else { throw Refusal(.statement, "the statement is not a map") }
        guard statement["ecdaaKeyId"] == nil else {
            throw Refusal(.statement, "ECDAA attestation is not part of the specification any more")
        }
        // "Validate that alg matches the algorithm of the credentialPublicKey in authenticatorData."
        guard let algorithm = statement["alg"]?.int else {
            throw Refusal(.statement, "alg is missing or no integer")
        }
        guard algorithm == evidence.credentialKey.algorithm.rawValue else {
            throw Refusal(
                .statement,
                "alg is \(algorithm), the credential's is \(evidence.credentialKey.algorithm.rawValue)"
            )
        }
        // "Verify that sig is a valid signature over the concatenation of authenticatorData and clientDataHash using
        // the credential public key with alg."
        guard let signature = statement["sig"]?.byteArray else {
            throw Refusal(.statement, "sig is missing or no byte string")
        }
        let message = evidence.authenticatorData.bytes + evidence.clientDataHash
        do throws(CryptoError) {
            guard try evidence.credentialKey.publicKey.verify(signature, of: message) else {
                throw CryptoError(.notAuthentic, "sig is not the credential's signature")
            }
        } catch {
            throw Refusal(.statement, error.detail)
        }
        // "If successful, return implementation-specific values representing attestation type Self."
        return Verdict(.`self`)
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
