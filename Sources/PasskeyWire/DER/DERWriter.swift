/// Writes elements of DER (X.690): each function gives a whole element, to be put into another.
package enum DER {
    /// An element with this tag and content.
    package static func element(_ tag: DERTag, _ content: [UInt8]) -> [UInt8] {
        tag.octets + length(content.count) + content
    }

    package static func sequence(_ elements: [[UInt8]]) -> [UInt8] {
        element(.sequence, Array(elements.joined()))
    }

    /// SET OF: the elements in the order of their octets (X.690 §11.6).
    package static func set(_ elements: [[UInt8]]) -> [UInt8] {
        element(.set, Array(elements.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
    }

    package static func octetString(_ octets: [UInt8]) -> [UInt8] {
        element(.octetString, octets)
    }

    /// A BIT STRING; `unusedBits` are those of the last byte.
    package static func bitString(_ octets: [UInt8], unusedBits: UInt8 = 0) -> [UInt8] {
        element(.bitString, [unusedBits] + octets)
    }

    package static func integer(_ value: Int) -> [UInt8] {
        element(.integer, twosComplement(value))
    }

    /// A number that is not negative, big-endian; leading zeros are dropped.
    package static func integer(unsigned octets: [UInt8]) -> [UInt8] {
        let significant = octets.drop { $0 == 0 }
        let needsZero = significant.first.map { $0 & 0x80 != 0 } ?? true
        return element(.integer, (needsZero ? [0] : []) + significant)
    }

    package static func enumerated(_ value: Int) -> [UInt8] {
        element(.enumerated, twosComplement(value))
    }

    package static func boolean(_ value: Bool) -> [UInt8] {
        element(.boolean, [value ? 0xff : 0])
    }

    package static let null = element(.null, [])

    /// An OBJECT IDENTIFIER, out of numbers with dots; arcs that are no numbers are left out.
    package static func objectIdentifier(_ text: String) -> [UInt8] {
        let arcs = text.split(separator: ".").compactMap { UInt64($0) }
        guard arcs.count >= 2 else { return element(.objectIdentifier, []) }
        return element(.objectIdentifier, base128(arcs[0] &* 40 &+ arcs[1]) + arcs.dropFirst(2).flatMap(base128))
    }

    package static func utf8String(_ text: String) -> [UInt8] {
        element(.utf8String, Array(text.utf8))
    }

    package static func printableString(_ text: String) -> [UInt8] {
        element(.printableString, Array(text.utf8))
    }

    package static func ia5String(_ text: String) -> [UInt8] {
        element(.ia5String, Array(text.utf8))
    }

    /// Elements within a tag of their context: explicit tagging.
    package static func tagged(_ number: UInt32, _ elements: [UInt8]...) -> [UInt8] {
        element(.contextSpecific(number), Array(elements.joined()))
    }

    /// A moment as a certificate writes it (RFC 5280 §4.1.2.5): UTCTime to the end of 2049, then GeneralizedTime.
    package static func time(millisecondsSince1970 milliseconds: Int64) -> [UInt8] {
        let text = CalendarTime(millisecondsSince1970: milliseconds).digits
        let isShort = (1950...2049).contains(Int(text.prefix(4)) ?? 0)
        return element(
            isShort ? .utcTime : .generalizedTime,
            Array((isShort ? text.dropFirst(2) + "Z" : text + "Z").utf8)
        )
    }

    /// A number in groups of seven bits, all but the last marked.
    static func base128(_ value: UInt64) -> [UInt8] {
        var octets = [UInt8(value & 0x7f)]
        var rest = value >> 7
        while rest != 0 {
            octets.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return octets.reversed()
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(count)] }
        var octets: [UInt8] = []
        var rest = count
        while rest != 0 {
            octets.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return [0x80 | UInt8(octets.count)] + octets.reversed()
    }

    private static func twosComplement(_ value: Int) -> [UInt8] {
        var octets = [UInt8(truncatingIfNeeded: value)]
        var rest = value >> 8
        while rest != (octets[0] & 0x80 != 0 ? -1 : 0) {
            octets.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return octets
    }
}

/// A moment in the proleptic Gregorian calendar, in UTC and whole seconds.
package struct CalendarTime: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let secondOfDay: Int

    package init(millisecondsSince1970 milliseconds: Int64) {
        // Years 1 to 9999: what four digits can say.
        let seconds = min(max(milliseconds, -62_135_596_800_000), 253_402_300_799_000).floored(by: 1000)
        let days = seconds.floored(by: 86_400)
        secondOfDay = Int(seconds - days * 86_400)
        // Days are counted from 1 March of the year 0, so that a leap day is the last of its year.
        let shifted = Int(days) + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// `YYYYMMDDhhmmss`.
    package var digits: String {
        padded(year, 4) + padded(month, 2) + padded(day, 2) + padded(secondOfDay / 3600, 2)
            + padded(secondOfDay / 60 % 60, 2) + padded(secondOfDay % 60, 2)
    }

    private func padded(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

extension Int64 {
    /// The quotient, rounded down.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
