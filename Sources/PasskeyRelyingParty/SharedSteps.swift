import PasskeyCrypto
import PasskeyModel
import PasskeyWire

// Steps that both procedures have, each written once.

extension Procedure {
    /// The ceremony is this relying party's, and not over.
    mutating func ceremony(
        _ step: Failure.Step,
        of relyingPartyID: String,
        until expiresAt: Timestamp,
        _ relyingParty: RelyingParty,
        _ now: Timestamp
    ) throws(Failure) {
        try check(step, "relying party", with: relyingPartyID) {
            $0.hasSameBytes(as: relyingParty.id.string) ? nil : "the ceremony is of the relying party \(excerpt($0))"
        }
        try check(step, "expiry", with: expiresAt) {
            now <= $0
                ? nil
                : "the ceremony expired at \($0.millisecondsSince1970), and now it is \(now.millisecondsSince1970)"
        }
    }

    /// JSONtext and C: two steps of one reading, since both ceremonies tell bad UTF-8 from bad JSON.
    mutating func clientData(
        _ bytes: [UInt8],
        jsonText: Failure.Step,
        clientData: Failure.Step
    ) throws(Failure) -> ClientData? {
        let outcome = Result { () throws(WireError) in try ClientData(bytes) }
        let isText: Bool? = try run(jsonText) { () throws(Fault) in
            if case .failure(let error) = outcome, error.code == .invalidUTF8 { throw Fault(error) }
            return true
        }
        return try run(clientData, with: isText) { (_) throws(Fault) in
            switch outcome {
            case .success(let client): return client
            case .failure(let error): throw Fault(error)
            }
        }
    }
}

extension ClientData {
    func fault(ofType expected: String) -> String? {
        type.hasSameBytes(as: expected) ? nil : "C.type is \"\(excerpt(type))\""
    }

    /// C.challenge is compared as the text that was sent: padding or another alphabet is another challenge.
    func fault(ofChallenge challenge: Challenge) -> String? {
        constantTimeEquals([UInt8](self.challenge.utf8), [UInt8](Base64URL.encode(challenge.bytes).utf8))
            ? nil : "C.challenge is not the ceremony's"
    }
}

extension AuthenticatorData.Flags {
    var faultOfBackupState: String? {
        contains(.backupState) && !contains(.backupEligible) ? "BS is 1 though BE is 0" : nil
    }
}
