import PasskeyAttestation
import PasskeyCrypto
import PasskeyModel
import PasskeyRelyingParty
import PasskeyTesting
import PasskeyWire
import Testing

/// A way of attesting in a format, as the generator leaves it open.
struct AttestationShape: Sendable, CustomTestStringConvertible {
    let name: String
    let profile: AttestationProfile

    /// The algorithms that credentials are tried with.
    let algorithms: [COSEAlgorithmIdentifier]

    var testDescription: String { name }

    init(
        _ name: String,
        _ profile: AttestationProfile,
        algorithms: [COSEAlgorithmIdentifier]? = nil,
        _ change: (inout AttestationProfile) -> Void = { _ in }
    ) {
        var profile = profile
        change(&profile)
        self.name = name
        self.profile = profile
        self.algorithms = algorithms ?? profile.credentialAlgorithms
    }

    /// Every format in every shape; what an attestation key's algorithm does is seen with the usual credential.
    static let all: [AttestationStatementFormat: [AttestationShape]] = [
        .none: [AttestationShape("none", AttestationProfile(.none))],
        .packed: [AttestationShape("self", AttestationProfile(.packed, isSelf: true))] + chains(.packed, 0...2)
            + keys(.packed),
        .tpm: chains(.tpm, 0...1) + keys(.tpm)
            + TPMShape.SubjectAltName.allCases.dropFirst().map { names in
                AttestationShape("names \(names)", AttestationProfile(.tpm)) { $0.tpm.subjectAltName = names }
            }
            + TPMShape.NameAlgorithm.allCases.filter { $0 != .sha256 }.map { hash in
                AttestationShape("nameAlg \(hash)", AttestationProfile(.tpm)) { $0.tpm.nameAlgorithm = hash }
            } + [AttestationShape("scheme", AttestationProfile(.tpm)) { $0.tpm.statesScheme = true }],
        .androidKey: AndroidKeyShape.Version.allCases.map { version in
            AttestationShape("version \(version.rawValue)", android) { $0.androidKey.version = version }
        }
            + AndroidKeyShape.Enforcement.allCases.dropFirst().map { enforcement in
                AttestationShape("\(enforcement)", android) { $0.androidKey.enforcement = enforcement }
            },
        .androidSafetyNet: chains(.androidSafetyNet, 0...1) + keys(.androidSafetyNet),
        .fidoU2F: chains(.fidoU2F, 0...0),
        .apple: chains(.apple, 0...1),
        .compound: [
            AttestationShape("packed, self", AttestationProfile(.compound)),
            AttestationShape("tpm, packed", AttestationProfile(.compound)) {
                $0.parts = [AttestationProfile(.tpm), AttestationProfile(.packed)]
            },
            AttestationShape("u2f, apple", AttestationProfile(.compound)) {
                $0.parts = [AttestationProfile(.fidoU2F), AttestationProfile(.apple)]
            },
        ],
    ]

    /// Android's statements carry the root, too.
    private static let android: AttestationProfile = {
        var profile = AttestationProfile(.androidKey)
        (profile.intermediateCount, profile.includesRoot) = (1, true)
        return profile
    }()

    private static func chains(_ format: AttestationStatementFormat, _ counts: ClosedRange<Int>) -> [AttestationShape] {
        counts.map { count in
            AttestationShape("chain \(count)", AttestationProfile(format)) { $0.intermediateCount = count }
        }
    }

    private static func keys(_ format: AttestationStatementFormat) -> [AttestationShape] {
        AttestationProfile.algorithms(of: format).dropFirst().map { algorithm in
            AttestationShape("key \(algorithm)", AttestationProfile(format, algorithm: algorithm), algorithms: [.es256])
        }
    }
}

/// Registrations that attest in any way, without making a key for each: RSA's take time.
enum AttestationWorkshop {
    static let rpID = "example.com"
    static let origin = "https://example.com"

