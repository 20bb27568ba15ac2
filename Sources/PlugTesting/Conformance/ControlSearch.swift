import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Finds by trial what a program of `page` reads in an answer, besides the records.
struct ControlSearch {
    let template: RecordTemplate
    let probe: RecordProbe
    let headers: JSONValue
    private let empty: JSONValue

    init(_ template: RecordTemplate, _ probe: RecordProbe, headers: JSONValue) {
        self.template = template
        self.probe = probe
        self.headers = headers
        empty = template.place == .whole ? template.envelope : template.body([])
    }

    /// An answer with two records.
    var sample: JSONValue { template.body([thing(1), thing(2)]) }

    /// A record like the recorded one, a minute later than the previous one.
    private func thing(_ number: Int) -> JSONValue {
        let moment = template.moment.map { Timestamp(seconds: $0.seconds + Int64(number) * 60) }
        return template.element(.init(number: number, moment: moment))
    }

    /// The value at a place of the recorded answer.
    func value(at place: PageControls.Place) -> JSONValue? {
        switch place {
        case .body(let place): sample.at(place)
        case .header(let name): headers[name]
        }
    }

    /// The places outside the records at which a changed value is what the program outputs.
    func places(
        in body: JSONValue? = nil,
        _ other: (JSONValue) -> JSONValue?,
        isMet: (_ body: JSONValue, _ headers: JSONValue, _ new: JSONValue) -> Bool
    ) -> [PageControls.Place] {
        let sample = body ?? sample
        let members = empty.leaves().map { PageControls.Place.body($0) }
        let fields = headers.object?.keys.map { PageControls.Place.header($0.text) } ?? []
        return (members + fields).filter { place in
            guard let new = value(at: place).flatMap(other) else { return false }
            let (body, headers) = Self.set(place, new, sample, headers)
            return isMet(body, headers, new)
        }
    }

    /// Whether the place is enough on its own, because it already has a value.
    func isAlone(_ place: PageControls.Place) -> Bool { value(at: place) != nil }

    /// The places that a program's text names, and at which the answer has nothing: as few as make its output the one wanted.
    func written(
        in program: JQProgram,
        _ value: JSONValue,
        isMet: (_ body: JSONValue, _ headers: JSONValue) -> Bool
    ) -> [PageControls.Place] {
        let count = (try? probe.read(sample))?.entries.count
        func isKept(_ body: JSONValue) -> Bool { (try? probe.read(body))?.entries.count == count }
        let places = Self.named(in: program.source)
        for place in places {
            let (body, headers) = Self.set(place, value, sample, headers)
            if isMet(body, headers), isKept(body) { return [place] }
        }
        var (body, headers, taken) = (sample, headers, [PageControls.Place]())
        for place in places.sorted(by: { Self.depth($0) > Self.depth($1) }) {
            if case .body(let inner) = place, let there = body.at(inner), there.object != nil || there.elements != nil {
                continue
            }
            (body, headers) = Self.set(place, value, body, headers)
            taken.append(place)
        }
        return isMet(body, headers) && isKept(body) ? taken : []
    }

    /// Whether a program's output changes when the token of the next page is missing.
    func changes(_ program: JQProgram, _ places: [PageControls.Place], _ last: [JSONValue?]) -> Bool {
        var (first, end) = ((sample, headers), (sample, headers))
        for (place, value) in zip(places, last) {
            first = Self.set(place, .text("marker-token"), first.0, first.1)
            end = Self.set(place, value, end.0, end.1)
        }
        return probe.page(program, first.0, headers: first.1) != probe.page(program, end.0, headers: end.1)
    }

    /// Whether a program's output changes with the records.
    func dependsOnRecords(_ program: JQProgram) -> Bool {
        let (one, other) = (template.body([thing(1)]), template.body([thing(2), thing(3)]))
        let (first, second) = (probe.page(program, one, headers: headers), probe.page(program, other, headers: headers))
        return first != second && first != nil && second != nil
    }

    /// Whether a program gives the same for a page as for its first record alone, and something else for its last one, whatever
    /// their order.
    func takesTheFirst(_ program: JQProgram) -> Bool {
        func gives(_ numbers: [Int]) -> JSONValue? {
            probe.page(program, template.body(numbers.map { thing($0) }), headers: headers)
        }
        guard let forth = gives([1, 2, 3]), let back = gives([3, 2, 1]), forth != back else { return false }
        return forth == gives([1]) && back == gives([3])
    }

