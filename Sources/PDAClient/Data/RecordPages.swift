internal import LosslessJSON
internal import PlugCore

extension PDA {
    /// All records of an endpoint, in pages: an `AsyncSequence` of lists.
    ///
    /// Each record that exists, with an unchanged value in the field, from the first answer to the last comes exactly once; no
    /// record comes twice. One that is created, deleted or changed meanwhile may or may not come. That holds for every field,
    /// even if records share values or lack it: pages overlap, and groups of equal values are never split. It holds because
    /// a PDA's order by a field is deterministic except for equal values; its order without a field is not, so a field is
    /// required. A field that differs from record to record costs least: equal values have to fit into one answer.
    ///
    /// - Parameters:
    ///   - endpoint: `namespace/endpoint`, `[0-9a-z-/]+`.
    ///   - field: A field of the data, with dots, such as the source's own id.
    ///   - ordering: The direction; records without the field come last both ways.
    ///   - pageSize: How many records to request at once; groups of equal values make a page larger, up to 16,384.
    /// - Returns: Pages, none of them empty. No request is made before the first is asked for; iterating again starts over.
    /// - Throws: `PDAError`: `invalid_request` before anything is sent. The sequence throws `unstable_pages` if too many
    ///   records share a value or are deleted too fast, and the errors of reading; after an error the same iterator can be
    ///   asked again and continues where it was.
    public func pages(
        at endpoint: String,
        orderedBy field: String,
        ordering: PropertyQuery.Ordering = .ascending,
        pageSize: Int = 500
    ) throws(PDAError) -> RecordPages {
        let query = DataQuery(orderBy: field, ordering: ordering, skip: 0, take: pageSize)
        _ = try query.parameters()
        guard 1...RecordPager.largestPage ~= pageSize else {
            throw .unsendable("pageSize", "is not between 1 and \(RecordPager.largestPage)")
        }
        return RecordPages(client: self, path: try DataAddress.path(endpoint), query: query, pageSize: pageSize)
    }

    /// All records of an endpoint in one list, read in pages; see `pages(at:orderedBy:ordering:pageSize:)`.
    ///
    /// - Returns: The records, and what could not be read as one, with its index among all of them.
    public func allRecords(
        at endpoint: String,
        orderedBy field: String,
        ordering: PropertyQuery.Ordering = .ascending,
        pageSize: Int = 500
    ) async throws(PDAError) -> PDAList<DataRecord> {
        var pages = try pages(at: endpoint, orderedBy: field, ordering: ordering, pageSize: pageSize)
            .makeAsyncIterator()
        var all = PDAList<DataRecord>([])
        while let page = try await pages.next() {
            let count = all.count + all.undecodable.count
            all.elements += page.elements
            all.undecodable += page.undecodable.map {
                UndecodableElement(index: count + $0.index, json: $0.json, error: $0.error)
            }
        }
        return all
    }
}

/// Pages of records; made by `PDA.pages(at:orderedBy:ordering:pageSize:)`, where the guarantees are.
public struct RecordPages: AsyncSequence, Sendable {
    /// A page: the records that did not come before, and what could not be read as one.
    public typealias Element = PDAList<DataRecord>
    /// The error of a failed read.
    public typealias Failure = PDAError

    let client: PDA
    let path: DataPath
    let query: DataQuery
    let pageSize: Int

    /// Begins at the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: self, pager: RecordPager(field: query.orderBy ?? "", pageSize: pageSize))
    }

    /// Requests one page after another.
    public struct Iterator: AsyncIteratorProtocol {
        let pages: RecordPages
        var pager: RecordPager

        /// The next page, `nil` at the end.
        public mutating func next() async throws(PDAError) -> PDAList<DataRecord>? {
            try await next(isolation: nil)
        }

        /// The next page, `nil` at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(PDAError) -> PDAList<DataRecord>? {
            while !pager.isDone {
                var query = pages.query
                (query.skip, query.take) = (pager.skip, pager.take)
                let new = try pager.read(try await pages.client.elements(at: pages.path, query))
                if !new.isEmpty { return try PDAList.read(.array(new), at: "") }
            }
            return nil
        }
    }
}
