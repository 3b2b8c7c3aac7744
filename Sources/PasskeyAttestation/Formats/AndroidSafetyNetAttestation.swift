import PasskeyCrypto
public import PasskeyModel
import PasskeyRelyingParty
import PasskeyWire

/// `#sctn-android-safetynet-attestation`: Google's service vouches for the device, not for the key.
///
/// The service ended in January 2025 and its certificates have expired; this is for judging what was stored before.
public enum AndroidSafetyNetAttestation {
    /// What the procedure asks for, in the order in which it is looked at.
    @nonexhaustive
    public enum Rule: String, AttestationRule {
        /// "Verify that attStmt is valid CBOR conforming to the syntax defined above."
        case syntax

        /// "ver: the version number of Google Play Services responsible for providing the SafetyNet API", not empty.
        case version

        /// "Verify that response is a valid SafetyNet response of version ver": a JWS over a JSON object.
        case response

        /// The header's x5c holds certificates in X.509.
        case certificate

        /// The JWS is signed by the key of its first certificate.
        case signature

        /// "Verify that the SafetyNet response actually came from the SafetyNet service": the first certificate is for
        /// attest.android.com.
        case hostname

        /// "Verify that the nonce attribute in the payload of response is identical to the Base64 encoding of the
        /// SHA-256 hash of the concatenation of authenticatorData and clientDataHash."
        case nonce

        /// "Verify that the ctsProfileMatch attribute in the payload of response is true" (Level 1 and 2).
        case ctsProfileMatch

        /// The format that the rules are of.
        public static let format = AttestationStatementFormat.androidSafetyNet
    }

    static func verify(_ context: FormatContext) throws(AttestationVerifier.Refusal) -> FormatFinding {
        let statement = context.statement
        var rules = RuleCheck<Rule>()
        let (version, text) = try rules.run(.syntax) { () throws(RuleFault) in
            try StatementParts.map(statement)
            guard let version = statement["ver"]?.string else { throw RuleFault("ver is missing or no text") }
            return (version, try StatementParts.bytes("response", of: statement))
        }
        try rules.require(.version, !version.isEmpty, "ver is empty")
        let (response, payload) = try rules.run(.response) { () throws(RuleFault) in try Self.read(text) }
        let certificates = try rules.run(.certificate) { () throws(RuleFault) in
            var x5c: [[UInt8]]?
            do throws(JWSError) { x5c = try response.x5c() } catch { throw RuleFault(error.detail) }
            guard let x5c else { throw RuleFault("the header has no x5c") }
            return try context.certificates(x5c)
        }
        try rules.run(.signature) { () throws(RuleFault) in
            do throws(JWSError) {
                try response.verify(with: certificates[0])
            } catch {
                throw RuleFault(error.detail)
            }
        }
        try rules.require(.hostname, isForService(certificates[0]), "the certificate is not for attest.android.com")
        try rules.run(.nonce) { () throws(RuleFault) in
            do throws(CryptoError) {
                let nonce = Base64.encode(try sha256(context.attestedBytes))
                guard payload["nonce"]?.string?.hasSameBytes(as: nonce) == true else {
                    throw CryptoError(.notAuthentic, "nonce is not that of this registration")
                }
            } catch {
                throw RuleFault(error)
            }
        }
        try rules.require(
            .ctsProfileMatch,
            payload["ctsProfileMatch"]?.bool == true,
            "the device's profile is not one that passed Android's compatibility tests"
        )
        // timestampMs is not asked: the nonce makes the response as fresh as the challenge, and clocks of devices differ.
        // "attestation type Basic and attestation trust path x5c"
        return FormatFinding(type: .basic, certificates: certificates, checks: rules.checks)
    }

    private static func read(_ text: [UInt8]) throws(RuleFault) -> (JWS, JSONObject) {
        do throws(JWSError) {
            let response = try JWS(text[...], allowing: [.rs256, .es256])
            let payload = try response.payload()
            do throws(WireError) {
                guard let object = try JSONValue(json: payload).object else {
                    throw WireError(.wrongType, at: 0, detail: "not an object")
                }
                return (response, object)
            } catch {
                throw JWSError(.malformed, "the payload: \(error)")
            }
        } catch {
            throw RuleFault(error.detail)
        }
    }

    private static func isForService(_ certificate: Certificate) -> Bool {
        let host = "attest.android.com"
        let names = (try? certificate.subjectAltNames()) ?? []
        let hosts = names.compactMap { name in if case .dns(let host) = name { host } else { nil } }
        // RFC 6125 §6.4.4: the common name counts only where there is no alternative.
        return (hosts.isEmpty ? certificate.subject.values("2.5.4.3") : hosts).contains { $0.hasSameBytes(as: host) }
    }
}
