import CurlTransport
import Decoding
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// A service made from one recorded answer: as many records as a scenario wants, on pages as the manifest specifies.
struct MadeSource: Sendable {
    /// What the lists of a service hold in a scenario.
    struct Lists: Sendable, Equatable {
        /// How many things each list has when the service is first asked.
        var count: Int
        /// How many have been added since.
        var added = 0
        /// The thing that changes, or moves, while the pages are read: it is at the start of the second page as well.
        var revision: Int?
        /// Whether every page after the first repeats the second.
        var repeats = false
        /// Which run reads it: what is requested from now on depends on it.
        var generation = 1
    }

    let template: RecordTemplate
    let controls: PageControls
    let probe: RecordProbe
    /// How many records a full page has.
    let size: Int
    /// The time of the newest thing of the first run.
    let end: Timestamp
    /// The headers of an answer.
    let headers: JSONValue
    /// The elements made so far: each scenario wants the same ones again.
    private let made: MadeElements
    /// The places of the token that means "everything up to here"; empty if there are none.
    let sync: [PageControls.Place]

    var paging: Paging? { probe.family.carrier.paging }
    /// How its things are ordered in time; `nil` if the stream has no increasing time, or an envelope has it.
    var since: Since? { probe.family.inside.isEmpty ? probe.family.carrier.since : nil }

    /// The things of a list, in the order in which the service lists them.
    ///
    /// - Parameter series: The number of the list, from 0: no two lists share a thing.
    func things(_ lists: Lists, series: Int) -> [RecordTemplate.Thing] {
        let isDescending = since?.order == .descending
        let count = lists.count + lists.added
        return (0..<count).map { index in
            // The newest comes first if the service sorts that way; added things are the newest.
            let age = isDescending ? index : count - 1 - index
            let rank = count - 1 - age
            let isNew = rank >= lists.count
            let back = Int64(lists.count - 1 - rank) * step
            let moment = isNew ? end.seconds + Self.later * Int64(rank - lists.count + 1) : end.seconds - back
            return RecordTemplate.Thing(number: series * 2000 + rank + 1, moment: Timestamp(seconds: moment))
        }
    }

    /// How much later the next thing after a run is than the newest: a day, because some services count in days.
    private static let later: Int64 = 86_400

    /// Seconds between two things: a day if the increasing time is a day, or if a day tells them apart.
    private var step: Int64 {
        let isDay = (template.since + template.identity).contains { place in
            template.element.at(place)?.stringText.flatMap { WallTime($0) }?.isDay == true
        }
        return isDay || since?.type == .date ? 86_400 : 60
    }

    /// Whether answers report how new the newest thing is, for a token that is compared with it.
    var comparesTheNewest: Bool { if case .derived(_?) = controls.lead { true } else { false } }

    /// The output of `since.field` for the newest thing of a list, as a number; `nil` if it is not one.
    func newest(_ lists: Lists, series: Int) -> JSONValue? {
        guard let newest = things(lists, series: series).max(by: { $0.number < $1.number }) else { return nil }
        let value = (try? probe.read(template.body([template.element(newest)])).since.first)?.number?.int64
        // There are always newer ones if the pages never end.
        return value.map { .integer(Int($0) + (lists.repeats ? 86_400 : 0)) }
    }

    /// The elements of a list, in the order of the service.
    func listing(_ lists: Lists, series: Int, from lower: AskedPlace.Bound?, to upper: AskedPlace.Bound?, onlyNew: Bool)
        -> [JSONValue]
    {
        var things = things(lists, series: series)
        if onlyNew { things = things.filter { $0.number > series * 2000 + lists.count } }
        if since != nil, template.moment != nil {
            things = things.filter { thing in
                guard let moment = thing.moment else { return true }
                if let lower = lower?.moment, moment < lower { return false }
                guard let upper, let limit = upper.moment else { return true }
                let shown = AskedPlace.Bound(text(of: moment, upper.format), upper.format).moment ?? moment
                return !(limit < shown)
            }
        }
        if let revision = lists.revision, things.count > size {
            var again = things[size - 1]
            again.revision = revision
            things.insert(again, at: size)
        }
        return things.map { made.element(of: $0, template) }
    }

