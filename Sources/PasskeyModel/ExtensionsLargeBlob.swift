public import PasskeyWire

/// What the `largeBlob` extension is asked for (`#sctn-large-blob-extension`).
public struct LargeBlobInputs: JSONRepresentable {
    /// How much the credential is to have room for a blob; in a registration alone.
    public var support: LargeBlobSupport?

    /// Whether the blob is to be read; in a sign-in alone.
    public var read: Bool?

    /// A blob to store; in a sign-in alone, and one that allows exactly one credential.
    public var write: [UInt8]?

    /// Makes inputs.
    ///
    /// - Parameters:
    ///   - support: How much the credential is to have room for a blob; in a registration alone.
    ///   - read: Whether the blob is to be read; in a sign-in alone.
    ///   - write: A blob to store; in a sign-in alone, and one that allows exactly one credential.
    public init(support: LargeBlobSupport? = nil, read: Bool? = nil, write: [UInt8]? = nil) {
        self.support = support
        self.read = read
        self.write = write
    }

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        support = try members.known("support")
        read = try members.boolIfPresent("read")
        write = try members.bytesIfPresent("write")
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("support", support)
        object.write("read", read)
        object.write("write", bytes: write)
        return object.json
    }
}

/// What the `largeBlob` extension gave.
public struct LargeBlobOutputs: JSONRepresentable {
    /// Whether the new credential has room for a blob; in a registration alone.
    public var supported: Bool?

    /// The blob that was read; `nil` where none was, even if it was asked for.
    public var blob: [UInt8]?

    /// Whether the blob was stored.
    public var written: Bool?

    /// Makes outputs.
    ///
    /// - Parameters:
    ///   - supported: Whether the new credential has room for a blob; in a registration alone.
    ///   - blob: The blob that was read.
    ///   - written: Whether the blob was stored.
    public init(supported: Bool? = nil, blob: [UInt8]? = nil, written: Bool? = nil) {
        self.supported = supported
        self.blob = blob
        self.written = written
    }

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        supported = try members.boolIfPresent("supported")
        blob = try members.bytesIfPresent("blob")
        written = try members.boolIfPresent("written")
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("supported", supported)
        object.write("blob", bytes: blob)
        object.write("written", written)
        return object.json
    }
}
