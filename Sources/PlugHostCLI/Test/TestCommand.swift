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

            Exit code 0 means that all tests passed, 1 that one failed, 78 that a
            manifest has errors. A plug without tests gets a warning.

            Examples:
              plughost test plug.yaml
              plughost test Plugs
              plughost test Plugs/wikipedia --update    write golden files again

            With --json it prints one object per path: plug, outcome, error, cases
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

    @Flag(
        inversion: .prefixedNo,
        help: "Run every stream against a simulated service as well."
    )
    var conformance = true

    @Flag(help: "Print one JSON object per path.")
    var json = false

    var takesInterruptions: Bool { true }
    func run(in context: CommandContext) async throws -> ExitStatus {
        var status = ExitStatus.done
        var summary = TestSummary()
        for path in Manifests.files(paths) {
            do {
                let manifest = try Manifests.load(path, in: context)
                let folder = WholeFile.folder(of: manifest.source.path)
                let report = try await PlugTest.run(manifest, folder: folder, update: update, conformance: conformance)
                summary.add(report)
                tell(report, path, context)
                if report.outcome == .failed { status = max(status, .failed) }
            } catch let error as PlugError {
                summary.unreadable += 1
                if json { context.answer(Self.unreadable(path, error)) }
                context.tell(error)
                status = max(status, error.exit)
            }
        }
        context.output.flush()
        if !json { context.errors.write(summary.text) }
        return status
    }

    private func tell(_ report: PlugTestReport, _ path: String, _ context: CommandContext) {
        var object = report.json.object ?? JSONObject()
        object["error"] = .null
        answers(in: context).one(.object(object), text: TestSummary.text(report))
        guard report.cases.isEmpty else { return }
        let shown = DisplayText.escaped(path)
        let warning = "\(shown) has neither 'tests:' nor fixtures, so nothing was tested"
        context.errors.write("warning: [\(PlugError.Code.noTests)] \(warning)\n")
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
