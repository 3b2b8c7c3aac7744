public import PasskeyModel
import PasskeyWire

/// A credential record with what its user calls it.
public struct StoredCredential: JSONRepresentable, Identifiable {
    /// What verification needs of it.
    public var record: CredentialRecord

    /// What the user calls the passkey; text from outside, which a page must escape.
    public var name: String

    /// Makes a stored credential.
    ///
    /// - Parameters:
    ///   - record: What verification needs of it.
    ///   - name: What the user calls the passkey.
    public init(_ record: CredentialRecord, name: String = "") {
        self.record = record
        self.name = name
    }

    /// The credential's identifier.
    public var id: [UInt8] { record.id }

    /// Reads the JSON form.
    ///
    /// - Parameter json: What ``json`` gives.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        record = try members.read("record", CredentialRecord.init)
        name = try members.string("name")
    }

    /// The JSON form.
    public var json: JSONValue {
        var writer = JSONObjectWriter()
        writer.write("record", record.json)
        writer.write("name", name)
        return writer.json
    }
}

/// Where credential records are kept.
///
/// Each call is atomic by itself, whoever else calls at the same time, from whatever process: an acknowledged change
/// is not lost, and one that failed has not happened.
public protocol CredentialStore: Sendable {
    /// Keeps a new credential.
    ///
    /// - Parameter credential: The credential, whose identifier must be new among all users.
    /// - Throws: ``StoreError`` with ``StoreError/Code/duplicate`` if it is not.
    func insert(_ credential: StoredCredential) async throws(StoreError)

    /// The credential with an identifier.
    ///
    /// - Parameter id: The identifier: 1 to 1,023 bytes, all of which count.
    /// - Returns: The credential; `nil` if there is none.
    /// - Throws: ``StoreError``.
    func credential(_ id: [UInt8]) async throws(StoreError) -> StoredCredential?

    /// The credentials of a user, the oldest first.
    ///
    /// - Parameter userHandle: The user.
    /// - Returns: The credentials.
    /// - Throws: ``StoreError``.
    func credentials(of userHandle: UserHandle) async throws(StoreError) -> [StoredCredential]

    /// Replaces a record after a sign-in, if nobody has moved its counter meanwhile; the name stays.
    ///
    /// - Parameters:
    ///   - record: The new record.
    ///   - signCount: The counter that the stored record must still have.
    /// - Returns: Whether it was replaced; `false` too if there is no such credential of that user any more.
    /// - Throws: ``StoreError``.
    func update(_ record: CredentialRecord, ifSignCountIs signCount: UInt32) async throws(StoreError) -> Bool

    /// Gives a credential another name.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - userHandle: The user, who must own it.
    ///   - name: The name.
    /// - Returns: Whether there was such a credential.
    /// - Throws: ``StoreError``.
    func rename(_ id: [UInt8], of userHandle: UserHandle, to name: String) async throws(StoreError) -> Bool

    /// Removes a credential.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - userHandle: The user, who must own it.
    /// - Returns: Whether there was such a credential.
    /// - Throws: ``StoreError``.
    func remove(_ id: [UInt8], of userHandle: UserHandle) async throws(StoreError) -> Bool
}
