import LosslessJSON
import PlugCore
import PlugDeliver
import Synchronization

/// A clock that stands still until somebody waits, with a generator of its own.
final class FakeClock: HostClock {
    private struct State {
        var now: Int64 = 1_795_000_000_000_000
        var waits: [Duration] = []
        var generator: SplitMix
    }

    private let state: Mutex<State>
    private let fixed: Double?
    private let tick: Int64

    /// - Parameters:
    ///   - fixed: Every random number, or `nil` for a generator of that seed.
    ///   - tick: By how many microseconds it goes on whenever somebody looks at it to measure.
    init(seed: UInt64 = 1, fixed: Double? = nil, tick: Int64 = 0) {
        self.tick = tick
        state = Mutex(State(generator: SplitMix(seed)))
        self.fixed = fixed
    }

    var waits: [Duration] { state.withLock { $0.waits } }
    func now() -> Int64 { state.withLock { $0.now } }
    func steady() -> SteadyTime {
        state.withLock { state in
            defer { state.now += tick }
            return SteadyTime(era: "", microseconds: state.now)
        }
    }
    func random() -> Double { state.withLock { state in fixed ?? state.generator.unit() } }
    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        state.withLock {
            $0.now += Int64(duration / .microseconds(1))
            $0.waits.append(duration)
        }
    }
}

/// A small generator with a seed.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
    mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}

/// A token that never changes, and a note of what was offered instead.
final class FixedToken: PDATokenSource {
    private let tokens: Mutex<[String]>
    private let offered = Mutex<[Secret]>([])
    /// - Parameter tokens: Given one after another; the last one stays.
    init(_ tokens: String...) { self.tokens = Mutex(tokens) }
    func current() async -> Secret { tokens.withLock { Secret($0.count > 1 ? $0.removeFirst() : $0[0]) } }
    func refreshed(_ token: Secret) async { offered.withLock { $0.append(token) } }
    var refreshes: [String] { offered.withLock { $0.map { $0.reveal() } } }
}

let thingsPath: DataPath = {
    guard let path = DataPath(namespace: "plugs", endpoint: "things/new") else { preconditionFailure("a path") }
    return path
}()

/// A record in canonical form.
func record(_ number: Int, _ more: String = "", identified: Bool = true) -> String {
    let identity = identified ? #""_id":"plugs/things/new/\#(number)"# + "\"," : ""
    return "{\(identity)\"n\":\(number),\"price\":1.10\(more)}"
}

func block(_ records: [String]) -> RecordBlock {
    var block = RecordBlock()
    for text in records {
        let start = block.bytes.count
        block.bytes += Array(text.utf8)
        let id = (try? JSONValue(parsing: text))?["_id"]?.stringText ?? ""
        let identity = block.identities.count
        block.identities += Array(id.utf8)
        block.entries.append(
            RecordBlock.Entry(range: start..<block.bytes.count, identity: identity..<block.identities.count)
        )
    }
    return block
}

func value(_ text: String) -> JSONValue { (try? JSONValue(parsing: text)) ?? .null }

func deliverer(
    to pda: ModelPDA,
    clock: FakeClock = FakeClock(fixed: 0.5),
    _ change: (inout DeliveryOptions) -> Void = { _ in }
) -> Deliverer {
    var options = DeliveryOptions()
    change(&options)
    let append = AppendOnlyPDA(
        origin: "https://alice.example/",
        namespace: "plugs",
        token: FixedToken("token"),
        transport: pda,
        clock: clock
    )
    return Deliverer(pda: append, clock: clock, options: options)
}

extension Deliverer {
    /// Delivers a whole block.
    func deliver(_ block: RecordBlock, refusedBefore: @Sendable (Int) -> Int = { _ in 0 }) async -> DeliveryReceipt {
        await deliver(block, selection: block.entries.indices, to: thingsPath, refusedBefore: refusedBefore)
    }
}
