internal import Cryptography
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

extension PDAServer {
    /// What is left of a request once its parameters and body are read.
    typealias Work = @Sendable (Caller) async throws -> Answer

    /// Routes without a token; `nil` if the route needs one.
    func open(_ route: Route, _ exchange: Exchange) async throws -> Answer? {
        switch route {
        case .token: return try await ownerToken(exchange)
        case .publicKey: return publicKey
        case .health: return Answer(.object(["Status": .text("OK")]))
        case .version: return Answer(.object(["Version": .text("v2.8.18")]))
        // The schema is brought up to date at every start already.
        case .systemUpdate: return .message("Database updated")
        case .applicationDefinition(let id): return try await definition(id, exchange)
        case .requestReset: return try await requestReset(exchange)
        case .confirmReset(let token): return try await confirmReset(token, exchange)
        case .none:
            throw Refusal.framework(
                404,
                "Handler Not Found",
                "Request handler at \(exchange.method):\(exchange.path) does not exist"
            )
        default: return try await page(route, exchange)
        }
    }

    /// Routes for browsers; `nil` for every other.
    private func page(_ route: Route, _ exchange: Exchange) async throws -> Answer? {
        switch route {
        case .page: try await page(exchange)
        case .stylesheet: Page.stylesheet
        case .script: Page.script
        case .logIn: try await logIn(exchange)
        case .logOut: try await logOut(exchange)
        case .askConsent: try await askConsent(exchange)
        case .consent: try await consent(exchange)
        case .askDebit(let key): try await askDebit(key, exchange)
        case .decideDebit(let key): try await decideDebit(key, exchange)
        case .askReset: Page.reset(token: exchange.parameter("token") ?? "", exchange, wrong: nil)
        case .reset: try await resetByForm(exchange)
        case .anyPage: Page.unknown(exchange.path)
        default: nil
        }
    }

    /// Reads what a route with a token needs of its request.
    func prepare(_ route: Route, _ exchange: Exchange) async throws -> Work {
        switch route {
        case .read(let path): return try read(path, exchange)
        case .write(let path): return try await write(path, exchange)
        case .deleteAll(let path): return deleteAll(path)
        case .batch: return try await batch(exchange)
        case .update: return try await update(exchange)
        case .deleteRecords: return try deleteRecords(exchange)
        case .sources: return sources
        case .record(let id): return try record(id)
        case .link: return try link(exchange)
        case .readCombinator(let name): return try readCombinator(name, exchange)
        case .setCombinator(let name): return try await setCombinator(name, exchange)
        case .readBundle(let name): return readBundle(name)
        case .setBundle(let name): return try await setBundle(name, exchange)
        case .bundleStructure(let name): return bundleStructure(name)
        default: return try await prepareAgreement(route, exchange)
        }
    }

    private func prepareAgreement(_ route: Route, _ exchange: Exchange) async throws -> Work {
        switch route {
        case .debits: return listDebits
        case .debit(let key): return showDebit(key)
        case .createDebit(let key): return try await createDebit(key, exchange)
        case .updateDebit(let key): return try await updateDebit(key, exchange)
        case .enableDebit(let key): return enableDebit(key)
        case .disableDebit(let key): return try disableDebit(key, exchange)
        case .debitValues(let key): return debitValues(key)
        case .applications: return listApplications(exchange)
        case .application(let id): return showApplication(id, exchange)
        case .setUp(let id): return setUp(id, exchange)
        case .disable(let id): return disable(id, exchange)
        case .applicationToken(let id): return applicationToken(id, issuer: exchange.host)
        case .proxy(let id, let path): return try await proxy(id, path, exchange)
        default: return try await prepareUser(route, exchange)
        }
    }

    private func prepareUser(_ route: Route, _ exchange: Exchange) async throws -> Work {
        switch route {
        case .validate: return { _ in .message("Authenticated") }
        case .serviceToken: return try serviceToken(exchange)
        case .hatLogin: return try hatLogin(exchange)
        case .changePassword: return try await changePassword(exchange)
        case .users: return listUsers
        case .addUser: return try await addUser(exchange)
        case .setUser(let id, let isEnabled): return setUser(id, isEnabled: isEnabled)
        case .updateUser(let id): return try await updateUser(id, exchange)
        case .deleteUser(let id): return deleteUser(id)
        case .systemStatus: return systemStatus
        default: throw Refusal.notAuthenticated
        }
    }
}

extension PDAServer {
    /// GET `/publickey`: cacheable, for it does not change while the state folder lasts.
    private var publicKey: Answer {
        let pem = Array(store.key.publicPEM.utf8)
        var answer = Answer(type: "text/plain; charset=UTF-8", body: pem)
        let tag = Hexadecimal.encoded(SHA256.hash(pem).prefix(8))
        answer.headers += [("ETag", "\"\(tag)\""), ("Cache-Control", "public, max-age=3600")]
        return answer
    }
}
