import Foundation
import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

/// Every rule of every format, with every algorithm that the format allows: kept, and that one alone broken.
@Suite("The matrix of attestation rules")
struct RuleMatrixTests {
    /// A format and what it allows.
    struct Format: CustomTestStringConvertible, Sendable {
        var format: AttestationStatementFormat
        var rules: [String]

        var testDescription: String { format.rawValue }

        init<Rule: AttestationRule>(_: Rule.Type) {
            format = Rule.format
            rules = Rule.allCases.map(\.identifier)
        }

        static let all = [
            Format(NoneAttestation.Rule.self), Format(PackedAttestation.Rule.self), Format(TPMAttestation.Rule.self),
            Format(AndroidKeyAttestation.Rule.self), Format(AndroidSafetyNetAttestation.Rule.self),
            Format(FIDOU2FAttestation.Rule.self), Format(AppleAttestation.Rule.self),
            Format(CompoundAttestation.Rule.self),
        ]

        /// The algorithms of attestation key and credential that are tried together.
        var pairs: [(attestation: COSEAlgorithmIdentifier?, credential: COSEAlgorithmIdentifier)] {
            let keys = AttestationProfile.algorithms(of: format)
            let credentials = AttestationProfile.credentialAlgorithms(of: format)
            guard let first = keys.first else { return credentials.map { (nil, $0) } }
            // Each attestation key with the usual credential, and each credential with the usual attestation key.
            return keys.map { ($0, .es256) } + credentials.dropFirst().map { (first, $0) }
        }
    }

    /// Statements about one credential of each algorithm, judged without the rest of a ceremony.
    final class Bench {
        let verifier: AttestationVerifier
        private var keys: [COSEAlgorithmIdentifier: PrivateKey] = [:]
        private let hash = [UInt8](repeating: 0x5e, count: 32)

        init() {
            // What is off by default is on, but for what the rule of a policy asks.
            var options = AttestationOptions(allowsAndroidSafetyNet: true)
            options.tpmManufacturers = .only(["id:494E5443"])
            verifier = AttestationVerifier(.verify, options)
        }

        func verdict(
            _ profile: AttestationProfile,
            _ algorithm: COSEAlgorithmIdentifier
        ) throws -> Result<AttestationVerifier.Verdict, RegistrationError> {
            let key = try keys[algorithm] ?? PrivateKey.generate(algorithm)
            keys[algorithm] = key
            let data = try AuthenticatorData(
                rpIDHash: hash,
                flags: [.userPresent],
                signCount: 0,
                attestedCredentialData: AttestedCredentialData(
                    aaguid: AttestationStage.aaguid,
                    credentialID: [1, 2, 3],
                    credentialPublicKey: key.publicKey.encoded
                )
            )
            let statement = try profile.statement(
                authenticatorData: data,
                clientDataHash: hash,
                privateKey: key.pkcs8(),
                algorithm: algorithm
            )
            let object = try AttestationObject.encode(
                format: profile.format,
                statement: statement,
                authenticatorData: data.bytes
            )
            return Result { () throws(RegistrationError) in
                try verifier.verify(attestationObject: object, clientDataHash: hash, at: AttestationStage.now)
            }
        }

        func refusal(_ profile: AttestationProfile, _ algorithm: COSEAlgorithmIdentifier) throws -> RegistrationError? {
            if case .failure(let error) = try verdict(profile, algorithm) { error } else { nil }
        }
    }

    /// The faults of a format: one way of breaking each rule, or every way where `PASSKEY_VARIANTS` is set, which takes
    /// minutes.
    private static func faults(of format: AttestationStatementFormat) -> [AttestationFault] {
        let faults = AttestationFault.all(of: format)
        return ProcessInfo.processInfo.environment["PASSKEY_VARIANTS"] == nil ? faults : faults.flatMap(\.variants)
    }

    @Test("a rule and its fault are named alike, and none is missing", arguments: Format.all)
    func names(_ format: Format) {
        #expect(AttestationFault.all(of: format.format).map(\.identifier) == format.rules)
        #expect(format.rules.allSatisfy { AttestationFault($0)?.identifier == $0 })
    }

    @Test("kept, it verifies; broken, it is refused for that rule", arguments: Format.all)
    func matrix(_ format: Format) throws {
        let bench = Bench()
        var kept = 0
        var broken = 0
        for pair in format.pairs {
            let name = "\(format.format) \(pair.attestation?.description ?? "") \(pair.credential)"
            let profile = AttestationProfile(format.format, algorithm: pair.attestation)
            let verdict = try bench.verdict(profile, pair.credential).get()
            // Each rule that a statement with certificates meets is told, once and in order.
            let met = format.rules.filter { !Self.isUnmet($0) }
            #expect(verdict.checks.filter(met.contains) == met, "\(name)")
            kept += 1
            for fault in Self.faults(of: format.format) {
                // Without x5c there is no attestation key to vary.
                let isSelf = fault.rule.hasPrefix("self")
                if isSelf, pair.attestation != AttestationProfile.algorithms(of: format.format).first { continue }
                for credential in fault.credentialAlgorithms ?? [pair.credential] {
                    var spoiled = profile
                    spoiled.fault = fault
                    let refusal = try bench.refusal(spoiled, credential)
                    #expect(refusal?.step == .attestationStatement, "\(name) \(fault): \(String(describing: refusal))")
                    #expect(refusal?.rule == fault.identifier, "\(name) \(fault): \(String(describing: refusal))")
                    broken += 1
                }
            }
        }
        print("matrix of \(format.format): \(kept) kept, \(broken) broken, of \(format.rules.count) rules")
        #expect(kept == format.pairs.count && broken > 0)
    }

    /// Rules of the other branch of `packed`, and of serial numbers, which the matrix's certificates do not tell.
    private static func isUnmet(_ rule: String) -> Bool {
        rule.hasPrefix("packed.self") || rule == "packed.serialNumberCriticality"
            || rule == "packed.serialNumberUnasked"
    }

    @Test("self attestation with every algorithm: kept, and each rule broken")
    func selfAttestation() throws {
        let bench = Bench()
        for algorithm in AttestationProfile.credentialAlgorithms(of: .packed) {
            #expect(try bench.verdict(AttestationProfile(.packed, isSelf: true), algorithm).get().type == .`self`)
            for rule in ["packed.syntax", "packed.ecdaa", "packed.selfAlgorithm", "packed.selfSignature"] {
                let fault = try #require(AttestationFault(rule))
                let refusal = try bench.refusal(AttestationProfile(.packed, isSelf: true, fault: fault), algorithm)
                #expect(refusal?.rule == rule, "\(algorithm)")
            }
        }
    }
}
