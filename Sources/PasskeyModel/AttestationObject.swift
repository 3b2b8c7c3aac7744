public import PasskeyWire

/// What `create()` returns beside client data (`#sctn-attestation`): format, statement, authenticator data.
public struct AttestationObject: Hashable, Sendable {
    /// The bytes as they came.
    public let bytes: [UInt8]

    /// The statement's format.
    public let format: AttestationStatementFormat

    /// The statement: one CBOR item, a map in every format but `compound`.
    ///
    /// Its bytes are as they came.
    public let statement: CBORDocument

    /// The authenticator data, whose bytes are what is signed.
    public let authenticatorData: AuthenticatorData

    /// Reads an attestation object.
    ///
    /// Any key order and integer width and indefinite lengths are accepted (CBOR's `valid` mode, depth 16): real
    /// devices send them. Members other than the three are ignored.
    ///
    /// - Parameter bytes: `response.attestationObject`, decoded from base64url.
    /// - Throws: ``WireError`` with the offset in `bytes`.
    public init(_ bytes: [UInt8]) throws(WireError) {
        self.bytes = bytes
        let document = try CBORDocument(bytes, mode: .valid)
        let root = document.root
        guard root.kind == .map else { throw WireError(.wrongType, at: 0, detail: "an attestation object is a map") }
        func member(_ name: String) throws(WireError) -> CBORDocument.Item {
            guard let item = root[name] else { throw WireError(.missingParameter, at: 0, detail: name) }
            return item
        }
        let format = try member("fmt")
        guard let name = format.string else {
            throw WireError(.wrongType, at: format.range.lowerBound, detail: "fmt is not text")
        }
        self.format = AttestationStatementFormat(rawValue: name)
        let statement = try member("attStmt")
        do throws(WireError) {
            self.statement = try CBORDocument(statement.encoded, mode: .valid)
        } catch {
            throw WireError(error.code, at: statement.range.lowerBound + error.offset, detail: error.detail)
        }
        let data = try member("authData")
        guard let dataBytes = data.byteArray else {
            throw WireError(.wrongType, at: data.range.lowerBound, detail: "authData is not a byte string")
        }
        do throws(WireError) {
            authenticatorData = try AuthenticatorData(dataBytes)
        } catch {
            // Exact for a string of definite length; for one in chunks, the offset of the string itself.
            let isWhole = data.range.count <= dataBytes.count + 9
            let start = isWhole ? data.range.upperBound - dataBytes.count + error.offset : data.range.lowerBound
            throw WireError(
                error.code,
                at: start,
                detail: error.detail.isEmpty ? "in authData" : "authData: \(error.detail)"
            )
        }
    }

    /// Writes an attestation object in CTAP2's canonical form.
    ///
    /// - Parameters:
    ///   - format: The statement's format.
    ///   - statement: The statement.
    ///   - authenticatorData: The authenticator data's bytes.
    /// - Returns: CBOR.
    /// - Throws: ``WireError`` if the statement is nested too deep.
    public static func encode(
        format: AttestationStatementFormat,
        statement: CBOR,
        authenticatorData: [UInt8]
    ) throws(WireError) -> [UInt8] {
        let object = CBOR.map([
            CBOR.Entry(.text("fmt"), .text(format.rawValue)),
            CBOR.Entry(.text("attStmt"), statement),
            CBOR.Entry(.text("authData"), .bytes(authenticatorData)),
        ])
        // CTAP2 allows four levels, and `#sctn-compound-attestation` needs five; the form is otherwise the same, since
        // all keys are text.
        return try object.encoded(format == .compound ? .deterministic : .ctap2)
    }
}
