public import PasskeyWire

/// What a relying party asks of the authenticator that makes a credential (`#dictionary-authenticatorSelection`).
public struct AuthenticatorSelectionCriteria: JSONRepresentable {
    /// How the authenticator is attached; `nil` for either way.
    public var authenticatorAttachment: AuthenticatorAttachment?

    /// Whether the credential is to be discoverable: what can be used without a user name first.
    public var residentKey: ResidentKeyRequirement

    /// Whether the user is to be verified.
    public var userVerification: UserVerificationRequirement

    /// Level 1's form of ``residentKey``, which old clients read: true if, and only if, that is `required`.
    ///
    /// Both are written, because clients exist that know only one of them.
    public var requireResidentKey: Bool { residentKey == .required }

    /// Makes criteria; without arguments, what the specification takes an absent dictionary for.
    ///
    /// - Parameters:
    ///   - authenticatorAttachment: How the authenticator is attached; `nil` for either way.
    ///   - residentKey: Whether the credential is to be discoverable. A passkey is: ask for `required`.
    ///   - userVerification: Whether the user is to be verified.
    public init(
        authenticatorAttachment: AuthenticatorAttachment? = nil,
        residentKey: ResidentKeyRequirement = .discouraged,
        userVerification: UserVerificationRequirement = .preferred
    ) {
        self.authenticatorAttachment = authenticatorAttachment
        self.residentKey = residentKey
        self.userVerification = userVerification
    }

    /// Reads criteria.
    ///
    /// `residentKey` counts where it is there and known; otherwise `requireResidentKey` says `required` or
    /// `discouraged` (`#dom-authenticatorselectioncriteria-residentkey`).
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        authenticatorAttachment = try members.known("authenticatorAttachment")
        let requireResidentKey = try members.boolIfPresent("requireResidentKey") ?? false
        residentKey = try members.known("residentKey") ?? (requireResidentKey ? .required : .discouraged)
        userVerification = try members.known("userVerification") ?? .preferred
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("authenticatorAttachment", authenticatorAttachment)
        object.write("residentKey", residentKey)
        object.write("requireResidentKey", requireResidentKey)
        object.write("userVerification", userVerification)
        return object.json
    }
}
