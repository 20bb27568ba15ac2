import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest

/// Something that services do sooner or later, and how a plug has to handle it.
struct ConformanceScenario: Sendable {
    /// The result.
    enum Verdict: Sendable {
        case passed
        case failed(Fault)
        /// It cannot happen to this stream.
        case absent
        /// It could happen, but cannot be simulated.
        case notSimulated(String)
    }

    /// A plug's wrong reaction to it.
    struct Fault: Error, Sendable {
        /// The key of the manifest to look at.
        var key: String
        /// The place to look at, if it is not a key of the stream.
        var place: String?
        var expected: String
        var happened: String
        var advice: String
    }

    /// Its name in reports.
    let name: String
    /// Whether it judges the undisturbed run, with which the others are compared.
    var judgesPlainRun = false
    /// Whether it judges what an undisturbed run leaves for the next one.
    var judgesCursor = false
    let run: @Sendable (ConformanceTrial) async throws -> Verdict

    /// All of them, in the order of a report.
    static let all: [ConformanceScenario] = pages + runs + answers + credentials
}

/// A stream under test: its world, and the result of an undisturbed run.
struct ConformanceTrial: Sendable {
    let world: SimulatedWorld
    /// What the service holds.
    let lists: MadeSource.Lists
    /// An undisturbed run.
    let plain: SimulatedRun
    /// The requests made in it.
    let asked: [SimulatedService.Asked]
    /// The number of lists.
    let series: Int

    var stream: PlugManifest.Stream { world.stream }
    /// How its pages follow one another; those of the stream whose records contain its own. `nil` if a pass has at most one page.
    var paging: Paging? { world.family.carrier.paging.flatMap { $0.maximum > 1 ? $0 : nil } }

    /// Begins with an undisturbed run.
    init(_ world: SimulatedWorld) async throws {
        self.world = world
        var lists = MadeSource.Lists(count: 3)
        if case .made(let source) = world.content { lists.count = Self.count(source) }
        self.lists = lists
        let clock = ReplayClock(world.now)
        let service = SimulatedService(world, lists, clock: clock)
        plain = try await world.run(service, clock: clock)
        asked = service.asked
        series = service.seriesCount
        hasOpenWindow = service.hasOpenWindow
        isEndless = service.isEndless
    }

    /// Whether a window was requested whose bounds could not be read.
    let hasOpenWindow: Bool
    /// Whether even the undisturbed run would never end.
    let isEndless: Bool

    /// Whether the undisturbed run can be judged: if pages are recorded it has to be complete.
    var isUsable: Bool {
        if hasOpenWindow || pageRequests == 0 || lacksLogin != nil { return false }
        // Pages of one record each are not judged, as nothing is known of how they end.
        if case .made(let source) = world.content {
            return source.template.place != .whole || paging == nil || plain.error == nil || lacksCursor
        }
        return plain.error == nil && plain.isComplete && !isEndless
    }

    /// Why it cannot be judged.
    var obstacle: String {
        if let lacksLogin { return lacksLogin }
        if hasOpenWindow { return "the bounds of its windows cannot be read from its requests" }
        if isEndless { return "its pages do not come to an end" }
        if let error = plain.error {
            let isRecorded = world.material?.cassette.exchanges.isEmpty == false
            return
                "\(isRecorded ? "its fixture" : "it") cannot be \(isRecorded ? "replayed" : "read"): \(error.message)"
        }
        return "nothing is requested for it: its parents give no records"
    }

    /// Why no answer to its login could be simulated, if it needed one.
    private var lacksLogin: String? {
        guard case .unknown(let reason) = world.tokens.kind, plain.error?.code.text.hasPrefix("login-") == true else {
            return nil
        }
        return reason
    }

    /// Whether everything was read, and no record has what `since.field` needs: there is then no cursor for a second run.
    var lacksCursor: Bool { plain.error?.code.text == "since-field-missing" }

    /// The number of requests for pages of the stream.
    var pageRequests: Int { asked.count { $0.kind == .page } }

    private static func count(_ source: MadeSource) -> Int {
        if source.template.place == .whole { return 1 }
        guard let paging = source.paging else { return 3 }
        return paging.maximum > 1 ? source.size + 1 : source.size
    }

    /// A run in which something happens.
    func disturbed(
        _ lists: MadeSource.Lists? = nil,
        faults: @escaping SimulatedService.Faults = { _, _ in nil }
    ) async throws -> (run: SimulatedRun, service: SimulatedService) {
        let clock = ReplayClock(world.now)
        let service = SimulatedService(world, lists ?? self.lists, clock: clock, faults: faults)
        return (try await world.run(service, clock: clock), service)
    }

    /// A record as messages may show it.
    func shown(_ entry: RecordProbe.Entry) -> String {
        let text = String(decoding: entry.identity.prefix(100), as: UTF8.self)
        return "'\(DisplayText.escaped(stream.hidden.shown(identity: text)))'"
    }

    /// An error as messages show it.
    func shown(_ error: PlugError) -> String { "[\(error.code)] \(error.message)" }

    /// The manifest's rule for what a status means, whatever the answer says; `nil` for none.
    func rule(_ status: Int) -> StatusRule? {
        (world.family.carrier.rules + world.manifest.http.rules).first {
            $0.status.contains(status) && $0.condition == nil
        }
    }

    /// Why a failure is not one for this stream: its manifest names the status among those to skip, not just the class (`5xx`).
    func meaning(_ status: Int) -> String? {
        guard let rule = rule(status), rule.action == .skip, rule.status.ranges.contains(status...status) else {
            return nil
        }
        return "its manifest says that \(status) is skipped, at \(rule.place)"
    }

    /// How a run's results differ from those of the undisturbed one; `nil` if they do not.
    func difference(_ run: SimulatedRun) -> String? {
        let (expected, found) = (plain.ledger(stream), run.ledger(stream))
        if let missing = plain.records.first(where: { found[SimulatedRun.name($0, stream)] == nil }) {
            let count = expected.keys.count { found[$0] == nil }
            return "\(count.counted("record")) missing, such as \(shown(missing))"
        }
        if let more = run.records.first(where: { expected[SimulatedRun.name($0, stream)] == nil }) {
            return "\(shown(more)) came, which the undisturbed run does not give"
        }
        return nil
    }

}
