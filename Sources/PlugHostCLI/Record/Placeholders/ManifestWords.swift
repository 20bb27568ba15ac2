internal import JQ
internal import LosslessJSON
internal import PlugManifest

/// The words and numbers in a manifest's programs, templates and requests: names of members, constants that values are compared
/// with, paths and parameters. They are the service's and the author's, and a plug that gets others works differently.
struct ManifestWords: Sendable {
    /// Words of letters and digits.
    private(set) var words: Set<String> = []
    /// Words of constants in programs: what a value is compared with, or begins with.
    private(set) var constants: Set<String> = []
    /// Whole numbers.
    private(set) var numbers: Set<String> = []
    /// Words of the programs that count records and pages, or determine whether there are more.
    private(set) var counting: Set<String> = []
    /// Possible header names: quoted texts in programs that use headers, and whole constants.
    private(set) var headerNames: Set<String> = []
    /// The source of the programs and templates.
    private var sources: Set<String> = []

    init(_ manifest: Manifest) {
        collect(manifest.streams)
        collect(manifest.http)
        collect(manifest.vars)
        collect(manifest.authorization)
        for field in manifest.config { collect([field.default].compactMap(\.self) + field.choices) }
        for source in sources {
            for literal in source.matches(of: #/"(?<text>[^"\\]*)"/#) {
                constants.formUnion(Self.words(in: String(literal.text)))
            }
            // A host is the service's, but its words may be anyone's.
            for word in Self.words(in: source.replacing(#/https?:\/\/[^\/{]*/#, with: "")) {
                if word.allSatisfy({ $0.isASCII && $0.isNumber }) { numbers.insert(word) } else { words.insert(word) }
            }
        }
        for source in sources {
            guard source.contains("headers") else {
                if !source.contains(where: \.isWhitespace) { headerNames.insert(source.lowercased()) }
                continue
            }
            headerNames.formUnion(source.lowercased().split { $0 == "\"" || $0 == "'" }.map(String.init))
            headerNames.formUnion(
                source.lowercased().matches(of: #/headers\.([a-z0-9_]+)/#).map { String($0.output.1) }
            )
        }
        for paging in manifest.streams.compactMap(\.paging) {
            for program in [paging.total, paging.pages, paging.more].compactMap(\.self) {
                counting.formUnion(Self.words(in: program.source))
                // `."@odata.count"` and `headers["x-total"]`: a whole name.
                counting.formUnion(program.source.matches(of: #/"(?<name>[^"\\]+)"/#).map { String($0.name) })
            }
        }
    }

    /// Whether an entire text is a constant of the manifest.
    func hasConstant(_ text: String) -> Bool {
        sources.contains(text) || sources.contains { $0.contains("\"\(text)\"") || $0.contains("'\(text)'") }
    }

    /// What plays no part in reading data.
    private static let others: Set = ["title", "tests", "places", "location", "source", "coverage"]

    private mutating func collect(_ part: Any, _ depth: Int = 0) {
        switch part {
        case let program as JQProgram: sources.insert(program.source)
        case let template as Template: sources.insert(template.source)
        case let text as String: sources.insert(text)
        case let text as JSONString: sources.insert(text.text)
        case let number as JSONNumber: sources.insert(number.text)
        default:
            guard depth < 24 else { return }
            for child in Mirror(reflecting: part).children where !Self.others.contains(child.label ?? "") {
                collect(child.value, depth + 1)
            }
        }
    }

    /// Runs of letters, digits and `_`, and the parts between the `_`.
    private static func words(in text: String) -> [String] {
        let whole = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }.map(String.init)
        return whole + whole.flatMap { $0.split(separator: "_").map(String.init) }
    }
}
