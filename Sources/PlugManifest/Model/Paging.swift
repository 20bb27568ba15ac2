package import JQ
package import LosslessJSON

/// How the next page of a stream is found.
package struct Paging: Sendable {
    /// The way.
    package enum Kind: Sendable {
        /// A program over the page gives the next URL; `null` or nothing ends.
        case next(JQProgram)
        /// The `Link` header with `rel="next"`.
        case link
        /// A page number, and the parameter that asks for a page's size if there is one.
        case number(param: String, from: Int, sizeParam: String?)
        /// A number of records to leave out, and how many to take where a parameter for it exists.
        case offset(param: String, size: Int, sizeParam: String?)
        /// A program over the page gives a token; `null` or nothing ends.
        case cursor(from: JQProgram, param: String)
    }

    /// Where the parameters go.
    package enum Place: String, Sendable, CaseIterable {
        /// The query.
        case query
        /// The top level of the JSON body.
        case json
    }

    /// Whether the place of the next page is counted, by number or offset, and not named by the answer.
    package var isCounted: Bool {
        switch kind {
        case .number, .offset: true
        case .next, .link, .cursor: false
        }
    }

    /// What ends a pass, beside the kind's own end.
    package enum Stop: String, Sendable, CaseIterable {
        /// A page without records.
        case empty
        /// A page with fewer records than `size`.
        case short
        /// A page without a token.
        case token
    }

    /// The way.
    package var kind: Kind
    /// Where `number`, `offset` and `cursor` put their parameters.
    package var place: Place
    /// A program over the page: `true` if there is another one, `false` if there is none.
    package var more: JQProgram?
    /// A program over the page: how many records there are in all.
    package var total: JQProgram?
    /// A program over the page: how many pages there are in all.
    package var pages: JQProgram?
    /// What ends a pass; `nil` leaves it to the kind.
    package var stop: Stop?
    /// The most pages in one pass.
    package var maximum: Int
    /// The size of a full page where it is known: the one of `offset` or `number`, or a constant number in the query.
    package var size: Int?
}

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
    /// Query parameters for the lower bound, each with a format of `Since.formats`.
    package var send: [(name: String, format: String)]
    /// Query parameters for the upper bound.
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
