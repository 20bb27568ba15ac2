import LosslessJSON
import PlugCore
import TestKit
import Testing

struct DiagnosticPrinterTests {
    private let finding = Diagnostic(
        .error,
        "unknown-key",
        "'pgae' is not a key",
        at: .init(line: 2, column: 3, length: 4),
        help: "did you mean 'page'?"
    )

    @Test func aFindingShowsPlaceLineCaretAndHelp() {
        let printer = DiagnosticPrinter(path: "plug.yaml", text: "a:\n  pgae: 1\n")
        #expect(
            printer.text(finding) == """
                plug.yaml:2:3: error: [unknown-key] 'pgae' is not a key
                      pgae: 1
                      ^~~~
                  help: did you mean 'page'?

                """
        )
    }

    @Test func caretsStandBelowWideCharactersAndTabs() {
        let printer = DiagnosticPrinter(path: "p", text: "日本: x\n\tü😀y\n\u{FEFF}")
        let wide = printer.text(Diagnostic(.error, "c", "m", at: .init(line: 1, column: 2, length: 2)))
        #expect(wide == "p:1:2: error: [c] m\n    日本: x\n      ^~~\n")
        let tab = printer.text(Diagnostic(.warning, "c", "m", at: .init(line: 2, column: 3, length: 2)))
        #expect(tab == "p:2:3: warning: [c] m\n    \tü😀y\n    \t ^~~\n")
    }

    @Test func linesEndAsYAMLEndsThem() {
        let printer = DiagnosticPrinter(path: "p", text: "\u{FEFF}a\r\nb\rc")
        let third = printer.text(Diagnostic(.note, "c", "m", at: .init(line: 3, column: 1)))
        #expect(third == "p:3:1: note: [c] m\n    c\n    ^\n")
        let beyond = printer.text(Diagnostic(.error, "c", "m", at: .init(line: 9, column: 1)))
        #expect(beyond == "p:9:1: error: [c] m\n")
        let pastEnd = printer.text(Diagnostic(.error, "c", "m", at: .init(line: 3, column: 9, length: 3)))
        #expect(pastEnd == "p:3:9: error: [c] m\n    c\n     ^\n")
    }

    @Test func controlCharactersOfTheFileCannotMoveTheCursor() {
        let printer = DiagnosticPrinter(path: "p\u{1B}", text: "a\u{1B}[2Jb")
        let text = printer.text(Diagnostic(.error, "c", "x\u{9B}\u{202E}y\n", at: .init(line: 1, column: 6)))
        #expect(text == "p\\u001b:1:6: error: [c] x\\u009b\\u202ey\\u000a\n    a\\u001b[2Jb\n              ^\n")
    }

    @Test func runnersAndProgramsHaveTheirOwnForms() {
        let printer = DiagnosticPrinter(path: "a,b:c.yaml", text: "")
        #expect(
            printer.github(finding)
                == "::error file=a%2Cb%3Ac.yaml,line=2,col=3,title=unknown-key::"
                + "'pgae' is not a key (did you mean 'page'?)\n"
        )
        #expect(
            printer.json(finding).compactText
                == #"{"path":"a,b:c.yaml","line":2,"column":3,"length":4,"severity":"error","code":"unknown-key","#
                + #""message":"'pgae' is not a key","help":"did you mean 'page'?"}"#
        )
    }
}
