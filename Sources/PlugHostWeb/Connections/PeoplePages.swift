/// All pages that require a login with a PDA.
enum PeoplePages {
    /// The routes.
    static func all(_ host: HostServer.Means, _ sessions: HostSessions) -> [HostRoute] {
        let login = LoginRoutes(host, sessions)
        return login.all + SourceRoutes(host).all + OutcomeRoutes(login.notes, in: host.store, host.plugs).all
            + ConnectionRoutes(host).all
    }
}
