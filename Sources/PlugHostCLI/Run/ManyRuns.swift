internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage

/// Runs one plug for many connections, some at a time, over one transport and one store.
struct ManyRuns: Sendable {
    let manifest: Manifest
    let file: ConnectionsFile
    /// The number that run at a time.
    let parallel: Int
    let world: RunWorld
    let clock: any HostClock
    let talk: RunTalk
    /// What all runs share, except for connection, PDA, token and config.
    let pattern: RunRequest
    /// The order in which they start.
    let order: [Int]

    /// Runs them all. After an interruption no more start, and those in progress end as interrupted ones do.
    func run() async -> ManyRunsReport {
        var report = ManyRunsReport(plug: manifest.id, connections: file.count)
        let start = ContinuousClock.now
        let timer = pattern.limits.time.map { RunTimer(limit: $0, clock: clock) }
        await withDiscardingTaskGroup { outer in
            if let timer { outer.addTask { await timer.run() } }
            await run(timer, &report)
            outer.cancelAll()
        }
        if report.ended < file.count { report.noteInterruption() }
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }

    private func run(_ timer: RunTimer?, _ report: inout ManyRunsReport) async {
        await withTaskGroup(of: RunReport.self) { group in
            var next = 0
            while next < min(parallel, order.count) {
                group.addTask { [next] in await run(order[next], timer) }
                next += 1
            }
            while let ended = await group.next() {
                report.add(ended)
                talk.show(ended: report.ended, of: file.count)
                if next < order.count, !Task.isCancelled {
                    group.addTask { [next] in await run(order[next], timer) }
                    next += 1
                }
            }
        }
    }

    private func run(_ at: Int, _ timer: RunTimer?) async -> RunReport {
        switch prepared(at, timer) {
        case .success(let run): await run.run()
        case .failure(let error): failed(at, error)
        }
    }

    /// A run of one connection. Not created where it is awaited: that function's frame would have room for all of it.
    @inline(never)
    private func prepared(_ at: Int, _ timer: RunTimer?) -> Result<PlugRun, PlugError> {
        do throws(PlugError) {
            let entry = try file.entry(at)
            var request = pattern
            request.connection = entry.connection
            request.pda = entry.pda.origin
            var answers = world.answers
            answers.file += entry.config.entries
            try answers.checkNames([manifest])
            request.config = try answers.values(for: manifest)
            request.token = try file.token(of: entry, at)
            return .success(
                PlugRun(
                    request,
                    store: world.store,
                    transport: world.transport,
                    clock: clock,
                    throttling: world.throttling,
                    room: world.room,
                    answerRoom: world.answerRoom,
                    timer: timer
                ) { talk.note($0, of: entry.connection) }
            )
        } catch { return .failure(error) }
    }
    private func failed(_ at: Int, _ error: PlugError) -> RunReport {
        let entry = try? file.entry(at)
        let pda = entry?.pda.origin ?? pattern.pda
        var report = RunReport(plug: manifest.id, connection: entry?.connection ?? "", pda: pda)
        report.outcome = .failed
        report.error = error
        return report
    }
}
