import PasskeyCrypto
public import PasskeyModel
import PasskeyWire

extension AttestationVerifier {
    /// Judges a stored attestation again, at a chosen time and with this verifier's trust.
    ///
    /// Metadata grows, authenticators are found to be broken and anchors are withdrawn after a registration. This runs
    /// steps 20 to 24 of `#sctn-registering-a-new-credential` alone: what depends on the ceremony is in the past.
    ///
    /// - Parameters:
    ///   - attestationObject: As it came, such as ``CredentialRecord/attestationObject``.
    ///   - clientDataHash: SHA-256 of the client data: 32 bytes.
    ///   - time: The moment to judge at.
    /// - Returns: What was found.
    /// - Throws: ``RegistrationError`` with the step that refuses.
    public func verify(
        attestationObject: [UInt8],
        clientDataHash: [UInt8],
        at time: Timestamp
    ) throws(RegistrationError) -> Verdict {
        let object: AttestationObject
        do throws(WireError) {
            object = try AttestationObject(attestationObject)
        } catch {
            throw RegistrationError(.attestationObject, error.reason, offset: error.offset)
        }
        guard let credential = object.authenticatorData.attestedCredentialData else {
            throw RegistrationError(.attestationObject, "AT is 0: there is no attested credential data")
        }
        let key: VerifiedKey
        do throws(Fault) {
            key = try VerifiedKey(credential.credentialPublicKey)
        } catch {
            throw RegistrationError.refusal(at: .algorithm, error)
        }
        let verdict: Verdict
        do throws(Refusal) {
            verdict = try verify(Evidence(object, key, clientDataHash, at: time))
        } catch {
            throw RegistrationError.refusal(at: error.step.registrationStep, Fault(error))
        }
        if let fault = faultOfTrust(verdict) { throw RegistrationError(.attestationTrust, fault) }
        return verdict
    }

    /// Judges the attestation of a stored credential again.
    ///
    /// - Parameters:
    ///   - record: A record that kept its attestation object and client data.
    ///   - time: The moment to judge at.
    /// - Returns: What was found.
    /// - Throws: ``RegistrationError`` with the step that refuses; at ``RegistrationError/Step/attestationObject`` if
    ///   the record kept none.
    public func verify(_ record: CredentialRecord, at time: Timestamp) throws(RegistrationError) -> Verdict {
        guard let object = record.attestationObject, let clientData = record.attestationClientDataJSON else {
            throw RegistrationError(.attestationObject, "the record kept no attestation object and client data")
        }
        let hash: [UInt8]
        do throws(CryptoError) {
            hash = try sha256(clientData)
        } catch {
            throw RegistrationError(.attestationStatement, error.detail)
        }
        return try verify(attestationObject: object, clientDataHash: hash, at: time)
    }
}

extension AttestationVerifier.Refusal.Step {
    /// The step of the registration.
    var registrationStep: RegistrationError.Step {
        switch self {
        case .format: .attestationFormat
        case .statement: .attestationStatement
        case .trust: .attestationTrust
        }
    }
}
