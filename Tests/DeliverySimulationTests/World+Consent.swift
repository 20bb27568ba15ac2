import OAuth
import PlugCore
import PlugFetch
import PlugRuntime
import PlugStorage

// People consent before the first run, and again where a run says that they have to.
extension World {
    /// Has everybody consent who has to.
    func consent(in store: any PlugStore) async throws {
        for person in takeUnconsenting() {
            let id = GrantID(connection: ConnectionID(people[person]), name: KeptGrant.consent)
            _ = try await store.openConnection(id.connection, plug: "sim", pda: "https://\(people[person]).example")
            let now = clock.seconds
            let given = servers.tokens { $0.consent(person, now: now) }
            let answer = TokenAnswer(
                accessToken: Secret(given.access),
                refreshToken: Secret(given.refresh),
                expires: (now + scenario.access.lifetime) * 1_000_000,
                scopes: nil
            )
            let grant = Grant(answer, asked: [], now: now * 1_000_000)
            let content = KeptGrant(grant, of: GrantOwner(client: "client")).content
            _ = try await store.keepGrant(content, as: id, replacing: try await store.grant(id)?.version)
            servers.tokens { $0.kept(content) }
        }
    }

    /// Hears what runs say of consents.
    func hear(_ reports: [RunReport], of people: [Int]) {
        guard scenario.access.kind == .consent else { return }
        for (person, report) in zip(people, reports) {
            switch report.error?.code.text {
            case "connect-again":
                if servers.tokens({ $0.isGood(person) }) {
                    let name = self.people[person]
                    auditor.note("\(name) has to consent again, and the refresh token that is kept is good")
                }
                willConsent(person)
            case "connect-first", "grant-unreadable":
                auditor.note("\(self.people[person])'s consent is not found: \(Self.summary(report))")
            default: break
            }
        }
    }
}
