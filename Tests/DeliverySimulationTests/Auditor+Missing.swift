import LosslessJSON
import PlugRuntime
import PlugStorage

// Things that passes find no more.
extension Auditor {
    /// The `_id`s, without versions, of what an inventory row says the source has.
    static func found(in row: [UInt8]) -> [String] {
        func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        var found: [String] = []
        // Behind the signature: kind, length of the `_id`, the `_id`.
        var rest = row.dropFirst(8)
        while rest.count >= 5 {
            let (kind, length) = (rest[rest.startIndex], number(rest.dropFirst(1).prefix(4)))
            rest = rest.dropFirst(5)
            if kind == 0 { found.append(String(decoding: rest.prefix(length).prefix { $0 != 64 }, as: UTF8.self)) }
            rest = rest.dropFirst(length)
        }
        return found
    }

    /// When all is done, the last word about each thing is a deletion exactly if the source has it no more.
    func auditMissing(_ person: Int, _ readable: [Version]) {
        for (at, shape) in streams.enumerated() where shape.deletes == .missing {
            let there = readable.filter { $0.stream == shape.name && $0.destiny != .dropped }
            let destinies = Dictionary(there.map { ($0.item, $0.destiny) }) { first, _ in first }
            var told: [Int: [Version]] = [:]
            for (_, record) in servers.pda(person).stored {
                guard let version = known(record, person), version.stream == shape.name else { continue }
                told[version.item, default: []].append(version)
            }
            let unchanged = servers.source.accounts[person].unchanged
            let stored = servers.pda(person).stored.compactMap { known($0.1, person) }
                .filter { $0.stream == shape.name && !$0.isDeletion && !$0.identity.isEmpty }
                .map { String($0.identity.prefix { $0 != "@" }) }
            for thing in found(id(person, at)).union(stored) {
                guard let item = thing.split(whereSeparator: { "/,".contains($0) }).last.flatMap({ Int($0) }) else {
                    note("'\(thing)' is no thing's name")
                    continue
                }
                let versions = told[item] ?? []
                let isToldGone = versions.last?.isDeletion == true
                switch destinies[item] {
                case .delivered, .stumbling:
                    // Its record is there already, and a PDA stores it once.
                    let isToldOnce = unchanged.contains(item)
                    if isToldGone, !isToldOnce, !isDisordered {
                        note("\(thing) is there, and the last word is that it is gone")
                    }
                case nil:
                    let isToldAnyhow = isDisordered && versions.contains { $0.isDeletion }
                    if !isToldGone, !isToldAnyhow { note("\(thing) is gone, and nobody is told") }
                default: break
                }
            }
        }
    }
}
