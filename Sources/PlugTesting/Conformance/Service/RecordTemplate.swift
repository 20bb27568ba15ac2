import LosslessJSON
import PlugCore
import PlugManifest

/// A recorded answer, taken apart: where its records are, and which of their members make a record the thing that it is. It is
/// the template for more records of the same form.
struct RecordTemplate: Sendable {
    /// How the records are arranged in the answer.
    enum Place: Sendable, Equatable {
        /// As the elements of a list.
        case list(JSONPlace)
        /// In columns: an object of lists of the same length.
        case columns(JSONPlace)
        /// The answer is one record.
        case whole
    }

    /// One thing of the simulated service.
    struct Thing: Sendable, Hashable {
        /// What distinguishes it from others, from 1.
        var number: Int
        /// Its time, if the stream has an increasing time.
        var moment: Timestamp?
        /// How often it has changed.
        var revision = 0
    }

    /// The answer.
    let envelope: JSONValue
    let place: Place
    /// An element that gives records; the answer itself if it is one record.
    let element: JSONValue
    /// How many records an element gives.
    let perElement: Int
    /// Members that change the `_id`, not counting the version.
    private(set) var identity: [JSONPlace] = []
    /// Other members that have the usual names of a thing's own name, whatever the manifest does with them.
    private(set) var names: [JSONPlace] = []
    /// Members that change the version only.
    private(set) var version: [JSONPlace] = []
    /// Members that change the output of `since.field`.
    private(set) var since: [JSONPlace] = []
    /// A member that changes only the record's content.
    private(set) var content: JSONPlace?
    /// The element's own time, if `since.field` gives one.
    private(set) var moment: Timestamp?
    private let unit: Int64

    /// The element of a thing.
    func element(_ thing: Thing) -> JSONValue {
        var made = element
        var delta: Int64?
        if let own = moment, let wanted = thing.moment {
            let seconds = wanted.seconds - own.seconds
            delta = seconds
            for place in times { made = Self.set(made, place) { Variation.later($0, by: seconds) } }
            for place in since where element.at(place)?.number != nil {
                made = Self.set(made, place) { Variation.later($0, by: seconds, unit: unit) }
            }
        }
        // A number or a token increases with the thing.
        let grown = moment == nil ? since : []
        let moved = delta == nil ? [] : Set(times + since)
        for place in names + Set(identity + grown) where !moved.contains(place) {
            made = Self.set(made, place) { Variation.distinct($0, thing.number) }
        }
        if let content {
            made = Self.set(made, content) { Variation.distinct($0, thing.number + thing.revision * 1000) }
        }
        if thing.revision > 0 {
            for place in version { made = Self.set(made, place) { Variation.distinct($0, thing.revision) } }
        }
        return made
    }

    /// The answer with other elements.
    func body(_ elements: [JSONValue]) -> JSONValue { Self.body(envelope, place, elements) }

    /// The members of the element that are times.
    private let times: [JSONPlace]

    private static func set(
        _ value: JSONValue,
        _ place: JSONPlace,
        _ change: (JSONValue) -> JSONValue?
    ) -> JSONValue {
        guard let new = value.at(place).flatMap(change) else { return value }
        return value.setting(place, to: new)
    }

    static func body(_ envelope: JSONValue, _ place: Place, _ elements: [JSONValue]) -> JSONValue {
        switch place {
        case .whole: return elements.first ?? envelope
        case .list(let list): return envelope.setting(list, to: .array(elements))
        case .columns(let columns):
            guard let object = envelope.at(columns)?.object else { return envelope }
            let members = object.members.map { member in
                (member.key, JSONValue.array(elements.map { $0[member.key.text] ?? .null }))
            }
            return envelope.setting(columns, to: .object(JSONObject(members)))
        }
    }
}

// MARK: - Taking an answer apart

extension RecordTemplate {
    /// The maximum number of lists examined, and of elements in each.
    private static let (listLimit, elementLimit) = (60, 4)

    /// Finds the records in an answer by trial: a list whose elements are the records gives none when it is empty, and twice as
    /// many when each is duplicated.
    ///
    /// - Returns: `nil` if there is no such list and the answer itself is not a record.
    init?(_ answer: JSONValue, _ probe: RecordProbe) {
        let lists = answer.places(limit: Self.listLimit) { !($0.elements ?? []).isEmpty }.map { Place.list($0) }
        let columns = answer.places(limit: Self.listLimit) { Self.rows(in: $0) > 0 }.map { Place.columns($0) }
        for place in columns + lists {
            for element in Self.samples(answer, place, probe) {
                guard let count = Self.count(answer, place, [element], probe), count > 0,
                    // A failure on an empty list shows when the stream is empty.
                    Self.count(answer, place, [], probe) ?? 0 == 0,
                    Self.count(answer, place, [element, element], probe) == 2 * count
                else { continue }
                self = Self.made(answer, place, element, count, probe)
                return
            }
        }
        guard let reading = try? probe.read(answer), !reading.entries.isEmpty else { return nil }
        self = Self.made(answer, .whole, answer, reading.entries.count, probe)
    }

