import LosslessJSON
import PlugCore
import PlugManifest
import Scheduling
import Syncing
import Testing

struct SyncScheduleTests {
    private let ada = ConnectionID("ada")
    private let day: Int64 = 86_400_000_000
    private let start: Int64 = 1_795_000_000_000_000

    private func manifest(hourly: String = "1h", daily: String = "1d") throws -> Manifest {
        let text = """
            plug: p
            api: 1
            version: 1.0.0
            hosts: [a.example]
            http: {base: "https://a.example"}
            streams:
              fresh: {endpoint: fresh, every: \(hourly), request: {path: /f}, records: .items, key: [.id], version: none}
              slow: {endpoint: slow, every: \(daily), request: {path: /s}, records: .items, key: [.id], version: none}

            """
        return try #require(ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).manifest)
    }

    private func plan(_ change: (inout ConnectionPlan) -> Void = { _ in }) -> ConnectionPlan {
        var plan = ConnectionPlan(config: JSONObject())
        change(&plan)
        return plan
    }

    private func code(_ plan: ConnectionPlan) throws -> String? {
        let manifest = try manifest()
        do throws(PlugError) {
            _ = try SyncSchedule(plan, manifest)
            return nil
        } catch { return error.code.text }
    }

    /// Ten days of runs, each at the time that the one before was told.
    @Test func eachStreamKeepsItsOwnTimes() throws {
        let schedule = try SyncSchedule(plan(), manifest())
        var (fresh, slow, now) = (0, 0, start)
        var ranAt: Int64?
        while now < start + 10 * day {
            let due = schedule.streams(dueAt: now, ranAt: ranAt, of: ada)
            if due.contains("fresh") { fresh += 1 }
            if due.contains("slow") { slow += 1 }
            ranAt = now
            // The run takes some seconds.
            now = schedule.next(after: now, now: now + 7_000_000, of: ada)
        }
        // The first run is for both, whatever their times.
        #expect((240...241).contains(fresh) && (10...11).contains(slow))
    }

    @Test func oneRhythmIsForAllStreams() throws {
        let schedule = try SyncSchedule(plan { $0.every = "2h" }, manifest())
        #expect(schedule.streams(dueAt: start, ranAt: start - 1, of: ada) == ["fresh", "slow"])
        let next = schedule.next(after: start, now: start, of: ada)
        #expect(schedule.next(after: next, now: next, of: ada) == next + 7_200_000_000)
    }

    @Test func aCronExpressionIsReadInItsZone() throws {
        let schedule = try SyncSchedule(plan { ($0.cron, $0.zone) = ("0 6 * * *", "Europe/Berlin") }, manifest())
        let next = schedule.next(after: start, now: start, of: ada)
        // 2026-11-18 14:13:20 UTC; six in Berlin is five in London, and a connection is up to a minute late.
        let six = Timestamp("2026-11-19T05:00:00Z")
        #expect((0..<60_000_000).contains(next - (six?.microseconds ?? 0)))
    }

    @Test func theHostSaysHowOftenAndWhenItIsQuiet() throws {
        let quiet = try QuietHours(from: "22:00", to: "06:00", in: NamedZone.forSchedules("Europe/Berlin"))
        let host = HostRhythm(every: .seconds(7_200), quietHours: quiet)
        let text = try manifest().source.text.replacing("every: 1h, ", with: "").replacing("every: 1d, ", with: "")
        let plain = try #require(ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).manifest)
        let schedule = try SyncSchedule(plan(), plain, host)
        var (now, hours) = (start, Set<Int64>())
        for _ in 0..<50 {
            let next = schedule.next(after: now, now: now, of: ada)
            // One hour ahead of universal time in November.
            hours.insert((next / 3_600_000_000 + 1) % 24)
            now = next
        }
        // The same where each stream has its own times.
        let mixed = try SyncSchedule(plan(), manifest(), host)
        now = start
        for _ in 0..<100 {
            now = mixed.next(after: now, now: now, of: ada)
            hours.insert((now / 3_600_000_000 + 1) % 24)
        }
        #expect(hours.isDisjoint(with: [22, 23, 0, 1, 2, 3, 4, 5]) && hours.count >= 6, "\(hours)")
    }

    @Test func onlyTheChosenStreamsRun() throws {
        let schedule = try SyncSchedule(plan { $0.streams = ["slow"] }, manifest())
        #expect(schedule.streams(dueAt: start, ranAt: nil, of: ada) == ["slow"])
    }

    @Test func aRunThatSomebodyAskedForIsForAll() throws {
        let schedule = try SyncSchedule(plan(), manifest())
        let next = schedule.next(after: start, now: start, of: ada)
        #expect(schedule.streams(dueAt: next - 1, ranAt: start, of: ada) == ["fresh", "slow"])
    }

    @Test func mistakesAreTold() throws {
        #expect(try code(plan { $0.every = "10s" }) == "bad-interval")
        #expect(try code(plan { $0.cron = "61 * * * *" }) == "bad-cron")
        #expect(try code(plan { ($0.cron, $0.zone) = ("@daily", "Europe/Berlim") }) == "zone-unknown")
        #expect(try code(plan { $0.streams = ["frehs"] }) == "unknown-stream")
    }

    @Test func aPlanIsReadAsItWasKept() throws {
        var plan = plan { ($0.streams, $0.every, $0.cron, $0.zone) = (["fresh"], "1h", "@daily", "Asia/Kolkata") }
        plan.config = JSONObject([("user", .text("Ada")), ("key", .text("s3cret \u{1F511}"))])
        let read = try ConnectionPlan(content: plan.content, of: ada)
        #expect(JSONValue.object(read.config) == .object(plan.config))
        #expect(read.streams == ["fresh"] && read.every == "1h" && read.cron == "@daily" && read.zone == "Asia/Kolkata")
        #expect(throws: PlugError.self) { try ConnectionPlan(content: Secret("[]"), of: ada) }
        #expect("\(plan)".contains("s3cret") == false)
    }
}
