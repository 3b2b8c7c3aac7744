import PasskeyCrypto
public import PasskeyModel
import PasskeyWire

/// A ceremony between its two halves, as a store keeps it.
public struct CeremonyEntry: JSONRepresentable {
    /// What the ceremony is for; one that was begun for one thing does not finish another.
    @nonexhaustive
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// A registration.
        case registration

        /// A sign-in.
        case authentication

        /// A user who is signed in proves it again.
        case reauthentication
    }

    /// What the ceremony is for.
    public let purpose: Purpose

    /// The ceremony: JSON text in UTF-8.
    public let content: [UInt8]

    /// SHA-256 of the session that it belongs to; `nil` if it belongs to none.
    public let session: [UInt8]?

    /// When it ends.
    public let expiresAt: Timestamp

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - purpose: What the ceremony is for.
    ///   - content: The ceremony: JSON text in UTF-8.
    ///   - session: SHA-256 of the session that it belongs to.
    ///   - expiresAt: When it ends.
    public init(purpose: Purpose, content: [UInt8], session: [UInt8]?, expiresAt: Timestamp) {
        self.purpose = purpose
        self.content = content
        self.session = session
        self.expiresAt = expiresAt
    }

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        purpose = try members.choice("purpose")
        content = try [UInt8](members.string("content").utf8)
        session = try members.bytesIfPresent("session")
        expiresAt = try members.read("expiresAt", Timestamp.init)
    }

    /// The JSON form.
    public var json: JSONValue {
        var writer = JSONObjectWriter()
        writer.write("purpose", purpose.rawValue)
        writer.write("content", String(decoding: content, as: UTF8.self))
        writer.write("session", bytes: session)
        writer.write("expiresAt", expiresAt.json)
        return writer.json
    }
}

/// Where ceremonies are kept between their two halves.
public protocol CeremonyStore: Sendable {
    /// Keeps a ceremony.
    ///
    /// - Parameter entry: The ceremony.
    /// - Returns: What names it: URL-safe text that nobody can guess, for the client or for the session.
    /// - Throws: ``StoreError``.
    func put(_ entry: CeremonyEntry) async throws(StoreError) -> String

    /// Takes a ceremony out: of all who ask at the same time, one gets it.
    ///
    /// - Parameter token: What names it; text from outside.
    /// - Returns: The ceremony, which may have expired; `nil` if it is not known, or was taken before.
    /// - Throws: ``StoreError``.
    func take(_ token: String) async throws(StoreError) -> CeremonyEntry?
}

/// What names a ceremony in a store that keeps it.
///
/// A store should keep the hash and not the token: whoever reads the store cannot finish ceremonies then.
public struct CeremonyToken: Hashable, Sendable {
    /// The token: 43 characters of base64url, 256 random bits.
    public let text: String

    /// SHA-256 of the random bytes.
    public let hash: [UInt8]

    /// Makes a new token.
    ///
    /// - Throws: ``StoreError`` if there is no randomness.
    public init() throws(StoreError) {
        do throws(CryptoError) {
            let bytes = try SystemRandom.bytes(32)
            text = Base64URL.encode(bytes)
            hash = try sha256(bytes)
        } catch {
            throw StoreError(.unavailable, "\(error)")
        }
    }

    /// Reads a token.
    ///
    /// - Parameter text: Text from outside; `nil` if it is none.
    public init?(_ text: String) {
        guard text.utf8.count == 43, let bytes = try? Base64URL.decode(text), bytes.count == 32,
            let hash = try? sha256(bytes)
        else { return nil }
        self.text = text
        self.hash = hash
    }
}
