public import LosslessJSON

/// The source of one plug: whatever it reads from, it gives the runtime pages of records and states to continue from.
///
/// The declarative HTTP fetcher, modules in Swift and programs that speak the Singer protocol all conform, and the runtime knows
/// nothing else about them.
public protocol Fetcher: Sendable {
    /// Whether several streams may be read at the same time: their pages can be read again, and its limits apply to all of them
    /// together. `false` by default.
    var readsStreamsTogether: Bool { get }

    /// The same source if it gives the pages of all its streams as they come; `nil` unless it is a `MixedFetcher`. It is asked
    /// once per run; a cast would search the conformances of the whole program.
    var mixed: (any MixedFetcher)? { get }

    /// Begins a pass of a stream, or continues one.
    ///
    /// The reader is valid for as long as `body` runs: whatever it fetches ahead is cancelled and awaited at the end.
    ///
    /// - Parameters:
    ///   - stream: The stream's name in the manifest.
    ///   - states: What the committed pages of this stream left behind. Opaque to the runtime.
    ///   - body: Receives a reader of the pages that follow.
    /// - Returns: What `body` returns.
    /// - Throws: `PlugError` if the stream is unknown or a state is unreadable; whatever `body` throws.
    func withReader<Result>(
        of stream: String,
        from states: any StreamStates,
        _ body: (any PageReader) async throws -> Result
    ) async throws -> Result
}

extension Fetcher {
    /// `false`: one after another.
    public var readsStreamsTogether: Bool { false }
    /// `nil`: not mixed.
    public var mixed: (any MixedFetcher)? { nil }
}

/// The committed states of one stream, one per part.
///
/// A stream that is read once has the single part `""`; a child stream may keep one for each parent, named by the parent.
public protocol StreamStates: Sendable {
    /// The state of a part, `nil` if none has been committed yet.
    func state(of part: String) async throws -> StreamState?
}

/// The states of a stream that has not been read yet.
public struct NoStates: StreamStates {
    /// Of any stream.
    public init() {}
    /// Always `nil`.
    public func state(of part: String) async throws -> StreamState? { nil }
}

/// Where a stream continues. The bytes belong to the fetcher; the store encrypts them.
public struct StreamState: Sendable, Equatable {
    /// UTF-8 JSON, by convention.
    public var bytes: [UInt8]
    /// Wraps a fetcher's state.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// Gives a stream's pages one by one. Used by one task at a time.
public protocol PageReader: AnyObject, Sendable {
    /// The next page, or `nil` when the pass is over.
    ///
    /// - Throws: `PlugError`; `CancellationError` when the run is interrupted.
    func next() async throws -> FetchedPage?
}

/// A page as it passes from fetching to normalising.
public struct FetchedPage: Sendable {
    /// The records as the source gave them, in order: views into the page's own buffer.
    public var records: [JSONView]
    /// The parent's raw record, for a stream with `for_each`.
    public var parent: JSONView?
    /// The raw records for which the parent itself was read, outermost first.
    public var ancestors: [JSONValue] = []
    /// The states, by part, to commit once every record of this page is safe.
    public var states: [String: StreamState]
    /// Whether the stream's pass begins with this page.
    public var beginsPass = false
    /// Whether the stream's pass is complete with this page. A pass may end with a page without records.
    public var endsPass: Bool
    /// Whether the same page can be read again from an earlier state; `false` sends it through the outbox. All pages of a stream
    /// agree on this: if they can be read again, the next one is read while this one is delivered.
    public var isRepeatable: Bool
    /// The parts of the stream that the records belong to, in order, if a page has several: a part whose records do not fit the
    /// manifest holds up no other.
    public var groups: [Group] = []
    /// The state of the part `""` to commit instead if records of some part did not fit the manifest, on this page or an earlier
    /// one from this reader: it remembers that they must be read again. `nil` if the parts' own states do.
    public var stateLeavingOut: StreamState?
    /// Leads back to this page, or further: the state of the part `""` to commit instead, with this and all later pages, if
    /// records of an archive's entry on this page do not fit the manifest. `nil` if it has no entries.
    package var stateBefore: StreamState?
    /// Parts among `states` that hold only if all records that this reader has given so far fit the manifest: what begins there
    /// does not lead back to any that do not.
    public var provedParts: Set<String> = []
    /// Source records that are broken and cannot be read, alongside the others.
    public var broken: [Broken] = []
    /// How many records of its first answer came on earlier pages: whether most of them fit the manifest is judged over all.
    public var preceding = 0
    /// Whether it is made from several answers: the next page then continues with the last of them.
    package var isOfSeveralAnswers = false
    /// The members that identify the records, if the source names them and the manifest does not.
    public var key: [String] = []
    /// What it counts for where memory is shared, if not the size of its body.
    public var weight: Int?
    /// The name of the archive entry that contains the records; `nil` if there is none, or the page is made from several.
    public var entry: String?
    /// What the request asked for; `nil` if it had no bounds, or the page is made from several.
    public var bounds: Bounds?
    /// What reading it cost.
    public var cost: Cost
    /// Where the records came from, without the query: for messages.
    public var origin: String

