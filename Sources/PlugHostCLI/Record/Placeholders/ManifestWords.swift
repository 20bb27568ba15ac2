internal import JQ
internal import LosslessJSON
internal import PlugManifest

/// The words and numbers that stand in a manifest's programs, templates and requests: names of members, constants that values are
/// compared with, paths and parameters. They are the service's and the author's, and a plug that is shown others works otherwise.
struct ManifestWords: Sendable {
    /// Words of letters and digits.
    private(set) var words: Set<String> = []
    /// Words of constants that programs have: what a value is compared with, or begins with.
    private(set) var constants: Set<String> = []
    /// Whole numbers.
    private(set) var numbers: Set<String> = []
    /// Words of the programs that count records and pages, or tell whether there are more.
    private(set) var counting: Set<String> = []
    /// Texts that may be names of headers: what stands in quotation marks in programs that look at headers, and whole constants.
    private(set) var headerNames: Set<String> = []
    /// What the programs and templates are, as they are written.
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
            // A host is the service's, but its words may be anybody's.
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
            }
        }
    }

    /// Whether a whole text is a constant of the manifest.
    func hasConstant(_ text: String) -> Bool {
        sources.contains(text) || sources.contains { $0.contains("\"\(text)\"") || $0.contains("'\(text)'") }
    }

    /// What is no part of how data is read.
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
