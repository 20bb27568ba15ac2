import Foundation
import LosslessJSON
import Synchronization
import TestKit

/// What a killed program is run against: a service whose things change, a PDA that never forgets, both with faults.
final class KillWorld: Sendable {
    /// A thing of the service; its version grows with each change.
    struct Thing: Sendable {
        var id: Int
        var version = 1
        var changed: Int64
        var isPoison = false
    }

    private struct State: Sendable {
        var things: [String: [Thing]] = ["things": [], "notes": []]
        var clock: Int64 = 1_790_000_000
        /// By `_id`, in the order in which they came.
        var stored: [String] = []
        var present: Set<JSONValue> = []
        var violations: [String] = []
        var chance: SplitMix
        var faults = 0
        var lastID = 9_007_199_254_740_993
    }

    static let pageSize = 4
    private let state: Mutex<State>
    private let hearer: @Sendable () -> Void

    /// - Parameter hearer: Told of every request.
    init(seed: UInt64, hearer: @escaping @Sendable () -> Void) {
        state = Mutex(State(chance: SplitMix(state: seed)))
        self.hearer = hearer
    }

    var stored: [String] { state.withLock { $0.stored } }
    var violations: [String] { state.withLock { $0.violations } }
    /// How many requests of a thousand go wrong.
    func setFaults(_ rate: Int) { state.withLock { $0.faults = rate } }

    /// Some things come, some change.
    func change() {
        state.withLock { state in
            state.clock += 60
            for stream in ["things", "notes"] {
                for _ in 0..<Int.random(in: 4...9, using: &state.chance) {
                    state.lastID += 1
                    state.clock += 1
                    let isPoison = Int.random(in: 0..<25, using: &state.chance) == 0
                    state.things[stream]?.append(Thing(id: state.lastID, changed: state.clock, isPoison: isPoison))
                }
                for _ in 0..<3 {
                    guard let count = state.things[stream]?.count else { continue }
                    let index = Int.random(in: 0..<count, using: &state.chance)
                    guard state.things[stream]?[index].isPoison == false else { continue }
                    state.clock += 1
                    state.things[stream]?[index].version += 1
                    state.things[stream]?[index].changed = state.clock
                }
            }
        }
    }

    /// The `_id` of everything that has to be in the PDA, and of what it refuses.
    var expected: (stored: Set<String>, refused: Set<String>) {
        state.withLock { state in
            var (stored, refused): (Set<String>, Set<String>) = ([], [])
            for (stream, things) in state.things {
                for thing in things {
                    let identity = "kills/\(stream)/\(thing.id)@\(thing.version)"
                    if thing.isPoison { refused.insert(identity) } else { stored.insert(identity) }
                }
            }
            return (stored, refused)
        }
    }

    // MARK: - The service

    private enum Fault: CaseIterable { case limited, failing, reset, half }

    private func fault(_ state: inout State) -> Fault? {
        Int.random(in: 0..<1000, using: &state.chance) < state.faults
            ? Fault.allCases.randomElement(using: &state.chance) : nil
    }

    /// Newest first: `/things?page=2&since=1790000000`, and `/notes?after=…` by a token.
    func source(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
        hearer()
        return state.withLock { state in
            let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
            let stream = String(parts[0].dropFirst())
            var query: [String: Int] = [:]
            for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
                let sides = pair.split(separator: "=").map(String.init)
                if sides.count == 2 { query[sides[0]] = Int(sides[1]) }
            }
            let since = Int64(query["since"] ?? 0)
            let list = (state.things[stream] ?? []).filter { $0.changed >= since }.sorted { $0.changed > $1.changed }
            var start = ((query["page"] ?? 1) - 1) * Self.pageSize
            if let after = query["after"] { start = list.firstIndex { $0.changed < Int64(after) } ?? list.count }
            let page = list.dropFirst(start).prefix(Self.pageSize)
            let texts = page.map { thing in
                let moment = Date(timeIntervalSince1970: Double(thing.changed)).formatted(.iso8601)
                return #"{"version": \#(thing.version), "id": \#(thing.id), "changed": "\#(moment)", "#
                    + #""poison": \#(thing.isPoison), "price": 1.10}"#
            }
            let next = start + page.count < list.count ? page.last.map { "\"\($0.changed)\"" } ?? "null" : "null"
            let body = #"{"items": [\#(texts.joined(separator: ", "))], "next": \#(next)}"#
            switch fault(&state) {
            case nil: return .whole(200, body)
            case .limited: return .whole(429, headers: ["Retry-After": "0"], "{}")
            case .failing: return .whole(500, "oops")
            case .reset: return .reset
            case .half: return .half(200, body)
            }
        }
    }

    // MARK: - The PDA

    func pda(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
        hearer()
        return state.withLock { state in
            let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
            guard request.method == "POST", parts[0].hasPrefix("/api/v2.6/data/kills/"),
                let records = (try? JSONValue(parsing: request.body))?.elements
            else {
                state.violations.append("\(request.method) \(request.target)")
                return .whole(404, "{}")
            }
            let fault = fault(&state)
            // Half of what goes wrong goes wrong before anything is stored.
            if let fault, Bool.random(using: &state.chance) { return answer(fault, "[]") }
            let skips = parts.count > 1
            var accepted: [JSONValue] = []
            var present = state.present
            for record in records {
                let isDuplicate = present.contains(record)
                if isDuplicate || record["poison"]?.bool == true {
                    if skips { continue }
                    let cause = isDuplicate ? "Duplicate data" : "Unexpected issue with inserting data"
                    return .whole(400, #"{"message":"Bad Request","cause":"Duplicate data - \#(cause)"}"#)
                }
                present.insert(record)
                accepted.append(record)
            }
            state.present = present
            state.stored += accepted.map { $0["_id"]?.stringText ?? "without _id" }
            let path = String(parts[0].dropFirst("/api/v2.6/data/".count))
            let echo = accepted.map { #"{"endpoint":"\#(path)","recordId":"9b","data":\#($0.compactText)}"# }
            let body = "[\(echo.joined(separator: ","))]"
            return fault.map { answer($0, body) } ?? .whole(201, body)
        }
    }

    private func answer(_ fault: Fault, _ body: String) -> LoopbackServer.Answer {
        switch fault {
        case .limited: .whole(429, headers: ["Retry-After": "0"], "{}")
        case .failing: .whole(500, "oops")
        case .reset: .reset
        case .half: .half(201, body)
        }
    }
}
