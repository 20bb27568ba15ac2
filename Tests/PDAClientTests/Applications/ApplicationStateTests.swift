import LosslessJSON
import PDAClient
import Testing

struct ApplicationStateTests {
    /// One row for each of `setup`, `enabled`, `active`; in it one letter for each `needsUpdating` (missing, false, true)
    /// without and with recent data. c: connected, f: fetching, u: needsUpdating, x: failing, n: notConnected.
    private static let table: [(setup: Bool, enabled: Bool, active: Bool, states: String)] = [
        (false, false, false, "nn nn nn"),
        (false, false, true, "nn nn nn"),
        (false, true, false, "xx xx xx"),
        (false, true, true, "fc fc fc"),
        (true, false, false, "nn nn uu"),
        (true, false, true, "nn nn uu"),
        (true, true, false, "xx xx uu"),
        (true, true, true, "fc fc uu"),
    ]
    private static let kinds = ["App", "DataPlug", "Data Plug", "Tool", "Contract", "Later"]

    private static func state(_ letter: Character) -> ApplicationState? {
        ["c": .connected, "f": .fetching, "u": .needsUpdating, "x": .failing, "n": .notConnected][letter]
    }

    /// The object with these flags, in the PDA's own form.
    private static func object(
        _ kind: String,
        _ flags: (setup: Bool, enabled: Bool, active: Bool),
        needsUpdating: Bool?,
        hasData: Bool
    ) throws -> JSONValue {
        var object = try #require(try JSONValue(parsing: Examples.plug).object)
        var application = try #require(object["application"]?.object)
        application["kind"] = .object(["kind": .text(kind), "url": .text("https://example.org")])
        object["application"] = .object(application)
        object["setup"] = .bool(flags.setup)
        object["enabled"] = .bool(flags.enabled)
        object["active"] = .bool(flags.active)
        object["needsUpdating"] = needsUpdating.map { .bool($0) }
        object["mostRecentData"] = hasData ? .text("2024-05-06T07:08:09.010Z") : nil
        return .object(object)
    }

    @Test(arguments: kinds, ApplicationState.FetchingRule.allCases)
    func s38TheStateFollowsTheWholeTruthTable(kind: String, rule: ApplicationState.FetchingRule) throws {
        let isFetching =
            switch rule {
            case .everyKind: true
            case .allButApps: kind != "App"
            case .plugsOnly: kind == "DataPlug" || kind == "Data Plug"
            }
        for row in Self.table {
            var letters = row.states.filter { $0 != " " }
            for needsUpdating in [nil, false, true] {
                for hasData in [false, true] {
                    let letter = letters.removeFirst()
                    let expected = Self.state(letter == "f" && !isFetching ? "c" : letter)
                    let json = try Self.object(
                        kind,
                        (row.setup, row.enabled, row.active),
                        needsUpdating: needsUpdating,
                        hasData: hasData
                    )
                    #expect(try HATApplicationObject(json: json).state(fetching: rule) == expected)
                    #expect(ApplicationState(of: json, fetching: rule) == expected)
                }
            }
        }
    }

    /// What disputes leave to choose, as each published source has it.
    @Test func s38FetchingSpeaksOfEveryKindUnlessOneSaysOtherwise() throws {
        for kind in Self.kinds {
            let json = try Self.object(kind, (true, true, true), needsUpdating: false, hasData: false)
            #expect(try HATApplicationObject(json: json).state == .fetching)
        }
        let app = try Self.object("App", (true, true, true), needsUpdating: false, hasData: false)
        let tool = try Self.object("Tool", (true, true, true), needsUpdating: false, hasData: false)
        #expect(ApplicationState(of: app, fetching: .allButApps) == .connected)
        #expect(ApplicationState(of: tool, fetching: .allButApps) == .fetching)
        #expect(ApplicationState(of: tool, fetching: .plugsOnly) == .connected)
    }

    /// The documentation's own example of a disabled application.
    @Test func s38ADisabledApplicationThatIsFlaggedNeedsUpdating() throws {
        let json = try Self.object("App", (true, false, true), needsUpdating: true, hasData: true)
        #expect(try HATApplicationObject(json: json).state == .needsUpdating)
    }

    @Test func whatIsMissingCountsAsFalse() throws {
        #expect(ApplicationState(of: try JSONValue(parsing: "{}")) == .notConnected)
        #expect(ApplicationState(of: .null) == .notConnected)
        let healthy = #"{"setup":true,"enabled":true,"active":true,"mostRecentData":null}"#
        #expect(ApplicationState(of: try JSONValue(parsing: healthy)) == .fetching)
    }
}
