internal import CurlTransport
internal import LosslessJSON
internal import PlugManifest

/// Replaces everything that may identify a person by placeholders, the same one wherever the same value occurs.
///
/// It makes two passes: the first only collects all numbers, recurring names and personal values; the second replaces. Kept are:
/// what the manifest itself contains, words in general use by services, kinds and states, flags.
final class Placeholders {
    /// Whether this is the first pass.
    var isLooking = true
    let words: ManifestWords
    /// Members that are kept unchanged, at the author's request.
    let kept: Set<String>
    /// The hosts that the manifest names.
    let hosts: [HostPattern]
    /// Whether answers are decoded line by line.
    let keepsLines: Bool
    /// What must be replaced, wherever it occurs.
    let secrets: [String]
    let times: TimeShift
    var numbers: NumberMap
    /// Single-digit ids: other small numbers are flags and counts.
    var ids: NumberMap
    var tokens: TokenMap
    /// How often names of members occur at each place, and the number of objects.
    var names = NameStatistics()
    /// How often a value occurs in a member that holds kinds.
    var kinds: [String: [String: Int]] = [:]
    /// Whole values that were personal, and their words.
    var personal: Set<String> = []
    /// Names of members that were replaced although they may be the service's.
    private(set) var replacedNames: Set<String> = []
    /// Cached results: whether texts are constants of the manifest.
    var constants: [String: Bool] = [:]
    /// Cached results: whether texts look like credentials.
    var secretForms: [String: Bool] = [:]
    /// What was done with the values, in the second pass.
    var tally = PlaceholderTally()
    /// Whether the replaced text is a value.
    private(set) var isCounting = true

    /// - Parameters:
    ///   - kept: Members that are kept.
    ///   - secrets: The host's known secrets.
    init(
        _ manifest: Manifest,
        keeping kept: Set<String>,
        secrets: [String],
        times: TimeShift,
        _ chance: PlaceholderChance
    ) {
        words = ManifestWords(manifest)
        self.kept = kept
        hosts = manifest.hosts
        keepsLines = manifest.streams.contains { $0.decoding?.hasJSONLines == true }
        self.secrets = secrets.filter { $0.utf8.count >= 4 }
        self.times = times
        numbers = NumberMap(keeping: words.numbers, chance)
        ids = NumberMap(keeping: words.numbers, chance, takesSingleDigits: true)
        tokens = TokenMap(chance)
    }

    /// Ends the first pass.
    func choose() {
        numbers.choose()
        ids.choose()
        isLooking = false
    }

    /// The name of a member, or its placeholder.
    ///
    /// - Parameter place: The path of its object: names of members, without list indices.
    func name(_ name: String, at place: String) -> String {
        if isLooking { names.note(name, at: place) }
        if isStructural(name) || isLooking && NameStatistics.isWord(name) { return name }
        if !isLooking, NameStatistics.isWord(name), !looksSecret(name) { replacedNames.insert(name) }
        // Names are listed, and not counted among the values.
        return uncounted { text(name) }
    }

    /// Does something without counting values: an address counts as one, its parts do not.
    func uncounted(_ body: () -> String) -> String {
        let before = isCounting
        isCounting = false
        defer { isCounting = before }
        return body()
    }

    private func isStructural(_ name: String) -> Bool {
        if kept.contains(name) { return true }
        guard !looksSecret(name) else { return false }
        if words.words.contains(name) || KnownWords.areAll(of: name) && NameStatistics.isWord(name) { return true }
        guard !isLooking, names.recurs(name) else { return false }
        return !KnownWords.parts(of: name).contains { personal.contains($0) }
    }

    /// The placeholders in the recording's config.
    func config(_ values: JSONObject, of manifest: Manifest) -> JSONObject {
        var output = JSONObject()
        for field in manifest.config {
            guard let value = values[JSONString(field.name)] else { continue }
            if value == field.default {
                // A day from which on records are read moves with the records.
                guard field.choices.isEmpty, let moved = value.stringText.flatMap({ times.shifted($0) }) else {
                    continue
                }
                if moved != value.stringText { output[JSONString(field.name)] = .text(moved) }
                continue
            }
            output[JSONString(field.name)] = field.choices.contains(value) ? value : self.value(value, of: field)
        }
        return output
    }

    private func value(_ value: JSONValue, of field: ConfigField) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map { field.choices.contains($0) ? $0 : self.value($0, of: field) })
        case .string(let string) where field.isSecret: .text(hidden(string.text))
        case .string(let string) where field.type == .host: .text(host(string.text))
        case .string(let string): .text(text(string.text))
        // Settings, such as a number of days.
        case .number(let number) where number.text.utf8.count < 4 && !field.isSecret: value
        case .number(let number): .number(JSONNumber(self.number(number.text, member: nil)) ?? number)
        default: value
        }
    }
}

/// The places of member names: a service's names recur in every object of a kind, names that are data do not.
struct NameStatistics {
    private var objects: [String: Int] = [:]
    private var counts: [String: [String: Int]] = [:]

    /// Counts an object.
    mutating func noteObject(at place: String) { objects[place, default: 0] += 1 }

    /// Counts a member.
    mutating func note(_ name: String, at place: String) { counts[name, default: [:]][place, default: 0] += 1 }

    /// Whether a name is a word that most objects have at some place, if there are enough of them.
    func recurs(_ name: String) -> Bool {
        guard Self.isWord(name) else { return false }
        return counts[name, default: [:]].contains { place, count in
            let all = objects[place] ?? 0
            return all >= 3 && count * 5 >= all * 4
        }
    }

    /// Whether a name consists of letters, as names of members do, with at most two digits at its end.
    static func isWord(_ name: String) -> Bool {
        let letters = name.reversed().drop { $0.isNumber }
        return name.utf8.count <= 40 && name.utf8.count - letters.count <= 2 && !letters.isEmpty
            && letters.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_" || $0 == "-" || $0 == "$" || $0 == "@") }
    }
}
