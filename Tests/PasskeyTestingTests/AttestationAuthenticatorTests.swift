import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

@Suite("Authenticators that attest")
struct AttestationAuthenticatorTests {
    private func create(
        _ profile: AttestationProfile?,
        _ conveyance: AttestationConveyancePreference,
        formats: [AttestationStatementFormat] = [],
        algorithms: [COSEAlgorithmIdentifier] = [.es256],
        aaguid: AAGUID = AttestedCredential.aaguid
    ) throws -> AttestationObject {
        var options = VirtualAuthenticatorOptions.securityKey
        options.aaguid = aaguid
        options.attestationProfile = profile
        let client = VirtualClient(origin: World.origin, authenticators: [VirtualAuthenticator(options)])
        let response = try client.create(
            World.creationOptions {
                $0.pubKeyCredParams = algorithms.map { .init(alg: $0) }
                $0.attestation = conveyance
                $0.attestationFormats = formats
            }
        )
        return try AttestationObject(response.attestationObject)
    }

    private func tellsSerialNumber(_ x5c: [[UInt8]]) throws -> [UInt8]? {
        try Certificate(der: x5c[0]).extensionValue("1.3.6.1.4.1.45724.1.1.2")?.value
    }

    // MARK: Conveyance

    @Test("direct conveys the statement, none takes it out", arguments: AttestationFaultTests.formats)
    func conveyance(_ format: AttestationStatementFormat) throws {
        let profile = AttestationProfile(format)
        let told = try create(profile, .direct)
        #expect(told.format == format)
        let withheld = try create(profile, .none)
        #expect(withheld.format == .none && withheld.statement.value == .map([]))
        // The model stays: it is the authenticator's word, and not the statement's.
        #expect(try withheld.attested().aaguid == AttestedCredential.aaguid)
    }

    @Test("a serial number is told where enterprise attestation is asked for, and if the authenticator may")
    func enterprise() throws {
        var profile = AttestationProfile(.packed)
        profile.serialNumber = [9, 8, 7]
        func serialNumber(_ conveyance: AttestationConveyancePreference) throws -> [UInt8]? {
            try tellsSerialNumber(create(profile, conveyance).statement.value.x5c())
        }
        #expect(try serialNumber(.enterprise) == nil)
        profile.isEnterprise = true
        #expect(try serialNumber(.enterprise) == DER.octetString([9, 8, 7]))
        #expect(try serialNumber(.direct) == nil)
        #expect(try serialNumber(.indirect) == nil)
        // The fault is that of telling it unasked.
        profile.fault = AttestationFault("packed.serialNumberUnasked")
        #expect(try serialNumber(.direct) == DER.octetString([9, 8, 7]))
    }

    @Test("the parts of a compound statement tell no serial number unasked either")
    func enterpriseParts() throws {
        var part = AttestationProfile(.packed)
        part.isEnterprise = true
        var profile = AttestationProfile(.compound)
        profile.parts = [part, AttestationProfile(.packed, isSelf: true)]
        func serialNumber(_ conveyance: AttestationConveyancePreference) throws -> [UInt8]? {
            let parts = try #require(create(profile, conveyance).statement.value.elements)
            return try tellsSerialNumber(#require(parts[0]["attStmt"]).x5c())
        }
        #expect(try serialNumber(.direct) == nil)
        #expect(try serialNumber(.enterprise) != nil)
    }

    // MARK: Formats and algorithms

    @Test("it makes the first format asked for that it can, or else its own")
    func formats() throws {
        let profile = AttestationProfile(.tpm)
        #expect(try create(profile, .direct, formats: ["vendor", .packed, .tpm]).format == .packed)
        #expect(try create(profile, .direct, formats: [.apple, .tpm, .packed]).format == .tpm)
        #expect(try create(profile, .direct, formats: [.apple]).format == .tpm)
        #expect(try create(nil, .direct, formats: [.tpm]).format == .packed)
        // Asked for in vain, the profile's fault stays with its format.
        let spoiled = AttestationProfile(.tpm, fault: AttestationFault("tpm.signature"))
        let own = try create(spoiled, .direct, formats: [.packed])
        #expect(own.format == .packed && own.statement.value["x5c"] == nil)
    }

    @Test(
        "the credential's algorithm is the first asked for that can be attested",
        arguments: [
            (.tpm, [.edDSA, .es384, .es256], .es384), (.fidoU2F, [.edDSA, .es384, .es256], .es256),
            (.apple, [.edDSA, .es512, .es256], .es256), (.androidKey, [.edDSA, .es512, .es256], .es512),
            (.packed, [.edDSA, .es256], .edDSA), (.none, [.edDSA, .es256], .edDSA),
        ] as [(AttestationStatementFormat, [COSEAlgorithmIdentifier], COSEAlgorithmIdentifier)]
    )
    func algorithm(
        _ format: AttestationStatementFormat,
        _ asked: [COSEAlgorithmIdentifier],
        _ expected: COSEAlgorithmIdentifier
    ) throws {
        let object = try create(AttestationProfile(format), .direct, algorithms: asked)
        #expect(try COSEKey(object.attested().credentialPublicKey).algorithm == expected)
        #expect(object.format == format)
    }

    @Test("where none can be attested, no credential is made")
    func noAlgorithm() throws {
        #expect(throws: ClientError.self) { try create(AttestationProfile(.tpm), .direct, algorithms: [.edDSA]) }
        var profile = AttestationProfile(.compound)
        profile.parts = [AttestationProfile(.tpm), AttestationProfile(.packed)]
        #expect(throws: ClientError.self) { try create(profile, .direct, algorithms: [.edDSA]) }
        #expect(try create(profile, .direct, algorithms: [.edDSA, .es256]).format == .compound)
        let statement = AttestationProfile(.tpm)
        #expect(throws: AttestationFailure.self) { try AttestedCredential(.edDSA).statement(statement) }
        #expect(throws: AttestationFailure.self) { try AttestedCredential().statement(AttestationProfile("vendor")) }
    }

    @Test("one authority serves several authenticators, and a statement is the same from either side")
    func shared() throws {
        let profile = AttestationProfile(.packed)
        let other = try #require(AAGUID("00000000-0000-0000-0000-000000000001"))
        let first = try create(profile, .direct).statement.value.x5c()
        let second = try create(profile, .direct, aaguid: other).statement.value.x5c()
        #expect(first != second)
        #expect(try Certificate(der: first[0]).issuer == Certificate(der: second[0]).issuer)
        #expect(try first == AttestedCredential().statement(profile).x5c())
    }
}
