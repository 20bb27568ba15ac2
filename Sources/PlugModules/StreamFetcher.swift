public import LosslessJSON

/// Reads one stream of a source in code, where a manifest cannot say how: a job that is started, waited for and downloaded, a
/// protocol with a handshake, an odd format.
///
/// The manifest names it with `swift:`. Everything else stays as it is with requests: the host sends what the fetcher asks for
/// within `hosts`, with the credentials of `auth`, the rates and retries of `http`; records go through `map`, `key` and `fields`; and
/// a cursor is kept only when every record before it is delivered or safe.
///
/// ```swift
/// struct Letters: StreamFetcher {
///     let context: FetchContext
///
///     init(_ context: FetchContext) { self.context = context }
///
///     func page(after cursor: JSONValue?) async throws -> StreamPage {
///         let from = cursor?.number?.int64 ?? 0
///         let answer = try await context.send(FetchRequest("/letters", query: ["from": "\(from)"])).json()
///         let letters = answer["letters"]?.elements ?? []
///         let next = from + Int64(letters.count)
///         return StreamPage(letters, cursor: .integer(Int(next)), isLast: answer["more"]?.bool != true)
///     }
/// }
/// ```
///
/// A fetcher serves one reading of one stream, and is used by one task at a time. It may remember things to save requests, such as an
/// answer that has more pages in it. But the cursor alone has to lead to the next page: a run may end after any of them, and the next
/// one makes a new fetcher and gives it the cursor.
public protocol StreamFetcher: Sendable {
    /// What manifests call it: 1 to 64 letters, digits, `_`, `-` and `.`, beginning with a letter. The type's name unless it says
    /// otherwise.
    static var name: String { get }

    /// Makes a fetcher for one reading.
    ///
    /// - Parameter context: The stream, its options, and the only way to the source.
    /// - Throws: `FetchError`, such as one of the kind `.configuration` for options that make no sense.
    init(_ context: FetchContext) throws

    /// Reads the page that follows a cursor.
    ///
    /// Asked twice with one cursor it gives the same records, as far as the source has them still.
    ///
    /// - Parameter cursor: What an earlier page gave, as it gave it; `nil` at the very beginning.
    /// - Returns: Records, and where to go on.
    /// - Throws: `FetchError`; whatever `FetchContext` throws is to be passed on.
    mutating func page(after cursor: JSONValue?) async throws -> StreamPage
}

extension StreamFetcher {
    /// The type's name.
    public static var name: String { String(describing: Self.self) }
}
