/// Splits a text at `{{` and `}}`, aware of strings and braces inside the programs.
struct TemplateScanner {
    /// A piece, as a range of Unicode scalars.
    enum Piece: Equatable {
        case text(Range<Int>)
        /// The program between the braces, without white space at its ends.
        case program(Range<Int>)
        /// A `{{` without a closing `}}`.
        case unclosed(Range<Int>)
    }

    static func pieces(of scalars: [Unicode.Scalar]) -> [Piece] {
        var pieces: [Piece] = []
        var start = 0
        var index = 0
        while index + 1 < scalars.count {
            guard scalars[index] == "{", scalars[index + 1] == "{" else {
                index += 1
                continue
            }
            if index > start { pieces.append(.text(start..<index)) }
            guard let end = end(of: scalars, from: index + 2) else {
                return pieces + [.unclosed(index..<scalars.count)]
            }
            pieces.append(.program(trimmed(scalars, (index + 2)..<end)))
            index = end + 2
            start = index
        }
        if start < scalars.count { pieces.append(.text(start..<scalars.count)) }
        return pieces
    }

    /// The position of the `}}` that closes the program.
    private static func end(of scalars: [Unicode.Scalar], from start: Int) -> Int? {
        var index = start
        var depth = 0
        while index < scalars.count {
            switch scalars[index] {
            case "\"": index = stringEnd(of: scalars, from: index + 1)
            case "{": depth += 1
            case "}" where depth > 0: depth -= 1
            case "}": return index + 1 < scalars.count && scalars[index + 1] == "}" ? index : nil
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The position of a string's closing quote; `\(…)` may contain strings of its own.
    private static func stringEnd(of scalars: [Unicode.Scalar], from start: Int) -> Int {
        var index = start
        while index < scalars.count, scalars[index] != "\"" {
            if scalars[index] == "\\" {
                index += 1
                if index < scalars.count, scalars[index] == "(" {
                    index = interpolationEnd(of: scalars, from: index + 1)
                }
            }
            index += 1
        }
        return index
    }

    private static func interpolationEnd(of scalars: [Unicode.Scalar], from start: Int) -> Int {
        var index = start
        var depth = 0
        while index < scalars.count {
            switch scalars[index] {
            case "\"": index = stringEnd(of: scalars, from: index + 1)
            case "(": depth += 1
            case ")" where depth == 0: return index
            case ")": depth -= 1
            default: break
            }
            index += 1
        }
        return index
    }

    private static func trimmed(_ scalars: [Unicode.Scalar], _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, scalars[start].properties.isWhitespace { start += 1 }
        while end > start, scalars[end - 1].properties.isWhitespace { end -= 1 }
        return start..<end
    }
}
