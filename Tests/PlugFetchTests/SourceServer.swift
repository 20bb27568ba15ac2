import TestKit

/// A source on a loopback address, with answers from a closure.
final class SourceServer: Sendable {
    typealias Request = LoopbackRequest

    struct Answer: Sendable {
        var status = 200
        var headers: [String] = []
        var body = ""
        /// Ends the connection so many bytes before the end of the body.
        var short = 0
        /// Ends the connection without an answer.
        var isMissing = false

        static func json(_ body: String, _ headers: String...) -> Answer { Answer(headers: headers, body: body) }
        static func status(_ status: Int, _ headers: String...) -> Answer {
            Answer(status: status, headers: headers, body: "{}")
        }
    }

    private let server: LoopbackServer
    private let requests: Watched<[Request]>

    /// - Parameter answer: The answer to a request and its number, from 0.
    init(_ answer: @escaping @Sendable (Request, Int) -> Answer) throws {
        let requests = Watched<[Request]>([])
        self.requests = requests
        server = try LoopbackServer { connection in
            while let request = connection.next() {
                let at = requests.change { requests in
                    requests.append(request)
                    return requests.count - 1
                }
                let answer = answer(request, at)
                if answer.isMissing { return }
                let body = Array(answer.body.utf8)
                guard connection.answer(answer.status, answer.headers, body, short: answer.short) else { return }
            }
        }
    }

    var port: Int { server.port }

    /// Refuses new connections; those that stand end with their clients.
    func stop() { server.stop() }

    /// What was asked, in order.
    var asked: [Request] { requests.value }
}

extension LoopbackRequest {
    /// A parameter of the query, as it is written.
    func parameter(_ name: String) -> String? {
        let query = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return query.split(separator: "&").first { $0.hasPrefix("\(name)=") }.map {
            String($0.dropFirst(name.count + 1))
        }
    }

    var path: String { String(target.prefix { $0 != "?" }) }
}
