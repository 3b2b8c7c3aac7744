import CPasskeyOpenSSL
import PasskeyWire

/// A name in X.501: attributes in order.
///
/// That several may stand in one relative name makes no difference here.
package struct DistinguishedName: Hashable, Sendable {
    /// A type and a value.
    package struct Attribute: Hashable, Sendable {
        /// The object identifier in dotted form.
        package let oid: String

        /// The value as text; characters of old string types are converted, and what is no text is read as UTF-8.
        package let value: String

        /// Whether both have the same bytes.
        package static func == (first: Self, second: Self) -> Bool {
            first.oid.hasSameBytes(as: second.oid) && first.value.hasSameBytes(as: second.value)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(bytesOf: oid)
            hasher.combine(bytesOf: value)
        }
    }

    package let attributes: [Attribute]

    package var isEmpty: Bool { attributes.isEmpty }

    /// The values of an attribute.
    package func values(_ oid: String) -> [String] {
        attributes.filter { $0.oid.hasSameBytes(as: oid) }.map(\.value)
    }

    /// The name as RFC 4514 writes it, the last attribute first, for people: types without a short name have text, too,
    /// and what a terminal or a log would obey is escaped.
    package var text: String {
        attributes.reversed().map { attribute in
            (Self.names[attribute.oid] ?? attribute.oid) + "=" + Self.escaped(attribute.value)
        }.joined(separator: ",")
    }

    /// RFC 4514 section 3.
    private static let names = [
        "2.5.4.3": "CN", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.9": "STREET", "2.5.4.10": "O",
        "2.5.4.11": "OU", "0.9.2342.19200300.100.1.1": "UID", "0.9.2342.19200300.100.1.25": "DC",
    ]

    private static func escaped(_ value: String) -> String {
        var text = ""
        let last = value.unicodeScalars.count - 1
        for (index, scalar) in value.unicodeScalars.enumerated() {
            switch (scalar, scalar.properties.generalCategory) {
            case (",", _), ("+", _), ("\"", _), ("\\", _), ("<", _), (">", _), (";", _): text += "\\" + String(scalar)
            case (" ", _) where index == 0 || index == last, ("#", _) where index == 0: text += "\\" + String(scalar)
            case (_, .control), (_, .format), (_, .lineSeparator), (_, .paragraphSeparator):
                for byte in String(scalar).utf8 { text += (byte < 0x10 ? "\\0" : "\\") + String(byte, radix: 16) }
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Copies a name out of a certificate.
    init(copying name: OpaquePointer?) {
        attributes = unsafe name.map { unsafe Self.attributes(of: $0) } ?? []
    }

    private static func attributes(of name: OpaquePointer) -> [Attribute] {
        var attributes: [Attribute] = []
        for index in 0..<max(unsafe X509_NAME_entry_count(name), 0) {
            guard let entry = unsafe X509_NAME_get_entry(name, index) else { continue }
            attributes.append(
                Attribute(
                    oid: unsafe ASN1Octets.objectIdentifier(X509_NAME_ENTRY_get_object(entry)),
                    value: unsafe ASN1Octets.text(X509_NAME_ENTRY_get_data(entry))
                )
            )
        }
        return attributes
    }
}

/// Copies values out of libcrypto's ASN.1 objects.
enum ASN1Octets {
    /// The content of a string; none of `nil`.
    static func copy(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        guard let string = unsafe string, let data = unsafe ASN1_STRING_get0_data(string) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: data, count: Int(max(ASN1_STRING_length(string), 0))))
    }

    /// The text of a string of any type.
    static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String {
        var converted: UnsafeMutablePointer<UInt8>?
        let count = unsafe string.map { unsafe ASN1_STRING_to_UTF8(&converted, $0) } ?? -1
        defer { unsafe passkey_free(converted) }
        guard count >= 0, let converted = unsafe converted else {
            return unsafe String(decoding: copy(string), as: UTF8.self)
        }
        return unsafe String(decoding: UnsafeBufferPointer(start: converted, count: Int(count)), as: UTF8.self)
    }

    /// An object identifier in dotted form.
    static func objectIdentifier(_ object: OpaquePointer?) -> String {
        guard let object = unsafe object else { return "" }
        // Longer ones do not exist, and libcrypto takes the square of the length. Each octet gives four characters at
        // the most.
        guard unsafe OBJ_length(object) <= 64 else { return "" }
        var buffer = [CChar](repeating: 0, count: 256)
        let count = unsafe OBJ_obj2txt(&buffer, CInt(buffer.count), object, 1)
        guard count > 0, count < buffer.count else { return "" }
        return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
