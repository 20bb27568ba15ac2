internal import PlugCore
internal import PlugDeliver
internal import PlugFetch
internal import PlugStorage

/// What the streams of one run of a connection share.
struct SharedParts {
    let request: RunRequest
    let connection: Connection
    let fetcher: any Fetcher
    let deliverer: Deliverer
    let outbox: ConnectionOutbox
    let store: any PlugStore
    let room: PageRoom
    let redactor: Redactor
    let observer: @Sendable (RunEvent) -> Void
}
