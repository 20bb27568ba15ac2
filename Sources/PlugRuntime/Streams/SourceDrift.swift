internal import JQ
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugNormalise
internal import PlugStorage

/// What has changed in a source since earlier passes: members that are no longer in any record although all records had them, and
/// members that no record ever had.
struct SourceDrift: Equatable {
    /// The number of passes after which a source is known.
    static let passes = 3
    /// A pass with fewer records is inconclusive.
    static let records = 20
    /// The maximum number of names to report.
    private static let told = 10

    private(set) var gone: [[UInt8]] = []
    private(set) var new: [[UInt8]] = []

    /// Compares a pass with earlier ones, and adds it to what is known.
    init(_ shape: SourceShape, _ known: inout KnownMembers) {
        guard shape.records >= Self.records else { return }
        let isFirst = known.passes == 0
        if known.passes >= Self.passes {
            let gone = Set(known.names.filter { $0.value && !shape.has($0.key) && !shape.isSkipped($0.key) }.map(\.key))
            let new = known.isCut ? [] : Set(shape.names.map(\.name).filter { known.names[$0] == nil })
            // If a member disappears or appears, those inside it need no mention.
            self.gone = gone.filter { !gone.contains($0.outer) }.sorted { $0.lexicographicallyPrecedes($1) }
            self.new = new.filter { !new.contains($0.outer) }.sorted { $0.lexicographicallyPrecedes($1) }
        }
        for name in known.names.keys where !shape.has(name) && !shape.isSkipped(name) { known.names[name] = false }
        for (name, isEverywhere) in shape.names {
            if let was = known.names[name] {
                known.names[name] = was && isEverywhere
            } else if known.names.count < SourceShape.nameLimit {
                known.names[name] = isFirst && isEverywhere
            } else {
                known.isCut = true
            }
        }
        known.isCut = known.isCut || shape.isCut
        known.passes = min(known.passes + 1, Self.passes)
    }

    /// The warnings that a run reports before it continues.
    ///
    /// - Parameter redactor: A source may repeat a secret anywhere.
    func warnings(_ stream: Stream, _ redactor: Redactor) -> [PlugError] {
        var warnings: [PlugError] = []
        if !gone.isEmpty {
            warnings.append(
                PlugError(
                    .memberGone,
                    "\(stream.places["records"]): the source's records no longer have \(Self.list(gone, redactor)), "
                        + "which all records examined in earlier passes had",
                    advice:
                        "check whether 'map', 'key', 'version' or 'since' read it, and what the service's documentation says",
                    stream: stream.name
                )
            )
        }
        if !new.isEmpty {
            warnings.append(
                PlugError(
                    .memberNew,
                    "\(stream.places["records"]): the source's records have \(Self.list(new, redactor)), which no record "
                        + "examined in earlier passes had",
                    advice: "check whether 'map' should take it",
                    stream: stream.name
                )
            )
        }
        return warnings
    }

    private static func list(_ names: [[UInt8]], _ redactor: Redactor) -> String {
        let texts = names.prefix(told).map { name in
            let path = "." + name.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
            return "'\(DisplayText.escaped(String(redactor.shown(path).prefix(80))))'"
        }
        return texts.joined(separator: ", ") + (names.count > told ? " and \(names.count - told) more" : "")
    }
}

extension KnownMembers {
    /// Creates an empty record of a stream's members.
    init(of stream: Stream) { self.init(origin: Self.origin(of: stream)) }

    /// Whether they were found in the way the stream finds them now.
    func isOf(_ stream: Stream) -> Bool { origin == Self.origin(of: stream) }

    /// Another `records`, or another format, yields other members.
    private static func origin(of stream: Stream) -> String {
        "\(stream.records.source)\n\(stream.decoding.map { "\($0.format)" } ?? "")"
    }
}

extension SourceShape {
    /// Whether a member is inside one that had too many to examine.
    fileprivate func isSkipped(_ name: Name) -> Bool { name.contains(0) && skipped.contains(name.outer) }
}

extension [UInt8] {
    /// The member that contains this one.
    fileprivate var outer: [UInt8] { firstIndex(of: 0).map { [UInt8](self[..<$0]) } ?? [0] }
}
