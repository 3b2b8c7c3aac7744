public import PasskeyModel
import PasskeyWire

/// A day, as metadata writes it: `2026-12-01` (ISO 8601), in UTC.
public struct CalendarDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The year: 1 to 9999.
    public let year: Int

    /// The month: 1 to 12.
    public let month: Int

    /// The day of the month: 1 to 31.
    public let day: Int

    /// Reads a date.
    ///
    /// - Parameter text: `YYYY-MM-DD`, and a day that there is.
    public init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 10, digits[4] == 0x2d, digits[7] == 0x2d else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for digit in digits[range] {
                guard (0x30...0x39).contains(digit) else { return nil }
                value = value * 10 + Int(digit - 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), year > 0,
            (1...12).contains(month), day >= 1, day <= Self.dayCount(month, year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads a date, or the date of a moment such as `2026-12-01T00:00:00Z`.
    init?(leading text: String) {
        let day = text.utf8.prefix(10)
        let rest = text.utf8.dropFirst(10)
        guard rest.isEmpty || rest.first == UInt8(ascii: "T") else { return nil }
        self.init(String(decoding: day, as: UTF8.self))
    }

    /// The day of a moment.
    ///
    /// - Parameter time: The moment.
    public init(_ time: Timestamp) {
        let date = CalendarTime(millisecondsSince1970: time.millisecondsSince1970)
        year = date.year
        month = date.month
        day = date.day
    }

    /// The moment at which the day begins in UTC, such as the one at which to look for the next BLOB.
    public var start: Timestamp {
        // Years begin in March, so that a leap day ends one.
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return Timestamp(millisecondsSince1970: Int64(days) * 86_400_000)
    }

    private static func dayCount(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Whether one day is before another.
    ///
    /// - Parameters:
    ///   - first: A day.
    ///   - second: Another one.
    /// - Returns: Whether it is before.
    public static func < (first: CalendarDate, second: CalendarDate) -> Bool {
        (first.year, first.month, first.day) < (second.year, second.month, second.day)
    }

    /// `YYYY-MM-DD`.
    public var description: String {
        func padded(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