    /// Where a program that gives nothing for a page finds that another one follows: in that case a number greater than all
    /// others; `nil` if it needs none.
    ///
    /// - Throws: `NotSimulated` if there is no such place.
    func newest(_ program: JQProgram) throws(NotSimulated) -> PageControls.Place? {
        // Simulated records are later than recorded ones, and than what the recorded answer says of the newest.
        let late = template.body(
            [1, 2].map { template.element(.init(number: $0, moment: Timestamp(seconds: 4_000_000_000))) }
        )
        guard Self.gives(probe.page(program, late, headers: headers) ?? .null, nil) else { return nil }
        let places = places(in: late) {
            $0.number == nil ? nil : .integer(99_999_999_999)
        } isMet: { body, headers, _ in
            !Self.gives(probe.page(program, body, headers: headers) ?? .null, nil)
        }
        if let place = places.first { return place }
        throw NotSimulated(reason: "'\(program.source)' gives nothing for a page that is followed by another")
    }

    /// The values at the places on the last page, for which the program gives nothing: as in a recorded answer, or `null`,
    /// nothing, an empty text or `false`.
    func last(
        _ places: [PageControls.Place],
        _ program: JQProgram,
        _ answers: [JSONValue]
    ) -> [JSONValue?]? {
        var forms: [[JSONValue?]] = []
        for answer in answers where Self.gives(probe.page(program, answer, headers: headers) ?? .null, nil) {
            forms.append(
                places.map { place in
                    guard case .body(let inner) = place else { return nil }
                    // For `"next": null` the member below is `null` as well: a service that says so omits nothing.
                    return answer.at(inner) ?? (inner.isBelowNull(in: answer) ? .null : nil)
                }
            )
        }
        forms += [.null, nil, .text(""), .bool(false)].map { value in places.map { _ in value } }
        return forms.first { form in
            var (body, headers) = (sample, headers)
            for (place, value) in zip(places, form) { (body, headers) = Self.set(place, value, body, headers) }
            return Self.gives(probe.page(program, body, headers: headers) ?? .null, nil)
        }
    }

    /// Whether an output names this next page; `nil` if there is none.
    static func gives(_ output: JSONValue, _ next: JSONValue?) -> Bool {
        guard let next else { return output.isNull || output.stringText == "" }
        return output == next
    }

    static func set(
        _ place: PageControls.Place,
        _ value: JSONValue?,
        _ body: JSONValue,
        _ headers: JSONValue
    ) -> (JSONValue, JSONValue) {
        switch place {
        case .body(let inner): return (body.setting(inner, to: value), headers)
        case .header(let name):
            let text = value.map { JSONValue.text($0.stringText ?? $0.compactText) }
            return (body, headers.setting(JSONPlace().member(name), to: text))
        }
    }

    private static func depth(_ place: PageControls.Place) -> Int {
        if case .body(let inner) = place { inner.steps.count } else { 0 }
    }

    /// The members and headers that a program's text names: `.meta.next`, `headers["x-next"]`; also paths applied one after
    /// another, as in `.paging | select(.next) | .cursors.after`.
    static func named(in source: String) -> [PageControls.Place] {
        var paths = MemberPaths.of(source).map { JSONPlace($0.map { .member($0) }) }
        for (index, first) in paths.enumerated() {
            for second in paths.dropFirst(index + 1) { paths.append(JSONPlace(first.steps + second.steps)) }
            if paths.count > 60 { break }
        }
        var fields: [PageControls.Place] = []
        for part in source.split(separator: "headers[\"", omittingEmptySubsequences: false).dropFirst() {
            fields.append(.header(String(part.prefix { $0 != "\"" })))
        }
        return fields + paths.map { .body($0) }
    }
}

/// The member paths that occur in a program's text.
enum MemberPaths {
    /// Each run of `.name`, in order.
    static func of(_ source: String) -> [[String]] {
        var (paths, path, name): ([[String]], [String], String) = ([], [], "")
        var (isName, previous): (Bool, Character) = (false, " ")
        func isWord(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber || character == "_")
        }
        for character in source + " " {
            defer { previous = character }
            if isName, isWord(character) {
                name.append(character)
                continue
            }
            if isName {
                if !name.isEmpty { path.append(name) }
                (name, isName) = ("", false)
            }
            // `config.user` is not a member of the input.
            if character == ".", !path.isEmpty || !isWord(previous) {
                isName = true
            } else if !path.isEmpty {
                paths.append(path)
                path = []
            }
        }
        return paths
    }
}
