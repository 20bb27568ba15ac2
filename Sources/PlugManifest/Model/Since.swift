package import JQ
package import LosslessJSON

/// How a stream is read incrementally.
package struct Since: Sendable {
    /// What the field holds.
    package enum Kind: String, Sendable, CaseIterable {
        /// A time in text.
        case time
        /// A day in text.
        case date
        /// Seconds since 1970.
        case epoch
        /// Milliseconds since 1970.
        case epochMilliseconds = "epoch_ms"
        /// A growing number.
        case integer
        /// A text that only the source understands; the last one seen counts.
        case opaque
    }

    /// How far before the watermark the next pass begins.
    package enum Overlap: Sendable {
        /// For times.
        case duration(Duration)
        /// For `integer`.
        case number(JSONNumber)
    }

    /// Whether records come in the order of the field.
    package enum Order: String, Sendable, CaseIterable {
        /// Oldest first: the watermark moves with each page.
        case ascending = "asc"
        /// Anything else: the watermark moves when the pass is complete.
        case none
    }

    /// The field's value, over a raw record.
    package var field: JQProgram
    /// What it holds.
    package var type: Kind
    /// Where the first pass begins.
    package var from: Template?
    /// Query parameters for the lower bound, each with a format of `timeFormats` or `plainFormats`.
    package var send: [(name: String, format: String)]
    /// The same for the upper bound.
    package var until: [(name: String, format: String)]
    /// How far before the watermark a pass begins.
    package var overlap: Overlap?
    /// Whether records come in order.
    package var order: Order

    /// The names of formats for times: `time` and `rfc3339` are one.
    package static let timeFormats = ["epoch", "epoch_ms", "time", "rfc3339", "date"]
    /// The names of formats for `integer` and `opaque`, all of which send the value as it stands.
    package static let plainFormats = ["value", "integer", "opaque"]
}
