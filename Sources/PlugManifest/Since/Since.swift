package import JQ
package import LosslessJSON
internal import PlugCore

/// How a stream is read incrementally.
package struct Since: Sendable {
    /// The type of the field.
    package enum Kind: String, Sendable, CaseIterable {
        /// A time in text.
        case time
        /// A day in text.
        case date
        /// Seconds since 1970.
        case epoch
        /// Milliseconds since 1970.
        case epochMilliseconds = "epoch_ms"
        /// An increasing number.
        case integer
        /// A text that only the source understands; the last one seen counts.
        case opaque
    }

    /// A distance between values of the field.
    package enum Step: Sendable, Equatable {
        /// For times.
        case duration(Duration)
        /// For `integer`.
        case number(JSONNumber)
        /// For windows: this many calendar months, in UTC.
        case months(Int)

        /// For comparing two steps: microseconds, the shortest possible for months, or the number.
        package var size: Int64 {
            switch self {
            case .duration(let duration): duration.wholeMicroseconds
            case .number(let number): number.int64 ?? .max
            case .months(let months): Int64(clamping: months) * 28 * 86_400_000_000
            }
        }
    }

    /// Whether records come in the order of the field.
    package enum Order: String, Sendable, CaseIterable {
        /// Oldest first: the watermark advances with each page.
        case ascending = "asc"
        /// Newest first.
        case descending = "desc"
        /// Anything else: the watermark advances when the pass is complete.
        case none
    }

    /// Which of a window's two bounds the service includes.
    package enum Bounds: String, Sendable, CaseIterable {
        /// Both: a window ends one granule before the next one begins.
        case closed
        /// The lower one: a window ends where the next one begins.
        case halfOpen = "half_open"
        /// Neither: a window begins one granule before the end of the previous one.
        case open
    }

    /// Where windows of months end.
    package enum Align: String, Sendable, CaseIterable {
        /// With a month of the calendar.
        case calendar
        /// This many months after they began.
        case begin
    }

    /// How a pass is divided.
    package struct Window: Sendable, Equatable {
        /// The width of a window, in values of the field.
        package var width: Step
        /// The width from a template; `width` is a day until a run has rendered it.
        package var length: Template?
        /// The smallest step between two values, as the service compares them.
        package var granule: Step
        /// The smallest step that the written upper bound can show; `nil` if it shows all. A window cannot end between two such
        /// steps.
        package var shown: Step?
        /// Which bounds are included.
        package var bounds: Bounds
        /// Where a window of months ends.
        package var align = Align.calendar

        /// Templates are equal if their texts are.
        package static func == (one: Window, other: Window) -> Bool {
            one.width == other.width && one.length?.source == other.length?.source && one.granule == other.granule
                && one.shown == other.shown && one.bounds == other.bounds && one.align == other.align
        }
    }

    /// A value in a request that says where a pass, or a window of it, begins or ends.
    package struct Bound: Sendable, Equatable {
        /// Where in the request it goes.
        package var place: Paging.Place
        /// Its name there; in JSON a path with dots.
        package var name: String
        /// How it is written.
        package var format: SinceFormat
    }

    /// Programs for the field's value, over a raw record: the first to return one wins.
    package var fields: [JQProgram]
    /// The type of the field.
    package var type: Kind
    /// Where the first pass begins.
    package var from: Template?
    /// Where passes end that would otherwise continue to the present.
    package var to: Template?
    /// How the lower bound is sent.
    package var send: [Bound]
    /// How the upper bound is sent.
    package var until: [Bound]
    /// How far before the watermark a pass begins.
    package var overlap: Step?
    /// The overlap from a template; `overlap` is `nil` until a run has rendered it.
    package var overlapLength: Template?
    /// How far before the present a pass ends; zero for the present itself.
    package var settle: Duration
    /// How a pass is divided; `nil` if it is not.
    package var window: Window?
    /// Whether records come in order.
    package var order: Order
    /// Whether a pass ends once everything is older than its lower bound. Only with `order` descending.
    package var stopsAtKnown: Bool
    /// Whether plughost drops records older than the lower bound.
    package var filters: Bool

    /// The smallest step that the upper bound shows, and not less than the type's own.
    package var step: Step
    /// Whether a search that returns no more continues from a new bound, because a rule of `on` says so.
    package var resetsPages = false

    /// The programs of `fields` as a message names them.
    package var fieldSource: String { fields.map(\.source).joined(separator: ", ") }
}

extension Since.Kind {
    /// Whether its values are moments.
    package var isTime: Bool {
        switch self {
        case .time, .date, .epoch, .epochMilliseconds: true
        case .integer, .opaque: false
        }
    }
}
