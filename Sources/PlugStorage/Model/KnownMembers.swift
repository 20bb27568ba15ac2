/// The members that the source's records had in earlier passes.
package struct KnownMembers: Sendable, Equatable {
    /// What found them: if it changes, they are learnt again.
    package var origin: String
    /// The number of passes in which they were examined.
    package var passes: Int
    /// The members by name, and whether each was in every record examined.
    package var names: [[UInt8]: Bool]
    /// Whether there were more members than are kept.
    package var isCut: Bool

    /// Creates a set of known members.
    package init(origin: String, passes: Int = 0, names: [[UInt8]: Bool] = [:], isCut: Bool = false) {
        (self.origin, self.passes, self.names, self.isCut) = (origin, passes, names, isCut)
    }

    /// Appends its fields in the form in which they are sealed.
    func encode(to writer: inout ByteWriter) {
        writer.append(origin)
        writer.append(Int64(passes))
        writer.append(Int64(isCut ? 1 : 0))
        writer.append(Int64(names.count))
        for (name, isEverywhere) in names.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            writer.append(name)
            writer.append(Int64(isEverywhere ? 1 : 0))
        }
    }

    /// Reads what `encode` wrote; `nil` for anything else.
    init?(_ reader: inout ByteReader) {
        guard let origin = reader.text(), let passes = reader.number(), let isCut = reader.number(),
            let count = reader.number(), count >= 0
        else { return nil }
        var names: [[UInt8]: Bool] = [:]
        for _ in 0..<count {
            guard let name = reader.field(), let isEverywhere = reader.number() else { return nil }
            names[name] = isEverywhere != 0
        }
        self.init(origin: origin, passes: Int(passes), names: names, isCut: isCut != 0)
    }
}
