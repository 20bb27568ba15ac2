import TestKit

/// Servers that can misbehave: one closure answers.
extension LoopbackServer {
    typealias Request = LoopbackRequest

    enum Answer: Sendable {
        case whole(Int, headers: [String: String] = [:], String)
        /// A body that is made once for many answers.
        case bytes(Int, [UInt8])
        /// The head and the first half of the body, and then the end of the connection.
        case half(Int, String)
        /// The connection is reset without an answer.
        case reset
        /// Nothing, until the client ends the connection.
        case none
    }

    static func answering(_ answer: @escaping @Sendable (Request) -> Answer) throws -> LoopbackServer {
        try LoopbackServer { connection in
            let type = "Content-Type: application/json"
            while let request = connection.next() {
                switch answer(request) {
                case .whole(let status, let headers, let body):
                    let headers = [type] + headers.map { "\($0): \($1)" }
                    guard connection.answer(status, headers, Array(body.utf8)) else { return }
                case .bytes(let status, let body): guard connection.answer(status, [type], body) else { return }
                case .half(let status, let body):
                    let bytes = Array(body.utf8)
                    connection.answer(status, [type], bytes, short: bytes.count - bytes.count / 2)
                    return
                case .none: return connection.waitForEnd()
                case .reset: return connection.reset()
                }
            }
        }
    }
}
