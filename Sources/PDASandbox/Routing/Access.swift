internal import PDAWire
internal import PlugCore

/// Who may use a route: what a user's own token needs, and what an application's needs.
struct Access: Sendable {
    /// Throws the 403 if the caller may not.
    let demand: @Sendable (Caller) throws(Refusal) -> Void
    /// What callers without a valid token get instead of the 401.
    var answerToStrangers: Answer?

    init(answerToStrangers: Answer? = nil, _ demand: @escaping @Sendable (Caller) throws(Refusal) -> Void) {
        self.demand = demand
        self.answerToStrangers = answerToStrangers
    }

    private init(user: [Role], application: [Role]) {
        self.init { caller throws(Refusal) in try caller.demand(plain: user, application: application) }
    }

    /// Anyone with a valid token.
    static let anyToken = Access { _ in }
    /// The owner's own token.
    static let ownerInPerson = Access { caller throws(Refusal) in try caller.demandOwnerInPerson() }
    /// The owner, and applications that may do everything.
    static let owner = Access(user: [], application: [.owner])
    static let platform = Access(user: [.platform], application: [.platform])
    static let ownerOrPlatform = Access(user: [.platform], application: [.owner, .platform])
    /// Anyone who may write somewhere. The handler checks the namespace of each record.
    static let writers = Access(user: [.writer], application: [.writesAnything])
    static let sourceReaders = Access(
        user: [.platform, .writer],
        application: [.owner, .platform, .writesAnything]
    )
    static let applicationLists = Access(user: [], application: [.owner, Role("applicationlist")])
    static let debitProposers = Access(
        user: [.dataDebit(""), .platform],
        application: [.owner, .dataDebit(""), .platform]
    )

    /// The reference server's route for one record checks by hand, and tells strangers less.
    static let oneRecord = Access(answerToStrangers: Answer(403, body: [])) { _ in }

    static func namespaceRead(_ path: DataPath) -> Access {
        Access(user: [.read(path.namespace)], application: [.read(path.namespace)])
    }
    static func namespaceWrite(_ path: DataPath) -> Access {
        Access(user: [.write(path.namespace)], application: [.write(path.namespace)])
    }
    static func dataDebit(_ key: String) -> Access {
        Access(user: [.dataDebit(key)], application: [.owner, .dataDebit(key)])
    }
    static func manage(_ id: String) -> Access { Access(user: [], application: [.owner, .manage(id)]) }
    static func applicationToken(_ id: String) -> Access {
        Access { caller throws(Refusal) in
            let role = Role("retrieveapplicationtoken", id)
            try caller.demand(application: [role], exceptOwnerApplications: true)
        }
    }
}
