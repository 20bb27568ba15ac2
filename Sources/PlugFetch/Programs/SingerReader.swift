internal import LosslessJSON
internal import PlugCore
internal import Programs
internal import Singer

/// Delivers the pages and states of a program.
actor SingerReader: MixedReader {
    private let program: RunningProgram
    private let input: SingerInput
    private var reading: SingerReading
    /// The manifest's streams, keyed by the program's names.
    private let streams: [String: [String]]
    private let command: String
    private let failure: ProgramFailure
    private let redactor: Redactor
    private let observer: (@Sendable (FetchEvent) -> Void)?
    private var events: [MixedEvent] = []
    /// The error to report once the events before it are delivered.
    private var ending: PlugError?
    private var isOver = false

    init(
        _ program: RunningProgram,
        _ reading: SingerReading,
        _ limits: ProgramLimits,
        streams: [String: [String]],
        command: String,
        redactor: Redactor,
        observer: (@Sendable (FetchEvent) -> Void)?
    ) {
        self.program = program
        self.reading = reading
        self.streams = streams
        self.command = DisplayText.escaped(String(command.prefix(200)))
        self.observer = observer
        input = SingerInput(program, lineLimit: limits.line)
        failure = ProgramFailure(command, memoryLimit: limits.memory, redactor)
        self.redactor = redactor
    }

    var found: [String] { reading.announced.flatMap { streams[$0] ?? [] } }

    func next() async throws -> MixedEvent? {
        while events.isEmpty {
            if isOver {
                defer { ending = nil }
                if let ending { throw ending }
                return nil
            }
            try await readOn()
        }
        return events.removeFirst()
    }

    private func readOn() async throws {
        let isHolding = reading.isHolding
        let input = input
        let portion = await onAThreadOfItsOwn { input.next(isHolding: isHolding) }
        try Task.checkCancellation()
        var fault: PlugError?
        if let batch = portion.batch {
            let taken = reading.take(batch)
            add(taken.events)
            fault = taken.fault
        }
        if portion.isDue { add(reading.flush()) }
        if fault != nil || portion.isEnd { try await finish(fault, isEnd: portion.isEnd) }
    }

    /// Handles the end of the program, or output that makes no sense.
    private func finish(_ fault: PlugError?, isEnd: Bool) async throws {
        let program = program
        if !isEnd { program.stop() }
        let end = await onAThreadOfItsOwn { program.finish(killing: false) }
        try Task.checkCancellation()
        let error = isEnd ? failure.error(of: end) : nil
        add(reading.finish(isWell: fault == nil && error == nil))
        isOver = true
        var ending = error ?? fault
        if let fault, let error {
            // A truncated line follows from how the program ended.
            ending?.message = error.message + "; " + fault.message
        }
        // A program's failure ends the run: no stream would succeed. Runs know streams by the manifest's names.
        ending?.reach = .run
        let stream = ending?.stream.flatMap { streams[$0]?.first }
        ending?.stream = stream
        // Messages quote the program's output: names of streams and types.
        if let message = ending?.message { ending?.message = redactor.shown(whole: message) }
        self.ending = ending
        for var warning in reading.warnings {
            warning.stream = warning.stream.flatMap { streams[$0]?.first }
            warning.message = redactor.shown(whole: warning.message)
            warn(warning)
        }
        if let refusal = failure.refusal(of: end) { warn(refusal) }
        guard ending == nil else { return }
        if end.leftBehind > 0 {
            warn(
                PlugError(
                    .programLeftBehind,
                    "the program '\(command)' ended and left \(end.leftBehind) processes behind: they were ended too"
                )
            )
        }
        let announced = reading.announced
        for (name, manifest) in streams where !announced.contains(name) {
            let text = "the program '\(command)' has not announced the stream '\(DisplayText.escaped(name))'"
            for stream in manifest { warn(PlugError(.programStreamMissing, text, stream: stream)) }
        }
    }

    private func warn(_ warning: PlugError) {
        observer?(FetchEvent(stream: warning.stream ?? "", .warning(code: warning.code, message: warning.message)))
    }

    private func add(_ events: [SingerEvent]) {
        for event in events {
            switch event {
            case .state(let value):
                let state = value.map { value in
                    let names = streams.flatMap { tap, manifest in manifest.map { ($0, tap) } }
                    return SingerState(
                        value: value,
                        streams: Dictionary(names) { first, _ in first },
                        keys: reading.keys
                    )
                }
                self.events.append(.state(state.map { StreamState($0.bytes) }))
            case .page(let page):
                for stream in streams[page.stream] ?? [] { self.events.append(.page(stream: stream, fetched(page))) }
            }
        }
    }

    private func fetched(_ page: SingerPage) -> FetchedPage {
        var states: [String: StreamState] = [:]
        if let watermark = page.watermark {
            // What a user sees as the stream's cursor; the program knows its own.
            states[""] = StreamState(Array(JSONValue.members(("watermark", watermark)).compactText.utf8))
        }
        var fetched = FetchedPage(
            records: page.records,
            states: states,
            isRepeatable: !page.isOneShot,
            cost: FetchedPage.Cost(requests: 0, pages: 1, bytes: page.bytes),
            origin: "\(command), up to line \(page.line) of its output"
        )
        fetched.key = page.key
        return fetched
    }
}

/// Delivers the pages of one stream of a program, and leaves its states alone.
actor SingleStreamReader: PageReader {
    private let reader: any MixedReader
    private let stream: String
    private var isOver = false

    init(_ reader: any MixedReader, stream: String) { (self.reader, self.stream) = (reader, stream) }

    func next() async throws -> FetchedPage? {
        if isOver { return nil }
        while let event = try await reader.next() {
            if case .page(stream, let page) = event { return page }
        }
        isOver = true
        return FetchedPage(records: [], states: [:], endsPass: true, origin: stream)
    }
}