    private func text(of moment: Timestamp, _ format: SinceFormat) -> String {
        let value = format.value(of: moment)
        return value.stringText ?? value.compactText
    }

    /// Where the list that a request asks for begins, counted in elements; 0 if a token says so, or nothing does.
    func start(_ place: AskedPlace) -> Int {
        guard let paging, let counting = paging.kind.counting else { return 0 }
        let sent = paging.kind.param.flatMap { place.value(of: $0, in: paging.place) }.flatMap { Int($0) }
        let count = max(0, (sent ?? counting.from) - counting.from)
        return counting.countsRecords ? count : count * size
    }

    /// The parameters for the page and the time.
    var positions: Set<String> {
        var names: Set<String> = ["page-token"]
        names.formUnion(paging?.onlyFirst ?? [])
        for bound in (probe.family.carrier.since?.send ?? []) + (probe.family.carrier.since?.until ?? []) {
            names.insert(bound.name)
            // In a JSON body it is a path.
            names.insert(bound.name.split(separator: ".").last.map(String.init) ?? bound.name)
        }
        for (name, template) in probe.family.carrier.request?.query ?? []
        where !template.usedGlobals.isDisjoint(with: ["since", "until", "page"]) {
            names.insert(name)
        }
        return names.union([paging?.kind.param, paging?.kind.sizeParam].compactMap(\.self))
    }
}

extension MadeSource {
    /// Makes a service from the first suitable recorded answer.
    ///
    /// - Throws: `NotSimulated` with the reason.
    init(_ family: StreamFamily, _ material: Material, config: JSONValue, now: Int64) throws(NotSimulated) {
        if let kind = family.carrier.paging?.kind, kind.counting != nil, kind.param == nil {
            throw NotSimulated(reason: "its requests name the wanted page in an unknown way")
        }
        let answers = material.answers[family.carrier.name] ?? []
        guard let form = AnswerForm(family.carrier) else {
            let name = family.carrier.decoding?.format.name ?? ""
            throw NotSimulated(
                reason: "answers are made as JSON, JSONL, feeds and calendars only, and its answers are \(name)"
            )
        }
        var reason = "no recorded answer has a list whose elements are its records"
        if answers.isEmpty {
            self = try Self.synthesised(family, form, config, now: now)
            return
        }
        var best: MadeSource?
        let bodies = answers.compactMap { form.value($0.exchange.body) }
        for answer in answers.prefix(12) {
            guard let body = form.value(answer.exchange.body),
                let probe = RecordProbe(family, config: config, parents: answer.parents),
                let template = RecordTemplate(body, probe)
            else { continue }
            do throws(NotSimulated) {
                let source = try MadeSource(template, probe, bodies, Self.headers(answer.exchange), now: now)
                // A list that can be extended is more useful than an answer that is a single record.
                if template.place != .whole {
                    self = source
                    return
                }
                best = best ?? source
            } catch {
                reason = error.reason
            }
        }
        guard let best else { throw NotSimulated(reason: reason) }
        self = best
    }

    /// A service made from the manifest alone.
    private static func synthesised(
        _ family: StreamFamily,
        _ form: AnswerForm,
        _ config: JSONValue,
        now: Int64
    ) throws(NotSimulated) -> MadeSource {
        // A parent's answers were not recorded either.
        let parents = family.stream.parent
        guard form.isJSON, family.ancestors.isEmpty, parents == nil || parents?.streams.isEmpty == true else {
            throw NotSimulated(
                reason: "no fixture has an answer to a request of '\(family.carrier.name)'"
                    + (family.ancestors.isEmpty ? "" : ", nor of its parents")
            )
        }
        var reason = "no fixture has an answer to it, and no record can be made from what its programs read"
        for body in SynthesisedAnswer(family.stream).bodies() {
            guard let probe = RecordProbe(family, config: config, parents: []),
                let template = RecordTemplate(body, probe)
            else {
                continue
            }
            if template.isUnread(by: probe) {
                throw NotSimulated(reason: "no record can be made that 'key' tells from another one")
            }
            // A made-up record may lack what a real one has; the manifest is then not to blame.
            if let since = family.carrier.since {
                guard let values = try? probe.read(body).since, values.contains(where: { !$0.isNull }) else { continue }
                if since.type != .integer, since.type != .opaque, template.moment == nil { continue }
            }
            do throws(NotSimulated) {
                return try MadeSource(template, probe, [], .members(), now: now)
            } catch { reason = error.reason }
        }
        throw NotSimulated(reason: reason)
    }

