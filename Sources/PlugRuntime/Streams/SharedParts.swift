internal import PlugCore
internal import PlugDeliver
internal import PlugFetch
internal import PlugStorage

/// What the streams of one connection's run share. A class, as each of them holds it and a copy would take some kilobytes.
final class SharedParts {
    let request: RunRequest
    let connection: Connection
    let fetcher: any Fetcher
    let deliverer: Deliverer
    let outbox: ConnectionOutbox
    let store: any PlugStore
    let room: PageRoom
    let redactor: Redactor
    let observer: @Sendable (RunEvent) -> Void

    init(
        request: RunRequest,
        connection: Connection,
        fetcher: any Fetcher,
        deliverer: Deliverer,
        outbox: ConnectionOutbox,
        store: any PlugStore,
        room: PageRoom,
        redactor: Redactor,
        observer: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.request = request
        self.connection = connection
        self.fetcher = fetcher
        self.deliverer = deliverer
        self.outbox = outbox
        self.store = store
        self.room = room
        self.redactor = redactor
        self.observer = observer
    }

    /// Reports an error beside another one that takes its place.
    func warn(_ error: PlugError) {
        let place = error.stream.map { "stream '\($0)': " } ?? ""
        observer(.warning(code: error.code, message: place + error.message))
    }
}
