extension AirbyteImport {
    /// Uses a stream of the manifest instead of an equal one that is only read for others.
    mutating func joinParents() {
        while let (copy, original) = pair() {
            drafts.removeAll { $0.name == copy }
            for at in drafts.indices { drafts[at].read(for: original, insteadOf: copy) }
        }
    }

    /// A helper, and the stream that makes the same requests.
    private func pair() -> (String, String)? {
        for helper in drafts where !own.contains(helper.name) {
            for other in drafts where other.name != helper.name && !other.isLeftOut {
                if helper.asksLike(other), own.contains(other.name) || helper.name > other.name {
                    return (helper.name, other.name)
                }
            }
        }
        return nil
    }
}

extension StreamDraft {
    /// Whether both have the same records.
    fileprivate func asksLike(_ other: StreamDraft) -> Bool {
        entries == other.entries && auth == other.auth && base == other.base
    }

    fileprivate mutating func read(for original: String, insteadOf copy: String) {
        guard parents.contains(copy), let forEach = self["for_each"] else { return }
        parents = parents.map { $0 == copy ? original : $0 }
        self["for_each"] = forEach.renaming(copy, to: original)
    }
}

extension PlugYAML {
    /// The same with `in: old` changed to `in: new`.
    fileprivate func renaming(_ old: String, to new: String) -> PlugYAML {
        switch self {
        case .list(let elements): .list(elements.map { $0.renaming(old, to: new) })
        case .mapping(let entries):
            .mapping(
                entries.map { entry in
                    var entry = entry
                    entry.value =
                        entry.key == "in" && entry.value == .text(old) ? .text(new) : entry.value.renaming(old, to: new)
                    return entry
                }
            )
        default: self
        }
    }
}
