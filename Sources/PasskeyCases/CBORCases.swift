import PasskeyWire

extension Case {
    func cborDecode() throws(MalformedCase) -> PreparedCase {
        let input = CaseInput(input)
        guard let mode = CBORMode(rawValue: try input.string("mode")) else { throw MalformedCase("an unknown mode") }
        let maximumDepth = try input.intIfPresent("maxDepth")
        let bytes = try Case.expandedBytes(input)
        let start = try input.intIfPresent("sliceFrom") ?? 0
        let end = try input.intIfPresent("sliceTo") ?? bytes.count
        guard (0...bytes.count).contains(end), (0...end).contains(start) else { throw MalformedCase("no such slice") }
        let wanted = Set(wantedValues)
        return PreparedCase { Case.decode(bytes[start..<end], mode, maximumDepth, wanted) }
    }

    /// Decodes with both readers of the one grammar, the borrowed tree and the value: a limit that one of them forgets
    /// shows here.
    private static func decode(
        _ bytes: ArraySlice<UInt8>,
        _ mode: CBORMode,
        _ maximumDepth: Int?,
        _ wanted: Set<String>
    ) -> CaseOutcome {
        var refusals: [WireError?] = [nil, nil]
        var value: JSONObject = [:]
        do throws(WireError) {
            let document = try CBORDocument(bytes, mode: mode, maximumDepth: maximumDepth)
            if wanted.contains("diagnostic") { value["diagnostic"] = .string(document.diagnostic) }
            if wanted.contains("deterministic") {
                let strict = try? CBORDocument(bytes, mode: .deterministic, maximumDepth: maximumDepth)
                value["deterministic"] = .bool(strict != nil)
            }
        } catch {
            refusals[0] = error
        }
        do throws(WireError) {
            _ = try CBOR(bytes, mode: mode, maximumDepth: maximumDepth)
        } catch {
            refusals[1] = error
        }
        switch (refusals[0], refusals[1]) {
        case (nil, nil): return .accepted(value: value)
        case (let first?, let second?) where first.code == second.code:
            return .rejected(error: "\(first)", step: nil)
        case (nil, let second?) where mode == .wellFormed && second.code == .invalidUTF8:
            // A tree holds strings, which are UTF-8; only the document keeps other bytes.
            return .accepted(value: value)
        case (let first, let second):
            let texts = [first, second].map { $0.map { "refuses: \($0)" } ?? "accepts" }
            return .broken(reason: "CBORDocument \(texts[0]); CBOR \(texts[1])")
        }
    }

    func cborEncode() throws(MalformedCase) -> PreparedCase {
        let input = CaseInput(input)
        let order: CBOR.KeyOrder
        let item: CBOR
        if let number = input["bignum"] {
            guard let text = number.string, let integer = CBOR(decimalInteger: text) else {
                throw MalformedCase("bignum is not a decimal integer")
            }
            (item, order) = (integer, .deterministic)
        } else if input["simple"] != nil {
            guard let simple = try input.intIfPresent("simple").flatMap(UInt8.init(exactly:)) else {
                throw MalformedCase("simple is not a number of one byte")
            }
            (item, order) = (.simple(simple), .deterministic)
        } else if let float = input["float"] {
            guard let double = float.double ?? float.string.flatMap(Double.init) else {
                throw MalformedCase("float is not a number")
            }
            (item, order) = (.float(double), .deterministic)
        } else if input["canonicalMap"] != nil {
            (item, order) = (try Case.map(input.required("canonicalMap")), .ctap2)
        } else {
            throw MalformedCase("nothing to encode is named")
        }
        return PreparedCase {
            do throws(WireError) {
                return .accepted(value: ["hex": .string(Hex.encode(try item.encoded(order)))])
            } catch {
                return .rejected(error: "\(error)", step: nil)
            }
        }
    }

    /// A map out of pairs, whose order is for the encoder to mend.
    private static func map(_ json: JSONValue) throws(MalformedCase) -> CBOR {
        guard let pairs = json.array else { throw MalformedCase("canonicalMap is not an array of pairs") }
        var entries: [CBOR.Entry] = []
        for pair in pairs {
            guard let pair = pair.array, pair.count == 2 else { throw MalformedCase("canonicalMap has no pair") }
            entries.append(CBOR.Entry(try item(pair[0]), try item(pair[1])))
        }
        return .map(entries)
    }

    private static func item(_ json: JSONValue) throws(MalformedCase) -> CBOR {
        switch json {
        case .null: return .null
        case .bool(let flag): return .bool(flag)
        case .string(let text): return .text(text)
        case .number(let number):
            guard let int = number.int else { throw MalformedCase("\(number.text) is not an integer") }
            return CBOR(int)
        case .array(let elements):
            var items: [CBOR] = []
            for element in elements { items.append(try item(element)) }
            return .array(items)
        case .object: throw MalformedCase("an object has no place in canonicalMap")
        }
    }

    /// The bytes that `hex`, `repeat` or `parts` describe.
    ///
    /// A recipe stands in for a file of megabytes; it may not stand in for one of gigabytes.
    private static func expandedBytes(_ input: CaseInput) throws(MalformedCase) -> [UInt8] {
        if input["hex"] != nil { return try input.hex("hex") }
        var bytes: [UInt8] = []
        func append(_ unit: [UInt8], times count: Int) throws(MalformedCase) {
            let limit = 256 << 20
            let (total, overflow) = unit.count.multipliedReportingOverflow(by: count)
            guard count >= 0, !overflow, total <= limit - bytes.count else {
                throw MalformedCase("the recipe makes more than \(limit) bytes")
            }
            if let byte = unit.first, unit.count == 1 {
                bytes += repeatElement(byte, count: count)
            } else {
                bytes.reserveCapacity(bytes.count + total)
                for _ in 0..<(unit.isEmpty ? 0 : count) { bytes += unit }
            }
        }
        if let recipe = input["repeat"].map(CaseInput.init) {
            guard let count = try recipe.intIfPresent("count") else { throw MalformedCase("repeat has no count") }
            try append(recipe.hex("prefix"), times: 1)
            try append(recipe.hex("unit"), times: count)
            try append(recipe.hex("suffix"), times: 1)
        } else if let parts = input["parts"]?.array {
            for part in parts.map(CaseInput.init) {
                try append(part.hex("hex"), times: part.intIfPresent("times") ?? 1)
            }
        } else {
            throw MalformedCase("none of hex, repeat and parts")
        }
        return bytes
    }
}
