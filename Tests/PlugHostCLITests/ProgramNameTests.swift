import Testing

@testable import PlugHostCLI

/// The name of a program in texts that people copy.
struct ProgramNameTests {
    @Test(arguments: [
        ("USAGE: plughost run <path>", "USAGE: journal run <path>"),
        ("  plughost try plug.yaml", "  journal try plug.yaml"),
        ("'plughost explain CODE' explains a code", "'journal explain CODE' explains a code"),
        ("'plughost --help' lists the commands", "'journal --help' lists the commands"),
        ("plughost <subcommand>", "journal <subcommand>"),
        ("plughost 0.1.0", "plughost 0.1.0"),
        ("write it in plughost.yaml", "write it in plughost.yaml"),
        ("/etc/plughost run", "/etc/plughost run"),
        ("a bug in plughost", "a bug in plughost"),
    ])
    func commandsBeginWithIt(_ text: String, _ shown: String) {
        #expect(ProgramName(name: "journal").shown(text) == shown)
        #expect(ProgramName(name: ProgramName.defaultName).shown(text) == text)
    }
}
