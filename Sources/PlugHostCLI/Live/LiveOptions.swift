internal import ArgumentParser

/// The plug, the person's answers and the limits of a command that reads a source as it is now, and stores nothing of it in the
/// state.
struct LiveOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("A manifest, or a folder with a plug.yaml.", valueName: "path"))
    var path: String

    @Option(help: ArgumentHelp("How many pages of each stream to read at most.", valueName: "number"))
    var pages = 2

    @Flag(
        help: ArgumentHelp(
            "Show the headers and the start of the body of every request and answer.",
            discussion: RequestTrace.warning
        )
    )
    var trace = false

    @OptionGroup var config: ConfigOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var named: ConnectionOption
    @OptionGroup var state: PlugStateOptions
    @OptionGroup var programs: ProgramOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var source: SourceOptions

    func validate() throws {
        guard (1...100).contains(pages) else { throw ValidationError("--pages is a number from 1 to 100") }
    }

    /// Reports the requests, as these options specify.
    func tracing(_ talk: RunTalk) -> RequestTrace {
        RequestTrace(detail: trace ? .whole : .lines) { talk.write($0) }
    }
}
