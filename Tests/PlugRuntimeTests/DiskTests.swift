import Foundation
import PlugCore
import PlugStorage
import Testing

@testable import PlugRuntime

/// Runs whose store is a file, opened anew for each run as the command line does.
struct DiskTests {
    private let lines = (1...5).map { #"{"id":\#($0)}"# }

    @Test func aStoreOnDiskRemembersFromRunToRun() async throws {
        try await withFolder { folder in
            let bench = try Bench()
            bench.source.set(lines)
            #expect(try await run(bench, folder) == "done 0: items 5 fetched, 5 delivered")
            #expect(try await run(bench, folder) == "done 0: items 5 fetched, 5 known")
            #expect(bench.pda.stored.count == 5)
            #expect(bench.pda.requests == 3)
        }
    }

    @Test func anInterruptedPassGoesOnInTheNextProcess() async throws {
        try await withFolder { folder in
            let bench = try Bench()
            bench.source.set(lines)
            bench.source.fail(at: 2)
            #expect(try await run(bench, folder) == "partial 65 lines-broken: items 2 fetched, 2 delivered")
            bench.source.fail(at: nil)
            // The first page is not read again: its commit held the place of the second.
            #expect(try await run(bench, folder) == "done 0: items 3 fetched, 3 delivered")
            #expect(try await run(bench, folder) == "done 0: items 5 fetched, 5 known")
            #expect(bench.pda.stored.count == 5)
        }
    }

    @Test func refusalsOfThreeProcessesAreEvidence() async throws {
        try await withFolder { folder in
            let bench = try Bench()
            bench.source.set([#"{"id":9,"poison":true}"#])
            for _ in 0..<2 {
                let line = "failed 75 pda-refuses-records: items 1 fetched, 1 undelivered"
                #expect(try await run(bench, folder) == line)
            }
            #expect(try await run(bench, folder) == "partial 1: items 1 fetched, 1 dead")
            #expect(try await run(bench, folder) == "done 0: items 1 fetched, 1 known")
        }
    }

    private func run(_ bench: Bench, _ folder: String) async throws -> String {
        let store = try await SQLiteStore.open(
            folder: folder,
            access: .write(wait: .zero),
            keyFile: nil,
            credentials: nil
        )
        let line = await bench.run(store).line
        await store.close()
        return line
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "plughost-runs-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }
}