    private init(
        _ template: RecordTemplate,
        _ probe: RecordProbe,
        _ bodies: [JSONValue],
        _ headers: JSONValue,
        now: Int64
    ) throws(NotSimulated) {
        let carrier = probe.family.carrier
        controls = try PageControls(template, probe, answers: bodies, headers: headers)
        self.template = template
        made = MadeElements()
        self.probe = probe
        self.headers = headers
        size = Self.size(carrier)
        let settle = carrier.since.map { $0.settle.components.seconds } ?? 0
        let latest = now / 1_000_000 - settle - 2 * 86_400
        // At a full minute, so that no time format truncates anything.
        end = Timestamp(seconds: latest - latest % 60)
        sync = Self.sync(template, probe, headers)
        try check(template.body([1, 2].map { template.element(.init(number: $0)) }), self.next)
        try check(template.body([template.element(.init(number: 3))]), nil)
    }

    /// A token, or an address, of the same form as the recorded one.
    private var next: JSONValue {
        if case .written(_, _, true) = controls.lead { return .integer(700_000_001) }
        if case .url? = paging?.kind.lead { return .text("https://conformance.example/next?page-token=page1x0x2z") }
        return .text("page1x0x2z")
    }

    private func check(_ body: JSONValue, _ next: JSONValue?) throws(NotSimulated) {
        let facts = PageControls.Facts(next: next, total: 3, pages: 2, newest: nil)
        let (body, headers) = controls.page(body, headers, facts)
        try controls.check(body, headers, facts)
    }

    /// How many records a page has: as many as the manifest expects if its paging depends on that, otherwise two.
    private static func size(_ stream: PlugManifest.Stream) -> Int {
        // Everything is on one page if nothing indicates that there are more.
        guard let paging = stream.paging else { return 1000 }
        guard let size = paging.size else { return 2 }
        let counts = paging.stop == .short || paging.isCounted
        guard counts, size <= 1000 else { return 2 }
        let isAskedFor = stream.request?.query.contains { $0.value.source == String(size) } ?? false
        // A service that is not told how many records are wanted gives as many as it likes.
        return paging.sendsSize || isAskedFor || paging.stop != .short ? size : max(1, size / 2)
    }

    /// Where the carrier's `since.field` finds its token outside the records.
    private static func sync(
        _ template: RecordTemplate,
        _ probe: RecordProbe,
        _ headers: JSONValue
    ) -> [PageControls.Place] {
        guard let since = probe.family.carrier.since, template.since.isEmpty, template.place != .whole else {
            return []
        }
        let search = ControlSearch(template, probe, headers: headers)
        func isMet(_ body: JSONValue, _ new: JSONValue) -> Bool { (try? probe.read(body).since)?.contains(new) == true }
        let places = search.places {
            $0.stringText != nil ? .text("sync-marker") : nil
        } isMet: { body, _, new in
            isMet(body, new)
        }
        if !places.isEmpty { return places }
        for field in since.fields {
            let written = search.written(in: field, .text("sync-marker")) { body, _ in isMet(body, .text("sync-marker"))
            }
            if !written.isEmpty { return written }
        }
        return []
    }

    /// Headers without those specific to one moment or one answer.
    private static func headers(_ exchange: Cassette.Exchange) -> JSONValue {
        let left: Set<String> = [
            "etag", "last-modified", "link", "retry-after", "content-length", "date", "set-cookie", "age",
        ]
        let kept = exchange.headers.filter { header in
            let name = header.name.lowercased()
            return !left.contains(name) && !name.contains("ratelimit") && !name.contains("rate-limit")
        }
        return .object(JSONObject(kept.map { (JSONString($0.name.lowercased()), .text($0.value)) }))
    }
}
