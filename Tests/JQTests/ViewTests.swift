import JQ
import LosslessJSON
import Testing

/// A program gives the same over a value in its document as over the tree of that value.
struct ViewTests {
    /// What a program gives and how it ends, each output in its own order and in the canonical one.
    private func answer(_ program: JQProgram, _ input: JQInput, _ workspace: JQWorkspace? = nil) -> [String] {
        do throws(JQError) {
            let outputs = try program.run(input, workspace: workspace)
            // `run` and the tree's own writer know nothing of views.
            return outputs.flatMap { output in
                var written = CanonicalJSON()
                output.append(to: &written)
                var expected = CanonicalJSON()
                expected.append(output.json)
                #expect(written.bytes == expected.bytes, "\(program.source)")
                return [output.json.compactText, String(decoding: written.bytes, as: UTF8.self)]
            }
        } catch {
            return ["\(error.offset ?? -1): \(error.message) (\(error.withoutValues))"]
        }
    }

    /// Documents that a reader can get wrong: repeated keys, plain, escaped and in arrays, numbers that no double holds,
    /// escapes of all kinds, blanks, empty containers.
    static let documents =
        OracleCases.inputs + [
            #"{"a":1,"b":{"c":[1,2]},"a":{"c":3,"\u0063":[4],"d":5},"b":null}"#,
            #"{ "a" : [ { "b" : 1 , "b" : 2 } , [ ] , { } ] , "\u0061" : [ 9 ] , "c" : "\ud83d\ude00\ud800x\n" }"#,
            #"{"a":12345678901234567890.1234567890,"b":[1e400,-0,0.10,1E5,-1.5e-7],"n":10000000000000000000000}"#,
            #"{"a":"é","b":"e\u0301","é":1,"é":2,"a\"b":3,"\u0000k":"\u0000","\ufffdk":2,"\u0000k":[4]}"#,
            #"[[["x"]],{"a":[{"a":[{"a":1}]}]},"ab,cd",null,true,false,[3,1,2]]"#,
            #"{"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"k10":10,"k11":11,"k12":12,"k13":13,"#
                + #""k14":14,"k15":15,"k16":16,"k17":17,"k18":18,"k3":"again","k19":[],"a":{}}"#,
        ]

    static let programs =
        OracleCases.filters + [
            ".", ".a", ".a.c", ".a?.b?.c?", ".[0]?", ".[-1]?", ".[-9]?", ".[9]?", ".[1.5]?", ".[nan]?", ".[1:]?", ".[]",
            ".[]?", "..", "[..]", "[.. | numbers]", "[.. | strings | length]", "[paths]", "[leaf_paths]", "tostream",
            "length", "keys", "keys_unsorted", "to_entries", "with_entries(.value |= tostring)", "map_values(type)",
            "has(\"a\")", "has(0)", "[.[]? | has(\"b\")?]", "[.[]? | length?]", "[.[]?] | sort_by(.a?)", "del(.a)",
            "del(.[0])", "del(.a, .b)", "delpaths([[\"a\", \"c\"]])", ".a = 1",
            ".a.z |= 7", ".a |= empty", ".[0] |= 3", ". + {z: 1}", ". * {a: {c: 9}}", ". + [1]", ". - [true]", ". == .",
            ". == (tojson | fromjson)", "[.[]?] | sort", "[.[]?] | unique", "[.[]?] | group_by(type)", "min_by(.a?)",
            "{a, b}", "{x: .a, y: [.b]}", "{(.a | type): .b}", ". as {a: $x, b: $y} | [$x, $y]", ". as [$x, [$y]] | $y",
            ". as $r | .a? // .b? // 1 | [., $r]", "tojson", "tostring", "@json", "@text \"\\(.a?)\"", "[.] | @csv",
            "[limit(2; .[]?)]", "first(.[]?)", "reduce .[]? as $x (null; . + 1)", "contains({a: {}})", "flatten",
            "add", "any", "all", "transpose", "indices(1)", "index(\"a\")", "inside([1])", "path(.a?)", "[path(..)]",
            "getpath([\"a\", \"c\"])", "[getpath([\"a\"], [0]?)]", "setpath([0]; 1)", "pick(.a)", "walk(.)",
            "if . then .a? else .b? end", "try error catch .", "error", "label $l | .[]? | ., break $l",
            "if .a? then {a} else {b: .b?, c: .a.c?} end", "{a}, {b}", "{a} | .a", "[{a}]", "{a} // 1", "first({a, b})",
            "{a} == {a, b}", "{a: .a.c, b: .b.c.d}", "try {a: .a.c} catch .", ". as $r | {a, b: $r.b, \"é\"}",
            "{a} | {a}",
            "{a: .[0]}", "{a: .[-1]?, b: .c}",
            "{a, b, c, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15}",
            "path({a} | .a)", "label $l | {a}, break $l", "def f: {a}; f", "{a} | select(.a)",
            "{a, (\"a\", \"b\"): .b}",
            "{a, b, a: .c}", "{\"eight bytes and more\": .a, \"eight by\": .b, eight: 1, \"eight bytes\": 2}",
            "(.a, .b)? |= 5", "[splits(\", *\")?]", "ascii_downcase?", "[.[]? | select(. == null)]",
        ]

