import PasskeyCrypto
import PasskeyModel
import PasskeyVectors
import PasskeyWire
import Testing

@testable import PasskeyAttestation

/// Which rule refuses what people reported; that it is refused at all, the case file says.
@Suite("Statements of TPM and Android, in case files")
struct ReportedStatementTests {
    @Test("the package's own cases: each is refused for what it is about")
    func reports() throws {
        let rules = [
            "akey-auth-list-118-05": "android-key.origin", "akey-auth-list-118-06": "android-key.origin",
            "akey-auth-list-118-07": "android-key.allApplications",
            "akey-auth-list-118-08": "android-key.allApplications", "akey-auth-list-118-09": "android-key.purpose",
            "akey-auth-list-118-10": "android-key.challenge", "akey-auth-list-118-11": "android-key.publicKey",
            "akey-auth-list-118-12": "android-key.origin", "tpm-ecc-pubarea-121-02": "tpm.publicKey",
            "tpm-exp-zero-122-03": "tpm.publicKey", "tpm-extradata-124-01": "tpm.extraData",
            "tpm-extradata-124-02": "tpm.magic", "tpm-extradata-124-03": "tpm.attestType",
            "tpm-extradata-124-04": "tpm.attestedName", "tpm-extradata-124-05": "tpm.version",
            "safetynet-126-01": "attestationFormat", "safetynet-126-02": "attestationFormat",
        ]
        let cases = try AttestationCase.read(
            "\(Vectors.cases)/reports-ceremonies.json",
            [.tpm, .androidKey, .androidSafetyNet]
        )
        for entry in cases {
            let refusal = try entry.refusal()
            #expect(refusal == rules[entry.id], "\(entry.id): \(refusal ?? "accepted")")
        }
        #expect(cases.count == 25 && Set(cases.map(\.id)).isSuperset(of: rules.keys))
    }
}

@Suite(
    "Statements of TPM and Android, of real devices",
    .enabled(if: Vectors.shared != nil || Vectors.requires("shared"), "the folder shared is absent")
)
struct DeviceStatementTests {
    private func cases(_ name: String, _ formats: Set<AttestationStatementFormat>) throws -> [AttestationCase] {
        try AttestationCase.read("\(#require(Vectors.shared))/\(name)", formats)
    }

    /// The rules that refuse; whatever is not here is accepted, or refused by another step of the ceremony.
    private static let rules = [
        "reg-tpm-a65535-001": "algorithm",
        "reg-tpm-a7-003": "tpm.aaguid", "reg-android-key-a7-008": "android-key.origin",
        "reg-android-safetynet-a7-006": "android-safetynet.hostname",
        // Nobody was present, either.
        "reg-android-safetynet-a7-009": "android-safetynet.ctsProfileMatch",
        "reg-tpm-a257-009~sig-flipped": "tpm.signature", "reg-tpm-a257-009~signcount-changed": "tpm.extraData",
        "reg-tpm-a7-001~sig-flipped": "tpm.signature", "reg-tpm-a7-001~signcount-changed": "tpm.extraData",
        "reg-tpm-a257-009~ver-1.2": "tpm.version", "reg-tpm-a257-009~certinfo-magic": "tpm.magic",
        "reg-tpm-a257-009~certinfo-type": "tpm.attestType",
        "reg-tpm-a257-009~certinfo-clock-tampered": "tpm.signature",
        "reg-tpm-a257-009~certinfo-name-tampered": "tpm.attestedName",
        "reg-tpm-a257-009~certinfo-trailing": "tpm.certInfo", "reg-tpm-a257-009~certinfo-empty": "tpm.certInfo",
        "reg-tpm-a257-009~certinfo-length-overrun": "tpm.certInfo",
        "reg-tpm-a257-009~pubarea-other-key": "tpm.publicKey",
        "reg-tpm-a257-009~pubarea-attributes-changed": "tpm.attestedName",
        "reg-tpm-a257-009~pubarea-truncated": "tpm.publicArea", "reg-tpm-a257-009~pubarea-empty": "tpm.publicArea",
        "reg-tpm-a257-009~aik-certificate-replaced": "tpm.signature",
        "reg-tpm-a257-009~x5c-missing": "tpm.syntax",
        "reg-android-safetynet-a7-002~signcount-changed": "android-safetynet.nonce",
        "reg-android-safetynet-a7-002~jws-sig-flipped": "android-safetynet.signature",
        "reg-android-safetynet-a7-002~jws-payload-cts-forced": "android-safetynet.signature",
        "reg-android-safetynet-a7-002~jws-two-parts": "android-safetynet.response",
        "reg-android-safetynet-a7-002~jws-header-not-json": "android-safetynet.response",
        "reg-android-safetynet-a7-002~ver-empty": "android-safetynet.version",
        // The header is signed: with another certificate in it, that one's key is not the signature's.
        "reg-android-safetynet-a7-002~other-certificate": "android-safetynet.signature",
        // The lists are empty; and the levels are INTEGER.
        "w3c-android-key.ES256-old-draft-1-registration": "android-key.origin",
        "w3c-android-key.ES256-old-draft-2-registration": "android-key.keyDescription",
    ]

