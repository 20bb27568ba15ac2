internal import PlugCore
internal import Synchronization

/// The memory that pages of all runs of a process may take together.
///
/// A run reserves room before it asks for a page and gives it back when the page is done. What a page will take is not
/// known before: it is taken for as large as the largest one of the plug so far, and corrected when it has come. While
/// nothing is known of a plug, eight pages are read at once. So a host that reads many connections of large pages reads
/// fewer of them at the same time.
final class PageRoom: Sendable {
    /// What a page takes of memory, for each byte of its body: the body, what begins where in it, its records as they
    /// are sent. Measured with small values, which take most.
    static let factor = 8
    /// The least that is reserved for a page.
    private static let smallest = 256 << 10
    /// How many pages are read at once of a plug of which none has come yet.
    private static let scouts = 8

    private struct State {
        var free: Int
        var waiting: [(id: Int, size: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var nextID = 0
        var cancelled: Set<Int> = []
        /// The largest body of a plug's pages so far.
        var largest: [String: Int] = [:]
    }

    private let total: Int
    private let state: Mutex<State>

    /// - Parameter total: In bytes.
    init(total: Int) {
        self.total = max(1, total)
        state = Mutex(State(free: self.total))
    }

    /// What has to be reserved for a page of a plug.
    func estimate(_ plug: String) -> Int { state.withLock { $0.largest[plug] }.map(size) ?? total / Self.scouts }

    /// What a page of a body takes: never more than there is, so that one page at a time always goes.
    private func size(_ body: Int) -> Int {
        let (bytes, overflows) = body.multipliedReportingOverflow(by: Self.factor)
        return min(total, max(Self.smallest, overflows ? total : bytes))
    }

    /// Corrects a reservation, now that the page is there.
    ///
    /// - Parameter body: The bytes of its body.
    /// - Returns: What is reserved for it now. It may be more than there was: then nobody gets any until it is given back.
    func correct(_ reserved: Int, of plug: String, body: Int) -> Int {
        let actual = size(body)
        state.withLock { state in
            state.largest[plug] = max(state.largest[plug] ?? 0, body)
            state.free -= actual - reserved
        }
        if actual < reserved { admit() }
        return actual
    }

    /// Reserves room, waiting for it in line.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits.
    func reserve(_ size: Int) async throws {
        let id = state.withLock { state -> Int? in
            if state.waiting.isEmpty, state.free >= size {
                state.free -= size
                return nil
            }
            state.nextID += 1
            return state.nextID
        }
        guard let id else { return }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.cancelled.remove(id) != nil { return false }
                    if state.waiting.isEmpty, state.free >= size {
                        state.free -= size
                        return true
                    }
                    state.waiting.append((id, size, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.waiting.remove(at: index).continuation
            }
            waiting?.resume(returning: false)
            // Who stood first may have kept smaller ones waiting.
            admit()
        }
        state.withLock { _ = $0.cancelled.remove(id) }
        guard isIn else { throw CancellationError() }
    }

    /// Reserves room if there is some now, for a page that is fetched ahead: whoever has a page waits for no other.
    func reserveAtOnce(_ size: Int) -> Bool {
        state.withLock { state in
            guard state.waiting.isEmpty, state.free >= size else { return false }
            state.free -= size
            return true
        }
    }

    /// How many wait, for tests.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Gives room back.
    func release(_ size: Int) {
        state.withLock { $0.free += size }
        admit()
    }

    private func admit() {
        let admitted = state.withLock { state in
            var admitted: [CheckedContinuation<Bool, Never>] = []
            while let first = state.waiting.first, state.free >= first.size {
                state.free -= first.size
                admitted.append(first.continuation)
                state.waiting.removeFirst()
            }
            return admitted
        }
        for continuation in admitted { continuation.resume(returning: true) }
    }
}
