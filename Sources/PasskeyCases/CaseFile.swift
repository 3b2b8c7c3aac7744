package import PasskeyWire

/// A file of cases in the format `passkey-cases/1`, which `Vectors/README.md` describes.
package struct CaseFile: Sendable {
    /// The value of the member `format`.
    package static let format = "passkey-cases/1"

    /// What the file is about.
    package let title: String

    /// Its cases, in the file's order.
    package let cases: [Case]

    /// Reads a file.
    ///
    /// - Parameter bytes: JSON text.
    /// - Throws: ``CaseFileError`` if it is not JSON, has another format, or has a case that cannot be told apart.
    package init(json bytes: [UInt8]) throws(CaseFileError) {
        let json: JSONValue
        do throws(WireError) {
            json = try JSONValue(json: bytes, maximumDepth: 64)
        } catch {
            throw CaseFileError("not JSON: \(error)")
        }
        guard CaseFile.isCaseFile(json) else { throw CaseFileError("\"format\" is not \"\(CaseFile.format)\"") }
        guard let list = json["cases"]?.array else { throw CaseFileError("\"cases\" is not an array") }
        title = json["title"]?.string ?? ""
        var cases: [Case] = []
        var seen: Set<String> = []
        for (index, element) in list.enumerated() {
            let next: Case
            do throws(CaseFileError) {
                next = try Case(element)
            } catch {
                throw CaseFileError("cases[\(index)]: \(error.reason)")
            }
            guard seen.insert(next.id).inserted else { throw CaseFileError("the id \(next.id) occurs twice") }
            cases.append(next)
        }
        self.cases = cases
    }

    /// Whether a JSON value calls itself a case file.
    package static func isCaseFile(_ json: JSONValue) -> Bool {
        json["format"]?.string == format
    }
}

/// Why a file is not a case file, or a case none.
package struct CaseFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in one line.
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    /// The reason.
    package var description: String { reason }
}

/// One case: an operation, its input and the verdict that is right.
package struct Case: Sendable {
    /// The verdict that a case calls right.
    package enum Expectation: String, Hashable, Sendable {
        /// The input is valid.
        case accept

        /// The input must be refused.
        case reject
    }

    /// What an operation may cost; `nil` where the case sets no limit.
    package struct Limits: Hashable, Sendable {
        /// Seconds of the operation's own time, in release.
        package var maximumSeconds: Double?

        /// MiB by which the peak of the process may grow.
        package var maximumMemoryMiB: Double?

        /// No limit at all.
        package static let none = Limits()
    }

    /// The name, unique in its file.
    package let id: String

    /// What is done with the input, such as `cbor.decode`.
    package let operation: String

    /// The input, as its operation has it.
    package let input: JSONValue

    /// The right verdict.
    package let expectation: Expectation

    /// Why it is right, for people.
    package let reason: String

    /// What an accepted case must yield.
    package let value: JSONObject

    /// Whether the verdict is this library's default where the specification leaves room.
    package let isPolicy: Bool

    /// What the operation may cost.
    package let limits: Limits

    /// What the linked libcrypto must have, such as `ml-dsa`.
    package let requirements: [String]

    /// The case as it stands in the file.
    package let json: JSONValue

    /// Reads a case.
    ///
    /// Members that the format does not name (`note`, `source`) are for people and are ignored.
    ///
    /// - Parameter json: An element of `cases`.
    /// - Throws: ``CaseFileError`` if it has no id, operation, input or verdict.
    package init(_ json: JSONValue) throws(CaseFileError) {
        self.json = json
        guard let id = json["id"]?.string, !id.isEmpty else { throw CaseFileError("no id") }
        self.id = id
        guard let operation = json["operation"]?.string else { throw CaseFileError("\(id) has no operation") }
        self.operation = operation
        guard let input = json["input"] else { throw CaseFileError("\(id) has no input") }
        self.input = input
        guard let expectation = (json["expect"]?.string).flatMap(Expectation.init(rawValue:)) else {
            throw CaseFileError("\(id) expects neither accept nor reject")
        }
        self.expectation = expectation
        reason = json["reason"]?.string ?? ""
        value = json["value"]?.object ?? JSONObject()
        isPolicy = json["policy"]?.bool ?? false
        limits = Limits(
            maximumSeconds: json["limits"]?["maxSeconds"]?.double,
            maximumMemoryMiB: json["limits"]?["maxMemoryMiB"]?.double
        )
        switch json["requires"] {
        case nil, .null: requirements = []
        case .string(let name): requirements = [name]
        case .array(let names): requirements = names.compactMap(\.string)
        default: throw CaseFileError("\(id): \"requires\" is not text")
        }
    }
}