    @Test(
        "each is accepted, or refused for what it is about",
        arguments: [("devices.json", 51), ("webauthn-l3.json", 4)]
    )
    func rules(_ file: String, _ count: Int) throws {
        let cases = try cases(file, [.tpm, .androidKey, .androidSafetyNet])
        for entry in cases {
            let refusal = try entry.refusal()
            #expect(refusal == Self.rules[entry.id], "\(entry.id): \(refusal ?? "accepted")")
            // What is accepted by the whole ceremony is accepted here.
            #expect(!entry.isAccepted || Self.rules[entry.id] == nil, "\(entry.id)")
        }
        #expect(cases.count == count)
    }

    @Test(
        "what TPMs signed: the whole is read, and no part of it and nothing more",
        arguments: ["devices", "webauthn-l3"]
    )
    func tpmStructures(_ name: String) throws {
        let cases = try cases("\(name).json", [.tpm]).filter(\.isAccepted)
        for entry in cases {
            let area = try entry.bytes("pubArea")
            let info = try entry.bytes("certInfo")
            #expect(try TPMPublicArea(area).objectAttributes & 0x4_0000 != 0, "a key that signs")
            #expect(try TPMAttest(info).type == TPMAttest.certifyType)
            for count in area.indices { #expect(throws: WireError.self) { try TPMPublicArea(Array(area[..<count])) } }
            for count in info.indices { #expect(throws: WireError.self) { try TPMAttest(Array(info[..<count])) } }
            #expect(throws: WireError.self) { try TPMPublicArea(area + [0]) }
            #expect(throws: WireError.self) { try TPMAttest(info + [0]) }
        }
        #expect(!cases.isEmpty)
    }

    @Test("what Android certified: the whole is read, and no part of it", arguments: ["devices", "webauthn-l3"])
    func keyDescriptions(_ name: String) throws {
        let cases = try cases("\(name).json", [.androidKey]).filter(\.isAccepted)
        for entry in cases {
            let statement = try AttestationObject(entry.object).statement.root
            let der = try #require(statement["x5c"]?.elements?.first { _ in true }?.byteArray)
            let found = try Certificate(der: der).extensionValue(AndroidKeyDescription.oid)
            let value = try #require(found).value
            #expect(try AndroidKeyDescription(value).attestationChallenge == sha256(entry.clientData))
            for count in value.indices {
                #expect(throws: WireError.self) { try AndroidKeyDescription(Array(value[..<count])) }
            }
            #expect(throws: WireError.self) { try AndroidKeyDescription(value + [0]) }
        }
        #expect(!cases.isEmpty)
    }
}
