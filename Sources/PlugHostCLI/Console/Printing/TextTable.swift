internal import PlugCore

/// Rows of texts: aligned columns for a person.
enum TextTable {
    /// The lines; text beyond its column's limit is truncated with an ellipsis.
    static func aligned(_ rows: [[String]], limits: [Int]) -> String {
        let cut = rows.map { row in zip(row, limits).map { shortened(DisplayText.escaped($0), to: $1) } }
        let widths = limits.indices.map { column in cut.map { $0[column].count }.max() ?? 0 }
        let lines = cut.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }
        return lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) + "\n" }.joined()
    }

    private static func shortened(_ text: String, to limit: Int) -> String {
        text.count > limit ? text.prefix(limit - 1) + "…" : text
    }
}
