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

    /// A stretch of the field's values.
    package enum Step: Sendable, Equatable {
        /// For times.
        case duration(Duration)
        /// For `integer`.
        case number(JSONNumber)
        /// Of windows: so many months of the calendar, in UTC.
        case months(Int)
    }

    /// Whether records come in the order of the field.
    package enum Order: String, Sendable, CaseIterable {
        /// Oldest first: the watermark moves with each page.
        case ascending = "asc"
        /// Newest first.
        case descending = "desc"
        /// Anything else: the watermark moves when the pass is complete.
        case none
    }

    /// Which of a window's two bounds the service takes for a part of it.
    package enum Bounds: String, Sendable, CaseIterable {
        /// Both: a window ends one granule before the next one begins.
        case closed
        /// The lower one: a window ends where the next one begins.
        case halfOpen = "half_open"
        /// Neither: a window begins one granule before where the one before ended.
        case open
    }

    /// Where windows of months end.
    package enum Align: String, Sendable, CaseIterable {
        /// With a month of the calendar.
        case calendar
        /// So many months after they began.
        case begin
    }

    /// How a pass is divided.
    package struct Window: Sendable, Equatable {
        /// How much of the field's values a window has.
        package var width: Step
        /// How much that is, where a template gives it; `width` is a day until a run has asked it.
        package var length: Template?
        /// The smallest step between two values, as the service compares them.
        package var granule: Step
        /// The smallest step that the upper bound can show as it is written; `nil` where it shows all. A window cannot end
        /// between two.
        package var shown: Step?
        /// Which bounds belong to it.
        package var bounds: Bounds
        /// Where one of months ends.
        package var align = Align.calendar

        /// Templates are the same where their texts are.
        package static func == (one: Window, other: Window) -> Bool {
            one.width == other.width && one.length?.source == other.length?.source && one.granule == other.granule
                && one.shown == other.shown && one.bounds == other.bounds && one.align == other.align
        }
    }

    /// A value of a request that says where a pass, or a window of it, begins or ends.
    package struct Bound: Sendable, Equatable {
        /// Where it stands.
        package var place: Paging.Place
        /// Its name there; in JSON a path with dots.
        package var name: String
        /// How it is written.
        package var format: SinceFormat
    }

    /// Programs for the field's value, over a raw record: the first that gives one counts.
    package var fields: [JQProgram]
    /// What it holds.
    package var type: Kind
    /// Where the first pass begins.
    package var from: Template?
    /// Where passes end that would go on to the present.
    package var to: Template?
    /// How the lower bound is sent.
    package var send: [Bound]
    /// The same for the upper bound.
    package var until: [Bound]
    /// How far before the watermark a pass begins.
    package var overlap: Step?
    /// How far that is, where a template gives it; `overlap` is `nil` until a run has asked it.
    package var overlapLength: Template?
    /// How far before the present a pass ends; zero for no distance.
    package var settle: Duration
    /// How a pass is divided; `nil` for not at all.
    package var window: Window?
    /// Whether records come in order.
    package var order: Order
    /// Whether a pass ends where everything is older than its lower bound. Only with `order` descending.
    package var stopsAtKnown: Bool
    /// Whether records older than the lower bound are left out here.
    package var filters: Bool

    /// The smallest step that the upper bound shows, and not less than the type's own.
    package var step: Step
    /// Whether a search that gives no more goes on from a new bound, because a rule of `on` says so.
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
