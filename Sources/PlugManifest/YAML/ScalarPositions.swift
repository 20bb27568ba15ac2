import PlugCore

/// Finds the position in the file of each character of a scalar's value: through quotes, escapes, folded lines and block
/// indentation. With it an error inside a program points at the right character.
struct ScalarPositions {
    private typealias Position = SourceText.Position
    /// One position for each Unicode scalar of the value, and the end.
    private var places: [Position] = []
    private let source: SourceText

    init(of scalar: YAMLScalar, in source: SourceText) {
        self.source = source
        let value = Array(scalar.text.unicodeScalars)
        places.reserveCapacity(value.count + 1)
        switch scalar.style {
        case .literal, .folded: walkBlock(value, from: scalar.start, isFolded: scalar.style == .folded)
        case .plain, .singleQuoted, .doubleQuoted: walkFlow(value, from: scalar.start, scalar.style)
        }
    }

    /// The location of a range of the value's scalars.
    func location(of range: Range<Int>) -> Diagnostic.Location {
        let last = max(0, places.count - 1)
        let start = source.clamped(places[min(max(0, range.lowerBound), last)])
        let end = places[min(max(range.upperBound, range.lowerBound), last)]
        return source.location(from: start, to: end)
    }

    private mutating func walkFlow(_ value: [Unicode.Scalar], from start: Position, _ style: YAMLScalar.Style) {
        var at = start
        if style != .plain { at.column += 1 }
        var index = 0
        while index < value.count {
            if let next = foldEnd(at) {
                // One break is read as a space, each further one as a break.
                let breaks = next.line - at.line
                for _ in 0..<max(1, breaks - 1) where index < value.count {
                    places.append(at)
                    index += 1
                }
                at = next
                continue
            }
            if style == .doubleQuoted, source[at] == "\\", isLineEnd(at.line, at.column + 1) {
                at = contentStart(of: at.line + 1)
                continue
            }
            places.append(at)
            at.column += width(at, style)
            index += 1
        }
        places.append(at)
    }

    /// How many characters in the file one character of the value takes.
    private func width(_ at: Position, _ style: YAMLScalar.Style) -> Int {
        switch (style, source[at]) {
        case (.singleQuoted, "'"): return 2
        case (.doubleQuoted, "\\"):
            return switch source[Position(line: at.line, column: at.column + 1)] {
            case "x": 4
            case "u": 6
            case "U": 10
            default: 2
            }
        default: return 1
        }
    }

    private func isLineEnd(_ line: Int, _ column: Int) -> Bool {
        line < source.lines.count && source.lines[line].dropFirst(column).allSatisfy { $0 == " " || $0 == "\t" }
    }

    /// Where the text continues, if only white space is left on this line and there is another.
    private func foldEnd(_ at: Position) -> Position? {
        guard isLineEnd(at.line, at.column), at.line + 1 < source.lines.count else { return nil }
        return contentStart(of: at.line + 1)
    }

    private func contentStart(of line: Int) -> Position {
        guard line < source.lines.count else { return Position(line: line, column: 0) }
        var line = line
        while line + 1 < source.lines.count, source.isBlank(line) { line += 1 }
        let column = source.lines[line].firstIndex { $0 != " " && $0 != "\t" }
        return Position(line: line, column: column ?? 0)
    }

    private mutating func walkBlock(_ value: [Unicode.Scalar], from start: Position, isFolded: Bool) {
        let first = value.firstIndex { $0 != "\n" } ?? 0
        let ownSpaces = value[first...].prefix { $0 == " " }.count
        let content = contentStart(of: start.line + 1)
        let indentation = max(0, content.column - ownSpaces)
        var at = Position(line: start.line + 1, column: indentation)
        for (index, scalar) in value.enumerated() {
            places.append(at)
            let isAtEnd = source[at] == nil
            guard scalar == "\n" || isFolded && isAtEnd else {
                at.column += 1
                continue
            }
            at = Position(line: at.line + 1, column: indentation)
            // In a folded block, the break before an empty line is not in the value: this one represents the next.
            let isFollowedByBreak = index + 1 < value.count && value[index + 1] == "\n"
            while isFolded, !isFollowedByBreak, index + 1 < value.count, at.line + 1 < source.lines.count,
                source.isBlank(at.line)
            {
                at.line += 1
            }
        }
        places.append(at)
    }
}
