/// All pages for which somebody logs in with a PDA.
enum PeoplePages {
    /// The routes; those with which something is connected are left out where nothing can be.
    static func all(_ host: HostServer.Means, _ sessions: HostSessions) -> [HostRoute] {
        guard let means = host.connecting else { return [] }
        let login = LoginRoutes(host, means, sessions)
        return login.all + SourceRoutes(host, means).all + OutcomeRoutes(login.notes, host.plugs).all
            + ConnectionRoutes(host, means).all
    }
}
