/// Reads elements of DER (X.690) one after another: definite and minimal lengths, nothing else.
///
/// It is for what libcrypto does not know: FIDO's own extensions, Android's key description, names in TPM certificates.
package struct DERReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package var isAtEnd: Bool { position == bytes.endIndex }

    /// Reads the next element.
    package mutating func next() throws(WireError) -> DERElement {
        var reader = self
        let start = reader.position
        let tag = try reader.readTag()
        let count = try reader.readLength(start)
        guard count <= bytes.endIndex - reader.position else { throw WireError(.truncated, at: start) }
        let contentStart = reader.position
        position = contentStart + count
        return DERElement(tag: tag, content: bytes[contentStart..<position], encoded: bytes[start..<position])
    }

    /// Reads the next element, which must have this tag.
    package mutating func read(_ tag: DERTag) throws(WireError) -> DERElement {
        let start = position
        let element = try next()
        guard element.tag == tag else {
            position = start
            throw WireError(.wrongType, at: start, detail: "\(element.tag), not \(tag)")
        }
        return element
    }

    /// Reads the next element if it has this tag.
    package mutating func readIfPresent(_ tag: DERTag) throws(WireError) -> DERElement? {
        guard !isAtEnd else { return nil }
        let start = position
        let element = try next()
        if element.tag == tag { return element }
        position = start
        return nil
    }

    /// Refuses what was not read.
    package func finish() throws(WireError) {
        guard isAtEnd else { throw WireError(.trailingBytes, at: position) }
    }

    /// Reads a byte of the head that begins at `start`.
    private mutating func readByte(_ start: Int) throws(WireError) -> UInt8 {
        guard position < bytes.endIndex else { throw WireError(.truncated, at: start) }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func readTag() throws(WireError) -> DERTag {
        let start = position
        let first = try readByte(start)
        // Universal 0 ends what has no definite length, and DER has nothing of that kind.
        guard first & 0xdf != 0 else { throw WireError(.wrongType, at: start, detail: "the tag 0 is reserved") }
        let tagClass = DERTag.Class(rawValue: first & 0xc0) ?? .universal
        let isConstructed = first & 0x20 != 0
        guard first & 0x1f == 0x1f else {
            return DERTag(UInt32(first & 0x1f), in: tagClass, constructed: isConstructed)
        }
        var number: UInt32 = 0
        for index in 0... {
            let byte = try readByte(start)
            guard index > 0 || byte != 0x80 else { throw WireError(.notMinimal, at: start, detail: "tag") }
            guard number <= UInt32.max >> 7 else { throw WireError(.outOfRange, at: start, detail: "tag") }
            number = number << 7 | UInt32(byte & 0x7f)
            if byte & 0x80 == 0 { break }
        }
        guard number >= 31 else { throw WireError(.notMinimal, at: start, detail: "tag") }
        return DERTag(number, in: tagClass, constructed: isConstructed)
    }

    private mutating func readLength(_ head: Int) throws(WireError) -> Int {
        let start = position
        let first = try readByte(head)
        guard first & 0x80 != 0 else { return Int(first) }
        let count = Int(first & 0x7f)
        guard count > 0 else { throw WireError(.indefiniteLength, at: start) }
        // Four bytes hold more than any input may.
        guard count <= 4 else { throw WireError(.outOfRange, at: start, detail: "length") }
        var length: UInt64 = 0
        for _ in 0..<count { length = length << 8 | UInt64(try readByte(head)) }
        guard length >= 0x80, length >> UInt64(8 * (count - 1)) != 0 else {
            throw WireError(.notMinimal, at: start, detail: "length")
        }
        guard let value = Int(exactly: length) else { throw WireError(.outOfRange, at: start, detail: "length") }
        return value
    }
}

