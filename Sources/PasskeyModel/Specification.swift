/// The texts that this package implements, pinned.
///
/// Steps are named, with their number in this text as raw value; sections are cited by anchor (`#sctn-…`).
public enum Specification {
    /// W3C Web Authentication Level 3, editor's draft: the commit whose §7.1 and §7.2 are counted.
    public static let webAuthentication = "w3c/webauthn 146d0db"

    /// The branch and commit of the test vectors in the specification's own section.
    public static let testVectors = "w3c/webauthn L3-CR 8bbf3638"

    /// The number of steps of `#sctn-registering-a-new-credential`.
    public static let registrationSteps = 1...29

    /// The number of steps of `#sctn-verifying-assertion`.
    public static let authenticationSteps = 1...25
}
