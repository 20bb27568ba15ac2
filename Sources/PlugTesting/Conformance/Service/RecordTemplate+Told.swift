import JQ
import LosslessJSON
import PlugManifest

// Records that a key tells apart although the element has no member that it reads.
extension RecordTemplate {
    /// The value of an added member.
    private static let value = JSONValue.text("1001")

    /// The element with one more member, if that member makes it another thing: any member for a hash of the whole record, one of
    /// those that the key names otherwise.
    static func toldApart(
        _ element: JSONValue,
        _ answer: JSONValue,
        _ place: Place,
        _ count: Int,
        _ probe: RecordProbe
    ) -> JSONValue? {
        guard let object = element.object else { return nil }
        func things(_ element: JSONValue) -> [[UInt8]]? {
            guard let reading = try? probe.read(body(answer, place, [element])), reading.entries.count == count else {
                return nil
            }
            return reading.things
        }
        let named = probe.family.stream.key.flatMap { ProgramWords.of($0.source) }
        for name in ["simulated"] + named where object[JSONString(name)] == nil {
            let place = JSONPlace().member(name)
            let told = element.setting(place, to: value)
            guard let one = things(told), let other = Variation.distinct(value, 7),
                let two = things(element.setting(place, to: other))
            else { continue }
            if one != two { return told }
        }
        return nil
    }

    /// Whether the key is a program over the record that reads nothing of the element: it gives the same for an empty one.
    func isUnread(by probe: RecordProbe) -> Bool {
        guard identity.isEmpty, probe.family.stream.key.contains(where: { ProgramWords.readsItsInput($0.source) }),
            let made = try? probe.read(body([element])).things,
            let blank = try? probe.read(body([.members()])).things
        else { return false }
        return made == blank
    }
}
