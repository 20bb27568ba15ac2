internal import PlugCore

/// Parses the text of a cron expression, field by field.
struct CronReader {
    private typealias Word = ArraySlice<Unicode.Scalar>

    /// Room for each field to list all its values.
    private static let longest = 1000
    static let nicknames: KeyValuePairs = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
        "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
    ]

    private let scalars: [Unicode.Scalar]

    private init(_ scalars: some Sequence<Unicode.Scalar>) { self.scalars = Array(scalars) }

    /// The sets of the five fields, in order.
    static func read(_ text: String) throws(ScheduleFault) -> [CronSet] {
        guard text.utf8.count <= longest else {
            throw ScheduleFault(
                .badCron,
                "a cron expression of more than \(longest) bytes",
                advice: "name fewer values, or ranges of them",
                at: 0..<text.unicodeScalars.count
            )
        }
        return try CronReader(text.unicodeScalars).fields()
    }

    private func fields() throws(ScheduleFault) -> [CronSet] {
        let words = words(scalars[...]) { $0 == " " || $0 == "\t" }.filter { !$0.isEmpty }
        if let first = words.first, first.first == "@" { return try nickname(first, alone: words.count == 1) }
        guard words.count == 5 else {
            let most = words.count > 5
            let place = most ? words[5].startIndex..<(words[words.count - 1].endIndex) : scalars.count..<scalars.count
            throw fault(
                "a cron expression has five fields, and this one has \(words.count)",
                most
                    ? "there are no fields for seconds or years: keep minute, hour, day of the month, month, day of the week"
                    : "write minute, hour, day of the month, month and day of the week: \"0 6 * * *\" is each day at six",
                at: place
            )
        }
        var sets: [CronSet] = []
        for (word, field) in zip(words, CronField.all) { sets.append(try set(word, field)) }
        return sets
    }

    private func nickname(_ word: Word, alone: Bool) throws(ScheduleFault) -> [CronSet] {
        let name = text(word).lowercased()
        guard let meaning = Self.nicknames.first(where: { $0.key == name })?.value else {
            let nearest = Spelling.question(String(name.prefix(20)), in: Self.nicknames.map(\.key))
            let advice = nearest ?? "the names are @hourly, @daily, @weekly, @monthly and @yearly"
            throw fault("\(quoted(word)) is not the name of a schedule", advice, at: word.indices)
        }
        guard alone else {
            throw fault("\(quoted(word)) stands alone", "remove what follows", at: word.endIndex..<scalars.count)
        }
        return try Self(meaning.unicodeScalars).fields()
    }

    // MARK: - One field

    private func set(_ word: Word, _ field: CronField) throws(ScheduleFault) -> CronSet {
        var set = CronSet(isWild: word.first == "*")
        for part in words(word, isSeparator: { $0 == "," }) {
            // Sunday's second number is only a spelling, not another day.
            for value in try values(part, field) { set.bits |= 1 << UInt64(field.names.count == 7 ? value % 7 : value) }
        }
        return set
    }

    /// `*`, `5`, `1-5`; the first and last also with a step.
    private func values(_ part: Word, _ field: CronField) throws(ScheduleFault) -> StrideThrough<Int> {
        let sides = words(part) { $0 == "/" }
        let range = try range(sides[0], field)
        guard sides.count > 1 else { return stride(from: range.lowerBound, through: range.upperBound, by: 1) }
        guard sides.count == 2 else {
            throw fault("\(quoted(part)) has two steps", "write one", at: sides[2].startIndex - 1..<part.endIndex)
        }
        guard sides[0].first == "*" || sides[0].contains("-") else {
            let advice = "write \(text(sides[0]))-\(field.whole.upperBound)/\(text(sides[1]))"
            throw fault("a step after the single value \(quoted(sides[0]))", advice, at: part.indices)
        }
        guard let step = number(sides[1]), 1...field.whole.count ~= step else {
            let most = field.whole.count
            let advice =
                number(sides[1]) ?? 0 > most
                ? "steps start again after the last \(field.name): for longer times, use an interval"
                : "write a number from 1 to \(most)"
            throw fault("\(quoted(sides[1])) is not a step for the \(field.name)", advice, at: sides[1].indices)
        }
        return stride(from: range.lowerBound, through: range.upperBound, by: step)
    }

    private func range(_ part: Word, _ field: CronField) throws(ScheduleFault) -> ClosedRange<Int> {
        if part.elementsEqual(["*"]) { return field.whole }
        let ends = words(part) { $0 == "-" }
        let low = try value(ends[0], field)
        guard ends.count > 1 else { return low...low }
        guard ends.count == 2 else {
            throw fault("\(quoted(part)) is not a range", "write two values, such as 1-5", at: part.indices)
        }
        var high = try value(ends[1], field)
        // As the end of a range Sunday ends the week, however it is written.
        if high == 0, field.names.count == 7, low > 0 { high = 7 }
        guard low <= high else {
            let (first, last) = (field.whole.lowerBound, field.whole.upperBound)
            let advice = "write \(low)-\(last),\(first)-\(high) for both ends, or the smaller value first"
            throw fault("the range \(quoted(part)) ends before it begins", advice, at: part.indices)
        }
        return low...high
    }

    private func value(_ part: Word, _ field: CronField) throws(ScheduleFault) -> Int {
        if let number = number(part), field.values ~= number { return number }
        let name = text(part).uppercased()
        if let index = field.names.firstIndex(of: name) { return field.whole.lowerBound + index }
        throw fault("\(quoted(part)) is no \(field.name)", advice(name, field), at: part.indices)
    }

    private func advice(_ name: String, _ field: CronField) -> String {
        if name == "?" { return "write * for any \(field.name)" }
        if let meant = field.names.first(where: { name.hasPrefix($0) }) { return "did you mean '\(meant)'?" }
        let values = "write a number from \(field.values.lowerBound) to \(field.values.upperBound)"
        guard let first = field.names.first, let last = field.names.last else { return "\(values), or *" }
        return "\(values), a name from \(first) to \(last), or *"
    }

    // MARK: - Words

    private func words(_ part: Word, isSeparator: (Unicode.Scalar) -> Bool) -> [Word] {
        part.split(omittingEmptySubsequences: false, whereSeparator: isSeparator)
    }

    private func number(_ part: Word) -> Int? {
        // More digits are always out of range; digits of other scripts are not accepted.
        guard 1...4 ~= part.count, part.allSatisfy({ "0"..."9" ~= $0 }) else { return nil }
        return Int(text(part))
    }

    private func text(_ part: Word) -> String { String(String.UnicodeScalarView(part)) }

    private func quoted(_ part: Word) -> String { ScheduleFault.quoted(text(part)) }

    private func fault(_ message: String, _ advice: String, at place: Range<Int>) -> ScheduleFault {
        ScheduleFault(.badCron, message, advice: advice, at: place)
    }
}
