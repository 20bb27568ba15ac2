import PlugCore
import Testing

struct StrftimePatternTests {
    @Test(arguments: [
        ("%Y-%m-%d %H:%M:%S", "2026-01-02 15:04:05"), ("%Y-%m-%dT%H:%M:%S.%fZ", "2026-01-02T15:04:05.120000Z"),
        ("%Y-%m-%dT%H:%M:%S.%LZ", "2026-01-02T15:04:05.120Z"), ("%d/%m/%y", "02/01/26"), ("%e %b %Y", " 2 Jan 2026"),
        ("%A, %d %B %Y %I:%M %p", "Friday, 02 January 2026 03:04 PM"),
        ("%a, %d %b %Y %T GMT", "Fri, 02 Jan 2026 15:04:05 GMT"),
        ("%j %s", "002 1767366245"), ("%F%%%z %Z", "2026-01-02%+0000 UTC"), ("created:gt:%Y", "created:gt:2026"),
    ])
    func writesTimes(pattern: String, text: String) throws {
        let moment = try #require(Timestamp("2026-01-02T15:04:05.12Z"))
        #expect(try StrftimePattern(pattern).text(of: moment) == text)
    }

    @Test(arguments: [
        ("1969-12-31T23:59:59Z", "1969-12-31 23:59:59 365 Wed"),
        ("2024-02-29T00:00:00Z", "2024-02-29 00:00:00 060 Thu"),
        ("2000-12-31T12:00:00Z", "2000-12-31 12:00:00 366 Sun"),
    ])
    func knowsTheCalendar(time: String, text: String) throws {
        #expect(try StrftimePattern("%F %T %j %a").text(of: #require(Timestamp(time))) == text)
    }

    @Test func midnightAndNoonAreTwelve() throws {
        let pattern = try StrftimePattern("%I%p")
        #expect(try pattern.text(of: #require(Timestamp("2026-01-02T00:30:00Z"))) == "12AM")
        #expect(try pattern.text(of: #require(Timestamp("2026-01-02T12:30:00Z"))) == "12PM")
    }

    @Test(arguments: [("%Q", "%Q"), ("%Y-%", "%"), ("a%ðb", "%ð")])
    func refusesWhatItDoesNotKnow(pattern: String, text: String) {
        #expect(throws: StrftimePattern.UnknownDirective(text: text)) { try StrftimePattern(pattern) }
    }

    @Test(arguments: [("%Y-%m-%d", 86_400), ("%Y-%m", 86_400), ("%H", 3600), ("%H:%M", 60), ("%T", 1), ("%s", 1)])
    func tellsItsSmallestStep(pattern: String, seconds: Int) throws {
        #expect(try StrftimePattern(pattern).step == .seconds(seconds))
        #expect(try StrftimePattern("%f").step == .microseconds(1))
    }
}
