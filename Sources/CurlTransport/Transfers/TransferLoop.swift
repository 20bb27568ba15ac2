import CLibCURL
import Glibc
import PlugCore
import Synchronization

/// Runs all transfers on a thread of its own, which sleeps in libcurl's poll while nothing moves.
///
/// - Note: `@unchecked Sendable` proof: `inbox` and `handles` are Sendable constants; everything else belongs to the thread that
///   `startThread` creates, and no other code touches it once the thread runs.
final class TransferLoop: @unchecked Sendable {
    private let handles: CurlHandles
    private let inbox: TransferInbox

    // MARK: The loop's thread only
    private var active: [ObjectIdentifier: Transfer] = [:]
    private let sources = TransferLane(.source)
    private let pdas = TransferLane(.pda)
    /// How many of the active transfers use https.
    private var secureCount = 0
    private let nextSweep = NextSweep()

    init(policy: NetworkPolicy) throws(HTTPError) {
        let handles = try CurlHandles(policy: policy)
        self.handles = handles
        // curl_multi_wakeup fails only if the system's pipe is full, and then the thread wakes anyway.
        inbox = TransferInbox { curl_multi_wakeup(handles.multi) }
    }

    /// Starts the thread, which keeps the loop alive until it is asked to stop.
    func startThread() throws(HTTPError) {
        guard runsOnNewThread(named: "network", { self.run() }) else {
            handles.free()
            throw HTTPError(.internal, "the system could not start a thread for the network")
        }
    }

    /// Posts an order, from any thread.
    func post(_ order: TransferInbox.Order) { inbox.post(order) }

    /// Asks the loop to stop, from any thread.
    func requestStop(_ waiter: CheckedContinuation<Void, Never>?) { inbox.stop(waiter) }

    // MARK: - The thread

    private func run() {
        while true {
            let (orders, isStopping) = inbox.take()
            for order in orders { obey(order) }
            if isStopping { break }
            var running: Int32 = 0
            if curl_multi_perform(handles.multi, &running) != CURLM_OK { endAll { Self.broken($0) } }
            endFinished()
            sweep()
            guard inbox.maySleep() else { continue }
            // Returns when something moves, when one of libcurl's own timers is due, or when it is woken.
            if curl_multi_poll(handles.multi, nil, 0, pollTime(), nil) != CURLM_OK { usleep(10_000) }
        }
        let waiters = inbox.close()
        for order in inbox.take().orders { obey(order) }
        endAll(TransferInbox.shutDown)
        (sources.spare, pdas.spare) = ([], [])
        handles.free()
        for waiter in waiters { waiter.resume() }
    }

    private func obey(_ order: TransferInbox.Order) {
        switch order {
        case .start(let transfer, let continuation):
            transfer.continuation = continuation
            start(transfer)
        case .cancel(let transfer):
            // A queued transfer is checked when its turn comes; a finished one has no continuation any more.
            let lane = lane(of: transfer)
            if active[ObjectIdentifier(transfer)] != nil {
                end(transfer, .failure(Self.cancelled(transfer)))
            } else if let index = lane.waiting.firstIndex(where: { $0 === transfer }) {
                lane.waiting.remove(at: index)
                transfer.resume(.failure(Self.cancelled(transfer)))
            }
        }
    }

    private func lane(of transfer: Transfer) -> TransferLane {
        switch transfer.request.side {
        case .source: sources
        case .pda: pdas
        }
    }

    private func start(_ transfer: Transfer) {
        // The cancellation may arrive before the order to start.
        if transfer.cancelWish.load(ordering: .acquiring) { return transfer.resume(.failure(Self.cancelled(transfer))) }
        let lane = lane(of: transfer)
        guard lane.hasRoom else {
            lane.waiting.append(transfer)
            return
        }
        guard let handle = lane.spare.popLast() ?? handles.transferHandle(for: lane.side, nextSweep) else {
            return transfer.resume(.failure(Self.broken(transfer)))
        }
        do throws(HTTPError) {
            try transfer.configure(handle)
        } catch {
            transfer.release()
            return transfer.resume(.failure(error))
        }
        guard curl_multi_add_handle(handles.multi, handle.easy.pointer) == CURLM_OK else {
            transfer.release()
            return transfer.resume(.failure(Self.broken(transfer)))
        }
        active[ObjectIdentifier(transfer)] = transfer
        lane.activeCount += 1
        if transfer.url.isSecure { secureCount += 1 }
    }

    /// Removes a transfer, resumes its caller, then admits the next one.
    private func end(_ transfer: Transfer, _ result: Result<HTTPResponse, HTTPError>) {
        guard active.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return }
        let lane = lane(of: transfer)
        lane.activeCount -= 1
        if transfer.url.isSecure { secureCount -= 1 }
        if let handle = transfer.handle {
            // Removing a running handle closes its connection, or its stream with HTTP/2.
            curl_multi_remove_handle(handles.multi, handle.easy.pointer)
            transfer.release()
            // libcurl counts a handle's retries for its whole life and fails at the sixth. After a failure the handle's state is
            // unknown. So only a handle whose request succeeded at the first attempt is used again.
            if case .success = result, transfer.attempts == 1 { lane.spare.append(handle) }
        }
        transfer.resume(result)
        while lane.hasRoom, !lane.waiting.isEmpty { start(lane.waiting.removeFirst()) }
    }

    private func endFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(handles.multi, &left) {
            var code = CURLE_OK
            // Removing the handle destroys the message, so it is read first.
            guard let easy = plughost_curl_finished(message, &code),
                let transfer = TransferHandle.from(plughost_curl_get_private(easy))?.transfer
            else { continue }
            end(transfer, code == CURLE_OK ? transfer.outcome() : .failure(transfer.error(for: code)))
        }
    }

    private func endAll(_ error: (Transfer) -> HTTPError) {
        let all = Array(active.values) + sources.waiting + pdas.waiting
        (sources.waiting, pdas.waiting) = ([], [])
        for transfer in all {
            end(transfer, .failure(error(transfer)))
            transfer.resume(.failure(error(transfer)))
        }
    }

    // MARK: - Time

    private func sweep() {
        let now = CurlLibrary.monotonicNow()
        guard now >= nextSweep.time else { return }
        nextSweep.clear()
        for transfer in Array(active.values) {
            guard let deadline = transfer.deadline else { continue }
            if deadline <= now {
                end(transfer, .failure(transfer.stalled))
            } else {
                nextSweep.note(deadline)
            }
        }
    }

    /// Milliseconds until the next deadline check; half a minute if there is none.
    private func pollTime() -> Int32 {
        // libcurl 7.88 sometimes forgets to wait for the socket of an HTTP/2 connection (a test shows it), and continues only
        // when it is called again.
        let longest: Int64 = secureCount > 0 ? 20 : 30_000
        guard nextSweep.time != .max else { return Int32(longest) }
        let left = (nextSweep.time - CurlLibrary.monotonicNow()) / 1_000_000 + 1
        return Int32(min(max(left, 0), longest))
    }

    private static func cancelled(_ transfer: Transfer) -> HTTPError {
        HTTPError(
            .cancelled,
            "the request to \(transfer.url.hostAndPort) was cancelled",
            mayHaveArrived: transfer.attempts > 0
        )
    }

    private static func broken(_ transfer: Transfer) -> HTTPError {
        HTTPError(
            .internal,
            "libcurl did not accept a request to \(transfer.url.hostAndPort)",
            mayHaveArrived: transfer.attempts > 0
        )
    }
}
