import PasskeyWire
import Testing

/// Every way to read CBOR against a slow plain one, on seeded inputs.
@Suite("CBOR readers agree")
struct CBORAgreementTests {
    @Test("well-formedness is Appendix C's, on random bytes", arguments: 1...4)
    func randomBytes(_ seed: UInt64) {
        var random = XorShift(seed: seed)
        var accepted = 0
        for _ in 0..<2500 {
            let count = 1 + random.below(24)
            // Half of the bytes are heads that say something; random ones are mostly truncated strings.
            let heads: [UInt8] = [
                0x00, 0x18, 0x41, 0x5f, 0x61, 0x7f, 0x80, 0x81, 0x9f, 0xa1, 0xbf, 0xc1, 0xf4, 0xf8, 0xf9, 0xff,
            ]
            let bytes = (0..<count).map { _ in
                random.below(4) == 0 ? UInt8(random.below(256)) : heads[random.below(heads.count)]
            }
            if compare(bytes) { accepted += 1 }
        }
        #expect(accepted > 100)
    }

    @Test("well-formedness is Appendix C's, on mutated items", arguments: 1...4)
    func mutatedItems(_ seed: UInt64) {
        var generator = ReferenceGenerator(random: XorShift(seed: seed &+ 1000))
        for _ in 0..<800 {
            let item = generator.item()
            var bytes = generator.encode(item, style: 2)
            for _ in 0..<generator.random.below(3) {
                let index = generator.random.below(bytes.count)
                switch generator.random.below(3) {
                case 0: bytes[index] ^= 1 << UInt8(generator.random.below(8))
                case 1: bytes.remove(at: index)
                default: bytes.insert(UInt8(generator.random.below(256)), at: index)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            compare(bytes)
        }
    }

    /// Compares the verdicts on a prefix and on the whole.
    @discardableResult
    private func compare(_ bytes: [UInt8]) -> Bool {
        var reference = ReferenceDecoder(bytes)
        let isWellFormed = (try? reference.wellFormed()) != nil
        let document = try? CBORDocument(prefixOf: bytes, mode: .wellFormed, maximumDepth: .max)
        #expect((document != nil) == isWellFormed, "\(Hex.encode(bytes))")
        guard let document else {
            for mode in CBORMode.allCases { #expect((try? CBOR(bytes, mode: mode, maximumDepth: .max)) == nil) }
            return false
        }
        #expect(document.bytes.count == reference.position, "\(Hex.encode(bytes))")
        checkAgreement(document)
        return true
    }

    @Test("each mode refuses what it must and nothing else", arguments: 1...6)
    func verdicts(_ seed: UInt64) throws {
        var generator = ReferenceGenerator(random: XorShift(seed: seed))
        var counts = [0, 0, 0, 0]
        for round in 0..<800 {
            let item = generator.item()
            let ctap2 = item.canonical(ctap2: true)
            let bytes =
                switch round % 5 {
                case 3: ctap2
                case 4: item.canonical(ctap2: false)
                case let style: generator.encode(item, style: style)
                }
            let isValid = !item.hasDuplicates
            let hint = Comment(rawValue: Hex.encode(bytes))
            #expect(accepts(bytes, .wellFormed), hint)
            #expect(accepts(bytes, .valid) == isValid, hint)
            let isDeterministic = isValid && bytes == item.canonical(ctap2: false)
            #expect(accepts(bytes, .deterministic) == isDeterministic, hint)
            let isCTAP2 =
                isValid && [ctap2, item.canonical(ctap2: true, shortestFloats: true)].contains(bytes) && !item.hasTags
                && item.depth(countingTags: true) <= 4
            #expect(accepts(bytes, .ctap2) == isCTAP2, hint)
            for (index, verdict) in [isValid, !isValid, isDeterministic, isCTAP2].enumerated() where verdict {
                counts[index] += 1
            }
            // The depth limit is exact.
            let depth = item.depth(countingTags: true)
            #expect((try? CBORDocument(bytes, mode: .wellFormed, maximumDepth: depth)) != nil, hint)
            if depth > 0 {
                let error = wireError { () throws(WireError) in
                    try CBORDocument(bytes, mode: .wellFormed, maximumDepth: depth - 1)
                }
                #expect(error?.code == .tooDeep, hint)
            }
            // What comes out is what went in.
            let document = try CBORDocument(bytes, mode: .wellFormed)
            if round % 5 < 3 { #expect(document.value.diagnostic == item.notation, hint) }
            if round % 5 < 2 { #expect(document.diagnostic == item.notation, hint) }
            if isValid {
                let value = try CBOR(bytes)
                #expect(try value.encoded() == item.canonical(ctap2: false), hint)
                #expect(try CBORDocument(value.encoded(), mode: .deterministic).value == value, hint)
                // CTAP2 order over shortest floats: what this order writes, its mode reads.
                if !item.hasTags, item.depth(countingTags: true) <= 4 {
                    #expect(accepts(try value.encoded(.ctap2), .ctap2), hint)
                }
            }
            checkAgreement(document)
        }
        // Each verdict was met often enough to mean something.
        #expect(counts.allSatisfy { $0 > 40 }, "\(counts)")
    }

    @Test("equality and hashing are by value", arguments: 1...4)
    func equality(_ seed: UInt64) throws {
        var generator = ReferenceGenerator(random: XorShift(seed: seed &+ 77))
        let items = (0..<60).map { _ in generator.item(depth: 2) }
        let values = try items.map { try CBOR(generator.encode($0, style: 2), mode: .wellFormed) }
        for (left, leftValue) in zip(items, values) {
            #expect(try CBOR(generator.encode(left, style: 2), mode: .wellFormed) == leftValue)
            for (right, rightValue) in zip(items, values) {
                let isEqual =
                    left.canonical(ctap2: false) == right.canonical(ctap2: false) || ReferenceItem.areEqual(left, right)
                guard !left.hasDuplicates, !right.hasDuplicates else { continue }
                #expect((leftValue == rightValue) == isEqual, "\(leftValue) \(rightValue)")
                if isEqual { #expect(leftValue.hashValue == rightValue.hashValue) }
            }
        }
    }

    private func accepts(_ bytes: [UInt8], _ mode: CBORMode) -> Bool {
        let document = try? CBORDocument(bytes, mode: mode)
        #expect((document != nil) == (readerError(bytes[...], mode) == nil))
        if mode != .wellFormed { #expect(((try? CBOR(bytes, mode: mode)) != nil) == (document != nil)) }
        return document != nil
    }

    /// Document, reader and tree must see the same item.
    private func checkAgreement(_ document: CBORDocument) {
        let tree = document.value
        #expect(rebuilt(document.root) == tree)
        let slice = document.bytes[...]
        let read = try? CBORReader.read(slice, mode: .wellFormed, maximumDepth: .max) { (reader) throws(WireError) in
            try rebuilt(&reader)
        }
        // The reader refuses text that is not UTF-8, which the others repair.
        if let read { #expect(read == tree) }
        #expect(document.diagnostic == document.root.diagnostic)
    }

    private func rebuilt(_ item: CBORDocument.Item) -> CBOR {
        switch item.kind {
        case .array: return .array((item.elements.map(Array.init) ?? []).map(rebuilt))
        case .map:
            return .map((item.entries.map(Array.init) ?? []).map { CBOR.Entry(rebuilt($0.key), rebuilt($0.value)) })
        case .tag:
            guard let (number, content) = item.tag else { break }
            return .tagged(number, rebuilt(content))
        case .bytes: return item.byteArray.map { .bytes($0) } ?? .undefined
        case .text: return item.string.map { .text($0) } ?? item.value
        default: break
        }
        return item.value
    }

    private func rebuilt(_ reader: inout CBORReader) throws(WireError) -> CBOR {
        switch reader.kind {
        case .unsigned?: return .unsigned(try reader.readUnsigned())
        case .bytes?: return .bytes(try reader.readBytes())
        case .text?: return .text(try reader.readText())
        case .array?:
            var elements: [CBOR] = []
            try reader.enterArray()
            while !reader.isAtEnd { elements.append(try rebuilt(&reader)) }
            try reader.leave()
            return .array(elements)
        case .map?:
            var entries: [CBOR.Entry] = []
            try reader.enterMap()
            while !reader.isAtEnd { entries.append(CBOR.Entry(try rebuilt(&reader), try rebuilt(&reader))) }
            try reader.leave()
            return .map(entries)
        case .tag?: return .tagged(try reader.readTag(), try rebuilt(&reader))
        case .simple?: return .simple(try reader.readSimple())
        case .float?: return .float(try reader.readDouble())
        default: return try reader.readValue()
        }
    }
}