    /// The range that a request asks for.
    public struct Bounds: Sendable, Equatable {
        /// The lower bound, `nil` for none.
        public var lower: JSONValue?
        /// The upper bound, `nil` for none.
        public var upper: JSONValue?
        /// Bounds.
        public init(lower: JSONValue?, upper: JSONValue?) {
            self.lower = lower
            self.upper = upper
        }
    }

    /// Adjacent records of one part of a stream.
    public struct Group: Sendable, Equatable {
        /// The part's name, as in `states`.
        public var part: String
        /// How many records.
        public var count: Int
        /// How many of the page's broken records are its own; `nil` if that is unknown.
        package var broken: Int?
        /// Where its records came from, for messages; `nil` if the page says it.
        package var origin: String?
        /// A group.
        public init(part: String, count: Int) {
            self.part = part
            self.count = count
        }
    }

    /// A record that is broken: a line that is not JSON, a row with too few cells.
    public struct Broken: Sendable, Equatable {
        /// What is wrong and where, without values: `line 12: it has 3 cells, and the file has 2 columns`.
        public var reason: String
        /// What is left of it, as a JSON object.
        public var record: [UInt8]
        /// A broken record.
        public init(reason: String, record: [UInt8]) {
            self.reason = reason
            self.record = record
        }
    }

    /// Requests and bytes.
    public struct Cost: Sendable, Equatable {
        /// Requests that were sent, retries included.
        public var requests: Int
        /// Pages that were read.
        public var pages: Int
        /// Bytes of bodies, decompressed.
        public var bytes: Int
        /// Records that were read in vain: older than what was asked for, and left out.
        public var filtered = 0
        /// Parents that the manifest leaves out.
        public var skippedParents = 0
        /// Some cost.
        public init(requests: Int = 0, pages: Int = 0, bytes: Int = 0) {
            self.requests = requests
            self.pages = pages
            self.bytes = bytes
        }
        /// Adds two costs.
        public static func += (left: inout Cost, right: Cost) {
            left.requests += right.requests
            left.pages += right.pages
            left.bytes += right.bytes
            left.filtered += right.filtered
            left.skippedParents += right.skippedParents
        }
    }

    /// A page.
    public init(
        records: [JSONView],
        parent: JSONView? = nil,
        states: [String: StreamState],
        endsPass: Bool = false,
        isRepeatable: Bool = true,
        cost: Cost = Cost(),
        origin: String
    ) {
        self.records = records
        self.parent = parent
        self.states = states
        self.endsPass = endsPass
        self.isRepeatable = isRepeatable
        self.cost = cost
        self.origin = origin
    }
}
