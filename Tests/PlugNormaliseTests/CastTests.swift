import LosslessJSON
import PlugCore
import PlugManifest
import TestKit
import Testing

@testable import PlugNormalise

/// Casts that say how a source writes its values.
struct CastTests {
    /// What a cast makes of values, `failed` where it takes one not: by the engine's way and by projection alike.
    private func cast(_ cast: String, _ values: [String], map: String) throws -> [String] {
        let bench = try StreamBench(["key: [.id]", "version: none", "map: '\(map)'", "fields: {v: \(cast)}"])
        // Most of a page has to fit.
        let padding = values.map { _ in #"{"id":0,"v":null}"# }
        let page = try bench.normalise(
            "[\((values.map { "{\"id\":1,\"v\":\($0)}" } + padding).joined(separator: ","))]"
        )
        #expect(page.deadLetters.allSatisfy { $0.code == "cast-failed" })
        let written = Dictionary(grouping: bench.values(page), by: { $0["id"] ?? .null })[.number(JSONNumber(1))] ?? []
        return written.map { $0["v"]?.compactText ?? "missing" }
    }

    private func cast(_ cast: String, _ values: [String]) throws -> [String] {
        let fast = try self.cast(cast, values, map: "{id: .id, v: .v}")
        #expect(try self.cast(cast, values, map: ". as $r | {id: .id, v: .v}") == fast)
        return fast
    }

    @Test(
        arguments: [
            (
                #"{time: {format: "%d.%m.%Y %H:%M", zone: Europe/Berlin}}"#, #""21.11.2026 05:08""#,
                #""2026-11-21T04:08:00Z""#
            ),
            (#"{time: {format: ["%d.%m.%Y", epoch_ms]}}"#, #""21.11.2026""#, #""2026-11-21T00:00:00Z""#),
            (#"{time: {format: ["%d.%m.%Y", epoch_ms]}}"#, "7", #""1970-01-01T00:00:00.007Z""#),
            ("{time: {format: epoch}}", #""1542782400.25""#, #""2018-11-21T06:40:00.25Z""#),
            ("{time: {format: epoch}}", "154278240000", #""6858-11-18T18:40:00Z""#),
            ("{time: {format: epoch_us}}", "1542782400000007", #""2018-11-21T06:40:00.000007Z""#),
            (#"{time: {format: "%Y%m%d"}}"#, "20261121", #""2026-11-21T00:00:00Z""#),
            (
                "{time: {format: rfc3339, zone: America/New_York}}", #""2026-11-21 05:08:00""#,
                #""2026-11-21T10:08:00Z""#
            ),
            ("{time: {zone: America/New_York}}", #""2026-11-21T05:08:00Z""#, #""2026-11-21T05:08:00Z""#),
            ("{time, }", #""21 Nov 2026 05:08:00 EST""#, #""2026-11-21T10:08:00Z""#),
            (#"{date: {format: "%d.%m.%Y", zone: Europe/Berlin}}"#, #""01.02.2026""#, #""2026-02-01""#),
            ("{date: {format: epoch, zone: Asia/Tokyo}}", "1542823200", #""2018-11-22""#),
            ("{date: true}", #""2026-02-01""#, #""2026-02-01""#),
            (#"{decimal: {point: ",", group: "."}}"#, #""-1.234.567,80""#, "-1234567.80"),
            (#"{decimal: {group: "."}}"#, #""12,5""#, "12.5"),
            (#"{decimal: {point: ",", group: " "}}"#, #""1\u202f234\u00a0567,8""#, "1234567.8"),
            (#"{decimal: {group: "'"}}"#, #""1’234'567.05""#, "1234567.05"),
            (#"{decimal: {group: ","}}"#, #""+1,234""#, "1234"),
            (#"{decimal: {group: ","}}"#, #""\u22121234.5""#, "-1234.5"), (#"{decimal: {point: ","}}"#, "1.50", "1.50"),
            (#"{integer: {group: "."}}"#, #""1.234,00""#, "1234"),
            (#"{integer: {group: "."}}"#, #""12345678901234567890""#, "12345678901234567890"),
            ("{boolean: {true: [yes, 1], false: [no, 0, '']}}", #""yes""#, "true"),
            ("{boolean: {true: [yes, 1], false: [no, 0, '']}}", "1.0", "true"),
            ("{boolean: {true: [yes, 1], false: [no, 0, '']}}", #""""#, "false"),
            ("{boolean: {true: [no], false: [yes]}}", "true", "true"),
            ("{boolean: {true: x, false: true}}", "true", "false"),
            ("any", #"{"b":[1.0],"a":null}"#, #"{"a":null,"b":[1.0]}"#),
            ("{string: {}}", "1.10", #""1.10""#), ("{time: {format: epoch}}", "null", "null"),
        ]
    )
    func takesWhatTheManifestSays(cast: String, value: String, result: String) throws {
        #expect(try self.cast(cast, [value]) == [result])
    }

    @Test(
        arguments: [
            (#"{time: {format: "%d.%m.%Y"}}"#, #""2026-11-21""#), ("{time: {format: epoch}}", #""2026-11-21""#),
            ("{time: {format: rfc3339}}", "1542782400"), ("{time: {format: date}}", #""2026-11-21T00:00:00Z""#),
            ("{time: {format: epoch}}", "99999999999999"), ("{time: {zone: UTC}}", "true"),
            (#"{decimal: {group: "."}}"#, #""1.5""#), (#"{decimal: {group: "."}}"#, #""0.123""#),
            (#"{decimal: {group: "."}}"#, #""1234.567""#),
            (#"{decimal: {group: "."}}"#, #""1.234.56""#), (#"{decimal: {group: "."}}"#, #""1.234,""#),
            (#"{decimal: {group: "."}}"#, #"",5""#),
            (#"{decimal: {group: "."}}"#, #"".123""#), (#"{decimal: {group: "."}}"#, #""1..234""#),
            (#"{decimal: {group: ","}}"#, #""1,234.5,0""#),
            (#"{decimal: {point: ","}}"#, #""1.5""#), (#"{decimal: {point: ","}}"#, #""1e5""#),
            (#"{decimal: {point: ","}}"#, #""""#),
            (#"{decimal: {point: ","}}"#, #""-""#), (#"{decimal: {point: ","}}"#, #""12 €""#),
            (#"{decimal: {group: " "}}"#, #"" 123""#),
            (#"{integer: {group: "."}}"#, #""1.234,50""#), ("{boolean: {true: [yes], false: [no]}}", #""Yes""#),
            ("{boolean: {true: [yes], false: [no]}}", "1"), ("{boolean: {true: [yes], false: [no]}}", #"["yes"]"#),
        ]
    )
    func refusesEverythingElse(cast: String, value: String) throws {
        #expect(try self.cast(cast, [value]) == [])
    }

    @Test(
        "what cannot be cast is told by its form, with what to write",
        arguments: [
            (
                "time", #""17 Nov of 2023""#,
                #"a string that is not a time (of the form "99 Aaa aa 9999"); say how it is written, as in 'v: {time: {format: "%d %b %Y"}}'"#
            ),
            (
                "time", #""1700000000""#,
                #"a string that is not a time (of the form "9999999999"); if it counts seconds since 1970, write 'v: {time: {format: epoch}}'"#
            ),
            (
                "date", #""1700000000.25""#,
                #"a string that is not a date (of the form "9999999999.99"); if it counts seconds since 1970, write 'v: {date: {format: epoch}}'"#
            ),
            (
                "time", #""1700000000123""#,
                #"a string that is not a time (of the form "9999999999999"); if it counts milliseconds since 1970, write 'v: {time: {format: epoch_ms}}'"#
            ),
            (
                "{time: {format: date}}", #""Zürich\u001b «x» and so on, for long""#,
                #"a string that is not a time (of the form "Aaaaaa\u001b ?a? aaa aa aa, a…")"#
            ),
            (
                "decimal", #""1.234,50""#,
                #"a string that is not a decimal (of the form "9.999,99"); say how it is written, as in 'v: {decimal: {point: ",", group: "."}}'"#
            ),
            ("integer", #""12 apples""#, #"a string that is not an integer (of the form "99 aaaaaa")"#),
            ("integer", "1.5", #"a number that is not an integer (of the form "9.9")"#),
            (
                "boolean", #""Yes""#,
                "a string that is not a boolean (of the form \"Aaa\"); say which texts mean what, as in 'v: {boolean: {true: […], false: […]}}'"
            ),
            ("string", "[1]", "an array that is not a string"),
        ]
    )
    func tellsTheForm(cast: String, value: String, told: String) throws {
        let bench = try StreamBench(["key: [.id]", "version: none", "map: '{id: .id, v: .v}'", "fields: {v: \(cast)}"])
        let page = try bench.normalise("[{\"id\":1,\"v\":\(value)},{\"id\":2,\"v\":null},{\"id\":3,\"v\":null}]")
        #expect(page.deadLetters.map(\.reason) == ["'v' is \(told)"])
    }

    @Test(arguments: [
        ("{a: {time: {zone: Europe/Berln}}}", "bad-zone", "did you mean 'Europe/Berlin'?"),
        ("{a: {date: {format: '%H:%M'}}}", "bad-time-pattern", #"write all of it, as in "%d.%m.%Y %H:%M""#),
        ("{a: {time: {format: [epoch, epoch_m]}}}", "wrong-value", "did you mean 'epoch_ms'?"),
        ("{a: {boolean: {true: [1], false: [no, 1]}}}", "bad-cast", "keep it in one of the lists"),
        ("{a: {decimal: {point: ',', group: ','}}}", "bad-cast", "write the other one of '.' and ',' for 'point'"),
        ("{a: {tme: {}}}", "unknown-key", "did you mean 'time'?"), ("{a: tme}", "wrong-value", "did you mean 'time'?"),
        ("{a: {string: {max: 5}}}", "wrong-type", nil),
        ("{a: {type: time}}", "unknown-key", "write the type itself as a key: {time: {format: …}}"),
    ])
    func aMistakeSaysWhatToWrite(fields: String, code: String, help: String?) {
        let errors = StreamBench.read(["key: [.id]", "version: none", "fields: \(fields)"]).diagnostics.filter {
            $0.severity == .error
        }
        #expect(errors.map(\.code.text) == [code])
        #expect(errors.first?.help == help)
    }
}