/// One element of DER.
package struct DERElement: Hashable, Sendable {
    package let tag: DERTag

    /// The content octets; indices are those of the whole input.
    package let content: ArraySlice<UInt8>

    /// Identifier, length and content.
    package let encoded: ArraySlice<UInt8>

    /// Where the element begins in the whole input.
    package var offset: Int { encoded.startIndex }

    /// Reads the elements within this one.
    package func reader() throws(WireError) -> DERReader {
        guard tag.isConstructed else { throw WireError(.wrongType, at: offset, detail: "the element is primitive") }
        return DERReader(content)
    }

    /// The value of an INTEGER or ENUMERATED that fits.
    package func integer() throws(WireError) -> Int {
        let octets = try integerBytes()
        guard octets.count <= Int.bitWidth / 8 else { throw WireError(.outOfRange, at: offset, detail: "integer") }
        var value = octets.first.map { $0 & 0x80 != 0 ? -1 : 0 } ?? 0
        for byte in octets { value = value << 8 | Int(byte) }
        return value
    }

    /// The octets of an INTEGER or ENUMERATED: two's complement, as short as it can be.
    package func integerBytes() throws(WireError) -> [UInt8] {
        try requirePrimitive()
        guard let first = content.first else { throw WireError(.truncated, at: offset, detail: "integer") }
        if content.count > 1 {
            let second = content[content.startIndex + 1]
            guard !(first == 0 && second & 0x80 == 0), !(first == 0xff && second & 0x80 != 0) else {
                throw WireError(.notMinimal, at: offset, detail: "integer")
            }
        }
        return Array(content)
    }

    /// The value of a BOOLEAN.
    package func boolean() throws(WireError) -> Bool {
        try requirePrimitive()
        switch (content.count, content.first) {
        case (1, 0): return false
        case (1, 0xff): return true
        default: throw WireError(.outOfRange, at: offset, detail: "boolean")
        }
    }

    /// The content of an OCTET STRING.
    package func octets() throws(WireError) -> [UInt8] {
        try requirePrimitive()
        return Array(content)
    }

    /// The content of a BIT STRING of whole bytes.
    package func bitString() throws(WireError) -> [UInt8] {
        try requirePrimitive()
        guard content.first == 0 else { throw WireError(.outOfRange, at: offset, detail: "unused bits") }
        return Array(content.dropFirst())
    }

    /// An OBJECT IDENTIFIER with dots.
    package func objectIdentifier() throws(WireError) -> String {
        try requirePrimitive()
        // Longer ones do not exist, and text is several times as long as its octets.
        guard (1...64).contains(content.count) else {
            throw WireError(.outOfRange, at: offset, detail: "object identifier")
        }
        var arcs: [UInt64] = []
        var value: UInt64 = 0
        var isWhole = true
        for byte in content {
            guard !(isWhole && byte == 0x80) else {
                throw WireError(.notMinimal, at: offset, detail: "object identifier")
            }
            // Identifiers made of a UUID (X.667) have an arc of 128 bits; whatever asks for text here has none.
            guard value <= UInt64.max >> 7 else {
                throw WireError(.outOfRange, at: offset, detail: "object identifier")
            }
            value = value << 7 | UInt64(byte & 0x7f)
            isWhole = byte & 0x80 == 0
            guard isWhole else { continue }
            if arcs.isEmpty {
                let root = min(value / 40, 2)
                arcs = [root, value - root * 40]
            } else {
                arcs.append(value)
            }
            value = 0
        }
        guard isWhole else { throw WireError(.truncated, at: offset, detail: "object identifier") }
        return arcs.map { String($0) }.joined(separator: ".")
    }

    /// Refuses a NULL with content.
    package func null() throws(WireError) {
        try requirePrimitive()
        guard content.isEmpty else { throw WireError(.trailingBytes, at: content.startIndex, detail: "null") }
    }

    private func requirePrimitive() throws(WireError) {
        guard !tag.isConstructed else { throw WireError(.wrongType, at: offset, detail: "the element is constructed") }
    }
}
