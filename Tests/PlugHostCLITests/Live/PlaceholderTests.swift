import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization
import TestKit
import Testing

@testable import PlugHostCLI

/// A clock whose chance is that of a seed.
final class SeededClock: HostClock {
    private let numbers: Mutex<SplitMix>
    init(_ seed: UInt64) { numbers = Mutex(SplitMix(state: seed)) }
    func now() -> Int64 { 1_790_000_000_000_000 }
    func sleep(for duration: Duration) async throws {}
    func random() -> Double { numbers.withLock { .random(in: 0..<1, using: &$0) } }
}

struct PlaceholderTests {
    private static let chance = PlaceholderChance(SeededClock(7))

    /// A capital may be two letters, as that of ß is.
    @Test func wordsInCapitalsOfAnyScriptHavePlaceholders() {
        for seed in 1...40 {
            var map = TokenMap(PlaceholderChance(SeededClock(UInt64(seed))))
            for word in ["Élodie", "ÖZTÜRK", "Straße", "ŁÓDŹ", "Дарья", "ΟΔΟΣ"] {
                #expect(map.placeholder(word).count == word.count)
            }
        }
    }

    @Test func anIdWithALetterThatMayBeAnExponentIsNoNumber() {
        #expect(NumberForm("59014e123")?.hasExponent == true)
        #expect(NumberForm("12.50e3")?.text(whole: "99", fraction: "11") == "99.11e3")
        // Nothing of the digits behind it stays.
        #expect(NumberForm("63616e617279")?.hasExponent ?? true)
        #expect(NumberForm("4111e1111111111")?.text(whole: "8674", fraction: "") == "8674e300")
    }

