import PasskeyWire
import Testing

@Suite("Case files")
struct CaseFileTests {
    @Test("base64url", arguments: try VectorCase.committed("base64url", "base64url.decode"))
    func base64url(_ vector: VectorCase) throws {
        try check(base64url: vector)
    }

    @Test("RFC 8949, Appendices A and F", arguments: try VectorCase.committed("cbor-rfc8949", "cbor.decode"))
    func rfc8949(_ vector: VectorCase) throws {
        try check(decoding: vector)
    }

    @Test("deterministic and canonical forms", arguments: try VectorCase.committed("cbor-canonical", "cbor.decode"))
    func canonical(_ vector: VectorCase) throws {
        try check(decoding: vector)
    }

    @Test("hostile CBOR", arguments: try VectorCase.committed("cbor-hostile", "cbor.decode"))
    func hostile(_ vector: VectorCase) throws {
        try check(decoding: vector)
    }

    #if !DEBUG
    /// Optimized it takes a tenth of a second, so that the limit holds on a busy machine, too.
    @Test("all of hostile CBOR is over in a second")
    func hostileTime() throws {
        let cases = try VectorCase.committed("cbor-hostile", "cbor.decode").map { vector in
            (vector, try vector.bytes, try #require(vector.input.mode.flatMap(CBORMode.init)))
        }
        #expect(cases.count > 40)
        var accepted = 0
        let duration = ContinuousClock().measure {
            for (vector, bytes, mode) in cases {
                let depth = vector.input.maxDepth
                if (try? CBORDocument(bytes, mode: mode, maximumDepth: depth)) != nil { accepted += 1 }
                if (try? CBOR(bytes, mode: mode, maximumDepth: depth)) != nil { accepted += 1 }
            }
        }
        #expect(accepted > 0)
        #expect(duration < .seconds(1))
    }
    #endif

    @Test("reported faults in decoders", arguments: try VectorCase.committed("reports-codecs", "cbor.decode"))
    func reportedDecoding(_ vector: VectorCase) throws {
        try check(decoding: vector)
    }

    @Test("reported faults in encoders", arguments: try VectorCase.committed("reports-codecs", "cbor.encode"))
    func reportedEncoding(_ vector: VectorCase) throws {
        let value: CBOR
        var order = CBOR.KeyOrder.deterministic
        if let digits = vector.input.bignum {
            value = try #require(CBOR(decimalInteger: digits))
        } else if let simple = vector.input.simple {
            value = .simple(simple)
        } else if let text = vector.input.float {
            value = .float(try #require(Double(text)))
        } else {
            let pairs = try #require(vector.input.canonicalMap)
            value = .map(pairs.map { CBOR.Entry($0[0].cbor, $0[1].cbor) })
            order = .ctap2
        }
        var encoded: [UInt8]?
        let error = wireError { () throws(WireError) in encoded = try value.encoded(order) }
        #expect((error == nil) == vector.isAccepted)
        if let expected = vector.value?.hex { #expect(encoded.map(Hex.encode) == expected) }
    }

    @Test("reported faults with base64url", arguments: try VectorCase.committed("reports-codecs", "base64url.decode"))
    func reportedBase64URL(_ vector: VectorCase) throws {
        try check(base64url: vector)
    }

    /// Points that are on no curve have the right shape: they are not this module's to refuse.
    @Test("reported faults with keys", arguments: try VectorCase.committed("reports-codecs", "cose.key"))
    func reportedKeys(_ vector: VectorCase) throws {
        let bytes = try vector.bytes
        let key = try? COSEKey(bytes)
        if vector.isAccepted {
            let key = try #require(key)
            #expect(key.encoded == bytes)
            #expect(try COSEKey(algorithm: key.algorithm, key.parameters).encoded == bytes)
        } else {
            #expect((key == nil) != vector.id.contains("off-curve"))
        }
    }

    private func check(base64url vector: VectorCase) throws {
        let text = try #require(vector.input.text)
        let decoded = try? Base64URL.decode(text)
        #expect((decoded != nil) == vector.isAccepted)
        #expect((try? Base64URL.decode([UInt8](text.utf8))) == decoded)
        if let decoded, let expected = vector.value?.hex {
            #expect(Hex.encode(decoded) == expected)
            #expect(Base64URL.encode(decoded) == text)
        }
    }

    /// Every way to read must give one verdict.
    private func check(decoding vector: VectorCase) throws {
        var bytes = try vector.bytes[...]
        let mode = try #require(vector.input.mode.flatMap(CBORMode.init))
        let depth = vector.input.maxDepth
        if let upper = vector.input.sliceTo { bytes = bytes[..<upper] }
        if let lower = vector.input.sliceFrom { bytes = bytes[lower...] }
        var document: CBORDocument?
        let error = wireError { () throws(WireError) in
            document = try CBORDocument(bytes, mode: mode, maximumDepth: depth)
        }
        #expect((document != nil) == vector.isAccepted, "\(String(describing: error))")
        if let hint = vector.value?.error, let error { #expect(Self.codes(of: hint).contains(error.code)) }

        #expect(readerError(bytes, mode, depth) == error)
        var value: CBOR?
        let valueError = wireError { () throws(WireError) in
            value = try CBOR(bytes, mode: mode, maximumDepth: depth)
        }
        // A tree holds strings, so that it alone needs UTF-8 in every mode.
        if mode != .wellFormed || valueError?.code != .invalidUTF8 { #expect(valueError == error) }

        guard let document else { return }
        #expect(document.bytes == Array(bytes))
        if let expected = vector.value?.diagnostic { #expect(document.diagnostic == expected) }
        if let expected = vector.value?.deterministic { #expect(document.isDeterministic == expected) }
        if document.isDeterministic, let value { #expect(try value.encoded() == document.bytes) }
        if let value { #expect(value == document.value) }
    }

    /// What the file calls a fault.
    private static func codes(of hint: String) -> [WireError.Code] {
        switch hint {
        case "truncated": [.truncated]
        case "trailing-data": [.trailingBytes]
        case "too-deep", "too-deep (or tag refused)": [.tooDeep]
        case "duplicate-key": [.duplicateKey]
        case "reserved-additional-info": [.reservedAdditionalInformation]
        case "simple-below-32-two-bytes": [.reservedSimpleValue]
        case "bad-chunk": [.invalidChunk]
        case "unexpected-break", "break-instead-of-value": [.unexpectedBreak]
        case "indefinite-not-allowed": [.indefiniteLength]
        default: []
        }
    }
}
