import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

extension Case {
    func registration() throws(MalformedCase) -> PreparedCase {
        let expectation = try CeremonyExpectation(CaseInput(input).required("expected"))
        if let leniency = try expectation.unbuiltLeniency() {
            return .skipping("needs the leniency \(leniency) (allow), which is not built")
        }
        let response = try CaseInput(input).required("response")
        let check = try RegistrationCheck(expectation, response.serialized())
        let format = expectation.attestation == .ignore ? nil : Case.unbuiltFormat(in: response)
        let shouldBeAccepted = self.expectation == .accept
        return PreparedCase {
            do throws(RegistrationError) {
                let registration = try check.run()
                guard format == nil else { return .broken(reason: "accepted a statement that was not verified") }
                return .accepted(value: Case.observed(registration))
            } catch {
                // The steps before the statement need no format: what they refuse though it is valid is a fault, and
                // a format that is missing must not hide it.
                let isEarly = error.step.rawValue < RegistrationError.Step.attestationFormat.rawValue
                if let format, !(isEarly && shouldBeAccepted) {
                    return .skipped(reason: "needs the attestation format \(format), which is not built")
                }
                return .rejected(error: error.detail, step: "\(error.step)")
            }
        }
    }

    func authentication() throws(MalformedCase) -> PreparedCase {
        let input = CaseInput(input)
        let check = try AuthenticationCheck(
            expected: input.required("expected"),
            record: input.required("record"),
            response: input.required("response").serialized()
        )
        return PreparedCase {
            do throws(AuthenticationError) {
                return .accepted(value: Case.observed(try check.run()))
            } catch {
                return .rejected(error: error.detail, step: "\(error.step)")
            }
        }
    }

    /// The statement's format, if it is one of WebAuthn's that this build cannot verify.
    ///
    /// A name that the specification does not know is refused like any other fault.
    private static func unbuiltFormat(in response: JSONValue) -> String? {
        guard let text = response["response"]?["attestationObject"]?.string,
            let bytes = try? Base64URL.decode(text),
            let object = try? AttestationObject(bytes)
        else { return nil }
        switch object.format {
        case .packed: return object.statement.root["x5c"] == nil ? nil : "packed with certificates"
        case .tpm, .androidKey, .androidSafetyNet, .fidoU2F, .apple, .compound: return object.format.rawValue
        default: return nil
        }
    }

    private static func observed(_ registration: Registration) -> JSONObject {
        let record = registration.credential
        return [
            "transports": .array(record.transports.map { .string($0.rawValue) }),
            "userVerified": .bool(registration.userVerified),
            "signCount": .number(JSONNumber(Int(record.signCount))),
            "backupEligible": .bool(record.backupEligible ?? false),
            "backupState": .bool(record.backupState ?? false),
            "uvInitialized": .bool(record.uvInitialized),
            "aaguid": record.aaguid?.json ?? .null,
            "attestationFormat": .string(record.attestationFormat?.rawValue ?? ""),
            "attestationType": .string(registration.attestationType.rawValue),
            "unsolicitedExtensions": .array(registration.unsolicitedExtensions.map { .string($0) }),
        ]
    }

    private static func observed(_ authentication: Authentication) -> JSONObject {
        let record = authentication.credential
        return [
            "userVerified": .bool(authentication.userVerified),
            "cloneWarning": .bool(authentication.cloneWarning),
            "backupEligibilityUpgraded": .bool(authentication.backupEligibilityUpgraded),
            "signCount": .number(JSONNumber(Int(record.signCount))),
            "backupEligible": .bool(record.backupEligible ?? false),
            "backupState": .bool(record.backupState ?? false),
            "uvInitialized": .bool(record.uvInitialized),
            "unsolicitedExtensions": .array(authentication.unsolicitedExtensions.map { .string($0) }),
        ]
    }
}
