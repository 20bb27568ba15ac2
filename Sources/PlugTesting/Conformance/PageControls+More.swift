import JQ
import LosslessJSON
import PlugManifest

// What says that there is another page, besides its token.
extension PageControls {
    /// A place that says whether there is another page.
    struct Switch: Sendable {
        var place: Place
        /// Its value on a page that is followed by another one.
        var on: JSONValue
        /// Its value on the last page; `nil` for nothing.
        var off: JSONValue?
    }

    /// How services say it if no answer of theirs is known: yes or no, that this is not the last one, a large number, a link.
    private static let values: [(on: JSONValue, off: JSONValue?)] = [
        (.bool(true), .bool(false)), (.bool(false), .bool(true)), (.integer(99_999), .integer(0)),
        (.text("<https://conformance.example/next>; rel=\"next\""), nil),
    ]

    static func more(_ paging: Paging, _ search: ControlSearch, beside lead: Lead) -> [Switch] {
        guard let program = paging.more else { return [] }
        // What depends on the token itself needs no place of its own.
        if case .written(let places, let last, _) = lead, search.changes(program, places, last) { return [] }
        let places = search.places {
            $0.bool.map { .bool(!$0) }
        } isMet: { body, headers, new in
            search.probe.page(program, body, headers: headers) == new
        }
        if let first = places.first { return [Switch(place: first, on: .bool(true), off: .bool(false))] }
        /// Whether the program gives this for an answer that has a token as well.
        func gives(_ wanted: Bool, _ body: JSONValue, _ headers: JSONValue) -> Bool {
            var (body, headers) = (body, headers)
            if case .written(let places, _, let isNumber) = lead {
                let token = isNumber ? JSONValue.integer(700_001) : .text("https://conformance.example/next?a=b")
                for place in places { (body, headers) = ControlSearch.set(place, token, body, headers) }
            }
            return search.probe.page(program, body, headers: headers)?.bool == wanted
        }
        for (on, off) in values {
            let places = search.written(in: program, on) { gives(true, $0, $1) }
            let ends = search.ends(places, off) { gives(false, $0, $1) }
            if !places.isEmpty, ends { return places.map { Switch(place: $0, on: on, off: off) } }
        }
        return []
    }
}

extension ControlSearch {
    /// Whether another value at the places has an effect.
    fileprivate func ends(
        _ places: [PageControls.Place],
        _ value: JSONValue?,
        isMet: (_ body: JSONValue, _ headers: JSONValue) -> Bool
    ) -> Bool {
        var (body, headers) = (sample, headers)
        for place in places { (body, headers) = Self.set(place, value, body, headers) }
        return isMet(body, headers)
    }
}