    /// A key for each algorithm; all RSA keys are one key.
    private static let keys: [COSEAlgorithmIdentifier: PrivateKey] = {
        var keys: [COSEAlgorithmIdentifier: PrivateKey] = [:]
        let rsa: [COSEAlgorithmIdentifier] = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
        let one = try? PrivateKey.generate(.rs256).pkcs8()
        for algorithm in SignatureAlgorithms.supported {
            keys[algorithm] =
                rsa.contains(algorithm)
                ? one.flatMap { try? PrivateKey(pkcs8: $0, algorithm: algorithm) } : try? PrivateKey.generate(algorithm)
        }
        return keys
    }()

    /// A ceremony, and a response to it.
    struct Registration {
        let response: RegistrationResponse
        let ceremony: RegistrationCeremony
        let challenge: Challenge
        let party: RelyingParty

        /// Whose client it is, if there is one.
        var client: VirtualClient?

        var verdict: Result<PasskeyRelyingParty.Registration, RegistrationError> {
            Result { () throws(RegistrationError) in try party.finishRegistration(response, ceremony, owner: nil) }
        }
    }

    /// Registers a new credential with a relying party.
    static func register(
        _ shape: AttestationShape,
        _ algorithm: COSEAlgorithmIdentifier,
        with verifier: AttestationVerifier,
        aaguid: AAGUID
    ) throws -> Registration {
        let party = try RelyingParty(
            id: RelyingPartyIdentifier(rpID),
            name: "Example",
            origins: OriginPolicy([Origin(origin)]),
            attestation: verifier
        )
        let user = PublicKeyCredentialUserEntity(id: .random(), name: "ada@example.com", displayName: "Ada")
        let (options, ceremony) = try party.beginRegistration(
            for: user,
            excluding: [],
            RegistrationOptions(algorithms: [algorithm])
        )
        let key = try #require(keys[algorithm])
        let client = ClientData.serialize(
            type: "webauthn.create",
            challenge: options.challenge.bytes,
            origin: origin,
            crossOrigin: false
        )
        let id = try sha256(client)
        let data = try AuthenticatorData(
            rpIDHash: sha256([UInt8](rpID.utf8)),
            flags: [.userPresent, .userVerified],
            signCount: 0,
            attestedCredentialData: AttestedCredentialData(
                aaguid: aaguid,
                credentialID: id,
                credentialPublicKey: key.publicKey.encoded
            )
        )
        let object = try AttestationObject.encode(
            format: shape.profile.format,
            statement: shape.profile.statement(
                authenticatorData: data,
                clientDataHash: sha256(client),
                privateKey: key.pkcs8(),
                algorithm: algorithm
            ),
            authenticatorData: data.bytes
        )
        return Registration(
            response: RegistrationResponse(id: id, clientDataJSON: client, attestationObject: object),
            ceremony: ceremony,
            challenge: options.challenge,
            party: party
        )
    }
}

/// The trust that comes along with a profile.
struct AttestationTrust {
    /// Verifiers that trust the profile's root, and the profile's root because metadata names it.
    let verifiers: [AttestationVerifier]

    init(_ profile: AttestationProfile, _ aaguid: AAGUID, name: String) throws {
        let options = AttestationOptions(allowsAndroidSafetyNet: true)
        guard profile.format != .none else {
            verifiers = [AttestationVerifier(.verify, options)]
            return
        }
        var anchors = try TrustStore(anchors: [profile.authority.rootCertificate()])
        anchors.acceptsSelfAttestation = true
        let blob = MetadataBLOB([try MetadataBLOB.Entry(of: profile, aaguid, description: name)])
        var metadata = try TrustStore()
        metadata.metadata = try Metadata(blob: blob.text(), roots: [blob.rootCertificate()], at: .now())
        metadata.requiresMetadata = true
        metadata.acceptsSelfAttestation = true
        verifiers = [.require(anchors, options), .require(metadata, options)]
    }
}
