internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// `plughost record`
struct RecordCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records a fixture from a plug's source, with placeholders for personal data.",
        discussion: """
            Reads a few pages and writes fixtures/NAME.json and its golden file beside the
            manifest. Texts, numbers and times in the answers are replaced by others of the
            same form, equal values by equal ones, so that keys, cursors and paging still
            work. Words for kinds and states, and values that the manifest itself names,
            are kept. So are a few headers. The requests are those that the plug makes with
            the replaced answers; nothing of a live request is kept. The output counts, by
            kind, what was kept and what was replaced.

            The fixture is tested before it is written. It is not written if a secret of
            this run is still in it, in any encoding. Even so, look through it before you
            share it.

            Examples:
              plughost record plug.yaml --config user=ada --stream posts
              plughost record plug.yaml --config token=@token --pages 3 --name paging
              plughost record plug.yaml --keep genre --keep danceability
            """
    )

    @OptionGroup var live: LiveOptions

    @Option(help: ArgumentHelp("Record this stream only.", valueName: "stream"))
    var stream: String?

    @Option(help: ArgumentHelp("What the fixture is called (default: the stream, or 'recorded').", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Keep members with this name, and their values, as they are. Repeatable.",
            valueName: "member"
        )
    )
    var keep: [String] = []

    @Flag(help: "Replace a fixture of that name.")
    var force = false

    @Flag(
        help:
            "Print one JSON object: fixture, golden, exchanges, records, replaced_names, kept, kept_constants, replaced."
    )
    var json = false

    var takesInterruptions: Bool { true }

    func validate() throws {
        let isName =
            title.utf8.count <= 100 && title.first != "."
            && title.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        guard isName else { throw ValidationError("--name is made of letters, digits, '-', '_' and '.'") }
    }

    private var title: String { name ?? stream ?? "recorded" }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let talk = RunTalk(context, printsRecords: false, showsWaits: true)
        let trace = live.tracing(talk)
        let plug = try await LivePlug(live, trace: trace, in: context)
        return try await lend(plug, closing: { await $0.close() }) { plug in
            let folder = WholeFile.folder(of: plug.manifest.source.path) + "/fixtures"
            let (fixture, golden) = ("\(folder)/\(title).json", "\(folder)/\(title).golden.jsonl")
            // Checked before the source is asked, which may take long.
            try check(plug.manifest, fixture)
            let recording = Recording(
                plug: plug,
                stream: stream,
                pages: live.pages,
                kept: Set(keep),
                trace: trace,
                talk: talk
            )
            let result = try await recording.make(title)
            talk.end()
            try Files.makeFolder(folder)
            try Files.write(String(decoding: result.cassette, as: UTF8.self), to: fixture)
            try Files.write(String(decoding: result.golden, as: UTF8.self), to: golden)
            tell(result, fixture, golden, context)
            return .done
        }
    }

    private func check(_ manifest: Manifest, _ fixture: String) throws(PlugError) {
        if manifest.program != nil {
            throw PlugError(
                .recordUnusable,
                "the plug '\(manifest.id)' is read by a program: it makes no requests that could be recorded",
                advice: "keep the program's own output as fixtures/NAME.singer.jsonl, and take out what is private"
            )
        }
        if let stream, manifest.stream(stream)?.path == nil {
            throw PlugError(
                .unknownStream,
                exit: .usage,
                "the plug '\(manifest.id)' delivers no stream '\(DisplayText.escaped(stream))'",
                advice:
                    "its streams are: \(manifest.streams.filter { $0.path != nil }.map(\.name).joined(separator: ", "))"
            )
        }
        let read = manifest.streams.filter { $0.path != nil && (stream == nil || $0.name == stream) }
        if read.allSatisfy({ $0.archive != nil }) {
            throw PlugError(
                .recordUnusable,
                "the plug '\(manifest.id)' reads an export: there are no requests that could be recorded",
                advice: "write a small export as a folder, and a fixture with 'archives': see Documentation/archives.md"
            )
        }
        guard !force, Files.exists(fixture) else { return }
        throw PlugError(
            .recordExists,
            "\(DisplayText.escaped(fixture)) already exists",
            advice: "give the new one another name with --name NAME, or replace it with --force"
        )
    }

    private func tell(_ result: Recording.Result, _ fixture: String, _ golden: String, _ context: CommandContext) {
        let names = result.replacedNames
        let shown =
            names.prefix(20).map { DisplayText.escaped($0) }.joined(separator: ", ") + (names.count > 20 ? ", …" : "")
        let replaced = names.isEmpty ? "" : "names of members that were replaced: \(shown); --keep NAME keeps one\n"
        let (constants, more) = result.tally.keptConstants
        let kept =
            constants.isEmpty
            ? ""
            : "kinds and constants that were kept: "
                + constants.map { DisplayText.escaped(String($0.prefix(60))) }.joined(separator: ", ")
                + (more > 0 ? ", and \(more) more" : "") + "\n"
        let days =
            result.keepsDays ? "times are only some minutes earlier: the manifest counts from a fixed day\n" : ""
        answers(in: context).one(
            .members(
                ("fixture", .text(fixture)),
                ("golden", .text(golden)),
                ("exchanges", .integer(result.exchanges)),
                ("records", .integer(result.records)),
                ("replaced_names", .array(names.map { .text($0) })),
                ("kept", result.tally.json.kept),
                ("kept_constants", .array(constants.map(JSONValue.text))),
                ("replaced", result.tally.json.replaced)
            ),
            text: """
                wrote \(DisplayText.escaped(fixture)): \(result.exchanges.counted("exchange"))
                wrote \(DisplayText.escaped(golden)): \(result.records.counted("record"))
                \(result.tally.text)\(kept)\(replaced)\(days)look through both before you share them

                """
        )
    }
}
