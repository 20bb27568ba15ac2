package import PlugCore
package import PlugDeliver
package import PlugFetch

/// What a run tells while it continues: for a progress line, never for the answer.
package enum RunEvent: Sendable {
    /// A stream begins.
    case stream(String)
    /// A stream's numbers after a page.
    case counts(stream: String, StreamCounts)
    /// Something on the source's side.
    case fetch(FetchEvent)
    /// Something on the PDA's side.
    case delivery(DeliveryEvent)
    /// Something to look at, which stops nothing.
    case warning(code: PlugError.Code, message: String)
    /// With `isDryRun`, one canonical record that would have been delivered to `path`, without what is hidden.
    case record(stream: String, path: String, bytes: [UInt8])
}
