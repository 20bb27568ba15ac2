import PlugCore
import PlugRuntime
import PlugStorage
import Syncing
import TestKit
import Testing

@testable import PlugHostWeb

/// A run as it continues.
struct LiveTests {
    private static let mine = ConnectionID("mine")
    private static let path = "/operator/connections/mine"

    private func get(_ world: WebWorld, _ target: String) async throws -> HostAnswer {
        let browser = try await world.browser(.operator, "ada")
        return await world.send("GET", target, [("Cookie", "plughost=\(browser.text.reveal())")])
    }

    private func text(_ piece: [UInt8]?) -> String { String(decoding: piece ?? [], as: UTF8.self) }

    private func counts(_ fetched: Int) -> RunEvent {
        var counts = StreamCounts()
        counts.fetched = fetched
        return .counts(stream: "fresh<i>", counts)
    }

    @Test func aRunIsShownAsItContinues() async throws {
        let world = try await WebWorld()
        let page = try await get(world, "\(Self.path)/live")
        #expect(page.text.contains("No run is under way."))
        #expect(page.text.contains("<noscript><meta http-equiv=\"refresh\" content=\"5\">"))
        #expect(page.text.contains("<script src=\"/assets/live.js\" defer></script>"))
        #expect(page.header("Content-Security-Policy")?.contains("script-src 'self'; connect-src 'self';") == true)
        let events = try await get(world, "\(Self.path)/events")
        #expect(events.type == "text/event-stream" && events.body == [])
        #expect(events.header("Content-Security-Policy")?.contains("script-src") == false)
        let next = try #require(events.pieces)
        #expect(text(await next()) == "event: state\ndata: No run is under way.\n\nevent: run\ndata: \n\n")
        world.live.note(.during(Self.mine, counts(12_345)))
        // Without the beginning of a run there is none.
        #expect(text(await next()) == ": nothing new\n\n")
        world.live.note(.during(Self.mine, .stream("fresh<i>")))
        let begun = text(await next())
        #expect(begun.hasPrefix("event: state\ndata: A run is under way.\n\nevent: run\ndata: "), "\(begun)")
        world.live.note(.during(Self.mine, counts(12_345)))
        let counted = text(await next())
        #expect(counted.hasPrefix("event: run\ndata: ") && counted.contains("<td>12,345</td>"), "\(counted)")
        #expect(counted.contains("Fresh&lt;i&gt;") && counted.hasSuffix("\n\n"))
        // Each line is one of the protocol: an empty one would end the event.
        #expect(
            counted.dropLast(2).split(separator: "\n", omittingEmptySubsequences: false).allSatisfy {
                $0.hasPrefix("data: ") || $0.hasPrefix("event: ")
            }
        )
        #expect(try await get(world, "\(Self.path)/live").text.contains("<td>12,345</td>"))
        let report = RunReport(plug: "plays", connection: "mine", pda: WebWorld.ada)
        world.live.note(.ended(report, ClaimEnd(status: .active, dueAt: nil, at: 1)))
        #expect(text(await next()).hasPrefix("event: state\ndata: No run is under way.\n\n"))
        #expect(world.live.progress(of: Self.mine) == nil)
    }

    @Test func aBrowserWatchesTenMinutesAtMost() async throws {
        let world = try await WebWorld()
        let next = try #require(try await get(world, "\(Self.path)/events").pieces)
        #expect(await next() != nil)
        world.clock.advance(.seconds(600))
        #expect(await next() == nil)
    }

    @Test func soManyWatchAndNoMore() async throws {
        let world = try await WebWorld()
        var open: [HostAnswer] = []
        for _ in 1...LiveRuns.watcherLimit { open.append(try await get(world, "\(Self.path)/events")) }
        #expect(open.allSatisfy { $0.status == 200 } && world.live.watcherCount == LiveRuns.watcherLimit)
        let refused = try await get(world, "\(Self.path)/events")
        #expect(refused.status == 503 && refused.text.contains("watched-by-many"))
        // Whoever goes makes room.
        open.removeLast()
        #expect(try await get(world, "\(Self.path)/events").status == 200)
        open = []
        #expect(world.live.watcherCount == 0)
    }

    @Test func aRunOfAnotherProcessIsSaidToBeOne() async throws {
        let world = try await WebWorld()
        let lease = try await world.store.lease(Self.mine)
        let page = try await get(world, "\(Self.path)/live").text
        #expect(page.contains("Another process is working on this connection."))
        lease.end()
    }
}
