import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyWire
import Testing

/// What a library verifies of the matrix; everything else of it, it has to refuse.
private struct Support: Sendable, CustomTestStringConvertible {
    let peer: String

    /// The formats, and the algorithms of credentials that are accepted in them.
    let algorithms: [AttestationStatementFormat: [COSEAlgorithmIdentifier]]

    /// The algorithms of credentials that can attest themselves.
    let selfAlgorithms: [COSEAlgorithmIdentifier]

    /// Shapes that it does not know in formats that it does.
    let unknownShapes: [AttestationStatementFormat: Set<String>]

    var testDescription: String { peer }

    static let all = [
        Support(
            peer: "webauthn",
            algorithms: [
                .none: webauthn, .packed: webauthn, .androidSafetyNet: webauthn,
                .tpm: [.es256, .es512, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512],
                .androidKey: [.es256, .es512, .rs256, .rs384, .rs512, .ps256], .apple: [.es256], .fidoU2F: [.es256],
            ],
            selfAlgorithms: webauthn,
            unknownShapes: [
                .packed: [
                    "key ES384 (-35)", "key ESP256 (-9)", "key ESP384 (-51)", "key ESP512 (-52)", "key Ed448 (-53)",
                    "key ES256K (-47)",
                ],
                .tpm: ["key ES384 (-35)", "names severalNames", "names amongOthers", "scheme"],
                // Its schema is that of Keymaster 4, and it looks at what hardware says alone.
                .androidKey: ["version 1", "version 2", "software", "split"],
                .androidSafetyNet: ["key ES256 (-7)"],
            ]
        ),
        Support(
            peer: "fido2",
            algorithms: [
                // It parses keys for which it has no code, and needs them where they sign.
                .none: classical + postQuantum, .packed: classical + postQuantum,
                .androidSafetyNet: classical + postQuantum,
                .tpm: [.es256, .es384, .es512, .esp256, .esp384, .esp512, .rs256, .ps256], .apple: [.es256, .es384],
                .fidoU2F: [.es256],
            ],
            selfAlgorithms: classical.filter { ![.rs384, .rs512, .ps384, .ps512].contains($0) } + postQuantum,
            unknownShapes: [
                .packed: ["key RS384 (-258)", "key RS512 (-259)", "key PS384 (-38)", "key PS512 (-39)"],
                .tpm: ["key RS384 (-258)", "key RS512 (-259)", "scheme"], .androidSafetyNet: ["key ES256 (-7)"],
            ]
        ),
    ]

    private static let postQuantum: [COSEAlgorithmIdentifier] = [.mlDSA44, .mlDSA65, .mlDSA87]

    private static let classical: [COSEAlgorithmIdentifier] = [
        .es256, .es384, .es512, .es256K, .esp256, .esp384, .esp512, .edDSA, .ed25519, .ed448, .rs256, .rs384, .rs512,
        .ps256, .ps384, .ps512,
    ]

    private static let webauthn: [COSEAlgorithmIdentifier] =
        [.es256, .es512, .edDSA, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512] + postQuantum

    func accepts(_ format: AttestationStatementFormat, _ shape: AttestationShape) -> [COSEAlgorithmIdentifier] {
        guard let known = algorithms[format], unknownShapes[format]?.contains(shape.name) != true else { return [] }
        let able = shape.profile.isSelf && format == .packed ? selfAlgorithms : known
        return shape.algorithms.filter(able.contains)
    }
}

