import ArgumentParser
import Foundation
import PlugCore
import PlugManifest
import PlugModules
import Testing

@testable import PlugHostCLI
@testable import PlugRuntime

/// A systemd unit of the repository.
struct SystemdUnit {
    /// The values of each key, in order; lines that end with a backslash go on.
    private let values: [String: [String]]

    init(_ name: String) throws {
        let text = try FilesHere.read(Program.root + "/Packaging/systemd/\(name)")
        var values: [String: [String]] = [:]
        for line in text.replacing("\\\n", with: " ").split(separator: "\n") where !line.hasPrefix("#") {
            let sides = line.split(separator: "=", maxSplits: 1).map(String.init)
            if sides.count == 2 { values[sides[0], default: []].append(sides[1]) }
        }
        self.values = values
    }

    subscript(_ key: String) -> [String]? { values[key] }

    /// The command that it starts, without what a person may add.
    func command() throws -> any ParsableCommand {
        let words = (values["ExecStart"]?.first ?? "").split(separator: " ").map(String.init)
        return try RootCommand.parseAsRoot(words.dropFirst().filter { $0 != "$OPTIONS" })
    }

    func duration(_ key: String) throws -> Duration {
        let text = try #require(values[key]?.first)
        return try #require(HumanDuration.parse(text.replacing("min", with: "m")))
    }

    func memory() throws -> Int {
        let text = try #require(values["MemoryMax"]?.first)
        return try #require(HumanSize.parse(text.replacing("M", with: "MiB")))
    }
}

/// The unit of a host says in numbers what the program promises: the two are kept in step.
struct HostUnitTests {
    private let unit: SystemdUnit
    private let command: ServeCommand

    init() throws {
        unit = try SystemdUnit("plughost.service")
        command = try #require(try unit.command() as? ServeCommand)
    }

    @Test func aHostIsStartedAgainUnlessAPersonHasToActFirst() {
        #expect(unit["Restart"] == ["on-failure"])
        let statuses = [ExitStatus.usage, .configuration].map { "\($0.rawValue)" }
        #expect(unit["RestartPreventExitStatus"] == [statuses.joined(separator: " ")])
    }

    @Test func whatRunsHasTheTimeToEnd() throws {
        let drain = try #require(HumanDuration.parse(command.drain))
        #expect(drain == .seconds(20))
        #expect(try unit.duration("TimeoutStopSec") >= drain + .seconds(30))
    }

    @Test func aHostHasTheMemoryThatItMayTake() throws {
        // Pages, and the program with a million connections (Benchmarks/host).
        #expect(try unit.memory() >= PageRoom.defaultTotal + (256 << 20))
    }
}

/// The unit of one run says in numbers what the program promises: the two are kept in step.
struct UnitTests {
    private let unit: SystemdUnit
    private let command: RunCommand

    init() throws {
        unit = try SystemdUnit("plughost@.service")
        command = try #require(try unit.command() as? RunCommand)
    }

    private var goodEnds: Set<String> {
        Set(unit["SuccessExitStatus"]?.first?.split(separator: " ").map(String.init) ?? [])
    }

    @Test func onlyPatienceAndAStopAreGoodEnds() {
        // Of a unit that runs once, systemd takes not even SIGTERM for a good end by itself.
        #expect(unit["Type"] == ["oneshot"])
        let statuses = [ExitStatus.unreachable, .tryLater, .terminated].map { "\($0.rawValue)" }
        #expect(goodEnds == Set(statuses + ["SIGTERM"]))
        #expect(!goodEnds.contains("\(ExitStatus.stuck.rawValue)"))
    }

    @Test func aRunHasTheTimeThatItMayTake() throws {
        let patience = try #require(HumanDuration.parse(command.state.wait))
        #expect(patience == .seconds(600) && command.limits.timeLimit == .seconds(6000))
        let (start, stop) = (try unit.duration("TimeoutStartSec"), try unit.duration("TimeoutStopSec"))
        #expect(start >= patience + command.limits.timeLimit + stop)
        // The longest that a stopped run may need: what it waits for is cancelled, one commit is written.
        #expect(stop >= .seconds(30))
    }

    @Test func aRunHasTheMemoryThatItMayTake() throws {
        let most = try unit.memory()
        #expect(command.limits.memory == PageRoom.defaultTotal)
        // The program itself, SQLite's pages and batches on their way to the PDA.
        #expect(most >= command.limits.memory + (64 << 20))
        // One answer as large as a manifest allows has room, for each plug that comes along and one that says nothing.
        let plugs = try FilesHere.names(in: Program.root + "/Plugs").filter { !$0.contains(".") }
        #expect(plugs.count >= 2)
        for plug in plugs {
            let manifest = try #require(
                try ManifestReader.load(Program.root + "/Plugs/" + plug, fetchers: .ofBundledPlugs).manifest
            )
            #expect(manifest.http.answers.body * PageRoom.factor <= command.limits.memory, "\(plug)")
        }
    }

    @Test func theDocumentationNamesTheSameNumbers() throws {
        let pages = try ["operating", "behaviour"].map { try FilesHere.read(Program.root + "/Documentation/\($0).md") }
        let page = pages.joined(separator: "\n").replacing("\n", with: " ")
        let memory = HumanSize.text(PageRoom.defaultTotal)
        #expect(page.contains("`--memory` (\(memory))"), "\(memory)")
        #expect(page.contains("`MemoryMax=\(try #require(unit["MemoryMax"]?.first))`"))
        #expect(page.contains("`--time-limit` (a day; 100 minutes in the unit)"))
        #expect(page.contains("waits ten minutes for the first"))
    }
}
