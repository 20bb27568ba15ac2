internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// The selected batches: numbers, or `--all` within a scope, exactly one of the two.
struct OutboxChoice: ParsableArguments {
    @Argument(help: ArgumentHelp("The numbers, as 'list' shows them.", valueName: "id"))
    var ids: [Int64] = []

    @Flag(help: "All, or all that match --connection and --stream.")
    var all = false

    @OptionGroup var scope: StreamScope

    func validate() throws { try scope.check(ids, all: all, one: "batch", many: "batches") }

    /// Visits the selected batches, one in memory at a time.
    ///
    /// - Throws: `PlugError` `batch-unknown` (1) for a number that does not exist, `connection-unknown` (1).
    func forEach(in store: any ConnectionStore & OutboxStore, _ body: (StoredOutboxBatch) async throws -> Void)
        async throws
    {
        for id in Set(ids).sorted() {
            guard let stored = try await store.outboxBatch(id) else { throw OutboxText.unknown(id) }
            try await body(stored)
        }
        guard all else { return }
        try await OutboxBatches(scope, in: store).forEach {
            try await body($0)
            return true
        }
    }
}

/// Visits the batches of a scope, one in memory at a time.
struct OutboxBatches {
    private let scope: StreamScope
    private let store: any ConnectionStore & OutboxStore

    /// All batches within a scope.
    ///
    /// - Throws: `PlugError` `connection-unknown` (1).
    init(_ scope: StreamScope, in store: any ConnectionStore & OutboxStore) async throws {
        try await StreamScope.check(connection: scope.connection, in: store)
        self.scope = scope
        self.store = store
    }

    /// Visits the batches in sending order, until `body` returns that no more are wanted.
    func forEach(_ body: (StoredOutboxBatch) async throws -> Bool) async throws {
        for outbox in try await store.outboxes(of: scope.connection.map { ConnectionID($0) }) {
            guard scope.stream == nil || scope.stream == outbox.stream.stream else { continue }
            var after: Int64 = 0
            while let stored = try await store.outbox(of: outbox.stream, after: after, limit: 1).first {
                after = stored.id
                guard try await body(stored) else { return }
            }
        }
    }
}
