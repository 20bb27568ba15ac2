package import JQ

extension Paging {
    /// How pages are found. A new kind is a case here with its `lead`, `counting` and parameters, a row of `PagingKey`, and its
    /// handling of places (`Paging+Places.swift` in PlugFetch).
    package enum Kind: Sendable {
        /// A program over the page returns the next URL; `null` or nothing ends.
        case next(JQProgram)
        /// The `Link` header with `rel="next"`.
        case link
        /// A page number, and the parameter for the page size if there is one. Without a parameter for the number the request's
        /// templates send it.
        case number(param: String?, from: Int, sizeParam: String?)
        /// A number of records to skip, and the number to take if there is a parameter for it. `from` is the value for the first
        /// record in requests; places count from 0. Without a parameter for the number the request's templates send it.
        case offset(param: String?, size: Int, sizeParam: String?, from: Int = 0)
        /// A program over the page returns a token; `null` or nothing ends. Without a parameter the request's templates send it.
        /// And the parameter for the page size if there is one.
        case cursor(from: JQProgram, param: String?, sizeParam: String?)

        /// Its key beneath `page`.
        package var key: String {
            switch self {
            case .next: "next"
            case .link: "link"
            case .number: "number"
            case .offset: "offset"
            case .cursor: "cursor"
            }
        }

        /// What leads from a page to the next one.
        package var lead: Lead {
            switch self {
            case .next(let program): .url(program, key: "page.next")
            case .link: .linkHeader
            case .number, .offset: .count
            case .cursor(let program, _, _): .token(program, key: "page.cursor.from")
            }
        }

        /// How requests count pages; `nil` if they do not.
        package var counting: Counting? {
            switch self {
            case .next, .link, .cursor: nil
            case .number(_, let from, _): Counting(from: from, countsRecords: false)
            case .offset(_, _, _, let from): Counting(from: from, countsRecords: true)
            }
        }

        /// The parameter for the requested page; without it, templates of the request send it.
        package var param: String? {
            switch self {
            case .next, .link: nil
            case .number(let param, _, _), .offset(let param, _, _, _), .cursor(_, let param, _): param
            }
        }

        /// The parameter for the page size.
        package var sizeParam: String? {
            switch self {
            case .next, .link: nil
            case .number(_, _, let param), .offset(_, _, let param, _), .cursor(_, _, let param): param
            }
        }

        /// The same kind with another page size.
        func sized(_ size: Int) -> Kind {
            switch self {
            case .next, .link, .number, .cursor: self
            case .offset(let param, _, let sizeParam, let from):
                .offset(param: param, size: size, sizeParam: sizeParam, from: from)
            }
        }

        /// Whether it has a parameter, which `in` can place.
        var hasParameter: Bool { param != nil || sizeParam != nil }

        /// What templates of the request have to send of `page`, if no parameter does.
        var sentByTemplates: String? {
            param == nil && !lead.isAddress ? key : nil
        }
    }

    /// How requests count.
    package struct Counting: Sendable {
        /// What requests send for the first page.
        package let from: Int
        /// Whether records are counted, rather than pages.
        package let countsRecords: Bool
    }

    /// What leads from a page to the next one. The key is that of the program, for messages.
    package enum Lead: Sendable {
        /// Nothing: places are counted.
        case count
        /// The `Link` header with `rel="next"`.
        case linkHeader
        /// A URL in the page.
        case url(JQProgram, key: String)
        /// A token in the page.
        case token(JQProgram, key: String)

        /// Whether the answer contains the address of the next page.
        package var isAddress: Bool {
            switch self {
            case .url, .linkHeader: true
            case .count, .token: false
            }
        }

        /// Whether it is in an answer's headers, and not a part of its body.
        package var isInHeaders: Bool { if case .linkHeader = self { true } else { false } }

        /// Whether the answer contains a token that the next request sends.
        package var isToken: Bool { if case .token = self { true } else { false } }

        /// The program that finds it.
        package var program: JQProgram? { programAndKey?.program }

        /// The program that finds it, and its key for messages.
        package var programAndKey: (program: JQProgram, key: String)? {
            switch self {
            case .count, .linkHeader: nil
            case .url(let program, let key), .token(let program, let key): (program, key)
            }
        }
    }
}
