internal import ArgumentParser
internal import HostConfiguration
internal import LosslessJSON
internal import PlugCore

/// `plughost config`
struct ConfigCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Prints the configuration of this host, with the origin of each value.",
        discussion: """
            A host is configured by a file, by variables such as PLUGHOST_LISTEN, and by
            options; an option overrides a variable, and a variable overrides the file.

            The file is the one that --config or PLUGHOST_CONFIG names, or else
            plughost.yaml in the state folder, if there is one. Without a file, the
            defaults apply. plughost.yaml.example shows every key.

            Prints a table on a terminal. Otherwise it prints one line per value, separated
            by tabs: key, value, origin ('default' if nothing sets it). Secrets are shown
            as <redacted>. Errors are reported as 'plughost validate' reports those of a
            manifest, with exit code 78, or 64 if only the command line is wrong.

            Examples:
              plughost config
              plughost config --config /etc/plughost/plughost.yaml --json
            """
    )

    @OptionGroup var host: HostOptions

    @Flag(help: "Print one JSON object per line: key, value, origin, place.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let result = try host.read(context)
        result.tell(in: context, isJSON: json)
        guard let settings = result.settings else { return result.status }
        let name = DisplayText.escaped(result.file)
        context.errors.write(result.isThere ? "the file is \(name)\n" : "there is no file; it would be \(name)\n")
        answers(in: context).list(settings.rows, as: Self.list)
        return .done
    }

    private static let list = ListForm<HostSettings.Row>(
        header: ["key", "value", "origin"],
        limits: [60, 60, 60],
        columns: { [$0.key, $0.value.words, $0.origin.place ?? $0.origin.kind] },
        payload: { row in
            .members(
                ("key", .text(row.key)),
                ("value", row.value),
                ("origin", .text(row.origin.kind)),
                ("place", row.origin.place.map(JSONValue.text) ?? .null)
            )
        }
    )
}

extension HostConfigurationResult {
    /// Reports the findings on stderr, for a command that has another answer.
    func tell(in context: CommandContext) {
        for place in findings {
            let printer = DiagnosticPrinter(path: place.name, text: place.text)
            for diagnostic in place.diagnostics { context.tell(diagnostic, by: printer) }
        }
        if settings == nil, context.finding == nil { context.errors.write("'plughost explain CODE' explains a code\n") }
    }

    /// Reports the findings, as `validate` does.
    func tell(in context: CommandContext, isJSON: Bool) {
        let printer = ManifestFindings(format: isJSON ? .json : .text, context: context)
        for place in findings {
            printer.tell(place.diagnostics, by: DiagnosticPrinter(path: place.name, text: place.text))
        }
        if settings == nil, !isJSON { context.errors.write("'plughost explain CODE' explains a code\n") }
    }
}

extension JSONValue {
    /// A value for people: a text as it is, a list's elements separated by commas, `-` for none.
    fileprivate var words: String {
        if isNull { return "-" }
        guard let elements else { return stringText ?? compactText }
        return elements.isEmpty ? "-" : elements.map(\.words).joined(separator: ", ")
    }
}
