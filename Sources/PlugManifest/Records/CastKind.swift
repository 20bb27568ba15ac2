internal import PlugCore

/// How a manifest names a cast, and how its options are read.
struct CastKind: Sendable {
    /// Its key, which is also the word that names it without options.
    let spec: KeySpec
    /// The cast without options.
    let plain: Cast
    /// Reads its options; `nil` if they are invalid.
    private let options: @Sendable (ManifestBuilder, CheckedMapping) -> Cast?

    static let all = [
        kind(.time(TimeReading()), "RFC 3339 in UTC.", timeReading) { $0.times($1).map { .time($0) } },
        kind(.date(TimeReading()), "A day.", timeReading) { $0.times($1).map { .date($0) } },
        kind(.integer(nil), "A whole number.", numberReading) { $0.numbers($1).map { .integer($0) } },
        kind(.decimal(nil), "A number.", numberReading) { $0.numbers($1).map { .decimal($0) } },
        kind(.string, "Text."),
        kind(.boolean(nil), "true or false.", booleanWords) { $0.words($1).map { .boolean($0) } },
        kind(.any, "As map gives it."),
    ]

    /// The names of all casts.
    static let words = all.map(\.spec.name)

    /// The cast that a word names.
    init?(word: String) {
        guard let kind = Self.all.first(where: { $0.spec.name == word }) else { return nil }
        self = kind
    }

    private init(
        _ spec: KeySpec,
        _ plain: Cast,
        _ options: @escaping @Sendable (ManifestBuilder, CheckedMapping) -> Cast?
    ) {
        (self.spec, self.plain, self.options) = (spec, plain, options)
    }

    /// Reads the cast with its options; `nil` if they are invalid.
    func read(_ entry: YAMLEntry, _ builder: ManifestBuilder) -> Cast? {
        guard entry.value.mapping?.isEmpty == false, let table = spec.shape.tables.first else { return plain }
        return CheckedMapping(entry.value, table, at: entry.keyLocation, builder.findings).flatMap {
            options(builder, $0)
        }
    }

    private static func kind(
        _ plain: Cast,
        _ doc: String,
        _ table: KeyTable? = nil,
        options: @escaping @Sendable (ManifestBuilder, CheckedMapping) -> Cast? = { _, _ in nil }
    ) -> CastKind {
        CastKind(.kind(plain.word, .detail(table), doc), plain, options)
    }

    private static let timeReading = KeyTable(
        "a cast to a time",
        [
            .key(
                "format",
                .list(.text, orOne: true),
                default: "the usual ones",
                example: "\"%d.%m.%Y %H:%M\"",
                "How the source writes it: epoch, epoch_ms, epoch_us, rfc3339, date or a pattern; of several, the first that fits."
            ),
            .key(
                "zone",
                .text,
                default: "UTC",
                example: "Europe/Berlin",
                "The time zone of texts that name none; for a date, the zone whose day it is."
            ),
        ]
    )

    private static let numberReading = KeyTable(
        "a cast to a number",
        [
            .key("point", .choice([".", ","]), default: "'.'", "What separates the fraction."),
            .key(
                "group",
                .choice([".", ",", "'", "\u{2019}", " ", "\u{A0}", "\u{202F}"]),
                default: "nothing",
                example: "\"'\"",
                "What may separate each three digits; a space is also a no-break one, an apostrophe also a typographic one."
            ),
        ]
    )

    private static let booleanWords = KeyTable(
        "a cast to a boolean",
        [
            .key("true", .list(.text, orOne: true), required: true, example: "[yes, 1]", "The values that mean true."),
            .key("false", .list(.text, orOne: true), required: true, example: "[no, 0]", "The values that mean false."),
        ]
    )
}

extension ManifestBuilder {
    fileprivate func times(_ keys: CheckedMapping) -> TimeReading? {
        var reading = TimeReading()
        let nodes = keys["format"].map { $0.sequence ?? [$0] } ?? []
        reading.formats = nodes.compactMap { format($0) }
        reading.names = nodes.compactMap { $0.scalar?.text }
        if let node = keys["zone"], let name = node.scalar?.text {
            reading.zone = findings.zone(name, at: node.location)
            if reading.zone == nil { return nil }
        }
        return reading.formats.count == nodes.count ? reading : nil
    }

    /// A format for reading a time.
    private func format(_ node: YAMLNode) -> SinceFormat? {
        guard let text = node.scalar?.text else { return nil }
        if let format = SinceFormat(time: text) {
            guard case .pattern(let pattern) = format, let fault = pattern.readingFault else { return format }
            let message = "'\(MessageText.shortened(text))' cannot read a time: it \(fault)"
            let help = "write all of it, as in \"%d.%m.%Y %H:%M\""
            findings.error(.badTimePattern, message, at: node.location, help: help)
            return nil
        }
        sayTimePattern(text, at: node, of: "format")
        return nil
    }

    fileprivate func numbers(_ keys: CheckedMapping) -> NumberReading? {
        let group = keys.text("group").flatMap(NumberReading.Group.init(written:))
        // If dots separate groups of digits, the decimal separator is a comma.
        let point = keys.text("point") ?? (group == .point ? "," : ".")
        guard group?.rawValue == point else { return NumberReading(point: point, group: group) }
        let help = "write the other one of '.' and ',' for 'point'"
        let message = "'point' and 'group' are the same: nothing tells 1\(point)234 from a fraction"
        findings.error(.badCast, message, at: keys.location("point"), help: help)
        return nil
    }

    fileprivate func words(_ keys: CheckedMapping) -> BooleanWords? {
        var values: [String: Bool] = [:]
        for (key, meaning) in [("true", true), ("false", false)] {
            guard let node = keys[key] else { return nil }
            for word in node.sequence ?? [node] {
                guard let text = word.jsonValue.shownText else { continue }
                if let other = values.updateValue(meaning, forKey: text), other != meaning {
                    let message = "'\(MessageText.shortened(text))' means both true and false"
                    findings.error(.badCast, message, at: word.location, help: "keep it in one of the lists")
                    return nil
                }
            }
        }
        return BooleanWords(values: values)
    }
}
