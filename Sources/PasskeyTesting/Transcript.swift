public import PasskeyModel
import PasskeyWire

/// Ceremonies of a client, with all that they took from outside, so that they can be run again: ``replay(with:)``.
///
/// A failure that came by chance once comes each time then, on any machine. Keep a transcript as JSON (`Codable`). It has
/// the authenticators' secrets in it.
public struct Transcript: Hashable, Sendable, Codable {
    /// The authenticators as they were before the first ceremony.
    public var authenticators: [VirtualAuthenticatorState]

    /// The ceremonies in turn.
    public var ceremonies: [Ceremony] = []

    /// One ceremony.
    public struct Ceremony: Hashable, Sendable, Codable {
        /// The kind of a ceremony.
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            /// A registration.
            case create

            /// A sign-in.
            case get
        }

        /// What kind of ceremony it is.
        public var kind: Kind

        /// The options, as JSON text.
        public var options: String

        /// How much the user was to see.
        public var mediation: CredentialMediationRequirement

        /// The page and the client.
        public var page: Page

        /// The authenticators before the ceremony, if they were not as the one before had left them.
        public var authenticators: [VirtualAuthenticatorState]?

        /// What came from outside, in turn.
        public var events: [Event] = []

        /// What came of it.
        public var outcome: Outcome
    }

    /// The page and the client, as far as they are data.
    public struct Page: Hashable, Sendable, Codable {
        var origin: String
        var profile: ClientProfile
        var sameOriginWithAncestors: Bool
        var topOrigin: String?
        var mayCreateCredentials: Bool
        var mayGetCredentials: Bool
        var hasTransientActivation: Bool
        var hasRecentAuthentication: Bool
        var userDelay: Duration
        var closesDialog: Bool
        var enterpriseRelyingParties: [String]?
        /// As JSON text, whose members keep their order.
        var extraClientData: String

        init(_ client: VirtualClient) {
            origin = client.origin
            profile = client.profile
            sameOriginWithAncestors = client.sameOriginWithAncestors
            topOrigin = client.topOrigin
            mayCreateCredentials = client.mayCreateCredentials
            mayGetCredentials = client.mayGetCredentials
            hasTransientActivation = client.hasTransientActivation
            hasRecentAuthentication = client.hasRecentAuthentication
            userDelay = client.userDelay
            closesDialog = client.closesDialog
            enterpriseRelyingParties = client.enterpriseRelyingParties
            extraClientData = String(decoding: JSONValue.object(client.extraClientData).serialized(), as: UTF8.self)
        }

        /// Makes a client such a one.
        func apply(to client: inout VirtualClient) {
            client.origin = origin
            client.profile = profile
            client.sameOriginWithAncestors = sameOriginWithAncestors
            client.topOrigin = topOrigin
            client.mayCreateCredentials = mayCreateCredentials
            client.mayGetCredentials = mayGetCredentials
            client.hasTransientActivation = hasTransientActivation
            client.hasRecentAuthentication = hasRecentAuthentication
            client.userDelay = userDelay
            client.closesDialog = closesDialog
            client.enterpriseRelyingParties = enterpriseRelyingParties
            client.extraClientData = (try? JSONValue(json: extraClientData))?.object ?? [:]
        }
    }

    /// What came of a ceremony.
    public enum Outcome: Hashable, Sendable, Codable {
        /// The response, as JSON text.
        case response(String)

        /// What the page caught, and what the test was told beside it.
        case error(name: ClientError.Name, reason: ClientError.Reason, step: Int, description: String)
    }

    /// The first thing that was not as it had been.
    public struct Difference: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The place of the ceremony among the transcript's.
        public var ceremony: Int

        /// The place of the event among the ceremony's; `nil` for what is none.
        public var event: Int?

        /// What was, and what is.
        public var detail: String

        /// The difference in one line.
        public var description: String {
            "ceremony \(ceremony)\(event.map { ", event \($0)" } ?? ""): \(detail)"
        }
    }
}

extension Transcript.Ceremony {
    /// Runs the ceremony on a client.
    ///
    /// - Parameter client: The client, prepared.
    /// - Returns: What came of it.
    /// - Throws: ``ModelError`` if the options are none.
    func run(on client: VirtualClient) throws(ModelError) -> Transcript.Outcome {
        switch kind {
        case .create:
            let options = try PublicKeyCredentialCreationOptions(json: self.options)
            return Transcript.Outcome { () throws(ClientError) in
                try client.create(options, mediation: mediation).json
            }
        case .get:
            let options = try PublicKeyCredentialRequestOptions(json: self.options)
            return Transcript.Outcome { () throws(ClientError) in
                try client.get(options, mediation: mediation).json
            }
        }
    }
}

extension Transcript.Outcome {
    init(_ body: () throws(ClientError) -> JSONValue) {
        do throws(ClientError) {
            self = .response(String(decoding: try body().serialized(), as: UTF8.self))
        } catch {
            self = .error(name: error.name, reason: error.reason, step: error.step, description: "\(error)")
        }
    }
}
