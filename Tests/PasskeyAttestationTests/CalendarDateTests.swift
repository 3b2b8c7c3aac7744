import PasskeyAttestation
import PasskeyModel
import Testing

@Suite("Days of metadata")
struct CalendarDateTests {
    @Test(arguments: ["2026-12-01", "2024-02-29", "2000-02-29", "9999-12-31", "0001-01-01"])
    func days(_ text: String) throws {
        #expect(try #require(CalendarDate(text)).description == text)
    }

    @Test(arguments: [
        "", "2026-1-01", "2026-13-01", "2026-00-10", "2026-02-29", "1900-02-29", "2026-04-31", "2026/01/01",
        "0000-01-01", "2026-01-01Z", "２026-01-01", "2026-01-0a",
    ])
    func others(_ text: String) {
        #expect(CalendarDate(text) == nil)
    }

    @Test func order() throws {
        let days = ["2025-12-31", "2026-01-01", "2026-01-02", "2026-02-01"].compactMap { CalendarDate($0) }
        #expect(days == days.reversed().sorted() && days.count == 4)
    }

    @Test(
        arguments: [
            (0, "1970-01-01"), (-1, "1969-12-31"), (86_399_999, "1970-01-01"), (86_400_000, "1970-01-02"),
            (1_709_251_199_500, "2024-02-29"), (Int64.max, "9999-12-31"), (Int64.min, "0001-01-01"),
        ] as [(Int64, String)]
    )
    func ofMoments(_ milliseconds: Int64, _ day: String) {
        #expect(CalendarDate(Timestamp(millisecondsSince1970: milliseconds)).description == day)
    }

    @Test("a day begins at midnight, and what is before it is another day")
    func start() throws {
        for milliseconds in stride(from: Int64(-62_135_596_800_000), to: 253_402_300_799_000, by: 9_999_999_999) {
            let day = CalendarDate(Timestamp(millisecondsSince1970: milliseconds))
            #expect(day.start.millisecondsSince1970 <= milliseconds)
            #expect(milliseconds - day.start.millisecondsSince1970 < 86_400_000)
            #expect(CalendarDate(day.start) == day)
        }
        #expect(CalendarDate("2026-12-01")?.start.millisecondsSince1970 == 1_796_083_200_000)
        #expect(CalendarDate("1970-01-01")?.start.millisecondsSince1970 == 0)
    }
}
