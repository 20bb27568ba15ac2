import JQ
import LosslessJSON
import PlugManifest
import Testing

@testable import Importing

/// Expressions over records, and what the original engine (airbyte-cdk 7.39.1) makes of them.
@Suite("What expressions give is what the original engine gives")
struct EngineTruthTests {
    private static let records = [
        #"{"id": 1, "n": 5, "f": 2.5, "s": "Active", "flag": true, "nul": null, "owner": {"id": 3},"#
            + #""tags": ["b", "A", "a", "C"], "d": "2025-01-02", "amt": null, "url": "https://x.example/items/77"}"#,
        #"{"id": 2, "n": 0, "f": -1, "s": "False", "flag": false,"#
            + #""tags": [], "owner": null, "d": "2024-12-31", "amt": 3, "url": ""}"#,
        #"{"id": 3, "n": 1, "s": "0", "flag": 1, "owner": {},"#
            + #""tags": ["c"], "d": "", "amt": 7.0}"#,
    ]

    @Test(
        "Conditions",
        arguments: [
            ("record.missing | int == 0", [false, false, false]),
            ("record.amt | int < 5", [true, true, false]),
            ("not (record.missing | int)", [false, false, false]),
            ("record.d[:4] != '2025'", [false, true, true]),
            ("record.missing[:4] != '2025'", [false, false, false]),
            ("record.missing is not none and record.missing | int < 10", [false, false, false]),
            ("record.get('n', 0) == 0", [false, true, false]),
            ("record.get('tags', []) == []", [false, true, false]),
            ("record.get('zz', []) == []", [true, true, true]),
            ("record.get('amt', 0) == 0", [false, false, false]),
            ("record.missing.split('-')[0] != 'x'", [false, false, false]),
            ("record.missing + 1 > 0", [false, false, false]),
            ("record.owner.id | int < 5", [true, false, false]),
            ("record.s | int >= 0", [true, true, true]),
            ("'a' in record.tags", [true, false, false]), ("'a' in record.amt", [true, true, true]),
            ("'a' not in record.amt", [true, true, true]), ("'a' in record.missing", [false, false, false]),
            ("record.amt | length > 0", [true, true, true]), ("record.tags | length > 0", [true, false, true]),
            ("record.missing | length == 0", [true, true, true]),
            ("record.amt < 5", [true, true, false]),
            ("record.amt > 0", [true, true, true]),
            ("record.amt >= 3", [true, true, true]),
            ("record.owner.id is not defined", [false, true, true]),
            ("not record.owner.id", [false, true, true]),
            ("record.owner.id != 3", [false, true, true]),
            ("record.zip.id is not defined", [false, false, false]),
            ("not record.zip.id", [false, false, false]),
            ("record.zip.id != 3", [false, false, false]),
            ("record.zip.id == 3 or record.id == 1", [false, false, false]),
            ("record.flag == 1", [true, false, true]),
            ("record.n == false", [false, true, false]),
            ("record.n == true", [false, false, true]),
            ("record.flag == true", [true, false, true]),
            ("record.s == 'False'", [false, true, false]),
            ("record.flag == 'False'", [false, false, false]),
            ("record.f is integer", [false, true, false]),
            ("record.n is float", [false, false, false]),
            ("record.n is integer", [true, true, true]),
            ("record.flag is number", [true, true, true]),
            ("record.n is number", [true, true, true]),
            ("record.flag is sameas true", [true, false, false]),
            ("record.s", [true, false, false]),
            ("record.flag", [true, false, true]),
            ("record.n", [true, false, true]),
            ("record.d >= '2025-01-01'", [true, false, false]),
            ("record.d < '2025-01-01' and record.n == 0", [false, true, false]),
            ("record.missing < 5 or record.id == 3", [false, false, false]),
            ("not (record.missing < 5)", [false, false, false]),
            ("record.n > 0 and record.n < 5", [false, false, true]),
            ("record.id in [1, 2]", [true, true, false]),
            ("record.nul is none", [true, false, false]),
            ("record.owner is mapping", [true, false, true]),
        ]
    )
    func conditions(_ expression: String, _ verdicts: [Bool]) throws {
        let program = try JQProgram(try condition(expression))
        let found = try Self.records.map { try program.run(JSONValue(parsing: $0)) }
        #expect(found == verdicts.map { [.bool($0)] })
    }