@Suite(
    "The matrix of formats, algorithms and shapes before other people's relying parties",
    .enabled(
        if: PeerProcess.isEnabled("PASSKEY_PEERS_PYTHON"),
        "PASSKEY_PEERS_PYTHON names no interpreter with webauthn and fido2"
    )
)
struct AttestationMatrixPeerTests {
    @Test("what a library supports is accepted, and what it does not is refused")
    func matrix() throws {
        let process = try PeerProcess("verify.py", interpreter: "PASSKEY_PEERS_PYTHON")
        let verifier = AttestationVerifier(.verify)
        var accepted: [String: Int] = [:]
        var tried = 0
        for format in AttestationMatrixTests.formats {
            let aaguid = AttestationMatrixTests.aaguid(format)
            for shape in AttestationShape.all[format] ?? [] where !Self.isPostQuantum(shape.profile.algorithm) {
                for algorithm in shape.algorithms {
                    let made = try AttestationWorkshop.register(shape, algorithm, with: verifier, aaguid: aaguid)
                    tried += 1
                    for support in Support.all {
                        let answer = try process.ask(Self.job(made, support.peer, shape.profile, algorithm))
                        let isAccepted = answer["accepted"]?.bool == true
                        #expect(
                            isAccepted == support.accepts(format, shape).contains(algorithm),
                            "\(support.peer): \(format), \(shape.name), \(algorithm): \(answer)"
                        )
                        if isAccepted { accepted[support.peer, default: 0] += 1 }
                    }
                }
            }
        }
        for support in Support.all {
            print("\(support.peer): \(accepted[support.peer] ?? 0) of \(tried) attestations accepted")
        }
    }

    @Test("each that is accepted is refused before another root")
    func roots() throws {
        let process = try PeerProcess("verify.py", interpreter: "PASSKEY_PEERS_PYTHON")
        let verifier = AttestationVerifier(.verify, AttestationOptions(allowsAndroidSafetyNet: true))
        var refused = 0
        for format in AttestationMatrixTests.formats {
            let aaguid = AttestationMatrixTests.aaguid(format)
            let shape = AttestationShape.all[format]?.first { shape in
                format != .none && !shape.profile.isSelf && Support.all.contains { !$0.accepts(format, shape).isEmpty }
            }
            guard let shape else { continue }
            let made = try AttestationWorkshop.register(shape, .es256, with: verifier, aaguid: aaguid)
            for support in Support.all where support.accepts(format, shape).contains(.es256) {
                var profile = shape.profile
                profile.authority = AttestationAuthority(name: "Another")
                let answer = try process.ask(Self.job(made, support.peer, profile, .es256))
                #expect(answer["accepted"]?.bool == false, "\(support.peer): \(format)")
                refused += 1
            }
        }
        #expect(refused == 11)
    }

    @Test("so are products")
    func products() throws {
        let process = try PeerProcess("verify.py", interpreter: "PASSKEY_PEERS_PYTHON")
        for product in Product.all {
            let made = try product.register(with: product.trust())
            let profile = product.profile.options.attestationProfile ?? AttestationProfile(product.format)
            for support in Support.all {
                let answer = try process.ask(Self.job(made, support.peer, profile, product.algorithm))
                let isKnown = support.algorithms[product.format]?.contains(product.algorithm) == true
                #expect(answer["accepted"]?.bool == isKnown, "\(support.peer): \(product.testDescription): \(answer)")
            }
        }
    }

    @Test("the table names nothing that the matrix has not", arguments: Support.all)
    private func tightness(_ support: Support) {
        for (format, algorithms) in support.algorithms {
            let shapes = AttestationShape.all[format] ?? []
            let tried = shapes.flatMap(\.algorithms)
            #expect(algorithms.filter(SignatureAlgorithms.isSupported).allSatisfy(tried.contains), "\(format)")
            #expect(Set(algorithms).count == algorithms.count, "\(format)")
            #expect((support.unknownShapes[format] ?? []).isSubset(of: shapes.map(\.name)), "\(format)")
        }
        #expect(Set(support.unknownShapes.keys).isSubset(of: support.algorithms.keys))
    }

    /// Whether other people's libraries verify certificates of such keys depends on more than the library.
    private static func isPostQuantum(_ algorithm: COSEAlgorithmIdentifier?) -> Bool {
        algorithm == .mlDSA44 || algorithm == .mlDSA65 || algorithm == .mlDSA87
    }

    private static func job(
        _ made: AttestationWorkshop.Registration,
        _ peer: String,
        _ profile: AttestationProfile,
        _ algorithm: COSEAlgorithmIdentifier
    ) throws -> JSONValue {
        var job: JSONObject = [
            "peer": .string(peer), "operation": "registration", "response": made.response.json,
            "challenge": made.challenge.json, "rpId": .string(AttestationWorkshop.rpID),
            "origin": .string(AttestationWorkshop.origin), "userVerification": "preferred",
            "format": .string(profile.format.rawValue), "algorithm": .number(JSONNumber(algorithm.rawValue)),
        ]
        if profile.format != .none, !profile.isSelf {
            job["root"] = .string(try profile.authority.rootPEM())
            job["rootDER"] = .string(Base64URL.encode(try profile.authority.rootCertificate()))
        }
        return .object(job)
    }
}
