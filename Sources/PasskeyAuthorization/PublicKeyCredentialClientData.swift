#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The client data that a browser puts together itself, as `ASPublicKeyCredentialClientData` is; since iOS 17.4.
///
/// An application's own origin is its RP ID's; only a browser has the right to name another one.
public struct PublicKeyCredentialClientData: Hashable, Sendable {
    /// Whether the page is in a frame of another origin.
    @nonexhaustive
    public enum CrossOriginValue: String, Hashable, Sendable, Codable, CaseIterable {
        /// Client data does not say.
        case notSet

        /// It is.
        case crossOrigin

        /// It is not.
        case sameOriginWithAncestors
    }

    /// The server's challenge, 1 to 1,024 bytes.
    public var challenge: Data

    /// The origin of the page, such as `https://login.example.com`.
    public var origin: String

    /// The origin of the page around the frame, if the page is in a frame of another origin.
    public var topOrigin: String?

    /// Whether the page is in a frame of another origin.
    public var crossOrigin = CrossOriginValue.notSet

    /// Makes client data.
    ///
    /// - Parameters:
    ///   - challenge: The server's challenge, 1 to 1,024 bytes.
    ///   - origin: The origin of the page.
    public init(challenge: Data, origin: String) {
        self.challenge = challenge
        self.origin = origin
    }
}

extension AuthorizationPublicKeyCredentialProvider {
    /// Asks for a passkey to be made, for a page of a browser's.
    ///
    /// - Parameters:
    ///   - clientData: The page's client data.
    ///   - displayName: The user's own name.
    ///   - name: What the user knows the account by.
    ///   - userID: The account's user handle, 1 to 64 bytes.
    /// - Returns: A request to adjust further or to perform.
    public func createCredentialRegistrationRequest(
        clientData: PublicKeyCredentialClientData,
        displayName: String? = nil,
        name: String,
        userID: Data
    ) -> AuthorizationPublicKeyCredentialRegistrationRequest {
        var request = createCredentialRegistrationRequest(
            challenge: clientData.challenge,
            displayName: displayName,
            name: name,
            userID: userID
        )
        request.clientData = clientData
        return request
    }

    /// Asks for a sign-in, for a page of a browser's.
    ///
    /// - Parameter clientData: The page's client data.
    /// - Returns: A request to adjust further or to perform.
    public func createCredentialAssertionRequest(
        clientData: PublicKeyCredentialClientData
    ) -> AuthorizationPublicKeyCredentialAssertionRequest {
        var request = createCredentialAssertionRequest(challenge: clientData.challenge)
        request.clientData = clientData
        return request
    }
}
