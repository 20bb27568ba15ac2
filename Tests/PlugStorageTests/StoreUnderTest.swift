import Foundation
import PlugCore
import PlugStorage
import Synchronization
import TestKit
import Testing

/// The implementations that have to keep the contract. A new one is a new case.
enum StoreUnderTest: String, CaseIterable, CustomTestStringConvertible {
    case sqlite
    case memory

    var testDescription: String { rawValue }

    /// Lends an empty store.
    func withStore(
        clock: any HostClock = SystemClock(),
        _ body: (any PlugStore) async throws -> Void
    ) async throws {
        switch self {
        case .memory:
            try await body(MemoryStore(clock: clock))
        case .sqlite:
            try await withFolder { folder in
                try await withSQLiteStore(folder, clock: clock) { try await body($0) }
            }
        }
    }
}

/// Lends the path of a folder that does not exist yet, and removes it afterwards.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "plughost-store-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
}

/// Lends a store that may write in a folder, and closes it.
func withSQLiteStore(
    _ folder: String,
    access: StoreAccess = .write(wait: .zero),
    keyFile: String? = nil,
    clock: any HostClock = SystemClock(),
    _ body: (SQLiteStore) async throws -> Void
) async throws {
    let store = try await SQLiteStore.open(
        folder: folder,
        access: access,
        keyFile: keyFile,
        credentials: nil,
        clock: clock
    )
    do {
        try await body(store)
    } catch {
        await store.close()
        throw error
    }
    await store.close()
}

/// The code of the `PlugError` that some work throws; `nil` where it throws none.
func code(of work: () async throws -> Void) async -> String? {
    do {
        try await work()
        return nil
    } catch {
        return (error as? PlugError)?.code.text ?? "\(error)"
    }
}

let bob = ConnectionID("bob")
let plays = StreamID(connection: bob, stream: "plays")
let oauth = GrantID(connection: bob, name: "oauth2")
let pda = "https://bob.example.org"

func fingerprints(_ numbers: UInt64...) -> [RecordFingerprint] {
    numbers.map { RecordFingerprint(high: $0, low: ~$0) }
}

func packed(_ numbers: UInt64...) -> [UInt8] {
    RecordFingerprint.packed(numbers.map { RecordFingerprint(high: $0, low: ~$0) })
}

func letter(_ text: String) -> DeadLetter {
    let path = DataPath(namespace: "ns", endpoint: "a/b")
    let record = Array("{\"\(text)\":1}".utf8)
    return DeadLetter(
        stage: .deliver,
        code: "refused",
        reason: "no \(text)",
        record: record,
        identity: text,
        path: path
    )
}

struct LedgerRow: Equatable {
    var pass: Int64
    var packed: [UInt8]
}

/// A stream's whole ledger.
func ledger(_ store: any PlugStore, _ stream: StreamID) async throws -> [LedgerRow] {
    let rows = RowBox()
    try await store.forEachLedgerRow(of: stream) { rows.append(LedgerRow(pass: $0, packed: $1)) }
    return rows.all
}

/// The rows of a pass.
func inventory(_ store: any PlugStore, _ stream: StreamID, pass: Int64) async throws -> [[UInt8]] {
    let rows = Mutex<[[UInt8]]>([])
    try await store.forEachInventoryRow(of: stream, pass: pass, newestFirst: false) { row in
        rows.withLock { $0.append(row) }
    }
    return rows.withLock { $0 }
}

private final class RowBox: Sendable {
    private let rows = Mutex<[LedgerRow]>([])
    func append(_ row: LedgerRow) { rows.withLock { $0.append(row) } }
    var all: [LedgerRow] { rows.withLock { $0 } }
}
