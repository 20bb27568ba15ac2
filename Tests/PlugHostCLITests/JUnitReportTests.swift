import PlugCore
import PlugTesting
import Testing

@testable import PlugHostCLI

struct JUnitReportTests {
    private static let code = PlugError.Code("golden-differs", exit: .failed, "", "")

    @Test func everyOutcomeHasItsElement() {
        var passed = PlugTestReport.Case("posts: test 1", .inline, .ok)
        passed.duration = .milliseconds(1234)
        var results = JUnitReport()
        results.add(
            PlugTestReport(
                plug: "demo",
                cases: [
                    passed,
                    .init(
                        "fixtures/posts.json",
                        .fixture,
                        .failed,
                        code: Self.code,
                        message: "demo/posts.golden.jsonl:2: record 2 differs\n  .a: expected \"<1>\", got 2 & 3"
                    ),
                    .init("posts: two pages", .conformance, .skipped, message: "not simulated: why"),
                    .init("fixtures/new.json", .fixture, .updated, message: "wrote 1 record"),
                ]
            ),
            path: "demo/plug.yaml"
        )
        #expect(
            results.xml == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="plughost test" tests="4" failures="1" errors="0" skipped="1" time="1.234">
                  <testsuite name="demo" tests="4" failures="1" errors="0" skipped="1" time="1.234">
                    <testcase classname="demo.inline" name="posts: test 1" time="1.234" file="demo/plug.yaml"/>
                    <testcase classname="demo.fixture" name="fixtures/posts.json" time="0.000" file="demo/posts.golden.jsonl" line="2">
                      <failure message="record 2 differs" type="golden-differs">demo/posts.golden.jsonl:2: record 2 differs
                  .a: expected &quot;&lt;1&gt;&quot;, got 2 &amp; 3</failure>
                    </testcase>
                    <testcase classname="demo.conformance" name="posts: two pages" time="0.000" file="demo/plug.yaml">
                      <skipped message="not simulated: why"/>
                    </testcase>
                    <testcase classname="demo.fixture" name="fixtures/new.json" time="0.000" file="demo/plug.yaml">
                      <system-out>wrote 1 record</system-out>
                    </testcase>
                  </testsuite>
                </testsuites>

                """
        )
    }

    @Test func aManifestThatCannotBeUsedIsAnError() {
        var results = JUnitReport()
        let code = PlugError.Code("manifest-missing", exit: .configuration, "", "")
        results.add(PlugError(code, "there is no file 'x'", advice: "look"), path: "x")
        #expect(
            results.xml == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="plughost test" tests="1" failures="0" errors="1" skipped="0" time="0.000">
                  <testsuite name="x" tests="1" failures="0" errors="1" skipped="0" time="0.000">
                    <testcase classname="x" name="manifest" time="0.000" file="x">
                      <error message="there is no file 'x'" type="manifest-missing">there is no file 'x'
                help: look</error>
                    </testcase>
                  </testsuite>
                </testsuites>

                """
        )
    }

    @Test func whatXMLHasNoWordForIsReplaced() {
        #expect(JUnitReport.escaped("a\u{1B}[1m\t\u{0}b\u{FFFF}") == "a\u{FFFD}[1m&#9;\u{FFFD}b\u{FFFD}")
    }

    @Test(arguments: [
        ("p/plug.yaml:12:5: what", "p/plug.yaml", 12, 5, "what"),
        ("p/a.golden.jsonl:2: record 2 differs\nmore", "p/a.golden.jsonl", 2, 1, "record 2 differs\nmore"),
        ("stream 'posts': c:/p.yaml:3:4: what: it", "c:/p.yaml", 3, 4, "stream 'posts': what: it"),
    ])
    func theMessageSaysWhereToLook(message: String, path: String, line: Int, column: Int, rest: String) {
        let place = TestPlace(.init("a", .fixture, .failed, message: message), manifest: "m")
        #expect(place.path == path)
        #expect(place.location == .init(line: line, column: column))
        #expect(place.message == rest)
    }

    @Test func withoutAPlaceTheManifestIsMeant() {
        let message = "the plug requests GET https://api.example.org:8443/items: more"
        let place = TestPlace(.init("a", .fixture, .failed, message: message), manifest: "m")
        #expect(place.path == "m")
        #expect(place.location == nil)
        #expect(place.message == message)
    }
}
