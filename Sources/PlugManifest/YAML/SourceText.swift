import PlugCore

/// A file as lines of Unicode scalars, split as libyaml splits it, so that its marks match.
package struct SourceText: Sendable {
    /// A position, line and column counted from 0.
    struct Position: Sendable, Equatable {
        var line: Int
        var column: Int
    }

    /// The lines, without their breaks.
    package let lines: [[Unicode.Scalar]]

    init(_ text: String) {
        var lines: [[Unicode.Scalar]] = []
        var line: [Unicode.Scalar] = []
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            if scalar == "\u{FEFF}", previous == nil { continue }
            if scalar == "\n", previous == "\r" { continue }
            if Self.isBreak(scalar) {
                lines.append(line)
                line = []
            } else {
                line.append(scalar)
            }
        }
        lines.append(line)
        self.lines = lines
    }

    static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\u{85}" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    subscript(position: Position) -> Unicode.Scalar? {
        guard position.line < lines.count, position.column < lines[position.line].count else { return nil }
        return lines[position.line][position.column]
    }

    /// A location for messages; a span over several lines ends with its first.
    func location(from start: Position, to end: Position) -> Diagnostic.Location {
        let width = start.line < lines.count ? lines[start.line].count : 0
        let last = end.line == start.line ? end.column : max(start.column + 1, width)
        return Diagnostic.Location(line: start.line + 1, column: start.column + 1, length: last - start.column)
    }

    /// Moves a position past the last line to the end of the last line.
    func clamped(_ position: Position) -> Position {
        guard position.line >= lines.count else { return position }
        return Position(line: lines.count - 1, column: lines[lines.count - 1].count)
    }

    func isBlank(_ line: Int) -> Bool { lines[line].allSatisfy { $0 == " " || $0 == "\t" } }
}
