import PasskeyAuthorization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What the virtual user is offered in a ceremony's dialog.
@nonexhaustive
public enum VirtualCandidate: Hashable, Sendable {
    /// A passkey of this device.
    case passkey(name: String, credentialID: Data)

    /// A security key, of which nothing is known before it is touched.
    case securityKey

    /// A phone or another device nearby.
    case anotherDevice

    /// A password of this device.
    case password(user: String)

    /// To sign in with Apple.
    case appleID

    /// To go to a page.
    case web(URL)

    /// To make a passkey on this device, or on another one nearby.
    case newPasskey(name: String)

    /// To make a passkey on a security key.
    case newPasskeyOnSecurityKey(name: String)

    /// To make an account.
    case newAccount
}

/// As JSON it is an object with its kind, and bytes are base64url.
extension VirtualCandidate: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, name, credentialId, user, url
    }

    private enum Kind: String, Codable {
        case passkey, securityKey, anotherDevice, password, appleID, web, newPasskey, newPasskeyOnSecurityKey
        case newAccount
    }

    /// Reads a candidate.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String { try container.decode(String.self, forKey: key) }
        switch try container.decode(Kind.self, forKey: .kind) {
        case .passkey:
            let id = try container.decode(Base64URLBytes.self, forKey: .credentialId)
            self = .passkey(name: try text(.name), credentialID: Data(id.bytes))
        case .securityKey: self = .securityKey
        case .anotherDevice: self = .anotherDevice
        case .password: self = .password(user: try text(.user))
        case .appleID: self = .appleID
        case .web: self = .web(try container.decode(URL.self, forKey: .url))
        case .newPasskey: self = .newPasskey(name: try text(.name))
        case .newPasskeyOnSecurityKey: self = .newPasskeyOnSecurityKey(name: try text(.name))
        case .newAccount: self = .newAccount
        }
    }

    /// Writes the candidate.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func write(_ kind: Kind) throws { try container.encode(kind, forKey: .kind) }
        switch self {
        case .passkey(let name, let id):
            try write(.passkey)
            try container.encode(name, forKey: .name)
            try container.encode(Base64URLBytes(id), forKey: .credentialId)
        case .securityKey: try write(.securityKey)
        case .anotherDevice: try write(.anotherDevice)
        case .password(let user):
            try write(.password)
            try container.encode(user, forKey: .user)
        case .appleID: try write(.appleID)
        case .web(let url):
            try write(.web)
            try container.encode(url, forKey: .url)
        case .newPasskey(let name):
            try write(.newPasskey)
            try container.encode(name, forKey: .name)
        case .newPasskeyOnSecurityKey(let name):
            try write(.newPasskeyOnSecurityKey)
            try container.encode(name, forKey: .name)
        case .newAccount: try write(.newAccount)
        }
    }
}
