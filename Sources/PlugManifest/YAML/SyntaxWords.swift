import PlugCore

/// What libyaml dislikes, in the words of somebody who writes a manifest, and at the place to mend.
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
            words = ("nothing closes this quote", isSingle ? "inside '…' a ' is written ''" : "close it with \"", begun)
        } else if message.contains("expected ',' or ']'"), begun.line != place.line || place.column >= line.count {
            words = ("nothing closes this '['", "close it with ']'", begun)
        } else if message.contains("expected ',' or '}'"), begun.line != place.line || place.column >= line.count {
            words = ("nothing closes this '{'", "close it with '}'", begun)
        } else if message.contains("mapping values are not allowed") {
            let help = "is the line indented too far, or does a text with ': ' need quotes?"
            words = ("a ':' cannot stand here", help, place)
        } else if message.contains("did not find expected key"), Self.followsQuote(place, line) {
            words = ("text follows a closing quote", "inside '…' a ' is written ''", place)
        } else if message.contains("did not find expected key"), isFirst {
            let help = "keys that belong together begin in the same column"
            words = ("the line is indented like none above it", help, place)
        } else if message.contains("could not find expected ':'") {
            words = ("a key without ':'", "write 'key: value'; a text of several lines needs '|' or quotes", begun)
        } else if message.contains("block sequence entries are not allowed") {
            words = ("a '-' cannot stand here", "a list begins on a line of its own below its key", place)
        } else if message.contains("cannot start any token"), let scalar = source[place] {
            words = ("a value cannot begin with '\(scalar)'", "put quotes around the value", place)
        } else if message.contains("unknown escape character") {
            let help = "in \"…\" a backslash is written \\\\; '…' takes it as it is"
            words = ("no escape begins like this", help, place)
        } else {
            words = (message, nil, failure.position)
        }
        (problem, help, position) = words
    }

    /// Whether the last thing before a place is a quote.
    private static func followsQuote(_ place: SourceText.Position, _ line: [Unicode.Scalar]) -> Bool {
        let before = line.prefix(place.column).last { $0 != " " }
        return before == "'" || before == "\""
    }
}

extension Unicode.Scalar {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
