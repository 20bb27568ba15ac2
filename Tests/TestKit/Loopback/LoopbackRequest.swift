/// A request as it came.
package struct LoopbackRequest: Sendable {
    package let method: String
    /// Path and query.
    package let target: String
    /// The first line and the headers, without the blank line.
    package let head: String
    package let headers: [(name: String, value: String)]
    package internal(set) var body: [UInt8] = []

    init(head: String) {
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        (method, target) = (words.first ?? "", words.count > 1 ? words[1] : "")
        self.head = head
        headers = lines.dropFirst().compactMap { line in
            line.firstIndex(of: ":").map {
                (String(line[..<$0]), String(line[line.index(after: $0)...].drop { $0 == " " }))
            }
        }
    }

    /// The first header of this name, however it is written.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
}
