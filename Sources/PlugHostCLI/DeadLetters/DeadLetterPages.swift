internal import PlugCore
internal import PlugStorage

/// Reads dead letters a page at a time, so that there may be more than fit into memory.
struct DeadLetterPages {
    private static let size = 200
    private let store: any DeadLetterStore
    private let ids: [Int64]?
    private var filter: DeadLetterFilter
    private var taken = 0
    private var isAtEnd = false

    /// All letters within a scope.
    ///
    /// - Throws: `PlugError` `connection-unknown` (1) if the scope names a connection that does not exist.
    init(_ scope: StreamScope, in store: any ConnectionStore & DeadLetterStore) async throws {
        self.store = store
        ids = nil
        filter = DeadLetterFilter(
            connection: scope.connection.map { ConnectionID($0) },
            stream: scope.stream,
            limit: Self.size
        )
        try await StreamScope.check(connection: scope.connection, in: store)
    }

    /// The letters with the given numbers, or all within a scope.
    ///
    /// - Throws: `PlugError` `connection-unknown` (1).
    init(_ choice: DeadLetterChoice, in store: any ConnectionStore & DeadLetterStore) async throws {
        guard !choice.ids.isEmpty else {
            self = try await DeadLetterPages(choice.scope, in: store)
            return
        }
        self.store = store
        ids = Array(Set(choice.ids)).sorted()
        filter = DeadLetterFilter()
    }

    /// The next page; `nil` at the end.
    ///
    /// - Throws: `PlugError` `deadletter-unknown` (1) if a number does not exist.
    mutating func next() async throws -> [StoredDeadLetter]? {
        if let ids {
            var page: [StoredDeadLetter] = []
            for id in ids[taken...].prefix(Self.size) { page.append(try await Self.letter(id, in: store)) }
            taken += page.count
            return page.isEmpty ? nil : page
        }
        guard !isAtEnd else { return nil }
        let page = try await store.deadLetters(filter)
        isAtEnd = page.count < Self.size
        filter.after = page.last?.id ?? filter.after
        return page.isEmpty ? nil : page
    }

    /// One dead letter.
    ///
    /// - Throws: `PlugError` `deadletter-unknown` (1).
    static func letter(_ id: Int64, in store: any DeadLetterStore) async throws -> StoredDeadLetter {
        if let letter = try await store.deadLetter(id) { return letter }
        throw PlugError(
            .deadletterUnknown,
            "there is no dead letter \(id) here",
            advice: "'plughost deadletters list' shows the numbers; --state DIR names another state folder"
        )
    }
}
