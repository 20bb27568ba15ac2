import PlugCore

extension ManifestBuilder {
    /// How an account is checked; `nil` if that is missing, or invalid.
    func accountCheck(_ keys: CheckedMapping, streams: [YAMLEntry], hosts: [HostPattern], hasBase: Bool)
        -> AccountCheck?
    {
        guard let entry = keys.entry("check"),
            let check = CheckedMapping(entry.value, Tables.check, at: entry.keyLocation, findings),
            let kind = check.kind(of: Tables.check, findings)
        else { return nil }
        let who = program(check["who"], ProgramScope.answers(.answer, hasParent: false))
        if kind.key == "request" {
            let scope = ProgramScope.template("check", grantedRoots)
            return request(check, scope, hosts: hosts, hasBase: hasBase).map {
                AccountCheck(target: .request($0), who: who)
            }
        }
        guard let name = kind.value.scalar?.text else { return nil }
        guard let stream = streams.first(where: { $0.key == name }) else {
            let help = MessageText.help(for: name, in: streams.map(\.key), called: "streams")
            let message = "there is no stream '\(MessageText.shortened(name))'"
            findings.error(.open(.unknownStream), message, at: kind.value.location, help: help)
            return nil
        }
        if stream.value["for_each"] != nil {
            let help = "name a stream without 'for_each', or write a request"
            findings.error(.checkOfChild, "the stream '\(name)' has parents", at: kind.value.location, help: help)
        }
        return AccountCheck(target: .stream(name), who: who)
    }
}
