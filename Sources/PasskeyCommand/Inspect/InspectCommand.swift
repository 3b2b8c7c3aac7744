import PasskeyWire

/// The command `passkey inspect`: what some bytes are.
enum InspectCommand: Command {
    static let syntax = CommandSyntax(
        name: "inspect",
        operands: "[FILE|-]",
        operandCount: 0...1,
        summary: "print what an attestation object, a response, a key or any CBOR holds",
        discussion: """
            Takes hex, base64, base64url or raw bytes from FILE or standard input, and recognises an attestation
            object, authenticator data, a COSE key, client data, a whole registration or authentication response, or
            plain CBOR. The column on the left is the offset in the bytes. Nothing is verified but what a structure
            needs to be one; 'fault' says what a verifier would refuse.
            """,
        options: [
            .init(name: "as", argument: .one("ENCODING"), help: "hex, base64, base64url or raw; otherwise a guess"),
            .init(name: "json", help: "print one JSON object; bytes are base64url"),
        ],
        examples: [
            "passkey inspect response.json",
            "echo 82018202f5 | passkey inspect",
            "passkey inspect --as raw --json attestation.bin",
        ]
    )

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandError) -> Int32 {
        let input = try Input.bytes(arguments.operands.first ?? "-", for: "inspect")
        guard !input.allSatisfy(InputForm.isSpace) else { throw .failure("passkey inspect: the input is empty") }
        let form = try form(of: input, arguments.value("as"))
        let finding = try Recognition.finding(in: form)
        if arguments.has("json") {
            console.line(String(decoding: json(finding, form).serialized(pretty: true), as: UTF8.self))
        } else {
            write(finding, form, console)
        }
        return finding.fault == nil ? 0 : 1
    }

    private static func form(of input: [UInt8], _ name: String?) throws(CommandError) -> InputForm {
        guard let name else { return InputForm.guess(of: input) }
        guard let encoding = InputForm.Encoding(rawValue: name) else {
            let names = InputForm.Encoding.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("passkey inspect: --as takes one of \(names), not \(visible(name))")
        }
        guard let form = InputForm.one(encoding, of: input) else {
            throw .failure("passkey inspect: the input is not \(name)")
        }
        return form
    }

    private static func write(_ finding: Finding, _ form: InputForm, _ console: Console) {
        let title = "\(finding.kind), \(Recognition.count(form.bytes)) (\(form.encoding.rawValue))"
        console.line(console.styled(title, .bold))
        for part in finding.allParts {
            for line in part.lines(console) { console.line(line) }
        }
    }

    static func json(_ finding: Finding, _ form: InputForm) -> JSONValue {
        let value = Node("", "", children: finding.allParts).value
        var object: JSONObject = [
            "kind": .string(finding.kind),
            "encoding": .string(form.encoding.rawValue),
            "bytes": .number(JSONNumber(form.bytes.count)),
        ]
        for member in value.object?.members ?? [] { object[member.name] = member.value }
        return .object(object)
    }
}
