import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension StatementMaker {
    /// `#sctn-android-key-attestation`.
    func androidKey() throws(CryptoError) -> CBOR {
        let key = breaks("publicKey") ? try otherKey(credentialKey.algorithm) : credentialKey
        var draft = try CertificateDraft(
            subject: DraftName([("2.5.4.3", DER.utf8String("Android Keystore Key"))]),
            key: key.publicKey,
            serial: "android"
        )
        draft.addKeyUsage(0x80, unused: 7)
        if !breaks("keyDescription", 0) { draft.add("1.3.6.1.4.1.11129.2.1.17", try keyDescription(key)) }
        let members: [(String, CBOR)] = [
            ("alg", named(key.algorithm, breaking: "algorithm")),
            ("sig", .bytes(try signature(attestedBytes, with: key, breaking: "signature"))),
            ("x5c", x5c(try chain(draft))),
        ]
        return map(members, required: ["sig", "alg"])
    }

    // MARK: KeyDescription

    /// An AuthorizationList: members with their tags.
    private typealias AuthorizationList = [(tag: UInt32, value: [UInt8])]

    /// KeyDescription, by Android's documentation of the extension in the profile's version.
    private func keyDescription(_ key: PrivateKey) throws(CryptoError) -> [UInt8] {
        let shape = profile.androidKey
        var software = softwareList
        var hardware: AuthorizationList = []
        let own = try authorizations(key)
        switch shape.enforcement {
        case .software: software += own
        case .split:
            software += own.filter { $0.tag == 702 }
            hardware += own.filter { $0.tag != 702 }
        case .trustedEnvironment, .strongBox: hardware += own
        }
        if breaks("allApplications", 0) { hardware.append((600, DER.null)) }
        if breaks("allApplications", 1) { software.append((600, DER.null)) }
        let challenge = variant("challenge").map { $0 == 0 ? clientDataHash.map { ~$0 } : [] } ?? clientDataHash
        let given = profile.authority.overrides?.keyDescription
        if let given {
            software.removeAll { !given.tags.contains($0.tag) }
            hardware.removeAll { !given.tags.contains($0.tag) }
        }
        let level = given?.securityLevel ?? shape.enforcement.securityLevel
        // Drafts of the specification wrote the levels as INTEGER.
        let securityLevel = breaks("keyDescription", 2) ? DER.integer(level) : DER.enumerated(level)
        var members = [
            DER.integer(shape.version.rawValue), securityLevel,
            DER.integer(given?.keystoreVersion ?? shape.version.keystore), securityLevel,
            DER.octetString(challenge), DER.octetString([]), Self.der(software), Self.der(hardware),
        ]
        if breaks("keyDescription", 1) { members.removeLast() }
        return DER.sequence(members) + (breaks("keyDescription", 3) ? [0] : [])
    }

    private static func der(_ list: AuthorizationList) -> [UInt8] {
        DER.sequence(list.sorted { $0.tag < $1.tag }.map { DER.tagged($0.tag, $0.value) })
    }

    /// What is said of the key itself and of the device that holds it.
    private func authorizations(_ key: PrivateKey) throws(CryptoError) -> AuthorizationList {
        let version = profile.androidKey.version.rawValue
        var list: AuthorizationList = []
        // purpose: SIGN; or VERIFY, or none.
        if !breaks("purpose", 1) { list.append((1, DER.set([DER.integer(breaks("purpose") ? 3 : 2)]))) }
        // origin: GENERATED; or IMPORTED, or none.
        if !breaks("origin", 1) { list.append((702, DER.integer(breaks("origin") ? 2 : 0))) }
        let digests: [HashFunction: Int] = [.sha256: 4, .sha384: 5, .sha512: 6]
        if let digest = HashFunction(of: key.algorithm).flatMap({ digests[$0] }) {
            list.append((5, DER.set([DER.integer(digest)])))
        }
        switch key.publicKey.parameters {
        case .ec2(let curve, let x, _):
            list += [(2, DER.integer(3)), (3, DER.integer(curve == .p521 ? 521 : 8 * x.count))]
            let curves: [COSEKey.Curve: Int] = [.p256: 1, .p384: 2, .p521: 3]
            guard let curve = curves[curve] else { throw unsupported(key) }
            if version >= 2 { list.append((10, DER.integer(curve))) }
        case .rsa(let n, let e):
            // RSA-PSS, or PKCS #1 1.5.
            let padding = [.ps256, .ps384, .ps512].contains(key.algorithm) ? 3 : 5
            list += [
                (2, DER.integer(1)), (3, DER.integer(8 * n.count)), (6, DER.set([DER.integer(padding)])),
                (200, DER.integer(unsigned: e)),
            ]
        default: throw unsupported(key)
        }
        // noAuthRequired; rollbackResistance, which had another number at first.
        list += [(503, DER.null), (version >= 3 ? 303 : 703, DER.null)]
        // rootOfTrust: verifiedBootKey, deviceLocked, verifiedBootState, and later verifiedBootHash.
        let digest = DER.octetString([UInt8](repeating: 0xb0, count: 32))
        let rootOfTrust = [digest, DER.boolean(true), DER.enumerated(0)] + (version >= 3 ? [digest] : [])
        // osVersion, osPatchLevel; vendorPatchLevel and bootPatchLevel.
        list += [(704, DER.sequence(rootOfTrust)), (705, DER.integer(150_000)), (706, DER.integer(202_512))]
        if version >= 3 { list += [(718, DER.integer(20_251_205)), (719, DER.integer(20_251_205))] }
        return list
    }

    /// What Android's framework says of who asked: creationDateTime, and attestationApplicationId since version 2.
    private var softwareList: AuthorizationList {
        let version = profile.androidKey.version.rawValue
        var list: AuthorizationList = [(701, DER.integer(Int(environment.now.millisecondsSince1970)))]
        if version >= 2 {
            let package = DER.sequence([DER.octetString(Array("com.google.android.gms".utf8)), DER.integer(1)])
            let digest = DER.octetString([UInt8](repeating: 0xa0, count: 32))
            list.append((709, DER.octetString(DER.sequence([DER.set([package]), DER.set([digest])]))))
        }
        // moduleHash.
        if version >= 400 { list.append((724, DER.octetString([UInt8](repeating: 0xc0, count: 32)))) }
        return list
    }

    private func unsupported(_ key: PrivateKey) -> CryptoError {
        CryptoError(.unsupported, "Android's keystore attests no key for \(key.algorithm)")
    }

    // MARK: SafetyNet

    /// `#sctn-android-safetynet-attestation`.
    func safetyNet() throws(CryptoError) -> CBOR {
        let key = try attestationKey(.rs256)
        let algorithm: JWSAlgorithm = key.algorithm == .es256 ? .es256 : .rs256
        let host = breaks("hostname") ? "attest.example.com" : "attest.android.com"
        var draft = try CertificateDraft(
            subject: DraftName([("2.5.4.3", DER.utf8String(host))]),
            key: key.publicKey,
            serial: "safetynet"
        )
        draft.addBasicConstraints(isCA: false)
        draft.add("2.5.29.17", DER.sequence([DER.element(.contextSpecific(2, constructed: false), Array(host.utf8))]))
        let certificates = try chain(draft)
        let nonce: [UInt8] =
            switch variant("nonce") {
            case nil: try sha256(attestedBytes)
            case 0: try sha256(attestedBytes + [0])
            default: clientDataHash
            }
        var payload: JSONObject = [
            "nonce": .string(Base64.encode(nonce)),
            "timestampMs": .number(JSONNumber(Int(environment.now.millisecondsSince1970))),
            "apkPackageName": "com.google.android.gms", "basicIntegrity": true,
        ]
        if !breaks("ctsProfileMatch", 1) { payload["ctsProfileMatch"] = .bool(!breaks("ctsProfileMatch")) }
        var response = try JWS.sign(
            JSONValue.object(payload).serialized(),
            header: ["x5c": .array(certificates.map { .string(Base64.encode($0)) })],
            algorithm
        ) { (message) throws(CryptoError) in
            try signature(message, with: key, breaking: "signature")
        }
        // Without its signature, or no JWS at all.
        if breaks("response", 0), let dot = response.lastIndex(of: UInt8(ascii: ".")) {
            response.removeSubrange(dot...)
        }
        if breaks("response", 1) { response = JSONValue.object(payload).serialized() }
        return map(
            [("ver", .text(breaks("version") ? "" : "14799021")), ("response", .bytes(response))],
            required: ["response", "ver"]
        )
    }
}
