import ArgumentParser
import Foundation
import PlugCore
import PlugManifest
import Testing

@testable import PlugHostCLI
@testable import PlugRuntime

/// The systemd unit says in numbers what the program promises: the two are kept in step.
struct UnitTests {
    /// The values of each key, in order; lines that end with a backslash go on.
    private let unit: [String: [String]]
    private let command: RunCommand

    init() throws {
        let text = try FilesHere.read(Program.root + "/Packaging/systemd/plughost@.service")
        var unit: [String: [String]] = [:]
        for line in text.replacing("\\\n", with: " ").split(separator: "\n") where !line.hasPrefix("#") {
            let sides = line.split(separator: "=", maxSplits: 1).map(String.init)
            if sides.count == 2 { unit[sides[0], default: []].append(sides[1]) }
        }
        self.unit = unit
        let words = (unit["ExecStart"]?.first ?? "").split(separator: " ").map(String.init)
        // Without the program, and without what a person may add.
        let arguments = words.dropFirst().filter { $0 != "$OPTIONS" }
        command = try #require(try RootCommand.parseAsRoot(arguments) as? RunCommand)
    }

    private func duration(_ key: String) throws -> Duration {
        let text = try #require(unit[key]?.first)
        return try #require(HumanDuration.parse(text.replacing("min", with: "m")))
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
        let (start, stop) = (try duration("TimeoutStartSec"), try duration("TimeoutStopSec"))
        #expect(start >= patience + command.limits.timeLimit + stop)
        // The longest that a stopped run may need: what it waits for is cancelled, one commit is written.
        #expect(stop >= .seconds(30))
    }

    @Test func aRunHasTheMemoryThatItMayTake() throws {
        let text = try #require(unit["MemoryMax"]?.first)
        let most = try #require(HumanSize.parse(text.replacing("M", with: "MiB")))
        #expect(command.limits.memory == PageRoom.usualTotal)
        // The program itself, SQLite's pages and batches on their way to the PDA.
        #expect(most >= command.limits.memory + (64 << 20))
        // One answer as large as a manifest allows has room, for each plug that comes along and one that says nothing.
        let plugs = try FilesHere.names(in: Program.root + "/Plugs").filter { !$0.contains(".") }
        #expect(plugs.count >= 2)
        for plug in plugs {
            let manifest = try #require(try ManifestReader.load(Program.root + "/Plugs/" + plug).manifest)
            #expect(manifest.http.maximumBody * PageRoom.factor <= command.limits.memory, "\(plug)")
        }
    }

    @Test func theDocumentationNamesTheSameNumbers() throws {
        let page = try FilesHere.read(Program.root + "/Documentation/operating.md").replacing("\n", with: " ")
        let memory = HumanSize.text(PageRoom.usualTotal)
        #expect(page.contains("`--memory` (\(memory))"), "\(memory)")
        #expect(page.contains("`MemoryMax=\(try #require(unit["MemoryMax"]?.first))`"))
        #expect(page.contains("`--time-limit` (a day; 100 minutes in the unit)"))
        #expect(page.contains("waits ten minutes for the first"))
    }
}
