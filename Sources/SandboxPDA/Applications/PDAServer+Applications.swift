internal import LosslessJSON
internal import PDAWire

extension PDAServer {
    /// An application that can be resolved now, with its state. A directory that cannot be asked has none.
    func application(_ id: String) async throws -> KnownApplication? {
        guard let definition = try? await directory.definition(of: id) else { return nil }
        return SandboxStore.known(definition, try await store.applicationRow(id))
    }

    /// Every application that can be resolved now.
    func applications() async throws -> [KnownApplication] {
        let rows = try await store.applicationRows()
        return try await directory.definitions().map { definition in
            SandboxStore.known(definition, definition["id"]?.stringText.flatMap { rows[$0] })
        }
    }

    /// Sets an application up, where it can be resolved.
    private func setUpIfKnown(_ id: String) async throws -> Bool {
        guard let application = try await application(id) else { return false }
        try await store.setUp(application)
        return true
    }

    /// GET `/applications`: for an application only those that it may manage.
    var listApplications: Work {
        { [store] caller in
            try caller.demand(.owner, Role("applicationlist"))
            var states: [JSONValue] = []
            for application in try await self.applications() {
                let isSeen = caller.application?.roles.contains(.manage(application.id)) ?? true
                if isSeen { states.append(try await store.state(of: application)) }
            }
            return Answer(.array(states))
        }
    }

    /// GET `/applications/ID`
    func showApplication(_ id: String) -> Work {
        { [store] caller in
            try caller.demand(.manage(id))
            guard let application = try await self.application(id) else { throw Self.unknown(404, id) }
            return Answer(try await store.state(of: application))
        }
    }

    /// GET `/applications/ID/setup`: also the way to update; sets dependencies up with it.
    func setUp(_ id: String) -> Work {
        { [store] caller in
            try caller.demand(.manage(id))
            guard try await self.setUpIfKnown(id), let application = try await self.application(id) else {
                throw Self.unknown(400, id)
            }
            return Answer(try await store.state(of: application, dependencies: self.setUpDependencies(application)))
        }
    }

    /// Whether every dependency could be set up, `nil` without any. Tools are functions, which a sandbox has none of.
    private func setUpDependencies(_ application: KnownApplication) async throws -> Bool? {
        guard let dependencies = application.definition["dependencies"]?.object else { return nil }
        func identifiers(_ kind: JSONString) -> [String] {
            dependencies[kind]?.elements?.compactMap(\.stringText) ?? []
        }
        var areEnabled = identifiers("tools").isEmpty
        for id in identifiers("plugs") + identifiers("contracts") where try await !self.setUpIfKnown(id) {
            areEnabled = false
        }
        return areEnabled
    }

    /// GET `/applications/ID/disable`
    func disable(_ id: String) -> Work {
        { [store] caller in
            try caller.demand(.manage(id))
            guard try await self.application(id) != nil else { throw Self.unknown(400, id) }
            try await store.disable(id)
            guard let application = try await self.application(id) else { throw Self.unknown(400, id) }
            return Answer(try await store.state(of: application))
        }
    }

    /// GET `/applications/ID/access-token`: also for one that is not set up, whose token is good for nothing yet.
    func applicationToken(_ id: String, issuer: String) -> Work {
        { [tokens] caller in
            try caller.demand(Role("retrieveapplicationtoken", id), exceptOwnerApplications: true)
            guard let application = try await self.application(id) else { throw Self.unknown(404, id) }
            return self.tokenAnswer(try tokens.application(id, version: application.version, issuer: issuer))
        }
    }

    /// GET `/applications/ID/hmi`: the bare definition, for those without a token; with one it is a 403.
    func definition(_ id: String, _ exchange: Exchange) async throws -> Answer {
        guard try await caller(exchange) == nil else { throw Refusal.forbidden }
        guard let application = try await self.application(id) else {
            throw Refusal.application(
                404,
                "Not Found",
                "Application configuration for ID \(id) could not be found. Make sure application is correctly registered"
            )
        }
        return Answer(application.definition)
    }

    private static func unknown(_ status: Int, _ id: String) -> Refusal {
        .application(status, "Application not Found", PDACause.applicationUnknown(id))
    }
}
