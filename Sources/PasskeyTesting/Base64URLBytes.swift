import PasskeyWire

/// Bytes as base64url text.
struct Base64URLBytes: Codable {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = [UInt8](bytes)
    }

    init(from decoder: any Decoder) throws {
        bytes = try Base64URL.decode(decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64URL.encode(bytes))
    }
}
