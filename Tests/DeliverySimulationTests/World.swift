import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugManifest
import PlugRuntime
import PlugStorage
import Synchronization
import TestKit

/// The durable disk: what stays between the lives of processes.
protocol Disk: Sendable {
    /// Opens the store as a new process would.
    func open(_ clock: any HostClock) async throws -> any PlugStore
    /// The process has ended.
    func close() async
}

/// A disk whose content is a store in memory that outlives processes.
final class MemoryDisk: Disk {
    private let store: MemoryStore
    init(_ clock: any HostClock) { store = MemoryStore(clock: clock) }
    func open(_ clock: any HostClock) async throws -> any PlugStore { store }
    func close() async {}
}

/// What becomes of one process.
struct LifePlan: Sendable {
    var crash: Crash?
    var rates = FaultRates.none
    /// Whose connections run, one after another or together.
    var people: [Int]
    var isParallel = false
    var resends = false
    /// Everything goes through the outbox.
    var queues = false
    /// How many bytes may wait in the outbox of a stream.
    var outboxBytes: Int?
    /// At which effect the host's clock is set wrong by so many seconds; it is right again with the next life.
    var clockJump: (effect: Int, seconds: Int64)?
    /// What the source deletes, and at which effect.
    var removals: [(effect: Int, Removal)] = []
    /// What changes at the source, and at which effect.
    var edits: [(effect: Int, Edit)] = []
    /// At which effect all access tokens die.
    var tokenDeath: Int?
    /// At which effect the dead process's last requests arrive.
    var landing = 1
}

/// What a life came to.
struct Life: Sendable {
    var reports: [RunReport]
    var effects: Int
    var hasDied: Bool
    var trace: [String]
    /// How many requests the source, the PDA and the disk were asked.
    var asked: (source: Int, pda: Int, writes: Int)
}

/// A source, PDAs and a disk that stay while processes live and die over them. Everything comes from one seed.
final class World: Sendable {
    let servers: Servers
    let auditor: Auditor
    let clock: WorldClock
    let disk: any Disk
    let people: [String]
    /// Whether the streams of a connection are read at the same time, as in every other world.
    let isTogether: Bool
    let scenario: Scenario
    private let manifest: Manifest
    /// Who has to consent before the next life.
    private let unconsenting: Mutex<Set<Int>>
    private let seeds: SharedChance
    private let jump = Mutex<Int64>(0)
    /// What was tried in all lives so far, in order, with their ends.
    private let told = Mutex<[String]>([])

    init(
        seed: UInt64,
        _ scenario: Scenario,
        disk: (WorldClock) -> any Disk = { MemoryDisk($0) }
    ) throws {
        let (streams, people) = (scenario.streams, scenario.people)
        isTogether = seed % 2 == 0
        clock = WorldClock(seed: seed &+ 1)
        seeds = SharedChance(seed &+ 2)
        self.disk = disk(clock)
        self.people = people
        let accounts = people.map { _ in Account(items: streams.map { _ in [] }) }
        var source = Source(streams: streams, people: people, accounts: accounts, access: scenario.access)
        source.blockRecords = scenario.blockRecords
        source.isReadInPieces = scenario.readsPieces
        self.scenario = scenario
        unconsenting = Mutex(scenario.access.kind == .consent ? Set(people.indices) : [])
        servers = Servers(source, clock: clock)
        auditor = Auditor(servers, isTogether: isTogether)
        manifest = try Self.manifest(streams, scenario.access)
    }

    private static func manifest(_ streams: [StreamShape], _ access: Access) throws -> Manifest {
        var text = """
            plug: sim
            api: 1
            version: 1.0.0
            namespace: sim
            hosts: [api.example.org]
            config: {user: {type: string}, key: {type: string, secret: true}}
            \(access.line)
            http: {base: "https://api.example.org", retry: {tries: 3, max_wait: 15m}}
            streams:

            """
        for stream in streams {
            text += "  \(stream.name):\n" + stream.lines(streams).map { "    \($0)\n" }.joined()
        }
        let result = ManifestReader.read(path: "plug.yaml", text: Array(text.utf8))
        let errors = result.diagnostics.filter { $0.severity == .error }.map(\.message)
        guard let manifest = result.manifest, errors.isEmpty else { throw Broken("\(errors) in\n\(text)") }
        return manifest
    }

    // MARK: - The network

    func landsLater(_ request: HTTPRequest) {
        auditor.expectDisorder()
        servers.landsLater(request)
    }
    func serve(_ request: HTTPRequest, _ faults: Faults) throws(HTTPError) -> Served {
        clock.pass(faults.latency())
        return try servers.serve(request, faults)
    }

    /// What was tried in all lives so far, in order, with their ends.
    var story: [String] { told.withLock { $0 } }

    /// By how many seconds the host's clock was wrong at most so far.
    var longestJump: Int64 { jump.withLock { $0 } }

    /// Who has to consent, and does it now.
    func takeUnconsenting() -> [Int] {
        unconsenting.withLock { people in
            defer { people = [] }
            return people.sorted()
        }
    }
    /// A person consents before the next life.
    func willConsent(_ person: Int) { unconsenting.withLock { _ = $0.insert(person) } }

