/// All pages for which somebody logs in with a PDA.
enum PeoplePages {
    /// The routes.
    static func all(_ host: HostServer.Means, _ sessions: HostSessions) -> [HostRoute] {
        let means = host.connecting
        let login = LoginRoutes(host, means, sessions)
        return login.all + SourceRoutes(host, means).all + OutcomeRoutes(login.notes, host.plugs).all
            + ConnectionRoutes(host, means).all
    }
}
