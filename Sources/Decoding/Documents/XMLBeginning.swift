/// Holds back the beginning of a file until it shows what it is: servers answer with HTML when something is wrong, and some
/// put blanks before the declaration, which XML does not allow.
struct XMLBeginning {
    private var head: [UInt8] = []
    /// How many lines were skipped.
    private(set) var skippedLines = 0
    private var isOver = false

    static let htmlPage = "it is an HTML page"

    /// Visits the bytes to parse now, with the number of lines skipped before the first of them.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        isEnd: Bool,
        _ visit: (UnsafeRawBufferPointer, _ lines: Int) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        if isOver { return try visit(bytes, skippedLines) }
        let blanks = head.isEmpty ? bytes.prefix { $0 <= 0x20 }.count : 0
        skippedLines += bytes[..<blanks].count { $0 == 0x0A }
        head += bytes[blanks...]
        guard head.count >= 16 || isEnd else { return }
        isOver = true
        if head.isEmpty { throw DecodingFault(.otherFormat, "it is empty") }
        let start = String(decoding: head.prefix(16), as: UTF8.self).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
            throw DecodingFault(.otherFormat, Self.htmlPage)
        }
        if !start.hasPrefix("<") { throw DecodingFault(.otherFormat, "it does not begin with '<'") }
        var outcome: Result<Void, DecodingFault> = .success(())
        head.withUnsafeBytes { all in
            do throws(DecodingFault) { try visit(all, skippedLines) } catch { outcome = .failure(error) }
        }
        head = []
        try outcome.get()
    }
}
