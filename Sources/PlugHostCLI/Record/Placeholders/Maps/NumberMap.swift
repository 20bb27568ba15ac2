/// Replacement digits for numbers: the same count, and the same order among all numbers of that length, so that the greatest id
/// or the newest cursor remains so.
///
/// A single digit is kept, unless it is an id: flags and small counts are not secret, and there are few to choose from.
struct NumberMap {
    /// Numbers of the same form.
    private struct Shape: Hashable {
        var zeros: Int
        var whole: Int
        var fraction: Int
    }

    private var digits: [Shape: Set<String>] = [:]
    private var kept: Set<String>
    private var map: [Shape: [String: String]] = [:]
    private let chance: PlaceholderChance

    private let least: Int

    /// - Parameters:
    ///   - kept: Numbers that are kept: the manifest compares with them, so that what is smaller stays smaller.
    ///   - takesSingleDigits: Whether single digits are replaced, too.
    init(keeping kept: Set<String>, _ chance: PlaceholderChance, takesSingleDigits: Bool = false) {
        self.kept = kept
        least = takesSingleDigits ? 1 : 2
        self.chance = chance
    }

    /// Notes a number, in the first pass.
    mutating func note(whole: Substring, fraction: Substring) {
        let (shape, rest) = Self.shape(whole, fraction)
        if shape.whole + shape.fraction >= least, !rest.isEmpty { digits[shape, default: []].insert(rest) }
    }

    /// Chooses, between the passes.
    mutating func choose() {
        for (shape, values) in digits {
            let fixed = shape.fraction == 0 && shape.zeros == 0 ? kept.filter { $0.utf8.count == shape.whole } : []
            map[shape] = chosen(values.sorted(), Set(fixed), name: "\(shape.zeros).\(shape.whole).\(shape.fraction)")
        }
    }

    /// The replacement digits of a number.
    func replaced(whole: Substring, fraction: Substring) -> (whole: String, fraction: String) {
        let (shape, rest) = Self.shape(whole, fraction)
        guard let other = map[shape]?[rest] else { return (String(whole), String(fraction)) }
        let all = String(repeating: "0", count: shape.zeros) + other
        return (String(all.prefix(shape.whole)), String(all.dropFirst(shape.whole)))
    }

    private static func shape(_ whole: Substring, _ fraction: Substring) -> (Shape, String) {
        let all = whole + fraction
        let rest = all.drop { $0 == "0" }
        return (
            Shape(zeros: all.count - rest.count, whole: whole.count, fraction: fraction.count), String(rest)
        )
    }

    /// The number of digits that fit into an integer.
    private static let width = 15

    /// Replacements for sorted values of one length, in the same order.
    private func chosen(_ sorted: [String], _ fixed: Set<String>, name: String, isTail: Bool = false) -> [String:
        String]
    {
        guard let length = sorted.first?.utf8.count else { return [:] }
        if length <= Self.width {
            let high = Self.power(length)
            let low = isTail ? -1 : Self.power(length - 1) - 1
            return chosen(sorted.compactMap { Int($0) }, low, high, Set(fixed.compactMap { Int($0) }), name, length)
        }
        // The first digits decide the order, and the others if those are equal.
        let groups = Dictionary(grouping: sorted) { String($0.prefix(Self.width)) }
        let heads = chosen(groups.keys.sorted(), [], name: "\(name) head", isTail: isTail)
        var map: [String: String] = [:]
        for (head, values) in groups {
            let tails = chosen(
                values.map { String($0.dropFirst(Self.width)) },
                [],
                name: "\(name) \(head)",
                isTail: true
            )
            for value in values {
                let tail = String(value.dropFirst(Self.width))
                map[value] = fixed.contains(value) ? value : (heads[head] ?? head) + (tails[tail] ?? tail)
            }
        }
        return map
    }

    private func chosen(
        _ sorted: [Int],
        _ low: Int,
        _ high: Int,
        _ fixed: Set<Int>,
        _ name: String,
        _ length: Int
    ) -> [String: String] {
        func text(_ value: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, length - digits.count)) + digits
        }
        var map: [String: String] = [:]
        var (start, run) = (low, [Int]())
        for border in fixed.filter({ low < $0 && $0 < high }).sorted() + [high] {
            run = sorted.filter { start < $0 && $0 < border }
            for (old, new) in zip(run, between(start, border, run, "\(name) \(start)")) { map[text(old)] = text(new) }
            if fixed.contains(border) { map[text(border)] = text(border) }
            start = border
        }
        return map
    }

    /// This number of values between two others. If they fill the whole range, they are kept: there is no other order.
    private func between(_ low: Int, _ high: Int, _ old: [Int], _ name: String) -> [Int] {
        let room = high - low - 1
        guard !old.isEmpty, old.count < room else { return old }
        let isDense = old.count > room / 2
        // If they are dense, the omitted values are chosen instead, which are fewer.
        let count = isDense ? room - old.count : old.count
        for attempt in 0..<20 {
            var numbers = chance.numbers(for: name, try: attempt)
            var chosen: Set<Int> = []
            while chosen.count < count { chosen.insert(Int.random(in: (low + 1)...(high - 1), using: &numbers)) }
            let new = isDense ? ((low + 1)...(high - 1)).filter { !chosen.contains($0) } : chosen.sorted()
            if !zip(old, new).contains(where: { $0 == $1 }) || attempt == 19 { return new }
        }
        return old
    }

    private static func power(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
