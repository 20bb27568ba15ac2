import CurlTransport
import LosslessJSON
import Synchronization
import TestKit

/// Records of one endpoint that change between requests, given in pages as the reference server does: ordered by `k`,
/// records without it last, and those with the same value in another order each time.
final class ModelEndpoint: HTTPSending {
    struct Record: Equatable {
        var id: Int
        var key: Int?
    }

    struct State {
        var records: [Record]
        var random: SplitMix
        /// For a record that was never there.
        var newID = 1000
        var requests: [(skip: Int, take: Int)] = []
    }

    let state: Mutex<State>
    private let change: @Sendable (inout State) -> Void

    /// - Parameter change: Called before each request but the first.
    init(_ records: [Record], seed: UInt64, change: @escaping @Sendable (inout State) -> Void = { _ in }) {
        state = Mutex(State(records: records, random: SplitMix(state: seed)))
        self.change = change
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let query = request.url.split(separator: "?").last ?? ""
        var values: [Substring: Substring] = [:]
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=")
            if sides.count == 2 { values[sides[0]] = sides[1] }
        }
        guard values["orderBy"] == "k", let skip = values["skip"].flatMap({ Int($0) }),
            let take = values["take"].flatMap({ Int($0) })
        else { throw HTTPError(.internal, "not asked as expected") }
        let isDescending = values["ordering"] == "descending"
        let page = state.withLock { state in
            if !state.requests.isEmpty { change(&state) }
            state.requests.append((skip, take))
            let shuffled = state.records.shuffled(using: &state.random)
            let ordered = shuffled.enumerated().sorted { left, right in
                switch (left.element.key, right.element.key) {
                case (let a?, let b?) where a != b: isDescending ? a > b : a < b
                case (nil, _?): false
                case (_?, nil): true
                default: left.offset < right.offset
                }
            }
            return ordered.map(\.element).dropFirst(skip).prefix(take)
        }
        let elements = page.map { record in
            let data = record.key.map { "{\"k\":\($0)}" } ?? "{}"
            return "{\"endpoint\":\"a/b\",\"recordId\":\"\(record.id)\",\"data\":\(data)}"
        }
        let body = JSONBuffer(Array("[\(elements.joined(separator: ","))]".utf8))
        return HTTPResponse(status: 200, body: body, url: request.url)
    }
}
