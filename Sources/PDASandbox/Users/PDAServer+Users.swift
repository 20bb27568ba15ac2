internal import Cryptography
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

extension PDAServer {
    /// GET `/users/access_token`
    func ownerToken(_ request: ServedRequest) async throws -> Answer {
        guard loginLimit.allows(request.peer) else {
            throw Refusal.application(
                400,
                "Request rate exceeded",
                PDACause.rateExceeded,
                details: ["Request to /users/access_token"]
            )
        }
        guard let name = request.header("username"), let password = request.header("password") else {
            throw Refusal.application(401, "Credentials required", PDACause.credentialsRequired)
        }
        let user = try await store.user(name: PercentEncoding.decode(name, plusIsSpace: true))
        let given = PercentEncoding.decode(password, plusIsSpace: true)
        guard let user else {
            // As much work as for an existing name, so that the time does not reveal which names exist.
            _ = try? store.passwords.derive(given, salt: Array(repeating: 0, count: 16))
            throw Refusal.notAuthenticated
        }
        guard store.passwords.accepts(given, of: user) else { throw Refusal.notAuthenticated }
        if user.isOwner { try await store.rememberLogin(at: clock.milliseconds) }
        let scope = user.isOwner ? "owner" : user.roles.first?.title
        let token = try tokens.user(issuer: request.host, scope: scope, subject: user.subject)
        var answer = Self.tokenAnswer(token, user)
        answer.headers.append((PDAHeader.token, token))
        return answer
    }

    static func tokenAnswer(_ token: String, _ user: User) -> Answer {
        Answer(.object(["accessToken": .text(token), "userId": .text(user.id)]))
    }

    // MARK: Administration

    /// GET `/users/user`. Unlike in the reference server, only for callers who may change users, and without hashes.
    var listUsers: Route.Reply {
        { [store] caller in
            return Answer(.array(try await store.users().map(\.json)))
        }
    }

    /// POST `/users/user`: `pass` is the password itself, not the hash that the reference server takes.
    func addUser(_ request: ServedRequest) async throws -> Route.Reply {
        let body = try UserBody(ShapeReader(await request.json().root.value))
        return { [store] caller in
            try Self.demandOrdinary(body.roles)
            let user = try await store.addUser(
                id: body.id ?? UUIDText.random(),
                name: body.name,
                displayName: body.displayName,
                password: body.password ?? SecureRandom.hexadecimal(bytes: 32),
                roles: body.roles
            )
            guard let user else { throw Refusal.application(400, "Bad Request", "User of this name or id exists") }
            return Answer(201, user.json)
        }
    }

    /// PUT `/users/user/ID/enable` and `/disable`, which do what they say, unlike the reference server's.
    func setUser(_ id: String, isEnabled: Bool) -> Route.Reply {
        { [store] _ in
            var user = try await self.ordinaryUser(id)
            user.isEnabled = isEnabled
            _ = try await store.updateUser(user)
            return .message(isEnabled ? "Enabled" : "Suspended")
        }
    }

    /// PUT `/users/user/ID/update`
    func updateUser(_ id: String, _ request: ServedRequest) async throws -> Route.Reply {
        let body = try UserBody(ShapeReader(await request.json().root.value))
        return { [store] caller in
            var user = try await self.ordinaryUser(id)
            try Self.demandOrdinary(body.roles)
            (user.name, user.displayName, user.roles) = (body.name, body.displayName, body.roles)
            if let password = body.password {
                user.salt = SecureRandom.bytes(16)
                user.hash = try store.passwords.derive(password, salt: user.salt)
            }
            guard try await store.updateUser(user) else {
                throw Refusal.application(400, "Bad Request", "User of this name or id exists")
            }
            return Answer(201, user.json)
        }
    }

    /// `/users/user/ID/delete`
    func deleteUser(_ id: String) -> Route.Reply {
        { [store] caller in
            try await store.removeUser(self.ordinaryUser(id))
            return .message("Account deleted")
        }
    }

    private func ordinaryUser(_ id: String) async throws -> User {
        guard let user = try await store.user(id: id) else {
            throw Refusal.application(404, "No such User", "User \(id) does not exist")
        }
        try Self.demandOrdinary(user.roles)
        return user
    }

    private static func demandOrdinary(_ roles: [Role]) throws(Refusal) {
        guard !roles.contains(.owner), !roles.contains(.platform) else {
            throw .application(403, "Forbidden", "Privileged users can not be changed")
        }
    }
}

/// A user in the body of a request.
private struct UserBody: Sendable {
    var id: String?
    var name: String
    var displayName: String
    var password: String?
    var roles: [Role]

    init(_ reader: ShapeReader) throws {
        if let id = reader.optional("userId") {
            let text = try id.text()
            guard UUIDText.isValid(text) else { throw id.refusal("error.expected.uuid") }
            self.id = text.lowercased()
        }
        name = try reader.member("email").text()
        displayName = try reader.optional("name")?.text() ?? name
        if let password = reader.optional("pass") {
            let text = try password.text()
            guard !text.hasPrefix("$2") else { throw password.refusal("error.password.hash") }
            self.password = text
        }
        roles = try reader.optional("roles")?.elements().compactMap { Role($0.value) } ?? []
        // The newer form has `roles`, the older one only a title.
        if roles.isEmpty, let title = try reader.optional("role")?.text(), let role = Role(granted: title, detail: nil)
        {
            roles = [role]
        }
    }
}
