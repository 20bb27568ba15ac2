internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import Scaffolding

/// `plughost init`
struct InitCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Creates a plug: a folder that already passes 'validate' and 'test'.",
        discussion: """
            Writes NAME/ with plug.yaml, a README, a fixture with its golden file, and a
            schema that lets editors complete and check the manifest.

            Examples:
              plughost init books                   a list with tokens for the next page
              plughost init books --like github     a copy of another plug
              plughost init books --openapi api.json --operation listBooks
              plughost init books --swift --package ../plughost

            From a description (OpenAPI 3 or Swagger 2; JSON, or YAML up to 256 KiB) it
            takes the address, parameters, authorisation, paging and members. Without
            --operation it lists the operations. Read what it wrote: a description does
            not say what identifies a record, or when it changes.

            With --swift it writes a package: a plug that a fetcher in Swift reads, and a
            program with this fetcher and every command of plughost. Build it before you
            test it.

            With --json it prints one object: plug, folder, files, tests.
            """
    )

    @Argument(help: ArgumentHelp("The plug's id: lower-case letters, digits and hyphens.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("Copy a bundled plug, or one at a path.", valueName: "plug"))
    var like: String?

    @Option(help: ArgumentHelp("A description of the service's API.", valueName: "file"))
    var openapi: String?

    @Option(help: ArgumentHelp("The operation to read: its operationId, or its path.", valueName: "id"))
    var operation: String?

    @Flag(help: "Write a package with a fetcher in Swift, for a source that no manifest can read.")
    var swift = false

    @Option(
        help: ArgumentHelp(
            "The path or URL of plughost's own package, as seen from the new one.",
            valueName: "package"
        )
    )
    var package: String?

    @Option(help: ArgumentHelp("Where to make the folder.", valueName: "folder"))
    var into = "."

    @Flag(help: "Print one JSON object: plug, folder, files, tests.")
    var json = false

    func validate() throws {
        if like != nil, openapi != nil { throw ValidationError("--like and --openapi cannot be used together") }
        if swift, like != nil || openapi != nil {
            throw ValidationError("--swift cannot be used together with --like or --openapi")
        }
        if package != nil, !swift { throw ValidationError("--package is for --swift") }
        if operation != nil, openapi == nil { throw ValidationError("--operation is for --openapi") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        guard PlugName.isOne(name) else {
            throw PlugError(
                .plugNameUnfit,
                "'\(DisplayText.escaped(String(name.prefix(100))))' cannot be a plug's id",
                advice: "use lower-case letters, digits and hyphens, at most 64, such as 'my-plug'"
            )
        }
        let folder = NewPlugFolder(into == "." ? name : "\(into)/\(name)")
        try folder.check()
        if swift { return try writePackage(folder, context) }
        let tests = try await folder.write(try files(), context)
        let answer = JSONValue.members(
            ("plug", .text(name)),
            ("folder", .text(folder.path)),
            ("files", .array(folder.names.map(JSONValue.text))),
            ("tests", .integer(tests))
        )
        let manifest = try Manifests.load(folder.path, in: context)
        answers(in: context).one(answer, text: text(folder, tests, manifest))
        return .done
    }

    private func writePackage(_ folder: NewPlugFolder, _ context: CommandContext) throws(PlugError) -> ExitStatus {
        let package = package ?? "../plughost"
        guard package.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !"\"\\".unicodeScalars.contains($0) }) else {
            throw PlugError(
                .plugNameUnfit,
                "'\(DisplayText.escaped(package))' cannot be used in a Package.swift",
                advice: "give a path or a URL without quotes, backslashes and control characters"
            )
        }
        let draft = SwiftPackageDraft(id: name, plughost: package)
        try folder.writePackage(draft.files { PrettyJSON().text($0) + "\n" })
        let answer = JSONValue.members(
            ("plug", .text(name)),
            ("folder", .text(folder.path)),
            ("files", .array(folder.names.map(JSONValue.text))),
            ("tests", .integer(0))
        )
        let shown = DisplayText.escaped(folder.path)
        let text = """
            \(shown) has \(folder.names.joined(separator: ", "))

            next:
              cd \(shown)
              swift build                         some minutes the first time: it builds plughost
              .build/debug/\(name) test plug
              edit Sources/\(name)/\(draft.type).swift

            """
        answers(in: context).one(answer, text: text)
        return .done
    }

    private func files() throws(PlugError) -> [String: String] {
        if let like { return try PlugTemplate.copy(of: like, as: name) }
        let draft = try draft()
        return [
            "plug.yaml": draft.manifest, "README.md": draft.readme,
            "fixtures/first-pages.json": PrettyJSON().text(draft.fixture) + "\n",
        ]
    }

    private func draft() throws(PlugError) -> PlugDraft {
        guard let openapi else { return PlugDraft.template(id: name) }
        let description = try OpenAPIFile.read(openapi)
        return try OpenAPIPlug(description, try description.operation(operation), id: name).draft()
    }

    private func text(_ folder: NewPlugFolder, _ tests: Int, _ manifest: Manifest) -> String {
        let shown = DisplayText.escaped(folder.path)
        let lacking = manifest.config.filter { $0.default == nil }.map { " " + ConfigAnswers.option($0) }.joined()
        // If consent is needed first, the service is then read with its result.
        let needsConsent = manifest.authorization.needsVault
        let connecting =
            needsConsent
            ? "\n  plughost connect \(shown) --connection me --pda URL --client-id ID\(lacking)      asks for your consent"
            : ""
        let trying = (needsConsent ? " --connection me" : "") + lacking
        return """
            \(shown) has \(folder.names.joined(separator: ", "))
            \(tests.counted("test passes", "tests pass"))

            next:
              edit \(shown)/plug.yaml
              plughost test \(shown)\(connecting)
              plughost try \(shown)\(trying)      reads the service, and delivers nothing

            """
    }
}
