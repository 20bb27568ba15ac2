package import JQ

/// How the next page of a stream is found.
package struct Paging: Sendable {
    /// Where the parameters go.
    package enum Place: String, Sendable, CaseIterable {
        /// The query.
        case query
        /// The JSON body, at a path with dots.
        case json
        /// A header.
        case header
        /// The form body.
        case form
        /// The variables of a GraphQL query, at a path with dots.
        case variables
    }

    /// What ends a pass, besides the kind's own end.
    package enum Stop: String, Sendable, CaseIterable {
        /// A page without records.
        case empty
        /// A page with fewer records than `size`.
        case short
        /// A page without a token.
        case token
    }

    /// How pages are found.
    package var kind: Kind
    /// Where `number`, `offset` and `cursor` put their parameters.
    package var place: Place
    /// Query parameters that only the first page gets.
    package var onlyFirst: Set<String>
    /// Whether only the first page gets the parameters of `since`.
    package var sinceOnlyFirst: Bool
    /// Whether the next page's address gets the request's parameters that it lacks.
    package var addsQuery = false
    /// Whether the first page of a counted list is requested without the parameter that counts.
    package var omitsFirst = false
    /// A program over the page: `true` if there is another one, `false` if not.
    package var more: JQProgram?
    /// A program over the page: the total number of records.
    package var total: JQProgram?
    /// A program over the page: the total number of pages.
    package var pages: JQProgram?
    /// What ends a pass; `nil` leaves it to the kind.
    package var stop: Stop?
    /// The largest number of pages in one run.
    package var maximum: Int
    /// The size of a full page if it is known: that of `offset` or `number`, or a constant number in the query.
    package var size: Int?
    /// Whether requests send `size`, so that a different one can be requested.
    package var sendsSize = false
    /// The smallest size to request if the source refuses larger pages.
    package var minimumSize = 1

    /// The same paging with another page size.
    package func sized(_ size: Int) -> Paging {
        var paging = self
        paging.size = size
        paging.kind = kind.sized(size)
        return paging
    }

    /// Whether the place of the next page is counted, by number or offset, rather than given by the answer.
    package var isCounted: Bool { if case .count = kind.lead { true } else { false } }
}
