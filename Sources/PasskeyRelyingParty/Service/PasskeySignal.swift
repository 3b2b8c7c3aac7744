public import PasskeyModel
import PasskeyWire

/// What a page tells the authenticators of its client: the argument of one of the signal methods
/// (`#sctn-signal-methods`).
@nonexhaustive
public enum PasskeySignal: Hashable, Sendable {
    /// For `PublicKeyCredential.signalUnknownCredential()`.
    case unknownCredential(rpId: String, credentialId: [UInt8])

    /// For `PublicKeyCredential.signalAllAcceptedCredentials()`.
    case allAcceptedCredentials(rpId: String, userId: UserHandle, allAcceptedCredentialIds: [[UInt8]])

    /// For `PublicKeyCredential.signalCurrentUserDetails()`.
    case currentUserDetails(rpId: String, userId: UserHandle, name: String, displayName: String)

    /// The name of the method.
    public var method: String {
        switch self {
        case .unknownCredential: "signalUnknownCredential"
        case .allAcceptedCredentials: "signalAllAcceptedCredentials"
        case .currentUserDetails: "signalCurrentUserDetails"
        }
    }

    /// The method's argument.
    public var argument: JSONValue {
        var writer = JSONObjectWriter()
        switch self {
        case .unknownCredential(let rpId, let credentialId):
            writer.write("rpId", rpId)
            writer.write("credentialId", bytes: credentialId)
        case .allAcceptedCredentials(let rpId, let userId, let ids):
            writer.write("rpId", rpId)
            writer.write("userId", userId.json)
            writer.write("allAcceptedCredentialIds", .array(ids.map { .string(Base64URL.encode($0)) }))
        case .currentUserDetails(let rpId, let userId, let name, let displayName):
            writer.write("rpId", rpId)
            writer.write("userId", userId.json)
            writer.write("name", name)
            writer.write("displayName", displayName)
        }
        return writer.json
    }

    /// Method and argument: `{"method": …, "argument": …}`.
    public var json: JSONValue {
        var writer = JSONObjectWriter()
        writer.write("method", method)
        writer.write("argument", argument)
        return writer.json
    }
}
