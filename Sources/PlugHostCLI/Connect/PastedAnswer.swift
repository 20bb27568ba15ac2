internal import Glibc
internal import PlugCore

/// The address that a browser elsewhere returned to, which the person copies into this terminal.
enum PastedAnswer {
    /// The maximum length of a line, in bytes.
    private static let limit = 16 << 10

    /// Reads a line from stdin.
    ///
    /// - Returns: The query of the address in it, or the line itself if it has no `?`; `nil` at the end of the input.
    /// - Throws: `CancellationError`.
    static func query() async throws -> String? {
        guard let alarm = try? Alarm() else { return nil }
        let pasted = await withTaskCancellationHandler {
            await onAThreadOfItsOwn { line(alarm) }
        } onCancel: {
            alarm.ring()
        }
        try Task.checkCancellation()
        return pasted.map { query(in: $0) }
    }

    /// The query in a line.
    static func query(in line: String) -> String {
        let text = line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        let behind = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
        return String(behind.prefix { $0 != "#" })
    }

    /// Byte by byte, so that nothing after the line is consumed.
    private static func line(_ alarm: Alarm) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            guard alarm.wait(for: STDIN_FILENO) == .ready else { return nil }
            var byte: UInt8 = 0
            // read(2): 0 is the end, -1 a terminal that is gone.
            guard read(STDIN_FILENO, &byte, 1) == 1 else {
                return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