    @Test func aProgramGivesTheSameOverAViewAsOverAValue() throws {
        var compared = 0
        // One for all, as for the records of a page: no run sees what another has left.
        let workspace = JQWorkspace()
        for source in Self.programs {
            guard let program = try? JQProgram(source) else { continue }
            for text in Self.documents {
                // In an array of two the value neither begins nor ends its document.
                let document = try JSONDocument(bytes: Array("[0,\(text),1]".utf8))
                let view = try #require(document.root.elements)[1]
                let viewed = answer(program, JQInput(view), workspace)
                #expect(viewed == answer(program, JQInput(view.value)), "\(text) | \(source)")
                compared += 1
            }
        }
        #expect(compared > Self.documents.count * Self.programs.count * 9 / 10)
    }

    @Test func anOutputTakesAMemberWhereTheTreeWould() throws {
        let documents = Self.documents + [#"{"_id":1}"#, #"{"\u005fid":1}"#, #"{"Z":1,"a":2}"#, "{}", #"{"\u0000":1}"#]
        for source in [".", ". + {m: 1}", "{Z: 1, a: 2, _: .}", ". as {a: $x} | {_j: $x, _i: $x}", "{_id: 1}"] {
            let program = try JQProgram(source)
            for text in documents {
                let view = try JSONDocument(bytes: Array(text.utf8)).root
                for input in [JQInput(view), JQInput(view.value)] {
                    guard let output = (try? program.run(input))?.first else { continue }
                    var written = CanonicalJSON()
                    let isWritten = output.append(to: &written, inserting: "_id", text: Array("a\"é".utf8))
                    guard var object = output.json.object, object["_id"] == nil else {
                        #expect(!isWritten && written.bytes.isEmpty, "\(text) | \(source)")
                        continue
                    }
                    object["_id"] = .text("a\"é")
                    var expected = CanonicalJSON()
                    expected.append(.object(object))
                    #expect(isWritten && written.bytes == expected.bytes, "\(text) | \(source)")
                }
            }
        }
    }

    @Test func aLargeValueIsCopiedAndGivesTheSame() throws {
        let members = (0..<600).map { "\"key\($0)\":[\($0)]" }.joined(separator: ",")
        let view = try JSONDocument(bytes: Array("{\(members),\"key7\":null}".utf8)).root
        let program = try JQProgram("[keys[-1], length, .key599, .key7]")
        #expect(try program.run(JQInput(view)).map(\.json.compactText) == [#"["key99",600,[599],null]"#])
    }

    @Test func aRunInAWorkspaceBeginsAnew() throws {
        let workspace = JQWorkspace()
        let input = JQInput(.array((0..<50).map { .integer($0) }))
        let sum = try JQProgram("[range(100) as $i | .[$i % 50] | select(tostring | test(\"^[1-4]\"))] | add")
        let deep = try JQProgram("def f: if . > 3000 then . else (. + 1 | f) + 1 end; 0 | f")
        let closures = try JQProgram("def g(f): f | f; def h($x; f): g($x + f); [h(1; . + length), g(.[1])?]?")
        let limits = JQLimits(steps: 10_000, bytes: 4 << 20)
        let endless = try JQProgram("last(range(20000))")
        func outputs(_ program: JQProgram, _ workspace: JQWorkspace?) -> [String] {
            do throws(JQError) {
                return try program.run(input, limits: limits, workspace: workspace).map(\.json.compactText)
            } catch { return ["\(error)"] }
        }
        let expected = [sum, deep, closures].map { outputs($0, nil) }
        #expect(expected[0] == ["2380"])
        // Each run by itself stays below the limit that many together exceed.
        for round in 0..<12 {
            #expect([sum, deep, closures].map { outputs($0, workspace) } == expected, "\(round)")
            let stopped = try? endless.run(input, limits: limits, workspace: workspace)
            #expect(stopped == nil)
        }
    }
}
