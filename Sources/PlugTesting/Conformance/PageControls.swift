import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Why a service cannot be simulated for a stream.
struct NotSimulated: Error {
    var reason: String
}

/// Where an answer says what comes next and how much there is, found by trying what the manifest's programs read.
struct PageControls: Sendable {
    /// The place of something that a program of `page` reads.
    enum Place: Sendable, Hashable {
        case body(JSONPlace)
        case header(String)
    }

    /// What an answer says about the pages around it.
    struct Facts: Sendable, Equatable {
        /// The token, or the address, of the next page; `nil` for the last one.
        var next: JSONValue?
        /// The total number of records, and of pages.
        var total: Int
        var pages: Int
        /// The value of the newest record overall.
        var newest: JSONValue?
    }

    /// How the next page is named.
    enum Lead: Sendable {
        /// Not at all: there is one page, or pages are counted.
        case none
        /// In the `Link` header.
        case link
        /// At these places, with these values on the last page. A number if the recorded token is one.
        case written([Place], last: [JSONValue?], isNumber: Bool)
        /// It is part of the records. On the last page it may be compared with the newest record's time, at a place.
        case derived(newest: Place?)
    }

    let lead: Lead
    private let more: [Switch]
    private let total: [Place]
    private let pages: [Place]
    /// The program of `page` that counts the records of the page instead of all of them.
    let countsThePage: String?
    /// Whether the token of the next page is that of the first record of the previous page.
    let startsAgain: Bool
    private let probe: RecordProbe
    private let template: RecordTemplate

    /// - Parameters:
    ///   - answers: All recorded answers of the stream: they show what the last page is like.
    ///   - headers: Those of the answer from which pages are made.
    init(_ template: RecordTemplate, _ probe: RecordProbe, answers: [JSONValue], headers: JSONValue)
        throws(NotSimulated)
    {
        self.probe = probe
        self.template = template
        guard let paging = probe.family.carrier.paging else {
            (lead, more, total, pages, countsThePage, startsAgain) = (.none, [], [], [], nil, false)
            return
        }
        let search = ControlSearch(template, probe, headers: headers)
        lead = try Self.lead(paging, search, answers)
        if case .derived = lead, let program = paging.kind.lead.program {
            startsAgain = search.takesTheFirst(program)
        } else {
            startsAgain = false
        }
        more = Self.more(paging, search, beside: lead)
        var wrong: String?
        total = try Self.count(paging.total, "page.total", search, &wrong)
        pages = try Self.count(paging.pages, "page.pages", search, &wrong)
        countsThePage = wrong
    }

    /// An answer with these facts.
    func page(_ body: JSONValue, _ headers: JSONValue, _ facts: Facts) -> (body: JSONValue, headers: JSONValue) {
        var (body, headers) = (body, headers)
        func set(_ places: [Place], _ value: JSONValue?) {
            for place in places { (body, headers) = ControlSearch.set(place, value, body, headers) }
        }
        switch lead {
        case .none: break
        case .derived(let newest): if let newest { set([newest], facts.newest) }
        case .link:
            let link = facts.next.flatMap(\.stringText).map { JSONValue.text("<\($0)>; rel=\"next\"") }
            headers = headers.setting(JSONPlace().member("link"), to: link)
        case .written(let places, let last, _):
            if let next = facts.next {
                set(places, next)
            } else {
                for (place, value) in zip(places, last) { set([place], value) }
            }
        }
        for one in more { set([one.place], facts.next == nil ? one.off : one.on) }
        set(total, .integer(facts.total))
        set(pages, .integer(facts.pages))
        return (body, headers)
    }

    /// Checks that the manifest's programs read from an answer what it was made to say.
    func check(_ body: JSONValue, _ headers: JSONValue, _ facts: Facts) throws(NotSimulated) {
        guard let paging = probe.family.carrier.paging else { return }
        if case .written = lead, let program = paging.kind.lead.program {
            let found = probe.page(program, body, headers: headers) ?? .null
            guard ControlSearch.gives(found, facts.next) else {
                throw NotSimulated(reason: "no answer can be made whose '\(program.source)' gives a certain value")
            }
        }
        if case .written(let places, let last, _) = lead, let program = paging.more,
            ControlSearch(template, probe, headers: headers).changes(program, places, last)
        {
            return
        }
        if let program = paging.more {
            guard probe.page(program, body, headers: headers)?.bool == (facts.next != nil) else {
                throw NotSimulated(
                    reason: "no answer can be made that makes 'page.more' true or false as needed"
                )
            }
        }
    }

    // MARK: - Finding the places

    private static func lead(
        _ paging: Paging,
        _ search: ControlSearch,
        _ answers: [JSONValue]
    ) throws(NotSimulated) -> Lead {
        switch paging.kind.lead {
        case .count: return .none
        case .linkHeader: return .link
        case .url(let program, _), .token(let program, _):
            let marker = JSONValue.text(
                paging.kind.lead.isAddress ? "https://conformance.example/next?page-token=marker" : "marker-token"
            )
            var places = search.places { value in
                value.number != nil ? .integer(700_001) : value.stringText != nil ? marker : nil
            } isMet: { body, headers, new in
                search.probe.page(program, body, headers: headers) == new
            }
            if places.isEmpty {
                if search.dependsOnRecords(program) { return .derived(newest: try search.newest(program)) }
                places = search.written(in: program, marker) { body, headers in
                    search.probe.page(program, body, headers: headers) == marker
                }
            }
            guard let first = places.first else {
                throw NotSimulated(reason: "no member was found from which '\(program.source)' takes the next page")
            }
            let chosen = search.isAlone(first) ? [first] : places
            guard let last = search.last(chosen, program, answers) else {
                throw NotSimulated(
                    reason: "no answer can be made that ends the pages: '\(program.source)' always gives something"
                )
            }
            let isNumber = search.value(at: first)?.number != nil
            return .written(chosen, last: last, isNumber: isNumber)
        }
    }

    private static func count(
        _ program: JQProgram?,
        _ key: String,
        _ search: ControlSearch,
        _ wrong: inout String?
    ) throws(NotSimulated) -> [Place] {
        guard let program else { return [] }
        let count = JSONValue.integer(83)
        func isMet(_ body: JSONValue, _ headers: JSONValue) -> Bool {
            let found = search.probe.page(program, body, headers: headers)
            return found == count || found?.stringText == "83"
        }
        let places = search.places { value in
            value.number != nil ? count : value.stringText.flatMap { JSONNumber($0) } == nil ? nil : .text("83")
        } isMet: { body, headers, _ in
            isMet(body, headers)
        }
        if let first = places.first { return [first] }
        let written = search.written(in: program, count) { isMet($0, $1) }
        if !written.isEmpty { return written }
        if search.dependsOnRecords(program) {
            wrong = key
            return []
        }
        throw NotSimulated(reason: "no member was found from which '\(program.source)' takes a number")
    }
}