    @Test(
        "Members that are added",
        arguments: [
            (#"a-{{ record.flag }}"#, "", #"["a-True","a-False","a-1"]"#),
            (#"{{ record.flag ~ '-' ~ record.id }}"#, "", #"["True-1","False-2","1-3"]"#),
            (#"'{{ record.id }}'"#, "", #"["1","2","3"]"#),
            (#"{{ 2.5 | round | int }}"#, "", #"[2,2,2]"#),
            (#"{{ (0 - 2.5) | round | int }}"#, "", #"[-2,-2,-2]"#),
            (#"{{ record.tags | sort }}"#, "", #"[["A","a","b","C"],[],["c"]]"#),
            (#"{{ record.tags | unique | list }}"#, "", #"[["b","A","C"],[],["c"]]"#),
            (#"{{ (record.url or '') | regex_search('[0-9]+') }}"#, "", #"["","",""]"#),
            (#"{{ (record.url or '') | regex_search('(items)/') }}"#, "", #"["items","",""]"#),
            (#"{{ 'a b/c' | urlencode }}"#, "", #"["a%20b/c","a%20b/c","a%20b/c"]"#),
            (#"{{ sanitize_url('a b/c') }}"#, "", #"["a+b%2Fc","a+b%2Fc","a+b%2Fc"]"#),
            (#"{% set a = 7 %}{% set b = a + 1 %}{% set a = 100 %}{{ a }}-{{ b }}"#, "", #"["100-8","100-8","100-8"]"#),
            (
                #"{{ (str_to_datetime('2025-01-02') + duration('PT36H')).strftime('%Y-%m-%d %H') }}"#, "",
                #"["2025-01-03 12","2025-01-03 12","2025-01-03 12"]"#
            ),
            (#"1.50"#, "", #"[1.5,1.5,1.5]"#),
            (#"[1, 2]"#, "", #"[[1,2],[1,2],[1,2]]"#),
            (#"{'a': 1}"#, "", #"[{"a":1},{"a":1},{"a":1}]"#),
            (#"{"a": true}"#, "", #"["{\"a\": true}","{\"a\": true}","{\"a\": true}"]"#),
            (#"1e3"#, "", #"[1000.0,1000.0,1000.0]"#),
            (#"0x10"#, "", #"[16,16,16]"#),
            (#"007"#, "", #"["007","007","007"]"#),
            (#"True"#, "", #"[true,true,true]"#),
            (#"{{ record.owner | tojson }}"#, "", #"[{"id":3},"null",{}]"#),
            (#"x{{ record.f | default(true) }}"#, "", #"["x2.5","x-1","xTrue"]"#),
            (#"{{ record.id }}"#, "string", #"["1","2","3"]"#),
            (#"{{ record.id }}"#, "number", #"["1","2","3"]"#),
            (#"{{ record.f }}"#, "integer", #"["2.5",-1,""]"#),
            (#"{{ record.n }}"#, "boolean", #"["5","0","1"]"#),
            (#"{{ record.flag }}"#, "string", #"["True","False","1"]"#),
            (#"{{ record.flag }}"#, "boolean", #"[true,false,"1"]"#),
            (#"{{ record.s }}"#, "integer", #"["Active",false,0]"#),
            (#"5"#, "string", #"["5","5","5"]"#),
            (#"5"#, "number", #"["5","5","5"]"#),
            (#"5"#, "integer", #"[5,5,5]"#),
        ]
    )
    func members(_ value: String, _ type: String, _ members: String) throws {
        var stream = OneStream()
        let field = JSONValue.members(("path", .array([.text("x")])), ("value", .text(value)))
        let typed =
            type.isEmpty
            ? field : .members(("path", .array([.text("x")])), ("value", .text(value)), ("value_type", .text(type)))
        stream.transformations = "[{type: AddFields, fields: [\(typed.compactText)]}]"
        let text = try #require(try imported(stream.text).manifest)
        let manifest = try #require(ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).manifest)
        let program = try #require(manifest.streams[0].map)
        let found = try Self.records.map { try program.run(JSONValue(parsing: $0)).first?["x"] ?? .null }
        #expect(JSONValue.array(found) == (try JSONValue(parsing: members)))
    }

    // Read with airbyte-cdk 7.39.1.
    @Test(
        "Keys",
        arguments: [
            (
                "\(KeyPrograms.flat); flat(true)", #"{"a": 1, "b": {"c": 2, "a": 3, "d": {"a": 4, "e": []}}}"#,
                #"{"a": 1, "c": 2}"#
            ),
            (
                "\(KeyPrograms.flat); flat(false)", #"{"a": 1, "b": {"c": 2, "a": 3, "d": {"a": 4, "e": []}}}"#,
                #"{"a": 1, "c": 2, "e": []}"#
            ),
            (
                "\(KeyPrograms.flat); flat(true)", #"{"x": [1, {"y": 2, "x": 3}, [4]], "y": 5, "z": {"y": 6}}"#,
                #"{"x.0": 1, "x.1.x": 3, "x.1.y": 2, "x.2.0": 4, "y": 5}"#
            ),
            (
                "\(KeyPrograms.flat); flat(true)", #"{"l": [{"id": 1}, {"id": 2}], "o": {}, "n": null}"#,
                #"{"l.0.id": 1, "l.1.id": 2, "n": null}"#
            ),
            (
                "\(KeyPrograms.snakeCase); renamed",
                #"{"FirstName": 1, "userID": 2, "HTTPServer": 3, "2ndItem": 4, "a.b-c": 5, "_private": 6, "__x__": 7, "ID": 9,"#
                    + #""x2y": 10, "Items": {"SubItem": [{"NoChange": 1}]}, "with  space": 12, "$ref": 13, "12": 15, "name_": 16}"#,
                #"{"first_name": 1, "user_id": 2, "httpserver": 3, "_2_nd_item": 4, "a_b_c": 5, "_private": 6, "_x_": 7,"#
                    + #""id": 9, "x_2_y": 10, "items": {"sub_item": [{"NoChange": 1}]}, "with_space": 12, "_ref": 13, "_12": 15,"#
                    + #""name_": 16}"#
            ),
        ]
    )
    func keys(program: String, record: String, renamed: String) throws {
        let given = try JQProgram(program).run(try JSONValue(parsing: record))
        #expect(given == [try JSONValue(parsing: renamed)])
    }
}
