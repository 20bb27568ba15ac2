import PlugCore

/// libyaml's errors in the words of a manifest's author, at the place to correct.
struct SyntaxWords {
    /// A sentence without a final full stop.
    let problem: String
    let help: String?
    let position: SourceText.Position

    init(_ failure: YAMLParser.Failure, in source: SourceText) {
        let place = source.clamped(failure.position)
        let line = place.line < source.lines.count ? source.lines[place.line] : []
        let begun = failure.context.map(source.clamped) ?? place
        let isFirst = line.prefix(place.column).allSatisfy { $0 == " " }
        let message = failure.message
        let words: (problem: String, help: String?, position: SourceText.Position)
        if line.prefix(place.column + 1).contains("\t"), line.prefix(place.column).allSatisfy({ $0.isBlank }) {
            words = ("a tab cannot indent a line", "YAML is indented with spaces, not tabs", place)
        } else if message.contains("while scanning a quoted scalar"), message.contains("end of stream") {
            let isSingle = source[begun] == "'"
            words = ("this quote is not closed", isSingle ? "inside '…' write '' for a '" : "close it with \"", begun)
        } else if message.contains("expected ',' or ']'"), begun.line != place.line || place.column >= line.count {
            words = ("this '[' is not closed", "close it with ']'", begun)
        } else if message.contains("expected ',' or '}'"), begun.line != place.line || place.column >= line.count {
            words = ("this '{' is not closed", "close it with '}'", begun)
        } else if message.contains("mapping values are not allowed") {
            let help = "is the line indented too far, or does a text with ': ' need quotes?"
            words = ("a ':' is not allowed here", help, place)
        } else if message.contains("did not find expected key"), Self.followsQuote(place, line) {
            words = ("text follows a closing quote", "inside '…' write '' for a '", place)
        } else if message.contains("did not find expected key"), isFirst {
            let help = "the keys of a mapping begin in the same column"
            words = ("no line above has this indentation", help, place)
        } else if message.contains("could not find expected ':'") {
            words = ("a key without ':'", "write 'key: value'; a text of several lines needs '|' or quotes", begun)
        } else if message.contains("block sequence entries are not allowed") {
            words = ("a '-' is not allowed here", "begin the list on a new line below its key", place)
        } else if message.contains("cannot start any token"), let scalar = source[place] {
            words = ("a value cannot begin with '\(scalar)'", "put quotes around the value", place)
        } else if message.contains("unknown escape character") {
            words = ("this is not a known escape", Self.escapeHelp, place)
        } else if message.contains("hexdecimal number") {
            words = ("\\x, \\u and \\U need hexadecimal digits", Self.escapeHelp, place)
        } else if message.contains("did not find expected ',' or"), Self.followsQuote(place, line) {
            words = (
                "text follows a closing quote", "write a text with \" in it in '…', and inside '…' write '' for a '",
                place
            )
        } else if message.contains("did not find expected ',' or") {
            words = (message, "put '…' around a program or a text that has [, ], {, }, # or a comma in it", place)
        } else {
            words = (message, nil, failure.position)
        }
        (problem, help, position) = words
    }

    private static let escapeHelp = "in \"…\" write \\\\ for a backslash; in '…' write it as it is"

    /// Whether the last character before a position is a quote.
    private static func followsQuote(_ place: SourceText.Position, _ line: [Unicode.Scalar]) -> Bool {
        let before = line.prefix(place.column).last { $0 != " " }
        return before == "'" || before == "\""
    }
}

extension Unicode.Scalar {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
