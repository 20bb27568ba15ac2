/// A token of the lexer.
enum JQToken: Equatable {
    case end
    /// A name, possibly with `::`.
    case name(String)
    /// A reserved word.
    case keyword(String)
    /// `.name`
    case field(String)
    /// `$name`
    case variable(String)
    /// `@base64`
    case format(String)
    /// The digits as written.
    case number(String)
    /// `"`; the parser reads the rest.
    case quote
    /// Operators and brackets.
    case symbol(String)

    static let keywords: Set<String> = [
        "def", "module", "import", "include", "if", "then", "else", "elif", "end", "as", "reduce", "foreach", "try",
        "catch", "label", "and", "or", "__loc__",
    ]

    /// Its name in an error.
    var name: String {
        switch self {
        case .end: "the end of the program"
        case .name(let text), .keyword(let text), .format(let text), .number(let text), .symbol(let text): "'\(text)'"
        case .field(let text): "'.\(text)'"
        case .variable(let text): "'$\(text)'"
        case .quote: "a string"
        }
    }
}

/// Finds tokens in Unicode scalars.
struct JQLexer {
    let source: [Unicode.Scalar]
    private(set) var position = 0

    init(_ source: String) { self.source = Array(source.unicodeScalars) }

    mutating func move(to position: Int) { self.position = position }

    private func scalar(_ offset: Int = 0) -> Unicode.Scalar? {
        position + offset < source.count ? source[position + offset] : nil
    }

    private static func beginsName(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { ("0"..."9").contains($0) } ?? false
    }

    private mutating func skipBlanks() {
        while let next = scalar() {
            if next == "#" {
                while let inside = scalar(), inside != "\n" { position += inside == "\\" && scalar(1) != nil ? 2 : 1 }
            } else if next == " " || next == "\n" || next == "\t" || next == "\r" {
                position += 1
            } else {
                return
            }
        }
    }

    private mutating func name(withNamespaces: Bool) -> String {
        let start = position
        while true {
            while Self.beginsName(scalar()) || Self.isDigit(scalar()) { position += 1 }
            guard withNamespaces, scalar() == ":", scalar(1) == ":", Self.beginsName(scalar(2)) else { break }
            position += 2
        }
        return text(start..<position)
    }

    func text(_ range: Range<Int>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: source[range])
        return text
    }

    /// The next token and its place.
    mutating func next() throws(JQSyntaxError) -> (JQToken, Range<Int>) {
        skipBlanks()
        let start = position
        let token = try token()
        return (token, start..<position)
    }

    private mutating func token() throws(JQSyntaxError) -> JQToken {
        guard let first = scalar() else { return .end }
        if Self.beginsName(first) {
            let text = name(withNamespaces: true)
            return JQToken.keywords.contains(text) ? .keyword(text) : .name(text)
        }
        if Self.isDigit(first) || first == "." && Self.isDigit(scalar(1)) { return .number(number()) }
        switch first {
        case "\"":
            position += 1
            return .quote
        case "." where Self.beginsName(scalar(1)):
            position += 1
            return .field(name(withNamespaces: false))
        case "$" where Self.beginsName(scalar(1)):
            position += 1
            return .variable(name(withNamespaces: true))
        case "@" where Self.beginsName(scalar(1)):
            position += 1
            return .format("@" + name(withNamespaces: false))
        default: return try symbol(first)
        }
    }

    private mutating func number() -> String {
        let start = position
        while Self.isDigit(scalar()) { position += 1 }
        if scalar() == "." {
            position += 1
            while Self.isDigit(scalar()) { position += 1 }
        }
        if scalar() == "e" || scalar() == "E" {
            let signed = scalar(1) == "+" || scalar(1) == "-"
            if Self.isDigit(scalar(signed ? 2 : 1)) {
                position += signed ? 2 : 1
                while Self.isDigit(scalar()) { position += 1 }
            }
        }
        return text(start..<position)
    }

    /// By their first scalar; of those that begin alike, the longest first.
    private static let symbols: [Unicode.Scalar: [[Unicode.Scalar]]] = Dictionary(
        grouping: [
            "?//=", "?//", "//=", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", "..", "<", ">", "=",
            "|", ",", "+", "-", "*", "/", "%", "(", ")", "[", "]", "{", "}", ":", ";", "?", ".", "$",
        ].map { Array($0.unicodeScalars) }
    ) { $0[0] }

    /// How to write the name of a member that has a letter beyond ASCII at a place.
    private func quoted(around place: Int) -> String {
        func isPart(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
        let start = source[..<place].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
        let end = source[place...].firstIndex { !isPart($0) } ?? source.endIndex
        return "a name with other letters than a to z needs quotes: .\"\(text(start..<end))\""
    }

    private mutating func symbol(_ first: Unicode.Scalar) throws(JQSyntaxError) -> JQToken {
        // `?//=` is `?` and `//=`: `.a?//=1` updates if `.a` can be read.
        for symbol in Self.symbols[first] ?? [] where symbol.count == 1 || source[position...].starts(with: symbol) {
            let length = symbol.count == 4 ? 1 : symbol.count
            position += length
            return .symbol(text(position - length..<position))
        }
        let help: String? =
            switch first {
            case "&": "jq says 'and'"
            case "!": "jq says '. | not'"
            case "'": "a text needs double quotes"
            // `.Empfänger`: only names in ASCII go without quotes.
            case _ where first.properties.isAlphabetic: quoted(around: position)
            default: nil
            }
        throw JQSyntaxError("unexpected character '\(first)'", at: position..<position + 1, help: help)
    }
}
