internal import PlugCore

// How deleted records are recognised.
extension ManifestBuilder {
    /// The keys of `deletes`, checked; `nil` without it.
    func deletes(_ keys: CheckedMapping) -> CheckedMapping? {
        guard let node = keys["deletes"],
            let deletes = CheckedMapping(node, Tables.deletes, at: keys.location("deletes"), findings)
        else { return nil }
        if keys.text("identity") == "off" {
            let help = "leave 'identity' on: without '_id' nothing says what is deleted"
            findings.error(.deletesIdentity, "'deletes' needs 'identity'", at: keys.location("deletes"), help: help)
        }
        if let word = keys.text("version"), ["none", "content"].contains(word) {
            let message =
                "with 'version: \(word)' a record that is deleted, reappears and is deleted again is reported only once"
            let help =
                "name a member that changes when a record is deleted or reappears, such as 'version: .updated_at'"
            findings.warn(.deletesVersion, message, at: keys.location("version"), help: help)
        }
        let hasMissing = deletes["missing"]?.scalar?.bool == true
        let isEmpty = !deletes.isWritten("field") && !hasMissing
        if isEmpty, (node.mapping ?? []).allSatisfy({ Tables.deletes[$0.key] != nil }) {
            let help = "write 'field' with a program, or 'missing: true'"
            let message = "'deletes' does not say what is deleted"
            findings.error(.missingKind, message, at: keys.location("deletes"), help: help)
        }
        if deletes.isWritten("max"), !isEmpty, !deletes.isWritten("missing") {
            let help = "remove it: a deletion that the source reports always counts"
            findings.error(.deletesMissing, "'max' belongs to 'missing: true'", at: deletes.location("max"), help: help)
        }
        return deletes
    }

    /// How many records may be missing at a time; `nil` if missing records mean nothing.
    func missing(_ deletes: CheckedMapping?, _ keys: CheckedMapping, _ request: Request?) -> MissingThings? {
        guard let deletes, deletes["missing"]?.scalar?.bool == true else { return nil }
        if hasProgram || keys.isWritten("swift") {
            findings.error(
                .deletesMissing,
                "'missing' needs passes that read everything, and what a \(hasProgram ? "program" : "fetcher") reads is not known",
                at: deletes.location("missing"),
                help: "remove it, or use 'field'"
            )
        }
        let readsOnlyChanged = keys["for_each"]?["only"] != nil
        if keys.isWritten("since") || readsOnlyChanged {
            findings.error(
                .deletesMissing,
                "'missing' needs passes that read everything, and this stream has "
                    + (readsOnlyChanged ? "'only: changed'" : "'since'"),
                at: deletes.location("missing"),
                help: "remove \(readsOnlyChanged ? "'only'" : "'since'"), or use 'field'"
            )
        }
        if let node = keys["decode"], node.scalar?.text == "ics" || node["ics"] != nil {
            findings.error(
                .deletesMissing,
                "'missing' needs passes over the same time, and 'ics' gives the instances of a window that moves with the clock",
                at: deletes.location("missing"),
                help: "remove it: what leaves the window would count as deleted"
            )
        }
        if let root = ["now", "pass"].first(where: { request?.usedRoots.contains($0) == true }) {
            findings.warn(
                .deletesRange,
                "the request depends on '\(root)': what it no longer asks for would count as deleted",
                at: deletes.location("missing"),
                help: "ask for everything, or for a fixed range"
            )
        }
        return MissingThings(limit: deletes.text("max").flatMap(Shape.share) ?? MissingThings.defaultLimit)
    }

    /// Streams of one endpoint name the same things: the meaning of '@' in one of them applies to all.
    func sharingMarks(_ streams: [Stream]) -> [Stream] {
        var marks: [DataPath: IdentityMarks] = [:]
        for stream in streams {
            if let path = stream.path { marks[path] = max(marks[path] ?? .none, stream.identityMarks) }
        }
        return streams.map { stream in stream.replacing(identityMarks: stream.path.flatMap { marks[$0] }) }
    }

    /// A record that moves from one stream of an endpoint to another is missing in the first one, but not gone.
    func checkSharing(_ streams: [Stream], _ node: YAMLNode?) {
        for stream in streams where stream.missing != nil {
            let other = streams.first { $0.name != stream.name && $0.path == stream.path }
            guard let other, let deletes = node?[stream.name]?["deletes"]?.mapping,
                let missing = deletes.first(where: { $0.key == "missing" })
            else { continue }
            findings.error(
                .deletesMissing,
                "the stream '\(other.name)' writes to the same endpoint: what moves there would count as deleted here",
                at: missing.keyLocation,
                help: "read both with one stream, or give them endpoints of their own"
            )
        }
    }
}
