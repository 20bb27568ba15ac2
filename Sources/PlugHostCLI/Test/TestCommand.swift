internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugTesting

/// `plughost test`
struct TestCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Tests plugs without a network: 'tests:' of the manifest, and fixtures.",
        discussion: """
            A fixture is a recorded conversation, fixtures/NAME.json, with the records
            that must result from it, fixtures/NAME.golden.jsonl. Nothing is sent.

            Then each stream is run against a service that is simulated from the manifest:
            two pages, a page token that comes twice, Retry-After, 401, 500s, half an
            answer, HTML, an empty list, a record that changes meanwhile, a run that is
            killed, a second run, secrets in answers. What cannot be simulated is named.

            A member that a program names and no test has, for example because it is
            misspelt, is a warning; with --strict it fails the plug.

            Exit code 0 means that all tests passed, 1 that one failed, 78 that a
            manifest has errors. A plug without tests gets a warning.

            Examples:
              plughost test plug.yaml
              plughost test Plugs
              plughost test Plugs/wikipedia --update    write golden files again
              plughost test --format github --junit results.xml Plugs    for a pull request

            With --format json it prints one object per path: plug, outcome, error, cases
            (name, kind, outcome, code, message).
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A manifest, a folder with a plug.yaml, or a folder of such folders.",
            valueName: "path"
        )
    )
    var paths: [String]

    @Flag(help: "Write golden files from the current records.")
    var update = false

    @Flag(help: "Skip the runs against a simulated service.")
    var noConformance = false

    @Flag(help: "Fail if no test reaches a stream, or a member that the manifest names.")
    var strict = false

    @Option(help: "The format of results: text, json (one object per path) or github (annotations).")
    var format: ValidateCommand.Format?

    @Flag(name: .customLong("json"), help: "The same as --format json.")
    var asJSON = false

    @Option(help: ArgumentHelp("Write the results to a file as well, as JUnit's XML.", valueName: "file"))
    var junit: String?

    var json: Bool { asJSON || format == .json }

    func validate() throws {
        guard asJSON, let format, format != .json else { return }
        throw ValidationError("--json and --format \(format.rawValue) cannot be used together")
    }

    var takesInterruptions: Bool { true }
    func run(in context: CommandContext) async throws -> ExitStatus {
        var status = ExitStatus.done
        var summary = TestSummary()
        var results = JUnitReport()
        for path in Manifests.files(paths) {
            do {
                let coverage = ManifestCoverage()
                let manifest = try Manifests.load(path, in: context, coverage: coverage)
                let folder = WholeFile.folder(of: manifest.source.path)
                let report = try await PlugTest.run(
                    manifest,
                    folder: folder,
                    update: update,
                    coverage: coverage,
                    isStrict: strict,
                    conformance: !noConformance
                )
                summary.add(report)
                results.add(report, path: manifest.source.path)
                tell(report, manifest.source, context)
                if report.outcome == .failed { status = max(status, .failed) }
            } catch let error as PlugError {
                summary.unreadable += 1
                results.add(error, path: path)
                if format == .github { annotate(error, path, context) }
                if json { context.answer(Self.unreadable(path, error)) }
                context.tell(error)
                status = max(status, error.exit)
            }
        }
        context.output.flush()
        if !json { context.errors.write(summary.text) }
        if let junit { try Files.write(results.xml, to: junit) }
        return status
    }

    private func tell(_ report: PlugTestReport, _ source: ManifestSource, _ context: CommandContext) {
        if format == .github {
            annotate(report, source.path, context)
        } else {
            var object = report.json.object ?? JSONObject()
            object["error"] = .null
            answers(in: context).one(.object(object), text: TestSummary.text(report, source))
        }
        guard report.cases.isEmpty else { return }
        let shown = DisplayText.escaped(source.path)
        let warning = "\(shown) has neither 'tests:' nor fixtures, so nothing was tested"
        context.errors.write("warning: [\(PlugError.Code.noTests)] \(warning)\n")
    }

    /// Failures and possible problems, at the lines of a pull request.
    private func annotate(_ report: PlugTestReport, _ path: String, _ context: CommandContext) {
        for one in report.cases {
            guard let code = one.code, one.outcome == .failed || one.outcome == .warning else { continue }
            let place = TestPlace(one, manifest: path)
            let severity = one.outcome == .failed ? Diagnostic.Severity.error : .warning
            let message = "\(report.plug) · \(one.name): \(place.message)"
            let printer = DiagnosticPrinter(path: place.path, text: "")
            context.output.write(printer.github(Diagnostic(severity, code, message, at: place.location)))
        }
    }

    /// The errors of a manifest, or why there is none.
    private func annotate(_ error: PlugError, _ path: String, _ context: CommandContext) {
        let findings = ManifestFindings(format: .github, context: context)
        if error.code == .manifestInvalid, let result = try? ManifestReader.load(path, fetchers: context.fetchers) {
            findings.tell(result)
        } else {
            let printer = DiagnosticPrinter(path: path, text: "")
            findings.tell([Diagnostic(.error, error.code, error.message, help: error.advice)], by: printer)
        }
    }

    private static func unreadable(_ path: String, _ error: PlugError) -> JSONValue {
        .members(
            ("plug", .text(path)),
            ("outcome", .text("failed")),
            ("cases", .array([])),
            ("error", ErrorText.json(error)["error"] ?? .null)
        )
    }
}
