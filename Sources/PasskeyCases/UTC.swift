/// RFC 3339 as case files use it.
package enum UTC {
    /// Reads `2026-02-02T00:00:00Z`, with up to three decimals of a second.
    package static func millisecondsSince1970(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            guard bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        for (index, separator) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] {
            guard bytes[index] == separator.utf8.first else { return nil }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        var milliseconds = 0
        if bytes.count > 20 {
            let digits = 20..<bytes.count - 1
            guard bytes[19] == UInt8(ascii: "."), (1...3).contains(digits.count), let fraction = number(digits) else {
                return nil
            }
            milliseconds = (digits.count..<3).reduce(fraction) { value, _ in value * 10 }
        }
        // Days since 1970 in the proleptic Gregorian calendar: years begin in March, so that a leap day ends one.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        return Int64(seconds * 1000 + milliseconds)
    }
}
