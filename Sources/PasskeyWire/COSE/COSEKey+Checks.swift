extension COSEKey {
    /// What an algorithm is used with.
    private enum Use {
        case ec2(Curve)
        case okp(Curve)
        case rsa
        case akp(count: Int)
    }

    private static func use(of algorithm: COSEAlgorithmIdentifier) -> Use? {
        switch algorithm {
        case .es256, .esp256: .ec2(.p256)
        case .es384, .esp384: .ec2(.p384)
        case .es512, .esp512: .ec2(.p521)
        case .es256K: .ec2(.secp256k1)
        case .edDSA, .ed25519: .okp(.ed25519)
        case .ed448: .okp(.ed448)
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .rs1: .rsa
        // FIPS 204 table 2.
        case .mlDSA44: .akp(count: 1312)
        case .mlDSA65: .akp(count: 1952)
        case .mlDSA87: .akp(count: 2592)
        default: nil
        }
    }

    /// Checks that the parts belong together and have the right sizes.
    static func check(
        _ algorithm: COSEAlgorithmIdentifier,
        _ parameters: Parameters,
        _ map: COSEKeyMap?
    ) throws(WireError) {
        func offset(_ label: Int) -> Int { map?.offset(of: label) ?? 0 }
        func mismatch() -> WireError {
            WireError(.algorithmMismatch, at: offset(3), detail: "\(algorithm) with kty \(parameters.keyType)")
        }
        guard let use = use(of: algorithm) else {
            throw WireError(.unsupportedAlgorithm, at: offset(3), detail: "\(algorithm)")
        }
        switch (use, parameters) {
        case (.ec2(let expected), .ec2(let curve, let x, let y)):
            guard curve == expected else { throw mismatch() }
            guard x.count == curve.length else { throw length("x", x.count, curve.length, offset(-2)) }
            guard y.count == curve.length else { throw length("y", y.count, curve.length, offset(-3)) }
        case (.okp(let expected), .okp(let curve, let x)):
            guard curve == expected else { throw mismatch() }
            guard x.count == curve.length else { throw length("x", x.count, curve.length, offset(-2)) }
        case (.rsa, .rsa(let n, let e)):
            try checkModulus(n, at: offset(-1))
            try checkExponent(e, at: offset(-2))
        case (.akp(let count), .akp(let key)):
            guard key.count == count else { throw length("pub", key.count, count, offset(-1)) }
        default: throw mismatch()
        }
    }

    private static func length(_ name: String, _ actual: Int, _ expected: Int, _ offset: Int) -> WireError {
        WireError(.invalidKeyLength, at: offset, detail: "\(name) of \(actual) bytes, not \(expected)")
    }

    private static func checkModulus(_ n: [UInt8], at offset: Int) throws(WireError) {
        guard let first = n.first, let last = n.last else {
            throw WireError(.invalidModulus, at: offset, detail: "n is empty")
        }
        guard first != 0 else { throw WireError(.notMinimal, at: offset, detail: "n") }
        // Compared in bytes first, so that the product below is small.
        let bits = min(n.count, modulusBits.upperBound) * 8 - first.leadingZeroBitCount
        guard modulusBits.contains(bits) else {
            throw WireError(.invalidModulus, at: offset, detail: "n of \(n.count) bytes")
        }
        guard last & 1 == 1 else { throw WireError(.invalidModulus, at: offset, detail: "n is even") }
    }

    private static func checkExponent(_ e: [UInt8], at offset: Int) throws(WireError) {
        guard let first = e.first, let last = e.last else {
            throw WireError(.invalidExponent, at: offset, detail: "e is empty")
        }
        guard first != 0 else { throw WireError(.notMinimal, at: offset, detail: "e") }
        guard e.count <= greatestExponentCount else {
            throw WireError(.invalidExponent, at: offset, detail: "e of \(e.count) bytes")
        }
        guard last & 1 == 1, e != [1] else { throw WireError(.invalidExponent, at: offset, detail: "e is even or 1") }
    }
}

/// The entries of a key's map by label, with the offsets of their values.
struct COSEKeyMap {
    private enum Value {
        case integer(Int)
        case bytes([UInt8])
        case bool
        /// An integer that no `Int` holds, or another type.
        case other
    }

    private var entries: [(label: Int, value: Value, offset: Int)] = []

