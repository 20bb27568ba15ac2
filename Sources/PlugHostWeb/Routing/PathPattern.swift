internal import PlugCore

/// The path of a route: literal segments, and names in braces for one segment each, such as `/api/v1/connections/{connection}`.
package struct PathPattern: Sendable, Equatable, CustomStringConvertible, ExpressibleByStringLiteral {
    private enum Piece: Sendable, Equatable {
        case literal(String)
        case parameter(String)
    }

    /// The pattern as written.
    package let description: String
    private let pieces: [Piece]

    /// Parses a pattern.
    package init(stringLiteral text: String) {
        description = text
        pieces = text.split(separator: "/").map { piece in
            piece.hasPrefix("{") && piece.hasSuffix("}")
                ? .parameter(String(piece.dropFirst().dropLast())) : .literal(String(piece))
        }
    }

    /// The names in braces, in their order.
    package var parameters: [String] {
        pieces.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// The values of the names in a path; `nil` if it does not match. Consecutive slashes count as one, because PDAs send such
    /// requests. The path is split before percent codes are decoded: `%2F` is not a separator.
    func match(_ path: String) -> [String: String]? {
        // By bytes: a slash and a following combining mark are one character.
        let given = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        guard given.count == pieces.count else { return nil }
        var values: [String: String] = [:]
        for (piece, text) in zip(pieces, given) {
            switch piece {
            case .literal(let literal): guard literal == text else { return nil }
            case .parameter(let name): values[name] = PercentEncoding.decode(text)
            }
        }
        return values
    }

    /// A path with these values, for links and tests.
    package func path(_ values: [String: String]) -> String {
        guard !pieces.isEmpty else { return "/" }
        return pieces.reduce(into: "") { path, piece in
            switch piece {
            case .literal(let literal): path += "/\(literal)"
            case .parameter(let name): path += "/\(PercentEncoding.segment(values[name] ?? ""))"
            }
        }
    }
}
