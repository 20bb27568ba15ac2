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

    /// What ends a pass, beside the kind's own end.
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
    /// Parameters of the query that only the first page gets.
    package var onlyFirst: Set<String>
    /// Whether the first page alone gets the parameters of `since`.
    package var sinceOnlyFirst: Bool
    /// Whether the next page's address gets the parameters of the request that it lacks.
    package var addsQuery = false
    /// Whether the first page of a counted list is asked for without the parameter that counts.
    package var omitsFirst = false
    /// A program over the page: `true` if there is another one, `false` if there is none.
    package var more: JQProgram?
    /// A program over the page: how many records there are in all.
    package var total: JQProgram?
    /// A program over the page: how many pages there are in all.
    package var pages: JQProgram?
    /// What ends a pass; `nil` leaves it to the kind.
    package var stop: Stop?
    /// The most pages in one run.
    package var maximum: Int
    /// The size of a full page where it is known: the one of `offset` or `number`, or a constant number in the query.
    package var size: Int?
    /// Whether requests ask for `size`, so that another one can be asked for.
    package var sendsSize = false
    /// The smallest size that is asked for where the source refuses larger pages.
    package var minimumSize = 1

    /// The same way with pages of another size.
    package func sized(_ size: Int) -> Paging {
        var paging = self
        paging.size = size
        if case .offset(let param, _, let sizeParam, let from) = kind {
            paging.kind = .offset(param: param, size: size, sizeParam: sizeParam, from: from)
        }
        return paging
    }

    /// Whether the place of the next page is counted, by number or offset, and not named by the answer.
    package var isCounted: Bool { if case .count = kind.lead { true } else { false } }
}
