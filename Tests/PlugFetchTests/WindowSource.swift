import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization

/// Numbers that depend on a seed alone.
struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A service that gives what lies between two bounds, by its own idea of what that is.
final class WindowSource: HTTPSending {
    /// How it understands its bounds.
    struct Manner: Sendable {
        /// How bounds come.
        var format = "epoch_ms"
        /// What it compares, in microseconds: a service of days cuts the time off.
        var resolution: Int64 = 1000
        var includesLower = true
        var includesUpper = true
        var pageSize = 3
        var isNewestFirst = false
    }

    private let manner: Manner
    private let state = Mutex<(times: [Int64], windows: [(from: Int64?, to: Int64?)])>(([], []))

    init(_ manner: Manner) { self.manner = manner }

    /// Adds a record of a time in microseconds; its id is its number.
    func add(_ time: Int64) { state.withLock { $0.times.append(time) } }

    /// What was asked for, as first pages.
    var windows: [(from: Int64?, to: Int64?)] { state.withLock { $0.windows } }
    func forgetWindows() { state.withLock { $0.windows = [] } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let (from, to) = (bound(request.parameter("from")), bound(request.parameter("to")))
        let skip = request.parameter("c").flatMap { Int($0) } ?? 0
        let body = state.withLock { state -> String in
            if skip == 0 { state.windows.append((from, to)) }
            var list = state.times.enumerated().filter { isWithin($0.element, from, to) }
            list.sort { ($0.element, $0.offset) < ($1.element, $1.offset) }
            if manner.isNewestFirst { list.reverse() }
            let page = list.dropFirst(skip).prefix(manner.pageSize)
            let items = page.map {
                "{\"id\":\($0.offset),\"at\":\"\(Timestamp(microseconds: $0.element).rfc3339)\",\"ms\":\($0.element / 1000)}"
            }
            let end = skip + manner.pageSize
            return "{\"items\":[\(items.joined(separator: ","))],\"next\":\(end < list.count ? "\"\(end)\"" : "null")}"
        }
        return HTTPResponse(
            status: 200,
            headers: HTTPHeaders([]),
            body: JSONBuffer(Array(body.utf8)),
            receivedBytes: body.utf8.count,
            url: request.url
        )
    }

    private func isWithin(_ time: Int64, _ from: Int64?, _ to: Int64?) -> Bool {
        let time = cut(time)
        if let from, manner.includesLower ? time < from : time <= from { return false }
        if let to, manner.includesUpper ? time > to : time >= to { return false }
        return true
    }

    private func cut(_ time: Int64) -> Int64 { time - time % manner.resolution }

    private func bound(_ text: String?) -> Int64? {
        guard let text = text?.replacing("%3A", with: ":") else { return nil }
        switch manner.format {
        case "epoch": return Int64(text).map { $0 * 1_000_000 }
        case "epoch_ms": return Int64(text).map { $0 * 1000 }
        default: return Timestamp(text)?.microseconds
        }
    }
}