    // MARK: - Lives

    /// Changes what the source has; time passes.
    func change(_ body: @Sendable (inout Source, Int64) -> Void) throws {
        clock.pass(3600)
        let now = clock.seconds
        servers.change { body(&$0, now) }
        try auditor.learn()
    }

    /// Runs a process from its start to its end or its death, and audits what it leaves.
    @discardableResult
    func live(_ plan: LifePlan) async throws -> Life {
        auditor.beginLife(isClockWrong: plan.clockJump != nil)
        if plan.resends { auditor.expectRepeats() }
        if let wrong = plan.clockJump { jump.withLock { $0 = max($0, abs(wrong.seconds)) } }
        clock.setError(0)
        let (clock, servers, auditor) = (clock, servers, auditor)
        let effects = Effects(crash: plan.crash, seed: seeds.draw { $0.next() }) { number in
            if let jump = plan.clockJump, jump.effect == number { clock.setError(jump.seconds) }
            if plan.landing == number { servers.land() }
            if plan.tokenDeath == number { servers.tokens { $0.killAccess() } }
            for (effect, removal) in plan.removals where effect == number {
                servers.change { [now = clock.seconds] in $0.remove(removal, at: now, whileRead: true) }
                do { try auditor.learn() } catch { auditor.note("the auditor cannot learn: \(error)") }
            }
            for (effect, edit) in plan.edits where effect == number {
                servers.change { [now = clock.seconds] in $0.edit(edit, at: now) }
                do { try auditor.learn() } catch { auditor.note("the auditor cannot learn: \(error)") }
            }
        }
        let faults = Faults(plan.rates, seed: seeds.draw { $0.next() })
        let lifeClock = LifeClock(effects: effects, clock: clock)
        let open = try await disk.open(lifeClock)
        try await consent(in: open)
        let mayFailToWrite = plan.rates.store > 0 || plan.rates.failingWrite != nil
        servers.tokens { $0.beginLife(isBroken: mayFailToWrite) }
        let store = LifeStore(store: open, effects: effects, faults: faults, auditor: auditor)
        let transport = LifeTransport(world: self, effects: effects, faults: faults)
        var reports: [RunReport] = []
        let runs = plan.people.map { person in
            PlugRun(request(person, plan), store: store, transport: transport, clock: lifeClock)
        }
        if plan.isParallel {
            reports = await withTaskGroup(of: (Int, RunReport).self) { group in
                for (at, run) in runs.enumerated() { group.addTask { (at, await run.run()) } }
                var all: [(Int, RunReport)] = []
                for await report in group { all.append(report) }
                return all.sorted { $0.0 < $1.0 }.map(\.1)
            }
        } else {
            for run in runs { reports.append(await run.run()) }
        }
        // What is still on the wire arrives before the next life at the latest, if this one did not get so far.
        if effects.isDead { servers.tokens { $0.endLife() } } else { servers.land() }
        clock.setError(0)
        // A dead process reports nothing.
        try await auditor.audit(effects.isDead ? [] : reports, in: open)
        if !effects.isDead { hear(reports, of: plan.people) }
        await disk.close()
        let life = Life(
            reports: reports,
            effects: effects.count,
            hasDied: effects.isDead,
            trace: effects.trace,
            asked: faults.asked
        )
        told.withLock { $0 += life.trace + ["=> \(Self.summary(life))"] }
        if ProcessSettings.isReplaying {
            print("\(plan)\n  " + life.trace.joined(separator: "\n  ") + "\n  => \(Self.summary(life))")
        }
        return life
    }

    private func request(_ person: Int, _ plan: LifePlan) -> RunRequest {
        let name = people[person]
        var request = RunRequest(
            manifest: manifest,
            pda: "https://\(name).example",
            token: ModelPDA.token(of: name, issuedAt: clock.seconds - 60),
            config: ["user": .text(name), "key": .text("key-\(name)")]
        )
        request.connection = name
        request.readsStreamsTogether = isTogether
        request.resends = plan.resends
        request.queuesEverything = plan.queues
        request.limits.commitBytes = scenario.commitBytes
        request.limits.blockRecords = scenario.blockRecords
        if scenario.readsPieces { request.limits.largestWholePage = 0 }
        if scenario.access.kind == .consent {
            request.clients = ["sim": ClientIdentity(id: "client", secret: Secret("s3cr3t"))]
        }
        if let bytes = plan.outboxBytes { request.limits.outbox.streamBytes = bytes }
        return request
    }

    /// Throws where the auditor has found anything.
    func check() throws {
        let problems = auditor.problems
        if !problems.isEmpty { throw Broken(problems.prefix(5).joined(separator: "\n")) }
    }

    static func summary(_ life: Life) -> String {
        life.reports.map { summary($0) }.joined(separator: ", ")
    }
    static func summary(_ report: RunReport) -> String {
        "\(report.connection) \(report.outcome) \(report.error.map { "\($0.code) \($0.message)" } ?? "")"
    }
}

/// What a simulation fails with.
struct Broken: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
