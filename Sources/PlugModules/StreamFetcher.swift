public import LosslessJSON

/// Reads one stream of a source in code, if a manifest cannot describe how: a job that is started, waited for and downloaded, a
/// protocol with a handshake, an unusual format.
///
/// The manifest names it with `swift:`. Everything else works as with requests: the host sends the fetcher's requests within `hosts`,
/// with the credentials of `auth` and the rates and retries of `http`; records go through `map`, `key` and `fields`; and a cursor is
/// kept only when every record before it is delivered or safe.
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
/// A fetcher serves one reading of one stream, and one task at a time uses it. It may remember things to save requests, such as a
/// response that contains several pages. But the cursor alone must lead to the next page: a run may end after any page, and the
/// next run makes a new fetcher and gives it the cursor.
public protocol StreamFetcher: Sendable {
    /// Its name in manifests: 1 to 64 letters, digits, `_`, `-` and `.`, beginning with a letter. By default the type's name.
    static var name: String { get }

    /// Makes a fetcher for one reading.
    ///
    /// - Parameter context: The stream, its options, and the only access to the source.
    /// - Throws: `FetchError`, such as one of the kind `.configuration` for options that make no sense.
    init(_ context: FetchContext) throws

    /// Reads the page that follows a cursor.
    ///
    /// Asked twice with the same cursor, it returns the same records, as far as the source still has them.
    ///
    /// - Parameter cursor: The cursor of an earlier page, unchanged; `nil` at the very beginning.
    /// - Returns: Records, and where to continue.
    /// - Throws: `FetchError`. Pass on whatever `FetchContext` throws.
    mutating func page(after cursor: JSONValue?) async throws -> StreamPage
}

extension StreamFetcher {
    /// The type's name.
    public static var name: String { String(describing: Self.self) }
}
