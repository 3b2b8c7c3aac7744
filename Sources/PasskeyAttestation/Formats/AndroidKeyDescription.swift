import PasskeyWire

/// Android's extension for key attestation: `KeyDescription`, in all versions of its schema, which add members to the
/// lists and keep the frame.
struct AndroidKeyDescription {
    /// What is enforced of a key, by software or by hardware.
    struct AuthorizationList {
        /// [1] purpose: SET OF INTEGER.
        var purposes: [Int] = []

        /// [600] allApplications: NULL.
        var allowsAllApplications = false

        /// [702] origin: INTEGER.
        var origins: [Int] = []
    }

    /// SecurityLevel: ENUMERATED; who made the attestation, or who holds the key.
    enum SecurityLevel: Int {
        case software = 0
        case trustedEnvironment = 1
        case strongBox = 2
    }

    /// The object identifier of the extension.
    static let oid = "1.3.6.1.4.1.11129.2.1.17"

    let attestationVersion: Int

    /// Who attests; `nil` for a level that Android does not have.
    let attestationSecurityLevel: SecurityLevel?

    /// Who holds the key: `keymasterSecurityLevel`, later `keyMintSecurityLevel`.
    let keystoreSecurityLevel: SecurityLevel?
    let attestationChallenge: [UInt8]
    let softwareEnforced: AuthorizationList

    /// What the trusted environment or StrongBox enforces: `teeEnforced`, later `hardwareEnforced`.
    let hardwareEnforced: AuthorizationList

    /// Whether hardware attests, and holds the key: otherwise what ``hardwareEnforced`` says is Android's own word.
    var isByHardware: Bool {
        let hardware: [SecurityLevel?] = [.trustedEnvironment, .strongBox]
        return hardware.contains(attestationSecurityLevel) && hardware.contains(keystoreSecurityLevel)
    }

    /// Reads the extension's value, with nothing after it.
    init(_ bytes: [UInt8]) throws(WireError) {
        var outer = DERReader(bytes)
        var reader = try outer.read(.sequence).reader()
        try outer.finish()
        attestationVersion = try reader.read(.integer).integer()
        // What follows is true only if the chain leads to somebody whose word it is.
        attestationSecurityLevel = SecurityLevel(rawValue: try reader.read(.enumerated).integer())
        // keymasterVersion.
        _ = try reader.read(.integer).integer()
        keystoreSecurityLevel = SecurityLevel(rawValue: try reader.read(.enumerated).integer())
        attestationChallenge = try reader.read(.octetString).octets()
        // uniqueId.
        _ = try reader.read(.octetString)
        softwareEnforced = try Self.list(reader.read(.sequence))
        hardwareEnforced = try Self.list(reader.read(.sequence))
        try reader.finish()
    }

    private static func list(_ element: DERElement) throws(WireError) -> AuthorizationList {
        var reader = try element.reader()
        var list = AuthorizationList()
        while !reader.isAtEnd {
            let member = try reader.next()
            switch member.tag {
            case .contextSpecific(1):
                var inner = try member.reader()
                var set = try inner.read(.set).reader()
                try inner.finish()
                while !set.isAtEnd { list.purposes.append(try set.read(.integer).integer()) }
            case .contextSpecific(600):
                var inner = try member.reader()
                try inner.read(.null).null()
                try inner.finish()
                list.allowsAllApplications = true
            case .contextSpecific(702):
                var inner = try member.reader()
                list.origins.append(try inner.read(.integer).integer())
                try inner.finish()
            default:
                // The schema grows with each version of Android.
                break
            }
        }
        return list
    }
}
