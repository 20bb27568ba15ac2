import Foundation
import PlugCore
import PlugStorage
import Synchronization
import Testing

/// A ledger of a million records is read row by row.
struct LedgerSizeTests {
    @Test func aMillionFingerprintsAreHandedOverInRowsOfOneBatch() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
                let batch = [UInt8](repeating: 7, count: 16 * 1_000)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<1_000 {
                        group.addTask { try await store.commit(StreamCommit(stream: plays, pass: 1, ledger: batch)) }
                    }
                    try await group.waitForAll()
                }
                let counts = Counts()
                try await store.forEachLedgerRow(of: plays) { counts.add($1.count) }
                #expect(counts.rows == 1_000)
                #expect(counts.bytes == 16_000_000)
            }
        }
    }
}

private final class Counts: Sendable {
    private let counts = Mutex((rows: 0, bytes: 0))
    func add(_ bytes: Int) { counts.withLock { $0 = ($0.rows + 1, $0.bytes + bytes) } }
    var rows: Int { counts.withLock { $0.rows } }
    var bytes: Int { counts.withLock { $0.bytes } }
}
