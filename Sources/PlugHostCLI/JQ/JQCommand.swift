internal import ArgumentParser
internal import CurlTransport
internal import JQ
internal import LosslessJSON
internal import PlugCore

/// `plughost jq`
struct JQCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jq",
        abstract: "Tests a jq expression, as used in manifests, on JSON.",
        usage: "plughost jq [<options>] <filter> [<file> ...]",
        discussion: """
            Examples:
              plughost jq '.items[] | {id, title}' page.json
              curl -s https://api.example/items | plughost jq -c '.items[]'
              plughost jq --plug books --stream loans --program map page.json

            With --plug it runs a manifest's own program: records and page.… on the page,
            map, key, version, drop_if and since.field on each record that 'records' finds
            in it. --header gives programs of 'page' the answer's headers.

            Exit code 64 means that the filter is invalid; 65 that the input is invalid,
            or that the filter failed on it.

            \(JQDifferences.text)
            """
    )

    @Argument(help: "The jq program; with --plug the first file.")
    var filter: String?

    @Argument(help: ArgumentHelp("A file with one or more JSON documents (default: stdin).", valueName: "file"))
    var files: [String] = []

    @Flag(name: [.short, .long], help: "Print each output on one line.")
    var compactOutput = false

    @Flag(name: [.short, .long], help: "Print strings without quotes.")
    var rawOutput = false

    @Flag(name: [.short, .long], help: "Like --raw-output, but without line breaks between outputs.")
    var joinOutput = false

    @Flag(name: [.customShort("n"), .long], help: "Run once on null, without reading input.")
    var nullInput = false

    @Flag(name: [.short, .long], help: "Read all documents into one array.")
    var slurp = false

    @Option(
        help: ArgumentHelp("Run a program of this plug: a manifest, or a folder with a plug.yaml.", valueName: "path")
    )
    var plug: String?

    @Option(help: ArgumentHelp("The stream, if the plug has several.", valueName: "stream"))
    var stream: String?

    @Option(
        help: ArgumentHelp(
            "Which program: \(PlugPrograms.Name.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "program"
        )
    )
    var program: PlugPrograms.Name?

    @Option(
        name: .customLong("header"),
        help: ArgumentHelp(
            "With --plug, a header of the answer, for programs of 'page'. Repeatable.",
            valueName: "name: value"
        )
    )
    var headers: [String] = []

    @Option(help: ArgumentHelp("Set $name to a text.", valueName: "name> <text"))
    var arg: [String] = []

    @Option(help: ArgumentHelp("Set $name to a JSON value.", valueName: "name> <json"))
    var argjson: [String] = []

    func validate() throws {
        guard plug == nil else {
            guard let program else { throw ValidationError("--plug needs --program") }
            if !headers.isEmpty, !program.seesHeaders {
                throw ValidationError("--header is for page.next, page.more, page.total and page.pages")
            }
            if headers.contains(where: { Self.header($0) == nil }) {
                throw ValidationError("write --header 'Name: value'")
            }
            if nullInput || slurp || !arg.isEmpty || !argjson.isEmpty {
                throw ValidationError(
                    "--plug takes the manifest's program as it is: without -n, -s, --arg and --argjson"
                )
            }
            return
        }
        if stream != nil || program != nil || !headers.isEmpty {
            throw ValidationError("--stream, --program and --header are for --plug")
        }
        if filter == nil { throw ValidationError("write a jq program, such as '.items[]'") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let style = FilterRun.Style(isCompact: compactOutput, isRaw: rawOutput || joinOutput, joins: joinOutput)
        if let plug, let program { return try run(program, of: plug, style, context) }
        let filter = filter ?? "."
        let run = try FilterRun(filter, arguments: try arguments(), style: style, context: context)
        if nullInput { return run.apply(JQInput(.null)) ? .done : .data }
        var isWell = true
        var all: [JQInput] = []
        try FilterInput(paths: files).forEach { value in
            if slurp { all.append(value) } else if !run.apply(value) { isWell = false }
        }
        if slurp { isWell = run.apply(JQInput(all)) }
        return isWell ? .done : .data
    }

    /// Runs a program of a manifest.
    private func run(
        _ name: PlugPrograms.Name,
        of plug: String,
        _ style: FilterRun.Style,
        _ context: CommandContext
    ) throws -> ExitStatus {
        let programs = try PlugPrograms(
            try Manifests.load(plug, in: context),
            stream: stream,
            name,
            headers: headers.compactMap(Self.header)
        )
        let runs = try programs.programs().map {
            FilterRun($0, globals: programs.globals, style: style, context: context)
        }
        var isWell = true
        try FilterInput(paths: [filter].compactMap(\.self) + files).forEach { page in
            let inputs: [JQInput]
            do throws(JQError) { inputs = try programs.inputs(of: page) } catch {
                context.tell(PlugError(.jqFailed, "\(programs.place): 'records' failed on the page: \(error.message)"))
                isWell = false
                return
            }
            for (number, input) in inputs.enumerated() {
                let record = name.isOverPage ? "" : ", record \(number + 1)"
                for run in runs where !run.apply(input, at: "\(programs.place)\(record)") { isWell = false }
            }
        }
        return isWell ? .done : .data
    }

    /// `Name: value`; `nil` if it is not a header.
    private static func header(_ text: String) -> HTTPHeader? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let name = text[..<colon]
        let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isName, !name.isEmpty, !text.contains(where: \.isNewline) else { return nil }
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        return HTTPHeader(String(name), String(value))
    }

    private func arguments() throws(PlugError) -> [(name: String, value: JSONValue)] {
        var arguments: [(name: String, value: JSONValue)] = []
        for word in arg {
            let (name, text) = try Self.parts(word, "--arg")
            arguments.append((name, .text(text)))
        }
        for word in argjson {
            let (name, text) = try Self.parts(word, "--argjson")
            do {
                arguments.append((name, try JSONValue(parsing: text)))
            } catch {
                throw PlugError(.jqArgument, "the value of --argjson \(name) is not JSON: \(error)")
            }
        }
        return arguments
    }

    private static func parts(_ word: String, _ option: String) throws(PlugError) -> (name: String, text: String) {
        guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
            let advice = "write \(option) name value"
            throw PlugError(.jqArgument, "\(option) takes a name and a value", advice: advice)
        }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
}