    /// Reads a map with integer labels, of which at most six can belong to a key.
    init(_ reader: inout CBORReader) throws(WireError) {
        let count = try reader.enterMap() ?? 0
        entries.reserveCapacity(min(count, 6))
        while !reader.isAtEnd {
            let labelOffset = reader.offset
            guard let label = try? reader.readInt() else {
                throw WireError(.unexpectedParameter, at: labelOffset, detail: "label")
            }
            // 2, 4 and 5 are kid, key_ops and Base IV, which WebAuthn §6.5.1.1 forbids.
            guard [1, 3, -1, -2, -3, -4].contains(label) || label < -4 && label >= -12 else {
                throw WireError(.unexpectedParameter, at: labelOffset, detail: "label \(label)")
            }
            entries.append((label, try Self.read(&reader), labelOffset))
        }
        try reader.leave()
    }

    private static func read(_ reader: inout CBORReader) throws(WireError) -> Value {
        switch reader.kind {
        case .unsigned?, .negative?:
            if let value = try? reader.readInt() { return .integer(value) }
        case .bytes?: return .bytes(try reader.readBytes())
        case .simple?:
            if (try? reader.readBool()) != nil { return .bool }
        default: break
        }
        try reader.skip()
        return .other
    }

    /// The offset of a label, or 0 if it is absent.
    func offset(of label: Int) -> Int {
        entries.first { $0.label == label }?.offset ?? 0
    }

    private func value(_ label: Int, _ name: String) throws(WireError) -> Value {
        guard let entry = entries.first(where: { $0.label == label }) else {
            throw WireError(.missingParameter, at: 0, detail: name)
        }
        return entry.value
    }

    func integer(_ label: Int, _ name: String) throws(WireError) -> Int {
        guard case .integer(let value) = try value(label, name) else { throw wrongType(label, name) }
        return value
    }

    private func bytes(_ label: Int, _ name: String) throws(WireError) -> [UInt8] {
        guard case .bytes(let value) = try value(label, name) else { throw wrongType(label, name) }
        return value
    }

    private func wrongType(_ label: Int, _ name: String) -> WireError {
        WireError(.wrongType, at: offset(of: label), detail: name)
    }

    private func curve() throws(WireError) -> COSEKey.Curve {
        let number = try integer(-1, "crv")
        guard let curve = COSEKey.Curve(rawValue: number) else {
            throw WireError(.unsupportedCurve, at: offset(of: -1), detail: "crv \(number)")
        }
        return curve
    }

    /// Refuses what does not belong to a public key of the type.
    ///
    /// - Parameters:
    ///   - last: The last label that does.
    ///   - privateLabels: The labels of private key material.
    /// - Throws: `privateKey` or `unexpectedParameter`.
    private func allow(downTo last: Int, private privateLabels: ClosedRange<Int>) throws(WireError) {
        for entry in entries where entry.label < last {
            let isPrivate = privateLabels.contains(entry.label)
            throw WireError(
                isPrivate ? .privateKey : .unexpectedParameter,
                at: entry.offset,
                detail: "label \(entry.label)"
            )
        }
    }

    /// What the key type says is in the map.
    func parameters() throws(WireError) -> COSEKey.Parameters {
        switch try integer(1, "kty") {
        case 1:
            // -3 is nothing, -4 is d.
            try allow(downTo: -2, private: -4 ... -4)
            return .okp(try curve(), x: try bytes(-2, "x"))
        case 2:
            try allow(downTo: -3, private: -4 ... -4)
            let curve = try curve()
            let x = try bytes(-2, "x")
            if case .bool = try value(-3, "y") {
                throw WireError(.compressedPoint, at: offset(of: -3))
            }
            return .ec2(curve, x: x, y: try bytes(-3, "y"))
        case 3:
            // RFC 8230 §4: -3 to -12 are d, the primes and what follows from them.
            try allow(downTo: -2, private: -12 ... -3)
            return .rsa(n: try bytes(-1, "n"), e: try bytes(-2, "e"))
        case 7:
            try allow(downTo: -1, private: -2 ... -2)
            return .akp(publicKey: try bytes(-1, "pub"))
        case let number:
            throw WireError(.unsupportedKeyType, at: offset(of: 1), detail: "kty \(number)")
        }
    }
}
