import Archives
import CurlTransport
import Decoding
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Delivers the records in the entries of an archive, block by block. Nothing is requested for them, and nothing is unpacked to
/// disk.
///
/// An entry that cannot be read does not hold up the others: they are delivered, then the pass ends with its error, and the next
/// run comes back to it.
struct ArchiveWalk: Walk {
    private let plan: StreamPlan
    private let archive: ArchiveSource
    private let saved: PartState
    /// When the reading began, in microseconds since 1970.
    private let began: Int64
    private let reading: ArchiveSession.Reading
    private var session: ArchiveSession?
    private var place = ArchivePlace(archive: "", key: nil)
    /// The entry whose blocks are being delivered.
    private var open = OpenEntry()
    /// Where the next run has to continue, if that is before `place`: at the first entry that could not be read.
    private var heldAt: ArchivePlace?
    private var faults = ArchiveFaults()
    private var hasEntries = false
    private var isOver = false
    private var fault: PlugError?

    init(_ plan: StreamPlan, _ archive: ArchiveSource, saved: PartState) {
        self.plan = plan
        self.archive = archive
        self.saved = saved
        began = plan.exchange.clock.now()
        var limits = DecodingLimits(total: .max, whole: plan.exchange.settings.answers.entry)
        if let blockRecords = plan.exchange.blockRecords { limits.blockRecords = max(1, blockRecords) }
        reading = ArchiveSession.Reading(
            source: archive,
            decoding: plan.stream.decoding ?? AnswerDecoding(format: .json(JSONList(path: nil)), charset: nil),
            limits: limits,
            now: Timestamp(microseconds: began).seconds
        )
    }

    var watermark: JSONValue? { nil }

    mutating func next(until deadline: Int64?) async throws -> WalkStep {
        if let fault { throw fault }
        guard !isOver, let file = plan.file else { return .end }
        do {
            if let session { return .page(try await read(session)) }
            let session = try await ArchiveSession.open(file, reading)
            self.session = session
            if let proof, proof == ArchiveProof(saved.validator), proof.archive == session.digest {
                isOver = true
                return .page(page(unchanged: true))
            }
            // On another day a calendar yields a different number of records, which the key reflects.
            let key =
                plan.validatorKeys?.key(ofArchiveIn: plan.stream, began: began) ?? plan.stream.day(at: began)
            place =
                ArchivePlace(saved.pass, in: session.digest, key: key)
                ?? ArchivePlace(archive: session.digest, key: key)
            return .page(try await read(session))
        } catch let error as ArchiveFault {
            let error = faults.error(error, archive, plan.stream)
            if !error.isInterruption { fault = error }
            throw error
        } catch let error as PlugError {
            if !error.isInterruption { fault = error }
            throw error
        }
    }

    /// What a state keeps of an archive that was completely read; `nil` if it is to be read again in any case.
    private var proof: ArchiveProof? {
        guard let session, let keys = plan.validatorKeys else { return nil }
        return ArchiveProof(session.digest, for: keys.key(ofArchiveIn: plan.stream, began: began))
    }

    private mutating func read(_ session: ArchiveSession) async throws -> WalkedPage {
        while true {
            switch try await session.next(from: place) {
            case .block(let block, let entry, let before, let isLast):
                hasEntries = true
                begin(entry, before: before)
                if let page = try take(block, of: entry, before: before, isLast: isLast, session) { return page }
            case .entryEnd(let entry):
                hasEntries = true
                place.leave(entry.number)
            case .broken(let broken, let after):
                hasEntries = true
                if place.entry != broken.entry.number { place.begin(broken.entry.number) }
                if !plan.stream.options.countsEqual, !open.single.holds { place.records = after }
                hold(faults.error(broken, reading.decoding.format, plan.stream), broken.entry)
            case .end: return try end(session)
            case .changed: throw faults.changed(archive, plan.stream)
            }
        }
    }

    /// Begins an entry, or continues it.
    private mutating func begin(_ entry: ArchiveEntry, before: Int) {
        if place.entry != entry.number { place.begin(entry.number) }
        guard open.number != entry.number else { return }
        open = OpenEntry(number: entry.number, given: before, single: SingleOutput(hasGiven: place.hasGiven))
    }

    /// An entry's block as a page; `nil` if its records cannot be determined.
    private mutating func take(
        _ block: DecodedBlock,
        of entry: ArchiveEntry,
        before: Int,
        isLast: Bool,
        _ session: ArchiveSession
    ) throws(PlugError) -> WalkedPage? {
        let name = "the entry '\(DisplayText.escaped(String(entry.name.suffix(100))))'"
        plan.exchange.warnOfDoubts(block, name, plan.stream.name)
        let globals = plan.stream.recordGlobals.values(parents: [], config: plan.config, entry: entry.name)
        let records: [JSONView]
        do throws(PlugError) {
            records = try EntryRecords(plan, name).records(of: block, isLast: isLast, &open.single, globals)
        } catch {
            if error.isInterruption { throw error }
            session.leaveEntry()
            hold(error, entry)
            return nil
        }
        let held = (heldAt ?? place).json
        // Counts start at the entry's beginning. What is not delivered yet is read again.
        if !plan.stream.options.countsEqual, !open.single.holds {
            place.records = before + block.count + block.broken.count
            place.hasGiven = !plan.records.givesEach || open.single.hasGiven
        }
        var page = page()
        page.records = records
        page.before = held
        page.broken = block.brokenRecords(in: entry.name)
        page.preceding = open.given
        open.given += page.given
        page.entry = entry.name
        page.origin = name
        page.groups = [FetchedPage.Group(part: "\(entry.number)", count: records.count)]
        page.groups[0].broken = page.broken.count
        page.groups[0].origin = name
        page.weight = block.weight(beside: 0)
        page.cost = FetchedPage.Cost(pages: 1, bytes: block.document?.byteCount ?? 0)
        return page
    }

    /// Continues after an entry that cannot be read, which the next run comes back to.
    private mutating func hold(_ error: PlugError, _ entry: ArchiveEntry) {
        faults.add(error, entry: entry.name)
        heldAt = heldAt ?? place
        place.leave(place.entry)
    }

    private func page(unchanged: Bool = false) -> WalkedPage {
        let following = (heldAt ?? place).json
        var page = WalkedPage(
            records: [],
            mark: following,
            following: following,
            cost: FetchedPage.Cost(),
            origin: "the archive in 'config.\(archive.file)'"
        )
        page.isUnchanged = unchanged
        return page
    }

    /// The end of the archive, and of the pass if all of it could be read.
    private mutating func end(_ session: ArchiveSession) throws(PlugError) -> WalkedPage {
        if let error = faults.summary { throw error }
        isOver = true
        if !hasEntries { plan.exchange.warn(plan.stream.name, .archiveLacksEntries, faults.lacking(archive)) }
        var page = page()
        page.following = nil
        // An archive of which nothing was read is never one that is known: each run says so.
        page.validator = hasEntries ? proof?.json : nil
        return page
    }
}

/// How far the reading of an entry has got.
private struct OpenEntry {
    /// The entry's number; `nil` before the first one.
    var number: Int?
    /// How many records of it were delivered, broken ones included.
    var given = 0
    /// What is known about its outputs.
    var single = SingleOutput()
}

extension PlugError {
    /// Whether it is not a fault: the run was asked to stop.
    fileprivate var isInterruption: Bool { code == .interrupted }
}
