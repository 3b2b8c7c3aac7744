public import PasskeyWire

/// One or two inputs of a credential's pseudo-random function, or what it made of them (`#prf-extension`).
///
/// As results they are secrets, mostly keys: a page should use them there and drop them from the response before it
/// sends that to a server.
public struct PRFValues: JSONRepresentable {
    /// The first: any bytes as input, 32 as result.
    public var first: [UInt8]

    /// The second, with which keys can be changed in one ceremony.
    public var second: [UInt8]?

    /// Makes values.
    ///
    /// - Parameters:
    ///   - first: The first.
    ///   - second: The second, if any.
    public init(first: [UInt8], second: [UInt8]? = nil) {
        self.first = first
        self.second = second
    }

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        first = try members.bytes("first")
        second = try members.bytesIfPresent("second")
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("first", bytes: first)
        object.write("second", bytes: second)
        return object.json
    }
}

/// What the `prf` extension is asked for.
public struct PRFInputs: JSONRepresentable {
    /// Inputs for one credential alone.
    public struct CredentialValues: Hashable, Sendable {
        /// The credential.
        public var credentialID: [UInt8]

        /// Its inputs.
        public var values: PRFValues

        /// Makes an entry.
        ///
        /// - Parameters:
        ///   - credentialID: The credential: bytes, not base64url text.
        ///   - values: Its inputs.
        public init(credentialID: [UInt8], values: PRFValues) {
            self.credentialID = credentialID
            self.values = values
        }
    }

    /// Inputs for any credential that has none of its own.
    public var eval: PRFValues?

    /// Inputs by credential, in the order given; in a sign-in alone, for credentials that it allows.
    ///
    /// An empty list is not `nil`: it is written, and refused in a registration as any other is. Of several entries
    /// for one credential the first counts.
    public var evalByCredential: [CredentialValues]?

    /// Makes inputs; without arguments, the question whether the credential can do it.
    ///
    /// - Parameters:
    ///   - eval: Inputs for any credential that has none of its own.
    ///   - evalByCredential: Inputs by credential.
    public init(eval: PRFValues? = nil, evalByCredential: [CredentialValues]? = nil) {
        self.eval = eval
        self.evalByCredential = evalByCredential
    }

    /// The inputs for a credential: its own, or else ``eval``.
    ///
    /// - Parameter credentialID: The credential that answers.
    /// - Returns: The inputs; `nil` if there is nothing to evaluate.
    public func values(for credentialID: [UInt8]) -> PRFValues? {
        evalByCredential?.first { $0.credentialID == credentialID }?.values ?? eval
    }

    /// Reads inputs, whose `evalByCredential` is keyed by credential IDs in base64url.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault; a key of `evalByCredential` that is empty or not
    ///   base64url is one.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        eval = try members.readIfPresent("eval", PRFValues.init)
        evalByCredential = try members.readIfPresent("evalByCredential") { (json) throws(ModelError) in
            guard case .object(let record) = json else {
                throw ModelError(.wrongType, "expected an object, found \(json.kindName)")
            }
            var entries: [CredentialValues] = []
            for member in record.members {
                do throws(ModelError) {
                    let id = try PublicKeyCredentialDescriptor.credentialID(.string(member.name))
                    entries.append(CredentialValues(credentialID: id, values: try PRFValues(member.value)))
                } catch {
                    throw error.within(member.name)
                }
            }
            return entries
        }
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("eval", eval?.json)
        object.write(
            "evalByCredential",
            evalByCredential.map { entries in
                var record = JSONObjectWriter()
                var written: Set<[UInt8]> = []
                for entry in entries where written.insert(entry.credentialID).inserted {
                    record.write(Base64URL.encode(entry.credentialID), entry.values.json)
                }
                return record.json
            }
        )
        return object.json
    }
}

/// What the `prf` extension gave.
public struct PRFOutputs: JSONRepresentable {
    /// Whether the new credential can do it; in a registration alone.
    public var enabled: Bool?

    /// The results, one for each input.
    public var results: PRFValues?

    /// Makes outputs.
    ///
    /// - Parameters:
    ///   - enabled: Whether the new credential can do it; in a registration alone.
    ///   - results: The results, one for each input.
    public init(enabled: Bool? = nil, results: PRFValues? = nil) {
        self.enabled = enabled
        self.results = results
    }

    /// Reads the JSON form; members that are not known are ignored.
    ///
    /// - Parameter json: An object.
    /// - Throws: ``ModelError`` with the path of the member at fault.
    public init(_ json: JSONValue) throws(ModelError) {
        let members = try JSONMembers(json)
        enabled = try members.boolIfPresent("enabled")
        results = try members.readIfPresent("results", PRFValues.init)
    }

    /// The JSON form, in the specification's order and without `null`.
    public var json: JSONValue {
        var object = JSONObjectWriter()
        object.write("enabled", enabled)
        object.write("results", results?.json)
        return object.json
    }
}
