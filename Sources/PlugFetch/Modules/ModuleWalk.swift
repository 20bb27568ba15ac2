import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest
import PlugModules

/// Delivers the pages of a stream that a Swift fetcher reads.
///
/// Between passes the cursor of the last page is kept as the watermark; within a pass, that of the previous page is in the pass.
struct ModuleWalk: Walk {
    private let plan: StreamPlan
    private let module: BoundModule
    private let host: ModuleHost
    private var fetcher: (any StreamFetcher)?
    /// Where the next page starts; `nil` at the very beginning.
    private var cursor: JSONValue?
    private(set) var watermark: JSONValue?
    private var isOver = false
    private var hasBegunAnew = false
    /// Pages without records in a row.
    private var empties = 0

    init(_ plan: StreamPlan, _ module: BoundModule, saved: PartState) {
        self.plan = plan
        self.module = module
        host = module.host()
        watermark = saved.watermark.flatMap { $0.isNull ? nil : $0 }
        cursor = saved.pass.flatMap { $0.isNull ? nil : $0["cursor"] } ?? watermark
    }

    mutating func next(until deadline: Int64?) async throws -> WalkStep {
        guard !isOver else { return .end }
        host.begin()
        var startedOver = false
        while true {
            do {
                var page = try await read()
                page.startedOver = startedOver
                return .page(page)
            } catch is CursorRefused {
                try beginAnew("the answer to its request means that the cursor is no longer known")
                startedOver = true
            } catch let error as FetchError where error.kind == .cursorRefused {
                try beginAnew(error.message)
                startedOver = true
            } catch {
                throw fault(error)
            }
        }
    }

    private mutating func read() async throws -> WalkedPage {
        var fetcher = try self.fetcher ?? newFetcher()
        let given = try await fetcher.page(after: cursor)
        let document = try document(given)
        let records = document.root.elements ?? []
        let mark = Self.pass(cursor)
        if records.isEmpty { empties += 1 } else { empties = 0 }
        if let next = given.cursor, !next.isNull {
            let size = next.compactText.utf8.count
            if size > ModuleLimits.cursor { throw ModuleLimits.cursorTooLarge(name, size) }
        }
        if given.isLast {
            isOver = true
            watermark = given.cursor.flatMap { $0.isNull ? nil : $0 }
        } else {
            guard let next = given.cursor, !next.isNull else {
                throw PlugError(
                    .fetcherCursor,
                    "\(name) gave a page that is not the last one, and no cursor that leads to the next one",
                    advice: "give each page but the last one a cursor"
                )
            }
            if next == cursor {
                throw PlugError(
                    .fetcherCursor,
                    "\(name) gave the same cursor that it was asked with: the pass would never end",
                    advice: "give a cursor that leads past the page, or say that the page is the last one"
                )
            }
            if empties > ModuleLimits.emptyPages { throw ModuleLimits.tooManyEmptyPages(name) }
            cursor = next
        }
        self.fetcher = fetcher
        var cost = host.cost
        cost.pages = 1
        var page = WalkedPage(
            records: records,
            mark: mark,
            following: isOver ? nil : Self.pass(cursor),
            cost: cost,
            origin: name
        )
        page.weight = document.byteCount
        return page
    }

    private func newFetcher() throws -> any StreamFetcher {
        let context = FetchContext(
            stream: plan.stream.name,
            config: plan.config,
            options: module.options,
            host: host
        )
        return try module.source.fetcher.init(context)
    }

    /// Discards the cursor, once.
    private mutating func beginAnew(_ reason: String) throws(PlugError) {
        let shown = plan.exchange.redactor.shown(String(reason.prefix(ModuleLimits.messageCharacters)))
        guard cursor != nil, !hasBegunAnew else {
            throw PlugError(
                .fetcherCursor,
                "\(name) does not accept its own cursor, even from the beginning: \(shown)",
                advice: "correct the fetcher"
            )
        }
        hasBegunAnew = true
        (fetcher, cursor, watermark) = (nil, nil, nil)
        plan.exchange.warn(
            plan.stream.name,
            .cursorRefused,
            "\(name) starts again from the beginning: \(shown); everything is read again"
        )
    }

    /// The records in the form that the pipeline takes.
    private func document(_ page: StreamPage) throws(PlugError) -> JSONDocument {
        let limits = PageLimits(plan.exchange.settings.answers.page)
        var bytes: [UInt8] = []
        switch page.records {
        case .array(let array): bytes = array
        case .values(let values):
            if values.count > limits.records {
                throw ModuleLimits.pageTooLarge(name, "\(values.count) records", limits)
            }
            JSONValue.array(values).write(to: &bytes)
        }
        if bytes.count > limits.bytes {
            throw ModuleLimits.pageTooLarge(name, HumanSize.text(bytes.count), limits)
        }
        let document: JSONDocument
        do throws(JSONError) { document = try JSONDocument(JSONBuffer(bytes), limits: limits.json) } catch {
            if error.kind == .noMemory { throw .memoryShort("a page of \(name)") }
            throw PlugError(
                .fetcherData,
                "\(name) gave a page that is not JSON, at byte \(error.offset): \(error.reason)",
                advice: "correct the fetcher"
            )
        }
        guard let elements = document.root.elements else {
            throw PlugError(
                .fetcherData,
                "\(name) gave a page that is not an array of records",
                advice: "correct the fetcher"
            )
        }
        if elements.count > limits.records {
            throw ModuleLimits.pageTooLarge(name, "\(elements.count) records", limits)
        }
        return document
    }

    /// A fetcher's error as a run reports it. Errors thrown by the host are passed on.
    private func fault(_ error: any Error) -> any Error {
        if error is CancellationError || Task.isCancelled { return CancellationError() }
        let redactor = plan.exchange.redactor
        func shown(_ text: String) -> String { redactor.shown(String(text.prefix(ModuleLimits.messageCharacters))) }
        switch error {
        case let error as PlugError: return error
        case let error as FetchError:
            let code: PlugError.Code =
                switch error.kind {
                case .data, .cursorRefused: .fetcherData
                case .later: .fetcherLater
                case .authorisation: .fetcherAuthorisation
                case .configuration: .fetcherConfiguration
                }
            return PlugError(code, "\(name): \(shown(error.message))", advice: error.advice.map(shown))
        default:
            return PlugError(
                .fetcherFailed,
                "\(name) ended with \(shown(String(describing: type(of: error)))): \(shown("\(error)"))",
                advice: "correct the fetcher: it must report mistakes of a source as a FetchError"
            )
        }
    }

    private static func pass(_ cursor: JSONValue?) -> JSONValue { .members(("cursor", cursor ?? .null)) }

    /// The fetcher's name in messages.
    private var name: String { "the fetcher '\(module.source.name)'" }
}
