import PlugTesting
import TestKit

extension LoopbackServer {
    /// A wiki on this machine: answers a cassette's exchanges by the page that is asked for, any number of times.
    static func wiki(_ cassette: Cassette) throws -> LoopbackServer {
        let (first, second) = (Array(cassette.exchanges[0].body), Array(cassette.exchanges[1].body))
        return try LoopbackServer { connection in
            while let request = connection.next() {
                let body = request.target.contains("uccontinue=") ? second : first
                guard connection.answer(200, ["Content-Type: application/json"], body) else { return }
            }
        }
    }
}
