import Foundation
import Glibc
import PlugCore
import TestKit
import Testing

@testable import PlugHostCLI

struct ServiceManagerTests {
    /// A name that no other test has.
    private static var abstractName: String { "@plughost-\(UUID().uuidString)" }

    @Test func everyMessageArrivesInTheFormOfSystemd() async throws {
        let socket = try NotifySocket(Self.abstractName)
        let manager = try #require(ServiceManager(["NOTIFY_SOCKET": socket.name]))
        let messages: [ServiceManager.Message] = [.ready(plugs: 3), .stopping, .alive]
        var heard: [String] = []
        for message in messages {
            #expect(manager.tell(message) == nil)
            heard.append(try await socket.message())
        }
        #expect(heard == ["READY=1\nSTATUS=serving 3 plugs", "STOPPING=1", "WATCHDOG=1"])
    }

    @Test func aReloadNamesItsMomentOfTheMonotonicClock() async throws {
        let socket = try NotifySocket(Self.abstractName)
        let manager = try #require(ServiceManager(["NOTIFY_SOCKET": socket.name]))
        let before = Self.monotonic()
        #expect(manager.tell(.reloading) == nil)
        let lines = try await socket.message().split(separator: "\n")
        let time = try #require(lines.last?.split(separator: "=").last.flatMap { Int($0) })
        #expect(lines == ["RELOADING=1", "MONOTONIC_USEC=\(time)"])
        #expect((before...Self.monotonic()).contains(time))
    }

    @Test func aSocketIsAlsoFoundInAFolder() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "notify-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let socket = try NotifySocket(folder.path + "/notify")
        #expect(ServiceManager(["NOTIFY_SOCKET": socket.name])?.tell(.stopping) == nil)
        #expect(try await socket.message() == "STOPPING=1")
    }

    @Test func whatCannotBeToldHasAReason() {
        let nowhere = ServiceManager(["NOTIFY_SOCKET": "/nowhere/notify"])
        #expect(nowhere?.tell(.stopping) == "/nowhere/notify: No such file or directory")
        let long = "/" + String(repeating: "n", count: 200)
        #expect(ServiceManager(["NOTIFY_SOCKET": long])?.tell(.stopping) == "\(long) is too long")
    }

    @Test(arguments: [[:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "vsock:2:1234"]])
    func withoutASocketThereIsNobodyToTell(environment: [String: String]) {
        #expect(ServiceManager(environment) == nil)
    }

    @Test func itsPatienceCountsForTheProcessThatItNames() throws {
        let patience = { (more: [String: String]) in
            ServiceManager(["NOTIFY_SOCKET": "/run/notify"].merging(more) { _, new in new })?.patience
        }
        #expect(patience(["WATCHDOG_USEC": "60000000"]) == .seconds(60))
        #expect(patience(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "\(getpid())"]) == .seconds(60))
        #expect(patience(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"]) == nil)
        #expect(patience(["WATCHDOG_USEC": "0"]) == nil)
        #expect(patience([:]) == nil)
        #expect(Watchdog(ServiceManager(["NOTIFY_SOCKET": "/run/notify"]), clock: SystemClock()) == nil)
    }

    @Test func theWatchdogSaysTwiceWithinThePatienceThatTheProcessLives() async throws {
        let socket = try NotifySocket(Self.abstractName)
        let manager = ServiceManager(["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "60000000"])
        let clock = TimeoutClock(passing: 2)
        let watchdog = try #require(Watchdog(manager, clock: clock))
        let running = Task { try await watchdog.run() }
        for _ in 1...3 { #expect(try await socket.message() == "WATCHDOG=1") }
        await clock.asked.wait { $0.count == 3 }
        #expect(clock.asked.value == [.seconds(30), .seconds(30), .seconds(30)])
        running.cancel()
        try await running.value
    }

    /// A clock whose first time limits are over at once; the next one lasts until it is cancelled.
    private struct TimeoutClock: HostClock {
        let asked = Watched<[Duration]>([])
        let passing: Int

        init(passing: Int) { self.passing = passing }

        func now() -> Int64 { 0 }
        func random() -> Double { 0 }
        func sleep(for duration: Duration) async throws {}

        func timeout(after duration: Duration) async throws {
            let count = asked.change {
                $0.append(duration)
                return $0.count
            }
            if count > passing { try await Task.sleep(for: .seconds(86_400)) }
        }
    }

    private static func monotonic() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}
