package import LosslessJSON
package import PlugCore
package import PlugDeliver
package import PlugFetch

/// What a run reports while under way: for a progress line, never for the result.
package enum RunEvent: Sendable {
    /// The run is about to begin; the redactor removes its secrets.
    case prepared(Redactor)
    /// A stream begins.
    case stream(String)
    /// A stream's numbers after a page.
    case counts(stream: String, StreamCounts)
    /// An event on the source's side.
    case fetch(FetchEvent)
    /// An event on the PDA's side.
    case delivery(DeliveryEvent)
    /// A warning, which stops nothing.
    case warning(code: PlugError.Code, message: String)
    /// With `isDryRun`, one canonical record that would have been delivered to `path`, without hidden members.
    case record(stream: String, path: String, bytes: [UInt8])
    /// With `trial`, what became of one record of the source.
    case tried(stream: String, TriedRecord)
    /// With `isDryRun`, what the members of a stream's records hold.
    case columns(stream: String, ColumnSurvey)
}

/// A record as the source has it, and as it would be delivered.
package struct TriedRecord: Sendable {
    /// As the source has it, without secrets.
    package var source: JSONValue
    /// As it would be delivered; `nil` if nothing would be.
    package var delivered: JSONValue?
    /// Why nothing would be delivered; `nil` otherwise.
    package var reason: String?
}
