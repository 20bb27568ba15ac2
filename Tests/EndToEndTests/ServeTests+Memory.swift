import Foundation
import LosslessJSON
import TestKit
import Testing

/// How much memory a host takes whose connections all have large pages.
extension ServeTests {
    /// More than can be read at once either way: in a debug build each takes two seconds.
    private static let connections = Thoroughness.isFull ? 50 : 12
    /// Six megabytes of small values, which take most.
    private static let page: [UInt8] = {
        var page = Array(#"{"items":["#.utf8)
        var number = 0
        while page.count < 6_000_000 {
            if number > 0 { page.append(UInt8(ascii: ",")) }
            page += Array(#"{"id":"\#(number)","v":[1,2,3,4,5,6,7,8]}"#.utf8)
            number += 1
        }
        return page + Array("]}".utf8)
    }()

    /// The most that a process has had in memory, in bytes.
    private static func peak(_ process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(separator: " ").dropLast().last ?? "")) << 10
    }

    /// How many runs have ended.
    private func endedRuns(_ world: PlainWorld) async throws -> Int {
        try await program(["runs", "list", "--limit", "100", "--json"], world).split(separator: "\n")
            .count { !$0.contains(#""ended":null"#) }
    }

    /// Whoever would go beyond the limit waits: pages in hand are counted, of all connections together.
    @Test func manyConnectionsWithLargePagesStayWithinTheLimit() async throws {
        let asked = Watched(0)
        try await PlainWorld.with(stream: ", drop_if: 'true'") { _ in
            asked.change { $0 += 1 }
            return .bytes(200, Self.page)
        } _: { world in
            let configuration = world.folder + "/plughost.yaml"
            try "limits: {memory: 160MiB, parallel: 64}\n"
                .write(toFile: configuration, atomically: true, encoding: .utf8)
            for number in 0..<Self.connections { try await add("c\(number)", world) }
            let ended = try await serving(world, ["--config", configuration]) { running, _ in
                await asked.wait { $0 >= Self.connections }
                while try await endedRuns(world) < Self.connections {}
                let peak = try Self.peak(running.process.processIdentifier)
                // A debug build takes more for a page than is counted. All pages at once would take a gigabyte.
                #expect(peak < 320 << 20, "\(peak >> 20) MiB")
            }
            #expect(ended.status == 0, "\(ended)")
            #expect(asked.value == Self.connections)
        }
    }
}
