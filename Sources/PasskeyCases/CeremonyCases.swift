import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

extension Case {
    func registration() throws(MalformedCase) -> PreparedCase {
        let expectation = try CeremonyExpectation(CaseInput(input).required("expected"))
        let response = try CaseInput(input).required("response")
        let check = try RegistrationCheck(expectation, response.serialized())
        return PreparedCase {
            do throws(RegistrationError) {
                return .accepted(value: Case.observed(try check.run()))
            } catch {
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
