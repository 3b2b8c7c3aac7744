import PasskeyAttestation
import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyWire
import Testing

/// Every format with every algorithm of credentials in every shape.
@Suite("The matrix of formats, algorithms and shapes")
struct AttestationMatrixTests {
    static let formats = AttestationShape.all.keys.sorted { $0.rawValue < $1.rawValue }

    @Test("our relying party trusts each, by its root and by metadata", arguments: formats)
    func ours(_ format: AttestationStatementFormat) throws {
        for shape in AttestationShape.all[format] ?? [] {
            let aaguid = Self.aaguid(format)
            let trust = try AttestationTrust(shape.profile, aaguid, name: shape.name)
            for (index, verifier) in trust.verifiers.enumerated() {
                // The way to the root is another one; the statement is read in the same way.
                for algorithm in index == 0 ? shape.algorithms : [shape.algorithms[0]] {
                    let made = try AttestationWorkshop.register(shape, algorithm, with: verifier, aaguid: aaguid)
                    let attestation = try made.verdict.get().attestation
                    #expect(attestation.isTrusted == (format != .none), "\(format) \(shape.name) \(algorithm)")
                    let isKnown = attestation.finding?.metadata?.statement?.description == shape.name
                    #expect(isKnown == (index == 1), "\(format) \(shape.name) \(algorithm)")
                }
            }
            // Nobody else's root will do.
            guard format != .none, shape.name != "self", let algorithm = shape.algorithms.first else { continue }
            let foreign = try TrustStore(anchors: [AttestationAuthority(name: "Another").rootCertificate()])
            let options = AttestationOptions(allowsAndroidSafetyNet: true)
            let made = try AttestationWorkshop.register(
                shape,
                algorithm,
                with: .require(foreign, options),
                aaguid: aaguid
            )
            #expect(throws: RegistrationError.self) { try made.verdict.get() }
        }
    }

    /// U2F's authenticators have no model.
    static func aaguid(_ format: AttestationStatementFormat) -> AAGUID {
        format == .fidoU2F || format == .none ? .zero : AdversaryScene.aaguid
    }

    @Test("there is every format, and every algorithm that a format allows")
    func complete() {
        #expect(Set(Self.formats) == Set(AttestationFault.all.map(\.format)))
        for (format, shapes) in AttestationShape.all {
            #expect(Set(shapes.map(\.name)).count == shapes.count)
            let tried = Set(shapes.flatMap(\.algorithms))
            #expect(tried == Set(AttestationProfile.credentialAlgorithms(of: format)), "\(format)")
            let keys = Set(shapes.compactMap(\.profile.algorithm))
            #expect(keys == Set(AttestationProfile.algorithms(of: format).dropFirst()), "\(format)")
        }
    }
}
