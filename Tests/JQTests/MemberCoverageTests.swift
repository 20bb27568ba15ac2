import JQ
import LosslessJSON
import Testing

/// Which members of a program were there in what it ran on.
struct MemberCoverageTests {
    private typealias Site = MemberCoverage.Site

    /// What is noted of a program after some inputs, site by site, as `name: what`.
    private func noted(_ text: String, _ inputs: [String], globals: [String] = []) throws -> [String] {
        let coverage = MemberCoverage()
        let program = try JQProgram(text, globals: globals, coverage: coverage)
        for input in inputs {
            _ = try? program.run(JSONValue(parsing: input), globals: globals.map { _ in try JSONValue(parsing: input) })
        }
        return coverage.sites.map { site in
            if site.isMet { return "\(site.name): met" }
            if !site.isReached { return "\(site.name): not reached" }
            return "\(site.name): not in \(site.others.sorted())"
        }
    }

    @Test func aMemberIsMetWhereAnObjectHasItBeItNull() throws {
        #expect(try noted(".a", [#"{"a":null}"#]) == ["a: met"])
        #expect(try noted(".a", [#"{"b":1}"#, #"{"a":1}"#]) == ["a: met"])
        #expect(try noted(".a", [#"{"b":1,"c":2}"#]) == [#"a: not in ["b", "c"]"#])
        #expect(try noted(".a", ["null"]) == ["a: not in []"])
        #expect(try noted(".a", []) == ["a: not reached"])
    }

    @Test func eachStepOfAPathIsNoted() throws {
        #expect(
            try noted(#".a.b["c"]."d""#, [#"{"a":{"b":{"c":{"e":1}}}}"#]) == [
                "a: met", "b: met", "c: met", #"d: not in ["e"]"#,
            ]
        )
    }

    @Test func branchesThatAreNotTakenAreNotReached() throws {
        #expect(
            try noted("if .a then .b else .c end", [#"{"a":true,"b":1}"#]) == ["a: met", "b: met", "c: not reached"]
        )
        #expect(try noted(".a // .b", [#"{"a":1}"#]) == ["a: met", "b: not reached"])
        #expect(try noted(".a | select(.b) | .c", [#"{"a":{"b":false}}"#]) == ["a: met", "b: met", "c: not reached"])
    }

    @Test func membersAreNotedInAllPlacesThatNameThem() throws {
        let input = [#"{"a":[{"k":1}],"x":2}"#]
        #expect(try noted("{x, y: .z}", input) == ["x: met", #"z: not in ["a", "x"]"#])
        #expect(try noted("[.a[] | .k] | add", input) == ["a: met", "k: met"])
        #expect(try noted("map(.k) ", [#"[{"j":1}]"#]) == [#"k: not in ["j"]"#])
        #expect(try noted(". as {a: [{$j}]} | $j", input) == ["a: met", #"j: not in ["k"]"#])
        #expect(try noted("del(.y)", input) == [#"y: not in ["a", "x"]"#])
        #expect(try noted(".a[0].k |= . + 1", input) == ["a: met", "k: met"])
        #expect(try noted(#""\(.x) \(.y)""#, input) == [#"y: not in ["a", "x"]"#, "x: met"])
        #expect(try noted("def f: .k; .a | map(f)", input) == ["a: met", "k: met"])
    }

    /// What the language's own definitions name is not the program's.
    @Test func thePreludeHasNoSites() throws {
        #expect(try noted("with_entries(.value += 1)", [#"{"a":1}"#]) == ["value: met"])
        #expect(try noted("to_entries | from_entries", [#"{"a":1}"#]) == [])
    }

    @Test func membersOfGlobalsSayWhoseTheyAre() throws {
        let coverage = MemberCoverage()
        _ = try JQProgram("config.a + $parent.b + .c", globals: ["config", "parent"], coverage: coverage)
        let owners = Dictionary(uniqueKeysWithValues: coverage.sites.map { ($0.name, $0.global ?? "") })
        #expect(owners == ["a": "config", "b": "parent", "c": ""])
    }

    /// Noting changes nothing of what programs give.
    @Test func programsGiveTheSameWhenMembersAreNoted() throws {
        func answer(_ program: JQProgram, _ input: JSONValue) -> [String] {
            do throws(JQError) { return try program.run(input).map(\.compactText) } catch { return [error.message] }
        }
        for filter in OracleCases.filters {
            guard let plain = try? JQProgram(filter) else { continue }
            let noting = try JQProgram(filter, coverage: MemberCoverage())
            for input in OracleCases.inputs {
                let value = try JSONValue(parsing: input)
                #expect(answer(plain, value) == answer(noting, value), "\(filter) on \(input)")
            }
        }
    }
}
