import JQ
import LosslessJSON
import Testing

/// What is decided over the tape is what the engine decides.
struct ConditionTests {
    /// Numbers of all spellings, texts with and without escapes, and what compares with them.
    private static let scalars = [
        "null", "false", "true", "0", "-0", "1", "-1", "7", "7.0", "70e-1", "1e400", "12345678901234567890",
        "-123456789012345678", "123456789012345678", "0.1", #""""#, #""a""#, #""ab""#, #""b""#, #""\u0061""#, #""é""#,
        #""e\u0301""#, #""\ud800""#, #""\n""#, "[]", "[1]", "{}", #"{"a":1}"#,
    ]

    private static let documents =
        scalars.map { #"{"a":\#($0)}"# }
        + scalars.map { #"{"b":{"c":[0,\#($0)]},"a":1,"a":\#($0)}"# }
        + ["{}", "null", "3", "[1]", #"{"b":null}"#, #"{"b":3}"#, #"{"b":[{"c":1}]}"#, #"{"\u0061":7}"#]

    private static let literals = [
        "null", "false", "true", "0", "-1", "7", "123456789012345678", #""""#, #""a""#, #""b""#,
    ]

    private static let programs =
        [
            ".a", ".a | not", ".b.c[1]", ".b.c[-1] | not | not", ".", "(.a) and .b", ".b.c or .a",
            "(.a == 7 or .b) | not",
        ]
        + ["==", "!=", "<", "<=", ">", ">="].flatMap { operation in
            literals.flatMap { literal in
                [
                    ".a \(operation) \(literal)", "\(literal) \(operation) .a",
                    ".b.c[1] \(operation) \(literal) and .a != null",
                    ".a == 1 or (.b.c[1] \(operation) \(literal) | not)",
                ]
            }
        }

    @Test func decidesWhatTheEngineDecides() throws {
        var decided = 0
        for source in Self.programs {
            let program = try JQProgram(source)
            let condition = try #require(JQCondition(program), "\(source)")
            for text in Self.documents {
                let document = try JSONDocument(bytes: Array(text.utf8))
                guard let holds = document.withCursor({ condition.holds($0, 0) }) else { continue }
                decided += 1
                let outputs = try program.run(JQInput(document.root))
                #expect(outputs.map(\.isTruthy) == [holds], "\(source) of \(text)")
            }
        }
        // Most of what services send: neither escapes nor fractions.
        #expect(decided * 4 > Self.programs.count * Self.documents.count * 3)
    }

    @Test(arguments: [
        #"{"a":"\n"}"#, #"{"a":7.0}"#, #"{"a":12345678901234567890}"#, "[1]", "3",
    ])
    func leavesTheRestToTheEngine(text: String) throws {
        let document = try JSONDocument(bytes: Array(text.utf8))
        let condition = try #require(JQCondition(try JQProgram(#".a == "a" or .a == 7"#)))
        #expect(document.withCursor { condition.holds($0, 0) } == nil)
    }

    @Test(arguments: [
        ".a[]", ".a, .b", ".a == .b", ".a + 1", ".a // 1", ".a?", ".a == 1.5", "1", ".a | length", "not", "empty",
        ".a == []",
        "$x | not", "(.a == 1) == true", ".a | . == 1",
    ])
    func isNoneWhereMoreIsAskedFor(source: String) throws {
        #expect(JQCondition(try JQProgram(source, globals: ["x"])) == nil)
    }

    @Test func selectsTheObjectsThatTheEngineSelects() throws {
        let pages = [
            #"{"items":[{"id":1,"k":"a"},{"id":2,"k":"b"},{"id":3},{"id":4,"k":"a"}]}"#, #"{"items":[]}"#,
            #"{"items":{}}"#,
            #"{"items":[{"k":"a"},3]}"#, #"{"items":[{"k":"a"},null]}"#, #"{"items":null}"#, #"[{"k":"a"}]"#, "{}",
            #"{"items":[{"k":"\u0061"}]}"#, #"{"items":[[{"k":"a"}]]}"#,
        ]
        let programs = [
            #".items[] | select(.k == "a")"#, #".items | .[] | select(.k) | select(.id > 1)"#,
            #".items | select(.k == "a")"#,
            #".[] | select(.k == "a")"#, #"select(.items)"#,
        ]
        for source in programs {
            let program = try JQProgram(source)
            let selection = try #require(JQSelection(program))
            for page in pages {
                let document = try JSONDocument(bytes: Array(page.utf8))
                guard let nodes = document.withCursor({ selection.objects($0, 0) }) else { continue }
                let expected = try program.run(JQInput(document.root)).map(\.json.compactText)
                #expect(
                    nodes.map { JSONView(document: document, node: $0).value.compactText } == expected,
                    "\(source) of \(page)"
                )
            }
        }
    }

    @Test func selectsOutOfEachElement() throws {
        let document = try JSONDocument(bytes: Array(#"[{"id":1,"k":"a"},{"id":2},{"id":3,"k":"a"}]"#.utf8))
        let selection = try #require(JQSelection(try JQProgram(#"select(.k == "a")"#))?.ofEach)
        let nodes = document.withCursor { selection.objects($0, 0) }
        #expect(
            nodes?.map { JSONView(document: document, node: $0).value.compactText } == [
                #"{"id":1,"k":"a"}"#, #"{"id":3,"k":"a"}"#,
            ]
        )
    }

    @Test func selectsOutOfAPieceOfAList() throws {
        func selection(_ source: String, at names: [String]) throws -> JQSelection? {
            JQSelection(try JQProgram(source))?.ofPiece(at: names)
        }
        let document = try JSONDocument(bytes: Array(#"[{"id":1,"in":[{"k":1}]},{"id":2,"in":[]}]"#.utf8))
        func selected(_ source: String, at names: [String]) throws -> [String]? {
            let selection = try #require(try selection(source, at: names), "\(source)")
            let nodes = document.withCursor { selection.objects($0, 0) }
            return nodes?.map { JSONView(document: document, node: $0).value.compactText }
        }
        let two = #"{"id":2,"in":[]}"#
        #expect(try selected(".a.items[] | select(.id == 2)", at: ["a", "items"]) == [two])
        #expect(try selected(".[] | select(.id == 2)", at: []) == [two])
        #expect(try selected(".items | .[] | .in[] | select(.k == 1)", at: ["items"]) == [#"{"k":1}"#])
        for (source, names) in [
            (".other[] | select(.id)", ["items"]), (".items | select(.id)", ["items"]),
            (".items[0] | select(.id)", ["items"]),
            (".items.a[] | select(.id)", ["items"]), (".items[] | select(.id)", []),
        ] { #expect(try selection(source, at: names) == nil, "\(source)") }
    }

    @Test(arguments: [
        ".items[]", ".items[] | .k", "map(select(.k))", "select(.k) | .id", "select(.k, .l)", "select(.k) | .l[]",
    ])
    func isNoSelectionWhereMoreIsAskedFor(source: String) throws {
        #expect(JQSelection(try JQProgram(source)) == nil)
    }

    /// Who wants to know which members a program meets has it run.
    @Test func isNoneWhereMembersAreNoted() throws {
        #expect(JQCondition(try JQProgram(".a", coverage: MemberCoverage())) == nil)
        #expect(JQSelection(try JQProgram("select(.a)", coverage: MemberCoverage())) == nil)
    }
}
