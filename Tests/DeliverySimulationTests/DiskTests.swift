import Foundation
import PlugCore
import PlugStorage
import Synchronization
import TestKit
import Testing

/// The real store in a folder, opened anew by each process.
final class SQLiteDisk: Disk {
    let folder = NSTemporaryDirectory() + "plughost-simulation-\(UUID().uuidString)"
    private let store = Mutex<SQLiteStore?>(nil)

    func open(_ clock: any HostClock) async throws -> any PlugStore {
        if let open = store.withLock({ $0 }) { return open }
        let opened = try await SQLiteStore.open(folder: folder, access: .write(wait: .zero), clock: clock)
        store.withLock { $0 = opened }
        return opened
    }

    func close() async {
        let open = store.withLock { store -> SQLiteStore? in
            defer { store = nil }
            return store
        }
        await open?.close()
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}

/// The same worlds over SQLite, which is closed and opened again between the lives.
struct DiskTests {
    @Test func losesAndDoublesNothingOnADisk() async throws {
        for seed in 1...UInt64(ProcessSettings.diskSeeds) {
            let disk = SQLiteDisk()
            defer { disk.remove() }
            do {
                try await withTaskExecutorPreference(OneThread()) {
                    _ = try await Simulation(seed: seed).run { _ in disk }
                }
            } catch { Issue.record("seed \(seed) on a disk: \(error)") }
        }
    }
}