    @Test func numbersKeepTheirDigitsAndTheirOrder() {
        let wholes = [
            "10", "99", "100", "123", "5003", "90210", "4815162342", "9007199254740993", "12345678901234567890",
            "12345678901234567891", "99999999999999999999",
        ]
        var map = NumberMap(keeping: ["5000"], Self.chance)
        for whole in wholes { map.note(whole: Substring(whole), fraction: "") }
        map.choose()
        let new = wholes.map { map.replaced(whole: Substring($0), fraction: "").whole }
        #expect(new.map(\.count) == wholes.map(\.count))
        #expect(new.allSatisfy { $0.first != "0" })
        for (one, other) in zip(new, new.dropFirst()) where one.count == other.count { #expect(one < other) }
        // What the manifest compares with stays between.
        #expect(new[4] > "5000")
        #expect(zip(wholes.dropFirst(4), new.dropFirst(4)).allSatisfy { $0 != $1 })
    }

    @Test(arguments: [46, 60, 89])
    func denseNumbersKeepTheirOrderOnly(count: Int) {
        let wholes = (10..<(10 + count)).map(String.init)
        var map = NumberMap(keeping: [], Self.chance)
        for whole in wholes { map.note(whole: Substring(whole), fraction: "") }
        map.choose()
        let new = wholes.map { map.replaced(whole: Substring($0), fraction: "").whole }
        #expect(new.allSatisfy { $0.count == 2 })
        for (one, other) in zip(new, new.dropFirst()) { #expect(one < other) }
        #expect(new != wholes)
    }

    @Test func smallIDsAreReplacedAndOtherSmallNumbersStay() throws {
        let source = """
            {"page":1,"items":[{"id":1,"parentId":null,"stars":1},{"id":"2","parentId":1,"stars":3},{"id":3,"parentId":2,"stars":2}],
            "last_id":3,"page_id":2}
            """
        let new = try JSONValue(parsing: try clean(source, type: "application/json"))
        let items = try #require(new["items"]?.elements)
        let ids = items.compactMap { $0["id"]?.stringText ?? $0["id"]?.compactText }.compactMap { Int($0) }
        #expect(ids.count == 3 && ids == ids.sorted() && Set(ids).count == 3)
        #expect(!zip(ids, 1...3).contains { $0 == $1 })
        #expect(items.map { $0["stars"] } == [.integer(1), .integer(3), .integer(2)])
        #expect(items.dropFirst().map { $0["parentId"] } == ids.dropLast().map { .integer($0) })
        #expect(new["last_id"] == ids.last.map { .integer($0) })
        #expect(new["page"] == .integer(1) && new["page_id"] == .integer(2))
    }

    @Test func whatWasKeptAndReplacedIsCountedByKind() throws {
        let placeholders = try placeholders()
        let source = """
            {"a":1,"b":2,"count":2,"id":90210,"name":"Ada Canary","other":"Ada Canary","mail":"ada@canary.org",
            "at":"2026-03-14T15:09:26Z","self":"https://api.example.org/v1","image":"https://cdn.canary.net/ada",
            "text":"It was a bright cold day in April","ref":"x81-canary-7","key":"sk_live_abcdefgh1234","status":"published"}
            """
        for pass in 0..<2 {
            if pass == 1 { placeholders.choose() }
            _ = placeholders.body(Array(source.utf8), type: "application/json")
        }
        #expect(
            placeholders.tally.text == """
                kept: 2 numbers, 1 kind or constant, 1 address of the service
                replaced: 1 number, 1 time, 1 other address, 1 e-mail address, 1 identifier, 1 credential, 1 name, 1 longer text

                """
        )
    }

    @Test(arguments: [
        "2026-03-14T15:09:26Z", "2026-03-14T15:09:26.535+01:00", "2026-03-14 15:09:26", "2026-03-14", "2026/03/14",
        "20260314T150926Z", "Sat, 14 Mar 2026 15:09:26 GMT", "Sat Mar 14 15:09:26 +0000 2026", "1987-12-31T23:59:59",
    ])
    func timesStayTimesOfTheSameForm(_ text: String) throws {
        let shift = TimeShift(.years, Self.chance)
        let new = try #require(shift.shifted(text))
        #expect(new.count == text.count)
        let mask = { (text: String) in text.map { $0.isNumber ? "9" : $0.isLetter ? "a" : $0 } }
        #expect(String(mask(new)) == String(mask(text)))
        #expect(new != text)
        if let old = Timestamp(text), let other = Timestamp(new) {
            #expect(other.seconds - old.seconds == (text.count == 10 ? shift.days * 86_400 : shift.seconds))
        }
    }

    @Test(arguments: [
        "2026-13-14", "12345-67890", "hello world", "2026-03-14x", "14 Mar 2026 Ada 15:09:26", "+44 20 7946 0958",
    ])
    func whatIsNoTimeIsNotTakenForOne(_ text: String) { #expect(TimeShift(.years, Self.chance).shifted(text) == nil) }

    @Test func wordsGetOneWordOfTheSameForm() {
        var tokens = TokenMap(Self.chance)
        let (small, large, capital) = (tokens.placeholder("ada"), tokens.placeholder("ADA"), tokens.placeholder("Ada"))
        #expect(large == small.uppercased())
        #expect(capital == small.prefix(1).uppercased() + small.dropFirst())
        #expect(tokens.placeholder("ada") == small)
        let hexadecimal = tokens.placeholder("deadbeef01")
        #expect(hexadecimal.count == 10 && hexadecimal.allSatisfy(\.isHexDigit) && hexadecimal != "deadbeef01")
        let many = Set((0..<500).map { tokens.placeholder("a\($0)b") })
        #expect(many.count == 500)
    }

    @Test func secretsAreFoundHoweverTheyAreEncoded() {
        let secret = "tok-Canary/s3cret+value=é"
        let search = SecretSearch([("the token", secret)])
        let percent = "tok-Canary%2Fs3cret%2Bvalue%3D%C3%A9"
        func form(_ text: String) -> String? { search.first(in: Array(JSONValue.text(text).compactText.utf8))?.form }
        #expect(form("x \(secret) y") == "as it is")
        #expect(form(secret.uppercased().replacing("É", with: "é")) == "as it is")
        #expect(form(percent) != nil)
        #expect(form(percent.replacing("%", with: "%25")) != nil)
        #expect(form(#"{\"a\": \"tok-Canary\/s3cret+value=\u00e9\"}"#) != nil)
        #expect(form("tok-Canary&#x2F;s3cret&#43;value=&#233;") != nil)
        for shift in 0..<3 {
            let bytes = Array(String(repeating: "z", count: shift).utf8) + Array(secret.utf8) + Array("tail".utf8)
            #expect(form("v=\(Base64.encoded(bytes))") == "in base64")
            let url = Base64.encoded(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            #expect(form(url) == "in base64")
            #expect(form(Base64.encoded(Array("q\(Base64.encoded(bytes))".utf8))) == "in base64, twice")
        }
        #expect(form(Hexadecimal.encoded(Array(secret.utf8)).uppercased()) == "in hexadecimal digits")
        #expect(form("tok-Canary and nothing else") == nil)
        // Keys of objects are read, too.
        #expect(search.first(in: Array(#"{"tok-Canary/s3cret+value=é":1}"#.utf8))?.name == "the token")
        // A short one counts as a word of its own only.
        let short = SecretSearch([("the PIN", "4711")])
        #expect(short.first(in: Array(#"{"a":947112}"#.utf8)) == nil)
        #expect(short.first(in: Array(#"{"a":4711}"#.utf8))?.form == "as it is")
    }

    /// Placeholders for a plug without programs.
    private func placeholders(_ chance: PlaceholderChance = chance) throws -> Placeholders {
        let text = """
            plug: shelf
            api: 1
            version: 1.0.0
            hosts: [api.example.org]
            streams: {items: {endpoint: items, request: {path: "https://api.example.org/items"}, key: [.id], version: none}}
            """
        let manifest = try #require(ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).manifest)
        return Placeholders(manifest, keeping: [], secrets: [], times: TimeShift(.years, chance), chance)
    }

    /// A body after both passes.
    private func clean(_ text: String, type: String, _ chance: PlaceholderChance = chance) throws -> String {
        let placeholders = try placeholders(chance)
        _ = placeholders.body(Array(text.utf8), type: type)
        placeholders.choose()
        switch placeholders.body(Array(text.utf8), type: type) {
        case .json(let value)?: return value.compactText
        case .text(let text)?: return text
        default: return ""
        }
    }

    @Test func calendarsKeepTheirForm() throws {
        let calendar = [
            "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:ada-1", "DTSTART;TZID=Europe/Berlin:20260301T090000",
            "DTEND;VALUE=DATE:20260301", "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261231T000000Z", "SUMMARY:Ada's day",
            " goes on: here", "EXDATE:20260308T090000,20260315T090000", "ATTENDEE;CN=Ada:mailto:ada@canary.invalid",
            "END:VEVENT",
            "END:VCALENDAR", "",
        ]
        let new = try clean(calendar.joined(separator: "\r\n"), type: "text/calendar").split(
            separator: "\r\n",
            omittingEmptySubsequences: false
        )
        func mask(_ text: some StringProtocol) -> String {
            String(
                text.map { (sign: Character) -> Character in
                    sign.isNumber ? "9" : sign.isLowercase ? "a" : sign.isUppercase ? "A" : sign
                }
            )
        }
        // What goes on in another line is in one.
        let whole = calendar[..<6] + [calendar[6] + calendar[7].dropFirst()] + calendar[8...]
        #expect(new.map { mask($0) } == whole.map { mask($0) })
        #expect(new[3].hasPrefix("DTSTART;TZID=Europe/Berlin:202"))
        #expect(new[5].hasPrefix("RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=202"))
        #expect(!new.joined().lowercased().contains("ada"))
    }

    @Test(arguments: ["DUE;VALUE=DATE:20070501", "COMPLETED:20070501T123432Z", "FREEBUSY:20070501T123432Z/PT3H"])
    func timesOfCalendarsStayTimes(_ line: String) throws {
        for seed in 1...40 {
            let calendar = ["BEGIN:VCALENDAR", "BEGIN:VTODO", line, "END:VTODO", "END:VCALENDAR", ""].joined(
                separator: "\r\n"
            )
            let chance = PlaceholderChance(SeededClock(UInt64(seed)))
            let new = try clean(calendar, type: "text/calendar", chance).split(separator: "\r\n")[2]
            let digits = try #require(new.split(separator: ":").last?.prefix(8))
            let day = try #require(Int64(digits), "\(new)")
            // One to two years earlier, on a day that there is.
            #expect(day / 10_000 == 2005 || day / 10_000 == 2006, "\(new)")
            #expect(CivilDate(year: day / 10_000, month: day / 100 % 100, day: day % 100) != nil, "\(new)")
        }
    }

    @Test func idsAddressesAndDocumentsKeepTheirForm() throws {
        let uuid = "3f2b8c1e-9d4a-4e7b-8a1c-5d6e7f809a1b"
        let source = """
            {"id":"\(uuid)","image":"https://cdn.canary.net/u/\(uuid)/ada.png?size=40&token=abcdefgh1234","ref":"/v2/users/ada?page=2",
            "email":"ada@canary.org","text":"{\\"who\\":\\"Ada\\",\\"ids\\":[true,null]}","html":"<p class=\\"x\\">Ada &amp; Bob</p>",
            "length":"PT1H30M","duration":"3600s","day":{"year":2026,"month":2,"day":29},"date":{"year":2026,"month":3,"day":14}}
            """
        let new = try JSONValue(parsing: try clean(source, type: "application/json"))
        let id = try #require(new["id"]?.stringText)
        #expect(id.wholeMatch(of: #/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/#) != nil)
        #expect(id != uuid)
        let image = try #require(new["image"]?.stringText)
        #expect(image.contains("/\(id)/"))
        #expect(
            image.wholeMatch(of: #/https:\/\/[a-z]{3}\.[a-z]{6}\.example\/.*\?size=[0-9]{2}&token=.{12}/#) != nil,
            "\(image)"
        )
        #expect(new["email"]?.stringText?.hasSuffix(".example") == true)
        let inner = try JSONValue(parsing: try #require(new["text"]?.stringText))
        #expect(inner["ids"] == .array([.bool(true), .null]))
        #expect(
            new["html"]?.stringText?.wholeMatch(of: #/<p class=".">[A-Z][a-z]{2} &amp; [A-Z][a-z]{2}<\/p>/#) != nil,
            "\(new)"
        )
        #expect(new["length"]?.stringText?.wholeMatch(of: #/PT[0-9]H[0-9]{2}M/#) != nil)
        #expect(new["duration"]?.stringText?.wholeMatch(of: #/[0-9]{4}s/#) != nil)
        let date = try #require(new["date"]?.object)
        #expect(Timestamp("\(date["year"]?.compactText ?? "")-01-01") != nil)
        #expect(!new.compactText.lowercased().contains("canary"))
        #expect(!new.compactText.contains("abcdefgh1234"))
    }
}
