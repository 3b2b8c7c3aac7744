/// The identifier octets of an ASN.1 element (X.690 §8.1.2).
package struct DERTag: Hashable, Sendable {
    /// The class.
    package enum Class: UInt8, Hashable, Sendable {
        case universal = 0
        case application = 0x40
        case contextSpecific = 0x80
        case `private` = 0xc0
    }

    package let tagClass: Class
    package let isConstructed: Bool
    package let number: UInt32

    package init(_ number: UInt32, in tagClass: Class = .universal, constructed: Bool = false) {
        self.tagClass = tagClass
        self.number = number
        isConstructed = constructed
    }

    package static let boolean = DERTag(1)
    package static let integer = DERTag(2)
    package static let bitString = DERTag(3)
    package static let octetString = DERTag(4)
    package static let null = DERTag(5)
    package static let objectIdentifier = DERTag(6)
    package static let enumerated = DERTag(10)
    package static let utf8String = DERTag(12)
    package static let sequence = DERTag(16, constructed: true)
    package static let set = DERTag(17, constructed: true)
    package static let printableString = DERTag(19)
    package static let ia5String = DERTag(22)
    package static let utcTime = DERTag(23)
    package static let generalizedTime = DERTag(24)

    /// A tag that only its context gives a meaning, such as `[702]`.
    package static func contextSpecific(_ number: UInt32, constructed: Bool = true) -> DERTag {
        DERTag(number, in: .contextSpecific, constructed: constructed)
    }

    /// The identifier octets of an element with this tag.
    package var octets: [UInt8] {
        let leading = tagClass.rawValue | (isConstructed ? 0x20 : 0)
        guard number >= 31 else { return [leading | UInt8(number)] }
        return [leading | 0x1f] + DER.base128(UInt64(number))
    }
}

extension DERTag: CustomStringConvertible {
    /// Class, number and form as ASN.1 writes them, such as `[702] constructed`.
    package var description: String {
        let name =
            switch tagClass {
            case .universal: "[UNIVERSAL \(number)]"
            case .application: "[APPLICATION \(number)]"
            case .contextSpecific: "[\(number)]"
            case .private: "[PRIVATE \(number)]"
            }
        return isConstructed ? name + " constructed" : name
    }
}
