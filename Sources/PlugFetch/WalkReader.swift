import LosslessJSON
import PlugCore

/// Delivers the pages of a walk to the runtime, with the state that each of them leads to.
actor WalkReader: PageReader {
    /// How long small pages are collected for merging, in microseconds, even if the next one does not come: a source may be slow
    /// or make a run wait. An interruption loses what has not been handed on, and a stream whose every run is interrupted before
    /// that would never make progress.
    private static let mergeTime: Int64 = 1_000_000

    private let stream: String
    private let clock: any HostClock
    private let pageLimit: Int?
    private let merges: Bool
    private let config: JSONValue?
    /// `nil` while `next` is using the walk.
    private var walk: (any Walk)?
    private var given = 0
    /// Whether the next page begins the pass.
    private var isAtStart: Bool
    private var isOver = false
    /// The error that ended the pass while some pages, or parts of some, were still to be delivered.
    private var failure: (any Error)?

    /// - Parameters:
    ///   - config: What it is read with, for its state.
    ///   - isAtStart: Whether the pass starts here rather than being continued.
    init(
        _ walk: any Walk,
        of stream: String,
        clock: any HostClock,
        pageLimit: Int?,
        merges: Bool,
        config: JSONValue?,
        isAtStart: Bool
    ) {
        self.isAtStart = isAtStart
        self.walk = walk
        self.stream = stream
        self.clock = clock
        self.pageLimit = pageLimit
        self.merges = merges
        self.config = config
    }

    func next() async throws -> FetchedPage? {
        if let failure { throw failure }
        guard !isOver, pageLimit.map({ given < $0 }) ?? true, var walk = self.walk else { return nil }
        self.walk = nil
        defer { self.walk = walk }
        var merge = PageMerge()
        var deadline: Int64?
        do {
            merging: repeat {
                switch try await walk.next(until: deadline) {
                case .notYet: break merging
                case .end:
                    isOver = true
                    break merging
                case .page(let page):
                    merge.add(page)
                    isOver = page.following == nil
                }
                guard merges, !isOver, !merge.isFull else { break }
                let now = clock.steady().microseconds
                deadline = deadline ?? now + Self.mergeTime
                if let deadline, now >= deadline { break }
            } while true
        } catch let error as PlugError {
            // What came before the error is delivered first.
            guard let page = try merge.merged() else { throw error.inStream(stream) }
            failure = error.inStream(stream)
            return fetched(page, walk.watermark)
        } catch {
            // Interrupted: pages waiting to be merged are lost; the next run reads them again.
            if merges { failure = error }
            throw error
        }
        guard let page = try merge.merged() else { return nil }
        given += 1
        return fetched(page, walk.watermark)
    }

    private func fetched(_ page: WalkedPage, _ watermark: JSONValue?) -> FetchedPage {
        if page.isUnchanged {
            // Not the end of a pass: that would discard what the last one proved.
            return FetchedPage(records: [], states: [:], cost: page.cost, origin: page.origin)
        }
        var states = page.parts
        let pass = page.following.flatMap { $0.isNull ? nil : $0 }
        states[""] = PartState(watermark: watermark, pass: pass, validator: page.validator, config: config).state
        var fetched = FetchedPage(
            records: page.records,
            parent: page.lineage.parent,
            states: states,
            endsPass: page.following == nil,
            cost: page.cost,
            origin: page.origin
        )
        fetched.bounds = page.bounds
        fetched.entry = page.entry
        fetched.beginsPass = isAtStart
        isAtStart = false
        fetched.groups = page.groups
        fetched.provedParts = page.provedParts
        if page.lineage.values.count > 1 { fetched.ancestors = page.lineage.ancestors }
        if var leavingOut = page.leavingOut {
            leavingOut.config = config
            fetched.stateLeavingOut = leavingOut.state
        }
        if let before = page.before {
            fetched.stateBefore = PartState(watermark: watermark, pass: before, config: config).state
        }
        fetched.broken = page.broken
        fetched.preceding = page.preceding
        fetched.isOfSeveralAnswers = page.isOfSeveralAnswers
        fetched.weight = page.weight
        return fetched
    }
}
