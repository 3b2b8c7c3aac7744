public import PasskeyModel
public import PasskeyWire

/// What an authenticator's maker says of it (FIDO Metadata Statement §4).
///
/// Typed is what a relying party needs; ``json`` has the rest.
public struct MetadataStatement: Hashable, Sendable {
    /// A version of a protocol.
    public struct Version: Hashable, Sendable, CustomStringConvertible {
        /// The number before the point.
        public let major: Int

        /// The number after the point.
        public let minor: Int

        /// Both with a point between them.
        public var description: String { "\(major).\(minor)" }
    }

    /// The model that it is about, as the statement itself tells it.
    public let aaguid: AAGUID?

    /// The name of the model, in English; empty if it has none.
    public let description: String

    /// The name in other languages, by language tag such as `fr-FR`.
    public let alternativeDescriptions: JSONObject

    /// The name under which it is sold, by language tag (3.1).
    public let friendlyNames: JSONObject

    /// A data URL of the model's icon: PNG, or SVG since 3.1.
    public let icon: String?

    /// A data URL of the icon on a dark background (3.1).
    public let iconDark: String?

    /// A data URL of the logo of who stands behind it (3.1).
    public let providerLogoLight: String?

    /// A data URL of that logo on a dark background (3.1).
    public let providerLogoDark: String?

    /// `fido2`, `u2f` or `uaf`.
    public let protocolFamily: String?

    /// The versions of that protocol which it speaks (`upv`).
    public let protocolVersions: [Version]

    /// The earliest version of the authenticator that the statement is about.
    public let authenticatorVersion: UInt64?

    /// The algorithms of its credentials, such as `secp256r1_ecdsa_sha256_raw`.
    public let authenticationAlgorithms: [String]

    /// The forms of its public keys, such as `cose`.
    public let publicKeyAlgAndEncodings: [String]

    /// How it attests: `basic_full`, `basic_surrogate`, `attca`, `anonca`, `ecdaa`, `none`.
    public let attestationTypes: [String]

    /// How its keys are protected, such as `hardware` and `secure_element`.
    public let keyProtection: [String]

    /// How what recognises the user is protected, such as `on_chip`.
    public let matcherProtection: [String]

    /// How it is attached, such as `external` and `nfc`.
    public let attachmentHint: [String]

    /// Whether its credentials may be on several devices: `unsupported`, `explicit` or `implicit` (3.1).
    public let multiDeviceCredentialSupport: String?

    /// The certificates, in DER, that its attestation leads to; one may be the attestation certificate itself.
    ///
    /// None vouches for anybody. Some BLOBs put white space around the base64, which is dropped.
    public let attestationRootCertificates: [[UInt8]]

    /// The statement with all its members.
    public let json: JSONValue

    /// Reads a statement.
    ///
    /// Certificates and attestation types must be readable; of the rest, what has another type than it should is read
    /// as absent.
    ///
    /// - Parameter json: The object.
    /// - Throws: ``MetadataError`` with ``MetadataError/Code/malformed``.
    public init(_ json: JSONValue) throws(MetadataError) {
        self.json = json
        let members = try MetadataMembers(json, "metadataStatement")
        attestationTypes = try members.strings("attestationTypes") ?? []
        attestationRootCertificates = try members.certificates("attestationRootCertificates") ?? []
        aaguid = members.string("aaguid").flatMap { AAGUID($0) }
        description = members.string("description") ?? ""
        alternativeDescriptions = members.languages("alternativeDescriptions")
        friendlyNames = members.languages("friendlyNames")
        icon = members.string("icon")
        iconDark = members.string("iconDark")
        providerLogoLight = members.string("providerLogoLight")
        providerLogoDark = members.string("providerLogoDark")
        protocolFamily = members.string("protocolFamily")
        protocolVersions =
            members["upv"]?.array?.compactMap { version in
                guard let major = version["major"]?.int, let minor = version["minor"]?.int else { return nil }
                return Version(major: major, minor: minor)
            } ?? []
        authenticatorVersion = members.version("authenticatorVersion")
        authenticationAlgorithms = members.texts("authenticationAlgorithms")
        publicKeyAlgAndEncodings = members.texts("publicKeyAlgAndEncodings")
        keyProtection = members.texts("keyProtection")
        matcherProtection = members.texts("matcherProtection")
        attachmentHint = members.texts("attachmentHint")
        multiDeviceCredentialSupport = members.string("multiDeviceCredentialSupport")
    }

    /// The name of the model for people: in the first of some languages in which it has one, and otherwise in English.
    ///
    /// A tag stands for itself, and if there is nothing under it, for its language in any region. The name under which
    /// the model is sold comes before the description.
    ///
    /// - Parameter languages: Language tags in order of preference, such as `fr-CA`.
    /// - Returns: The name; empty if the statement has none at all.
    public func name(in languages: [String] = []) -> String {
        for language in languages {
            if let name = name(where: { Self.lowercased($0) == Self.lowercased(language) }) { return name }
            if let name = name(where: { Self.primary($0) == Self.primary(language) }) { return name }
            // The description is in English.
            if Self.primary(language) == Self.primary("en") { return description }
        }
        return name(where: { Self.primary($0) == Self.primary("en") }) ?? description
    }

    private func name(where isWanted: (String) -> Bool) -> String? {
        let found = friendlyNames.first { isWanted($0.name) } ?? alternativeDescriptions.first { isWanted($0.name) }
        return found?.value.string
    }

    /// The language of a tag without region and script.
    private static func primary(_ tag: String) -> [UInt8] {
        Array(lowercased(tag).prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") })
    }

    private static func lowercased(_ tag: String) -> [UInt8] {
        tag.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    }
}