    private static func made(
        _ answer: JSONValue,
        _ place: Place,
        _ element: JSONValue,
        _ count: Int,
        _ probe: RecordProbe
    ) -> RecordTemplate {
        let template = RecordTemplate(answer, place, element, count, probe)
        // A key over the whole record may name no member of it.
        guard template.identity.isEmpty, let told = toldApart(element, answer, place, count, probe) else {
            return template
        }
        return RecordTemplate(answer, place, told, count, probe)
    }

    private init(_ answer: JSONValue, _ place: Place, _ element: JSONValue, _ count: Int, _ probe: RecordProbe) {
        envelope = answer
        self.place = place
        self.element = element
        perElement = count
        let type = probe.family.inside.isEmpty ? probe.family.carrier.since?.type : nil
        let leaves = element.leaves()
        let days = element.places(limit: 20) { Variation.later($0, by: 0) != nil && $0.object != nil }
        times = days + leaves.filter { element.at($0)?.stringText.flatMap { WallTime($0) } != nil }
        var unit: Int64 = type == .epochMilliseconds ? 1000 : 1
        let base = try? probe.read(Self.body(answer, place, [element]))
        if let type, type != .opaque, type != .integer {
            let moments = (base?.since ?? []).compactMap { Self.moment($0, type, &unit) }
            moment = moments.max()
        }
        self.unit = unit
        guard let base else { return }
        for leaf in leaves {
            // The parts of a day change together.
            guard !days.contains(where: { leaf.isInside($0) }) else { continue }
            guard let value = element.at(leaf), value.bool == nil,
                let other = Variation.later(value, by: 700_007) ?? Variation.distinct(value, 7),
                let reading = try? probe.read(Self.body(answer, place, [element.setting(leaf, to: other)])),
                reading.entries.count == base.entries.count
            else { continue }
            let isSince = probe.family.inside.isEmpty && reading.since != base.since
            if isSince { since.append(leaf) }
            if reading.things != base.things {
                identity.append(leaf)
            } else if reading.entries.map(\.identity) != base.entries.map(\.identity) {
                version.append(leaf)
            } else if !isSince, content == nil, value.stringText != nil, !times.contains(leaf),
                reading.entries != base.entries
            {
                content = leaf
            }
        }
        let isControlled = Set(identity + version + since + [content].compactMap(\.self))
        let own = leaves.filter { leaf in
            leaf.steps.count == 1 && Self.ownNames.contains(leaf.name.lowercased()) && !isControlled.contains(leaf)
        }
        names = own
        let made = self.element(Thing(number: 1, moment: moment))
        if Self.count(answer, place, [made], probe) != count { names = [] }
    }

    /// What services call the name of a thing.
    private static let ownNames: Set<String> = [
        "id", "_id", "uid", "uuid", "guid", "uri", "url", "href", "self", "key",
    ]

    static func count(
        _ answer: JSONValue,
        _ place: Place,
        _ elements: [JSONValue],
        _ probe: RecordProbe
    ) -> Int? {
        try? probe.read(body(answer, place, elements)).entries.count
    }

    /// The first elements, deletions last: a deletion has little that could change.
    private static func samples(_ answer: JSONValue, _ place: Place, _ probe: RecordProbe) -> [JSONValue] {
        let first = elements(of: answer, place).prefix(elementLimit)
        func isDeletion(_ element: JSONValue) -> Bool {
            (try? probe.read(body(answer, place, [element])).deletions) ?? 0 > 0
        }
        return first.filter { !isDeletion($0) } + first.filter(isDeletion)
    }

    private static func elements(of answer: JSONValue, _ place: Place) -> [JSONValue] {
        switch place {
        case .whole: return [answer]
        case .list(let list): return answer.at(list)?.elements ?? []
        case .columns(let columns):
            guard let value = answer.at(columns), let object = value.object else { return [] }
            return (0..<rows(in: value)).map { row in
                .object(JSONObject(object.members.map { ($0.key, $0.value.elements?[row] ?? .null) }))
            }
        }
    }

    /// How many rows an object of columns has; 0 for anything else.
    private static func rows(in value: JSONValue) -> Int {
        guard let members = value.object?.members, members.count > 1 else { return 0 }
        let counts = Set(members.map { $0.value.elements?.count ?? 0 })
        return counts.count == 1 ? counts.first ?? 0 : 0
    }

    /// The moment that a value of `since.field` denotes; a number is in seconds, or in thousandths if it is large.
    private static func moment(_ value: JSONValue, _ type: Since.Kind, _ unit: inout Int64) -> Timestamp? {
        guard let text = value.number?.text ?? value.stringText else { return nil }
        guard value.number != nil || text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return Timestamp(text)
        }
        if type == .time || type == .date {
            unit = (Int64(text.prefix { $0.isNumber }) ?? 0) >= 100_000_000_000 ? 1000 : 1
        }
        return unit == 1000 ? Timestamp(epochMilliseconds: text) : Timestamp(epoch: text)
    }
}
