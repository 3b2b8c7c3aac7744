public import PasskeyModel
import PasskeyWire

extension RelyingParty {
    /// The content of `/.well-known/webauthn` on the RP ID's host (`#sctn-related-origins`), as `application/json`.
    ///
    /// It names the web origins that may use the RP ID although they are on other domains; browsers count at least five
    /// registrable domains, and not all count more.
    ///
    /// - Returns: The document; `nil` if there are no such origins.
    public func relatedOriginsDocument() -> JSONValue? {
        let related = origins.origins.filter { origin in
            guard case .web(_, let host, _) = origin.kind else { return false }
            return !DomainName.isEqualOrBelow(host, id.string)
        }
        guard !related.isEmpty else { return nil }
        return ["origins": .array(related.map { .string($0.string) })]
    }
}

/// Documents by which a site names the applications that may use its passkeys.
public enum AssociationDocument {
    /// The content of `/.well-known/apple-app-site-association`, as `application/json`.
    ///
    /// - Parameter applicationIdentifiers: Team and bundle, such as `A1B2C3D4E5.com.example.app`.
    /// - Returns: The document.
    public static func appleAppSiteAssociation(applicationIdentifiers: [String]) -> JSONValue {
        ["webcredentials": ["apps": .array(applicationIdentifiers.map { .string($0) })]]
    }

    /// An Android application, by its package and the certificates that sign it.
    public struct AndroidApplication: Hashable, Sendable {
        /// The name of the package.
        public var packageName: String

        /// SHA-256 of each certificate: 32 bytes.
        public var certificateHashes: [[UInt8]]

        /// Makes an application.
        ///
        /// - Parameters:
        ///   - packageName: The name of the package.
        ///   - certificateHashes: SHA-256 of each certificate: 32 bytes.
        public init(packageName: String, certificateHashes: [[UInt8]]) {
            self.packageName = packageName
            self.certificateHashes = certificateHashes
        }
    }

    /// The content of `/.well-known/assetlinks.json`, as `application/json`.
    ///
    /// The relying party's origins need ``PasskeyModel/Origin/android(certificateHash:)`` beside it.
    ///
    /// - Parameter applications: The applications.
    /// - Returns: The document.
    public static func assetLinks(_ applications: [AndroidApplication]) -> JSONValue {
        .array(
            applications.map { application in
                [
                    "relation": [
                        "delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds",
                    ],
                    "target": [
                        "namespace": "android_app", "package_name": .string(application.packageName),
                        "sha256_cert_fingerprints": .array(
                            application.certificateHashes.map { .string(fingerprint($0)) }
                        ),
                    ],
                ]
            }
        )
    }

    /// Hexadecimal octets with colons between them.
    private static func fingerprint(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}
